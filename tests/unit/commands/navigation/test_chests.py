"""`!navigation chestOpen | chestDeposit | chestWithdraw | chestClose`: counts are real."""

import pytest
from support.acting import Scene, carried, carry_out, play, put, scenes
from support.rig import Rig

from bridge.fake.body import Inventory
from bridge.world import Position

CHEST = Position(12, 64, 0)
OPEN = '!navigation chestOpen {"coords": [12, 64, 0]}'
AT_CHEST = {"x": 12, "y": 64, "z": 0}


@pytest.fixture
def chest(rig: Rig) -> Inventory:
    rig.world.set_block(CHEST, "chest")
    return rig.world.terrain().chest(CHEST)


IN_SIGHT = {"success": True, "position": AT_CHEST}
SEALED = [(x, y, z) for x in range(-3, 4) for y in range(63, 68) for z in range(5, 12)
          if 3 in (abs(x), abs(z - 8), y - 64)]  # fmt: skip


@scenes(
    *(Scene(f"by its point or as the nearest: {words}", f"!creative nav chestOpen {words}",
            IN_SIGHT, blocks={"chest": [(12, 64, 0), (0, 64, 25)]})
      for words in ("12 64 0", '{"x": 12, "y": 64, "z": 0}', "")),
    Scene("a barrel is as good as a chest", "!navigation chestOpen", {"success": True},
          blocks={"barrel": [(5, 64, 5)]}),
    Scene("one out of reach is passed over", "!navigation chestOpen", IN_SIGHT,
          blocks={"stone": SEALED, "chest": [(0, 64, 8), (12, 64, 0)]}),
    Scene("none is within 32 blocks", "!navigation chestOpen",
          {"success": False, "reason": "not_found"}, blocks={"chest": [(40, 64, 0)]}),
    Scene("what is no chest is not walked to", "!navigation chestOpen 12 63 0",
          {"success": False, "reason": "wrong_block"}, stays=True),
)  # fmt: skip
async def test_a_chest_is_found_or_it_is_told_why_not(rig: Rig, scene: Scene) -> None:
    await play(rig, scene)


async def test_a_chest_is_not_dug_up(rig: Rig) -> None:
    put(rig, "chest", (12, 58, 0))
    result = await carry_out(rig, '!navigation chestOpen {"coords": [12, 58, 0]}')
    assert (result["reason"], rig.world.body("Alice").position.y) == ("no_path", 64)
    assert len(list(rig.world.terrain().changes)) == 1


async def test_a_chest_is_walked_to_and_its_contents_are_told(rig: Rig, chest: Inventory) -> None:
    chest.add("apple", 70)
    chest.add("bread", 3)
    rig.world.give("Alice", "dirt", 65)
    assert await carry_out(rig, OPEN) == {
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


@pytest.mark.parametrize(("count", "moved"), [("100", 100), ("-1", 150), ('"all"', 150), ("1", 1)])
async def test_items_are_put_in_over_several_stacks(
    rig: Rig, chest: Inventory, count: str, moved: int
) -> None:
    rig.world.give("Alice", "cobblestone", 150)
    await carry_out(rig, OPEN)
    command = f'!navigation chestDeposit {{"item": "cobblestone", "count": {count}}}'
    assert await carry_out(rig, command) == {
        "success": True,
        "message": f"I put in {moved} cobblestone.",
        "position": AT_CHEST,
        "item": "cobblestone",
        "count": moved,
    }
    assert (chest.count("cobblestone"), carried(rig).get("cobblestone", 0)) == (moved, 150 - moved)


@pytest.mark.parametrize(("count", "moved"), [("100", 100), ("-1", 150), ("1", 1)])
async def test_items_are_taken_out_over_several_stacks(
    rig: Rig, chest: Inventory, count: str, moved: int
) -> None:
    chest.add("cobblestone", 150)
    await carry_out(rig, OPEN)
    result = await carry_out(rig, f"!navigation chestWithdraw cobblestone {count}")
    assert (result["success"], result["count"]) == (True, moved)
    assert (chest.count("cobblestone"), carried(rig).get("cobblestone", 0)) == (150 - moved, moved)


@scenes(
    *(Scene(f"not there: {action}", f"!navigation {action} diamond",
            {"success": False, "reason": "missing_item"}, blocks={"chest": [(12, 64, 0)]},
            before=[OPEN])
      for action in ("chestDeposit", "chestWithdraw")),
    *(Scene(f"not open: {action}", f"!navigation {action}",
            {"success": False, "reason": "window_closed"}, given={"dirt": 1},
            says="!navigation chestOpen")
      for action in ("chestDeposit dirt", "chestWithdraw dirt", "chestClose")),
    Scene("taken as far as it fits", "!navigation chestDeposit dirt -1",
          {"success": False, "reason": "inventory_full", "moved": 5}, given={"dirt": 20},
          stored={(12, 64, 0): {"dirt": 27 * 64 - 5}}, before=[OPEN], carried={"dirt": 15}),
)  # fmt: skip
async def test_what_cannot_be_moved_is_told(rig: Rig, scene: Scene) -> None:
    await play(rig, scene)


async def test_a_chest_is_closed(rig: Rig, chest: Inventory) -> None:
    await carry_out(rig, OPEN)
    result = await carry_out(rig, "!navigation chestClose")
    assert result == {"success": True, "message": "The chest is closed.", "position": AT_CHEST}
    assert rig.world.body("Alice").window is None


@pytest.mark.parametrize("ending", ["!navigation gotoCoords 0 64 0", "!stop"])
async def test_walking_away_and_a_stop_close_the_chest(
    rig: Rig, chest: Inventory, ending: str
) -> None:
    await carry_out(rig, OPEN)
    await carry_out(rig, ending)
    assert rig.world.body("Alice").window is None
    assert (await carry_out(rig, "!navigation chestClose"))["reason"] == "window_closed"
