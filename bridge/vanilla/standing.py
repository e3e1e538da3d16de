"""Where things stay, by standing.json as standing.cjs reads it, in a world known by names alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

_TABLE: Mapping[str, Any] = json.loads(Path(__file__).with_name("standing.json").read_bytes())
_SOFT = re.compile(_TABLE["soft"])
_SIDES: Mapping[str, Sequence[tuple[int, int, int]]] = {
    "below": [(0, -1, 0)],
    "above": [(0, 1, 0)],
    "beside": [(1, 0, 0), (-1, 0, 0), (0, 0, 1), (0, 0, -1)],
}
_AIR = "air"

Look: TypeAlias = Callable[[int, int, int], str]
"""The name of the block so many steps from a place."""


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
        if self.watered and not _is_watered(look):
            return False
        return any(
            self._is_held(what, look(*side), is_solid)
            for way, what in self.holds
            for side in _SIDES[way]
        )

    def _is_held(self, what: str, name: str, is_solid: Callable[[str], bool]) -> bool:
        if what in _TABLE["soils"]:
            return name in _TABLE["soils"][what]
        if what == "anything":
            return name != _AIR
        return is_solid(name) and not _SOFT.search(name) and name not in self.never


def _is_watered(look: Look) -> bool:
    beside = [look(dx, -1, dz) for dx, _, dz in _SIDES["beside"]]
    return look(0, -1, 0) == "sugar_cane" or "water" in beside


def _row(row: Mapping[str, Any]) -> Needs:
    holds = tuple((way, what) for way, what in row["holds"])
    never = tuple(row.get("never", ()))
    return Needs(**{**row, "names": re.compile(row["names"]), "holds": holds, "never": never})


_KINDS = tuple(map(_row, _TABLE["kinds"]))


def needs_of(item: str) -> Needs | None:
    """What an item or block needs to stay; None where it stays everywhere."""
    return next((kind for kind in _KINDS if kind.names.search(item)), None)
