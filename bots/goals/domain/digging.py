"""Gather activities: each block with each tool that harvests it or makes it faster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bots.goals.activity import Activity
from bots.goals.domain import costs
from bots.goals.domain.drops import SHEARS, is_shorn, sure_drops
from bots.goals.domain.tools import order
from bridge.catalogue import BlockFacts

_WORTH_CARRYING = 2.0
"""Tools that dig less than so many times faster than the hand (a sword in melons) are left out,
and so are all where the hand needs no time (flowers)."""


def digging(
    blocks: Mapping[str, BlockFacts], items: frozenset[str]
) -> dict[str, tuple[Activity, ...]]:
    """For each block that surely drops something, the ways to dig it, the hand first."""
    found = {name: tuple(_ways(block, items)) for name, block in blocks.items()}
    return {name: ways for name, ways in found.items() if ways}


def _ways(block: BlockFacts, items: frozenset[str]) -> Iterator[Activity]:
    if block.hardness is None:
        return
    for tool in _tools(block, items):
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


def _tools(block: BlockFacts, items: frozenset[str]) -> list[str | None]:
    needs = block.needs
    at_once = not costs.dig_ticks(block.hardness or 0, 1.0)
    fast = {t for t, speed in block.speeds.items() if speed >= _WORTH_CARRYING and not at_once}
    shears = {SHEARS} if is_shorn(block.name) else set()
    fit = (fast if needs is None else needs) | shears
    by_hand: list[str | None] = [None] if needs is None else []
    return by_hand + sorted(fit & items, key=order)
