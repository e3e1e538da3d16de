"""How a bot turns its head: idling, watching, and as a sign that it thinks about an answer."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from bots.bot.bot import Bot
from bots.bot.looking import in_time
from bridge.actions import AtPlayer, Gaze, Towards
from bridge.errors import BridgeError
from bridge.world import PlayerName, WorldSnapshot

IDLE, WATCH = "idle", "watch"  # kinds of pastime
SHOWN_AFTER_S, AGAIN_AFTER_S = 2.0, 3.0
LOOK_S, GESTURE_S = 0.4, 0.9
UPWARDS = 30.0  # degrees
LOOKED_WITHIN_S = 0.5


@dataclass(frozen=True, slots=True)
class Manner:
    """How lively a bot looks around; degrees, blocks and seconds."""

    interval_s: float = 4.0
    player_range: float = 8.0
    yaw_jitter: float = 45.0
    pitch_min: float = -20.0
    pitch_max: float = 10.0
    player_look_chance: float = 0.6


async def idle(bot: Bot, manner: Manner) -> None:
    """Look around until cancelled; work, talk and a watched player come first."""
    while True:
        if bot.head.is_free and not bot.attention.is_taken and not bot.pastimes.is_at(WATCH):
            with suppress(BridgeError):  # out of the world; there is nothing to look at
                world = await bot.snapshot()
                await bot.head.try_to_turn(_next_look(world, manner, bot.times.rng))
        await bot.times.sleep(manner.interval_s)


async def watch(bot: Bot, player: AtPlayer, interval_s: float) -> None:
    """Look at a player again and again until cancelled; work and talk come first."""
    while True:
        if not bot.attention.is_taken:
            await bot.head.try_to_turn(player)
        await bot.times.sleep(interval_s)


def _next_look(world: WorldSnapshot, manner: Manner, rng: random.Random) -> Gaze:
    near = [
        player.name
        for player in world.players
        if (distance := world.distance_to(player)) is not None and distance <= manner.player_range
    ]
    if near and rng.random() < manner.player_look_chance:
        return AtPlayer(rng.choice(near))
    yaw = world.yaw + rng.uniform(-manner.yaw_jitter, manner.yaw_jitter)
    return Towards(yaw % 360, rng.uniform(manner.pitch_min, manner.pitch_max))


@contextmanager
def pondering(bot: Bot, whoever_waits: str) -> Iterator[None]:
    """Show that the bot thinks, while the `async with` block lasts, if that is long; work comes
    first."""
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
            # Over the player's head, as people look when they think, and back.
            if (world := await in_time(bot.snapshot(), LOOKED_WITHIN_S)) is not None:
                above = Towards(world.yaw, min(90.0, world.pitch + UPWARDS))
                await bot.head.try_to_turn(above)
                await bot.times.sleep(GESTURE_S)
                await bot.head.try_to_turn(AtPlayer(player))
        await bot.times.sleep(AGAIN_AFTER_S)
