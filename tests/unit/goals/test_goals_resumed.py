"""A goal goes on after a kick, a lost server, Node's death and a restart, unless it was stopped."""

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from support.acting import carried
from support.goal_runs import HERE, WITHIN_S, begin, furnish, order, traced, when
from support.job_runs import pass_until_done
from support.rig import OPEN_HOUSE, STRANGERS, Rig, run_json

from bots.access.origin import Level, Origin, Person
from bots.access.permissions import Permissions
from bots.access.proofs import Proofs
from bots.access.sources import FACTS
from bots.bot.agenda import Home
from bots.store.database import FILE_NAME
from bridge.fake import Person as Visitor
from bridge.world import PlayerName, Position

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("alice_in_the_country")]

Found: TypeAlias = Callable[..., Awaitable[tuple[Rig, Visitor]]]
STEVE = Person(PlayerName("Steve"))
BESIDE = Position(9.5, 64, 9.5)


@pytest.fixture
async def found(tmp_path: Path) -> AsyncIterator[Found]:
    """Starts daemons over what an earlier one left."""
    rigs: list[Rig] = []

    async def start(
        folder: Path, permissions: Permissions = OPEN_HOUSE, **items: int
    ) -> tuple[Rig, Visitor]:
        rig = await Rig.found(folder, permissions)
        rigs.append(rig)
        furnish(rig)
        steve = rig.world.person("Steve", BESIDE)
        await rig.bot("Alice", HERE)
        for item, count in items.items():  # no time passes until a test lets it
            rig.world.give("Alice", item, count)
        return rig, steve

    yield start
    for one in rigs:
        await one.aclose()


async def passing(rig: Rig, met: Callable[[], object], within_s: float = WITHIN_S) -> None:
    """Let the world's time pass until a condition holds."""
    async with asyncio.timeout(within_s):
        while not met():
            await rig.world.clock.advance(0.5)
            await asyncio.sleep(0.001)


async def heard(rig: Rig, steve: Visitor, words: str) -> str:
    """What Steve hears next with these words in it."""
    hearing = asyncio.create_task(steve.hears(WITHIN_S))
    while True:
        await passing(rig, hearing.done)
        text = (await hearing).text
        if words in text:
            return text
        hearing = asyncio.create_task(steve.hears(WITHIN_S))


def given(rig: Rig, goal: str, by: Origin = STEVE) -> asyncio.Task[dict[str, Any]]:
    return asyncio.create_task(run_json(rig.bots["Alice"], order(goal), by))


async def at_work(rig: Rig) -> asyncio.Task[dict[str, Any]]:
    """A goal for a chest, once wood is gathered for it."""
    running = given(rig, "inventory.chest:1")
    await when(rig, running, "gather oak_log")
    return running


def left_behind(folder: Path, name: str) -> Path:
    """What `kill -9` would leave on the disk now."""
    there = folder / name
    there.mkdir()
    for file in (FILE_NAME, f"{FILE_NAME}-wal"):
        if (folder / file).exists():
            shutil.copy(folder / file, there)
    return there


# --- out of the world ------------------------------------------------------------------


@pytest.mark.parametrize("how", ["kick", "server", "node"])
async def test_a_goal_goes_on_when_the_bot_is_back_and_its_giver_hears(rig: Rig, how: str) -> None:
    steve = rig.world.person("Steve", BESIDE)
    running = await at_work(rig)
    match how:
        case "kick":
            rig.bridge.kick("Alice", "out")
        case "server":
            rig.world.stop_server()
            await rig.world.clock.advance(5)
            rig.world.start_server()
            steve = rig.world.person("Steve", BESIDE)
        case "node":
            rig.bridge.kill_node()
            await rig.world.clock.advance(5)
            rig.bridge.restore_node()
    await pass_until_done(rig, running, WITHIN_S)
    assert (await running)["have"] == {"chest": 1}
    assert [note["goal"] for note in traced(rig, "goal.resumed")] == ["inventory.chest:1"]
    assert "go on with inventory.chest:1" in await heard(rig, steve, "out of the world")


async def test_a_goal_of_a_bot_out_of_the_world_can_be_stopped(rig: Rig) -> None:
    running = await at_work(rig)
    rig.world.stop_server()
    await passing(rig, lambda: traced(rig, "goal.interrupted"))
    alice = rig.bots["Alice"]
    assert (await run_json(alice, "!stop"))["stoppedActions"] == ["!goal"]
    assert (await running)["reason"] == "stopped"
    assert alice.agenda.goals == ()


# --- the daemon ends --------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["closed", "killed"])
async def test_a_goal_goes_on_after_a_restart_and_whoever_gave_it_hears(
    rig: Rig, found: Found, tmp_path: Path, ending: str
) -> None:
    running = await at_work(rig)
    folder = left_behind(tmp_path, "killed")
    if ending == "closed":
        await rig.roster.end_jobs()
        result = await running
        assert (result["reason"], "after the next start" in str(result["message"])) == (
            "closing",
            True,
        )
        folder = left_behind(tmp_path, "closed")
    after, steve = await found(folder)
    assert await heard(after, steve, "go on") == "I go on with inventory.chest:1."
    assert (await heard(after, steve, "Done")).startswith("Done: inventory.chest:1")
    assert (carried(after)["chest"], after.bots["Alice"].agenda.goals) == (1, ())


async def test_so_many_more_count_from_the_order(rig: Rig, found: Found, tmp_path: Path) -> None:
    rig.world.give("Alice", "oak_log", 2)
    running = given(rig, "inventory.oak_log:+3")
    await passing(rig, lambda: carried(rig)["oak_log"] > 2)
    after, steve = await found(left_behind(tmp_path, "killed"), oak_log=4)
    assert "inventory.oak_log:5" in await heard(after, steve, "Done")
    assert (carried(after)["oak_log"], running.done()) == (5, False)


async def test_what_was_reached_while_the_daemon_was_down_is_not_done_twice(
    rig: Rig, found: Found, tmp_path: Path
) -> None:
    _running = await at_work(rig)
    after, steve = await found(left_behind(tmp_path, "killed"), chest=1)
    assert await heard(after, steve, "Already") == "Already so: inventory.chest:1."
    assert (carried(after), after.bots["Alice"].agenda.goals) == ({"chest": 1}, ())


@pytest.mark.parametrize("how", ["stopped", "replaced", "reached"])
async def test_what_has_ended_is_not_taken_up_again(
    rig: Rig, found: Found, tmp_path: Path, how: str
) -> None:
    alice, running = rig.bots["Alice"], await at_work(rig)
    match how:
        case "stopped":
            await run_json(alice, "!goal then inventory.stick:4")
            assert (await run_json(alice, "!stop"))["stoppedActions"] == [
                "!goal",
                "waiting goal inventory.stick:4",
            ]
        case "replaced":
            going = asyncio.create_task(run_json(alice, "!navigation gotoCoords 10 64 8"))
            assert (await running)["reason"] == "replaced"
            await pass_until_done(rig, going)
        case "reached":
            await pass_until_done(rig, running, WITHIN_S)
    after, _steve = await found(left_behind(tmp_path, "later"))
    assert after.bots["Alice"].agenda.goals == ()
    await after.world.clock.advance(30)
    assert (after.bots["Alice"].doing, carried(after)) == ([], {})


async def test_a_miner_comes_home_to_where_it_began_before_the_restart(
    rig: Rig, found: Found, tmp_path: Path
) -> None:
    rig.world.give("Alice", "stone_pickaxe")
    running = given(rig, "inventory.iron_ore:2")
    await passing(rig, lambda: traced(rig, "goal.planned"))
    after, steve = await found(left_behind(tmp_path, "killed"), stone_pickaxe=1)
    kept = after.bots["Alice"].agenda.goals[0]
    assert kept.home == Home(HERE, "overworld")
    in_the_pit = Position(HERE.x, HERE.y - 6, HERE.z)
    for depth in range(7):
        after.world.set_block(Position(8, HERE.y - depth, 8), "air")
    after.world.teleport("Alice", in_the_pit)
    await heard(after, steve, "Done")
    assert after.world.body("Alice").position.y >= HERE.y - 1
    assert not running.done()


async def test_a_record_that_asks_for_nothing_that_exists_is_dropped_and_told(
    rig: Rig, found: Found, tmp_path: Path
) -> None:
    alice = rig.bots["Alice"]
    fields = {"goal": ["inventory.of_another_version:1"], "range": 12, "outlooks": 0}
    kept = alice.agenda.new_goal(
        "inventory.of_another_version:1", fields, given_by=STEVE, level=Level.TRUSTED, sources=FACTS
    )
    await alice.agenda.queue(replace(kept, state="paused"))
    folder = left_behind(tmp_path, "killed")
    with closing(sqlite3.connect(folder / FILE_NAME)) as database, database:
        database.execute("UPDATE agenda SET state = 'begun'")
    after, steve = await found(folder)
    assert "no item" in await heard(after, steve, "of_another_version'")
    assert after.bots["Alice"].agenda.goals == ()


# --- who may, by now --------------------------------------------------------------------


async def test_a_goal_whose_giver_has_lost_the_right_is_dropped_and_told(
    rig: Rig, found: Found, tmp_path: Path
) -> None:
    _running = await at_work(rig)
    after, steve = await found(left_behind(tmp_path, "killed"), STRANGERS)
    told = await heard(after, steve, "do not go on")
    assert told == "I do not go on with inventory.chest:1."
    assert "trusted" in await heard(after, steve, "Sorry")
    alice = after.bots["Alice"]
    assert (alice.agenda.goals, alice.doing, carried(after)) == ((), [], {})


async def test_what_was_proven_when_the_goal_was_given_counts_after_a_restart(
    rig: Rig, found: Found, tmp_path: Path
) -> None:
    _running = await at_work(rig)
    pinned = Permissions(
        trusted=frozenset({"Steve"}), proofs=Proofs("a long pin", rig.world.clock.monotonic)
    )
    after, steve = await found(left_behind(tmp_path, "killed"), pinned)
    assert pinned.is_unproven("Steve")
    assert await heard(after, steve, "go on") == "I go on with inventory.chest:1."


async def test_an_operator_reads_how_it_went_on(rig: Rig, found: Found, tmp_path: Path) -> None:
    running = begin(rig, "inventory.chest:1")
    await when(rig, running, "gather oak_log")
    after, _steve = await found(left_behind(tmp_path, "killed"))
    alice = after.bots["Alice"]

    def told() -> list[str]:
        rows = alice.get_conversation_history(type="system_info")
        return [str(row.text) for row in rows]

    await passing(after, lambda: any("Done" in line for line in told()))
    assert told()[0] == "I go on with inventory.chest:1."


async def test_a_giver_who_was_away_hears_it_later(rig: Rig, found: Found, tmp_path: Path) -> None:
    running = given(rig, "inventory.oak_log:2")
    await passing(rig, lambda: carried(rig).get("oak_log"))
    folder = left_behind(tmp_path, "killed")
    after, steve = await found(folder)
    steve.leave()
    await passing(after, lambda: carried(after).get("oak_log") == 2)
    steve = after.world.person("Steve", BESIDE)
    assert await heard(after, steve, "go on") == "I go on with inventory.oak_log:2."
    assert (await heard(after, steve, "Done")).startswith("Done: inventory.oak_log:2")
    assert not running.done()
