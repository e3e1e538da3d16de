"""Events in words, and the buffer that keeps them until the next decision."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from bots.access.origin import Origin
from bots.access.sources import FACTS, Sources

MOST = 12  # events kept whole; older ones are only counted
LONGEST = 500  # characters of one event

Trigger: TypeAlias = Literal["message", "action_ended", "danger", "stop", "proposal"]
"""What asks for a decision."""

_PLURALS: dict[Trigger, str] = {
    "message": "messages",
    "action_ended": "ends of commands",
    "danger": "times hurt or hungry",
    "stop": "stops",
    "proposal": "proposals",
}


@dataclass(frozen=True, slots=True)
class EventReport:
    """One event in words. They may hold names that others chose: data, never instructions."""

    kind: Trigger
    text: str
    """What happened, as a player is told: one line of at most `LONGEST` characters."""
    at_s: float
    """Stopwatch time."""
    success: bool = True
    about: str = ""
    """The command it is about, as `!skill gather`; '' when it is about none."""
    reason: str = ""
    """Why that command failed: the reason code of its result."""
    sources: Sources = FACTS
    """Where words in it come from that somebody chose."""
    of_public: bool = False
    """What it ends was asked for in public."""


Report: TypeAlias = Callable[[str, Origin, EventReport], None]
"""Reports an event to a speaker, by name and origin, on whose behalf it happened."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The buffered events that one decision is told of."""

    fresh: tuple[EventReport, ...] = ()
    older: Mapping[Trigger, int] = field(default_factory=dict)
    """How many there were before those, by kind."""

    @property
    def told(self) -> tuple[EventReport, ...]:
        """All of them, oldest first, older ones as one line of counts."""
        return (_counted(self.older, self.fresh[0].at_s), *self.fresh) if self.older else self.fresh


NOTHING = Batch()


class EventBuffer:
    """One bot's events that asked for no decision of their own: the next one is told of them."""

    def __init__(self) -> None:
        self._fresh: deque[EventReport] = deque()
        self._older: Counter[Trigger] = Counter()

    def note(self, event: EventReport) -> None:
        """Keep an event; if the newest one says the same, it takes its place."""
        if self._fresh and _same(self._fresh[-1], event):
            self._fresh.pop()
        self._fresh.append(event)
        self._count_old()

    def flush(self) -> Batch:
        """Take all of them out, for one decision."""
        batch = Batch(tuple(self._fresh), dict(self._older))
        self._fresh.clear()
        self._older.clear()
        return batch

    def give_back(self, batch: Batch) -> None:
        """Put back, before newer ones, what a decision was not made from after all."""
        self._fresh.extendleft(reversed(batch.fresh))
        self._older.update(batch.older)
        self._count_old()

    def _count_old(self) -> None:
        while len(self._fresh) > MOST:
            self._older[self._fresh.popleft().kind] += 1


def in_one_line(text: str) -> str:
    """The text of an `EventReport`: no line breaks, cut to `LONGEST` characters."""
    flat = " ".join(text.split())
    return flat if len(flat) <= LONGEST else flat[: LONGEST - 1] + "…"


def _same(one: EventReport, other: EventReport) -> bool:
    return (one.kind, one.about, one.text) == (other.kind, other.about, other.text)


def _counted(older: Mapping[Trigger, int], at_s: float) -> EventReport:
    parts = [f"{count} {_PLURALS[kind]}" for kind, count in sorted(older.items())]
    return EventReport("action_ended", in_one_line(f"Earlier: {', '.join(parts)}."), at_s)
