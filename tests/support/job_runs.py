"""Runs world commands in the simulated world; time stands still unless a test passes it."""

import asyncio
from typing import Any

from support.rig import Rig, run_json, until

from bots.access.origin import Origin
from bots.bot.bot import Bot

STEP_S = 0.5


async def carry_out(rig: Rig, bot: Bot, text: str, origin: Origin | None = None) -> dict[str, Any]:
    """A command from its beginning to its end, while time passes."""
    running = asyncio.create_task(run_json(bot, text, origin))
    await pass_until_done(rig, running)
    return await running


async def begin(rig: Rig, bot: Bot, text: str) -> asyncio.Task[dict[str, Any]]:
    """A command whose first action is under way."""
    running = asyncio.create_task(run_json(bot, text))
    await until(lambda: rig.bridge.running_actions)
    return running


async def pass_until_done(rig: Rig, running: asyncio.Task[Any], within_s: float = 10.0) -> None:
    """Let the world's time pass until a task is done; `within_s` are real seconds."""
    async with asyncio.timeout(within_s):
        while not running.done():
            await rig.pass_time(STEP_S)
