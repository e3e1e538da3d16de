"""The notable blocks around a bot: a few kinds, the nearest of each."""

from __future__ import annotations

import asyncio
from typing import Protocol, TypeVar

from bots.bot.looking import in_time
from bridge.actions import Query
from bridge.scanning import Scan, ScanBlocks
from bridge.world import WorldSnapshot

T = TypeVar("T")

NEARBY = 12  # blocks to every side: a ball of 7,153, searched in half a millisecond
MOST_KINDS = 12

_WOODS = ("oak", "birch", "spruce", "jungle", "acacia", "dark_oak", "mangrove", "cherry")
_METALS = ("coal", "iron", "gold", "diamond", "redstone", "lapis", "emerald", "copper")
_COLOURS = (
    *("white", "orange", "magenta", "light_blue", "yellow", "lime", "pink", "gray"),
    *("light_gray", "cyan", "purple", "blue", "brown", "green", "red", "black"),
)
NOTABLE = (
    *(f"{wood}_log" for wood in _WOODS),
    *("crimson_stem", "warped_stem"),
    *(f"{metal}_ore" for metal in _METALS),
    *(f"deepslate_{metal}_ore" for metal in _METALS),
    *("nether_gold_ore", "nether_quartz_ore", "ancient_debris"),
    *("crafting_table", "furnace", "blast_furnace", "smoker", "smithing_table", "anvil"),
    *("enchanting_table", "brewing_stand", "chest", "trapped_chest", "barrel", "ender_chest"),
    *(f"{colour}_bed" for colour in _COLOURS),
    *("spawner", "nether_portal", "end_portal", "wheat", "carrots", "potatoes", "pumpkin", "melon"),
    *("water", "lava", "fire", "magma_block", "cactus", "sweet_berry_bush", "powder_snow"),
)
"""Blocks to dig, work at, open, sleep in, eat or avoid."""

LOOK = ScanBlocks(NOTABLE, NEARBY, lowest=-NEARBY, highest=NEARBY, limit=MOST_KINDS, each=1)


class Looking(Protocol):
    """A bot as this file uses it."""

    async def snapshot(self) -> WorldSnapshot: ...

    async def query(self, query: Query[T]) -> T: ...


async def look_around(bot: Looking, within_s: float) -> tuple[WorldSnapshot | None, Scan | None]:
    """Snapshot and notable blocks, asked for at the same time; None for what comes too late."""
    async with asyncio.TaskGroup() as group:
        world = group.create_task(in_time(bot.snapshot(), within_s))
        around = group.create_task(in_time(bot.query(LOOK), within_s))
    return world.result(), around.result()
