"""Idling and watching: how a bot turns its head when it has nothing else to do."""

from __future__ import annotations

import random
from dataclasses import dataclass

from bots.bot.bot import Bot
from bridge.errors import BridgeError
from bridge.gaze import AtPlayer, Gaze, Towards
from bridge.world import WorldSnapshot

IDLE, WATCH = "idle", "watch"  # kinds of pastime


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
            await _look_about(bot, manner)
        await bot.times.sleep(manner.interval_s)


async def watch(bot: Bot, player: AtPlayer, interval_s: float) -> None:
    """Look at a player again and again until cancelled; work and talk come first."""
    while True:
        if not bot.attention.is_taken:
            await bot.head.try_to_turn(player)
        await bot.times.sleep(interval_s)


async def _look_about(bot: Bot, manner: Manner) -> None:
    try:
        world = await bot.snapshot()
    except BridgeError:
        return  # out of the world; there is nothing to look at
    await bot.head.try_to_turn(_next_look(world, manner, bot.times.rng))


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
