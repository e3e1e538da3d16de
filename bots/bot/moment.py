"""A moment: what a bot sees between two of its actions, read from the bridge once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from bridge.actions import BlockAt, Query
from bridge.looking import ScanBlocks
from bridge.port import Bridge
from bridge.world import BotName, Position, WorldSnapshot

T = TypeVar("T")

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
