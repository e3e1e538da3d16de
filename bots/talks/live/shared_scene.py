"""The scene of a talk: one look around each round, by the first bot, shared by all speakers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from bots.bot.looking import in_time
from bots.responder.case.wording import clock_time, part_of_day
from bots.text.numbers import blocks
from bridge.world import PlayerSighting, WorldSnapshot

LOOK_WITHIN_S = 0.5
BLOCKS_WITHIN = 8  # how far around the first bot, in blocks
MOST_BLOCKS = 6  # kinds of blocks
UNSENSED: dict[str, Any] = {"senses": "nothing right now"}

Look: TypeAlias = Callable[[], Awaitable[WorldSnapshot]]
"""Takes a snapshot by the first bot, with blocks."""


class SharedScene:
    """The scene of the current round."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._round: int | None = None
        self._making = asyncio.Lock()
        self._scene: dict[str, Any] = UNSENSED

    async def of_round(self, number: int) -> dict[str, Any]:
        """The scene of this round, made when its first speaker asks."""
        async with self._making:
            if number != self._round:
                self._scene, self._round = await self._sense(), number
        return self._scene

    async def _sense(self) -> dict[str, Any]:
        world = await in_time(self._look(), LOOK_WITHIN_S)
        return UNSENSED if world is None else scene_of(world)


def scene_of(world: WorldSnapshot) -> dict[str, Any]:
    """Place, time, weather, blocks around and players near, as `world.bot` senses them."""
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
