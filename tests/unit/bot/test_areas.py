"""Areas: whose word counts, what lapses, and that they survive a restart."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.access.origin import Level
from bots.bot.areas import CLAIM_LASTS, MOST, MOST_CLAIMS, Area, Areas, Rule
from bots.errors import CommandError
from bots.store.database import Store
from bridge.world import Position, Zone, is_spared

START = datetime(2026, 1, 1, tzinfo=UTC)
HERE = Position(10, 64, 10)


@dataclass
class HandClock:
    at: datetime = START

    def __call__(self) -> datetime:
        return self.at


def circle(
    name: str,
    rule: Rule = "forbid",
    radius: float = 8,
    *,
    level: Level = Level.TRUSTED,
    at_s: float = 0,
) -> Area:
    low, high = Area.column(HERE, HERE)
    at = START + timedelta(seconds=at_s)
    return Area(name, rule, "overworld", low, high, radius, level, "Alex", at)


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
async def areas(tmp_path: Path, clock: HandClock) -> AsyncIterator[Areas]:
    store = await Store.open(tmp_path / "areas.sqlite")
    yield await Areas.load(store, clock)
    await store.aclose()


def rule_at(areas: Areas, point: Position, dimension: str = "overworld") -> str | None:
    area = areas.at(dimension, point)
    return None if area is None else area.rule


async def test_areas_are_there_again_after_a_restart(tmp_path: Path, clock: HandClock) -> None:
    path = tmp_path / "areas.sqlite"
    first = await Store.open(path)
    areas = await Areas.load(first, clock)
    base, low_high = circle("Base"), Area.box(Position(30, 70, 5), Position(20, 60, 9))
    cellar = replace(circle("cellar", "ask"), low=low_high[0], high=low_high[1], within=0)
    for area in (base, cellar, circle("gone")):
        await areas.put(area)
    await areas.forget(circle("gone"), Level.TRUSTED)
    await areas.refused("overworld", Position(90, 64, 90), "You can't build here.")
    before = areas.all()
    await first.aclose()
    second = await Store.open(path)
    again = await Areas.load(second, clock)
    assert again.all() == before
    assert {area.name for area in before} == {"Base", "cellar", "the claim at 90 64 90"}
    await second.aclose()


async def test_the_newest_word_counts_on_a_clock_set_back(areas: Areas, clock: HandClock) -> None:
    """Of two words the one that was said last lost for an hour."""
    await areas.put(circle("hill", "allow", at_s=3_600))
    clock.at = START + timedelta(seconds=60)
    await areas.put(circle("base", "forbid", at_s=60))
    assert rule_at(areas, HERE) == "forbid"
    await areas.put(circle("yard", "ask", at_s=61))
    assert rule_at(areas, HERE) == "ask"


async def test_no_claim_outlasts_a_clock_set_back(areas: Areas, clock: HandClock) -> None:
    """It stayed until the clock came to that hour again, be it for years."""
    clock.at = START + timedelta(days=365)
    await areas.refused("overworld", HERE, "You can't build here.")
    assert rule_at(areas, HERE) == "forbid"
    clock.at = START
    assert rule_at(areas, HERE) is None
    await areas.refused("overworld", HERE, "You can't build here.")
    assert rule_at(areas, HERE) == "forbid"


async def test_a_circle_reaches_any_height_and_a_box_only_its_own(areas: Areas) -> None:
    await areas.put(circle("base", radius=3))
    assert rule_at(areas, Position(13.9, -50, 10)) == "forbid"
    assert rule_at(areas, Position(14, 64, 10)) is None
    assert rule_at(areas, Position(13, 64, 12)) is None
    assert rule_at(areas, HERE, "the_nether") is None
    low, high = Area.box(Position(55, 70, 50), Position(50, 60, 52))
    await areas.put(replace(circle("house"), low=low, high=high, within=0))
    assert rule_at(areas, Position(55.9, 70.9, 52.9)) == "forbid"
    assert rule_at(areas, Position(55, 71, 52)) is None
    assert rule_at(areas, Position(56, 70, 52)) is None


async def test_the_newest_word_of_equals_counts(areas: Areas) -> None:
    await areas.put(circle("base", "forbid", 20))
    await areas.put(circle("hill", "allow", 4, at_s=1))
    assert rule_at(areas, HERE) == "allow"
    assert rule_at(areas, Position(20, 64, 10)) == "forbid"
    await areas.put(circle("all", "ask", 30, at_s=2))
    assert rule_at(areas, HERE) == "ask"


async def test_an_owners_word_is_above_a_trusted_players_whenever_it_was_said(areas: Areas) -> None:
    await areas.put(circle("base", "forbid", level=Level.OWNER))
    await areas.put(circle("mine", "allow", at_s=5))
    assert rule_at(areas, HERE) == "forbid"
    with pytest.raises(CommandError) as refused:
        await areas.put(circle("BASE", "allow", at_s=6))
    assert refused.value.reason == "not_permitted"
    with pytest.raises(CommandError):
        await areas.forget(circle("base", level=Level.OWNER), Level.TRUSTED)
    await areas.put(circle("base", "allow", level=Level.OWNER, at_s=7))
    assert rule_at(areas, HERE) == "allow"


async def test_a_servers_refusal_makes_an_area_that_lapses(areas: Areas, clock: HandClock) -> None:
    await areas.refused("overworld", HERE, "You don't have permission here.")
    (claim,) = areas.all()
    assert claim.rule == "forbid"
    assert claim.why == (
        "The server protects the land of the claim at 10 64 10: “You don't have permission here.”."
    )
    assert rule_at(areas, Position(13, 40, 10)) == "forbid"
    assert rule_at(areas, Position(20, 64, 10)) is None
    clock.at = START + CLAIM_LASTS
    assert rule_at(areas, HERE) is None


async def test_only_an_owner_has_the_bots_try_again_what_the_server_refused(areas: Areas) -> None:
    await areas.refused("overworld", HERE, "You can't build here.")
    await areas.put(circle("plot", "allow", at_s=1))
    assert rule_at(areas, HERE) == "forbid"
    await areas.put(circle("plot", "allow", level=Level.OWNER, at_s=2))
    assert rule_at(areas, HERE) == "allow"


async def test_the_oldest_claims_make_room(areas: Areas, clock: HandClock) -> None:
    for number in range(MOST_CLAIMS + 3):
        clock.at = START + timedelta(seconds=number)
        await areas.refused("overworld", Position(20 * number, 64, 0), "No.")
    assert len(areas.all()) == MOST_CLAIMS
    assert rule_at(areas, Position(40, 64, 0)) is None
    for number in range(MOST):
        await areas.put(circle(f"area {number}"))
    with pytest.raises(CommandError) as refused:
        await areas.put(circle("one more"))
    assert refused.value.reason == "too_many"


async def test_two_corners_make_one_box_and_each_speaker_has_their_own(areas: Areas) -> None:
    assert areas.corner("Alex", "base", "overworld", Position(1, 64, 1)) is None
    assert areas.corner("Olga", "base", "overworld", Position(5, 64, 5)) is None
    assert areas.corner("Alex", "Base", "the_nether", HERE) is None
    assert areas.corner("Alex", "base", "the_nether", Position(3, 64, 3)) == HERE
    assert areas.corner("Alex", "base", "the_nether", Position(3, 64, 3)) is None


points = st.builds(Position, *[st.floats(-40, 40)] * 3)
blocks = st.builds(Position, *[st.integers(-20, 20)] * 3)


@given(blocks, blocks, points)
def test_a_box_has_a_point_where_each_axis_has_it(
    one: Position, other: Position, point: Position
) -> None:
    low, high = Area.box(one, other)
    at = point.block
    inside = all(
        min(a, b) <= c <= max(a, b)
        for a, b, c in ((one.x, other.x, at.x), (one.y, other.y, at.y), (one.z, other.z, at.z))
    )
    assert Zone(low, high).has(point) is inside
    assert is_spared([Zone(low, high)], point) is inside
    assert not is_spared([Zone(low, high, may_touch=True), Zone(low, high)], point)
