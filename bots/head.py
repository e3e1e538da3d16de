"""A bot's head: it turns when nothing more important goes on."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from bridge.errors import BridgeError
from bridge.gaze import Gaze, Glance
from bridge.port import Bridge
from bridge.world import BotName

log = structlog.get_logger()


class Head:
    """Whoever works has it first: an errand, or an action under way, keeps it."""

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
