"""Turns an order of firings into the steps that people read and the runner does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bots.goals.activity import TICK_S
from bots.goals.plan import Step, StepStation
from bots.goals.planning.costing import Costs
from bots.goals.planning.firing import Firing
from bots.goals.planning.ways import Thing

_JOINED = {"place", "gather", "take", "search", "hunt", "shear", "fish"}


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
        steps.append(_step(firing, ticks, model_ticks, remainders))
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


def _step(firing: Firing, ticks: int, model_ticks: int, remainders: Mapping[str, str]) -> Step:
    activity = firing.way.activity
    produces = _items(firing.gained(remainders))
    made = activity.kind in ("craft", "smelt")
    return Step(
        activity.kind,
        activity.target,
        (activity.produces[activity.target] if made else max(1, activity.uses)) * firing.count,
        _station(firing),
        activity.tool,
        _items(firing.spent()),
        produces,
        round(ticks * TICK_S, 2),
        round(model_ticks * TICK_S, 2),
        activity.is_mean,
    )


def _station(firing: Firing) -> StepStation | None:
    activity = firing.way.activity
    return activity.station or ("hand" if activity.kind == "craft" else None)


def _items(things: Mapping[Thing, int]) -> dict[str, int]:
    items = {thing: n for thing, n in things.items() if isinstance(thing, str) and n}
    return dict(sorted(items.items()))
