"""A ledger in memory only: for simulated worlds and tests."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from llm.engine.budget import Charge


class MemoryLedger:
    """Keeps nothing: the budget itself remembers what this run spends."""

    async def charges_since(self, since: datetime) -> Iterable[Charge]:
        return ()

    async def newest_id(self) -> int:
        return 0

    async def enter(self, charge: Charge) -> None:
        """Nothing to write down."""

    async def settle(self, charge: Charge) -> None:
        """Nothing to write down."""
