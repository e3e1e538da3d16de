"""Prices of raw items, to find the least to fetch for an impossible goal.

Work costs nothing beside these prices (item_prices.py), so that little is fetched and what is there
is used first. The numbers are small because the solver is faster with them. Raw is what no recipe
makes and what natural blocks drop; of items made only of each other (block and ingot) the smaller
unit is raw.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from bots.goals.activity import Activity, Domain
from bots.goals.explain.origins import is_given

DUG = 22
"""A block drops it."""
GIVEN = 100
"""It comes from creatures, trade or structures."""
HUNTED = 40
"""An animal gives it: less than what it could be made of instead, as wool of string."""
SMITHED = 3_000
"""Gear without a recipe: too dear to be suggested in place of lesser gear."""
COMMON = DUG - 1
"""The best known of several equivalent items."""
FINE = 1_000
"""Prices of made items are in thousandths, because one craft can make many pieces."""
MADE = 20
"""Thousandths added per craft: fewer steps are simpler to explain."""

_COMMON = {"oak_log", "cobblestone", "coal", "sand", "iron_ore", "raw_iron", "gold_ore", "raw_gold"}
_BUILT = re.compile(
    r"(\w+_)?wall_\w+|potted_\w+|\w*cauldron|\w*candle_cake|redstone_wire|tripwire"
    r"|(exposed|weathered|oxidized|waxed)_\w+"
)


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices of the items of one version."""

    raw: Mapping[str, int]
    """Price of each raw item, which is fetched and never made."""
    whole: Mapping[str, int]
    """Price of every obtainable item, the sum of its raw parts, in thousandths."""


def prices_of(domain: Domain) -> Prices:
    """Price every item; takes some milliseconds, so keep the result."""
    dug = {item for ways in domain.digging.values() for way in ways for item in way.produces}
    made = {item for activity in domain.making for item in activity.produces}
    raw = {item: DUG if item in dug else GIVEN for item in sorted(domain.items - made)}
    raw |= {item: HUNTED for item in sorted(domain.items) if is_given(item)}
    raw |= {item: SMITHED for item in raw if item in domain.tool_order}
    raw |= dict.fromkeys(_fallen(domain, made), DUG)
    raw |= {item: COMMON for item in sorted(_COMMON) if raw.get(item) == DUG}
    whole = _spread(domain.making, raw)
    for few in (_small_units(domain), domain.items):
        lost = sorted({*few} - whole.keys())
        raw |= {item: DUG if item in dug else GIVEN for item in lost}
        whole = _spread(domain.making, raw)
    return Prices(raw, whole)


def _fallen(domain: Domain, made: AbstractSet[str]) -> Iterator[str]:
    """Items that natural blocks drop instead of themselves."""
    for block, ways in domain.digging.items():
        if block not in made and not _BUILT.fullmatch(block):
            yield from (item for way in ways for item in way.produces if item != block)


def _small_units(domain: Domain) -> Iterator[str]:
    """Items of which one other item makes several, such as ingots of a block."""
    for activity in domain.making:
        alone = sum(activity.consumes.values()) == 1 and not activity.pools
        if alone and activity.produces.get(activity.target, 0) > 1:
            yield activity.target


def _spread(making: Iterable[Activity], raw: Mapping[str, int]) -> dict[str, int]:
    """The cheapest sum of parts of every item, repeated until nothing gets cheaper."""
    whole = {item: FINE * price for item, price in raw.items()}
    activities, changed = list(making), True
    while changed:
        changed = False
        for activity in activities:
            price = price_of_parts(activity, whole)
            for item in activity.produces:
                if price is not None and item not in raw and price < whole.get(item, price + 1):
                    whole[item], changed = price, True
    return whole


def price_of_parts(activity: Activity, whole: Mapping[str, int]) -> int | None:
    """Price of one piece; None if a part is not obtainable."""
    parts = [(whole.get(item), count) for item, count in activity.consumes.items()]
    for pool, count in activity.pools.items():
        known = [whole[item] for item in pool if item in whole]
        parts.append((min(known, default=None), count))
    if any(price is None for price, _ in parts):
        return None
    whole_price = MADE + sum((price or 0) * count for price, count in parts)
    return -(-whole_price // activity.produces.get(activity.target, 1))
