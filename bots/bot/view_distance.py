"""How far around it a bot has the world sent to it: less while nobody wants anything of it.

Chunks take most of the memory of a bot in Node, and most of what the server sends. For what a bot
does of its own accord the near ones are enough. Bots join with those: memory that was taken once
goes to other bots, as Node gives little of it back to the system.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable

import structlog

from bots.bot.bot import Bot
from bots.bot.looking import NARROW_CHUNKS
from bots.chat.attendance import Attendance
from bots.owned_tasks import OwnedTasks
from bridge.errors import BridgeError
from bridge.port import WIDE_VIEW_CHUNKS, Bridge

log = structlog.get_logger()

WIDE, NARROW = WIDE_VIEW_CHUNKS, NARROW_CHUNKS
ALONE_S = 60.0
ROUNDING_S = 0.001  # so short a sleep may end at the very same moment


class ViewDistance:
    """Narrows the view of a bot that is left alone for `ALONE_S`, and widens it at once when
    somebody turns to it; a bot joins with a narrow one. `run` is owned by the daemon."""

    def __init__(
        self, bot: Bot, bridge: Bridge, attendance: Attendance, is_online: Callable[[], bool]
    ) -> None:
        self._bot, self._bridge, self._attendance = bot, bridge, attendance
        self._is_online, self._times = is_online, bot.times
        self._tasks = OwnedTasks()
        self._asked: int | None = NARROW
        """None while nobody knows: the bridge failed."""
        self._alone_since_s = -math.inf
        self._widened = asyncio.Event()

    async def run(self) -> None:
        """See to it until cancelled."""
        unwatch = self._bot.leisure.watch(self._turned_to)
        try:
            while True:
                await self._widened.wait()
                while (left_s := self._until_narrow_s()) > ROUNDING_S:
                    await self._times.sleep(left_s)
                self._widened.clear()
                self._ask(NARROW)
        finally:
            unwatch()
            await self._tasks.aclose()

    def joined(self) -> None:
        """The bot came into the world, where its view is narrow at first."""
        self._asked = NARROW
        if self._is_wanted or self._alone_for_s < ALONE_S:
            self._widen()

    def _turned_to(self) -> None:
        self._alone_since_s = self._times.stopwatch()
        if self._asked != WIDE:
            self._widen()

    def _widen(self) -> None:
        self._ask(WIDE)
        self._widened.set()

    def _until_narrow_s(self) -> float:
        """Seconds until there is something to do, or to look again."""
        if not self._is_online() or self._is_wanted:
            return ALONE_S
        return ALONE_S - self._alone_for_s

    @property
    def _alone_for_s(self) -> float:
        return self._times.stopwatch() - self._alone_since_s

    @property
    def _is_wanted(self) -> bool:
        return self._bot.is_busy or self._attendance.is_taken(self._bot.name)

    def _ask(self, chunks: int) -> None:
        """Returns at once; what the bot asks of the bridge from now on comes after it."""
        self._asked = chunks
        self._tasks.start(self._see(chunks), f"view distance of {self._bot.name}")

    async def _see(self, chunks: int) -> None:
        """A failure is made good the next time that somebody turns to the bot."""
        try:
            await self._bridge.see(self._bot.name, chunks)
        except BridgeError as error:
            self._asked = None
            log.debug("view_distance.not_changed", bot=self._bot.name, why=str(error))
