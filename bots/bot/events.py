"""Events of a bot that its other parts act on, as typed values.

    unsubscribe = bot.events.subscribe(on_event)
    bot.events.emit(JobFinished("Alice-job-3", "!goal", result))

Subscribers are called at once, so nothing is queued or dropped. The trace is separate: it is for
observers, and nothing is decided from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from bots.access.origin import Origin
from bots.access.sources import UNKNOWN, Sources
from bots.bot.result import Result
from bots.chat.between_daemons import SmallTalkHeard
from bridge.events import (
    BotDied,
    BotEndangered,
    BotHurt,
    BotSpawned,
    HealthChanged,
    ItemGiven,
    MonstersNear,
    PlayerDied,
    PlayerHurt,
    PlayerJoined,
    PlayerLeft,
)
from bridge.world import Position


@dataclass(frozen=True, slots=True)
class JobFinished:
    """A job is over, or a command that an operator did not wait for."""

    job_id: str
    command: str
    """As it is shown: `!navigation goto`."""
    result: Result
    sources: Sources = UNKNOWN
    """Where the words of its arguments come from, which the result may repeat."""
    started_by: Origin | None = None
    goal: str = ""
    """What a goal was, in plain words: `8 torch`; '' of anything else."""
    is_whole_command: bool = False
    """Whether it stands for a command that an operator did not wait for: its job is told of too."""


@dataclass(frozen=True, slots=True)
class StepDone:
    """A step of a goal is done."""

    job_id: str
    action: str
    """As in a plan: gather, craft …"""
    thing: str
    """The block, item or animal."""
    produces: Mapping[str, int]
    took_s: float
    position: Position
    """Where the bot was then."""
    dimension: str


@dataclass(frozen=True, slots=True)
class MessageAnswered:
    """A person's message was answered, and the answer arrived."""

    speaker: str


@dataclass(frozen=True, slots=True)
class WorkTold:
    """How it goes with what somebody gave a bot: it goes on after a mishap, or gets no farther."""

    given_by: Origin | None
    text: str
    """For whoever gave it."""
    sources: Sources
    is_aside: bool = False
    """Whether it is for those only who want to hear more than the end."""


@dataclass(frozen=True, slots=True)
class ThingsFetched:
    """A bot went unasked for what it lost in a death, or that has vanished before it could."""

    left: Mapping[str, int]
    """What it did not get back."""


BotEvent: TypeAlias = (
    BotSpawned
    | HealthChanged
    | BotHurt
    | MonstersNear
    | BotEndangered
    | BotDied
    | ItemGiven
    | PlayerHurt
    | PlayerDied
    | PlayerJoined
    | PlayerLeft
    | JobFinished
    | StepDone
    | MessageAnswered
    | WorkTold
    | ThingsFetched
    | SmallTalkHeard
)
Subscriber: TypeAlias = Callable[[BotEvent], None]


class BotEvents:
    """Tells each subscriber of one bot's events, in the order in which they subscribed."""

    def __init__(self) -> None:
        self._subscribers: list[Subscriber] = []

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Call `subscriber`, which must not wait, for each event; returns the undo."""
        self._subscribers.append(subscriber)
        return lambda: self._subscribers.remove(subscriber)

    def emit(self, event: BotEvent) -> None:
        for subscriber in tuple(self._subscribers):
            subscriber(event)
