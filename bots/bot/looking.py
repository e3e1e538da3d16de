"""What a bot sees of the world: between two of its actions, in time, and how far around it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping
from typing import Any, TypeVar, cast

from bridge.actions import BlockAt, FindBlocks, Query
from bridge.errors import BridgeError
from bridge.looking import Behold, ReadRegion, ScanBlocks
from bridge.port import Bridge
from bridge.world import BotName, Position, WorldSnapshot

T = TypeVar("T")


async def in_time(answer: Awaitable[T], within_s: float) -> T | None:
    """The answer, or None when it takes too long or the bridge fails."""
    try:
        async with asyncio.timeout(within_s):
            return await answer
    except (BridgeError, TimeoutError):
        return None


AROUND = 7
"""Distance in blocks that we read in one go: everything within reach, and its neighbours."""
_BLOCKS_AROUND = ScanBlocks(
    radius=AROUND, lowest=-AROUND, highest=AROUND, include_air=True, limit=(2 * AROUND + 1) ** 3
)


class Moment:
    """The world around a bot, each question asked once. Take a new one once time has passed."""

    def __init__(self, bot: BotName, bridge: Bridge) -> None:
        self._bot, self._bridge = bot, bridge
        self._snapshot: WorldSnapshot | None = None
        self._answers: dict[Query[Any], Any] = {}
        self._around: dict[Position, str] = {}

    async def snapshot(self) -> WorldSnapshot:
        """Everything that the bot senses."""
        if self._snapshot is None:
            self._snapshot = await self._bridge.snapshot(self._bot)
        return self._snapshot

    async def query(self, query: Query[T]) -> T:
        """Answer a question about the world around."""
        if query not in self._answers:
            self._answers[query] = await self._bridge.query(self._bot, query)
        return cast("T", self._answers[query])

    async def blocks_around(self) -> Mapping[Position, str]:
        """The name of each loaded block within `AROUND` blocks of the feet, air too."""
        if not self._around:
            scan = await self.query(_BLOCKS_AROUND)
            self._around = {block.position: block.name for block in scan.blocks}
        return self._around

    def keep_blocks_of(self, before: Moment) -> None:
        """Take over the blocks that were read, after an action that changed none."""
        self._around = before._around

    async def block(self, where: Position) -> str | None:
        """The name of the block at a position, None where it is not loaded."""
        around = await self.blocks_around()
        if where in around:
            return around[where]
        found = await self.query(BlockAt(where))
        return found[0].name if found else None


NARROW_CHUNKS = 3
NARROW = 16 * (NARROW_CHUNKS - 1)
"""Blocks that it sees at least with these, wherever in its own chunk it stands."""


def looks_far(query: Query[Any]) -> bool:
    """Whether a query is about more than the narrow view."""
    match query:
        case FindBlocks() | ScanBlocks():
            return query.radius > NARROW
        case Behold() | ReadRegion():
            return query.reach > NARROW
        case _:
            return False
