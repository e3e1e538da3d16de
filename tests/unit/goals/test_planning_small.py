"""The planner on a small hand-made domain."""

import dataclasses
from dataclasses import replace

import pytest
from support.plans_told import told

from bots.goals.activity import Activity, Domain, PlanningWorld, Station
from bots.goals.domain.costs import walk_s
from bots.goals.goal import (
    EquipmentGoal,
    Goal,
    ItemGoal,
    PlacedAtGoal,
    PlacedGoal,
    PositionGoal,
    WithItem,
)
from bots.goals.plan import Plan, Step
from bots.goals.planning.planner import UNDECIDED, Planner, trimmed, without_spare_blocks
from bots.goals.planning.problem import start_of
from bots.goals.planning.replay import ReplayError, replay
from bots.goals.planning.ways import Catalogue, Firing, Near
from bridge.world import Position

PLANKS = ("birch_planks", "oak_planks")


def dig(block: str, gives: str, unit: int, tool: str | None = None) -> Activity:
    return Activity("gather", block, {gives: 1}, tool=tool, fixed_ticks=120, unit_ticks=unit)


def craft(
    target: str,
    count: int,
    consumes: dict[str, int],
    pools: dict[tuple[str, ...], int] | None = None,
    table: bool = False,
) -> Activity:
    station: Station | None = "crafting_table" if table else None
    return Activity("craft", target, {target: count}, consumes, pools or {}, station, None, 20, 4)


def smelt(target: str, raw: str) -> Activity:
    return Activity("smelt", target, {target: 1}, {raw: 1}, {}, "furnace", None, 60, 200)


def put(station: Station) -> Activity:
    return Activity("place", station, {}, {station: 1}, fixed_ticks=40)


def by_tiers(block: str, gives: str, **units: int) -> tuple[Activity, ...]:
    return tuple(dig(block, gives, unit, f"{tier}_pickaxe") for tier, unit in units.items())


DOMAIN = Domain(
    version="small",
    items=frozenset(),
    blocks=frozenset(),
    making=(
        craft("oak_planks", 4, {"oak_log": 1}),
        craft("birch_planks", 4, {"birch_log": 1}),
        craft("crafting_table", 1, {}, {PLANKS: 4}),
        craft("stick", 4, {}, {PLANKS: 2}),
        craft("chest", 1, {}, {PLANKS: 8}, table=True),
        craft("boat", 1, {}, {PLANKS: 5}, table=True),
        craft("wooden_pickaxe", 1, {"stick": 2}, {PLANKS: 3}, table=True),
        craft("stone_pickaxe", 1, {"stick": 2, "cobblestone": 3}, table=True),
        craft("iron_pickaxe", 1, {"stick": 2, "iron_ingot": 3}, table=True),
        craft("furnace", 1, {"cobblestone": 8}, table=True),
        craft("iron_block", 1, {"iron_ingot": 9}, table=True),
        craft("iron_ingot", 9, {"iron_block": 1}),
        smelt("iron_ingot", "iron_ore"),
        smelt("glass", "sand"),
    ),
    digging={
        "oak_log": (dig("oak_log", "oak_log", 60),),
        "birch_log": (dig("birch_log", "birch_log", 60),),
        "sand": (dig("sand", "sand", 20),),
        "stone": by_tiers("stone", "cobblestone", wooden=43, stone=31, iron=28),
        "iron_ore": by_tiers("iron_ore", "iron_ore", stone=43, iron=35),
        "crafting_table": (dig("crafting_table", "crafting_table", 70),),
        "furnace": by_tiers("furnace", "furnace", wooden=70),
    },
    placing={"crafting_table": put("crafting_table"), "furnace": put("furnace")},
    fuels={
        "oak_planks": 6,
        "birch_planks": 6,
        "stick": 2,
        "coal": 32,
        "boat": 24,
        "lava_bucket": 400,
    },
    remainders={"lava_bucket": "bucket"},
    tool_order=("wooden_pickaxe", "stone_pickaxe", "iron_pickaxe"),
)
PLANNER = Planner(DOMAIN)
LAND = {"oak_log": 24, "stone": 400, "iron_ore": 12, "sand": 20}


def world(inventory: dict[str, int] | None = None, **nearby: int) -> PlanningWorld:
    return PlanningWorld(inventory or {}, nearby or LAND)


def kinds(plan: Plan) -> list[tuple[str, str]]:
    return [(step.action, step.target) for step in plan.steps]


def test_an_iron_pickaxe_is_planned_from_nothing_and_proven_cheapest() -> None:
    plan = PLANNER.plan((ItemGoal("iron_pickaxe", 1),), world())
    assert (plan.found, plan.optimal, len(plan.steps)) == (True, True, 13)
    assert replay(DOMAIN, world(), plan.steps).inventory["iron_pickaxe"] == 1


def test_no_step_of_a_plan_can_be_left_out() -> None:
    plan = PLANNER.plan((ItemGoal("iron_pickaxe", 1),), world())
    for number in range(len(plan.steps)):
        rest = (*plan.steps[:number], *plan.steps[number + 1 :])
        try:
            left = replay(DOMAIN, world(), rest)
        except ReplayError:
            continue
        assert not left.inventory.get("iron_pickaxe"), plan.steps[number]


TABLE, TABLE_PUT = ItemGoal("crafting_table", 1), "place 1 crafting_table of 1 crafting_table"
INGOTS, LAVA = {"iron_ingot": 9, "crafting_table": 1}, {"lava_bucket": 2, "furnace": 1}
WITH_LAVA, PUT_FURNACE = WithItem("lava_bucket"), "place 1 furnace of 1 furnace"
ONE_GLASS = "smelt 1 glass of 1 lava_bucket, 1 sand -> 1 bucket, 1 glass"
AT_A_TABLE = replace(world(), workbench_near=True)


@pytest.mark.parametrize(
    ("goals", "at", "steps"),
    [
        ([ItemGoal("chest", 1)],
         world({"oak_planks": 3, "birch_planks": 5, "crafting_table": 1}, dirt=1),
         f"{TABLE_PUT}; craft 1 chest of 5 birch_planks, 3 oak_planks -> 1 chest"),
        ([ItemGoal("oak_planks", 4, more=True)], world({"oak_planks": 8}),
         "gather 1 oak_log -> 1 oak_log; craft 4 oak_planks of 1 oak_log -> 4 oak_planks"),
        ([ItemGoal("chest", 1)], AT_A_TABLE,
         "gather 2 oak_log -> 2 oak_log; craft 8 oak_planks of 2 oak_log -> 8 oak_planks; "
         "craft 1 chest of 8 oak_planks -> 1 chest"),
        ([TABLE], PlanningWorld({}, {"stone": 1}, workbench_near=True), "impossible"),
        ([TABLE], world(None, crafting_table=1), "gather 1 crafting_table -> 1 crafting_table"),
        ([PlacedGoal("oak_log", 26)], world(None, oak_log=24, birch_log=3), "impossible"),
        ([PlacedGoal("oak_log", 3)], world({"oak_log": 1}, oak_log=2),
         "place 1 oak_log of 1 oak_log"),
        ([ItemGoal("glass", 5), WITH_LAVA], world(LAVA, sand=9),
         f"{PUT_FURNACE}; gather 5 sand -> 5 sand; "
         "smelt 5 glass of 1 lava_bucket, 5 sand -> 1 bucket, 5 glass"),
        ([ItemGoal("bucket", 2), WITH_LAVA], world({**LAVA, "sand": 1}, stone=1), "impossible"),
        ([ItemGoal("bucket", 2), WITH_LAVA], world({**LAVA, "sand": 2}, stone=1),
         f"{PUT_FURNACE}; {ONE_GLASS}; {ONE_GLASS}"),
        ([ItemGoal("iron_block", 1)], world(INGOTS, dirt=1),
         f"{TABLE_PUT}; craft 1 iron_block of 9 iron_ingot -> 1 iron_block"),
        ([ItemGoal("iron_block", 2)], world(INGOTS, dirt=1), "impossible"),
        ([ItemGoal("iron_ingot", 10)], world(INGOTS, dirt=1), "impossible"),
        ([ItemGoal("stone_pickaxe", 1)], world({"stick": 9, "crafting_table": 1}, stone=9),
         "impossible"),
    ],
    ids=["two woods make a chest", "n more", "a table that is near is used", "and not dug up",
         "a table that is counted is dug up", "too few blocks to stand", "one more has to stand",
         "fuel is in its step and the bucket comes back", "lava is not burnt for its bucket alone",
         "but for glass", "ingots make a block", "and no more", "nor does a block",
         "a tool cannot mine what it is made of"],
)  # fmt: skip
def test_a_small_plan_is_known_to_the_last_step(
    goals: list[Goal], at: PlanningWorld, steps: str
) -> None:
    assert told(PLANNER.plan(tuple(goals), at)) == steps


@pytest.mark.parametrize(
    "goal",
    [
        ItemGoal("oak_log", 2),
        ItemGoal("oak_log", 3),
        ItemGoal("stick", 0),
        ItemGoal("stick", 0, True),
    ],
)
def test_a_goal_that_is_met_is_an_empty_plan(goal: Goal) -> None:
    plan = PLANNER.plan((goal,), world({"oak_log": 3}))
    assert (plan.found, plan.optimal, plan.steps, plan.cost_s) == (True, True, (), 0)


def test_goals_together_share_the_way_there() -> None:
    pickaxe, chest = ItemGoal("stone_pickaxe", 1), ItemGoal("chest", 1)
    both = PLANNER.plan((pickaxe, chest), world())
    alone = [PLANNER.plan((goal,), world()).cost_s for goal in (pickaxe, chest)]
    assert both.cost_s < sum(alone)
    assert [kind for kind, target in kinds(both) if target == "crafting_table"] == [
        "craft",
        "place",
    ]


def test_a_placed_station_serves_the_other_goals_too() -> None:
    goals = (PlacedGoal("crafting_table", 1), ItemGoal("chest", 1))
    plan = PLANNER.plan(goals, world())
    assert kinds(plan).count(("place", "crafting_table")) == 1


def test_what_is_worn_is_made_first_and_the_way_is_gone_last() -> None:
    goals = (PositionGoal(Position(3, 64, -8)), EquipmentGoal("wooden_pickaxe"))
    plan = PLANNER.plan(goals, world())
    assert kinds(plan)[-3:] == [
        ("craft", "wooden_pickaxe"),
        ("equip", "wooden_pickaxe"),
        ("move", "3,64,-8"),
    ]


def test_a_better_tool_is_made_where_it_pays() -> None:
    few = PLANNER.plan((ItemGoal("cobblestone", 2),), world())
    many = PLANNER.plan((ItemGoal("cobblestone", 200),), world())
    assert ("craft", "stone_pickaxe") not in kinds(few)
    assert ("craft", "stone_pickaxe") in kinds(many)


def test_much_is_planned_like_little() -> None:
    plan = PLANNER.plan((ItemGoal("oak_planks", 40_000),), world(None, oak_log=10_000))
    assert plan.found
    assert replay(DOMAIN, world(None, oak_log=10_000), plan.steps).inventory["oak_planks"] == 40_000


def test_the_same_question_has_the_same_answer() -> None:
    goals = (ItemGoal("iron_pickaxe", 2), ItemGoal("chest", 3))
    plans = [Planner(DOMAIN).plan(goals, world()).steps for _ in range(2)]
    assert plans[0] == plans[1]


def test_a_deadline_never_makes_a_possible_goal_impossible() -> None:
    plan = PLANNER.plan((ItemGoal("iron_pickaxe", 1),), world(), deadline_s=-1.0)
    assert plan.found


def test_what_is_possible_is_known_without_the_best_plan() -> None:
    goals = (ItemGoal("iron_pickaxe", 1),)
    assert PLANNER.possible(goals, world())
    assert not PLANNER.possible(goals, world(None, oak_log=24, stone=400))


@pytest.mark.parametrize(("logs", "found"), [(1, True), (0, False)])
def test_a_table_that_is_still_needed_is_not_burnt(logs: int, found: bool) -> None:
    planner = Planner(dataclasses.replace(DOMAIN, fuels={**DOMAIN.fuels, "crafting_table": 6}))
    held = {"iron_ore": 9, "oak_planks": 9, "furnace": 1}
    plan = planner.plan((ItemGoal("iron_block", 1),), world(held, dirt=1, oak_log=logs))
    assert (plan.found, plan.message == UNDECIDED) == (found, False)


def test_holding_more_never_costs_more() -> None:
    goals = (ItemGoal("iron_pickaxe", 1),)
    least = PLANNER.plan(goals, world(), proof=True)
    for item in ("oak_log", "stick", "wooden_pickaxe", "cobblestone", "furnace", "coal"):
        more = PLANNER.plan(goals, world({item: 2}), proof=True)
        assert (more.optimal, more.cost_s <= least.cost_s) == (True, True), item


@pytest.mark.parametrize(
    ("step", "why"),
    [
        (Step("gather", "oak_log", 25, produces={"oak_log": 25}), "25 oak_log"),
        (Step("gather", "oak_log", 1, produces={"oak_log": 2}), "nothing in the domain"),
        (
            Step("gather", "stone", 1, tool="wooden_pickaxe", produces={"cobblestone": 1}),
            "no wooden",
        ),
        (
            Step("craft", "oak_planks", 4, "hand", None, {"oak_log": 1}, {"oak_planks": 4}),
            "1 oak_log",
        ),
        (
            Step("craft", "stick", 4, "hand", None, {"oak_planks": 1}, {"stick": 4}),
            "nothing in the",
        ),
        (Step("place", "furnace", 1, consumes={"furnace": 1}), "1 furnace"),
        (Step("equip", "oak_log", 1), "no oak_log"),
        (
            Step("smelt", "glass", 1, "furnace", None, {"sand": 1, "coal": 1}, {"glass": 1}),
            "no furnace",
        ),
    ],
)
def test_replay_refuses_a_step_that_cannot_be_done(step: Step, why: str) -> None:
    held = {"oak_planks": 2, "sand": 1, "coal": 2}
    with pytest.raises(ReplayError, match=why):
        replay(DOMAIN, world(held), (step,))


def test_replay_refuses_fuel_that_is_too_little_or_too_much() -> None:
    there = dataclasses.replace(world({"sand": 9, "coal": 9, "stick": 9}), furnace_near=True)
    for fuel in ({"stick": 1}, {"coal": 2}, {}):
        step = Step("smelt", "glass", 1, "furnace", None, {"sand": 1, **fuel}, {"glass": 1})
        with pytest.raises(ReplayError):
            replay(DOMAIN, there, (step,))
    good = Step("smelt", "glass", 1, "furnace", None, {"sand": 1, "stick": 2}, {"glass": 1})
    assert replay(DOMAIN, there, (good,)).inventory == {
        "sand": 8,
        "coal": 9,
        "stick": 7,
        "glass": 1,
    }


WOODS = PlanningWorld({}, {"oak_log": 9, "sand": 9})
TWO_LOGS = Step("gather", "oak_log", 2, produces={"oak_log": 2}, cost_s=12.0)
THREE_SAND = Step("gather", "sand", 3, produces={"sand": 3}, cost_s=9.0)
EIGHT_PLANKS = Step(
    "craft", "oak_planks", 8, "hand", None, {"oak_log": 2}, {"oak_planks": 8}, cost_s=1.4
)
A_TABLE = Step(
    "craft", "crafting_table", 1, "hand", None, {"oak_planks": 4}, {"crafting_table": 1}, 1.2
)
PUT_TABLE = Step("place", "crafting_table", 1, None, None, {"crafting_table": 1}, {}, 2.0)


def test_what_nothing_needs_is_left_out() -> None:
    steps = (TWO_LOGS, THREE_SAND, EIGHT_PLANKS, A_TABLE, PUT_TABLE)
    assert trimmed(DOMAIN, WOODS, steps, {"oak_planks": 4}) == (TWO_LOGS, EIGHT_PLANKS)


def test_what_is_wanted_near_is_needed() -> None:
    steps = (TWO_LOGS, THREE_SAND, EIGHT_PLANKS, A_TABLE, PUT_TABLE)
    kept = trimmed(DOMAIN, WOODS, steps, {Near("crafting_table"): 1})
    assert kept == (TWO_LOGS, EIGHT_PLANKS, A_TABLE, PUT_TABLE)


def test_a_plan_without_anything_needless_stays_as_it_is() -> None:
    assert trimmed(DOMAIN, WOODS, (THREE_SAND,), {"sand": 3}) == (THREE_SAND,)


def test_a_plan_that_cannot_be_carried_out_is_an_error() -> None:
    with pytest.raises(ReplayError):
        trimmed(DOMAIN, WOODS, (EIGHT_PLANKS,), {"oak_planks": 8})


# --- blocks that are to be put down -------------------------------------------------------


def test_what_is_put_down_is_wanted_beside_what_is_kept() -> None:
    goals = (ItemGoal("crafting_table", 1), PlacedAtGoal("crafting_table", Position(3, 64, 3)))
    plan = PLANNER.plan(goals, replace(world({"oak_planks": 8}), counted={}))
    assert [(step.action, step.count) for step in plan.steps] == [("craft", 2), ("place", 1)]


def test_a_table_that_was_put_down_to_work_at_is_one_that_it_placed() -> None:
    goals = (PlacedGoal("crafting_table", 1), ItemGoal("chest", 1))
    plan = PLANNER.plan(goals, replace(world({"oak_planks": 12}), counted={}))
    assert [step.target for step in plan.steps] == ["crafting_table", "crafting_table", "chest"]


def test_what_stands_already_of_its_own_is_not_placed_again() -> None:
    goal = PlacedGoal("oak_planks", 3)
    at = replace(world({"oak_planks": 8}, oak_planks=9), counted={goal.single: 1})
    (step,) = PLANNER.plan((goal,), at).steps
    assert (step.action, step.count) == ("place", 2)


def test_who_is_to_take_off_what_is_not_worn_has_nothing_to_do() -> None:
    goal = EquipmentGoal("wooden_pickaxe", on=False)
    assert PLANNER.plan((goal,), world()).steps == ()
    (step,) = PLANNER.plan((goal,), replace(world(), worn=frozenset({"wooden_pickaxe"}))).steps
    assert step.action == "take_off"


def test_the_way_to_where_it_belongs_is_part_of_the_cost() -> None:
    at = replace(world({"oak_planks": 1}), counted={}, here=Position(0, 64, 0))
    near, far = (
        PLANNER.plan((PlacedAtGoal("oak_planks", Position(x, 64, 0)),), at) for x in (5, 100)
    )
    assert far.cost_s - near.cost_s == pytest.approx(walk_s(95), abs=0.1)


def test_no_more_is_dug_than_the_rest_of_a_plan_takes() -> None:
    catalogue = Catalogue(DOMAIN)
    (dig, *_), (saw, *_) = catalogue.makers["oak_log"], catalogue.makers["oak_planks"]
    plan = (Firing(dig, 5, {}), Firing(saw, 2, {}))
    kept = without_spare_blocks(plan, start_of(WOODS), {"oak_planks": 8}, {})
    assert [firing.count for firing in kept] == [2, 2]
