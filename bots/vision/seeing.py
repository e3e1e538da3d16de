"""The picture of what a bot sees: reads the region around it and has it drawn."""

from __future__ import annotations

from dataclasses import dataclass

from bots.bot.bot import Bot
from bots.vision.picture import (
    HEIGHT,
    PANORAMA_HEIGHT,
    PANORAMA_WIDTH,
    WIDTH,
    Picture,
    Shot,
)
from bots.vision.studio import Studio
from bridge.region import ReadRegion

MAP_REACH, MAP_UP, MAP_DOWN = 48, 40, 40  # blocks
MAP_SIDE = 600  # pixels, about


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
