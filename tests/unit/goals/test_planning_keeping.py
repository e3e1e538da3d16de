"""Plans leave alone what is dear, unless a goal says that it may be used."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.plans_told import told

from bots.goals.activity import Activity, Domain, PlanningWorld
from bots.goals.explain.explain import Explainer
from bots.goals.goal import EquipmentGoal, Goal, ItemGoal, PlacedGoal, WithItem
from bots.goals.plan import Plan
from bots.goals.planning.planner import Planner
from bots.skills.belongings import is_dear


def craft(target: str, parts: dict[str, int]) -> Activity:
    return Activity("craft", target, {target: 1}, parts, {}, None, None, 20, 4)


def smelt(target: str, *raws: str) -> Activity:
    """Of any of several."""
    return Activity("smelt", target, {target: 1}, {}, {raws: 1}, "furnace", None, 60, 200)


def dig(block: str, tool: str | None = None) -> Activity:
    return Activity("gather", block, {block: 1}, tool=tool, fixed_ticks=120, unit_ticks=60)


DOMAIN = Domain(
    "keeping",
    frozenset({"bookshelf", "book", "planks", "lectern", "iron_sword", "iron_pickaxe", "coal"}),
    frozenset(),
    (
        craft("bookshelf", {"planks": 6, "book": 3}),
        craft("lectern", {"planks": 4, "bookshelf": 1}),
        craft("shrine", {"lectern": 1}),
        smelt("iron_nugget", "iron_pickaxe", "iron_sword"),
        Activity("smelt", "iron_ingot", {"iron_ingot": 1}, {"raw_iron": 1}, {}, "furnace"),
    ),
    {"planks": (dig("planks"),), "raw_iron": (dig("raw_iron", "iron_pickaxe"),)},
    {},
    {"coal": 32, "planks": 6, "bookshelf": 6, "jukebox": 6, "bow": 6, "chest": 6},
    {},
    tool_order=("iron_pickaxe",),
)
PLANNER = Planner(DOMAIN)
NEAR = {"furnace": 1, "planks": 64, "raw_iron": 9}


def plan(held: dict[str, int], *goals: Goal, near: dict[str, int] = NEAR) -> Plan:
    return PLANNER.plan(goals, PlanningWorld(held, near))


def used(found: Plan) -> set[str]:
    assert found.found, found.message
    return {item for step in found.steps for item in step.consumes}


SHRINE, INGOTS, WITH_SHELF = ItemGoal("shrine", 1), ItemGoal("iron_ingot", 3), WithItem("bookshelf")
DEAR = {"jukebox": 1, "bookshelf": 2, "bow": 1, "raw_iron": 3}
ARMS = {"iron_pickaxe": 1, "iron_sword": 1, "coal": 1}
A_LECTERN = "craft 1 lectern of 1 bookshelf, 4 planks -> 1 lectern"
A_SHRINE = "craft 1 shrine of 1 lectern -> 1 shrine"


@pytest.mark.parametrize(
    ("held", "goals", "near", "steps"),
    [
        (DEAR, [INGOTS], NEAR,
         "gather 2 planks -> 2 planks; smelt 3 iron_ingot of 2 planks, 3 raw_iron -> 3 iron_ingot"),
        (DEAR, [INGOTS, WITH_SHELF], NEAR,
         "smelt 3 iron_ingot of 2 bookshelf, 3 raw_iron -> 3 iron_ingot"),
        ({"bookshelf": 1, "planks": 4}, [SHRINE], {}, "impossible"),
        ({"bookshelf": 1, "planks": 4}, [SHRINE, WITH_SHELF], {}, f"{A_LECTERN}; {A_SHRINE}"),
        ({"bookshelf": 1, "planks": 4}, [ItemGoal("lectern", 1)], {}, A_LECTERN),
        ({"bookshelf": 1, "book": 3, "planks": 10}, [SHRINE], {},
         f"craft 1 bookshelf of 3 book, 6 planks -> 1 bookshelf; {A_LECTERN}; {A_SHRINE}"),
        ({"bookshelf": 2}, [ItemGoal("bookshelf", 2)], NEAR, "nothing to do"),
        ({"bow": 1}, [EquipmentGoal("bow")], NEAR, "equip 1 bow"),
        ({"bookshelf": 1, "book": 3}, [ItemGoal("bookshelf", 1, more=True)], NEAR,
         "gather 6 planks -> 6 planks; craft 1 bookshelf of 3 book, 6 planks -> 1 bookshelf"),
        ({"chest": 1}, [PlacedGoal("chest", 1)], {}, "place 1 chest of 1 chest"),
        (ARMS, [ItemGoal("raw_iron", 1)], NEAR,
         "gather 1 raw_iron with iron_pickaxe -> 1 raw_iron"),
        (ARMS, [ItemGoal("iron_nugget", 1)], NEAR, "impossible"),
        (ARMS, [ItemGoal("iron_nugget", 1), WithItem("iron_sword")], NEAR,
         "smelt 1 iron_nugget of 1 coal, 1 iron_sword -> 1 iron_nugget"),
    ],
    ids=["nothing dear is burnt", "what the goal names is burnt", "nor made something else of",
         "unless the goal names it", "a lectern means its bookshelf", "what the plan made itself",
         "what is asked for is there", "worn", "one more of it", "placed from the bag",
         "a tool is worked with", "and not smelted", "unless the goal names that"],
)  # fmt: skip
def test_what_is_dear_is_used_only_where_the_goal_says_so(
    held: dict[str, int], goals: list[Goal], near: dict[str, int], steps: str
) -> None:
    assert told(plan(held, *goals, near=near)) == steps


def test_an_impossible_goal_tells_which_word_would_make_it_possible() -> None:
    goals, world = (
        (ItemGoal("iron_ingot", 1),),
        PlanningWorld({"bookshelf": 1, "jukebox": 1, "raw_iron": 1}, {"furnace": 1}),
    )
    told = Explainer(PLANNER).explain(goals, world, PLANNER.plan(goals, world))
    assert told.nearest in {
        "inventory.iron_ingot:1 with:bookshelf",
        "inventory.iron_ingot:1 with:jukebox",
    }
    assert f"Possible: {told.nearest}." in told.message


@given(st.dictionaries(st.sampled_from(sorted(DOMAIN.fuels)), st.integers(1, 3)))
def test_nothing_dear_that_is_held_is_ever_burnt(held: dict[str, int]) -> None:
    found = plan({**held, "raw_iron": 4}, ItemGoal("iron_ingot", 4))
    assert not any(map(is_dear, used(found)))
