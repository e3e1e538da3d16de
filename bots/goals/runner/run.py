"""One run of goals: looks, plans, follows the plan and plans again until the goals are met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

from bots.bot.agenda import Home
from bots.bot.bot import Bot
from bots.bot.events import StepDone, WorkTold
from bots.bot.jobs import Job
from bots.bot.stage import Course, PlannedStep, Stage
from bots.errors import ActionFailed, CommandError
from bots.goals.activity import PlanningWorld
from bots.goals.goal import EquipmentGoal, Goal, ItemGoal, PositionGoal, plainly
from bots.goals.plan import Plan, Step
from bots.goals.runner.goal_planner import GoalPlanner
from bots.goals.runner.journeys import (
    MAX_INTERRUPTIONS,
    StepTimes,
    below_ground,
    climb_home,
    is_lost,
    out_of_sight,
    outlooks,
    time_of_step,
    until_back,
    until_land_is_loaded,
    with_all_of_dimension,
)
from bots.goals.runner.recovery import Deaths, Recovery, ReplanLimit, StepFailed, due_of, needed
from bots.goals.runner.sight import SIGHT_BLOCKS, Seen, Sight, carried, totals
from bots.goals.runner.standing import Locate, Standing, require_places
from bots.goals.runner.steps import StepRunner
from bots.goals.runner.supplies import NearChests, Provisions, is_outdoors, outdoors_s_of
from bots.reflexes.reflexes import Reflexes
from bots.skills.bag import BagRoom
from bots.skills.walking import EARTH, walk
from bridge.errors import BotError
from bridge.world import Position, WorldSnapshot

OUTLOOKS = 8
"""Places one run walks to in search of what is not in sight."""
OUTLOOK_REACHED_WITHIN = 0.25
"""An outlook counts as reached within this multiple of the sight radius."""
LOOKING_S = 20.0
"""A run looks into new chests only if its plan takes longer than this."""
DUG_IN = "dug_in"
"""The reason of a step that ends because the bot has something to do below ground."""
ARMED: tuple[Goal, ...] = (ItemGoal("stone_sword", 1),)
"""What is made below ground at night where the goals need more than is there."""
MOST_FAILED_BELOW = 3
"""So many plans of one run fail below ground, then it waits for day."""
INTENT_LENGTH = 200
"""Characters of the plan whispered at the start: it fits one whisper."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How far one run looks and walks, and whether it waits before it looks."""

    sight: int = SIGHT_BLOCKS
    """Radius within which blocks count as near, blocks."""
    outlooks: int = OUTLOOKS
    home: Home | None = None
    """Where the bot returns to from a mine; None: where the run begins."""
    has_just_come: bool = False
    """Whether the bot has just joined, so that the land is not loaded yet."""


@dataclass(slots=True)
class GoalRun:
    """Carries out goals as a job of a bot."""

    bot: Bot
    job: Job
    planner: GoalPlanner
    asked: tuple[Goal, ...]
    locate: Locate
    """Where the places are that goals name."""
    limits: Limits = Limits()
    goals: tuple[Goal, ...] = ()
    """The goals asked for, with each `+n` turned into a total at the start."""
    first_plan: Plan | None = None
    steps_done: int = 0
    gained: Counter[str] = field(default_factory=Counter)
    """How many of each item its steps gave."""
    made: set[str] = field(default_factory=set)
    """Those of them that it crafted or smelted."""
    replans: int = 0
    home: Home = field(init=False)
    """Where the bot returns to from a mine or pit."""
    chests: NearChests = field(init=False)
    room: BagRoom = field(init=False)
    _step_times: StepTimes = field(init=False)
    _placed: Standing = field(init=False)
    _sight: Sight = field(init=False)
    _steps: StepRunner = field(init=False)
    _recovery: Recovery = field(init=False)
    _provisions: Provisions = field(init=False)
    _deaths: Deaths = field(init=False)
    _outlooks: Iterator[Position] = field(init=False)
    _below: tuple[Plan, tuple[Goal, ...]] | None = field(default=None, init=False)
    """What to do next below ground, and what for."""
    _failed_below: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        # A bot without a daemon learns for one goal only.
        self._step_times = self.bot.services.get(StepTimes) or StepTimes()
        self._placed = Standing(self.bot, self.job, self.locate, self.limits.sight)
        self._sight = Sight(self.job, self._step_times, self._placed, self.limits.sight)
        catalogue = self.planner.catalogue
        self.chests = NearChests(self.bot, self.job, self.limits.sight)
        self.room = BagRoom(self.bot, self.job, catalogue)
        may_pillar = not any(item in EARTH for item in needed((), self.asked))
        self._steps = StepRunner(
            self.bot, self.job, catalogue, self._sight, self.chests, may_pillar
        )
        self._recovery = Recovery(self.job, self.room)
        self._provisions = Provisions(self.bot, self.job, self.planner)

    async def prepare(self) -> bool:
        """Look whether there is anything to do, and take over from the job before if so.

        Raises CommandError impossible, and for a place that nobody knows."""
        self.job.goal = plainly(self.asked)
        self._placed.centre = self._home(await self.job.snapshot()).position
        seen = await self._look_first()
        self._deaths = Deaths(seen.snapshot.died)
        self.home = self._home(seen.snapshot)
        self._placed.centre = self.home.position
        self._outlooks = outlooks(seen.snapshot.position, self.limits.sight)
        return not await self._sight.is_met(self.goals)

    async def pursue(self) -> None:
        """Reach all goals, also when the bot is out of the world in between.

        Raises CommandError impossible, gave_up, inventory_full, not_found; JobEnded."""
        self.job.plans_below = self._can_work_below
        for _ in range(MAX_INTERRUPTIONS):
            try:
                return await self._reach()
            except BotError as error:
                if not is_lost(error):
                    raise
                # Wait until the bot is back in the world, and tell the player who gave the goal.
                self.job.note("goal.interrupted", why=str(error))
                world = await until_back(self.job, self.bot.times.sleep)
                self._deaths = Deaths(world.died)
                self._sight.out_of_reach.clear()  # the world may be another one
                self._sight.failures.clear()
                self.job.note("goal.resumed", goal=named(self.goals))
                sentence = f"I was out of the world for a while. I go on with {named(self.goals)}."
                spec = self.job.spec
                self.bot.events.emit(WorkTold(spec.started_by, sentence, spec.sources))
        sentence = f"I give up: I was out of the world {MAX_INTERRUPTIONS} times."
        raise CommandError("gave_up", sentence, because="disconnected")

    async def told(self) -> str:
        """What happened to items on the way: sentences, each with a space before it."""
        return self.chests.told() + await self.room.tell()

    async def carried(self) -> dict[str, int]:
        """Counts of what is carried or worn now."""
        return carried(await self.job.snapshot())

    def _home(self, seen: WorldSnapshot) -> Home:
        known = self.limits.home
        if known is not None and known.dimension == seen.dimension:
            return known
        return Home(seen.position, seen.dimension)

    async def _reach(self) -> None:
        limit = ReplanLimit()
        while True:
            while not await self._sight.is_met(self.goals):
                if self._below is not None:
                    await self._work_below(*self._below)
                else:
                    await self._plan_and_follow(limit)
            if any(isinstance(goal, PositionGoal) for goal in self.goals):
                return  # it was sent there to stay, be it a mine
            reflexes = self.bot.services.get(Reflexes)
            if reflexes is not None and reflexes.stays_below:
                return
            climbed = await climb_home(self.bot, self.job, self.home.position, self._step_times)
            if not climbed or await self._sight.is_met(self.goals):
                return

    async def _look_first(self) -> Seen:
        """Look around; take over from the job before if there is something to do.

        Raises CommandError impossible."""
        if self.limits.has_just_come:
            await until_land_is_loaded(self.job, self.bot.times.sleep)
        await require_places(self.asked, self.job, self._placed)
        seen = await self._look_at(self.asked)
        if self.job.in_charge or await self._sight.is_met(self.goals):
            return seen
        plan = await self._find_plan(seen.world)
        if not (plan.found or self.chests.has_new(seen.snapshot)):
            await self._with_what_is_further(plan, seen)
        await self.job.take_over()  # the job before changed what it carried until now
        return await self._look_at(self.asked)

    async def _look_at(self, asked: tuple[Goal, ...]) -> Seen:
        """Look around, and turn relative counts into totals."""
        seen = await self._look(asked)
        self.goals = totals(asked, seen)
        return seen

    async def _look(self, goals: tuple[Goal, ...]) -> Seen:
        """Look around, and add what the chests nearby are known to hold."""
        seen = await self._sight.look(goals)
        stored = self.chests.stored(seen.snapshot)
        return replace(seen, world=replace(seen.world, stored=stored))

    async def _plan_and_follow(self, limit: ReplanLimit) -> None:
        """Plan and follow the plan; recover from a failed step.

        A death ends the step, whatever a skill makes of the action that it ended."""
        try:
            with self.job.heeding(self._heed):
                plan = await self._plan()
                limit.begin(plan, self._sight.circumstances(plan))
                await self._follow(plan, self.goals, limit)
        except StepFailed as failed:
            cause = self._deaths.behind(failed, await self.job.snapshot())
            if cause.reason == DUG_IN:
                return
            self.replans += 1
            self.job.note("goal.step_failed", reason=cause.reason, why=cause.message)
            limit.count(cause)
            await self._recovery.after(cause, needed((), self.goals))

    async def _follow(self, plan: Plan, goals: tuple[Goal, ...], limit: ReplanLimit) -> None:
        """Do the steps one by one, each checked. Raises StepFailed."""
        course = self.job.course = course_of(plan, goals)
        for number, step in enumerate(plan.steps):
            self.job.stage = stage_of(plan, number, goals, self.job.worked_s())
            self.job.progress(0, step.count, f"{step.action} {step.thing}")
            rest, later = plan.steps[number:], plan.steps[number + 1 :]
            self.job.torches = self._provisions.spare_torches(
                rest, goals, await self.job.snapshot()
            )
            await self._recovery.make_room_for(step, later, goals)
            began = self.job.worked_s()
            limit.trying(step)
            await self._do(step, due_of(step, later, goals, await self.carried()))
            course.took_s.append(round(self.job.worked_s() - began, 2))
            limit.done(step)
            if later and self._provisions.are_settled and await self._sight.is_met(goals):
                return  # the rest was to be brought along

    # --- dug in for the night ----------------------------------------------------------

    def _heed(self, snapshot: WorldSnapshot) -> None:
        self._deaths.check(snapshot)
        if self._below is not None:
            raise StepFailed(DUG_IN, "I am dug in for the night.")

    async def _can_work_below(self) -> bool:
        """Whether what it carries and the rock below lead to the goals, or to a sword. If so, the
        step under way ends."""
        if self._failed_below >= MOST_FAILED_BELOW or not self.job.in_charge:
            return False
        made = all(isinstance(goal, ItemGoal | EquipmentGoal) for goal in self.goals)
        try:
            self.job.look_again()  # it was taken away from its work
            world = below_ground((await self._look(self.goals)).world)
            kept = Counter(world.inventory) & needed((), self.goals)
            armed = replace(world, at_the_end=kept)
            for goals, known in ((self.goals, world),) * made + ((ARMED, armed),):
                plan = await self.planner.plan(goals, known)
                if plan.found and plan.steps:
                    self._below, self.job.is_below = (plan, goals), True
                    return True
        except CommandError:  # as when it died meanwhile: its work hears of that, too
            pass
        return False

    async def _work_below(self, plan: Plan, goals: tuple[Goal, ...]) -> None:
        self._below = None
        self._note_plan(plan)
        try:
            with self.job.heeding(self._deaths.check):
                await self._follow(plan, goals, ReplanLimit())
        except StepFailed as failed:
            cause = self._deaths.behind(failed, await self.job.snapshot())
            self._failed_below += 1
            self.job.note("goal.step_failed", reason=cause.reason, why=cause.message)
            await self._recovery.after(cause, needed((), self.goals))
        finally:
            self.job.is_below = False

    # --- planning -----------------------------------------------------------------

    async def _plan(self) -> Plan:
        """Plan from here, searching further away if need be. Raises CommandError impossible."""
        seen = await self._look(self.goals)
        plan = await self._find_plan(seen.world)
        if self.chests.has_new(seen.snapshot) and not (plan.found and plan.cost_s < LOOKING_S):
            await self.chests.look_into_new()
            seen = await self._look(self.goals)
            plan = await self._find_plan(seen.world)
        if plan.found:
            plan = await self._provisions.added_to(plan, self.goals, seen.world, seen.snapshot)
        else:
            plan = await self._search(plan, seen)
        if self.first_plan is None:
            self.first_plan = plan
            self.job.intent = intent_of(plan)
        self._note_plan(plan)
        return plan

    def _note_plan(self, plan: Plan) -> None:
        self.job.note(
            "goal.planned",
            goal=plan.goal,
            steps=[f"{step.action} {step.count} {step.thing}" for step in plan.steps],
            estimateS=plan.cost_s,
            optimal=plan.optimal,
            planningMs=round(plan.elapsed_ms, 1),
        )

    async def _find_plan(self, world: PlanningWorld) -> Plan:
        plan = await self.planner.plan(self.goals, world)
        self.job.look_again()  # planning took time: the last look is stale
        return plan

    async def _search(self, plan: Plan, seen: Seen) -> Plan:
        """Walk to outlooks until a plan is found. Raises CommandError impossible."""
        explained, optimistic = await self._with_what_is_further(plan, seen)
        blocks = out_of_sight(optimistic, seen.world.nearby)
        self.job.intent = f"there is no {_or(blocks)} in sight, so I go and look for it"
        for number in range(self.limits.outlooks):
            self.job.note("goal.searching", blocks=sorted(blocks), places=number + 1)
            self.job.progress(number, self.limits.outlooks, f"places to look for {_or(blocks)}")
            with suppress(ActionFailed):  # look from wherever the walk ended
                near = self.limits.sight * OUTLOOK_REACHED_WITHIN
                await walk(self.bot, self.job, next(self._outlooks), near)
            plan = await self._find_plan((await self._look(self.goals)).world)
            if plan.found:
                return plan
        hint = self.chests.hint(seen.snapshot, self.goals, explained.missing)
        looked = f" I looked for {_or(blocks)} at {self.limits.outlooks} places further on."
        raise impossible(explained, looked + hint)

    async def _with_what_is_further(self, plan: Plan, seen: Seen) -> tuple[Plan, Plan]:
        """The plan that was not found, explained, and one that counts on all this dimension has.

        Raises CommandError impossible when there is none even so."""
        dimension = seen.snapshot.dimension
        sight = self.limits.sight
        everything = with_all_of_dimension(seen.world, self.planner.domain, dimension, sight)
        optimistic = await self._find_plan(everything)
        explained = await self.planner.explain(self.goals, seen.world, plan)
        if not (optimistic.found and self.limits.outlooks):
            hint = self.chests.hint(seen.snapshot, self.goals, explained.missing)
            raise impossible(explained, hint)
        return explained, optimistic

    async def _do(self, step: Step, due: Mapping[str, int]) -> None:
        """Do one step, and learn what it took. Raises StepFailed."""
        began = self.job.worked_s()
        before = (await self.job.snapshot()).position
        await self._steps.do(step, due)
        self.steps_done += 1
        self.gained.update({item: round(count) for item, count in step.produces.items()})
        if step.action in ("craft", "smelt"):
            self.made.update(step.produces)
        took_s = round(self.job.worked_s() - began, 2)
        after = await self.job.snapshot()
        climbed = after.position.y - before.y
        now = self.bot.times.clock()
        self._step_times.add(time_of_step(now, self.bot.name, step, took_s=took_s, climbed=climbed))
        what = self.job.id, step.action, step.thing, step.produces, took_s
        self.bot.events.emit(StepDone(*what, after.position, after.dimension))
        self.job.note("goal.step_done", step=step.as_json(), estimateS=step.cost_s, tookS=took_s)


def stage_of(plan: Plan, number: int, goals: tuple[Goal, ...], began_s: float) -> Stage:
    """Where a run stands when it begins a step of its plan."""
    step = plan.steps[number]
    what = (number + 1, len(plan.steps), plainly(goals), step.action, step.thing, step.count)
    left_s = sum(one.cost_s for one in plan.steps[number + 1 :])
    outdoors_s = outdoors_s_of(plan.steps[number:])
    return Stage(*what, began_s, step.cost_s, left_s, outdoors_s, is_outdoors(step))


def course_of(plan: Plan, goals: tuple[Goal, ...]) -> Course:
    """The plan as observers see it."""
    return Course(
        plainly(goals),
        tuple(
            PlannedStep(
                step.action,
                step.thing,
                step.count,
                step.tool,
                step.station,
                dict(step.consumes),
                dict(step.produces),
                round(step.cost_s, 1),
            )
            for step in plan.steps
        ),
    )


def named(goals: tuple[Goal, ...]) -> str:
    """The goals as people write them."""
    return " ".join(map(str, goals))


def intent_of(plan: Plan) -> str:
    """The plan on one line: goal, estimate, and as many steps as fit."""
    steps = ", ".join(f"{step.action} {step.count} {step.thing}" for step in plan.steps)
    line = f"{plan.goal}, {plan.message}: {steps}"
    return line if len(line) <= INTENT_LENGTH else f"{line[: INTENT_LENGTH - 1]}…"


def impossible(plan: Plan, further: str = "") -> CommandError:
    """The error for goals without a plan: what is missing and what is possible instead."""
    missing = [missing.as_json() for missing in plan.missing]
    sentence = f"{plan.message}{further}"
    return CommandError("impossible", sentence, missing=missing, nearest=plan.nearest)


def _or(names: dict[str, int]) -> str:
    return " or ".join(sorted(names)) or "what is missing"
