"""A whisper there and back, through the daemon and through a plain Mineflayer bot."""

from __future__ import annotations

import json
from typing import Any

from benchmarks.child import Child
from benchmarks.figures import median, percentiles, rounded
from benchmarks.stand import BOT, HERE, Stand
from bots.chat.natural_message import NaturalMessage

PLAIN, CLIENT = "Plain", "Client"
SECONDS_BEYOND = 20.0  # for the warm-up


async def measure_whispers(stand: Stand, seconds: float, warm_up: int) -> dict[str, Any]:
    """`whisper_roundtrip_ratio`, `whisper_added_ms` and `whisper_ms`.

    One client whispers to the two in turn, the next only after the echo of the one before."""

    async def echo(message: NaturalMessage) -> None:
        await stand.bot.reply(message.from_, message.content)

    stop_echo = stand.bot.on_natural_message(echo)
    try:
        took_ms = await _ask_client(stand, seconds, warm_up)
    finally:
        stop_echo()
    return _figures(took_ms[BOT], took_ms[PLAIN])


async def _ask_client(stand: Stand, seconds: float, warm_up: int) -> dict[str, list[float]]:
    question = {"targets": [BOT, PLAIN], "warm_up": warm_up, "ms": seconds * 1000}
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


def _figures(ours_ms: list[float], plain_ms: list[float]) -> dict[str, Any]:
    ours, plain = median(ours_ms), median(plain_ms)
    return {
        "whisper_roundtrip_ratio": rounded(ours / plain),
        "whisper_added_ms": rounded(ours - plain),
        "whisper_ms": {"ours": percentiles(ours_ms), "plain": percentiles(plain_ms)},
        "details": {"whispers_each": len(ours_ms)},
    }
