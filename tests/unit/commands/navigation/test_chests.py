"""`!navigation chestOpen | chestDeposit | chestWithdraw | chestClose`: counts are real."""

import pytest
from support.job_runs import carry_out
from support.rig import Rig, run_json

from bots.bot.bot import Bot
from bridge.fake.body import Inventory
from bridge.world import Position

HERE = Position(0.5, 64, 0.5)
CHEST = Position(12, 64, 0)
OPEN = '!navigation chestOpen {"coords": [12, 64, 0]}'
AT_CHEST = {"x": 12, "y": 64, "z": 0}


@pytest.fixture
def chest(rig: Rig) -> Inventory:
    rig.world.set_block(CHEST, "chest")
    return rig.world.terrain().chest(CHEST)


def carried(rig: Rig, item: str) -> int:
    return rig.world.body("Alice").inventory.count(item)


async def test_a_chest_is_not_dug_up(rig: Rig, alice: Bot) -> None:
    rig.world.set_block(Position(12, 58, 0), "chest")
    result = await carry_out(rig, alice, '!navigation chestOpen {"coords": [12, 58, 0]}')
    assert (result["reason"], rig.world.body("Alice").position.y) == ("no_path", 64)
    assert len(list(rig.world.terrain().changes)) == 1


async def test_a_chest_is_walked_to_and_its_contents_are_told(
    rig: Rig, alice: Bot, chest: Inventory
) -> None:
    chest.add("apple", 70)
    chest.add("bread", 3)
    rig.world.give("Alice", "dirt", 65)
    assert await carry_out(rig, alice, OPEN) == {
        "success": True,
        "message": "The chest at 12 64 0 holds 70 apple, 3 bread; 24 of 27 slots are free.",
        "position": AT_CHEST,
        "chest": {
            "itemCount": 73,
            "items": [{"name": "apple", "count": 70}, {"name": "bread", "count": 3}],
            "totalSlots": 27,
            "usedSlots": 3,
            "emptySlots": 24,
        },
        "inventory": [{"name": "dirt", "count": 65}],
    }
    assert rig.world.body("Alice").position.distance_to(CHEST) < 5


@pytest.mark.parametrize("arguments", ["12 64 0", '{"x": 12, "y": 64, "z": 0}', ""])
async def test_a_chest_is_named_by_its_point_or_is_the_nearest(
    rig: Rig, alice: Bot, chest: Inventory, arguments: str
) -> None:
    rig.world.set_block(Position(0, 64, 25), "chest")
    result = await carry_out(rig, alice, f"!creative nav chestOpen {arguments}")
    assert (result["success"], result["position"]) == (True, AT_CHEST)


async def test_a_barrel_is_as_good_as_a_chest(rig: Rig, alice: Bot) -> None:
    rig.world.set_block(Position(5, 64, 5), "barrel")
    assert (await carry_out(rig, alice, "!navigation chestOpen"))["success"] is True


async def test_a_chest_out_of_reach_is_passed_over(rig: Rig, alice: Bot, chest: Inventory) -> None:
    for dx in range(-3, 4):
        for dz in range(-3, 4):
            for dy in range(-1, 4):
                if 3 in (abs(dx), abs(dz), dy):
                    rig.world.set_block(Position(dx, 64 + dy, dz + 8), "stone")
    rig.world.set_block(Position(0, 64, 8), "chest")
    result = await carry_out(rig, alice, "!navigation chestOpen")
    assert (result["success"], result["position"]) == (True, AT_CHEST)


async def test_there_is_no_chest_within_32_blocks(rig: Rig, alice: Bot) -> None:
    rig.world.set_block(Position(40, 64, 0), "chest")
    result = await carry_out(rig, alice, "!navigation chestOpen")
    assert (result["success"], result["reason"]) == (False, "not_found")


async def test_what_is_no_chest_is_not_walked_to(rig: Rig, alice: Bot) -> None:
    result = await carry_out(rig, alice, "!navigation chestOpen 12 63 0")
    assert (result["success"], result["reason"]) == (False, "wrong_block")
    assert rig.world.body("Alice").position == HERE


@pytest.mark.parametrize(("count", "moved"), [("100", 100), ("-1", 150), ('"all"', 150), ("1", 1)])
async def test_items_are_put_in_over_several_stacks(
    rig: Rig, alice: Bot, chest: Inventory, count: str, moved: int
) -> None:
    rig.world.give("Alice", "cobblestone", 150)
    await carry_out(rig, alice, OPEN)
    command = f'!navigation chestDeposit {{"item": "cobblestone", "count": {count}}}'
    assert await carry_out(rig, alice, command) == {
        "success": True,
        "message": f"I put in {moved} cobblestone.",
        "position": AT_CHEST,
        "item": "cobblestone",
        "count": moved,
    }
    assert (chest.count("cobblestone"), carried(rig, "cobblestone")) == (moved, 150 - moved)


@pytest.mark.parametrize(("count", "moved"), [("100", 100), ("-1", 150), ("1", 1)])
async def test_items_are_taken_out_over_several_stacks(
    rig: Rig, alice: Bot, chest: Inventory, count: str, moved: int
) -> None:
    chest.add("cobblestone", 150)
    await carry_out(rig, alice, OPEN)
    result = await carry_out(rig, alice, f"!navigation chestWithdraw cobblestone {count}")
    assert (result["success"], result["count"]) == (True, moved)
    assert (chest.count("cobblestone"), carried(rig, "cobblestone")) == (150 - moved, moved)


async def test_a_chest_that_is_full_takes_what_fits_and_tells_how_much(
    rig: Rig, alice: Bot, chest: Inventory
) -> None:
    chest.add("dirt", 27 * 64 - 5)
    rig.world.give("Alice", "dirt", 20)
    await carry_out(rig, alice, OPEN)
    result = await carry_out(rig, alice, "!navigation chestDeposit dirt -1")
    assert (result["success"], result["reason"], result["moved"]) == (False, "inventory_full", 5)
    assert carried(rig, "dirt") == 15


@pytest.mark.parametrize("action", ["chestDeposit", "chestWithdraw"])
async def test_what_is_not_there_cannot_be_moved(
    rig: Rig, alice: Bot, chest: Inventory, action: str
) -> None:
    await carry_out(rig, alice, OPEN)
    result = await carry_out(rig, alice, f"!navigation {action} diamond")
    assert (result["success"], result["reason"]) == (False, "missing_item")


@pytest.mark.parametrize("count", ["0", "-2", "many"])
async def test_a_wrong_count_is_refused(alice: Bot, count: str) -> None:
    result = await run_json(alice, f"!navigation chestDeposit dirt {count}")
    assert (result["success"], result["reason"]) == (False, "invalid_format")


@pytest.mark.parametrize("command", ["chestDeposit dirt", "chestWithdraw dirt", "chestClose"])
async def test_a_chest_has_to_be_open_first(rig: Rig, alice: Bot, command: str) -> None:
    rig.world.give("Alice", "dirt")
    result = await carry_out(rig, alice, f"!navigation {command}")
    assert (result["success"], result["reason"]) == (False, "window_closed")
    assert "!navigation chestOpen" in result["message"]


async def test_a_chest_is_closed(rig: Rig, alice: Bot, chest: Inventory) -> None:
    await carry_out(rig, alice, OPEN)
    result = await carry_out(rig, alice, "!navigation chestClose")
    assert result == {"success": True, "message": "The chest is closed.", "position": AT_CHEST}
    assert rig.world.body("Alice").window is None


async def test_walking_away_closes_the_chest(rig: Rig, alice: Bot, chest: Inventory) -> None:
    await carry_out(rig, alice, OPEN)
    await carry_out(rig, alice, "!navigation gotoCoords 0 64 0")
    assert rig.world.body("Alice").window is None


async def test_stop_closes_the_chest(rig: Rig, alice: Bot, chest: Inventory) -> None:
    await carry_out(rig, alice, OPEN)
    await run_json(alice, "!stop")
    result = await carry_out(rig, alice, "!navigation chestClose")
    assert (result["success"], result["reason"]) == (False, "window_closed")
