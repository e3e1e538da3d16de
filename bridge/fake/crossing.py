"""The way into the simulated Node: it takes time, fails as scripted, and can be cut."""

from __future__ import annotations

import asyncio

from bridge.errors import BridgeDown, NotConnected
from bridge.fake.clock import VirtualClock
from bridge.fake.faults import Faults, Operation
from bridge.world import BotName


class Crossing:
    """What every command of the bridge passes before anything happens."""

    def __init__(self, clock: VirtualClock, faults: Faults) -> None:
        self._clock, self._faults = clock, faults
        self._under_way: dict[asyncio.Future[None], Operation] = {}
        self._cut_because: str | None = None

    async def go(self, operation: Operation, bot: BotName) -> None:
        """Raises BridgeDown when cut meanwhile, and whatever was scripted. While cut a spawn
        raises BridgeDown and all else NotConnected, for no bot is in a world."""
        self._refuse_when_cut(operation, bot)
        await asyncio.sleep(0)
        await self.wait(operation, self._faults.delay_s(operation))
        self._refuse_when_cut(operation, bot)
        error = self._faults.take_error(operation)
        if error is not None:
            raise error

    async def wait(self, operation: Operation, seconds: float) -> None:
        """Stay inside for this long. Raises BridgeDown when cut meanwhile."""
        if seconds <= 0:
            return
        timer = self._clock.timer(seconds)
        self._under_way[timer] = operation
        try:
            await timer
        finally:
            del self._under_way[timer]

    def cut(self, why: str) -> None:
        """Every command under way raises BridgeDown; nothing passes until `mend`."""
        self._cut_because = why
        for timer, operation in self._under_way.items():
            if not timer.done():
                timer.set_exception(BridgeDown(operation, why))

    def mend(self) -> None:
        self._cut_because = None

    def _refuse_when_cut(self, operation: Operation, bot: BotName) -> None:
        if self._cut_because is None:
            return
        if operation == "spawn":
            raise BridgeDown(operation, self._cut_because)
        raise NotConnected(bot)
