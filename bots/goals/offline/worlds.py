"""Reads and writes the world of an offline plan as JSON: what is held and what is nearby."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bots.goals.activity import PlanningWorld
from bots.goals.parsing.names import Names, block_named, item_named
from bots.goals.parsing.refusals import GoalRefused, WorldRefused, quoted
from bots.text import suggest

DEFAULT_VERSION = "1.16.5"
MOST = 1_000_000
"""Highest count of one thing; higher ones are cut to this, as no goal needs more."""
KEYS = ("version", "inventory", "nearby", "nearby_workbench", "nearby_furnace")


@dataclass(frozen=True, slots=True)
class AskedWorld:
    """A world of the right shape whose names are not looked up yet."""

    version: str = DEFAULT_VERSION
    inventory: Mapping[str, int] | None = None
    nearby: Mapping[str, int] | None = None
    workbench_near: bool = False
    furnace_near: bool = False

    def of(self, names: Names) -> PlanningWorld:
        """Look the names up. Raises GoalRefused for names unknown to the version."""
        return PlanningWorld(
            inventory=_known(self.inventory, names, item_named, "inventory"),
            nearby=_known(self.nearby, names, block_named, "nearby"),
            workbench_near=self.workbench_near,
            furnace_near=self.furnace_near,
        )


def read_world(given: object) -> AskedWorld:
    """Read a JSON object; None and missing keys mean empty. Raises WorldRefused."""
    if given is None:
        return AskedWorld()
    if not isinstance(given, Mapping):
        raise WorldRefused(f"A world is an object with {', '.join(KEYS)}, not {_shown(given)}.")
    _refuse_strange_keys(given)
    return AskedWorld(
        version=_version(given.get("version")),
        inventory=_counts(given.get("inventory"), "inventory"),
        nearby=_counts(given.get("nearby"), "nearby"),
        workbench_near=_switch(given.get("nearby_workbench"), "nearby_workbench"),
        furnace_near=_switch(given.get("nearby_furnace"), "nearby_furnace"),
    )


def as_json(version: str, world: PlanningWorld) -> dict[str, Any]:
    """The JSON that `read_world` reads."""
    return {
        "version": version,
        "inventory": dict(world.inventory),
        "nearby": dict(world.nearby),
        "nearby_workbench": world.workbench_near,
        "nearby_furnace": world.furnace_near,
    }


def _refuse_strange_keys(given: Mapping[Any, Any]) -> None:
    strange = next((str(key) for key in given if key not in KEYS), None)
    if strange is None:
        return
    hint = suggest.as_clause(suggest.similar(strange, KEYS)) or f": it has {', '.join(KEYS)}."
    raise WorldRefused(f"A world has no {quoted(strange)}{hint}")


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


def _count(given: object, where: str) -> int:
    whole = isinstance(given, int) or (isinstance(given, float) and given.is_integer())
    if isinstance(given, bool) or not whole:
        raise WorldRefused(f"{quoted(where)} is a whole number, not {_shown(given)}.")
    assert isinstance(given, int | float)
    if given < 0:
        raise WorldRefused(f"{quoted(where)} is {_shown(given)}: there cannot be less than none.")
    return min(int(given), MOST)


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
        try:
            name = named(word, names)
        except GoalRefused as error:
            raise error.within(f"the world's {where}") from None
        known[name] = known.get(name, 0) + count
    return {name: count for name, count in known.items() if count}


def _shown(given: object) -> str:
    return quoted(given) if isinstance(given, str) else quoted(str(given)).strip("'\"")
