"""What chests hold counts as a source, at the price of the walk there."""

import pytest
from support.plans_told import told

from bots.goals.activity import Activity, Domain, PlanningWorld, Stored
from bots.goals.goal import Goal, ItemGoal
from bots.goals.plan import Plan
from bots.goals.planning.planner import Planner
from bots.goals.planning.replay import replay

ITEMS = frozenset({"oak_log", "oak_planks", "bookshelf", "bow", "iron_pickaxe", "raw_iron"})
DOMAIN = Domain(
    "chests",
    ITEMS,
    frozenset({"oak_log", "raw_iron"}),
    (Activity("craft", "oak_planks", {"oak_planks": 4}, {"oak_log": 1}, {}, None, None, 20, 4),),
    {
        "oak_log": (Activity("gather", "oak_log", {"oak_log": 1}, fixed_ticks=100, unit_ticks=60),),
        "raw_iron": (Activity("gather", "raw_iron", {"raw_iron": 1}, tool="iron_pickaxe"),),
    },
    {},
    {},
    {},
    chest_ticks=150,
)
PLANNER = Planner(DOMAIN)


def plan(stored: dict[str, Stored], *goals: Goal, **near: int) -> Plan:
    world = PlanningWorld({}, near, stored=stored)
    found = PLANNER.plan(goals, world)
    if found.found:
        replay(DOMAIN, world, found.steps)
    return found


def did(found: Plan) -> list[tuple[str, str, int]]:
    return [(step.action, step.target, step.count) for step in found.steps]


@pytest.mark.parametrize(
    ("stored", "goal", "near", "steps"),
    [
        ({"oak_log": 2}, ItemGoal("oak_planks", 8), {},
         "take 2 oak_log -> 2 oak_log; craft 8 oak_planks of 2 oak_log -> 8 oak_planks"),
        ({"oak_log": 1}, ItemGoal("oak_log", 2), {}, "impossible"),
        ({"oak_log": 5}, ItemGoal("oak_log", 8), {"oak_log": 9},
         "take 5 oak_log -> 5 oak_log; gather 3 oak_log -> 3 oak_log"),
        ({"iron_pickaxe": 1}, ItemGoal("raw_iron", 1), {"raw_iron": 1},
         "take 1 iron_pickaxe -> 1 iron_pickaxe; "
         "gather 1 raw_iron with iron_pickaxe -> 1 raw_iron"),
        ({"bow": 1}, ItemGoal("bow", 1), {}, "take 1 bow -> 1 bow"),
        ({}, ItemGoal("oak_planks", 4), {"oak_log": 1},
         "gather 1 oak_log -> 1 oak_log; craft 4 oak_planks of 1 oak_log -> 4 oak_planks"),
    ],
    ids=["nothing else gives it", "too little", "the rest is dug", "a tool to work with",
         "what is dear and asked for", "no chest"],
)  # fmt: skip
def test_what_a_chest_holds_is_taken_and_no_more(
    stored: dict[str, int], goal: Goal, near: dict[str, int], steps: str
) -> None:
    found = plan({item: Stored(count, 5.0) for item, count in stored.items()}, goal, **near)
    assert (told(found), found.optimal) == (steps, found.found)


def test_a_tree_beside_is_nearer_than_a_chest_far_off() -> None:
    near, far = Stored(9, 2.0), Stored(9, 60.0)
    assert did(plan({"oak_log": near}, ItemGoal("oak_log", 1), oak_log=9))[0][0] == "take"
    assert did(plan({"oak_log": far}, ItemGoal("oak_log", 1), oak_log=9))[0][0] == "gather"
