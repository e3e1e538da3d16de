"""The parts that carry out goals, one by one."""

from itertools import islice

import pytest
from support.moments import catalogue

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
from bridge.world import Position

STALLED = StepFailed("shortfall", "Something lacked.")


UNANSWERED = StepFailed("internal", "The server does not answer my clicks in the inventory.")


def plan(cost_s: float) -> Plan:
    return Plan("inventory.stick:1", found=True, cost_s=cost_s)


def test_rock_and_what_is_made_where_one_stands_are_no_work_in_the_open() -> None:
    steps = (
        Step("gather", "birch_log", 3, cost_s=10),
        Step("craft", "wooden_pickaxe", 1, cost_s=2),
        Step("gather", "stone", 3, cost_s=20),
        Step("place", "furnace", 1, cost_s=2),
        Step("gather", "deepslate_iron_ore", 3, cost_s=40),
        Step("smelt", "iron_ingot", 3, cost_s=30),
        Step("hunt", "cow", 1, cost_s=5),
    )
    whole, goals = Plan("", found=True, steps=steps), (ItemGoal("iron_ingot", 3),)
    stages = [stage_of(whole, number, goals, 0.0) for number in range(len(steps))]
    assert [stage.outdoors_s for stage in stages] == [15, 5, 5, 5, 5, 5, 5]
    assert [number for number, stage in enumerate(stages) if stage.is_outdoors] == [0, 6]


# --- limit ---------------------------------------------------------------------------


NEARLY = MAX_STALLS - 1
CRAFT, GATHER = Step("craft", "oak_planks", 4), Step("gather", "oak_log", 1)
CLOSED, CROWDED = (StepFailed("blocked", f"{why}.") for why in ("It was closed", "He stood there"))


def ending(*events: object) -> CommandError | None:
    """How a run ends: it is set forth by plans (their cost, perhaps with what they rest on), kinds
    of steps that are tried, steps that are done, and failures. Only the last may end it."""
    limit = ReplanLimit()
    for number, event in enumerate(events, 1):
        try:
            match event:
                case (int() as cost_s, str() as rests_on):
                    limit.begin(plan(cost_s), rests_on)
                case int() | float():
                    limit.begin(plan(event))
                case "craft":
                    limit.trying(CRAFT)
                case Step():
                    limit.trying(event)
                    limit.done(event)
                case StepFailed():
                    limit.count(event)
        except CommandError as error:
            assert number == len(events), event
            return error
    return None


def made(cost_s: int) -> Step:
    return Step("craft", "stick", 1, cost_s=cost_s)


DIED = StepFailed("died", "I died.")
PATIENT = [e for cost_s in (10, 50, 100) for e in [cost_s, STALLED] * NEARLY]
LATER = [(10, "oak"), STALLED, (9, "birch"), made(1)]


@pytest.mark.parametrize(
    ("events", "because"),
    [
        ([*[10, STALLED] * NEARLY, 10.5, STALLED], "shortfall"),
        ([one for cost_s in range(50, 0, -1) for one in (cost_s, STALLED)], None),
        ([*PATIENT, 100, STALLED], "shortfall"),
        # Of 30 s 10 were left; somebody took what was made.
        ([*[30, STALLED] * NEARLY, made(20), 30, STALLED], None),
        ([*[10, made(10)] * (1 + MAX_SETBACKS), 10], "set_back"),
        ([*[10, STALLED, 5, STALLED] * MAX_SETBACKS, 10, 5, 10], "set_back"),
        ([e for n in range(2 * MAX_ALIKE) for e in (100 - n, "craft", UNANSWERED, CRAFT)], None),
        ([(10, "oak here"), STALLED, (10, "oak there"), STALLED, (10, "oak here")], "shortfall"),
        ([*LATER, (9, "oak"), DIED, (9, "oak"), CROWDED, (9, "oak")], None),
    ],
    ids=["a few failures without a cheaper plan", "plans get cheaper", "with more to do patience "
         "begins anew", "what is lost after it was done is more to do", "losing it again and again",
         "up and down", "a kind of step that went well between", "the same plan where nothing "
         "changed", "again after a step was done or by mishap undone"],
)  # fmt: skip
def test_a_run_goes_on_as_long_as_it_gets_nearer(events: list[object], because: str | None) -> None:
    end = ending(*events)
    assert (end and (end.reason, end.data["because"])) == (because and ("gave_up", because))


def test_what_the_server_does_not_take_three_times_ends_the_run_with_that_sentence() -> None:
    tries = [one for n in range(MAX_ALIKE) for one in (10 * (n + 1), GATHER, "craft", UNANSWERED)]
    end = ending(*tries)
    assert end is not None
    assert end.message == f"I give up: 3 times the same. {UNANSWERED.message}"


def test_what_failed_most_often_is_named_when_a_run_was_set_back_too_often() -> None:
    causes = [CROWDED if number == 2 else CLOSED for number in range(1 + MAX_SETBACKS)]
    rising = [one for n, cause in enumerate(causes, 1) for one in (10 * n, cause)]
    end = ending(*rising, 1_000)
    assert end is not None
    assert end.message.endswith(f"{MAX_SETBACKS} times: {CLOSED.message}")


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
