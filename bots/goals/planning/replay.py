"""Simulates a plan: the domain must know every step, and the stock must allow it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bots.goals.activity import STATIONS, Activity, Domain, PlanningWorld
from bots.goals.plan import FORAGING, SPARING, Step

QUARTERS = 4


class ReplayError(ValueError):
    """A step that cannot be done, and why."""

    def __init__(self, number: int, step: Step, why: str) -> None:
        super().__init__(f"step {number} ({step.action} {step.target}): {why}")
        self.number, self.step, self.why = number, step, why


@dataclass(frozen=True, slots=True)
class Replayed:
    """What is held and near at the end."""

    inventory: Mapping[str, int]
    nearby: Mapping[str, int]


def replay(domain: Domain, world: PlanningWorld, steps: Iterable[Step]) -> Replayed:
    """Do every step in order; raises ReplayError at the first that cannot be done."""
    paper = _Paper(domain, world)
    for number, step in enumerate(steps, 1):
        why = paper.do(step)
        if why:
            raise ReplayError(number, step, why)
    return Replayed(_positive(paper.held), _positive(paper.near))


def _positive(counts: Mapping[str, int]) -> dict[str, int]:
    return {name: n for name, n in counts.items() if n > 0}


class _Paper:
    def __init__(self, domain: Domain, world: PlanningWorld) -> None:
        self._domain = domain
        self.held = dict(world.inventory)
        self.near = {kind: n for kind, n in world.nearby.items() if not world.is_far(kind)}
        self.far = {kind: n for kind, n in world.nearby.items() if world.is_far(kind)}
        self.stored = {item: kept.count for item, kept in world.stored.items()}
        # A station that is near but not counted can be used, not dug up.
        self._always = {s for s in STATIONS if world.near(s) and not world.nearby.get(s)}

    def do(self, step: Step) -> str:
        """Do one step; return why it cannot be done, or an empty text."""
        if step.action in ("equip", "take_off", "move"):
            lacks = step.action == "equip" and not self.held.get(step.target)
            return f"no {step.target} is held" if lacks else ""
        if why := self._unready(step):
            return why
        if not any(_explains(activity, step, self._domain) for activity in self._known(step)):
            return "nothing in the domain does this"
        for item, count in step.consumes.items():
            self.held[item] = self.held.get(item, 0) - count
        for item, count in step.produces.items():
            self.held[item] = self.held.get(item, 0) + count
        if _uses_up(step):
            self.near[step.target] -= step.count
        if step.action == "take":
            self.stored[step.target] -= step.count
        if step.action == "approach":
            self.far[step.target] -= step.count
        if step.action in ("place", "approach"):
            self.near[step.target] = self.near.get(step.target, 0) + step.count
        return ""

    def _unready(self, step: Step) -> str:
        for item, count in step.consumes.items():
            if self.held.get(item, 0) < count:
                return f"needs {count} {item}, holds {self.held.get(item, 0)}"
        if step.tool and self.held.get(step.tool, 0) < 1:
            return f"no {step.tool} is held"
        needed = step.count if _uses_up(step) else int(step.action in FORAGING)
        if self.near.get(step.target, 0) < needed:
            return f"needs {needed} {step.target} near of {self.near.get(step.target, 0)}"
        if step.action == "take" and self.stored.get(step.target, 0) < step.count:
            return (
                f"needs {step.count} {step.target} of {self.stored.get(step.target, 0)} in chests"
            )
        if step.action == "approach" and self.far.get(step.target, 0) < 1:
            return f"no {step.target} is far off"
        station = step.station if step.station != "hand" else None
        if station and station not in self._always and self.near.get(station, 0) < 1:
            return f"no {station} is near"
        return ""

    def _known(self, step: Step) -> Iterable[Activity]:
        if step.action == "gather":
            return self._domain.digging.get(step.target, ())
        if step.action in FORAGING:
            return self._domain.foraging.get(step.target, ())
        if step.action == "place":
            known = [a for a in self._domain.placing.values() if a.target == step.target]
            return known or [Activity("place", step.target, {}, {step.target: 1})]
        if step.action == "take":
            return (Activity("take", step.target, {step.target: 1}),)
        if step.action == "approach":
            return (Activity("approach", step.target, {}),)
        return (a for a in self._domain.making if a.target == step.target)


def _uses_up(step: Step) -> bool:
    """Whether what it works on is gone afterwards."""
    return step.action == "gather" or (step.action in FORAGING and step.action not in SPARING)


def _explains(activity: Activity, step: Step, domain: Domain) -> bool:
    """Whether the step takes and gives exactly what some repetitions of the activity do."""
    made = activity.kind in ("craft", "smelt")
    each = activity.produces[activity.target] if made else max(1, activity.uses)
    station = activity.station or ("hand" if activity.kind == "craft" else None)
    same = (activity.kind, activity.tool, station, activity.is_mean) == (
        *(step.action, step.tool, step.station),
        step.about,
    )
    times, odd = divmod(step.count, each)
    if not same or odd or times < 1:
        return False
    mixed = dict(step.consumes)
    for item, count in activity.consumes.items():
        mixed[item] = mixed.get(item, 0) - count * times
    if any(count < 0 for count in mixed.values()):
        return False
    pools = [(pool, count * times) for pool, count in activity.pools.items()]
    burnt = activity.kind == "smelt"
    if not _dealt(_positive(mixed), pools, QUARTERS * times if burnt else 0, domain.fuels):
        return False
    return _gives(activity, times, mixed, domain) == dict(step.produces)


def _gives(
    activity: Activity, times: int, mixed: Mapping[str, int], domain: Domain
) -> dict[str, int]:
    gives = {item: count * times for item, count in activity.produces.items()}
    for item, count in mixed.items():
        if count and item in domain.remainders:
            left = domain.remainders[item]
            gives[left] = gives.get(left, 0) + count
    return gives


def _dealt(
    mixed: Mapping[str, int],
    pools: list[tuple[tuple[str, ...], int]],
    quarters: int,
    fuels: Mapping[str, int],
) -> bool:
    """Whether the items can fill the pools while the rest is burnt, with no piece too many."""
    if not pools:
        if not quarters:
            return not mixed
        if not mixed or not all(item in fuels for item in mixed):
            return False
        heat = sum(fuels[item] * count for item, count in mixed.items())
        return heat >= quarters > heat - max(fuels[item] for item in mixed)
    (pool, need), *others = pools
    if need == 0:
        return _dealt(mixed, others, quarters, fuels)
    return any(
        _dealt(_less(mixed, item, use), [(pool[n + 1 :], need - use), *others], quarters, fuels)
        for n, item in enumerate(pool)
        for use in range(min(need, mixed.get(item, 0)), 0, -1)
    )


def _less(mixed: Mapping[str, int], item: str, use: int) -> dict[str, int]:
    return {i: n for i, m in mixed.items() if (n := m - (use if i == item else 0))}
