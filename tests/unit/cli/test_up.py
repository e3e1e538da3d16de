"""What `townsfolk up` does once its daemon is ready."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Self

import pytest

from bots.cli import up
from bots.settings.settings import Settings

pytestmark = pytest.mark.anyio


@dataclass
class Ready:
    """A daemon without bots."""

    settings: Settings
    progress: Callable[[str], None]
    address: Any = field(default_factory=lambda: SimpleNamespace(version="1.16.5"))
    roster: Any = field(default_factory=lambda: SimpleNamespace(sessions=()))
    http: None = None

    async def __aenter__(self) -> Self:
        self.failure = asyncio.get_running_loop().create_future()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.failure.cancel()

    async def all_joined(self) -> bool:
        return True


async def test_garbage_is_not_looked_for_in_what_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[int] = []
    monkeypatch.setattr(up, "Daemon", Ready)
    before = gc.get_freeze_count()
    try:
        await up.run(
            Settings(run_for_s=0.01), announce=lambda _: kept.append(gc.get_freeze_count())
        )
    finally:
        gc.unfreeze()
    assert kept[0] > before
