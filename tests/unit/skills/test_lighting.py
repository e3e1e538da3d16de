"""Torches leave no ground dark that one could light; they are few, and stand out of the way."""

import struct
from itertools import chain, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.bot.built import Cell
from bots.skills import lighting
from bots.skills.lighting import Ground, Sight, plan_torches, within
from bridge.looking import BlockKind, Region
from bridge.world import Position

SIDE = 10
COLUMNS = st.tuples(st.integers(0, SIDE - 1), st.integers(0, SIDE - 1))
WHOLE = ((0.0, 0.0, 0.0, 1.0, 1.0, 1.0),)
LOW = ((0.0, 0.0, 0.0, 1.0, 0.9375, 1.0),)


def plain(side: int) -> Ground:
    """Level ground, with air above."""
    ground = frozenset((x, 0, z) for x, z in product(range(side), repeat=2))
    open_ = {(x, y, z) for x, _, z in ground for y in range(8)}
    return Ground(open_, ground, ground)


SIGNS = {
    **{"#": BlockKind("stone", WHOLE), "L": BlockKind("lantern", ()), ".": BlockKind("air", ())},
    **{"D": BlockKind("oak_door", WHOLE), "~": BlockKind("water", ()), "p": BlockKind("air", ())},
}


def region(*rows: str) -> Region:
    """A room: `#` rock, `.` open, `p` open above a path, `L` lantern, `D` door, `~` water."""
    width, depth = len(rows[0]), len(rows)
    kinds = (*SIGNS.values(), BlockKind("dirt_path", LOW))
    number = {sign: n for n, sign in enumerate(SIGNS)}
    columns = [rows[z][x] for x, z in product(range(width), range(depth))]
    cells = [
        (len(SIGNS) if sign == "p" else number["#"], number[sign], *[number["#."[sign != "#"]]] * 2)
        for sign in columns
    ]
    return Region(
        version="1.16.5",
        corner=(0, 0, 0),
        size=(width, 4, depth),
        kinds=kinds,
        cells=struct.pack(f"<{4 * len(cells)}H", *chain.from_iterable(cells)),
        covered=bytes(len(cells)),
        eyes=Position(0, 0, 0),
        yaw=0,
        pitch=0,
        beings=(),
        held=None,
        time_of_day=0,
        is_raining=False,
        dimension="overworld",
    )


def ground_of(*rows: str, radius: float = 30) -> Ground:
    sight = Sight(region(*rows), lambda name: 15 if name == "lantern" else 0)
    return sight.ground((1, 1, 1), radius, lambda _: True)


def on(z: int, *xs: int) -> set[Cell]:
    return {(x, 1, z) for x in xs}


@settings(max_examples=40)
@given(st.sets(COLUMNS, max_size=60), st.sets(COLUMNS, max_size=40))
def test_every_open_cell_that_can_be_lit_is_within_six_steps_of_a_torch(
    walls: set[tuple[int, int]], barred: set[tuple[int, int]]
) -> None:
    cells = {(x, 0, z) for x, z in product(range(SIDE), repeat=2) if (x, z) not in walls}
    spots = {cell for cell in cells if (cell[0], cell[2]) not in barred}
    plan = plan_torches(Ground(cells, frozenset(cells), spots))
    lit = {spot: within(cells, spot, 6) for spot in spots}
    assert set(plan.torches) <= spots
    dark = cells - set().union(*(lit[torch] for torch in plan.torches))
    assert dark == plan.dark
    assert not any(lit[spot] & dark for spot in spots)
    for torch in plan.torches:  # none is needless
        others = set().union(*(lit[one] for one in plan.torches if one != torch))
        assert not lit[torch] <= others


def test_a_plain_takes_few_torches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lighting, "SOLVED_WITHIN_S", 100.0)  # a busy machine takes longer
    plan = plan_torches(plain(16))
    assert not plan.dark
    assert len(plan.torches) <= 6  # of 256 blocks, of which one torch lights 85 at most


def test_light_goes_round_walls_and_not_through_them() -> None:
    ground = ground_of("#########", "#...#...#", "#...#...#", "#########")
    assert {x for x, _, _ in ground.dark} == {1, 2, 3}  # the other room cannot be walked to
    assert len(plan_torches(ground).torches) == 1


def test_what_lamps_light_needs_no_torch() -> None:
    corridor = "#L" + "." * 20 + "#"
    wall = "#" * len(corridor)
    ground = ground_of(wall, corridor, wall)
    assert ground.dark == on(1, *range(9, 22))  # a lantern has 15, and 8 after seven blocks
    assert len(plan_torches(ground).torches) == 1


def test_torches_stand_on_firm_ground_and_out_of_the_way_where_that_will_do() -> None:
    ground = ground_of("#########", "#.......#", "#.ppp~..#", "#.......D", "#########")
    assert ground.spots.isdisjoint({(2, 1, 2), (3, 1, 2), (4, 1, 2), (5, 1, 2)})
    assert ground.dark.isdisjoint({(2, 1, 2), (5, 1, 2)})  # nothing appears on paths or in water
    assert (7, 1, 3) in ground.ways
    (torch,) = plan_torches(ground).torches
    assert torch not in ground.ways


def test_in_a_passage_they_stand_where_people_walk_as_there_is_nothing_else() -> None:
    corridor = "#" + "." * 12 + "#"
    wall = "#" * len(corridor)
    plan = plan_torches(ground_of(wall, corridor, wall))
    assert len(plan.torches) == 1
    assert not plan.dark


def test_only_what_is_within_the_radius_is_lit() -> None:
    wide = "#" + "." * 25 + "#"
    wall = "#" * len(wide)
    assert ground_of(wall, wide, wall, radius=5).dark == on(1, *range(1, 7))
