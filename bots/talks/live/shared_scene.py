"""What is around a talk: one look a round, through the main bot's senses, the same for all."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from bots.bot.looking import in_time
from bots.responder.case.wording import clock_time, part_of_day
from bots.text.numbers import blocks
from bridge.world import PlayerSighting, WorldSnapshot

LOOK_WITHIN_S = 0.5
BLOCKS_WITHIN = 8  # blocks around the main bot of which the scene tells
MOST_BLOCKS = 6  # kinds
UNSENSED: dict[str, Any] = {"senses": "nothing right now"}

Look: TypeAlias = Callable[[], Awaitable[WorldSnapshot]]
"""The main bot's look around, blocks included."""


class SharedScene:
    """The scene of the round under way."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._round: int | None = None
        self._making = asyncio.Lock()
        self._scene: dict[str, Any] = UNSENSED

    async def of_round(self, number: int) -> dict[str, Any]:
        """The scene of this round, made when its first speaker asks for it."""
        async with self._making:
            if number != self._round:
                self._scene, self._round = await self._sense(), number
        return self._scene

    async def _sense(self) -> dict[str, Any]:
        world = await in_time(self._look(), LOOK_WITHIN_S)
        return UNSENSED if world is None else scene_of(world)


def scene_of(world: WorldSnapshot) -> dict[str, Any]:
    """Place, time, weather, what stands around and who is near, as `world.bot` senses them."""
    at, ticks = world.position.block, world.time_of_day
    return {
        "seen_by": world.bot,
        "place": [at.x, at.y, at.z],
        "dimension": world.dimension,
        "time": f"{part_of_day(ticks, 'en')}, {clock_time(ticks)}",
        "weather": world.weather,
        "around": {seen.name: seen.count for seen in world.blocks[:MOST_BLOCKS]},
        "near": [{"name": p.name, "blocks_away": _away(world, p)} for p in world.players],
    }


def _away(world: WorldSnapshot, player: PlayerSighting) -> int | None:
    distance = world.distance_to(player)
    return None if distance is None else blocks(distance)
