"""What to burn: enough for all, the cheapest first, nothing one would miss."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from bots.errors import CommandError
from bridge.catalogue import Catalogue
from bridge.world import WorldSnapshot

_KEPT = ("_bucket", "_pickaxe", "_axe", "_shovel", "_sword", "_hoe", "bow", "_rod", "_boat")
_KEPT_NAMES = frozenset({"crafting_table", "chest", "barrel", "bookshelf", "lectern", "ladder"})
_MEANT_TO_BURN = frozenset({"coal", "charcoal", "coal_block", "dried_kelp_block"})


@dataclass(frozen=True, slots=True)
class Load:
    """So many items cooked over one kind of fuel."""

    fuel: str
    items: int


def plan_fuel(
    catalogue: Catalogue, world: WorldSnapshot, item: str, count: int, named: str | None
) -> tuple[Load, ...]:
    """Loads that cook `count` of an item over what is carried, or over the fuel that is named.

    Raises CommandError not_fuel, missing_fuel (with how many items there is fuel for)."""
    stock = _stock(world, item, count)
    if named is not None:
        _require_fuel(catalogue, named)
        stock = Counter({named: stock[named]})
    able = {fuel: pieces for fuel, pieces in stock.items() if named or not _is_kept(fuel)}
    capacity = {fuel: _cooks(catalogue, fuel, pieces) for fuel, pieces in able.items()}
    loads: list[Load] = []
    left = count
    burning = sorted((f for f in capacity if capacity[f]), key=lambda f: _rank(f, capacity, count))
    for fuel in burning:
        load = Load(fuel, min(left, capacity[fuel]))
        left -= load.items
        loads.append(load)
        if not left:
            return tuple(loads)
    raise _too_little(count, count - left, named)


def _stock(world: WorldSnapshot, item: str, count: int) -> Counter[str]:
    """What is carried beside that which is to be cooked."""
    stock: Counter[str] = Counter()
    for stack in world.items:
        stock[stack.name] += stack.count
    stock[item] -= count
    return stock


def _cooks(catalogue: Catalogue, fuel: str, pieces: int) -> int:
    facts = catalogue.items.get(fuel)
    return math.floor(max(0, pieces) * facts.fuel) if facts else 0


def _rank(fuel: str, capacity: dict[str, int], count: int) -> tuple[bool, bool, int, str]:
    """What is meant to burn first, then what suffices alone, then the least of all."""
    return fuel not in _MEANT_TO_BURN, capacity[fuel] < count, capacity[fuel], fuel


def _is_kept(fuel: str) -> bool:
    return fuel in _KEPT_NAMES or fuel.endswith(_KEPT)


def _require_fuel(catalogue: Catalogue, named: str) -> None:
    facts = catalogue.items.get(named)
    if facts is None or not facts.fuel:
        raise CommandError("not_fuel", f"{named} does not burn.", fuel=named)


def _too_little(count: int, able: int, named: str | None) -> CommandError:
    what = named or "fuel"
    have = f"the {what} carried is enough for {able}" if able else f"no {what} is carried"
    help_ = "" if named else " Coal, charcoal, logs or planks would do."
    sentence = f"For {count} to cook, {have}.{help_}"
    return CommandError("missing_fuel", sentence, count=count, enoughFor=able)
