"""The world of a plan that is asked for without a bot, as JSON: what is held and what is near."""

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
"""Of one thing; more is read as this, since no goal can use it."""
KEYS = ("version", "inventory", "nearby", "nearby_workbench", "nearby_furnace")


@dataclass(frozen=True, slots=True)
class AskedWorld:
    """A world as it was told: of the right shape, its names not looked up yet."""

    version: str = DEFAULT_VERSION
    inventory: Mapping[str, int] | None = None
    nearby: Mapping[str, int] | None = None
    workbench_near: bool = False
    furnace_near: bool = False

    def of(self, names: Names) -> PlanningWorld:
        """Raises GoalRefused when it names what this version has not."""
        return PlanningWorld(
            inventory=_known(self.inventory, names, item_named, "inventory"),
            nearby=_known(self.nearby, names, block_named, "nearby"),
            workbench_near=self.workbench_near,
            furnace_near=self.furnace_near,
        )


def read_world(told: object) -> AskedWorld:
    """The world of a JSON object; None and missing keys are empty. Raises WorldRefused."""
    if told is None:
        return AskedWorld()
    if not isinstance(told, Mapping):
        raise WorldRefused(f"A world is an object with {', '.join(KEYS)}, not {_shown(told)}.")
    _refuse_strange_keys(told)
    return AskedWorld(
        version=_version(told.get("version")),
        inventory=_counts(told.get("inventory"), "inventory"),
        nearby=_counts(told.get("nearby"), "nearby"),
        workbench_near=_switch(told.get("nearby_workbench"), "nearby_workbench"),
        furnace_near=_switch(told.get("nearby_furnace"), "nearby_furnace"),
    )


def as_json(version: str, world: PlanningWorld) -> dict[str, Any]:
    """What `read_world` reads back."""
    return {
        "version": version,
        "inventory": dict(world.inventory),
        "nearby": dict(world.nearby),
        "nearby_workbench": world.workbench_near,
        "nearby_furnace": world.furnace_near,
    }


def _refuse_strange_keys(told: Mapping[Any, Any]) -> None:
    strange = next((str(key) for key in told if key not in KEYS), None)
    if strange is None:
        return
    hint = suggest.as_clause(suggest.similar(strange, KEYS)) or f": it has {', '.join(KEYS)}."
    raise WorldRefused(f"A world has no {quoted(strange)}{hint}")


def _version(told: object) -> str:
    if told is None:
        return DEFAULT_VERSION
    if not isinstance(told, str):
        raise WorldRefused(f"version is a text as '1.20.1', not {_shown(told)}.")
    return told.strip()


def _counts(told: object, key: str) -> dict[str, int]:
    if told is None:
        return {}
    if not isinstance(told, Mapping):
        raise WorldRefused(f"{key} is an object of counts by name, not {_shown(told)}.")
    return {str(name): _count(count, f"{key}.{name}") for name, count in told.items()}


def _count(told: object, where: str) -> int:
    whole = isinstance(told, int) or (isinstance(told, float) and told.is_integer())
    if isinstance(told, bool) or not whole:
        raise WorldRefused(f"{quoted(where)} is a whole number, not {_shown(told)}.")
    assert isinstance(told, int | float)
    if told < 0:
        raise WorldRefused(f"{quoted(where)} is {_shown(told)}: there cannot be less than none.")
    return min(int(told), MOST)


def _switch(told: object, key: str) -> bool:
    if told is None or isinstance(told, bool):
        return bool(told)
    raise WorldRefused(f"{key} is true or false, not {_shown(told)}.")


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


def _shown(told: object) -> str:
    return quoted(told) if isinstance(told, str) else quoted(str(told)).strip("'\"")
