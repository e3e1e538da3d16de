"""The least a block drops for certain, without silk touch or fortune; crops are taken as ripe.

minecraft-data lists what may drop, not what must, nor how many. Wherever vanilla's loot tables
(data/minecraft/loot_table/blocks, 1.16 to 1.21) depend on chance, state or count, the sure minimum
is in drops.toml. Gravel counts as gravel, though it is sometimes flint."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files

SHEARS = "shears"

_TABLES = tomllib.loads((files(__package__) / "drops.toml").read_text("utf-8"))
_NO_SURE_DROP = re.compile("|".join(_TABLES["nothing_sure"]))
_SHEARED = re.compile("|".join(_TABLES["sheared"]))
_SURE_DROPS: Mapping[str, Mapping[str, int]] = _TABLES["sure"]
_SHEARED_DROPS: Mapping[str, Mapping[str, int]] = _TABLES["by_shears"]
_PICKAXE_DROPS: Mapping[str, Mapping[str, int]] = _TABLES["by_pickaxe"]


def sure_drops(
    block: str, listed: tuple[str, ...], tool: str | None, items: frozenset[str]
) -> Mapping[str, int]:
    """The least that drops, given what the data lists and the tool held; empty if nothing."""
    if block == "grass" and "dirt" in listed:  # the ground, up to 1.12
        return {"dirt": 1}
    drops = _sheared(block, items) if tool == SHEARS else None
    if drops is None and tool is not None and tool.endswith("_pickaxe"):
        drops = _PICKAXE_DROPS.get(block)
    if drops is None:
        drops = _without_shears(block, listed)
    return {item: count for item, count in drops.items() if item in items}


def is_sheared(block: str) -> bool:
    """Whether shears give something no other tool does."""
    return block == "tall_grass" or block in _SHEARED_DROPS or bool(_SHEARED.fullmatch(block))


def _sheared(block: str, items: frozenset[str]) -> Mapping[str, int] | None:
    if block == "tall_grass":
        return {"grass" if "grass" in items else "short_grass": 2}
    if block in _SHEARED_DROPS:
        return _SHEARED_DROPS[block]
    return {block: 1} if _SHEARED.fullmatch(block) else None


def _without_shears(block: str, listed: tuple[str, ...]) -> Mapping[str, int]:
    if block in _SURE_DROPS:
        return _SURE_DROPS[block]
    if _NO_SURE_DROP.fullmatch(block):
        return {}
    if not listed:  # some versions' data lacks the drops of wall blocks
        return {block.replace("wall_", "", 1): 1} if "wall_" in block else {}
    if block in listed:
        return {block: 1}
    return dict.fromkeys(listed if block.startswith("potted_") else listed[:1], 1)
