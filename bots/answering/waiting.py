"""Lines that wait for an answer: one queue a speaker and channel, persons before fellow bots."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from bots.natural_message import NaturalMessage
from bots.origin import Fellow, Origin

MOST_LINES = 60  # of one speaker that an answer looks at; the oldest go, the history has all
MOST_SPEAKERS = 500  # beyond it a new speaker is only recorded


Channel: TypeAlias = tuple[Origin, bool]
"""Who speaks, and whether in public: what was whispered is never answered aloud."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """What one speaker said since the last answer."""

    speaker: str
    origin: Origin
    since: float
    """Stopwatch time of the oldest line."""
    public: bool = False
    """The lines were said in public, and so is the answer."""
    messages: deque[NaturalMessage] = field(default_factory=lambda: deque(maxlen=MOST_LINES))

    @property
    def lines(self) -> list[str]:
        return [message.content for message in self.messages]

    @property
    def channel(self) -> Channel:
        return self.origin, self.public

    @property
    def from_fellow(self) -> bool:
        return isinstance(self.origin, Fellow)


class WaitingLines:
    """Who waits, in the order in which they began to."""

    def __init__(self) -> None:
        self._waiting: dict[Channel, Waiting] = {}

    def add(self, message: NaturalMessage, now: float) -> bool:
        """Let a line wait; False when too many speakers wait already."""
        waiting = self._waiting.get((message.origin, message.public))
        if waiting is None:
            if len(self._waiting) >= MOST_SPEAKERS:
                return False
            waiting = Waiting(message.from_, message.origin, now, message.public)
            self._waiting[waiting.channel] = waiting
        waiting.messages.append(message)
        return True

    def first(self) -> Waiting | None:
        """Whom to answer next; they go on waiting until taken."""
        return next(self._in_order(), None)

    def take(self, waiting: Waiting) -> None:
        """These lines are being answered: they wait no more, and later ones form anew."""
        if self._waiting.get(waiting.channel) is waiting:
            del self._waiting[waiting.channel]

    def _in_order(self) -> Iterator[Waiting]:
        yield from (w for w in self._waiting.values() if not w.from_fellow)
        yield from (w for w in self._waiting.values() if w.from_fellow)
