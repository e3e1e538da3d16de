"""Facts of vanilla that no data package has, as JSON that Python and the scripts both read."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

_HARVEST = json.loads(Path(__file__).with_name("harvest.json").read_bytes())
_NEEDS_NOTHING: Mapping[str, str] = {
    name: material for material, names in _HARVEST["needs_nothing"].items() for name in names
}

_STANDING: Mapping[str, Any] = json.loads(Path(__file__).with_name("standing.json").read_bytes())
_SOFT = re.compile(_STANDING["soft"])
_SIDES: Mapping[str, Sequence[tuple[int, int, int]]] = {
    "below": [(0, -1, 0)],
    "above": [(0, 1, 0)],
    "beside": [(1, 0, 0), (-1, 0, 0), (0, 0, 1), (0, 0, -1)],
}
_AIR = "air"

Look: TypeAlias = Callable[[int, int, int], str]
"""The name of the block so many steps from a place."""


@dataclass(frozen=True, slots=True)
class Furnace:
    fuels: Mapping[str, float]
    """Items that one piece smelts."""
    cooks_to: Mapping[str, str]


_FURNACE = json.loads(Path(__file__).with_name("furnace.json").read_bytes())
FURNACE = Furnace(
    fuels={
        name: int(ticks) / _FURNACE["ticks_an_item"]
        for ticks, names in _FURNACE["burns"].items()
        for name in names
    },
    cooks_to={
        raw: made
        for group in _FURNACE["cooks"].values()
        for made, raws in group.items()
        for raw in raws
    },
)


@dataclass(frozen=True, slots=True)
class Blow:
    damage: float
    """Half-hearts at full strength, on somebody without armour."""
    pause_s: float
    """From one blow at full strength to the next, on the same creature."""


_WEAPONS = json.loads(Path(__file__).with_name("weapons.json").read_bytes())
_UNHURT_TICKS = 10  # a creature takes no second blow sooner


def _blow(damage: float, blows_a_second: float) -> Blow:
    ticks = max(_UNHURT_TICKS, math.ceil(20 / blows_a_second - 0.5)) + 1
    return Blow(damage, ticks / 20)


HAND = _blow(**_WEAPONS["hand"])
WEAPONS: Mapping[str, Blow] = {"trident": _blow(**_WEAPONS["trident"])} | {
    f"{material}_{kind}": _blow(damage, blows)
    for kind, told in _WEAPONS["of_material"].items()
    for material, damage, blows in zip(
        _WEAPONS["materials"], told["damage"], told["blows_a_second"], strict=True
    )
}
"""What a blow does, by the item in hand; `HAND` for all others."""


class Hunter(NamedTuple):
    """A monster that walks up and strikes."""

    damage: Sequence[float]
    """Half-hearts of a blow on somebody without armour, by difficulty."""
    follows: float
    speed: float
    reach: float
    isCalmInLight: bool = False


DANGERS: Mapping[str, Any] = json.loads(Path(__file__).with_name("dangers.json").read_bytes())
HUNTERS = {name: Hunter(**told) for name, told in DANGERS["hunters"].items()}


def corrected(
    rows: Iterable[Mapping[str, Any]], materials: Mapping[str, Any]
) -> Iterator[Mapping[str, Any]]:
    """The rows of blocks.json with the right `harvestTools` and `material`."""
    rows = [{**row, "material": _material(row)} for row in rows]
    if _HARVEST["hand_made_have_material"] not in materials:
        return iter(rows)
    pickaxes = next(row["harvestTools"] for row in rows if row["name"] == "stone")
    return (_by_hand(row, pickaxes) for row in rows)


def _material(row: Mapping[str, Any]) -> str | None:
    material: str | None = row.get("material")
    misfiled: Mapping[str, str] = _HARVEST["misfiled"]
    return misfiled.get(material, material) if material else None


def _by_hand(row: Mapping[str, Any], pickaxes: Mapping[str, bool]) -> Mapping[str, Any]:
    name = row["name"]
    if name in _HARVEST["needs_pickaxe"]:
        return {**row, "harvestTools": pickaxes, "material": _HARVEST["pickaxe_material"]}
    if name in _NEEDS_NOTHING:
        return {**row, "harvestTools": None, "material": _NEEDS_NOTHING[name]}
    return row


@dataclass(frozen=True, slots=True)
class Needs:
    """What a thing needs to stay where it is put."""

    names: re.Pattern[str]
    page: str
    """Of minecraft.wiki."""
    holds: tuple[tuple[str, str], ...]
    """Which side may hold it, and what must be there."""
    words: str
    dry: bool = False
    """Water washes it away."""
    lit: bool = False
    """It needs light of 8, or the open sky."""
    free: bool = False
    """Nothing solid may stand beside it."""
    watered: bool = False
    """There must be water beside the ground."""
    never: tuple[str, ...] = ()
    """What does not hold it, though it is firm."""

    def in_words(self) -> str:
        dry = ", and a dry place" if self.dry else ""
        return f"{self.words}{dry}{', and light' if self.lit else ''}"

    def stays(self, look: Look, is_solid: Callable[[str], bool]) -> bool:
        """Whether the thing would stay at the place that is looked at."""
        if self.dry and look(0, 0, 0) == "water":
            return False
        if self.free and any(is_solid(look(*side)) for side in _SIDES["beside"]):
            return False
        beside = [look(dx, -1, dz) for dx, _, dz in _SIDES["beside"]] if self.watered else []
        if self.watered and look(0, -1, 0) != "sugar_cane" and "water" not in beside:
            return False
        return any(
            self._is_held(what, look(*side), is_solid)
            for way, what in self.holds
            for side in _SIDES[way]
        )

    def _is_held(self, what: str, name: str, is_solid: Callable[[str], bool]) -> bool:
        if what in _STANDING["soils"]:
            return name in _STANDING["soils"][what]
        if what == "anything":
            return name != _AIR
        return is_solid(name) and not _SOFT.search(name) and name not in self.never


def _needs(row: Mapping[str, Any]) -> Needs:
    holds = tuple((way, what) for way, what in row["holds"])
    never = tuple(row.get("never", ()))
    return Needs(**{**row, "names": re.compile(row["names"]), "holds": holds, "never": never})


_KINDS = tuple(map(_needs, _STANDING["kinds"]))


def needs_of(item: str) -> Needs | None:
    """What an item or block needs to stay; None where it stays everywhere."""
    return next((kind for kind in _KINDS if kind.names.search(item)), None)
