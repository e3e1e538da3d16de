"""One bot's mailbox: its events, in order and bounded. A bug in one event stops here.

pump ──put──▶ ░░░░░░░░ ──worker──▶ handle
              at the mark the bot's socket is paused, at half of it read again

The worker is the only place that catches every exception. What a handler raises is logged, and the
player gets an apology; the bot goes on with its next event, and other bots notice nothing.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

import structlog

from bridge.errors import BridgeError
from bridge.events import BotSpawned, BridgeEvent
from bridge.port import Bridge
from bridge.world import BotName

log = structlog.get_logger()

MARK = 10_000  # unhandled events at which the socket is no longer read
RETRY_S = 1.0  # until a pause or resume that the bridge could not take is tried again


class Mailbox:
    """Handles one bot's events one after another. `run` is owned by the daemon."""

    def __init__(
        self,
        bot: BotName,
        bridge: Bridge,
        handle: Callable[[BridgeEvent], Awaitable[None]],
        apologise: Callable[[BridgeEvent], Awaitable[None]],
        *,
        mark: int = MARK,
    ) -> None:
        self._bot, self._bridge, self._mark = bot, bridge, mark
        self._handle, self._apologise = handle, apologise
        self._waiting: deque[BridgeEvent] = deque()
        self._arrived = asyncio.Event()
        self._level_changed = asyncio.Event()
        self._full = False
        self._paused = False

    def __len__(self) -> int:
        """Events that wait."""
        return len(self._waiting)

    def put(self, event: BridgeEvent) -> None:
        """Add an event; never waits. Events under way when the socket paused still fit."""
        if isinstance(event, BotSpawned):
            self._paused = False  # a new socket is read until it is told otherwise
            self._level_changed.set()
        self._waiting.append(event)
        self._arrived.set()
        if len(self._waiting) >= self._mark:
            self._set_full(True)

    async def run(self) -> None:
        """Handle events until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._work(), name=f"mailbox of {self._bot}")
            group.create_task(self._keep_level(), name=f"mailbox level of {self._bot}")

    async def _work(self) -> None:
        while True:
            await self._arrived.wait()
            while self._waiting:
                event = self._waiting.popleft()
                if len(self._waiting) <= self._mark // 2:
                    self._set_full(False)
                try:
                    await self._handle(event)
                except Exception:  # the one catch-all: a bug in one event must not silence the bot
                    log.exception("event.failed", bot=self._bot, kind=type(event).__name__)
                    await self._apologise(event)
            self._arrived.clear()

    def _set_full(self, full: bool) -> None:
        if full != self._full:
            self._full = full
            self._level_changed.set()

    async def _keep_level(self) -> None:
        """Pause or resume the socket. The worker cannot do this: it may be the slow part."""
        while True:
            await self._level_changed.wait()
            self._level_changed.clear()
            if self._full != self._paused:
                await self._switch(self._full)

    async def _switch(self, pause: bool) -> None:
        try:
            await (self._bridge.pause if pause else self._bridge.resume)(self._bot)
        except BridgeError as error:
            log.warning("mailbox.not_switched", bot=self._bot, pause=pause, why=str(error))
            asyncio.get_running_loop().call_later(RETRY_S, self._level_changed.set)
            return
        self._paused = pause
        log.warning("mailbox.switched", bot=self._bot, paused=pause, waiting=len(self))
