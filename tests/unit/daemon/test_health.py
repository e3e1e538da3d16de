"""What supervisors are told: when to start the daemon anew, and when to wait."""

import asyncio
import time
from dataclasses import dataclass, field

import pytest
from structlog.testing import capture_logs
from support.local_bus import LocalBus
from support.rig import Rig, until

from bots.clock import utc_now
from bots.daemon.health import NODE_BACK_WITHIN_S, Health
from bots.observability.stalls import EVERY_S, STALLED_S, LoopLag
from bridge import VirtualClock


@dataclass
class Daemon:
    """What its health is made of."""

    rig: Rig
    now_s: float = 0.0
    trouble: str | None = None
    guests_trouble: dict[str, str] = field(default_factory=dict)
    is_whole: bool = True
    broker: LocalBus | None = None
    ended: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.health = Health(
            self.rig.roster,
            LoopLag(lambda: self.now_s, asyncio.sleep),
            is_whole=lambda: self.is_whole,
            trouble=lambda: self.trouble,
            guests_trouble=lambda: self.guests_trouble,
            broker=self.broker,
            ended=lambda: self.ended,
        )

    def told(self) -> tuple[list[str], list[str]]:
        return self.health.why_not_live(), self.health.why_not_ready()


@pytest.fixture
async def daemon(rig: Rig) -> Daemon:
    await rig.bot("Alice")
    return Daemon(rig)


async def test_a_daemon_whose_bots_are_in_the_world_is_live_and_ready(daemon: Daemon) -> None:
    assert daemon.told() == ([], [])
    assert daemon.health.status() == "1 of 1 bots are in the world"


async def test_a_lost_node_is_waited_for_but_not_for_ever(
    daemon: Daemon, rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.bridge.kill_node("out of memory", back_after_s=None)
    await until(lambda: rig.roster.bots_online == [])
    assert daemon.told() == ([], ["Node is down", "no bot is in the world"])
    assert daemon.health.status() == "not ready: Node is down; no bot is in the world"
    monkeypatch.setattr(type(rig.roster), "node_down_s", NODE_BACK_WITHIN_S)
    assert daemon.told()[0] == ["Node is down for 30 s"]
    monkeypatch.undo()
    rig.bridge.restore_node(2.5)
    await until(lambda: len(rig.roster.bots_online) == 1)
    assert daemon.told() == ([], [])


NEEDED = "a part failed that the daemon cannot do without"


@pytest.mark.parametrize(
    ("trouble", "not_live", "not_ready"),
    [
        ({"trouble": "the disk is full"}, [], ["database: the disk is full"]),
        ({"guests_trouble": {"west": "no room"}}, [], ["database of home west: no room"]),
        ({"is_whole": False}, [NEEDED], [NEEDED]),
        ({"now_s": STALLED_S + EVERY_S}, [], ["the event loop stood still for 5.0 s"]),
    ],
)
async def test_only_a_needed_part_that_failed_is_a_reason_to_start_anew(
    daemon: Daemon, trouble: dict[str, object], not_live: list[str], not_ready: list[str]
) -> None:
    vars(daemon).update(trouble)
    assert daemon.told() == (not_live, not_ready)


class FullBus(LocalBus):
    trouble = "the broker has no room left"


async def test_the_broker_of_a_cluster_is_told_and_no_reason_to_start_anew(rig: Rig) -> None:
    await rig.bot("Alice")
    well = Daemon(rig, broker=LocalBus(utc_now, time.monotonic, 6.0))
    full = Daemon(rig, broker=FullBus(utc_now, time.monotonic, 6.0))
    assert (well.health.facts()["broker"], well.health.facts()["ok"]) == ("ok", True)
    assert well.told() == ([], [])
    assert full.health.facts()["broker"] == "the broker has no room left"
    assert full.health.facts()["ok"] is False
    assert full.told() == ([], ["broker: the broker has no room left"])


async def test_a_part_that_ended_is_told_and_no_reason_to_start_anew(daemon: Daemon) -> None:
    assert (daemon.health.facts()["ok"], daemon.health.facts()["ended"]) == (True, [])
    daemon.ended = {"traces of others": "RecursionError"}
    assert daemon.told() == ([], ["a part has ended: traces of others: RecursionError"])
    facts = daemon.health.facts()
    assert (facts["ok"], facts["ended"]) == (False, ["traces of others: RecursionError"])


async def test_a_loop_that_stands_still_is_told_while_it_does_and_for_ten_seconds_after() -> None:
    clock, held_s = VirtualClock(auto=False), 0.0
    lag = LoopLag(lambda: clock.monotonic() + held_s, clock.sleep)
    measuring = asyncio.create_task(lag.run())
    await clock.advance(EVERY_S)
    assert lag.worst_s == pytest.approx(0.0)
    held_s = STALLED_S + EVERY_S  # somebody holds the loop
    assert lag.worst_s == pytest.approx(STALLED_S)
    with capture_logs() as logged:
        await clock.advance(10.05)
    assert [(one["event"], one["late_s"]) for one in logged] == [("loop.stalled", held_s)]
    assert lag.worst_s == pytest.approx(held_s)
    await clock.advance(0.1)
    assert lag.worst_s == pytest.approx(0.0)
    measuring.cancel()
