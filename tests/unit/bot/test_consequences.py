"""May I break this block, and what happens then?"""

from collections.abc import Mapping

import pytest

from bots.bot.consequences import Consequence, foresee
from bridge.world import Position

FEET = Position(0, 64, 0)
Cell = tuple[int, int, int]
ROCK: Cell = (2, 65, 0)
SIDES: list[Cell] = [(1, 0, 0), (-1, 0, 0), (0, 0, 1), (0, 0, -1), (0, 1, 0), (0, -1, 0)]


def scene(blocks: Mapping[Cell, str], floor: str = "stone") -> dict[Position, str]:
    """Air over a floor that the bot stands on, and what is put into it."""
    sides = range(-4, 5)
    ground = {Position(x, y, z): "air" for x in sides for y in range(60, 74) for z in sides}
    ground |= {Position(x, 63, z): floor for x in sides for z in sides}
    return ground | {Position(*cell): name for cell, name in blocks.items()}


def breaking(block: Cell, blocks: Mapping[Cell, str], feet: Position = FEET) -> Consequence:
    return foresee(Position(*block), feet, scene({block: "stone"} | dict(blocks)))


def test_a_rock_on_the_ground_does_no_harm_and_falls_at_the_feet() -> None:
    seen = breaking((1, 64, 0), {})
    assert (seen.harm, seen.lands) == ("", Position(1, 64, 0))


@pytest.mark.parametrize(
    "step", [(1, 0, 0), (-1, 0, 0), (0, 0, 1), (0, 0, -1), (0, 1, 0), (0, -1, 0)]
)
@pytest.mark.parametrize("lava", ["lava", "flowing_lava"])
def test_lava_on_any_side_forbids_it(step: Cell, lava: str) -> None:
    beside = (ROCK[0] + step[0], ROCK[1] + step[1], ROCK[2] + step[2])
    assert "lava" in breaking(ROCK, {beside: lava}).harm


def test_lava_over_a_corner_flows_nowhere() -> None:
    assert breaking(ROCK, {(3, 66, 0): "lava", (3, 65, 1): "lava"}).harm == ""


@pytest.mark.parametrize("name", ["gravel", "sand", "red_sand", "white_concrete_powder", "anvil"])
def test_what_falls_lets_the_lava_beside_and_above_it_in(name: str) -> None:
    assert "lava" in breaking(ROCK, {(2, 66, 0): name, (2, 67, 0): "lava"}).harm
    assert "lava" in breaking(ROCK, {(2, 66, 0): name, (2, 67, 0): name, (3, 67, 0): "lava"}).harm
    assert breaking(ROCK, {(2, 66, 0): "stone", (2, 67, 0): "lava"}).harm == ""


def test_water_is_let_out_only_below_the_feet_or_by_who_swims() -> None:
    wet = {(3, 65, 0): "water"}
    assert "water" in breaking(ROCK, wet).harm
    assert breaking(ROCK, wet | {(0, 64, 0): "water"}).harm == ""
    assert breaking((2, 63, 0), {(3, 63, 0): "water"}).harm == ""
    assert "water" in breaking(ROCK, {(2, 66, 0): "kelp"}).harm


def test_water_beside_obsidian_does_no_harm_where_it_washes_nobody_into_lava() -> None:
    wet = {ROCK: "obsidian", (3, 65, 0): "water", (2, 66, 0): "water"}
    assert breaking(ROCK, wet).harm == ""
    assert "water" in breaking(ROCK, wet | {(0, 64, 3): "lava"}).harm
    assert "lava" in breaking(ROCK, wet | {(2, 64, 0): "lava"}).harm


def test_what_would_fall_on_the_head_stays_up() -> None:
    assert "gravel" in breaking((0, 66, 0), {(0, 67, 0): "gravel"}).harm
    assert breaking((1, 66, 0), {(1, 67, 0): "gravel"}).harm == ""
    assert breaking((0, 66, 0), {(0, 67, 0): "stone"}).harm == ""


def test_nobody_breaks_the_floor_over_a_deep_hole_or_lava_under_the_own_feet() -> None:
    hole = {(0, y, 0): "air" for y in (60, 61, 62)}
    assert "fall" in breaking((0, 63, 0), hole).harm
    assert "fall" in breaking((0, 63, 0), hole | {(0, 61, 0): "lava", (0, 60, 0): "lava"}).harm
    assert breaking((0, 63, 0), {(0, 62, 0): "stone"}).harm == ""


def test_a_drop_comes_down_through_an_open_column_alone() -> None:
    assert breaking((2, 67, 0), {}).comes_to(FEET)
    assert breaking((2, 67, 0), {(2, 65, 0): "vine"}).comes_to(FEET)
    on_a_ledge = breaking((2, 67, 0), {(2, 66, 0): "stone"})
    assert on_a_ledge.lands == Position(2, 67, 0)
    assert not on_a_ledge.comes_to(FEET)
    assert not breaking((2, 68, 0), {(2, 67, 0): "oak_leaves"}).comes_to(FEET)


@pytest.mark.parametrize("below", ["lava", "fire", "soul_fire", "cactus"])
def test_a_drop_that_burns_is_lost(below: str) -> None:
    assert breaking((2, 67, 0), {(2, 64, 0): below}).lands is None


def test_a_drop_into_a_ravine_is_lost_but_not_for_who_stands_in_it() -> None:
    ravine = {(2, y, 0): "air" for y in range(60, 64)}
    assert breaking((2, 64, 0), ravine).lands is None
    assert breaking((2, 64, 0), ravine, Position(1, 60, 0)).lands is not None


def test_nothing_is_feared_of_what_is_not_seen() -> None:
    assert foresee(Position(90, 64, 90), FEET, {}) == Consequence("", Position(90, 64, 90))
