"""Where a bot saw other players die a short while ago: what lies there is theirs. And its own
latest death."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any, NamedTuple

from bots.bot.deaths import LIE_FOR_S
from bots.bot.events import BotEvent, BotEvents
from bots.clock import Stopwatch
from bots.text.causes import of_what
from bridge.events import BotDied, BotSpawned, PlayerDied
from bridge.world import Position, Zone

SCATTERED = 5.0  # blocks, level, that things fly at a death
FALLEN, FLOWN = 16, 2  # blocks below and above
MOST = 32


class _Grave(NamedTuple):
    dimension: str
    position: Position
    until_s: float


class Graves:
    """The latest deaths of others, until what they lost has vanished."""

    def __init__(self, stopwatch: Stopwatch, events: BotEvents) -> None:
        self._stopwatch = stopwatch
        self._known: deque[_Grave] = deque(maxlen=MOST)
        events.subscribe(self._take)

    def _take(self, event: BotEvent) -> None:
        if isinstance(event, PlayerDied):
            until_s = self._stopwatch() + LIE_FOR_S
            self._known.append(_Grave(event.dimension, event.position.block, until_s))

    def zones(self, dimension: str) -> tuple[Zone, ...]:
        """Where a bot lets things lie."""
        now_s = self._stopwatch()
        lasting = [one for one in self._known if one.until_s > now_s]
        return tuple(_zone(one.position) for one in lasting if one.dimension == dimension)


def _zone(at: Position) -> Zone:
    low, high = Position(at.x, at.y - FALLEN, at.z), Position(at.x, at.y + FLOWN, at.z)
    return Zone(low, high, SCATTERED)


@dataclass(frozen=True, slots=True)
class LastDeath:
    """A death, and how long the bot had lived by then."""

    event: BotDied
    lived_s: float
    at_s: float

    def as_json(self, now_s: float) -> dict[str, Any]:
        at = self.event.death.position.block
        return {
            "position": [int(at.x), int(at.y), int(at.z)],
            "dimension": self.event.dimension,
            "cause": self.event.cause and self.event.cause.as_json(),
            "livedSeconds": round(self.lived_s),
            "secondsAgo": round(now_s - self.at_s),
            "sentence": f"I died at {at.x:g} {at.y:g} {at.z:g}{of_what(self.event.cause)}.",
        }


class Obituary:
    """Keeps the latest death of a bot, and how long it has lived since it joined or died."""

    def __init__(self, stopwatch: Stopwatch, events: BotEvents) -> None:
        self._stopwatch = stopwatch
        self._born_s = stopwatch()
        self._latest: LastDeath | None = None
        events.subscribe(self._take)

    @property
    def lived_s(self) -> float:
        """Seconds since it joined, or died."""
        return self._stopwatch() - self._born_s

    def latest(self) -> dict[str, Any] | None:
        """For machines; None while it has not died."""
        return None if self._latest is None else self._latest.as_json(self._stopwatch())

    def _take(self, event: BotEvent) -> None:
        if isinstance(event, BotDied):
            self._latest = LastDeath(event, self.lived_s, self._stopwatch())
        if isinstance(event, BotDied | BotSpawned):
            self._born_s = self._stopwatch()
