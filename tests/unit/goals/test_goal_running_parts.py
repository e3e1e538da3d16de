"""The parts that carry out goals, one by one."""

from itertools import islice

import pytest

from bots.errors import CommandError
from bots.goals.activity import Activity, Away, Domain, PlanningWorld
from bots.goals.goal import Goal, ItemGoal, PlacedGoal
from bots.goals.plan import Plan, Step
from bots.goals.runner.journeys import out_of_sight, outlooks, with_all_of_dimension
from bots.goals.runner.recovery import (
    MAX_ALIKE,
    MAX_SETBACKS,
    MAX_STALLS,
    ReplanLimit,
    StepFailed,
    needed,
)
from bots.goals.runner.run import INTENT_LENGTH, intent_of, stage_of
from bots.goals.runner.steps import cooked_over
from bridge.catalogue import Catalogue, ReadCatalogue
from bridge.fake import FakeWorld
from bridge.fake.sensing import read_catalogue, take_snapshot
from bridge.world import PlayerName, Position, WorldSnapshot

STALLED = StepFailed("shortfall", "Something lacked.")


def catalogue() -> Catalogue:
    world = FakeWorld()
    known = read_catalogue(world, world.enter(PlayerName("Reader")), ReadCatalogue())
    assert known is not None
    return known


def carrying(**items: int) -> WorldSnapshot:
    world = FakeWorld()
    body = world.enter(PlayerName("Alice"))
    for item, count in items.items():
        world.give("Alice", item, count)
    return take_snapshot(world, body, 0)


UNANSWERED = StepFailed("internal", "The server does not answer my clicks in the inventory.")


def plan(cost_s: float) -> Plan:
    return Plan("inventory.stick:1", found=True, cost_s=cost_s)


def test_rock_and_what_is_made_where_one_stands_are_no_work_in_the_open() -> None:
    steps = (
        Step("gather", "birch_log", 3, cost_s=10),
        Step("craft", "wooden_pickaxe", 1, cost_s=2),
        Step("gather", "stone", 3, cost_s=20),
        Step("gather", "deepslate_iron_ore", 3, cost_s=40),
        Step("smelt", "iron_ingot", 3, cost_s=30),
        Step("hunt", "cow", 1, cost_s=5),
    )
    whole, goals = Plan("", found=True, steps=steps), (ItemGoal("iron_ingot", 3),)
    outdoors = [stage_of(whole, number, goals, 0.0).outdoors_s for number in range(len(steps))]
    assert outdoors == [15, 0, 0, 0, 0, 5]


# --- limit ---------------------------------------------------------------------------


def test_failed_steps_without_a_cheaper_plan_end_the_run_after_a_few() -> None:
    limit = ReplanLimit()
    for _ in range(MAX_STALLS - 1):
        limit.begin(plan(10))
        limit.count(STALLED)
    limit.begin(plan(10.5))
    with pytest.raises(CommandError) as refusal:
        limit.count(STALLED)
    assert (refusal.value.reason, refusal.value.data["because"]) == ("gave_up", "shortfall")


def test_failed_steps_are_planned_around_as_long_as_plans_get_cheaper() -> None:
    limit = ReplanLimit()
    for cost_s in range(50, 0, -1):
        limit.begin(plan(cost_s))
        limit.count(STALLED)


def test_whoever_has_more_to_do_than_before_begins_anew_with_patience() -> None:
    limit = ReplanLimit()
    nearly = MAX_STALLS - 1
    for cost_s in (*[10] * nearly, *[50] * nearly, *[100] * nearly):
        limit.begin(plan(cost_s))
        limit.count(STALLED)
    limit.begin(plan(100))
    with pytest.raises(CommandError):
        limit.count(STALLED)


def test_what_is_lost_after_it_was_done_counts_as_more_to_do() -> None:
    limit = ReplanLimit()
    for _ in range(MAX_STALLS - 1):
        limit.begin(plan(30))
        limit.count(STALLED)
    limit.done(Step("craft", "stick", 1, cost_s=20))
    limit.begin(plan(30))  # 10 s were left; somebody took what was made
    limit.count(STALLED)


def test_losing_again_and_again_what_was_made_ends_the_run() -> None:
    limit = ReplanLimit()
    for _ in range(1 + MAX_SETBACKS):
        limit.begin(plan(10))
        limit.done(Step("craft", "stick", 1, cost_s=10))
    with pytest.raises(CommandError) as refusal:
        limit.begin(plan(10))
    assert (refusal.value.reason, refusal.value.data["because"]) == ("gave_up", "set_back")


def test_going_up_and_down_ends_the_run_too() -> None:
    limit = ReplanLimit()
    for cost_s in (10, 5) * MAX_SETBACKS:
        limit.begin(plan(cost_s))
        limit.count(STALLED)
    limit.begin(plan(10))
    limit.begin(plan(5))
    with pytest.raises(CommandError):
        limit.begin(plan(10))


def test_what_the_server_does_not_take_three_times_ends_the_run_with_that_sentence() -> None:
    limit, craft = ReplanLimit(), Step("craft", "oak_planks", 4)
    gather = Step("gather", "oak_log", 1)
    for number in range(MAX_ALIKE):
        limit.begin(plan(10 * (number + 1)))
        for step in (gather, craft):
            limit.trying(step)
            if step is gather:
                limit.done(step)
        if number < MAX_ALIKE - 1:
            limit.count(UNANSWERED)
    with pytest.raises(CommandError) as refusal:
        limit.count(UNANSWERED)
    assert refusal.value.message == f"I give up: 3 times the same. {UNANSWERED.message}"


def test_a_kind_of_step_that_went_well_between_may_fail_again() -> None:
    limit, craft = ReplanLimit(), Step("craft", "oak_planks", 4)
    for number in range(2 * MAX_ALIKE):
        limit.begin(plan(100 - number))
        limit.trying(craft)
        limit.count(UNANSWERED)
        limit.done(craft)


def test_what_failed_most_often_is_named_when_a_run_was_set_back_too_often() -> None:
    limit, closed = ReplanLimit(), "The way was closed."
    for number in range(1 + MAX_SETBACKS):
        limit.begin(plan(10 * (number + 1)))
        words = "Somebody stood there." if number == 2 else closed
        limit.count(StepFailed("blocked", words))
    with pytest.raises(CommandError) as refusal:
        limit.begin(plan(1_000))
    assert refusal.value.message.endswith(f"{MAX_SETBACKS} times: {closed}")


def test_a_plan_that_failed_is_not_begun_again_while_nothing_changes() -> None:
    limit = ReplanLimit()
    limit.begin(plan(10), "oak here")
    limit.count(STALLED)
    limit.begin(plan(10), "oak there")
    limit.count(STALLED)
    with pytest.raises(CommandError) as refusal:
        limit.begin(plan(10), "oak here")
    assert (refusal.value.reason, refusal.value.data["because"]) == ("gave_up", "shortfall")
    assert "no other way" in refusal.value.message


def test_a_plan_may_be_begun_again_after_a_step_was_done_or_by_mishap_undone() -> None:
    limit = ReplanLimit()
    limit.begin(plan(10), "oak")
    limit.count(STALLED)
    limit.begin(plan(9), "birch")
    limit.done(Step("craft", "stick", 1, cost_s=1))
    limit.begin(plan(9), "oak")
    limit.count(StepFailed("died", "I died."))
    limit.begin(plan(9), "oak")
    limit.count(StepFailed("blocked", "Somebody stood there."))
    limit.begin(plan(9), "oak")


# --- the bag ----------------------------------------------------------------------------


def test_what_steps_use_and_goals_ask_for_is_needed() -> None:
    steps = [
        Step("craft", "furnace", 1, consumes={"cobblestone": 8}),
        Step("craft", "stone_pickaxe", 1, consumes={"cobblestone": 3, "stick": 2}),
    ]
    goals: list[Goal] = [ItemGoal("cobblestone", 10), PlacedGoal("furnace", 1)]
    assert needed(steps, goals) == {"cobblestone": 21, "stick": 2, "furnace": 1}


# --- fire -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "fires"),
    [
        (
            Step(
                "smelt",
                "iron_ingot",
                10,
                consumes={"iron_ore": 10, "oak_log": 1, "stick": 1, "coal": 1},
            ),
            [("iron_ore", 10, ("coal", "oak_log", "stick"))],
        ),
        (
            Step("smelt", "charcoal", 3, consumes={"oak_log": 5}),
            [("oak_log", 3, ("oak_log", "oak_log"))],
        ),
        (
            Step("smelt", "charcoal", 3, consumes={"birch_log": 2, "oak_log": 2}),
            [("birch_log", 2, ("oak_log",)), ("oak_log", 1, ())],
        ),
    ],
)
def test_what_is_cooked_up_to_the_count_and_what_burns_are_told_apart(
    step: Step, fires: list[tuple[str, int, tuple[str, ...]]]
) -> None:
    assert list(cooked_over(step, catalogue())) == fires


def test_several_raw_things_share_the_fuel() -> None:
    step = Step("smelt", "charcoal", 4, consumes={"oak_log": 3, "birch_log": 1, "oak_planks": 3})
    shared = list(cooked_over(step, catalogue()))
    assert [(raw, count) for raw, count, _ in shared] == [("oak_log", 3), ("birch_log", 1)]
    assert sum(len(pieces) for _, _, pieces in shared) == 3
    assert all(pieces for _, _, pieces in shared)


# --- seeking ----------------------------------------------------------------------------


def digging(*blocks: str) -> Domain:
    ways = {block: (Activity("gather", block, {block: 1}),) for block in blocks}
    names = frozenset(blocks)
    return Domain("1.16.5", names, names, (), ways, {}, {}, {})


def test_what_the_dimension_holds_is_wished_for_and_nothing_else() -> None:
    domain = digging("spruce_log", "diamond_ore", "netherrack", "wheat", "oak_planks")
    world = PlanningWorld({"stick": 1}, {"oak_planks": 4})
    assumed = with_all_of_dimension(world, domain, "overworld", 64)
    assert {*assumed.nearby} == {"spruce_log", "diamond_ore", "oak_planks"}
    assert (assumed.inventory, assumed.nearby["oak_planks"]) == ({"stick": 1}, 4)
    assert "netherrack" in with_all_of_dimension(world, domain, "minecraft:the_nether", 64).nearby


def test_what_is_only_wished_for_is_farther_off_than_what_is_in_sight() -> None:
    domain = digging("spruce_log", "birch_log")
    world = PlanningWorld({}, {"birch_log": 4}, away={"birch_log": Away(40)})
    assumed = with_all_of_dimension(world, domain, "overworld", 64)
    assert assumed.away["birch_log"] == Away(40)
    assert assumed.away["spruce_log"].distance > 64


def test_only_what_there_is_too_little_of_is_unseen() -> None:
    steps = (Step("gather", "oak_log", 3), Step("gather", "stone", 2), Step("gather", "stone", 2))
    optimistic = Plan("inventory.furnace:1", found=True, steps=steps)
    assert out_of_sight(optimistic, {"oak_log": 3, "stone": 3}) == {"stone": 4}


def test_outlooks_go_round_without_coming_back() -> None:
    start = Position(8.5, 64, 8.5)
    places = list(islice(outlooks(start, 10), 24))
    assert len({*places, start}) == 25
    assert max(place.distance_to(start) for place in places[:8]) <= 15 * 2**0.5
    steps = zip([start, *places], places, strict=False)
    assert {round(a.distance_to(b)) for a, b in steps} == {15}


# --- what is told -----------------------------------------------------------------------


def test_a_long_plan_is_told_as_far_as_one_whisper_holds() -> None:
    steps = tuple(Step("gather", f"block_number_{number}", number) for number in range(40))
    told = intent_of(Plan("inventory.x:1", True, steps, message="40 steps, about 9 s"))
    assert told.startswith("inventory.x:1, 40 steps, about 9 s: gather 0 block_number_0, ")
    assert len(told) == INTENT_LENGTH
