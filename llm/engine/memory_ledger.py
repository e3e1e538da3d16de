"""A ledger in memory only: where no model is asked, and for tests."""

from __future__ import annotations

from datetime import datetime

from llm.engine.budget import Charge, Others


class MemoryLedger:
    """Keeps nothing: the budget itself remembers what this run spends."""

    async def others(self, since: datetime, mark: int | None) -> Others | None:
        return None

    async def enter(self, charge: Charge, since: datetime, mark: int | None) -> Others | None:
        return None

    async def settle(self, charge: Charge) -> None:
        """Nothing to write down."""
