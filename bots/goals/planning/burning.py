"""How long fuels burn, and which ways of making a fuel waste their inputs.

Each way of smelting burns its own pieces and loses what is left of the last one, so two short
pieces can be worth more than a long one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from bots.goals.activity import Activity

QUARTERS = 4
"""Quarters of heat that one piece takes to smelt."""


def pieces(quarters: int, fuel: int) -> int:
    """How many pieces of a fuel give that heat."""
    return -(-quarters // fuel)


def is_waste(activity: Activity, heat: Mapping[str, int]) -> bool:
    """Whether what is taken burns at least as long as the one thing that is made of it."""
    if activity.kind != "craft" or len(activity.produces) != 1:
        return False
    ((fuel, made),) = activity.produces.items()
    taken = [(heat.get(thing, 0), n) for thing, n in activity.consumes.items()]
    taken += [(min(heat.get(item, 0) for item in pool), n) for pool, n in activity.pools.items()]
    if made == 1:  # burnt in one place, as all that it takes can be
        return 0 < heat.get(fuel, 0) <= sum(each * n for each, n in taken)
    return any(_outlasts(each, n, heat.get(fuel, 0), made) for each, n in taken)


@cache
def _outlasts(each: int, n: int, fuel: int, made: int) -> bool:
    """Whether so many pieces do for what is made of them, however it is shared out."""
    if not 0 < fuel * made <= each * n:
        return False
    return all(
        pieces(QUARTERS * smelted, each) * made <= pieces(QUARTERS * smelted, fuel) * n
        for smelted in range(1, each * fuel + 1)
    )
