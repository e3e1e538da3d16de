"""Plans goals of every kind: gather, craft and smelt first, then place, equip and move.

The firings become the steps that people read and the runner does. A plan not proven cheapest may
have steps and blocks that nothing needs; those are left out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from bots.goals.activity import TICK_S, Domain, PlanningWorld, is_somewhere
from bots.goals.domain.costs import WorldCosts
from bots.goals.goal import Goal
from bots.goals.plan import Plan, Step
from bots.goals.planning.problem import (
    last_steps,
    problem_of,
    sparing,
    start_of,
    wanted_of,
    with_placed_stations_near,
)
from bots.goals.planning.replay import ReplayError, replay
from bots.goals.planning.solving import WORK, Effort, Production, produce
from bots.goals.planning.ways import Catalogue, Costs, Firing, Near, Thing, stock_after

_JOINED = {"place", "gather", "take", "search", "hunt", "shear", "fish"}
UNDECIDED = "whether this is possible could not be decided in time"
"""The message when the deadline passed before a plan was found or ruled out."""


def steps_of(
    firings: Iterable[Firing], remainders: Mapping[str, str], costs: Costs
) -> tuple[Step, ...]:
    """Make a step of each firing; join digging or placing that follows itself."""
    steps: list[Step] = []
    paid: set[int] = set()
    for firing in _joined(firings):
        way = firing.way
        cost, begun = costs.of(way), way.index in paid
        paid.add(way.index)
        ticks = cost.unit * firing.count + (0 if begun else cost.fixed - cost.penalty)
        model_ticks = cost.model_unit * firing.count + (0 if begun else cost.model_fixed)
        activity = way.activity
        made = activity.kind in ("craft", "smelt")
        steps.append(
            Step(
                activity.kind,
                activity.target,
                (activity.produces[activity.target] if made else max(1, activity.uses))
                * firing.count,
                activity.station or ("hand" if activity.kind == "craft" else None),
                activity.tool,
                _items(firing.spent()),
                _items(firing.gained(remainders)),
                round(ticks * TICK_S, 2),
                round(model_ticks * TICK_S, 2),
                activity.is_mean,
            )
        )
    return tuple(steps)


def _joined(firings: Iterable[Firing]) -> list[Firing]:
    """Join what takes no ingredients. Others would need those of all at once."""
    joined: list[Firing] = []
    for firing in firings:
        last = joined[-1] if joined else None
        if last and last.way is firing.way and firing.way.activity.kind in _JOINED:
            joined[-1] = Firing(firing.way, last.count + firing.count, {})
        else:
            joined.append(firing)
    return joined


def _items(things: Mapping[Thing, int]) -> dict[str, int]:
    items = {thing: n for thing, n in things.items() if isinstance(thing, str) and n}
    return dict(sorted(items.items()))


def without_spare_blocks(
    firings: Sequence[Firing],
    start: Mapping[Thing, int],
    wanted: Mapping[Thing, int],
    remainders: Mapping[str, str],
) -> tuple[Firing, ...]:
    """Dig as little of each kind as the rest of the plan allows."""
    kept = list(firings)
    for number, firing in enumerate(firings):
        if not is_somewhere(firing.way.activity):
            continue
        least, most = 1, firing.count
        while least < most:
            tried = (least + most) // 2
            fewer = [*kept[:number], replace(firing, count=tried), *kept[number + 1 :]]
            end = stock_after(start, fewer, remainders)
            if end is not None and all(end.get(t, 0) >= count for t, count in wanted.items()):
                most = tried
            else:
                least = tried + 1
        kept[number] = replace(firing, count=most)
    return tuple(kept)


def trimmed(
    domain: Domain, world: PlanningWorld, steps: Sequence[Step], wanted: Mapping[Thing, int]
) -> tuple[Step, ...]:
    """Drop every step that is not needed, trying the dearest first; each attempt is replayed.

    Raises ReplayError if the steps cannot be done as they are.
    """
    replay(domain, world, steps)
    kept = list(steps)
    for step in sorted(steps, key=lambda step: -step.cost_s):
        without = [other for other in kept if other is not step]
        try:
            end = replay(domain, world, without)
        except ReplayError:
            continue
        near, held = end.nearby, end.inventory
        if all(
            (near.get(thing.block, 0) if isinstance(thing, Near) else held.get(thing, 0)) >= count
            for thing, count in wanted.items()
        ):
            kept = without
    return tuple(kept)


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
        if not made.found:
            message = "there is no way to do this" if made.decided else UNDECIDED
        elif not steps:
            message = "already so: nothing to do"
        else:
            seconds = round(sum(step.cost_s for step in steps))
            message = f"{len(steps)} steps, about {seconds} s"
        return Plan(
            goal=" ".join(str(goal) for goal in goals),
            found=made.found,
            steps=steps,
            cost_s=round(sum(step.cost_s for step in steps), 2),
            optimal=made.found and made.optimal,
            message=message,
            elapsed_ms=(self._stopwatch() - began) * 1000,
            expanded=made.expanded,
        )

    def possible(self, goals: tuple[Goal, ...], world: PlanningWorld) -> bool:
        """Whether there is any plan at all: quicker than finding a good one."""
        effort = Effort(self._deadline_s, 0)
        return self._made(goals, self._world(goals, world), Costs(), effort).found

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
