"""What all bots of a daemon share: how each of them is, and what is known of the version of
Minecraft, about 1 MB, read and kept once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Generic, TypeAlias, TypeVar

from bridge.actions import Query
from bridge.catalogue import Catalogue, ReadCatalogue, ReadRecipes, RecipeBook
from bridge.world import WorldSnapshot


class Vitals:
    """What is known of our bots that are in a world."""

    def __init__(self) -> None:
        self._health: dict[str, float] = {}

    def felt(self, bot: str, health: float) -> None:
        """A bot feels how it is, half-hearts."""
        self._health[bot] = health

    def lost(self, bot: str) -> None:
        """A bot is in no world."""
        self._health.pop(bot, None)

    def completed(self, world: WorldSnapshot) -> WorldSnapshot:
        """What a bot senses, with the health of its fellows."""
        felt = (
            replace(one, health=self._health[one.name]) if one.name in self._health else one
            for one in world.players
        )
        return replace(world, players=tuple(felt))


Facts = TypeVar("Facts", Catalogue, RecipeBook)
Ask: TypeAlias = Callable[[Query[Facts | None]], Awaitable[Facts | None]]
"""How a bot puts a question to its world."""


class ReadOnce(Generic[Facts]):
    """Facts of one kind, of the version that was met last."""

    def __init__(self, question: Callable[[str], Query[Facts | None]]) -> None:
        """The question gets a known version, of which it need not be answered."""
        self._question: Callable[[str], Query[Facts | None]] = question
        self._known: Facts | None = None
        self._first_read = asyncio.Lock()

    async def read(self, ask: Ask[Facts]) -> Facts:
        """The facts of the asking bot's version. Raises what `ask` raises; the next call asks
        again."""
        if self._known is not None:
            return await self._asked(ask)  # nobody waits here for a bot whose Node hangs
        async with self._first_read:
            return await self._asked(ask)

    async def _asked(self, ask: Ask[Facts]) -> Facts:
        known = self._known
        told = await ask(self._question(known.version if known else ""))
        if told is None:
            assert known is not None, "only a version already read is left out"
            return known
        if self._known is None or self._known.version != told.version:
            self._known = told
        return self._known


class VersionFacts:
    """Of all bots of a daemon."""

    def __init__(self) -> None:
        self.catalogue: ReadOnce[Catalogue] = ReadOnce(ReadCatalogue)
        self.recipes: ReadOnce[RecipeBook] = ReadOnce(ReadRecipes)
