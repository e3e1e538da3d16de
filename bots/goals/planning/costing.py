"""What each way costs in the world of one problem."""

from __future__ import annotations

from collections.abc import Callable

from bots.goals.activity import Activity, Cost
from bots.goals.planning.ways import Way


def as_the_domain_says(activity: Activity) -> Cost:
    fixed, unit = activity.fixed_ticks, activity.unit_ticks
    return Cost(fixed, unit, fixed, unit)


class Costs:
    """The costs of ways, each asked for once."""

    def __init__(self, cost_of: Callable[[Activity], Cost] = as_the_domain_says) -> None:
        self._cost_of = cost_of
        self._known: dict[Way, Cost] = {}

    def of(self, way: Way) -> Cost:
        cost = self._known.get(way)
        if cost is None:
            cost = self._known[way] = self._cost_of(way.activity)
        return cost
