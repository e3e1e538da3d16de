"""Faults to come: a test lists them, the bridge raises them."""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass
from typing import Literal

from bridge.errors import BridgeError
from bridge.events import Ending
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
    """Each fault strikes as often as asked for, then all is well again."""

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
