"""What burns in a furnace and what it makes, over all versions: the reading of furnace.json."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Furnace:
    fuels: Mapping[str, float]
    """Items that one piece smelts."""
    cooks_to: Mapping[str, str]


def _read(path: Path) -> Furnace:
    table = json.loads(path.read_bytes())
    return Furnace(
        fuels={
            name: int(ticks) / table["ticks_an_item"]
            for ticks, names in table["burns"].items()
            for name in names
        },
        cooks_to={
            raw: made
            for group in table["cooks"].values()
            for made, raws in group.items()
            for raw in raws
        },
    )


FURNACE = _read(Path(__file__).with_name("furnace.json"))
