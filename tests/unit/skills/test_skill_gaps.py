"""Broken stairs and tunnels: where to mend them."""

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from bots.skills.tunnelling import gaps, reachable
from bridge.world import Position

LENGTH = 12
BOTTOM = Position(0, 10, 0)


def stairs(broken: Iterable[int] = ()) -> set[Position]:
    """Rising towards x; where they are broken the ground is gone for two blocks."""
    room: set[Position] = set()
    for n in range(LENGTH):
        deeper = -2 if n in broken else 0
        room |= {Position(n, 10 + n + up, 0) for up in range(deeper, 3)}
    return room


def seen_from(room: set[Position], here: Position) -> list[tuple[Position, Position]]:
    return gaps(room, reachable(room, here))


def step(n: int) -> Position:
    return Position(n, 10 + n, 0)


def test_whole_stairs_have_no_gap() -> None:
    assert seen_from(stairs(), BOTTOM) == []


def test_broken_stairs_are_mended_from_the_last_step_to_the_next() -> None:
    (first, *_) = seen_from(stairs(broken=[5]), BOTTOM)
    assert first == (step(4), step(6))


def test_from_above_one_may_fall_where_one_could_not_climb() -> None:
    assert seen_from(stairs(broken=[5]), step(LENGTH - 1)) == []


def test_what_is_closed_off_is_gone_on_with_where_it_is_nearest() -> None:
    blocked = stairs() - {Position(5, 15 + up, 0) for up in range(3)}
    assert seen_from(blocked, BOTTOM)[0] == (step(4), step(6))


def test_what_is_too_far_off_is_no_other_end() -> None:
    apart = stairs() - {Position(n, y, 0) for n in (4, 5, 6, 7) for y in range(10, 25)}
    assert seen_from(apart, BOTTOM) == []


@given(st.sets(st.integers(1, LENGTH - 2), max_size=4))
def test_gap_after_gap_leads_to_the_top(broken: set[int]) -> None:
    room, here = stairs(broken), BOTTOM
    for _ in range(2 * LENGTH):
        found = seen_from(room, here)
        if not found:
            break
        here = max((beyond for _, beyond in found), key=lambda beyond: beyond.y)
    assert seen_from(room, here) == []
    assert here == BOTTOM if not broken else here.y > 10 + max(broken)
