"""What is handed over reaches whom it is for, whosoever the bots and people around are."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from support.rig import until
from support.two_daemons import Apart, daemons_apart

from bots.access.origin import Level
from bots.access.origin import Person as Player
from bots.app import Daemon
from bots.bot.jobs import Job, JobSpec
from bots.bot.result import Result
from bots.bot.stoppables import may_be_stopped_by
from bots.commands.catalogue import handle_chat_command
from bots.settings.settings import IdleSettings
from bots.settings.talk import TalkSettings
from bots.settings.world import SurvivalSettings
from bridge.fake import Person
from bridge.world import PlayerName, Position

ALICE, CARL, DORA = "Alice", "Carl", "Dora"
STEVES, TIMS = Position(20.5, 64, 0.5), Position(23.0, 64, 0.5)
BESIDE = Position(22.6, 64, 1.2)
BREAD = "bread"


CALM: dict[str, Any] = {
    "idle": IdleSettings(enabled=False),
    "talk": TalkSettings(small_talk=False),
    "survival": SurvivalSettings(enabled=False),
}
GIVE = "!navigation dropItem bread 2 Tim"


@pytest.fixture
async def apart(tmp_path: Path) -> AsyncIterator[Apart]:
    """Two daemons that know nothing of each other; Carl stands where what is thrown will land."""
    async with daemons_apart(tmp_path, [ALICE, CARL], **CALM) as apart:
        move(apart, CARL, BESIDE)
        yield apart


@pytest.fixture
def steve(apart: Apart) -> Person:
    return apart.world.person("Steve", STEVES)


@pytest.fixture
def tim(apart: Apart) -> Person:
    return apart.world.person("Tim", TIMS)


def move(apart: Apart, name: str, to: Position) -> None:
    apart.world.move(apart.world.body(name), to)


def wall_in(apart: Apart, at: Position) -> None:
    for dx, dz in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)):
        for up in (0, 1):
            apart.world.set_block(Position(at.x + dx, 64 + up, at.z + dz).block, "stone")
    apart.world.set_block(Position(at.x, 66, at.z).block, "stone")


def bread_of(apart: Apart) -> dict[str, int]:
    counts = {name: one.inventory.count(BREAD) for name, one in apart.world.bodies.items()}
    return {str(name): count for name, count in counts.items() if count}


def throw(apart: Apart, thrower: Person, to: Person, count: int = 2) -> None:
    thrower.body.look_at(to.body.eyes)
    apart.world.throw(thrower.body, BREAD, count)


def catch(apart: Apart) -> None:
    """Let Carl get what somebody has just thrown for Tim."""
    move(apart, CARL, Position(22.5, 64, 0.5))


def handed_on(daemon: Daemon) -> list[str | None]:
    """Why things were not handed on; None where they were."""
    return [entry.facts["reason"] for entry in daemon.trace.recent("item.handed_on")]


def keep_busy(apart: Apart) -> asyncio.Event:
    """Give Carl work that lasts until the event is set."""
    may_end = asyncio.Event()

    async def work(_job: Job) -> Result:
        await may_end.wait()
        return Result()

    carl = apart.daemons[1].bot(CARL)
    carl.jobs.begin(JobSpec("working", work, lambda _error: Result(), 6_000))
    return may_end


async def told(apart: Apart, bot: str, command: str) -> dict[str, Any]:
    daemon = next(one for one in apart.daemons if bot in one.settings.bots.names)
    return (await handle_chat_command(daemon.bot(bot), "Steve", command)).as_json()


async def has(apart: Apart, bread: dict[str, int], within_s: float = 60) -> None:
    """Wait until just these have bread."""
    for _ in range(int(within_s)):
        if bread_of(apart) == bread:
            return
        await apart.wait(1)
    assert bread_of(apart) == bread


async def test_a_bot_of_another_daemon_steps_back_from_a_hand_over(
    apart: Apart, tim: Person
) -> None:
    move(apart, ALICE, STEVES)
    apart.world.give(ALICE, BREAD, 2)
    result = await told(apart, ALICE, GIVE)
    assert (result["success"], result["taken"]) == (True, {"Tim": 2})
    assert bread_of(apart) == {"Tim": 2}
    assert apart.world.body(CARL).position.distance_to(TIMS) > 4


async def test_what_a_bot_of_another_daemon_got_by_mistake_it_hands_on(
    apart: Apart, tim: Person
) -> None:
    move(apart, ALICE, STEVES)
    wall_in(apart, BESIDE)
    apart.world.give(ALICE, BREAD, 2)
    result = await told(apart, ALICE, GIVE)
    assert bread_of(apart) == {"Tim": 2}
    assert (result["success"], result["taken"]) == (True, {"Tim": 2})


async def test_who_is_busy_hands_on_later_what_persons_threw_to_each_other(
    apart: Apart, steve: Person, tim: Person
) -> None:
    may_end = keep_busy(apart)
    throw(apart, steve, tim)
    catch(apart)
    await apart.wait(10)
    assert bread_of(apart) == {"Carl": 2}
    may_end.set()
    await has(apart, {"Tim": 2})


async def test_who_stays_busy_keeps_it_and_a_flood_of_gifts_is_bounded(
    apart: Apart, steve: Person, tim: Person
) -> None:
    keep_busy(apart)
    for _ in range(20):
        throw(apart, steve, tim, count=1)
    catch(apart)
    await apart.wait(590)
    assert handed_on(apart.daemons[1]) == []
    await apart.wait(30)
    assert handed_on(apart.daemons[1]) == ["busy"] * 16
    assert bread_of(apart) == {"Carl": 20}


@pytest.mark.parametrize("is_busy", [True, False])
async def test_a_stop_ends_that_what_waits_or_is_under_way_is_handed_on(
    apart: Apart, steve: Person, tim: Person, is_busy: bool
) -> None:
    carl, may_end = apart.daemons[1].bot(CARL), keep_busy(apart)
    for _ in range(3):
        throw(apart, steve, tim, count=1)
    catch(apart)
    await until(lambda: "handing on gifts" in carl.doing)
    if not is_busy:
        may_end.set()
        await until(lambda: "!navigation dropItem" in carl.doing)
    stopped = await told(apart, CARL, "!stop")
    assert "handing on gifts" in stopped["stoppedActions"]
    await apart.wait(60)
    assert bread_of(apart) == {"Carl": 3}
    assert handed_on(apart.daemons[1]) == ["stopped"] * 3
    assert (carl.doing, carl.leisure.stays) == ([], True)
    move(apart, CARL, BESIDE)
    throw(apart, steve, tim, count=1)  # what it gets after a stop it hands on
    catch(apart)
    await has(apart, {"Carl": 3, "Tim": 1})


async def test_who_may_not_stop_that_stops_no_gift(
    apart: Apart, steve: Person, tim: Person
) -> None:
    carl, may_end = apart.daemons[1].bot(CARL), keep_busy(apart)
    throw(apart, steve, tim)
    catch(apart)
    await until(lambda: "handing on gifts" in carl.doing)
    assert await carl.stop(may_be_stopped_by(Player(PlayerName("Kim")), Level.PLAYER)) == []
    may_end.set()
    await has(apart, {"Tim": 2})


async def test_what_was_handed_on_does_not_go_round_among_bots_of_two_daemons(
    tmp_path: Path,
) -> None:
    """Carl and Dora cannot step back, and each stands where what the other throws will land."""
    async with daemons_apart(tmp_path, [ALICE, CARL, DORA], **CALM) as apart:
        apart.world.person("Tim", TIMS)
        for name, dx in ((CARL, 1.0), (DORA, -1.0)):
            at = Position(TIMS.x, 64, TIMS.z + dx)
            move(apart, name, at)
            wall_in(apart, at)
        apart.world.give(ALICE, BREAD, 2)
        move(apart, ALICE, Position(TIMS.x, 64, TIMS.z - 3))
        await told(apart, ALICE, GIVE)
        await apart.wait(60)
        assert bread_of(apart) == {CARL: 2}
        reasons = {daemon.settings.bots.names[0]: handed_on(daemon) for daemon in apart.daemons}
        once = ["not_received"]
        assert reasons == {ALICE: [], CARL: [*once, "handed_on_before"], DORA: once}


async def test_what_was_for_somebody_who_left_goes_back_to_who_threw_it(
    apart: Apart, steve: Person, tim: Person
) -> None:
    throw(apart, steve, tim)
    tim.leave()
    catch(apart)
    await has(apart, {"Steve": 2})


async def test_what_was_just_thrown_for_another_is_not_picked_up_on_an_order(
    apart: Apart, steve: Person, tim: Person
) -> None:
    move(apart, CARL, Position(18.5, 64, 4.5))
    throw(apart, steve, tim)
    refused = await told(apart, CARL, "!navigation pickupItems 10")
    assert refused["message"] == "Nothing for me to pick up lies within 10 blocks."
    await apart.wait(61)
    taken = await told(apart, CARL, "!navigation pickupItems 10")
    assert taken["pickedUpCount"] == 2


async def test_what_was_thrown_for_a_bot_it_keeps(apart: Apart, steve: Person) -> None:
    steve.body.look_at(apart.world.body(CARL).eyes)
    apart.world.throw(steve.body, BREAD, 2)
    move(apart, CARL, Position(22.4, 64, 1.1))
    await apart.wait(20)
    assert bread_of(apart) == {"Carl": 2}


async def test_what_was_for_another_is_no_gift(apart: Apart, steve: Person, tim: Person) -> None:
    carl = apart.daemons[1].bot(CARL)
    throw(apart, steve, tim)
    catch(apart)
    await has(apart, {"Tim": 2})
    noted = [one.text for one in await carl.recall("", 50, episodes=True)]
    assert noted
    assert [one for one in noted if "Steve gave" in one or "got" in one] == []
