"""One run towards goals, from the first look around to the proof."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import ActionFailed, CommandError
from bots.goals.activity import PlanningWorld
from bots.goals.goal import Goal, PositionGoal
from bots.goals.plan import Plan
from bots.goals.runner.exploration import outlooks, unseen, wished_for
from bots.goals.runner.goal_planner import GoalPlanner
from bots.goals.runner.recovery import TIGHT, Recovery, needed
from bots.goals.runner.replanning import ReplanLimit, StepFailed
from bots.goals.runner.sight import SIGHT_BLOCKS, Seen, Sight, carried, totals
from bots.goals.runner.steps import StepRunner
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
    planner: GoalPlanner
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
        self._sight = Sight(self.job, self.limits.sight)
        self._steps = StepRunner(self.bot, self.job, self.planner.catalogue, self._sight)
        self._recovery = Recovery(self.bot, self.job)

    async def run(self) -> dict[str, int]:
        """Reach all goals; what is carried or worn then.

        Raises CommandError impossible, gave_up, inventory_full, not_found; JobEnded."""
        seen = await self._sight.look()
        self.goals = totals(self.asked, seen)
        start = seen.snapshot.position
        self._outlooks = outlooks(start, self.limits.sight)
        limit = ReplanLimit()
        while True:
            while not await self._sight.is_met(self.goals):
                await self._get_on(limit)
            if not await self._come_up(start) or await self._sight.is_met(self.goals):
                return carried(await self.job.snapshot())

    async def _get_on(self, limit: ReplanLimit) -> None:
        """Plan, and follow the plan to its end or to the first failed step."""
        plan = await self._plan()
        limit.begin(plan)
        try:
            await self._follow(plan)
        except StepFailed as failed:
            self.replans += 1
            self.job.note("goal.step_failed", reason=failed.reason, why=failed.message)
            limit.count(failed)
            await self._recovery.after(failed, needed((), self.goals))

    async def _come_up(self, start: Position) -> bool:
        """Out of a mine, where nobody would find it; whether there was need of that."""
        went_there = any(isinstance(goal, PositionGoal) for goal in self.goals)
        depth = start.y - (await self.job.snapshot()).position.y
        if went_there or depth < PIT or (depth < DEEP and not await is_below_ground(self.job)):
            return False
        with suppress(ActionFailed):
            await climb(self.bot, self.job, MoveTo(start, UP_WITHIN))
        return True

    # --- planning -----------------------------------------------------------------

    async def _plan(self) -> Plan:
        """What to do from here. Raises CommandError impossible."""
        seen = await self._sight.look()
        plan = await self._think(seen.world)
        if not plan.found:
            plan = await self._seek(plan, seen)
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
        return plan

    async def _think(self, world: PlanningWorld) -> Plan:
        plan = await self.planner.plan(self.goals, world)
        self.job.look_again()  # thinking took its time
        return plan

    async def _seek(self, plan: Plan, seen: Seen) -> Plan:
        """Walk about until what is lacking comes into sight. Raises CommandError impossible."""
        dimension = seen.snapshot.dimension
        wishful = await self._think(wished_for(seen.world, self.planner.domain, dimension))
        explained = await self.planner.explain(self.goals, seen.world, plan)
        if not wishful.found:
            raise impossible(explained)
        sought = unseen(wishful, seen.world.nearby)
        self.job.intent = f"no {_or(sought)} is in sight, so I go and look for it"
        for number in range(self.limits.outlooks):
            self.job.note("goal.searching", blocks=sorted(sought), places=number + 1)
            self.job.progress(number, self.limits.outlooks, f"places to look for {_or(sought)}")
            await self._go_and_look(next(self._outlooks))
            plan = await self._think((await self._sight.look()).world)
            if plan.found:
                return plan
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
            if (await self.job.snapshot()).free_slots < TIGHT:
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
