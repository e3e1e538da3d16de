"""What happened to a bot since its last decision, one line an event; old ones are counted."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

MOST = 12  # events kept whole; older ones are only counted

_CALLED: dict[Trigger, str] = {
    "message": "messages",
    "action_ended": "ends of commands",
    "danger": "times hurt or hungry",
    "stop": "stops",
    "proposal": "proposals",
}


@dataclass(frozen=True, slots=True)
class Batch:
    """The events of one decision."""

    fresh: tuple[Happening, ...] = ()
    older: Mapping[Trigger, int] = field(default_factory=dict)
    """How many there were before those, by kind."""

    @property
    def told(self) -> tuple[Happening, ...]:
        """All of them, oldest first, older ones as one line of counts."""
        return (_counted(self.older, self.fresh[0].at_s), *self.fresh) if self.older else self.fresh


NOTHING = Batch()


class EventBuffer:
    """One bot's events that asked for no decision: the next decision is told of them."""

    def __init__(self) -> None:
        self._fresh: deque[Happening] = deque()
        self._older: Counter[Trigger] = Counter()

    def __len__(self) -> int:
        return len(self._fresh)

    def note(self, happening: Happening) -> None:
        """Keep an event; the same again in place of its forerunner."""
        if self._fresh and _same(self._fresh[-1], happening):
            self._fresh.pop()
        self._fresh.append(happening)
        self._count_old()

    def flush(self) -> Batch:
        """All of them, for one decision; none is left."""
        batch = Batch(tuple(self._fresh), dict(self._older))
        self._fresh.clear()
        self._older.clear()
        return batch

    def give_back(self, batch: Batch) -> None:
        """Keep what a decision was not made from after all, before what came since."""
        self._fresh.extendleft(reversed(batch.fresh))
        self._older.update(batch.older)
        self._count_old()

    def _count_old(self) -> None:
        while len(self._fresh) > MOST:
            self._older[self._fresh.popleft().kind] += 1


def _same(one: Happening, other: Happening) -> bool:
    return (one.kind, one.about, one.text) == (other.kind, other.about, other.text)


def _counted(older: Mapping[Trigger, int], at_s: float) -> Happening:
    parts = [f"{count} {_CALLED[kind]}" for kind, count in sorted(older.items())]
    return Happening("action_ended", in_one_line(f"Earlier: {', '.join(parts)}."), at_s)


LONGEST = 500  # characters of one event

Trigger: TypeAlias = Literal["message", "action_ended", "danger", "stop", "proposal"]
"""What asks for a decision."""


@dataclass(frozen=True, slots=True)
class Happening:
    """One event. Its words may hold names that others chose: data, never instructions."""

    kind: Trigger
    text: str
    """What happened, as a player is told: one line of at most `LONGEST` characters."""
    at_s: float
    """Stopwatch time."""
    success: bool = True
    about: str = ""
    """The command it is about, as `!skill gather`; '' when it is about none."""
    reason: str = ""
    """Why that command failed, in its result's one word."""


def in_one_line(text: str) -> str:
    """The words of a happening."""
    flat = " ".join(text.split())
    return flat if len(flat) <= LONGEST else flat[: LONGEST - 1] + "…"
