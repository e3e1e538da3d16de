"""A whisper there and back: through the daemon, through a plain Mineflayer bot, and two between.

What lies between tells where the daemon's time goes: `bridge_alone` is an echo in Python over the
bridge, without a daemon; `without_disk` is the daemon with its data in memory.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.child import Child
from benchmarks.figures import median, percentiles, rounded
from benchmarks.stand import BOT, HERE, Stand, another_daemon, started_bridge
from bots.bot.bot import Bot
from bots.chat.natural_message import NaturalMessage
from bridge.events import WhisperReceived
from bridge.js import JSBridge
from bridge.world import BotName

PLAIN, CLIENT = "Plain", "Client"
ALONE, WITHOUT_DISK = "Bridge", "NoDisk"
MEMORY = Path("/dev/shm")
HAS_MEMORY = MEMORY.is_dir()
SHOWN = {BOT: "ours", PLAIN: "plain", ALONE: "bridge_alone", WITHOUT_DISK: "without_disk"}
SECONDS_BEYOND = 30.0  # for the warm-up


async def measure_whispers(stand: Stand, seconds: float, warm_up: int) -> dict[str, Any]:
    """`whisper_roundtrip_ratio`, `whisper_added_ms` and `whisper_ms`.

    One client whispers to all in turn, the next only after the echo of the one before."""
    async with AsyncExitStack() as running:
        await running.enter_async_context(_echoing(stand.bot))
        await running.enter_async_context(_bridge_alone(stand))
        # The plain bot comes after each daemon: what a daemon does after its echo is then over.
        targets = [BOT, PLAIN, ALONE]
        if HAS_MEMORY:
            await running.enter_async_context(_without_disk(stand))
            targets = [BOT, PLAIN, WITHOUT_DISK, PLAIN, ALONE]
        return _figures(await _ask_client(stand, targets, seconds, warm_up))


@asynccontextmanager
async def _echoing(bot: Bot) -> AsyncIterator[None]:
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
        async with another_daemon(stand, WITHOUT_DISK, Path(folder)) as bot, _echoing(bot):
            yield


@asynccontextmanager
async def _bridge_alone(stand: Stand) -> AsyncIterator[None]:
    name = BotName(ALONE)
    with TemporaryDirectory(prefix="townsfolk-benchmark-") as folder:
        bridge = await started_bridge(stand.runtime, Path(folder))
        echoing = asyncio.create_task(_echo(bridge))
        try:
            await bridge.spawn(name, stand.address)
            yield
        finally:
            echoing.cancel()
            await bridge.aclose()


async def _echo(bridge: JSBridge) -> None:
    async for event in bridge.events():
        if isinstance(event, WhisperReceived):
            await bridge.whisper(event.bot, event.sender, event.text)


async def _ask_client(
    stand: Stand, targets: list[str], seconds: float, warm_up: int
) -> dict[str, list[float]]:
    question = {"targets": targets, "warm_up": warm_up, "ms": seconds * 1000}
    async with (
        Child.running(*_script(stand, "plain_echo.cjs", PLAIN), environment=stand.environment),
        Child.running(
            *_script(stand, "whisper_client.cjs", CLIENT), environment=stand.environment
        ) as client,
    ):
        answer: dict[str, list[float]] = await client.ask(question, seconds + SECONDS_BEYOND)
        return answer


def _script(stand: Stand, name: str, username: str) -> tuple[str, str, str]:
    account = json.dumps(stand.account(username))
    return str(stand.runtime.binary), str(HERE / name), account


def _figures(took_ms: dict[str, list[float]]) -> dict[str, Any]:
    ours, plain = median(took_ms[BOT]), median(took_ms[PLAIN])
    return {
        "whisper_roundtrip_ratio": rounded(ours / plain),
        "whisper_added_ms": rounded(ours - plain),
        "whisper_ms": {SHOWN[target]: percentiles(each) for target, each in took_ms.items()},
        "details": {"whispers_each": len(took_ms[BOT])},
    }
