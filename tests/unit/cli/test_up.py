"""What `townsfolk up` does once its daemon is ready."""

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
from bots.cluster.bus import BusUnavailable
from bots.daemon.residence import HomeLost
from bots.errors import StoreUnwritable
from bots.settings.settings import Settings


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


async def test_no_collection_walks_what_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[int] = []
    monkeypatch.setattr(up, "Daemon", Ready)
    gc.unfreeze()
    await up.run(Settings(run_for_s=0.01), announce=lambda _: kept.append(gc.get_freeze_count()))
    assert kept[0] > 10_000
    assert gc.get_freeze_count() == 0


async def test_players_are_told_the_version_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    alice = SimpleNamespace(name="Alice", online=True, connection=SimpleNamespace(version="1.20.4"))

    def with_alice(settings: Settings, progress: Callable[[str], None]) -> Ready:
        return Ready(settings, progress, roster=SimpleNamespace(sessions=(alice,)))

    monkeypatch.setattr(up, "Daemon", with_alice)
    with structlog.testing.capture_logs() as notes:
        await up.run(Settings(run_for_s=0.01), announce=lambda _: None)
    (told,) = [note for note in notes if note["event"] == "daemon.ready"]
    assert told["join"].startswith("Minecraft Java 1.20.4, ")


class Outside(Ready):
    """A daemon whose bots wait in front of the world."""

    def __init__(self, settings: Settings, progress: Callable[[str], None]) -> None:
        why = "Nothing listens at localhost:1. Start the server."
        outside = SimpleNamespace(version=None, diagnosis=why)
        self.bots = [
            SimpleNamespace(name=name, online=False, connection=outside) for name in ("Al", "Bo")
        ]
        super().__init__(settings, progress, roster=SimpleNamespace(sessions=self.bots))
        self.may_join = asyncio.Event()

    async def all_joined(self) -> bool:
        return False

    async def first_joined(self) -> None:
        await self.may_join.wait()
        self.bots[1].online = True


async def test_without_a_bot_it_is_not_ready_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    announced: list[str] = []
    monkeypatch.setattr(up, "Daemon", Outside)
    with structlog.testing.capture_logs() as notes:
        assert await up.run(Settings(run_for_s=0.01), announce=announced.append) == 0
    assert announced == []
    assert [note["event"] for note in notes] == ["daemon.not_ready", "daemon.ending"]
    assert notes[0]["why"] == (
        "no bot is in the world yet. Al and Bo: Nothing listens at localhost:1. Start the server. "
        "They go on trying."
    )


async def test_it_is_ready_once_one_bot_is_in_the_world(monkeypatch: pytest.MonkeyPatch) -> None:
    announced: list[str] = []

    def opening(settings: Settings, progress: Callable[[str], None]) -> Outside:
        found = Outside(settings, progress)
        asyncio.get_running_loop().call_soon(found.may_join.set)
        return found

    def announce(line: str) -> None:
        announced.append(line)
        signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(up, "Daemon", opening)
    with structlog.testing.capture_logs() as notes:
        await up.run(Settings(run_for_s=5), announce=announce)
    assert [line.split()[0] for line in announced] == ["ready"]
    events = [note["event"] for note in notes]
    assert events == ["daemon.not_ready", "daemon.ready", "daemon.ending"]


async def test_a_daemon_that_fails_early_tells_its_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    full = StoreUnwritable("full")

    def failing(settings: Settings, progress: Callable[[str], None]) -> Outside:
        found = Outside(settings, progress)
        asyncio.get_running_loop().call_soon(lambda: found.failure.set_exception(full))
        return found

    monkeypatch.setattr(up, "Daemon", failing)
    with pytest.raises(StoreUnwritable):
        await up.run(Settings(), announce=lambda _: pytest.fail("it is not ready"))


async def test_signals_end_it_without_handlers_of_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
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
        for number, handler in before.items():
            signal.signal(number, handler)


class Losing(Ready):
    """A daemon whose home is lost as soon as it is ready."""

    async def __aenter__(self) -> Self:
        await super().__aenter__()
        self.failure.set_exception(HomeLost("another daemon may have it"))
        return self


def unable(why: Exception) -> Callable[..., Ready]:
    """Daemons that cannot start."""

    class Unable(Ready):
        async def __aenter__(self) -> Self:
            raise why

    return Unable


cut = unable(BusUnavailable("no NATS broker answers"))
full = unable(BusUnavailable("the broker has no room left", "full"))
robbed = unable(StoreUnwritable("another daemon has taken this home over"))


class Waiting(Ready):
    """A daemon that waits for its home, for ever."""

    async def __aenter__(self) -> Self:
        asyncio.get_running_loop().call_soon(signal.raise_signal, signal.SIGTERM)
        await asyncio.Event().wait()
        return self


def one_after_another(monkeypatch: pytest.MonkeyPatch, *kinds: Callable[..., Ready]) -> None:
    """What starts each time."""
    left = iter(kinds)
    monkeypatch.setattr(up, "AGAIN_AFTER_S", 0.0)
    monkeypatch.setattr(up, "Daemon", lambda *args, **more: next(left)(*args, **more))


@pytest.mark.slow
async def test_a_lost_home_waits_for_its_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    one_after_another(monkeypatch, Losing, cut, robbed, cut, Losing, Ready)
    async with asyncio.timeout(10.0):
        assert await up.run(Settings(run_for_s=0.01), announce=lambda _: None) == 0


async def test_while_a_person_must_help_it_tries_less(monkeypatch: pytest.MonkeyPatch) -> None:
    paused: list[float] = []

    async def pause(seconds: float) -> None:
        paused.append(seconds)

    one_after_another(monkeypatch, Losing, *[full] * 7, Losing, cut, Ready)
    monkeypatch.setattr(up, "AGAIN_AFTER_S", 1.0)
    monkeypatch.setattr(up, "asyncio", SimpleNamespace(**{**vars(asyncio), "sleep": pause}))
    async with asyncio.timeout(10.0):
        assert await up.run(Settings(run_for_s=0.01), announce=lambda _: None) == 0
    assert paused == [1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0, 1.0, 1.0]


async def test_a_first_start_without_the_broker_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    one_after_another(monkeypatch, cut)
    with pytest.raises(BusUnavailable):
        await up.run(Settings(run_for_s=0.01), announce=lambda _: None)


async def test_waiting_for_a_home_ends_when_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    one_after_another(monkeypatch, Losing, Waiting)
    async with asyncio.timeout(10.0):
        running = asyncio.create_task(up.run(Settings(), announce=lambda _: None))
        with pytest.raises(asyncio.CancelledError):
            await running
