"""Where summaries of what was said are kept: for each bot, each view has its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bots.deciding.view import View
from llm.engine.context import Summary


class KeptSummaries(Protocol):
    """Both raise StoreError."""

    async def load(self, bot: str, view: View) -> tuple[Summary, ...]:
        """The summaries as they were last kept, oldest first."""
        ...

    async def keep(self, bot: str, view: View, summaries: Sequence[Summary]) -> None:
        """Put these in the place of what was kept."""
        ...


class MemorySummaries:
    """Keeps them as long as the program runs."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, View], tuple[Summary, ...]] = {}

    async def load(self, bot: str, view: View) -> tuple[Summary, ...]:
        return self._kept.get((bot, view), ())

    async def keep(self, bot: str, view: View, summaries: Sequence[Summary]) -> None:
        self._kept[bot, view] = tuple(summaries)
