"""What chests hold counts as a source, at the price of the walk there."""

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


def test_what_a_chest_holds_is_taken_where_nothing_else_gives_it() -> None:
    found = plan({"oak_log": Stored(2, 5.0)}, ItemGoal("oak_planks", 8))
    assert did(found) == [("take", "oak_log", 2), ("craft", "oak_planks", 8)]
    assert found.optimal


def test_no_more_is_taken_than_there_is() -> None:
    assert not plan({"oak_log": Stored(1, 5.0)}, ItemGoal("oak_log", 2)).found
    more = plan({"oak_log": Stored(5, 5.0)}, ItemGoal("oak_log", 8), oak_log=9)
    assert sorted(did(more)) == [("gather", "oak_log", 3), ("take", "oak_log", 5)]


def test_a_tree_beside_is_nearer_than_a_chest_far_off() -> None:
    near, far = Stored(9, 2.0), Stored(9, 60.0)
    assert did(plan({"oak_log": near}, ItemGoal("oak_log", 1), oak_log=9))[0][0] == "take"
    assert did(plan({"oak_log": far}, ItemGoal("oak_log", 1), oak_log=9))[0][0] == "gather"


def test_a_tool_is_fetched_to_work_with() -> None:
    found = plan({"iron_pickaxe": Stored(1, 5.0)}, ItemGoal("raw_iron", 1), raw_iron=1)
    assert did(found) == [("take", "iron_pickaxe", 1), ("gather", "raw_iron", 1)]


def test_what_is_dear_is_fetched_only_when_it_is_asked_for() -> None:
    stored = {"bow": Stored(1, 5.0)}
    assert did(plan(stored, ItemGoal("bow", 1))) == [("take", "bow", 1)]


def test_what_is_in_no_chest_changes_nothing() -> None:
    assert did(plan({}, ItemGoal("oak_planks", 4), oak_log=1)) == [
        ("gather", "oak_log", 1),
        ("craft", "oak_planks", 4),
    ]
