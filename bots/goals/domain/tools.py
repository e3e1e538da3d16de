"""Tools by name: which they are, and which is the better one."""

from __future__ import annotations

from collections.abc import Iterable

_MATERIALS = ("wooden", "golden", "stone", "copper", "iron", "diamond", "netherite")  # worst first
_KINDS = ("pickaxe", "axe", "shovel", "hoe", "sword", "shears")


def order(tool: str) -> tuple[int, int, str]:
    """From the worst to the best of a kind."""
    material, _, kind = tool.rpartition("_")
    rank = _MATERIALS.index(material) if material in _MATERIALS else len(_MATERIALS)
    return rank, _KINDS.index(kind) if kind in _KINDS else len(_KINDS), tool


def tool_order(items: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted((item for item in items if _is_tool(item)), key=order))


def _is_tool(item: str) -> bool:
    material, _, kind = item.rpartition("_")
    return item == "shears" or (kind in _KINDS and material in _MATERIALS)
