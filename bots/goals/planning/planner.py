"""Plans goals of every kind: gather, craft and smelt first, then place, equip and move."""

from __future__ import annotations

import time
from collections.abc import Callable

from bots.goals.activity import Domain, PlanningWorld
from bots.goals.domain.world_costs import WorldCosts
from bots.goals.goal import Goal
from bots.goals.plan import Plan, Step
from bots.goals.planning.costing import Costs
from bots.goals.planning.keeping import sparing
from bots.goals.planning.problem import everything_open, problem_of, start_of
from bots.goals.planning.reachability import reach
from bots.goals.planning.stages import WORK, Effort, Production, produce
from bots.goals.planning.steps import steps_of
from bots.goals.planning.trimming import trimmed, without_spare_blocks
from bots.goals.planning.wanting import last_steps, wanted_of, with_placed_stations_near
from bots.goals.planning.ways import Catalogue, Thing

UNDECIDED = "whether this is possible could not be decided in time"
"""The message when the deadline passed before a plan was found or ruled out."""


class Planner:
    """Plans in one domain. The same question has the same plan, deadlines aside.

    Making one indexes the domain, so make it once and keep it.
    """

    def __init__(
        self,
        domain: Domain,
        stopwatch: Callable[[], float] = time.monotonic,
        deadline_s: float | None = None,
    ) -> None:
        """`deadline_s` is for calls that give none."""
        self.domain = domain
        self.catalogue = Catalogue(domain)
        self._stopwatch, self._deadline_s = stopwatch, deadline_s

    def plan(
        self,
        goals: tuple[Goal, ...],
        world: PlanningWorld,
        *,
        deadline_s: float | None = None,
        proof: bool = False,
    ) -> Plan:
        """Plan all goals together at least cost; `proof` goes on until that is proven.

        At the deadline the best plan so far is returned. If there is none yet, the search goes on
        for up to ten seconds. Without a plan `found` is false; explain.py says why.
        """
        began, world = self._stopwatch(), self._world(goals, world)
        limit_s = self._deadline_s if deadline_s is None else deadline_s
        costs = Costs(WorldCosts(world).of)
        made = self._made(goals, world, costs, Effort(limit_s, None if proof else WORK))
        steps = self._steps(made, goals, world, costs)
        return Plan(
            goal=" ".join(str(goal) for goal in goals),
            found=made.found,
            steps=steps,
            cost_s=round(sum(step.cost_s for step in steps), 2),
            optimal=made.found and made.optimal,
            message=_message(made, steps),
            elapsed_ms=(self._stopwatch() - began) * 1000,
            expanded=made.expanded,
        )

    def possible(self, goals: tuple[Goal, ...], world: PlanningWorld) -> bool:
        """Whether there is any plan at all: quicker than finding a good one."""
        effort = Effort(self._deadline_s, 0)
        return self._made(goals, self._world(goals, world), Costs(), effort).found

    def reachable(self, world: PlanningWorld) -> frozenset[Thing]:
        """Exactly the things of which at least one can be had."""
        return frozenset(reach(everything_open(self.catalogue, world)).things)

    def _world(self, goals: tuple[Goal, ...], world: PlanningWorld) -> PlanningWorld:
        """What of the world counts for these goals."""
        return with_placed_stations_near(goals, sparing(self.catalogue, goals, world))

    def _made(
        self, goals: tuple[Goal, ...], world: PlanningWorld, costs: Costs, effort: Effort
    ) -> Production:
        problem = problem_of(self.catalogue, wanted_of(goals, world), world, costs=costs)
        return produce(problem, effort, self._stopwatch)

    def _steps(
        self, made: Production, goals: tuple[Goal, ...], world: PlanningWorld, costs: Costs
    ) -> tuple[Step, ...]:
        if not made.found:
            return ()
        wanted, left = wanted_of(goals, world), self.domain.remainders
        firings = made.firings
        if not made.optimal:
            firings = without_spare_blocks(firings, start_of(world), wanted, left)
        needed = trimmed(self.domain, world, steps_of(firings, left, costs), wanted)
        return (*needed, *last_steps(goals, world))


def _message(made: Production, steps: tuple[Step, ...]) -> str:
    if not made.found:
        return "there is no way to do this" if made.decided else UNDECIDED
    if not steps:
        return "already so: nothing to do"
    seconds = round(sum(step.cost_s for step in steps))
    return f"{len(steps)} steps, about {seconds} s"
