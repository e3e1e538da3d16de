"""`!navigation dropItem | pickupItems`: the counts in the result have really changed hands."""

from typing import Any

import pytest
from support.job_runs import begin, carry_out, pass_until_done
from support.rig import Rig, run_json

from bots.bot.bot import Bot
from bridge.fake import Person
from bridge.world import Position

HERE = Position(0.5, 64, 0.5)
FULL_OF_DIRT = 36 * 64


@pytest.fixture
async def steve(rig: Rig, alice: Bot) -> Person:
    return rig.world.person("Steve", Position(20.5, 64, 0.5))


def carried(rig: Rig, item: str) -> int:
    return rig.world.body("Alice").inventory.count(item)


def lying(rig: Rig) -> dict[str, int]:
    return {drop.item: drop.count for drop in rig.world.terrain().drops}


def wall_in(rig: Rig) -> None:
    for dx, dz in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        for dy in (0, 1):
            rig.world.set_block(Position(dx, 64 + dy, dz), "stone")


# --- dropItem -------------------------------------------------------------------------


async def test_items_are_brought_to_a_player(rig: Rig, alice: Bot, steve: Person) -> None:
    rig.world.give("Alice", "bread", 5)
    command = '!navigation dropItem {"itemName": "bread", "count": 2, "targetPlayer": "Steve"}'
    result = await carry_out(rig, alice, command)
    assert result == {
        "success": True,
        "message": "Steve has 2 bread.",
        "targetPlayer": "Steve",
        "itemName": "bread",
        "droppedCount": 2,
        "availableCount": 5,
        "taken": {"Steve": 2},
    }
    assert (carried(rig, "bread"), lying(rig)) == (3, {})
    assert steve.body.inventory.count("bread") == 2


async def test_what_the_player_has_no_room_for_is_not_called_handed_over(
    rig: Rig, alice: Bot, steve: Person
) -> None:
    rig.world.give("Alice", "bread", 3)
    steve.body.inventory.add("dirt", FULL_OF_DIRT - 64)
    steve.body.inventory.add("bread", 63)
    result = await carry_out(rig, alice, "!navigation dropItem bread 3 Steve")
    assert (result["success"], result["reason"]) == (False, "not_received")
    assert (result["taken"], result["droppedCount"]) == ({"Steve": 1}, 3)
    assert result["message"] == "Steve took 1 of the 3 bread I threw; 2 lie there."
    assert lying(rig) == {"bread": 2}


async def test_what_somebody_else_picks_up_is_told(rig: Rig, alice: Bot, steve: Person) -> None:
    rig.world.give("Alice", "bread", 2)
    steve.body.inventory.add("dirt", FULL_OF_DIRT)
    rig.world.person("Zoe", Position(20.5, 64, 1.5))
    result = await carry_out(rig, alice, "!navigation dropItem bread 2 Steve")
    assert (result["reason"], result["taken"]) == ("not_received", {"Zoe": 2})
    assert result["message"] == "Steve took none of the 2 bread I threw; Zoe took 2."


async def test_what_cannot_be_recognised_is_not_judged(rig: Rig, alice: Bot, steve: Person) -> None:
    rig.world.tells_items = False
    rig.world.give("Alice", "bread")
    result = await carry_out(rig, alice, "!navigation dropItem bread 1 Steve")
    assert (result["success"], result["reason"]) == (False, "not_recognised")
    assert result["message"] == (
        "Steve picked up what I cannot recognise; I cannot tell who has the 1 bread I threw."
    )
    assert steve.body.inventory.count("bread") == 1


@pytest.mark.parametrize("count", ["-1", '"all"'])
async def test_all_means_every_stack(rig: Rig, alice: Bot, count: str) -> None:
    rig.world.give("Alice", "cobblestone", 150)
    command = f'!navigation dropItem {{"itemName": "cobblestone", "count": {count}}}'
    result = await carry_out(rig, alice, command)
    assert (result["droppedCount"], result["availableCount"]) == (150, 150)
    assert (carried(rig, "cobblestone"), lying(rig)) == (0, {"cobblestone": 150})


async def test_a_count_may_go_over_several_stacks(rig: Rig, alice: Bot) -> None:
    rig.world.give("Alice", "cobblestone", 150)
    result = await carry_out(rig, alice, "!navigation dropItem cobblestone 100")
    assert (result["droppedCount"], carried(rig, "cobblestone")) == (100, 50)


async def test_without_a_player_it_is_dropped_where_the_bot_stands(rig: Rig, alice: Bot) -> None:
    rig.world.give("Alice", "bread", 2)
    result = await carry_out(rig, alice, "!navigation dropItem minecraft:bread")
    assert (result["message"], result["targetPlayer"]) == ("I dropped 1 bread.", None)
    assert rig.world.body("Alice").position == HERE


async def test_what_is_worn_is_not_handed_over_and_that_is_told(rig: Rig, alice: Bot) -> None:
    rig.world.body("Alice").worn["head"] = "iron_helmet"
    refused = await carry_out(rig, alice, "!navigation dropItem iron_helmet")
    assert refused["message"] == "I have no iron_helmet to hand over. One I wear."


@pytest.mark.parametrize(("available", "count"), [(0, 1), (0, -1), (3, 4)])
async def test_what_is_not_there_cannot_be_handed_over(
    rig: Rig, alice: Bot, steve: Person, available: int, count: int
) -> None:
    rig.world.give("Alice", "bread", available)
    command = f'{{"itemName": "bread", "count": {count}, "targetPlayer": "Steve"}}'
    result = await carry_out(rig, alice, f"!navigation dropItem {command}")
    assert (result["success"], result["reason"]) == (False, "missing_item")
    assert (result["droppedCount"], result["availableCount"]) == (0, available)
    assert (carried(rig, "bread"), rig.world.body("Alice").position) == (available, HERE)


async def test_a_player_too_far_off_is_not_walked_to(rig: Rig, alice: Bot, steve: Person) -> None:
    rig.world.give("Alice", "bread")
    command = '{"itemName": "bread", "targetPlayer": "Steve", "maxDistance": 10}'
    result = await carry_out(rig, alice, f"!navigation dropItem {command}")
    assert (result["reason"], result["distance"]) == ("out_of_range", 20)
    assert carried(rig, "bread") == 1


@pytest.mark.parametrize(
    ("name", "reason"), [("Zoe", "entity_not_available"), ("Nobody", "player_not_found")]
)
async def test_who_is_not_in_view_gets_nothing(
    rig: Rig, alice: Bot, name: str, reason: str
) -> None:
    rig.world.person("Zoe", Position(900, 64, 0))
    rig.world.give("Alice", "bread")
    result = await carry_out(rig, alice, f"!navigation dropItem bread 1 {name}")
    assert (result["success"], result["reason"]) == (False, reason)
    assert carried(rig, "bread") == 1


async def test_on_the_way_it_can_be_stopped_for_good(rig: Rig, alice: Bot, steve: Person) -> None:
    rig.world.give("Alice", "bread")
    handing = await begin(rig, alice, "!navigation dropItem bread 1 Steve")
    await rig.world.clock.advance(1)
    await run_json(alice, "!stop")
    here = rig.world.body("Alice").position
    await rig.world.clock.advance(60)
    assert (await handing)["reason"] == "stopped"
    assert (rig.world.body("Alice").position, carried(rig, "bread")) == (here, 1)


async def test_a_player_who_keeps_running_is_given_up(rig: Rig, alice: Bot, steve: Person) -> None:
    rig.world.give("Alice", "bread")
    handing = await begin(rig, alice, "!navigation dropItem bread 1 Steve")
    for _ in range(31):
        steve.move_to(Position(rig.world.body("Alice").position.x + 20, 64, 0.5))
        await rig.world.clock.advance(1)
    await pass_until_done(rig, handing)
    assert (await handing)["reason"] == "deadline"
    here = rig.world.body("Alice").position
    await rig.world.clock.advance(60)
    assert (rig.world.body("Alice").position, carried(rig, "bread")) == (here, 1)


async def test_what_comes_back_into_the_bag_is_not_counted_as_dropped(
    rig: Rig, alice: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.world.give("Alice", "bread", 5)
    monkeypatch.setattr(rig.world.terrain(), "drop", lambda *_: rig.world.give("Alice", "bread"))
    result = await carry_out(rig, alice, "!navigation dropItem bread 3")
    assert (result["success"], result["reason"]) == (False, "not_dropped")
    assert (result["droppedCount"], carried(rig, "bread")) == (2, 3)


@pytest.mark.parametrize("arguments", ["", "bread 0", "bread -2", "bread many", "bread 1.5"])
async def test_a_wrong_count_is_refused(alice: Bot, arguments: str) -> None:
    result = await run_json(alice, f"!navigation dropItem {arguments}")
    assert (result["success"], result["reason"]) == (False, "invalid_format")


# --- pickupItems ----------------------------------------------------------------------


def drop(rig: Rig, **items: int) -> None:
    for item, count in items.items():
        rig.world.terrain().drop(item, count, Position(4.5, 64, 0.5))


async def test_what_lies_around_is_picked_up_and_counted(rig: Rig, alice: Bot) -> None:
    drop(rig, bread=3, apple=1)
    result = await carry_out(rig, alice, "!navigation pickupItems")
    assert result == {
        "success": True,
        "message": "I picked up 1 apple, 3 bread.",
        "foundCount": 4,
        "pickedUpCount": 4,
        "items": [{"name": "apple", "count": 1}, {"name": "bread", "count": 3}],
    }
    assert (carried(rig, "bread"), carried(rig, "apple"), lying(rig)) == (3, 1, {})


async def test_only_one_kind_is_counted_when_one_is_named(rig: Rig, alice: Bot) -> None:
    drop(rig, bread=3)
    rig.world.terrain().drop("apple", 1, Position(-4.5, 64, 0.5))
    result = await carry_out(rig, alice, '!navigation pickupItems {"itemName": "bread"}')
    assert (result["foundCount"], result["pickedUpCount"]) == (3, 3)
    assert lying(rig) == {"apple": 1}


async def test_nothing_around_is_told_as_nothing(rig: Rig, alice: Bot) -> None:
    drop(rig, bread=3)
    result = await carry_out(rig, alice, '!navigation pickupItems {"range": 2}')
    assert result == {
        "success": True,
        "message": "Nothing for me to pick up lies within 2 blocks.",
        "foundCount": 0,
        "pickedUpCount": 0,
        "items": [],
    }


@pytest.mark.parametrize("asked", ["{}", '{"itemName": "bread"}'])
async def test_the_unknown_is_told_as_what_is_in_the_bag(rig: Rig, alice: Bot, asked: str) -> None:
    rig.world.tells_items = False
    drop(rig, bread=3)
    result = await carry_out(rig, alice, f"!navigation pickupItems {asked}")
    assert (result["message"], result["pickedUpCount"]) == ("I picked up 3 bread.", 3)


async def test_what_cannot_be_recognised_is_never_called_nothing(rig: Rig, alice: Bot) -> None:
    rig.world.tells_items = False
    wall_in(rig)
    drop(rig, bread=3)
    result = await carry_out(rig, alice, "!navigation pickupItems")
    assert (result["success"], result["reason"]) == (False, "not_recognised")
    assert result["message"].startswith("Something lies there that I cannot recognise")


async def test_what_does_not_fit_is_told_with_what_did(rig: Rig, alice: Bot) -> None:
    rig.world.give("Alice", "dirt", FULL_OF_DIRT - 2)
    drop(rig, dirt=2, apple=1)
    result = await carry_out(rig, alice, "!navigation pickupItems")
    assert (result["success"], result["reason"]) == (False, "inventory_full")
    assert (result["foundCount"], result["pickedUpCount"]) == (3, 2)
    assert result["items"] == [{"name": "dirt", "count": 2}]


async def test_what_cannot_be_reached_is_no_success(rig: Rig, alice: Bot) -> None:
    wall_in(rig)
    drop(rig, bread=3)
    result: dict[str, Any] = await carry_out(rig, alice, "!navigation pickupItems")
    assert (result["success"], result["reason"]) == (False, "not_found")
    assert (result["foundCount"], result["pickedUpCount"]) == (3, 0)
