"""What blocks look like by their names."""

import pytest

from bots.vision.colours import DYES, UNKNOWN
from bots.vision.grid import is_seen, look_of

COMMON = (
    *("grass_block", "dirt", "sand", "oak_planks", "oak_log", "oak_leaves", "water", "lava"),
    *("bricks", "sandstone", "hay_block", "chest", "crafting_table", "bookshelf", "pumpkin"),
    *("red_wool", "blue_concrete", "terracotta", "netherrack", "gold_block", "diamond_block"),
    *("birch_stairs", "spruce_door", "oak_fence", "cherry_slab", "moss_block", "prismarine"),
)


@pytest.mark.parametrize("name", COMMON)
def test_no_common_block_is_grey(name: str) -> None:
    side = look_of(name).top or look_of(name).side
    assert max(side) - min(side) > 20


@pytest.mark.parametrize("dye", DYES)
def test_every_dye_gives_wool_its_colour(dye: str) -> None:
    assert look_of(f"{dye}_wool").side == DYES[dye]
    assert look_of(f"{dye}_stained_glass").form == "glass"


@pytest.mark.parametrize(
    ("shaped", "whole"),
    [
        ("oak_stairs", "oak_planks"),
        ("cobblestone_wall", "cobblestone"),
        ("red_sandstone_slab", "red_sandstone"),
        ("waxed_exposed_cut_copper_stairs", "exposed_copper"),
        ("polished_granite", "granite"),
        ("infested_stone", "stone"),
    ],
)
def test_a_shape_has_the_colour_of_its_material(shaped: str, whole: str) -> None:
    assert look_of(shaped).side == look_of(whole).side


def test_an_ore_shows_its_mineral_in_its_rock() -> None:
    assert look_of("deepslate_gold_ore").accent == look_of("gold_ore").accent
    assert look_of("deepslate_gold_ore").side != look_of("gold_ore").side
    assert look_of("iron_ore").accent != look_of("gold_ore").accent


def test_what_is_not_solid_is_drawn_as_a_plant_or_flat_or_a_post() -> None:
    forms = {name: look_of(name, is_cube=False).form for name in ("poppy", "rail", "torch", "fern")}
    assert forms == {"poppy": "plant", "rail": "flat", "torch": "post", "fern": "plant"}


def test_grass_is_a_block_where_it_is_solid_and_a_plant_where_it_is_not() -> None:
    assert look_of("grass", is_cube=True) == look_of("grass_block")
    assert look_of("grass", is_cube=False).form == "plant"


def test_air_is_not_drawn_and_a_block_of_no_known_name_is() -> None:
    assert not is_seen("cave_air")
    assert look_of("thing_of_a_mod") == UNKNOWN
