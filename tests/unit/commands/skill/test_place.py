"""`!skill place` and `!creative placeBlock`."""

import pytest
from support.acting import GROUND, Scene, carried, carry_out, play, put, scenes
from support.rig import Rig

from bridge.world import Position

HERE = Position(8.5, GROUND, 8.5)


@scenes(
    *(Scene(f"where it is wanted: {text}", text,
            {"success": True, "itemName": "dirt", "position": {"x": 10, "y": 64, "z": 8},
             "block": "dirt", "left": 1, "message": "Placed dirt at 10 64 8; 1 left."},
            whole=True, given={"dirt": 2}, standing={"dirt": [(10, 64, 8)]})
      for text in ("!skill place dirt 10 64 8", "!skill place_block dirt 10 64 8",
                   '!skill place {"itemName": "dirt", "position": [10, 64, 8]}',
                   '!skill place {"blockName": "dirt", "position": {"x": 10, "y": 64, "z": 8}}',
                   '!creative placeBlock {"name": "dirt", "coords": [10, 64, 8]}',
                   '!creative placeBlock {"name": "dirt", "x": 10, "y": 64, "z": 8}')),
    Scene("a far place is walked to", "!skill place dirt 30 64 8", {"success": True},
          given={"dirt": 1}, standing={"dirt": [(30, 64, 8)]}),
    Scene("what is carried instead is told", "!creative placeBlock stone 10 64 8",
          {"inventory": {"dirt": 3}}, given={"dirt": 3}),
    *(Scene(f"{reason}: {text}", text, {"success": False, "reason": reason},
            given={"dirt": 1}, carried={"dirt": 1})
      for text, reason in (
          ("!skill place dirt 8 64 8", "blocked"),
          ("!skill place dirt 8 65 8", "blocked"),
          ("!skill place dirt 10 63 8", "blocked"),
          ("!skill place stone 10 64 8", "missing_item"),
          ("!skill place dirty 10 64 8", "unknown_item"),
          ("!skill place dirt 10 64", "invalid_format"),
          ('!creative placeBlock {"name": "dirt", "coords": [1, 2]}', "invalid_format"),
          ('!creative placeBlock {"name": "dirt", "coords": [1e9, 2, 3]}', "invalid_format"),
          ('!creative placeBlock {"name": "dirt", "coords": [NaN, 2, 3]}', "invalid_format"),
      )),
)  # fmt: skip
async def test_a_block_is_placed_or_refused_and_nothing_is_lost(rig: Rig, scene: Scene) -> None:
    await play(rig, scene)


async def test_without_a_place_it_is_put_down_near(rig: Rig) -> None:
    rig.world.give("Alice", "chest")
    result = await carry_out(rig, "!skill place chest")
    at = result["position"]
    assert Position(at["x"], at["y"], at["z"]).distance_to(HERE) < 3
    assert rig.world.block(Position(at["x"], at["y"], at["z"])) == "chest"


async def test_a_thing_is_put_where_it_stays_though_nearer_places_do_not_hold_it(rig: Rig) -> None:
    around = [(x, z) for x in range(6, 11) for z in range(6, 11)]
    put(rig, "chest", *((x, GROUND - 1, z) for x, z in around if (x, z) != (10, 8)))
    rig.world.give("Alice", "torch")
    result = await carry_out(rig, "!skill place torch")
    assert result.get("position") == {"x": 10, "y": GROUND, "z": 8}, result


async def test_in_a_pond_no_torch_is_placed_and_the_bot_says_what_it_needs(rig: Rig) -> None:
    pond = [(x, z) for x in range(4, 13) for z in range(4, 13)]
    put(rig, "water", *((x, y, z) for x, z in pond for y in (GROUND, GROUND + 1)))
    rig.world.give("Alice", "torch")
    near, there = [await carry_out(rig, f"!skill place torch{at}") for at in ("", " 9 64 8")]
    assert (near["reason"], there["reason"]) == ("blocked", "blocked")
    needs = "needs a firm block below or beside it, and a dry place"
    assert all(needs in result["message"] for result in (near, there)), (near, there)
    assert carried(rig) == {"torch": 1}


async def test_a_chest_is_put_where_its_lid_can_open(rig: Rig) -> None:
    rig.world.give("Alice", "chest", 1)
    for x, z in ((9, 8), (7, 8), (8, 9), (8, 7)):
        rig.world.set_block(Position(x, 65, z), "stone")
    placed = await carry_out(rig, "!skill place chest")
    at = placed["position"]
    assert rig.world.block(Position(at["x"], at["y"], at["z"])) == "chest"
    assert rig.world.block(Position(at["x"], at["y"] + 1, at["z"])) == "air"


@pytest.mark.parametrize("item", ["chest", "crafting_table"])
async def test_in_a_narrow_pit_a_niche_is_dug_for_what_is_put_down(rig: Rig, item: str) -> None:
    rig.world.give("Alice", "stone_pickaxe", 1)
    rig.world.give("Alice", item, 1)
    put(rig, "air", *((8, GROUND - down, 8) for down in (1, 2, 3, 4)))
    rig.world.teleport("Alice", Position(8.5, GROUND - 4, 8.5))
    placed = (await carry_out(rig, f"!skill place {item}"))["position"]
    assert placed["y"] == GROUND - 4
    assert abs(placed["x"] - 8) + abs(placed["z"] - 8) == 1
    assert rig.world.body("Alice").position.block == Position(8, GROUND - 4, 8)
    above = Position(placed["x"], GROUND - 3, placed["z"])
    assert rig.world.block(above) == "air"


async def test_no_niche_is_dug_into_what_somebody_built(rig: Rig) -> None:
    rig.world.give("Alice", "chest", 1)
    cell = [(x, y, z) for x in (6, 7, 8, 9, 10) for z in (6, 7, 8, 9, 10) for y in (64, 65, 66, 67)]
    put(rig, "oak_planks", *(at for at in cell if at not in ((8, 64, 8), (8, 65, 8))))
    result = await carry_out(rig, "!skill place chest")
    assert (result["success"], result["reason"]) == (False, "blocked")
    assert all(rig.world.block(Position(*at)) != "chest" for at in cell)
