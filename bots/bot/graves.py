"""Where a bot saw other players die a short while ago: what lies there is theirs."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from bots.bot.deaths import LIE_FOR_S
from bots.bot.events import BotEvent, BotEvents
from bots.clock import Stopwatch
from bridge.events import PlayerDied
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
