"""Leaves out steps that nothing needs; a plan not proven cheapest may have some."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bots.goals.activity import Domain, PlanningWorld
from bots.goals.plan import Step
from bots.goals.planning.replay import ReplayError, replay
from bots.goals.planning.ways import Near, Thing


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
        if _reaches(domain, world, without, wanted):
            kept = without
    return tuple(kept)


def _reaches(
    domain: Domain, world: PlanningWorld, steps: Sequence[Step], wanted: Mapping[Thing, int]
) -> bool:
    try:
        end = replay(domain, world, steps)
    except ReplayError:
        return False
    return all(
        (end.nearby.get(thing.block, 0) if isinstance(thing, Near) else end.inventory.get(thing, 0))
        >= count
        for thing, count in wanted.items()
    )
