"""A whisper there and back: through the daemon, through a plain Mineflayer bot, and two between.

What lies between tells where the daemon's time goes: `bridge_alone` is an echo in Python over the
bridge, without a daemon; `only_recorded` has each line on the disk before it echoes it, and does
nothing else; `without_disk` is the daemon with its data in memory.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from benchmarks.child import Child
from benchmarks.figures import median, percentiles, rounded
from benchmarks.stand import BOT, HERE, Stand, another_daemon, started_bridge
from bots.bot.bot import Bot
from bots.chat.natural_message import NaturalMessage
from bots.store.database import FILE_NAME, Store
from bridge.events import WhisperReceived
from bridge.js import JSBridge
from bridge.world import BotName

PLAIN, CLIENT = "Plain", "Client"
ALONE, RECORDED, WITHOUT_DISK = "Bridge", "Recorded", "NoDisk"
MEMORY = Path("/dev/shm")
HAS_MEMORY = MEMORY.is_dir()
SHOWN = {
    **{BOT: "ours", PLAIN: "plain", ALONE: "bridge_alone"},
    **{RECORDED: "only_recorded", WITHOUT_DISK: "without_disk"},
}
SECONDS_BEYOND = 30.0  # what is on its way when the time is over
WARM_UP_WHISPER_S = 0.1  # at most, on average: a busy machine takes a tenth of that

Echo: TypeAlias = Callable[[JSBridge, Path], Awaitable[None]]


async def measure_whispers(stand: Stand, seconds: float, warm_up: int) -> dict[str, Any]:
    """`whisper_roundtrip_ratio`, `whisper_added_ms`, `whisper_ms` and `whisper_parts_ms`.

    One client whispers to all in turn, the next only after the echo of the one before. First the
    daemon and the plain bot have the machine to themselves; what lies between comes after that."""
    async with echoing(stand.bot):
        took_ms = await ask_client(stand, [BOT, PLAIN], seconds / 2, warm_up)
        async with _parts(stand):
            # The plain bot comes after each daemon: what one does after its echo is then over.
            beside = [WITHOUT_DISK, PLAIN] if HAS_MEMORY else []
            targets = [BOT, PLAIN, *beside, ALONE, RECORDED]
            return _figures(took_ms, await ask_client(stand, targets, seconds / 2, warm_up))


@asynccontextmanager
async def _parts(stand: Stand) -> AsyncIterator[None]:
    async with AsyncExitStack() as running:
        await running.enter_async_context(_over_the_bridge(stand, ALONE, _echo))
        await running.enter_async_context(_over_the_bridge(stand, RECORDED, _record_and_echo))
        if HAS_MEMORY:
            await running.enter_async_context(_without_disk(stand))
        yield


@asynccontextmanager
async def echoing(bot: Bot) -> AsyncIterator[None]:
    async def echo(message: NaturalMessage) -> None:
        await bot.reply(message.from_, message.content)

    stop_echo = bot.on_natural_message(echo)
    try:
        yield
    finally:
        stop_echo()


@asynccontextmanager
async def _without_disk(stand: Stand) -> AsyncIterator[None]:
    with TemporaryDirectory(prefix="townsfolk-benchmark-", dir=MEMORY) as folder:
        async with another_daemon(stand, WITHOUT_DISK, Path(folder)) as bot, echoing(bot):
            yield


@asynccontextmanager
async def _over_the_bridge(stand: Stand, bot: str, echo: Echo) -> AsyncIterator[None]:
    name = BotName(bot)
    with TemporaryDirectory(prefix="townsfolk-benchmark-") as folder:
        bridge = await started_bridge(stand.runtime, Path(folder))
        echoing = asyncio.ensure_future(echo(bridge, Path(folder)))
        try:
            await bridge.spawn(name, stand.address)
            yield
        finally:
            echoing.cancel()
            await asyncio.wait({echoing})
            await bridge.aclose()


async def _echo(bridge: JSBridge, _folder: Path) -> None:
    async for whisper in _whispers(bridge):
        await bridge.whisper(whisper.bot, whisper.sender, whisper.text)


async def _record_and_echo(bridge: JSBridge, folder: Path) -> None:
    store = await Store.open(folder / FILE_NAME)
    try:
        await store.write(lambda file: file.execute("CREATE TABLE heard (text TEXT)").close())
        async for whisper in _whispers(bridge):
            await store.write(partial(_record, text=whisper.text))
            await bridge.whisper(whisper.bot, whisper.sender, whisper.text)
    finally:
        await store.aclose()


def _record(file: sqlite3.Connection, text: str) -> None:
    file.execute("INSERT INTO heard VALUES (?)", (text,))


async def _whispers(bridge: JSBridge) -> AsyncIterator[WhisperReceived]:
    async for event in bridge.events():
        if isinstance(event, WhisperReceived):
            yield event


async def ask_client(
    stand: Stand, targets: list[str], seconds: float, warm_up: int
) -> dict[str, list[float]]:
    question = {"targets": targets, "warm_up": warm_up, "ms": seconds * 1000}
    async with (
        Child.running(*_script(stand, "plain_echo.cjs", PLAIN), environment=stand.environment),
        Child.running(
            *_script(stand, "whisper_client.cjs", CLIENT), environment=stand.environment
        ) as client,
    ):
        warming_s = warm_up * len(targets) * WARM_UP_WHISPER_S
        answer: dict[str, list[float]] = await client.ask(
            question, warming_s + seconds + SECONDS_BEYOND
        )
        return answer


def _script(stand: Stand, name: str, username: str) -> tuple[str, str, str]:
    account = json.dumps(stand.account(username))
    return str(stand.runtime.binary), str(HERE / name), account


def _figures(took_ms: dict[str, list[float]], parts_ms: dict[str, list[float]]) -> dict[str, Any]:
    ours, plain = median(took_ms[BOT]), median(took_ms[PLAIN])
    return {
        "whisper_roundtrip_ratio": rounded(ours / plain),
        "whisper_added_ms": rounded(ours - plain),
        "whisper_ms": _shown(took_ms),
        "whisper_parts_ms": _shown(parts_ms),
        "details": {"whispers_each": len(took_ms[BOT])},
    }


def _shown(took_ms: dict[str, list[float]]) -> dict[str, dict[str, float]]:
    return {SHOWN[target]: percentiles(each) for target, each in took_ms.items()}
