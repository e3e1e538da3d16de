"""A bot looks at whoever addresses it, at once, and keeps looking for a moment."""

from __future__ import annotations

import math
from collections.abc import Callable

import structlog

from bots.clock import Stopwatch
from bots.owned_tasks import OwnedTasks
from bridge.errors import BridgeError
from bridge.gaze import AtPlayer, Gaze, Glance
from bridge.port import Bridge
from bridge.world import BotName, PlayerName

KEPT_S = 6.0  # about a line of talk and its answer


class Attention:
    """Of several who speak at once the last one gets it."""

    def __init__(self, head: Head, stopwatch: Stopwatch) -> None:
        self._head, self._stopwatch = head, stopwatch
        self._tasks = OwnedTasks()
        self._speaker: PlayerName | None = None
        self._is_looking = False
        self._kept_until_s = -math.inf

    @property
    def is_kept(self) -> bool:
        """Whether the bot still looks at somebody who spoke just now."""
        return self._stopwatch() < self._kept_until_s

    def addressed_by(self, speaker: str) -> None:
        """Somebody speaks to the bot; returns at once."""
        self._speaker = PlayerName(speaker)
        if not self._is_looking:
            self._is_looking = True
            self._tasks.start(self._look(), f"look at {speaker}")

    async def aclose(self) -> None:
        await self._tasks.aclose()

    async def _look(self) -> None:
        try:
            while (speaker := self._speaker) is not None:
                self._speaker = None
                if await self._head.try_to_turn(AtPlayer(speaker)):
                    self._kept_until_s = self._stopwatch() + KEPT_S
        finally:
            self._is_looking = False


log = structlog.get_logger()


class Head:
    """Whoever works has it first: a job, or an action under way, keeps it."""

    def __init__(self, bot: BotName, bridge: Bridge, is_at_work: Callable[[], bool]) -> None:
        self._bot, self._bridge, self._is_at_work = bot, bridge, is_at_work

    @property
    def is_free(self) -> bool:
        return not self._is_at_work()

    async def turn(self, gaze: Gaze) -> Glance:
        """Turn at once, or say what hinders. Raises `BridgeError`."""
        return await self._bridge.glance(self._bot, gaze) if self.is_free else "busy"

    async def try_to_turn(self, gaze: Gaze) -> bool:
        """Turn at once if that is possible; nobody depends on it."""
        try:
            return await self.turn(gaze) == "turned"
        except BridgeError as error:
            log.debug("head.not_turned", bot=self._bot, why=str(error))
            return False
