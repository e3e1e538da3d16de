"""What people would be told to fetch for an impossible goal: raw things, each with a price.

Work is free where these are paid (item_prices.py), so that as little as possible is fetched and
what is there is used first; small numbers, because the solver is quicker with them. Raw is what
nothing makes, and what some natural block lets fall; of things that are only made of each other
(block and ingot) the small unit is raw.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from bots.goals.activity import Activity, Domain
from bots.goals.explain.origins import is_given

DUG = 22
"""Some block lets it fall."""
GIVEN = 100
"""Creatures, trade, structures."""
SMITHED = 3_000
"""Gear that no recipe makes: never fetched in place of lesser gear."""
COMMON = DUG - 1
"""Of things that do as well as each other, what people know best."""
FINE = 1_000
"""Sums of parts are kept in thousandths, since a part of one firing's many pieces is small."""
MADE = 20
"""Thousandths added for each thing made on the way: fewer steps are simpler to tell."""

_COMMON = {"oak_log", "cobblestone", "coal", "sand", "iron_ore", "raw_iron", "gold_ore", "raw_gold"}
_BUILT = re.compile(
    r"(\w+_)?wall_\w+|potted_\w+|\w*cauldron|\w*candle_cake|redstone_wire|tripwire"
    r"|(exposed|weathered|oxidized|waxed)_\w+"
)


@dataclass(frozen=True, slots=True)
class Prices:
    """Of one version."""

    raw: Mapping[str, int]
    """What to fetch, never made."""
    whole: Mapping[str, int]
    """Of every item that can be had somehow, its raw parts added up, in thousandths."""


def prices_of(domain: Domain) -> Prices:
    """Price every item; some milliseconds, so keep the result."""
    dug = {item for ways in domain.digging.values() for way in ways for item in way.produces}
    made = {item for activity in domain.making for item in activity.produces}
    raw = {item: DUG if item in dug else GIVEN for item in sorted(domain.items - made)}
    raw |= {item: GIVEN for item in sorted(domain.items) if is_given(item)}
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
    """What falls out of other blocks, of such as nobody made."""
    for block, ways in domain.digging.items():
        if block not in made and not _BUILT.fullmatch(block):
            yield from (item for way in ways for item in way.produces if item != block)


def _small_units(domain: Domain) -> Iterator[str]:
    """Ingots of a block: several are made of one thing."""
    for activity in domain.making:
        alone = sum(activity.consumes.values()) == 1 and not activity.pools
        if alone and activity.produces.get(activity.target, 0) > 1:
            yield activity.target


def _spread(making: Iterable[Activity], raw: Mapping[str, int]) -> dict[str, int]:
    """The cheapest sum of parts for everything, until nothing gets cheaper."""
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
    """Of one piece; None when a part is not to be had."""
    parts = [(whole.get(item), count) for item, count in activity.consumes.items()]
    for pool, count in activity.pools.items():
        known = [whole[item] for item in pool if item in whole]
        parts.append((min(known, default=None), count))
    if any(price is None for price, _ in parts):
        return None
    whole_price = MADE + sum((price or 0) * count for price, count in parts)
    return -(-whole_price // activity.produces.get(activity.target, 1))
