"""The way into the simulated Node: it takes time, fails as scripted, and can be cut."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from dataclasses import dataclass
from typing import Literal

from bridge.errors import BridgeDown, BridgeError, NotConnected
from bridge.events import Ending
from bridge.fake.clock import VirtualClock
from bridge.world import BotName, PlayerName

Operation = Literal[
    "spawn",
    "despawn",
    "snapshot",
    "whisper",
    "chat",
    "begin",
    "cancel",
    "query",
    "glance",
    "see",
    "pause",
    "resume",
]


@dataclass(frozen=True, slots=True)
class Refusal:
    """How a server turns a joining bot away."""

    ending: Ending
    text: str


@dataclass(slots=True)
class _Loss:
    sender: str | None
    to: str | None
    times: int


class Faults:
    """Faults that a test orders. Each strikes as often as asked for, and then no more."""

    def __init__(self) -> None:
        self._errors: defaultdict[str, deque[BridgeError]] = defaultdict(deque)
        self._refusals: defaultdict[BotName, deque[Refusal]] = defaultdict(deque)
        self._delays_s: dict[str, float] = {}
        self._losses: list[_Loss] = []

    def fail_next(self, operation: Operation, error: BridgeError, *, times: int = 1) -> None:
        """The next calls of an operation raise this; what they asked for does not happen."""
        self._errors[operation].extend([error] * times)

    def delay(self, operation: Operation, seconds: float) -> None:
        """Every call of an operation takes this long, until set to 0."""
        self._delays_s[operation] = seconds

    def refuse_spawn(self, bot: str, ending: Ending, text: str, *, times: int = 1) -> None:
        """The next spawns of a bot raise `SpawnFailed`; `spawn_timeout` takes its time."""
        self._refusals[BotName(bot)].extend([Refusal(ending, text)] * times)

    def lose_whispers(
        self, times: int = 1, *, sender: str | None = None, to: str | None = None
    ) -> None:
        """The server swallows the next lines from `sender` to `to` (None = anyone)."""
        self._losses.append(_Loss(sender, to, times))

    def take_error(self, operation: Operation) -> BridgeError | None:
        waiting = self._errors[operation]
        return waiting.popleft() if waiting else None

    def delay_s(self, operation: Operation) -> float:
        return self._delays_s.get(operation, 0.0)

    def take_refusal(self, bot: BotName) -> Refusal | None:
        waiting = self._refusals[bot]
        return waiting.popleft() if waiting else None

    def swallows(self, sender: BotName, to: PlayerName | None) -> bool:
        """Whether this line, a whisper, is lost; counts it when so."""
        for loss in self._losses if to is not None else ():
            if loss.times and loss.sender in (None, sender) and loss.to in (None, to):
                loss.times -= 1
                return True
        return False


class Crossing:
    """Every command of the bridge passes here before anything happens."""

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
