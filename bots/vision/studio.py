"""Pictures of what bots see: reads the region around a bot and has it drawn, in a thread and one at
a time, so that bots go on meanwhile.

numpy and Pillow are imported when the first is drawn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from bots.bot.bot import Bot
from bots.errors import CommandError
from bots.vision.picture import (
    HEIGHT,
    PANORAMA_HEIGHT,
    PANORAMA_WIDTH,
    WIDTH,
    Picture,
    Shot,
)
from bots.vision.texture_store import ChosenTextures
from bridge.looking import ReadRegion, Region

MOST_WAITING = 8
MAP_REACH, MAP_UP, MAP_DOWN = 48, 40, 40  # blocks
MAP_SIDE = 600  # pixels, about


class Studio:
    """One of a daemon."""

    def __init__(self, textures: ChosenTextures) -> None:
        self._textures = textures
        self._turn = asyncio.Semaphore(1)
        self._wanted = 0

    async def draw(self, region: Region, shot: Shot, bot: str) -> Picture:
        """What a bot sees. Raises CommandError: busy."""

        def work() -> Picture:
            from bots.vision.drawing import draw

            return draw(region, shot, bot, self._textures.root)

        return await self._drawn(work)

    async def draw_map(self, region: Region, bot: str, scale: int) -> Picture:
        """The country around a bot from above. Raises CommandError: busy."""

        def work() -> Picture:
            from bots.vision.chart import draw_map

            return draw_map(region, bot, scale)

        return await self._drawn(work)

    async def draw_terrain(self, region: Region) -> Picture:
        """The ground around a bot, a pixel for each block. Raises CommandError: busy."""

        def work() -> Picture:
            from bots.vision.chart import draw_terrain

            return draw_terrain(region)

        return await self._drawn(work)

    async def _drawn(self, work: Callable[[], Picture]) -> Picture:
        if self._wanted > MOST_WAITING:
            raise CommandError("busy", "Too many pictures are wanted at once; ask again later.")
        self._wanted += 1
        try:
            async with self._turn:
                return await asyncio.to_thread(work)
        finally:
            self._wanted -= 1


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody wants to see; None = where the bot looks, and as large as is usual."""

    yaw: float | None = None
    pitch: float | None = None
    is_panorama: bool = False
    width: int | None = None
    height: int | None = None


async def picture_of(bot: Bot, wanted: Wanted) -> Picture:
    """Raises NotConnected, and CommandError: busy."""
    region = await bot.query(ReadRegion())
    yaw = region.yaw if wanted.yaw is None else wanted.yaw
    pitch = region.pitch if wanted.pitch is None else wanted.pitch
    usual = (PANORAMA_WIDTH, PANORAMA_HEIGHT) if wanted.is_panorama else (WIDTH, HEIGHT)
    size = (wanted.width or usual[0], wanted.height or usual[1])
    shot = Shot(yaw, 0.0 if wanted.is_panorama else pitch, *size, wanted.is_panorama)
    return await studio_of(bot).draw(region, shot, bot.name)


async def map_of(bot: Bot, reach: int | None = None) -> Picture:
    """The country around a bot from above. Raises NotConnected, and CommandError: busy."""
    blocks = MAP_REACH if reach is None else reach
    region = await bot.query(ReadRegion(blocks, MAP_UP, MAP_DOWN))
    scale = max(2, MAP_SIDE // (2 * blocks + 1))
    return await studio_of(bot).draw_map(region, bot.name, scale)


@dataclass(frozen=True, slots=True)
class Terrain:
    """The ground around a bot, and where in the world the picture lies."""

    picture: Picture
    """A pixel for each block, north up."""
    west: int
    north: int
    """Of its corner."""


async def terrain_of(bot: Bot, reach: int | None = None) -> Terrain:
    """The ground alone, for maps of others. Raises NotConnected, and CommandError: busy."""
    blocks = MAP_REACH if reach is None else reach
    region = await bot.query(ReadRegion(blocks, MAP_UP, MAP_DOWN))
    west, _, north = region.corner
    return Terrain(await studio_of(bot).draw_terrain(region), west, north)


def studio_of(bot: Bot) -> Studio:
    studio = bot.services.get(Studio)
    assert studio is not None, "every session provides one"
    return studio
