"""Plans leave alone what is dear, unless a goal says that it may be used."""

from hypothesis import given
from hypothesis import strategies as st

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


def test_jukebox_bookshelf_and_bow_are_not_burnt() -> None:
    held = {"jukebox": 1, "bookshelf": 1, "bow": 1, "raw_iron": 3}
    assert used(plan(held, ItemGoal("iron_ingot", 3))) == {"raw_iron", "planks"}


def test_what_the_goal_says_may_be_burnt_is_burnt() -> None:
    held = {"jukebox": 1, "bookshelf": 2, "bow": 1, "raw_iron": 3}
    found = plan(held, ItemGoal("iron_ingot", 3), WithItem("bookshelf"))
    assert used(found) == {"raw_iron", "bookshelf"}


def test_what_is_dear_is_nothing_to_make_other_things_of() -> None:
    held, shrine = {"bookshelf": 1, "planks": 4}, ItemGoal("shrine", 1)
    assert not plan(held, shrine, near={}).found
    assert plan(held, shrine, WithItem("bookshelf"), near={}).found


def test_whoever_asks_for_a_lectern_means_the_bookshelf_in_it() -> None:
    found = plan({"bookshelf": 1, "planks": 4}, ItemGoal("lectern", 1), near={})
    assert used(found) == {"bookshelf", "planks"}


def test_what_a_plan_made_itself_it_may_use() -> None:
    found = plan({"bookshelf": 1, "book": 3, "planks": 10}, ItemGoal("shrine", 1), near={})
    assert [step.target for step in found.steps] == ["bookshelf", "lectern", "shrine"]


def test_what_is_kept_counts_for_goals_that_ask_for_it() -> None:
    assert plan({"bookshelf": 2}, ItemGoal("bookshelf", 2)).steps == ()
    assert plan({"bow": 1}, EquipmentGoal("bow")).found
    more = plan({"bookshelf": 1, "book": 3}, ItemGoal("bookshelf", 1, more=True))
    assert [step.target for step in more.steps] == ["planks", "bookshelf"]


def test_what_is_to_be_placed_is_taken_from_the_bag() -> None:
    placed = plan({"chest": 1}, PlacedGoal("chest", 1), near={})
    assert [(step.action, step.target) for step in placed.steps] == [("place", "chest")]


def test_a_tool_is_worked_with_and_still_there_at_the_end() -> None:
    held = {"iron_pickaxe": 1, "iron_sword": 1, "coal": 1}
    assert plan(held, ItemGoal("raw_iron", 1)).steps[0].tool == "iron_pickaxe"
    assert not plan(held, ItemGoal("iron_nugget", 1)).found
    assert used(plan(held, ItemGoal("iron_nugget", 1), WithItem("iron_sword"))) == {
        "iron_sword",
        "coal",
    }


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
