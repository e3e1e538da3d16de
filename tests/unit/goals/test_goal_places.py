"""Blocks placed where they are wanted, by whom it counts, and places that are refused at once."""

import asyncio
from typing import Any

import pytest
from support.acting import GROUND, carried, put
from support.goal_runs import WITHIN_S, begin, order, reach, traced
from support.job_runs import pass_until_done
from support.rig import Rig, run_json

from bots.bot.bot import Bot
from bots.bot.locations import Location
from bots.bot.placements import MOST, AllPlacements, Placement
from bots.chat.attendance import Attendance
from bots.store.database import Store
from bridge.world import Position

pytestmark = [pytest.mark.usefixtures("alice_in_the_country")]


def at(x: int, y: int, z: int) -> Position:
    return Position(x, y, z)


def torches(rig: Rig) -> list[Position]:
    changes = rig.world.terrain().changes
    return [where for where, block in changes if block == "torch"]


async def refused(rig: Rig, goal: Any) -> dict[str, Any]:
    """The answer to a goal that must not begin."""
    answer = await reach(rig, goal)
    assert answer["success"] is False, answer
    assert traced(rig, "goal.planned") == []
    return answer


# --- where they are wanted ----------------------------------------------------------------


async def test_a_block_is_placed_at_a_position(rig: Rig) -> None:
    rig.world.give("Alice", "torch", 2)
    result = await reach(rig, "placed.torch@3,64,3")
    assert result["success"] is True, result
    assert rig.world.terrain().block(at(3, 64, 3)) == "torch"
    again = await reach(rig, "placed.torch@3,64,3")
    assert (again["steps"], carried(rig)) == (0, {"torch": 1})


async def test_who_stands_in_the_way_steps_aside(rig: Rig) -> None:
    rig.world.give("Alice", "cobblestone")
    result = await reach(rig, "placed.cobblestone@8,64,8")
    assert result["success"] is True, result
    assert rig.world.terrain().block(at(8, 64, 8)) == "cobblestone"


async def test_what_is_missing_for_it_is_got_first(rig: Rig) -> None:
    result = await reach(rig, "placed.crafting_table@3,64,3 inventory.stick:4")
    assert result["success"] is True, result
    assert rig.world.terrain().block(at(3, 64, 3)) == "crafting_table"
    assert carried(rig)["stick"] >= 4


async def test_one_block_upon_another_is_built_from_below(rig: Rig) -> None:
    rig.world.give("Alice", "cobblestone", 2)
    result = await reach(rig, "placed.cobblestone@3,65,3 placed.cobblestone@3,64,3")
    assert result["success"] is True, result
    assert rig.world.terrain().block(at(3, 65, 3)) == "cobblestone"


async def test_a_block_dug_up_may_be_put_down_elsewhere(rig: Rig) -> None:
    """It used to count all that stand, so digging one and placing it gained nothing."""
    result = await reach(rig, "placed.oak_log:1")
    assert result["success"] is True, result
    placed = rig.bots["Alice"].placements.ours(None)
    assert [one.block for one in placed] == ["oak_log"]


async def test_blocks_are_placed_near_a_place_it_knows(rig: Rig) -> None:
    rig.world.give("Alice", "torch", 2)
    await rig.bots["Alice"].locations.put(Location("Old Mine", at(30, GROUND, 2), "overworld"))
    result = await reach(rig, "placed.torch:2 near:old mine")
    assert result["success"] is True, result
    assert all(one.distance_to(at(30, GROUND, 2)) <= 8 for one in torches(rig))
    assert len(torches(rig)) == 2


async def test_a_player_who_has_gone_on_is_followed_to_where_they_are(rig: Rig) -> None:
    """The torch is to stand near them, and not where they were when they asked."""
    steve = rig.world.person("Steve", Position(2.5, GROUND, 2.5))
    running = begin(rig, "placed.crafting_table near:steve")
    await until_traced(rig, "goal.step_done")
    rig.world.teleport("Steve", Position(14.5, GROUND, 14.5))
    await pass_until_done(rig, running, WITHIN_S)
    assert (await running)["success"] is True
    tables = [where for where, block in rig.world.terrain().changes if block == "crafting_table"]
    assert tables[-1].distance_to(Position(14.5, GROUND, 14.5)) <= 8
    assert steve.name == "Steve"


async def until_traced(rig: Rig, what: str) -> None:
    async with asyncio.timeout(WITHIN_S):
        while not traced(rig, what):
            await rig.world.clock.advance(0.1)
            await asyncio.sleep(0.001)


async def test_me_is_whoever_gives_the_goal(rig: Rig) -> None:
    rig.world.give("Alice", "torch")
    steve = rig.world.person("Steve", Position(3.5, GROUND, 3.5))
    steve.whisper("Alice", order("placed.torch near:me"))
    await until_traced(rig, "job.finished")
    (one,) = torches(rig)
    assert one.distance_to(Position(3.5, GROUND, 3.5)) <= 8


# --- whose count --------------------------------------------------------------------------


async def test_blocks_of_others_do_not_count_unless_any_may(rig: Rig) -> None:
    put(rig, "torch", (6, GROUND, 8), (10, GROUND, 8))
    rig.world.give("Alice", "torch", 3)
    assert (await reach(rig, "placed.torch:2 any"))["steps"] == 0
    assert (await reach(rig, "placed.torch:3 any"))["success"] is True
    assert carried(rig) == {"torch": 2}
    assert (await reach(rig, "placed.torch:3"))["success"] is True
    assert carried(rig) == {}


async def test_more_counts_from_what_it_placed(rig: Rig) -> None:
    put(rig, "torch", (6, GROUND, 8))
    rig.world.give("Alice", "torch", 4)
    await reach(rig, "placed.torch:2")
    result = await reach(rig, "placed.torch:+1")
    assert (result["goal"], carried(rig)) == ("placed.torch:3", {"torch": 1})


async def test_what_is_gone_counts_no_more(rig: Rig) -> None:
    rig.world.give("Alice", "torch", 2)
    await reach(rig, "placed.torch:1")
    (first,) = torches(rig)
    put(rig, "air", (int(first.x), int(first.y), int(first.z)))
    await reach(rig, "placed.torch:1")
    assert carried(rig) == {}
    assert len(rig.bots["Alice"].placements.ours(None)) == 1


async def test_what_a_fellow_placed_in_the_same_talk_counts(rig: Rig) -> None:
    bob = await rig.bot("Bob", Position(4.5, GROUND, 8.5))
    for name in ("Alice", "Bob"):
        rig.world.give(name, "torch", 2)
    await places_a_torch(rig, bob)
    talk = TalkNumber(7)
    for name in ("Alice", "Bob"):
        rig.shared.attendance.enter(name, talk)
    await places_a_torch(rig, bob)
    assert (await reach(rig, "placed.torch:2"))["success"] is True
    assert carried(rig) == {"torch": 1}  # the one from before the talk is Bob's alone


async def places_a_torch(rig: Rig, bot: Bot) -> None:
    running = asyncio.create_task(run_json(bot, "!skill place torch"))
    await pass_until_done(rig, running, WITHIN_S)
    assert (await running)["success"] is True


class TalkNumber:
    """A talk of which only the number matters."""

    def __init__(self, number: int) -> None:
        self.number = number

    def hear(self, *_: object) -> bool:
        return False

    def overhear(self, *_: object) -> None:
        """Nobody says anything."""

    def busy(self, *_: object) -> None:
        """Nobody waits."""


def placed(x: int, bot: str = "Alice", talk: int | None = None) -> Placement:
    return Placement(bot, "torch", "wall_torch", at(x, 64, 0), "overworld", talk)


async def test_what_was_placed_is_known_after_a_restart(tmp_path: Any) -> None:
    path = tmp_path / "placed.sqlite"
    first = await Store.open(path)
    known = await AllPlacements.load(first, Attendance())
    for one in (placed(1), placed(2, "Bob", 7), placed(3), placed(1, "Bob")):
        await known.add(one)
    await known.forget(placed(3))
    await first.aclose()
    second = await Store.open(path)
    again = await AllPlacements.load(second, Attendance())
    assert again.of("Alice").ours(None) == ()
    assert again.of("Alice").ours(7) == (placed(2, "Bob", 7),)
    assert again.of("Bob").ours(None) == (placed(1, "Bob"), placed(2, "Bob", 7))
    await second.aclose()


async def test_the_oldest_of_one_bot_are_forgotten(tmp_path: Any) -> None:
    store = await Store.open(tmp_path / "placed.sqlite")
    known = await AllPlacements.load(store, Attendance())
    await known.add(placed(-1, "Bob"))
    for x in range(MOST + 2):
        await known.add(placed(x))
    assert [len(known.of(bot).ours(None)) for bot in ("Alice", "Bob")] == [MOST, 1]
    assert known.of("Alice").ours(None)[-1] == placed(2)
    await store.aclose()


# --- refused at once ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("goal", "said", "nearest"),
    [
        ("placed.torch@3,80,3", "There is nothing to put it on at 3 80 3", "placed.torch@3,64,3"),
        ("placed.torch@3,63,3", "There is grass_block at 3 63 3", "placed.torch@3,64,3"),
        ("position:3,90,3", "There is nothing to stand on at 3 90 3", "position:3,64,3"),
    ],
)
async def test_a_place_in_mid_air_is_refused_with_the_nearest_that_would_do(
    rig: Rig, goal: str, said: str, nearest: str
) -> None:
    rig.world.give("Alice", "torch")
    answer = await refused(rig, goal)
    assert (answer["reason"], answer["nearest"]) == ("impossible", nearest)
    assert answer["message"] == f"{said}; 3 64 3 would do."
    history = rig.bots["Alice"].get_conversation_history(type="system_info")
    assert [message.text for message in history] == [answer["message"]]


@pytest.mark.parametrize(
    "goal", ["position:3000,64,8", "placed.torch@3000,64,8", "placed.torch near:3000,64,8"]
)
async def test_a_place_too_far_off_is_refused(rig: Rig, goal: str) -> None:
    answer = await refused(rig, goal)
    assert "2991 blocks away, and I go 400 at most; " in answer["message"]
    assert " 64 8 would do." in answer["message"]


async def test_a_place_nobody_knows_is_refused_with_one_that_is_alike(rig: Rig) -> None:
    await rig.bots["Alice"].locations.put(Location("home", at(2, GROUND, 2), "overworld"))
    answer = await refused(rig, "placed.torch near:hoem")
    assert (answer["reason"], answer["nearest"]) == ("unknown_location", "home")
    queued = await run_json(rig.bots["Alice"], "!goal then placed.torch near:hoem")
    assert queued["reason"] == "unknown_location"


async def test_a_refused_place_leaves_the_goal_under_way_alone(rig: Rig) -> None:
    running = begin(rig, "inventory.oak_log:3")
    await until_traced(rig, "goal.planned")
    for goal in ("position:3,90,3", "placed.torch@3,80,3", "placed.torch near:nobody"):
        answer = await run_json(rig.bots["Alice"], order(goal))
        assert answer["success"] is False
    await pass_until_done(rig, running, WITHIN_S)
    assert (await running)["success"] is True


# --- taken off ----------------------------------------------------------------------------


async def test_what_is_worn_is_taken_off(rig: Rig) -> None:
    rig.world.give("Alice", "iron_helmet")
    rig.world.body("Alice").equip("iron_helmet")
    result = await reach(rig, "equipment.iron_helmet:false")
    assert (result["success"], result["steps"]) == (True, 1), result
    assert (rig.world.body("Alice").worn, carried(rig)) == ({}, {"iron_helmet": 1})
    again = await reach(rig, "equipment.iron_helmet:false")
    assert (again["success"], again["steps"]) == (True, 0)


async def test_one_helmet_comes_off_and_another_is_put_on(rig: Rig) -> None:
    for helmet in ("iron_helmet", "golden_helmet"):
        rig.world.give("Alice", helmet)
    rig.world.body("Alice").equip("iron_helmet")
    result = await reach(rig, "equipment.golden_helmet:true equipment.iron_helmet:false")
    assert result["success"] is True, result
    assert rig.world.body("Alice").worn == {"head": "golden_helmet"}
