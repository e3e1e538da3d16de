"""`!skill gather` breaks only what it can have."""

import pytest
from support.acting import GROUND, Scene, carried, carry_out, play, put, scenes
from support.rig import Rig

from bots.skills.breaking import Breaking
from bridge.fake.terrain import Terrain
from bridge.world import Position

Cell = tuple[int, int, int]
LEDGE = [(x, z) for x in range(8, 13) for z in (4, 5, 6)]


def standing(rig: Rig, cells: list[Cell]) -> int:
    return sum(rig.world.block(Position(*cell)) == "iron_ore" for cell in cells)


WALL = [(10, GROUND, z) for z in range(6, 11)]
TOP, OVER_LAVA = (10, GROUND + 3, 5), (10, GROUND + 2, 8)


@scenes(
    Scene("what would stay on a ledge out of reach", "!skill gather iron_ore 2",
          {"success": False, "reason": "no_path"}, given={"stone_pickaxe": 1},
          blocks={"oak_log": [(x, GROUND + 2, z) for x, z in LEDGE], "iron_ore": [TOP]},
          standing={"iron_ore": [TOP]}),
    Scene("what falls into lava", "!skill gather iron_ore", {"success": False, "reason": "unsafe"},
          given={"stone_pickaxe": 1}, blocks={"iron_ore": [OVER_LAVA], "lava": [(10, GROUND, 8)]},
          standing={"iron_ore": [OVER_LAVA]}),
)  # fmt: skip
async def test_what_it_could_not_have_is_not_broken(rig: Rig, scene: Scene) -> None:
    await play(rig, scene)


async def test_a_ledge_is_taken_from_below_where_all_of_it_falls_down(rig: Rig) -> None:
    cells = [(x, GROUND + up, z) for x, z in LEDGE for up in (2, 3)]
    put(rig, "iron_ore", *cells)
    rig.world.give("Alice", "stone_pickaxe")
    result = await carry_out(rig, "!skill gather iron_ore 6")
    assert (result["success"], carried(rig)["iron_ore"]) == (True, 6)
    assert standing(rig, cells) == len(cells) - 6


async def test_rock_that_holds_lava_back_is_left_for_what_is_farther(rig: Rig) -> None:
    wall = [(11, GROUND, z) for z in (7, 8, 9)]
    rock = [(-2, GROUND, z) for z in (7, 8, 9)]
    put(rig, "iron_ore", *wall, *rock)
    put(rig, "lava", *((12, GROUND, z) for z in (7, 8, 9)))
    rig.world.give("Alice", "stone_pickaxe")
    assert (await carry_out(rig, "!skill gather iron_ore 3"))["success"]
    assert (standing(rig, wall), standing(rig, rock)) == (3, 0)
    result = await carry_out(rig, "!skill gather iron_ore")
    assert (result["reason"], standing(rig, wall)) == ("unsafe", 3)


async def test_lava_beside_the_last_obsidian_is_covered_first(rig: Rig) -> None:
    rim, pool = [(10, GROUND - 1, z) for z in (7, 8)], [(11, GROUND - 1, z) for z in (6, 7, 8, 9)]
    put(rig, "obsidian", *rim)
    put(rig, "lava", *pool)
    rig.world.give("Alice", "diamond_pickaxe")
    refused = await carry_out(rig, "!skill gather obsidian")
    assert (refused["reason"], "cobblestone" in refused["message"]) == ("unsafe", True)
    rig.world.give("Alice", "cobblestone", 8)
    result = await carry_out(rig, "!skill gather obsidian 2")
    assert (result["success"], carried(rig)["obsidian"]) == (True, 2)
    there = [rig.world.block(Position(*cell)) for cell in pool]
    assert there == ["lava", "cobblestone", "cobblestone", "lava"]


@pytest.mark.parametrize("where", [(10, GROUND - 2, 8), (12, GROUND, 8)], ids=["below", "smithy"])
async def test_hidden_lava_or_lava_at_a_house_is_not_covered(rig: Rig, where: Cell) -> None:
    put(rig, "obsidian", (10, GROUND - 1, 8))
    put(rig, "lava", (11, GROUND - 1, 8), (10, GROUND - 2, 8))
    if where[1] == GROUND:
        put(rig, "dirt", (10, GROUND - 2, 8))
        put(rig, "oak_planks", where)
    rig.world.give("Alice", "diamond_pickaxe")
    rig.world.give("Alice", "cobblestone", 8)
    result = await carry_out(rig, "!skill gather obsidian")
    assert not result["success"]
    assert carried(rig)["cobblestone"] == 8
    assert rig.world.block(Position(11, GROUND - 1, 8)) == "lava"


@pytest.mark.parametrize("count", [2, 5, 20])
async def test_no_more_than_two_blocks_of_a_place_are_broken_before_it_shows_what_they_bring(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    there = [(-8, GROUND, z) for z in range(6, 11)]
    put(rig, "iron_ore", *WALL, *there)
    rig.world.give("Alice", "stone_pickaxe")
    monkeypatch.setattr(Terrain, "drop", lambda *_: None)
    result = await carry_out(rig, f"!skill gather iron_ore {count}")
    assert (result["reason"], standing(rig, WALL), standing(rig, there)) == ("lost", 3, 3)


async def test_where_it_has_shown_all_in_reach_is_broken_before_it_is_picked_up(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(rig, "iron_ore", *WALL)
    rig.world.give("Alice", "stone_pickaxe")
    sweeps: list[str | None] = []
    pick_up = Breaking.pick_up

    async def counted(breaking: Breaking, item: str | None, delay_s: float) -> None:
        sweeps.append(item)
        await pick_up(breaking, item, delay_s)

    monkeypatch.setattr(Breaking, "pick_up", counted)
    assert (await carry_out(rig, "!skill gather iron_ore 5"))["success"]
    assert len(sweeps) <= 2


async def test_a_tree_on_a_pedestal_of_rock_is_left(rig: Rig) -> None:
    for x, ground in ((14, "stone"), (-14, "dirt")):
        put(rig, ground, (x, GROUND - 1, 8))
        put(rig, "oak_log", *((x, GROUND + up, 8) for up in range(4)))
        crown = [
            (x + dx, GROUND + up, 8 + dz) for dx in (-1, 0, 1) for dz in (-1, 0, 1) for up in (4, 5)
        ]
        put(rig, "oak_leaves", *crown)
    assert (await carry_out(rig, "!skill gather oak_log 4"))["success"]
    assert rig.world.block(Position(14, GROUND, 8)) == "oak_log"
    result = await carry_out(rig, "!skill gather oak_log")
    assert result["reason"] == "built"
    assert "14 64 8" in result["message"]


async def test_a_pile_of_logs_is_left_for_a_tree_beyond_a_cabin(rig: Rig) -> None:
    ring = [(x, z) for x in range(12, 19) for z in range(4, 11) if x in (12, 18) or z in (4, 10)]
    cabin = [(x, GROUND + up, z) for x, z in ring for up in range(3)]
    pile = [(5, GROUND, z) for z in (4, 5, 6)]
    tree = [(28, GROUND + up, 8) for up in range(4)]
    crown = [(x, GROUND + up, z) for x in (27, 28, 29) for up in (4, 5) for z in (7, 8, 9)]
    put(rig, "oak_log", *cabin, *pile, *tree)
    put(rig, "oak_leaves", *crown)
    put(rig, "crafting_table", (15, GROUND, 7), (15, GROUND + 2, 7))
    assert (await carry_out(rig, "!skill gather oak_log 3"))["success"]
    left = [cell for cell in (*cabin, *pile) if rig.world.block(Position(*cell)) == "oak_log"]
    assert left == [*cabin, *pile]
