"""Where the newest thoughts of each bot are kept: one for each thread and level."""

from __future__ import annotations

from typing import Protocol

from bots.deciding.threads.thought import Thought


class KeptThoughts(Protocol):
    """Both raise StoreError."""

    async def load(self, bot: str) -> tuple[Thought, ...]: ...

    async def keep(self, bot: str, thought: Thought) -> None:
        """Put it in the place of the last of its thread and level."""
        ...


class MemoryThoughts:
    """Keeps them as long as the program runs."""

    def __init__(self) -> None:
        self._kept: dict[str, dict[tuple[str, int], Thought]] = {}

    async def load(self, bot: str) -> tuple[Thought, ...]:
        return tuple(self._kept.get(bot, {}).values())

    async def keep(self, bot: str, thought: Thought) -> None:
        self._kept.setdefault(bot, {})[thought.thread, thought.level] = thought
