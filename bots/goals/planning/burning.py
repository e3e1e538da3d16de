"""How long fuels burn, and which recipes for a fuel waste their ingredients.

Each smelting way burns its own pieces and loses the rest of the last one, so two short pieces can
be worth more than a long one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from bots.goals.activity import Activity

QUARTERS = 4
"""Heat that smelting one item takes, in quarters."""


def pieces(quarters: int, fuel: int) -> int:
    """How many pieces that burn `fuel` quarters give that much heat."""
    return -(-quarters // fuel)


def is_waste(activity: Activity, heat: Mapping[str, int]) -> bool:
    """Whether the ingredients burn at least as long as the product."""
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
    """Whether `n` of an ingredient can replace the `made` fuels, however many items they smelt."""
    if not 0 < fuel * made <= each * n:
        return False
    return all(
        pieces(QUARTERS * smelted, each) * made <= pieces(QUARTERS * smelted, fuel) * n
        for smelted in range(1, each * fuel + 1)
    )
