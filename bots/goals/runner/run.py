"""One run towards goals, from the first look around to the proof."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import ActionFailed, CommandError
from bots.goals.goal import Goal, PositionGoal
from bots.goals.plan import Plan
from bots.goals.runner.exploration import outlooks, unseen, wished_for
from bots.goals.runner.planner_cache import PlannerCache
from bots.goals.runner.recovery import TIGHT, Recovery, needed
from bots.goals.runner.sight import SIGHT_BLOCKS, Seen, Sight, totals
from bots.goals.runner.steps import StepRunner
from bots.goals.runner.surprise import ReplanLimit, StepFailed
from bots.skills.stairs import is_below_ground
from bots.skills.tunnelling import climb
from bots.skills.walking import walk
from bridge.actions import MoveTo
from bridge.world import Position

OUTLOOKS = 8
"""Places one run walks to for a look around when something is not in sight."""
OUTLOOK_WITHIN = 0.25
"""So near to such a place will do, in sights."""
DEEP, PIT = 8.0, 2.0
"""Blocks below where it began, from which it comes up in the end: anyway, or out of a pit."""
UP_WITHIN = 2.0
INTENT_LENGTH = 200
"""Characters of a plan as it is told at the start: one whisper holds them."""


@dataclass(frozen=True, slots=True)
class Limits:
    sight: int = SIGHT_BLOCKS
    """Blocks around that are taken for near."""
    outlooks: int = OUTLOOKS


@dataclass(slots=True)
class GoalRun:
    """Carries out goals as a job of a bot; `run` returns when they are reached."""

    bot: Bot
    job: Job
    desk: PlannerCache
    asked: tuple[Goal, ...]
    limits: Limits = Limits()
    goals: tuple[Goal, ...] = ()
    """With totals, counted at the start."""
    first_plan: Plan | None = None
    steps_done: int = 0
    replans: int = 0
    _sight: Sight = field(init=False)
    _steps: StepRunner = field(init=False)
    _recovery: Recovery = field(init=False)
    _outlooks: Iterator[Position] = field(init=False)

    def __post_init__(self) -> None:
        self._sight = Sight(self.bot, self.limits.sight)
        self._steps = StepRunner(self.bot, self.job, self._sight)
        self._recovery = Recovery(self.bot, self.job)

    async def run(self) -> Seen:
        """Reach all goals; what is seen then.

        Raises CommandError impossible, gave_up, inventory_full, not_found; JobEnded."""
        seen = await self._sight.look()
        self.goals = totals(self.asked, seen)
        start = seen.snapshot.position
        self._outlooks = outlooks(start, self.limits.sight)
        patience = ReplanLimit()
        while True:
            while not self._are_met(seen):
                seen = await self._get_on(seen, patience)
            if not await self._come_up(start, seen):
                return seen
            seen = await self._sight.look()
            if self._are_met(seen):
                return seen

    def _are_met(self, seen: Seen) -> bool:
        return all(map(seen.meets, self.goals))

    async def _get_on(self, seen: Seen, patience: ReplanLimit) -> Seen:
        """Plan, and follow the plan to its end or to the first surprise; what is seen then."""
        plan, seen = await self._plan(seen)
        patience.begin(plan)
        try:
            await self._follow(plan)
        except StepFailed as surprise:
            self.replans += 1
            self.job.note("goal.surprised", reason=surprise.reason, why=surprise.message)
            patience.met_with(surprise)
            await self._recovery.after(surprise, needed((), self.goals))
        return await self._sight.look()

    async def _come_up(self, start: Position, seen: Seen) -> bool:
        """Out of a mine, where nobody would find it; whether there was need of that."""
        went_there = any(isinstance(goal, PositionGoal) for goal in self.goals)
        depth = start.y - seen.snapshot.position.y
        if went_there or depth < PIT or (depth < DEEP and not await is_below_ground(self.bot)):
            return False
        with suppress(ActionFailed):
            await climb(self.bot, self.job, MoveTo(start, UP_WITHIN))
        return True

    # --- planning -----------------------------------------------------------------

    async def _plan(self, seen: Seen) -> tuple[Plan, Seen]:
        """A plan, and what is seen where it begins. Raises CommandError impossible."""
        plan = await self.desk.plan(self.goals, seen.world)
        if not plan.found:
            plan, seen = await self._seek(plan, seen)
        if self.first_plan is None:
            self.first_plan = plan
            self.job.intent = intent_of(plan)
        self.job.note(
            "goal.planned",
            goal=plan.goal,
            steps=[f"{step.action} {step.count} {step.target}" for step in plan.steps],
            estimateS=plan.cost_s,
            optimal=plan.optimal,
            planningMs=round(plan.elapsed_ms, 1),
        )
        return plan, seen

    async def _seek(self, plan: Plan, seen: Seen) -> tuple[Plan, Seen]:
        """Walk about until what is lacking comes into sight. Raises CommandError impossible."""
        dimension = seen.snapshot.dimension
        wishful = await self.desk.plan(
            self.goals, wished_for(seen.world, self.desk.domain, dimension)
        )
        explained = await self.desk.explain(self.goals, seen.world, plan)
        if not wishful.found:
            raise impossible(explained)
        sought = unseen(wishful, seen.world.nearby)
        self.job.intent = f"no {_or(sought)} is in sight, so I go and look for it"
        for number in range(self.limits.outlooks):
            self.job.note("goal.sought", blocks=sorted(sought), places=number + 1)
            self.job.progress(number, self.limits.outlooks, f"places to look for {_or(sought)}")
            await self._go_and_look(next(self._outlooks))
            seen = await self._sight.look()
            plan = await self.desk.plan(self.goals, seen.world)
            if plan.found:
                return plan, seen
        looked = f" I looked for {_or(sought)} at {self.limits.outlooks} places further on."
        raise impossible(explained, looked if self.limits.outlooks else "")

    async def _go_and_look(self, place: Position) -> None:
        with suppress(ActionFailed):  # as far as the way leads
            near = self.limits.sight * OUTLOOK_WITHIN
            await walk(self.bot, self.job, place, near)

    # --- doing --------------------------------------------------------------------

    async def _follow(self, plan: Plan) -> None:
        """Do the steps, each proven. Raises StepFailed."""
        for number, step in enumerate(plan.steps):
            stage = f"step {number + 1} of {len(plan.steps)}"
            self.job.stage = stage
            self.job.progress(0, step.count, f"{step.action} {step.target}")
            if (await self.bot.snapshot()).free_slots < TIGHT:
                await self._recovery.make_room(needed(plan.steps[number:], self.goals))
            began = self.bot.times.stopwatch()
            await self._steps.do(step)
            self.steps_done += 1
            self.job.note(
                "goal.step_done",
                step=step.as_json(),
                estimateS=step.cost_s,
                tookS=round(self.bot.times.stopwatch() - began, 2),
            )


def intent_of(plan: Plan) -> str:
    """The plan in one line: the goal, the estimate, the steps as far as they fit."""
    steps = ", ".join(f"{step.action} {step.count} {step.target}" for step in plan.steps)
    line = f"{plan.goal}, {plan.message}: {steps}"
    return line if len(line) <= INTENT_LENGTH else f"{line[: INTENT_LENGTH - 1]}…"


def impossible(plan: Plan, further: str = "") -> CommandError:
    """The refusal that tells what lacks and what would be possible."""
    missing = [missing.as_json() for missing in plan.missing]
    sentence = f"{plan.message}{further}"
    return CommandError("impossible", sentence, missing=missing, nearest=plan.nearest)


def _or(names: dict[str, int]) -> str:
    return " or ".join(sorted(names))
