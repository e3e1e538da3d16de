"""Reads and writes the world of an offline plan as JSON: what is held, in chests and nearby.

What is nearby is a count, or an object: {"count": 3, "distance": 7.4, "height": -12}."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bots.goals.activity import Away, PlanningWorld, Stored
from bots.goals.parsing.names import Names, item_named, near_named
from bots.goals.parsing.refusals import GoalRefused, WorldRefused, quoted
from bots.text import suggest
from bots.text.numbers import as_real, as_whole

DEFAULT_VERSION = "1.16.5"
MOST = 1_000_000
"""Highest count of one thing; higher ones are cut to this, as no goal needs more."""
FARTHEST = 10_000
"""Blocks; what is said to be farther away is so far."""
PLACE_KEYS = ("count", "distance", "height", "apart", "under_water")
KEYS = ("version", "inventory", "nearby", "chests", "nearby_workbench", "nearby_furnace")
CHEST_KEYS = ("count", "distance")


@dataclass(frozen=True, slots=True)
class AskedWorld:
    """A world of the right shape whose names are not looked up yet."""

    version: str = DEFAULT_VERSION
    inventory: Mapping[str, int] | None = None
    nearby: Mapping[str, int] | None = None
    away: Mapping[str, Away] | None = None
    """Where those are of which it is said."""
    chests: Mapping[str, Stored] | None = None
    workbench_near: bool = False
    furnace_near: bool = False

    def of(self, names: Names) -> PlanningWorld:
        """Look the names up. Raises GoalRefused for names unknown to the version."""
        return PlanningWorld(
            inventory=_known(self.inventory, names, item_named, "inventory"),
            nearby=_known(self.nearby, names, near_named, "nearby"),
            workbench_near=self.workbench_near,
            furnace_near=self.furnace_near,
            away=_nearest(self.away or {}, names),
            stored=_in_chests(self.chests or {}, names),
        )


def read_world(given: object) -> AskedWorld:
    """Read a JSON object; None and missing keys mean empty. Raises WorldRefused."""
    if given is None:
        return AskedWorld()
    if not isinstance(given, Mapping):
        raise WorldRefused(f"A world is an object with {', '.join(KEYS)}, not {_shown(given)}.")
    _refuse_strange_keys(given)
    nearby, away = _surroundings(given.get("nearby"))
    return AskedWorld(
        version=_version(given.get("version")),
        inventory=_counts(given.get("inventory"), "inventory"),
        nearby=nearby,
        away=away,
        chests=_chests(given.get("chests")),
        workbench_near=_switch(given.get("nearby_workbench"), "nearby_workbench"),
        furnace_near=_switch(given.get("nearby_furnace"), "nearby_furnace"),
    )


def as_json(version: str, world: PlanningWorld) -> dict[str, Any]:
    """The JSON that `read_world` reads."""
    near = world.nearby.items()
    return {
        "version": version,
        "inventory": dict(world.inventory),
        "nearby": {name: _as_json(count, world.away.get(name)) for name, count in near},
        "chests": {item: _stored_as_json(kept) for item, kept in world.stored.items()},
        "nearby_workbench": world.workbench_near,
        "nearby_furnace": world.furnace_near,
    }


def _as_json(count: int, away: Away | None) -> object:
    if away is None:
        return count
    where = {"distance": away.distance, "height": away.height, "apart": away.apart}
    return {"count": count, **where, "under_water": away.under_water}


def _stored_as_json(kept: Stored) -> object:
    if kept.distance is None:
        return kept.count
    return {"count": kept.count, "distance": kept.distance}


def _refuse_strange_keys(
    given: Mapping[Any, Any], keys: Sequence[str] = KEYS, whose: str = "A world has"
) -> None:
    strange = next((str(key) for key in given if key not in keys), None)
    if strange is None:
        return
    hint = suggest.as_clause(suggest.similar(strange, keys)) or f": it has {', '.join(keys)}."
    raise WorldRefused(f"{whose} no {quoted(strange)}{hint}")


def _version(given: object) -> str:
    if given is None:
        return DEFAULT_VERSION
    if not isinstance(given, str):
        raise WorldRefused(f"version is a text such as '1.20.1', not {_shown(given)}.")
    return given.strip()


def _counts(given: object, key: str) -> dict[str, int]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise WorldRefused(f"{key} is an object of counts by name, not {_shown(given)}.")
    return {str(name): _count(count, f"{key}.{name}") for name, count in given.items()}


def _surroundings(given: object) -> tuple[dict[str, int], dict[str, Away]]:
    """Counts of what is nearby, and where that is of which it is said."""
    placed = given.items() if isinstance(given, Mapping) else ()
    told = {str(name): one for name, one in placed if isinstance(one, Mapping)}
    plain = {**given, **dict.fromkeys(told, 0)} if isinstance(given, Mapping) else given
    counts = _counts(plain, "nearby")
    away: dict[str, Away] = {}
    for name, one in told.items():
        where = f"nearby.{name}"
        _refuse_strange_keys(one, PLACE_KEYS, f"{quoted(where)} has")
        if "count" not in one:
            raise WorldRefused(f"{quoted(where)} lacks a count.")
        counts[name] = _count(one["count"], f"{where}.count")
        if "distance" in one:
            away[name] = _place(one, where)
    return counts, away


def _chests(given: object) -> dict[str, Stored]:
    """What chests hold, by item, and how far the nearest is of those of which it is said."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise WorldRefused(f"chests is an object of counts by item, not {_shown(given)}.")
    return {str(name): _stored(one, f"chests.{name}") for name, one in given.items()}


def _stored(given: object, where: str) -> Stored:
    if not isinstance(given, Mapping):
        return Stored(_count(given, where))
    _refuse_strange_keys(given, CHEST_KEYS, f"{quoted(where)} has")
    if "count" not in given:
        raise WorldRefused(f"{quoted(where)} lacks a count.")
    distance = _number(given["distance"], f"{where}.distance") if "distance" in given else None
    if distance is not None and distance < 0:
        raise WorldRefused(f"{quoted(where)} is a distance below 0.")
    return Stored(_count(given["count"], f"{where}.count"), distance)


def _place(given: Mapping[Any, Any], where: str) -> Away:
    distance = _number(given["distance"], f"{where}.distance")
    height = _number(given.get("height", 0), f"{where}.height")
    apart = _number(given.get("apart", 0), f"{where}.apart")
    if distance < 0 or apart < 0:
        raise WorldRefused(f"{quoted(where)} is a distance below 0.")
    wet = _switch(given.get("under_water"), f"{where}.under_water")
    return Away(max(distance, abs(height)), height, apart, wet)


def _number(given: object, where: str) -> float:
    number = as_real(given)
    if number is None or not math.isfinite(number):
        raise WorldRefused(f"{quoted(where)} is a number, not {_shown(given)}.")
    return min(float(FARTHEST), max(-float(FARTHEST), number))


def _nearest(told: Mapping[str, Away], names: Names) -> dict[str, Away]:
    """By the names of the version; of several places of one kind the nearest counts."""
    known: dict[str, Away] = {}
    for word, away in told.items():
        name = near_named(word, names)
        if name not in known or away.distance < known[name].distance:
            known[name] = away
    return known


def _in_chests(told: Mapping[str, Stored], names: Names) -> dict[str, Stored]:
    """By the names of the version; of several words for one item the last counts."""
    known = {_named(word, names, item_named, "chests"): kept for word, kept in told.items()}
    return {item: kept for item, kept in known.items() if kept.count}


def _count(given: object, where: str) -> int:
    count = as_whole(given)
    if count is None:
        raise WorldRefused(f"{quoted(where)} is a whole number, not {_shown(given)}.")
    if count < 0:
        raise WorldRefused(f"{quoted(where)} is {count}: there cannot be less than none.")
    return min(count, MOST)


def _switch(given: object, key: str) -> bool:
    if given is None or isinstance(given, bool):
        return bool(given)
    raise WorldRefused(f"{key} is true or false, not {_shown(given)}.")


def _known(
    counts: Mapping[str, int] | None,
    names: Names,
    named: Callable[[str, Names], str],
    where: str,
) -> dict[str, int]:
    known: dict[str, int] = {}
    for word, count in (counts or {}).items():
        name = _named(word, names, named, where)
        known[name] = known.get(name, 0) + count
    return {name: count for name, count in known.items() if count}


def _named(word: str, names: Names, named: Callable[[str, Names], str], where: str) -> str:
    try:
        return named(word, names)
    except GoalRefused as error:
        raise error.within(f"the world's {where}") from None


def _shown(given: object) -> str:
    return quoted(given) if isinstance(given, str) else quoted(str(given)).strip("'\"")
