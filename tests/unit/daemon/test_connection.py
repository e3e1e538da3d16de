"""A bot joins the world and joins again after any loss."""

import asyncio
import random
from collections.abc import AsyncIterator, MutableMapping
from typing import Any

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st

from bots.daemon.connection import (
    BACK_WITHIN_S,
    GOING_DOWN_S,
    Connection,
    DisconnectionLog,
    Entrance,
    backoff_s,
)
from bots.observability.trace import TraceLog
from bridge.diagnosis import Diagnosis
from bridge.events import BotDisconnected, BridgeRestored
from bridge.fake import FakeBridge, VirtualClock
from bridge.port import ServerAddress
from bridge.world import BotName

ALICE = BotName("Alice")


class Rig:
    """One connection over a fake bridge, its events pumped to it."""

    def __init__(self) -> None:
        self.bridge = FakeBridge()
        clock = self.bridge.world.clock
        self.trace = TraceLog(clock.now)
        self.connection = Connection(
            self.bridge,
            ALICE,
            lambda: ServerAddress("127.0.0.1", 25565),
            trace=self.trace,
            stopwatch=clock.monotonic,
            sleep=clock.sleep,
            rng=random.Random(1),
            disconnections=DisconnectionLog(clock.monotonic),
            entrance=Entrance(0.0, clock.monotonic, clock.sleep),
        )
        self.tasks = [asyncio.create_task(self.pump())]

    def start(self) -> None:
        self.tasks.append(asyncio.create_task(self.connection.run()))

    async def pump(self) -> None:
        async for event in self.bridge.events():
            if isinstance(event, BotDisconnected):
                self.connection.ended(event)
            elif isinstance(event, BridgeRestored):
                self.connection.retry_now()

    async def reach(self, state: str) -> None:
        async with asyncio.timeout(30):
            with self.trace.reading() as reader:
                if self.connection.state == state:
                    return
                async for trace in reader:
                    if trace.facts.get("state") == state:
                        return

    def states(self) -> list[str]:
        return [t.facts["state"] for t in self.trace.recent("connection.changed")]

    @property
    def seconds(self) -> float:
        return self.bridge.world.clock.monotonic()


@pytest.fixture
async def rig() -> AsyncIterator[Rig]:
    rig = Rig()
    yield rig
    for task in rig.tasks:
        task.cancel()
    await asyncio.gather(*rig.tasks, return_exceptions=True)
    await rig.bridge.aclose()


@pytest.fixture
async def online(rig: Rig) -> Rig:
    """Its bot has joined."""
    rig.start()
    await rig.reach("online")
    return rig


async def test_a_bot_that_may_join_is_online_at_once(rig: Rig) -> None:
    rig.start()
    await rig.reach("online")
    assert rig.states() == ["connecting", "online"]


async def test_a_refused_bot_tries_again_until_the_server_is_there(rig: Rig) -> None:
    rig.bridge.faults.refuse_spawn("Alice", "error", "connect ECONNREFUSED", times=4)
    rig.start()
    await rig.reach("online")
    assert rig.states() == ["connecting", "waiting"] * 4 + ["connecting", "online"]
    assert 0.25 + 0.5 + 1 + 2 <= rig.seconds <= 0.5 + 1 + 2 + 4 + 0.1


async def test_a_cause_only_a_person_can_mend_is_told_as_refused_and_retried(rig: Rig) -> None:
    rig.bridge.faults.refuse_spawn("Alice", "kicked", "You are not white-listed on this server!")
    rig.start()
    await rig.reach("refused")
    assert rig.connection.diagnosis is not None
    assert "whitelist add" in rig.connection.diagnosis.next_step
    await rig.reach("online")
    assert rig.connection.diagnosis is None


async def test_who_waits_for_a_lost_bot_is_told_when_it_is_back(online: Rig) -> None:
    back = asyncio.create_task(online.connection.back())  # the loss is not reported yet
    online.bridge.drop_connection("Alice")
    assert await back
    assert online.states() == ["connecting", "online", "waiting", "connecting", "online"]


async def test_nobody_waits_long_for_a_bot_that_does_not_come_back(online: Rig) -> None:
    online.bridge.faults.refuse_spawn("Alice", "error", "connect ECONNREFUSED", times=1_000)
    online.bridge.drop_connection("Alice")
    await online.reach("waiting")
    lost_s = online.seconds
    assert not await online.connection.back()
    assert online.seconds - lost_s == pytest.approx(BACK_WITHIN_S, abs=1)
    assert not await online.connection.back()
    assert online.seconds - lost_s == pytest.approx(BACK_WITHIN_S, abs=1)


async def test_a_lost_connection_is_restored(online: Rig) -> None:
    online.bridge.drop_connection("Alice")
    await online.reach("waiting")
    await online.reach("online")
    assert online.states()[2:] == ["waiting", "connecting", "online"]


async def test_a_server_that_goes_down_is_given_time_for_it(online: Rig) -> None:
    online.bridge.kick("Alice", "Server shutdown")
    await online.reach("waiting")
    before = online.seconds
    await online.reach("online")
    assert online.seconds - before >= GOING_DOWN_S


async def test_a_dead_node_is_survived_and_its_return_ends_the_waiting(online: Rig) -> None:
    online.bridge.kill_node()
    await online.reach("waiting")
    assert online.connection.diagnosis is not None
    assert online.connection.diagnosis.cause == "node_died"
    await online.reach("online")
    assert online.seconds < 1


async def test_a_nudge_ends_the_longest_wait_at_once(online: Rig) -> None:
    online.bridge.faults.refuse_spawn("Alice", "error", "connect ECONNREFUSED", times=8)
    online.bridge.drop_connection("Alice")
    for _ in range(9):
        await online.reach("waiting")
        before = online.seconds
        online.connection.retry_now()
        await online.reach("connecting")
        assert online.seconds == before
    await online.reach("online")


async def test_a_bot_asked_to_leave_stays_away(online: Rig) -> None:
    await online.bridge.despawn(ALICE)
    await online.reach("left")
    assert online.states()[-1] == "left"


@given(st.integers(0, 10_000), st.integers())
def test_the_wait_grows_is_jittered_and_never_passes_its_cap(failures: int, seed: int) -> None:
    wait = backoff_s(failures, random.Random(seed))
    ceiling = min(30.0, 0.5 * 2 ** min(failures, 10))
    assert ceiling / 2 <= wait <= ceiling


REFUSED = Diagnosis("refused", "Nothing listens at 127.0.0.1:25565.", "Start the server.")
BOB = BotName("Bob")


def unlisted(bot: BotName) -> Diagnosis:
    return Diagnosis("whitelist", "The whitelist does not name it.", f"Run `whitelist add {bot}`.")


def told(notes: list[MutableMapping[str, Any]]) -> list[tuple[str, str]]:
    return [(note["bot"], note["cause"]) for note in notes if note["event"] == "bot.disconnected"]


def test_a_cause_is_logged_once_a_minute_for_all_bots() -> None:
    moments_s = [0.0]
    disconnections = DisconnectionLog(lambda: moments_s[-1])
    with structlog.testing.capture_logs() as notes:
        for at_s in (0.0, 1.0, 59.9, 60.0):
            moments_s.append(at_s)
            for bot in (ALICE, BOB):
                disconnections.warn(bot, REFUSED, 0.5)
    assert told(notes) == [(ALICE, "refused"), (ALICE, "refused")]


def test_advice_that_names_the_bot_is_logged_for_each() -> None:
    disconnections = DisconnectionLog(lambda: 0.0)
    with structlog.testing.capture_logs() as notes:
        for bot in (ALICE, BOB, ALICE):
            disconnections.warn(bot, unlisted(bot), 0.5)
    assert told(notes) == [(ALICE, "whitelist"), (BOB, "whitelist")]


async def test_bots_come_in_one_after_the_other() -> None:
    clock = VirtualClock()
    entrance = Entrance(0.25, clock.monotonic, clock.sleep)
    came: list[float] = []

    async def come() -> None:
        await entrance.turn()
        came.append(clock.monotonic())

    await asyncio.gather(*(come() for _ in range(3)))
    await clock.sleep(10)
    await come()
    assert came == [0, 0.25, 0.5, 10.5]
