"""Choosing fuel: enough for everything, the cheapest first, nothing that is dear."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from bots.errors import CommandError
from bots.skills.keeping import is_dear
from bridge.catalogue import Catalogue
from bridge.world import WorldSnapshot

_MEANT_TO_BURN = frozenset({"coal", "charcoal", "coal_block", "dried_kelp_block"})


@dataclass(frozen=True, slots=True)
class Load:
    """A number of items to cook over one kind of fuel."""

    fuel: str
    items: int


def plan_fuel(
    catalogue: Catalogue,
    world: WorldSnapshot,
    item: str,
    count: int,
    named: str | None,
    most: int | None = None,
) -> tuple[Load, ...]:
    """Plan loads that cook `count` of an item over carried fuel, or only over the `named` fuel,
    burning `most` pieces at most.

    Raises CommandError not_fuel, missing_fuel (with how many items there is fuel for)."""
    stock = _stock(world, item, count)
    if named is not None:
        _require_fuel(catalogue, named)
        stock = Counter({named: stock[named]})
    able = {fuel: pieces for fuel, pieces in stock.items() if named or not is_dear(fuel)}
    loads = _loads(catalogue, able, count, math.inf if most is None else most)
    enough_for = sum(load.items for load in loads)
    if enough_for < count:
        raise _too_little(count, enough_for, named, most)
    return loads


def _loads(
    catalogue: Catalogue, able: Mapping[str, int], count: int, most: float
) -> tuple[Load, ...]:
    """Loads of `most` pieces at most; they may cook less than `count`."""

    def cooks(fuel: str) -> int:
        return math.floor(min(able[fuel], most) * heat[fuel])

    heat = {fuel: catalogue.items[fuel].fuel for fuel in able if fuel in catalogue.items}
    few = {fuel: cooks(fuel) for fuel in heat if able[fuel] > 0}
    ranked = sorted(few, key=lambda fuel: (*_rank(fuel, few[fuel], count, heat[fuel], most), fuel))
    loads: list[Load] = []
    for fuel in ranked:
        items = min(count, cooks(fuel))
        if items:
            loads.append(Load(fuel, items))
            count -= items
            most -= math.ceil(items / heat[fuel])
    return tuple(loads)


def _stock(world: WorldSnapshot, item: str, count: int) -> Counter[str]:
    """What is carried, without the items to cook."""
    stock: Counter[str] = Counter()
    for stack in world.items:
        stock[stack.name] += stack.count
    stock[item] -= count
    return stock


def _rank(
    fuel: str, capacity: int, count: int, heat: float, most: float
) -> tuple[bool, bool, float]:
    """Sorts real fuel first, then fuel that suffices alone, then the smallest supply; when `most`
    is given and none suffices alone, the hottest first."""
    suffices = capacity >= count
    last = capacity if suffices or math.isinf(most) else -heat
    return fuel not in _MEANT_TO_BURN, not suffices, last


def _require_fuel(catalogue: Catalogue, named: str) -> None:
    facts = catalogue.items.get(named)
    if facts is None or not facts.fuel:
        raise CommandError("not_fuel", f"{named} does not burn.", fuel=named)


def _too_little(count: int, able: int, named: str | None, most: int | None) -> CommandError:
    what = named or "fuel"
    carried = "carried" if most is None else f"carried, at most {most} of it,"
    have = f"the {what} {carried} is enough for {able}" if able else f"no {what} is carried"
    help_ = "" if named or most is not None else " Coal, charcoal, logs or planks would do."
    sentence = f"For {count} to cook, {have}.{help_}"
    return CommandError("missing_fuel", sentence, count=count, enoughFor=able)
