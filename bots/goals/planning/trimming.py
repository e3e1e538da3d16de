"""Leaves out steps and blocks that nothing needs; a plan not proven cheapest may have some."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bots.goals.activity import Domain, PlanningWorld, is_somewhere
from bots.goals.plan import Step
from bots.goals.planning.firing import Firing, after, ready
from bots.goals.planning.replay import ReplayError, replay
from bots.goals.planning.ways import Near, Thing


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
            if _leads_to(wanted, fewer, start, remainders):
                most = tried
            else:
                least = tried + 1
        kept[number] = replace(firing, count=most)
    return tuple(kept)


def _leads_to(
    wanted: Mapping[Thing, int],
    firings: Sequence[Firing],
    start: Mapping[Thing, int],
    remainders: Mapping[str, str],
) -> bool:
    stock = start
    for firing in firings:
        if not ready(firing.way, stock, firing.spent()):
            return False
        stock = after(stock, firing, remainders)
    return all(stock.get(thing, 0) >= count for thing, count in wanted.items())


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
