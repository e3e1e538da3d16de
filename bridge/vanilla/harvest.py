"""What minecraft-data gets wrong about tools, corrected as harvest.cjs does for a running bot."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

_TABLE = json.loads(Path(__file__).with_name("harvest.json").read_bytes())
_NEEDS_NOTHING: Mapping[str, str] = {
    name: material for material, names in _TABLE["needs_nothing"].items() for name in names
}


def corrected(
    rows: Iterable[Mapping[str, Any]], materials: Mapping[str, Any]
) -> Iterator[Mapping[str, Any]]:
    """The rows of blocks.json with the right `harvestTools` and `material`."""
    rows = [{**row, "material": _material(row)} for row in rows]
    if _TABLE["hand_made_have_material"] not in materials:
        return iter(rows)
    pickaxes = next(row["harvestTools"] for row in rows if row["name"] == "stone")
    return (_by_hand(row, pickaxes) for row in rows)


def _material(row: Mapping[str, Any]) -> str | None:
    material: str | None = row.get("material")
    misfiled: Mapping[str, str] = _TABLE["misfiled"]
    return misfiled.get(material, material) if material else None


def _by_hand(row: Mapping[str, Any], pickaxes: Mapping[str, bool]) -> Mapping[str, Any]:
    name = row["name"]
    if name in _TABLE["needs_pickaxe"]:
        return {**row, "harvestTools": pickaxes, "material": _TABLE["pickaxe_material"]}
    if name in _NEEDS_NOTHING:
        return {**row, "harvestTools": None, "material": _NEEDS_NOTHING[name]}
    return row
