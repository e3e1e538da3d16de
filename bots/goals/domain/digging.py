"""Gather activities: each block with each tool that harvests it or digs it faster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from bots.goals.activity import Activity
from bots.goals.domain import costs
from bots.skills.drops import SHEARS, is_sheared, sure_drops
from bridge.catalogue import BlockFacts

_WORTH_CARRYING = 2.0
"""Tools less than twice as fast as the hand are left out (a sword on melons), and so is every tool
where the hand takes no time (flowers)."""
_MATERIALS = ("wooden", "golden", "stone", "copper", "iron", "diamond", "netherite")
"""From the worst to the best."""
_KINDS = ("pickaxe", "axe", "shovel", "hoe", "sword", "shears")


def tool_order(items: Iterable[str]) -> tuple[str, ...]:
    """The tools among these items, from the worst to the best."""
    return tuple(sorted((item for item in items if _is_tool(item)), key=_rank))


def digging(
    blocks: Mapping[str, BlockFacts], items: frozenset[str]
) -> dict[str, tuple[Activity, ...]]:
    """For each block with a sure drop, the ways to dig it: by hand first, then by tool."""
    found = {name: tuple(_ways(block, items)) for name, block in blocks.items()}
    return {name: ways for name, ways in found.items() if ways}


def _ways(block: BlockFacts, items: frozenset[str]) -> Iterator[Activity]:
    if block.hardness is None:
        return
    for tool in tools(block, items):
        produces = sure_drops(block.name, block.drops, tool, items)
        if produces:
            speed = block.speeds.get(tool, 1.0) if tool else 1.0
            yield Activity(
                kind="gather",
                target=block.name,
                produces=produces,
                tool=tool,
                fixed_ticks=costs.ticks(costs.WALK_S),
                unit_ticks=costs.gather_ticks(block.name, block.hardness, speed),
            )


def tools(block: BlockFacts, items: frozenset[str]) -> list[str | None]:
    """What to dig a block with: the hand first (None) if it will do, then tools that help."""
    needs = block.needs
    at_once = not costs.dig_ticks(block.hardness or 0, 1.0)
    fast = {t for t, speed in block.speeds.items() if speed >= _WORTH_CARRYING and not at_once}
    shears = {SHEARS} if is_sheared(block.name) else set()
    fit = (fast if needs is None else needs) | shears
    by_hand: list[str | None] = [None] if needs is None else []
    return by_hand + sorted(fit & items, key=_rank)


def _rank(tool: str) -> tuple[int, int, str]:
    material, _, kind = tool.rpartition("_")
    rank = _MATERIALS.index(material) if material in _MATERIALS else len(_MATERIALS)
    return rank, _KINDS.index(kind) if kind in _KINDS else len(_KINDS), tool


def _is_tool(item: str) -> bool:
    material, _, kind = item.rpartition("_")
    return item == "shears" or (kind in _KINDS and material in _MATERIALS)
