"""What `townsfolk up` does once its daemon is ready."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Self

import pytest
import structlog

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
    lan_address: None = None

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


async def test_players_are_told_the_version_that_bots_joined_with_not_the_one_that_was_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    alice = SimpleNamespace(name="Alice", online=True, connection=SimpleNamespace(version="1.20.4"))

    def with_alice(settings: Settings, progress: Callable[[str], None]) -> Ready:
        return Ready(settings, progress, roster=SimpleNamespace(sessions=(alice,)))

    monkeypatch.setattr(up, "Daemon", with_alice)
    with structlog.testing.capture_logs() as notes:
        await up.run(Settings(run_for_s=0.01), announce=lambda _: None)
    gc.unfreeze()
    (told,) = [note for note in notes if note["event"] == "daemon.ready"]
    assert told["join"].startswith("Minecraft Java 1.20.4, ")


async def test_where_the_loop_takes_no_signal_handlers_signals_end_it_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As on Windows, which has neither SIGHUP nor handlers of the loop."""

    def unsupported(*_: object) -> None:
        raise NotImplementedError

    def announced(_: str) -> None:
        loop.call_soon(signal.raise_signal, signal.SIGTERM)  # once it waits for its end

    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    monkeypatch.setattr(loop, "add_signal_handler", unsupported)
    monkeypatch.delattr(signal, "SIGHUP")
    monkeypatch.setattr(up, "Daemon", Ready)
    try:
        async with asyncio.timeout(10.0):
            ended = await up.run(Settings(), announce=announced)
        assert ended == 0
    finally:
        gc.unfreeze()
        for number, handler in before.items():
            signal.signal(number, handler)
