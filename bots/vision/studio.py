"""Where pictures are drawn: in a thread, one at a time, so that bots go on meanwhile.

numpy and Pillow are imported when the first is drawn."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from bots.errors import CommandError
from bots.vision.picture import Picture, Shot
from bots.vision.texture_store import ChosenTextures
from bridge.region import Region

MOST_WAITING = 8


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
