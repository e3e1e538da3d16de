"""A place with a name."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from bridge.world import Position


@dataclass(frozen=True, slots=True)
class Location:
    """A point somebody gave a name to; told ones are blocks, by their lower corner."""

    name: str
    position: Position
    dimension: str


def key_of(name: str) -> str:
    """What two spellings of the same name have in common: `Ｈome ` and `home` are one place."""
    return unicodedata.normalize("NFKC", name).strip().casefold()
