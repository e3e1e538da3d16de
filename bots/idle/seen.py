"""What bots see and do while nobody wants anything of them: the things they talk of.

Each is a value; `News` keeps who saw what, and when, until somebody has spoken of it.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from bots.access.sources import FACTS, Sources
from bots.clock import Stopwatch
from bridge.world import Position, Weather

STALE_S = 90.0  # what is older is no news any more
SAME_S = 600.0  # the same thing, seen again within this time, is none either
MOST_NEWS = 100

Towards: TypeAlias = Literal[
    "north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"
]
_TOWARDS: tuple[Towards, ...] = (
    *("north", "northeast", "east", "southeast"),
    *("south", "southwest", "west", "northwest"),
)


@dataclass(frozen=True, slots=True)
class WeatherTurned:
    weather: Weather


@dataclass(frozen=True, slots=True)
class HourTurned:
    """Another part of the day began."""

    time_of_day: int


@dataclass(frozen=True, slots=True)
class Came:
    person: str
    met_before: bool
    days_away: int = 0
    """Since the bot last met this person, where that is worth a word."""


@dataclass(frozen=True, slots=True)
class Left:
    person: str


@dataclass(frozen=True, slots=True)
class Found:
    """Something was picked."""

    item: str
    carried: int
    """How many the bot has of it now."""


@dataclass(frozen=True, slots=True)
class Walked:
    blocks: int
    towards: Towards


@dataclass(frozen=True, slots=True)
class SawBlock:
    block: str
    blocks: int
    """How far it is from where the bot is at home."""
    towards: Towards


@dataclass(frozen=True, slots=True)
class SawAnimals:
    animal: str
    count: int


@dataclass(frozen=True, slots=True)
class SatByFire:
    fire: str


@dataclass(frozen=True, slots=True)
class SawFellow:
    """What a fellow is doing."""

    fellow: str
    doing: Doing
    what: str = ""
    """The block, animal or player that it is about."""


@dataclass(frozen=True, slots=True)
class KeptCompany:
    """It went to stand with a person who may have it do things."""

    person: str


@dataclass(frozen=True, slots=True)
class Wished:
    """What a person said once, and would like."""

    person: str
    words: str
    is_here: bool = False
    """Whether that person hears it."""


@dataclass(frozen=True, slots=True)
class TalkedOf:
    """What a person asked in a talk."""

    person: str
    words: str


@dataclass(frozen=True, slots=True)
class HeardOf:
    """What a bot of another daemon spoke of: no more than the topic is known."""

    topic: str


Doing: TypeAlias = Literal[
    "walking", "looking", "picking", "resting", "visiting", "watching", "working"
]

Seen: TypeAlias = (
    WeatherTurned
    | HourTurned
    | Came
    | Left
    | Found
    | Walked
    | SawBlock
    | SawAnimals
    | SatByFire
    | SawFellow
    | KeptCompany
    | Wished
    | TalkedOf
    | HeardOf
)


_RANKS: Mapping[type[Seen], int] = {Came: 0, WeatherTurned: 1, KeptCompany: 1}


@dataclass(frozen=True, slots=True)
class Item:
    """Something that was seen or is remembered, and by whom."""

    by: str
    seen: Seen
    at_s: float
    sources: Sources = FACTS
    """Where words of others in it come from."""


class News:
    """What the bots of a daemon saw and have not spoken of yet, the oldest first."""

    def __init__(self, stopwatch: Stopwatch) -> None:
        self._stopwatch = stopwatch
        self._items: deque[Item] = deque(maxlen=MOST_NEWS)
        self._known: dict[Hashable, float] = {}

    def add(self, by: str, seen: Seen) -> bool:
        """Tell what a bot saw; False when it is no news."""
        now = self._stopwatch()
        self._known = {one: at for one, at in self._known.items() if now - at < SAME_S}
        same: Hashable = seen
        if isinstance(seen, SawBlock):  # of a kind a bot tells once, wherever it saw it
            same = by, seen.block
        elif isinstance(seen, KeptCompany):
            same = by, seen.person
        if same in self._known:
            return False
        self._known[same] = now
        if isinstance(seen, HourTurned | WeatherTurned):  # what it was before is untrue by now
            self._items = deque(
                (one for one in self._items if type(one.seen) is not type(seen)), MOST_NEWS
            )
        self._items.append(Item(by, seen, now))
        return True

    def fresh(self) -> list[Item]:
        """What is worth speaking of: who came, whom one visits, the weather, what is newest."""
        now = self._stopwatch()
        items = [item for item in self._items if now - item.at_s < STALE_S]
        return sorted(items, key=lambda one: (_RANKS.get(type(one.seen), 2), -one.at_s))

    def drop(self, item: Item) -> None:
        """It was spoken of."""
        if item in self._items:
            self._items.remove(item)


def towards(here: Position, there: Position) -> Towards:
    """The point of the compass in which one place lies from another; north is -z."""
    angle = math.degrees(math.atan2(there.x - here.x, here.z - there.z))
    return _TOWARDS[round(angle / 45) % len(_TOWARDS)]
