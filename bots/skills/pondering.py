"""Signs of thinking: who waits for an answer sees that the bot looks at them and ponders."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from bots.bot.bot import Bot
from bots.bot.looking import in_time
from bridge.gaze import AtPlayer, Towards
from bridge.world import PlayerName

SHOWN_AFTER_S, AGAIN_AFTER_S = 2.0, 3.0
LOOK_S, GESTURE_S = 0.4, 0.9
UPWARDS = 30.0  # degrees
LOOKED_WITHIN_S = 0.5


@contextmanager
def pondering(bot: Bot, whoever_waits: str) -> Iterator[None]:
    """Show it for as long as the block lasts, if that is long; work comes first."""
    showing = asyncio.create_task(_ponder(bot, PlayerName(whoever_waits)), name="ponder")
    try:
        yield
    finally:
        showing.cancel()


async def _ponder(bot: Bot, player: PlayerName) -> None:
    await bot.times.sleep(SHOWN_AFTER_S)
    while True:
        if await bot.head.try_to_turn(AtPlayer(player)):
            await bot.times.sleep(LOOK_S)
            await _look_up(bot, player)
        await bot.times.sleep(AGAIN_AFTER_S)


async def _look_up(bot: Bot, player: PlayerName) -> None:
    """Look over their head, as one does who thinks, and back at them."""
    world = await in_time(bot.snapshot(), LOOKED_WITHIN_S)
    if world is None:
        return
    await bot.head.try_to_turn(Towards(world.yaw, min(90.0, world.pitch + UPWARDS)))
    await bot.times.sleep(GESTURE_S)
    await bot.head.try_to_turn(AtPlayer(player))
