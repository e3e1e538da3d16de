"""Fuels: which burn alike, and which are not worth making."""

from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from bots.goals.activity import Activity, Domain, PlanningWorld
from bots.goals.goal import ItemGoal
from bots.goals.plan import Plan
from bots.goals.planning.planner import Planner
from bots.goals.planning.problem import problem_of
from bots.goals.planning.reachability import Scope, reach
from bots.goals.planning.scopes import without_vain_fuels
from bots.goals.planning.ways import QUARTERS, Catalogue, Thing, is_waste, pieces

HEAT = {"planks": 6, "slab": 3, "stick": 2, "fence": 6, "white_wool": 2, "red_wool": 2}
WOOL: dict[tuple[str, ...], int] = {("red_wool", "white_wool"): 1}


def craft(
    target: str, count: int, parts: dict[str, int], mixed: dict[tuple[str, ...], int] | None = None
) -> Activity:
    return Activity("craft", target, {target: count}, parts, mixed or {}, None, None, 20, 4)


def smelt(target: str, raw: str) -> Activity:
    return Activity("smelt", target, {target: 1}, {raw: 1}, {}, "furnace", None, 60, 200)


SLABS = craft("slab", 6, {"planks": 3})
STICKS = craft("stick", 4, {"planks": 2})
FENCES = craft("fence", 3, {"planks": 4, "stick": 2})
DYED = craft("red_wool", 1, {"red_dye": 1}, WOOL)
BLEACHED = craft("white_wool", 1, {"white_dye": 1}, WOOL)
KNITTED = craft("white_wool", 1, {"string": 4})
GLASS, BRICK = smelt("glass", "sand"), smelt("brick", "clay")
CRAFTS = (SLABS, STICKS, FENCES, DYED, BLEACHED, KNITTED)
DOMAIN = Domain("burning", frozenset(), frozenset(), (*CRAFTS, GLASS, BRICK), {}, {}, HEAT, {})
HELD = {"sand": 1, "string": 9, "red_dye": 9, "white_dye": 9, "planks": 9}


def plan(held: dict[str, int], **wanted: int) -> Plan:
    goals = tuple(ItemGoal(item, count) for item, count in wanted.items())
    return Planner(DOMAIN).plan(goals, PlanningWorld(held, {"furnace": 1}), proof=True)


def kept(held: dict[str, int], **goal: int) -> tuple[list[Activity], tuple[str, ...]]:
    catalogue = Catalogue(DOMAIN)
    wanted: dict[Thing, int] = dict(goal.items())
    problem = problem_of(catalogue, wanted, PlanningWorld(held, {"furnace": 1}))
    reached = reach(problem)
    fuels = tuple(fuel for fuel in catalogue.fuels if fuel in reached.things)
    left = without_vain_fuels(problem, reached, Scope(problem.ways, fuels))
    return [way.activity for way in left.ways], left.fuels


@given(st.integers(1, 12), st.integers(1, 4), st.integers(1, 12), st.integers(1, 6), st.data())
def test_what_a_waste_takes_does_for_what_it_makes_however_it_is_shared_out(
    each: int, taken: int, burns: int, made: int, data: st.DataObject
) -> None:
    assume(is_waste(craft("made", made, {"taken": taken}), {"taken": each, "made": burns}))
    several = made > 1  # what is made one by one is burnt where all that it takes can be
    smelted = data.draw(st.lists(st.integers(1, 9), min_size=1, max_size=4 if several else 1))
    firings = pieces(sum(pieces(QUARTERS * n, burns) for n in smelted), made)
    assert sum(pieces(QUARTERS * n, each) for n in smelted) <= firings * taken


def test_making_a_fuel_is_a_waste_where_what_it_takes_reaches_as_far() -> None:
    assert [way for way in CRAFTS if is_waste(way, HEAT)] == [STICKS, FENCES, DYED, BLEACHED]
    assert not is_waste(GLASS, HEAT)


def test_slabs_reach_where_their_planks_do_not() -> None:
    sand_and_clay = {"sand": 2, "clay": 2}
    assert plan({**sand_and_clay, "planks": 3}, glass=2, brick=2).steps[0].target == "slab"
    assert not plan({**sand_and_clay, "planks": 2}, glass=2, brick=2).found


def test_nothing_is_dyed_to_be_burnt() -> None:
    ways, fuels = kept(HELD, glass=1)
    assert ways == [SLABS, KNITTED, GLASS]
    assert fuels == ("planks", "slab", "white_wool")


def test_what_is_wanted_is_made_in_any_way_and_burnt_where_it_is_held() -> None:
    ways, fuels = kept({**HELD, "red_wool": 1}, glass=1, white_wool=2)
    assert ways == [SLABS, DYED, BLEACHED, KNITTED, GLASS]
    assert fuels == ("planks", "red_wool", "slab", "white_wool")


def test_what_leaves_something_behind_is_worth_burning() -> None:
    tray = craft("tray", 1, {"planks": 1})
    domain = replace(
        DOMAIN, making=(tray, GLASS), fuels={**HEAT, "tray": 6}, remainders={"tray": "pan"}
    )
    held = PlanningWorld({"planks": 1, "sand": 1}, {"furnace": 1})
    found = Planner(domain).plan((ItemGoal("pan", 1), ItemGoal("glass", 1)), held)
    assert [step.target for step in found.steps] == ["tray", "glass"]


def test_fuels_that_burn_alike_are_burnt_together() -> None:
    smelting = plan({"sand": 4, "white_wool": 4, "red_wool": 4}, glass=4).steps[-1]
    assert smelting.consumes == {"sand": 4, "white_wool": 4, "red_wool": 4}
    assert not plan({"sand": 4, "white_wool": 4, "red_wool": 3}, glass=4).found
