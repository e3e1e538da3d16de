"""Single steps of a plan, and making room for them."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from support.acting import GROUND, carried, put
from support.goal_runs import HERE, SIGHT, WITHIN_S
from support.job_runs import pass_until_done
from support.rig import Rig

from bots.bot.bot import Bot
from bots.bot.jobs import Job, JobSpec
from bots.bot.result import Result
from bots.errors import ActionFailed, CommandError
from bots.goals.activity import Away
from bots.goals.goal import EquipmentGoal, Goal, ItemGoal, PlacedGoal, PositionGoal
from bots.goals.plan import Step
from bots.goals.runner.journeys import StepTimes
from bots.goals.runner.recovery import StepFailed
from bots.goals.runner.sight import Sight
from bots.goals.runner.standing import Standing
from bots.goals.runner.steps import StepRunner
from bots.goals.runner.supplies import NearChests
from bots.skills.making import FURNACES_TRIED
from bridge.actions import Action, Smelt
from bridge.world import Position, WorldSnapshot

pytestmark = [pytest.mark.usefixtures("alice_in_the_country")]


async def carry_out(rig: Rig, work: Callable[[Job], Awaitable[object]]) -> None:
    """Do some work as a job of Alice's, however much virtual time it takes."""

    async def whole(job: Job) -> Result:
        await work(job)
        return Result()

    order = JobSpec("!step", whole, lambda error: Result(), 60.0)
    running = asyncio.create_task(rig.bots["Alice"].jobs.begin(order).end())
    await pass_until_done(rig, running, WITHIN_S)
    await running


def nowhere(world: WorldSnapshot, name: str) -> Position:
    raise CommandError("unknown_location", f"Nothing here is called {name}.")


def sight_of(bot: Bot, job: Job) -> Sight:
    return Sight(job, StepTimes(), Standing(bot, job, nowhere, SIGHT), SIGHT)


async def failure_of(rig: Rig, step: Step) -> CommandError | None:
    """What a step raises, or None."""
    alice = rig.bots["Alice"]
    caught: list[CommandError] = []

    async def work(job: Job) -> None:
        try:
            known = await alice.catalogue()
            chests = NearChests(alice, job, SIGHT)
            runner = StepRunner(alice, job, known, sight_of(alice, job), chests, may_pillar=True)
            await runner.do(step, step.produces)
        except StepFailed as failed:
            caught.append(failed)

    await carry_out(rig, work)
    return caught[0] if caught else None


async def test_a_step_that_gives_less_than_planned_has_failed(rig: Rig) -> None:
    rig.world.give("Alice", "oak_planks", 2)
    promised = {"stick": 4, "bowl": 1}
    step = Step("craft", "stick", 4, consumes={"oak_planks": 2}, produces=promised)
    failed = await failure_of(rig, step)
    assert failed is not None
    assert (failed.reason, "1 bowl missing" in failed.message) == ("shortfall", True)


async def test_a_step_whose_needs_are_gone_is_not_begun(rig: Rig) -> None:
    rig.world.give("Alice", "wooden_pickaxe")
    step = Step("gather", "stone", 1, tool="stone_pickaxe", produces={"cobblestone": 1})
    failed = await failure_of(rig, step)
    assert failed is not None
    assert (failed.reason, "1 stone_pickaxe" in failed.message) == ("missing_item", True)
    assert rig.world.body("Alice").position == HERE


async def test_what_was_in_sight_at_the_start_is_fetched_from_farther_off(rig: Rig) -> None:
    put(rig, "birch_log", (8, GROUND, 8 + SIGHT))
    rig.world.teleport("Alice", Position(8.5, GROUND, 8.5 - SIGHT / 2))
    step = Step("gather", "birch_log", 1, produces={"birch_log": 1})
    assert await failure_of(rig, step) is None
    assert carried(rig) == {"birch_log": 1}


async def test_clay_under_water_is_as_near_as_the_shore_where_that_is_in_reach(rig: Rig) -> None:
    feet = int(HERE.y)
    put(rig, "clay", (12, feet - 2, 8))
    put(rig, "water", (12, feet - 1, 8))
    for above in (7, 8):
        put(rig, "gold_block" if above == 7 else "water", (12, feet + above, 8))
    alice, found = rig.bots["Alice"], dict[str, Away]()

    async def look(job: Job) -> None:
        seen = await sight_of(alice, job).look((ItemGoal("clay_ball", 4),))
        found.update(seen.world.away)

    await carry_out(rig, look)
    clay, gold = found["clay"], found["gold_block"]
    assert (clay.under_water, clay.height, clay.distance < 3) == (False, 0.0, True)
    assert (gold.under_water, gold.height) == (True, 7.0)


# --- furnaces in use --------------------------------------------------------------------

SMELTING = Step(
    "smelt",
    "iron_ingot",
    1,
    station="furnace",
    consumes={"iron_ore": 1, "coal": 1},
    produces={"iron_ingot": 1},
)


def occupy(monkeypatch: pytest.MonkeyPatch, busy: set[Position]) -> list[Position]:
    """Have the furnaces at these positions refuse to smelt; the list gets each one tried."""
    tried: list[Position] = []
    act = Job.act

    async def refusing(job: Job, action: Action, **options: Any) -> Any:
        if isinstance(action, Smelt):
            tried.append(action.furnace)
            if action.furnace in busy:
                raise ActionFailed("blocked", "The furnace is in use.")
        return await act(job, action, **options)

    monkeypatch.setattr(Job, "act", refusing)
    return tried


def furnaces(rig: Rig, count: int) -> list[Position]:
    """Furnaces beside the bot, and something to smelt."""
    cells = [(6 + number, GROUND, 10) for number in range(count)]
    put(rig, "furnace", *cells)
    rig.world.give("Alice", "iron_ore")
    rig.world.give("Alice", "coal")
    return [Position(*cell) for cell in cells]


async def test_a_furnace_in_use_is_passed_over_for_the_next(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    farthest, *nearer = furnaces(rig, 3)
    tried = occupy(monkeypatch, {*nearer})
    assert await failure_of(rig, SMELTING) is None
    assert carried(rig) == {"iron_ingot": 1}
    assert (len(tried), tried[-1]) == (3, farthest)


async def test_a_step_that_smelts_puts_no_furnace_down(rig: Rig) -> None:
    for item in ("iron_ore", "coal", "furnace"):
        rig.world.give("Alice", item)
    failed = await failure_of(rig, SMELTING)
    assert failed is not None
    assert failed.reason == "no_station"
    assert carried(rig)["furnace"] == 1


async def test_a_step_fails_after_a_few_furnaces_in_use(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = occupy(monkeypatch, {*furnaces(rig, FURNACES_TRIED + 3)})
    failed = await failure_of(rig, SMELTING)
    assert failed is not None
    assert failed.reason == "blocked"
    assert len(tried) == len({*tried}) == FURNACES_TRIED + 1


# --- what counts as met -----------------------------------------------------------------


async def is_met(rig: Rig, goal: Goal) -> bool:
    alice = rig.bots["Alice"]
    answers: list[bool] = []

    async def work(job: Job) -> None:
        answers.append(await sight_of(alice, job).is_met((goal,)))

    await carry_out(rig, work)
    return answers[0]


async def test_a_helmet_counts_only_once_it_is_worn(rig: Rig) -> None:
    goal = EquipmentGoal("iron_helmet")
    rig.world.give("Alice", "iron_helmet")
    assert not await is_met(rig, goal)  # it is in the hand
    rig.world.body("Alice").equip("iron_helmet")
    assert await is_met(rig, goal)


async def test_a_tool_counts_only_once_it_is_held(rig: Rig) -> None:
    goal = EquipmentGoal("stone_axe")
    assert not await is_met(rig, goal)  # the hand is empty
    rig.world.give("Alice", "stick")
    rig.world.give("Alice", "stone_axe")
    assert not await is_met(rig, goal)
    rig.world.body("Alice").equip("stone_axe")
    assert await is_met(rig, goal)


async def test_placed_blocks_are_counted_around_the_bot(rig: Rig) -> None:
    put(rig, "furnace", (6, GROUND, 8), (10, GROUND, 8))
    assert await is_met(rig, PlacedGoal("furnace", 2, by_anyone=True))
    assert not await is_met(rig, PlacedGoal("furnace", 3, by_anyone=True))
    assert not await is_met(rig, PlacedGoal("furnace", 1))


async def test_a_position_counts_as_reached_within_a_block(rig: Rig) -> None:
    assert await is_met(rig, PositionGoal(HERE))
    assert await is_met(rig, PositionGoal(Position(7.6, GROUND, 8.5)))
    assert not await is_met(rig, PositionGoal(Position(7.4, GROUND, 8.5)))


async def test_a_corner_stands_for_the_middle_of_its_block(rig: Rig) -> None:
    rig.world.teleport("Alice", Position(8.5, GROUND, 9.4))
    assert await is_met(rig, PositionGoal(Position(8, GROUND, 8)))
    assert not await is_met(rig, PositionGoal(Position(8, GROUND, 10.5)))


# --- moving, and recovering -------------------------------------------------------------


async def test_a_move_ends_at_its_position(rig: Rig) -> None:
    assert await failure_of(rig, Step("move", "3,64,3", 1)) is None
    assert rig.world.body("Alice").position.distance_to(Position(3.5, GROUND, 3.5)) <= 0.5
