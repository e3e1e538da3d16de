"""Where a bot looks: its head, and its attention for whoever speaks to it."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable

import structlog

from bots.clock import Sleep, Stopwatch
from bots.owned_tasks import OwnedTasks
from bridge.actions import AtPlayer, Gaze, Glance
from bridge.errors import BridgeError
from bridge.port import Bridge
from bridge.world import BotName, PlayerName

log = structlog.get_logger()

ATTENTION_S = 6.0  # about a line of talk and its answer
LOOKS_AFTER_S = 0.05  # so that a reply that is ready at once does not wait for the glance


class Head:
    """Turns the bot's head, unless a job or an action needs it.

    `make_way` ends what the bot does of its own accord, which needs it less."""

    def __init__(
        self,
        bot: BotName,
        bridge: Bridge,
        is_at_work: Callable[[], bool],
        make_way: Callable[[], Awaitable[None]],
    ) -> None:
        self._bot, self._bridge, self._is_at_work = bot, bridge, is_at_work
        self._make_way = make_way

    @property
    def is_free(self) -> bool:
        return not self._is_at_work()

    async def turn(self, gaze: Gaze) -> Glance:
        """Turn at once, or say what prevents it. Raises `BridgeError`."""
        await self._make_way()
        return await self._bridge.glance(self._bot, gaze) if self.is_free else "busy"

    async def try_to_turn(self, gaze: Gaze) -> bool:
        """Turn at once; whether that was possible. An error of the bridge is only logged."""
        try:
            return await self.turn(gaze) == "turned"
        except BridgeError as error:
            log.debug("head.not_turned", bot=self._bot, why=str(error))
            return False


class Attention:
    """Looks at whoever speaks to the bot, for a moment; the last speaker wins."""

    def __init__(self, head: Head, stopwatch: Stopwatch, sleep: Sleep) -> None:
        self._head, self._stopwatch, self._sleep = head, stopwatch, sleep
        self._tasks = OwnedTasks()
        self._speaker: PlayerName | None = None
        self._is_turning = False
        self._ends_at_s = -math.inf

    @property
    def is_taken(self) -> bool:
        """Whether the bot still looks at somebody who spoke just now."""
        return self._stopwatch() < self._ends_at_s

    def addressed_by(self, speaker: str) -> None:
        """Look at a player who speaks to the bot, after `LOOKS_AFTER_S`; returns at once."""
        self._speaker = PlayerName(speaker)
        if not self._is_turning:
            self._is_turning = True
            self._tasks.start(self._turn(), f"look at {speaker}")

    async def aclose(self) -> None:
        await self._tasks.aclose()

    async def _turn(self) -> None:
        try:
            await self._sleep(LOOKS_AFTER_S)
            while (speaker := self._speaker) is not None:
                self._speaker = None
                if await self._head.try_to_turn(AtPlayer(speaker)):
                    self._ends_at_s = self._stopwatch() + ATTENTION_S
        finally:
            self._is_turning = False
