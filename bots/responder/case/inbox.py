"""What waits for a decision: one queue a speaker and channel, persons before fellow bots."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from bots.access.origin import Fellow, Origin
from bots.chat.natural_message import NaturalMessage
from bots.responder.case.events import Happening, Trigger
from llm.engine.tiers import Work

ANSWERING = "answer to "
"""Begins the name under which `!stop` and `!status` list an answer that is being decided."""
MOST_LINES = 60  # of one speaker that an answer looks at; the oldest go, the history has all
MOST_HAPPENINGS = 10  # on behalf of one speaker; the oldest go
MOST_SPEAKERS = 500  # beyond it a new speaker is only recorded


Channel: TypeAlias = tuple[Origin, bool]
"""Who speaks, and whether in public: what was whispered is never answered aloud."""


@dataclass(frozen=True, slots=True)
class PendingTurn:
    """What one speaker said, and what happened on the speaker's behalf, since the last answer."""

    speaker: str
    origin: Origin
    since: float
    """Stopwatch time of the oldest line or event."""
    public: bool = False
    """The lines were said in public, and so is the answer."""
    messages: deque[NaturalMessage] = field(default_factory=lambda: deque(maxlen=MOST_LINES))
    happenings: deque[Happening] = field(default_factory=lambda: deque(maxlen=MOST_HAPPENINGS))

    @property
    def lines(self) -> list[str]:
        return [message.content for message in self.messages]

    @property
    def trigger(self) -> Trigger:
        """What asks for the decision: a line, or else the newest event."""
        return "message" if self.messages else self.happenings[-1].kind

    @property
    def channel(self) -> Channel:
        return self.origin, self.public

    @property
    def from_fellow(self) -> bool:
        return isinstance(self.origin, Fellow)

    @property
    def work(self) -> Work:
        """What a decision on it is for."""
        if self.from_fellow:
            return "talk"
        return "person" if self.messages else "event"


class Inbox:
    """Who waits, in the order in which they began to."""

    def __init__(self) -> None:
        self._waiting: dict[Channel, PendingTurn] = {}

    def add(self, message: NaturalMessage, now: float) -> bool:
        """Let a line wait; False when too many speakers wait already."""
        waiting = self._of(message.from_, (message.origin, message.public), now)
        if waiting is not None:
            waiting.messages.append(message)
        return waiting is not None

    def add_happening(self, speaker: str, origin: Origin, happening: Happening) -> bool:
        """Let an event wait to be told to whom it concerns, by whisper; False as of `add`."""
        waiting = self._of(speaker, (origin, False), happening.at_s)
        if waiting is not None:
            waiting.happenings.append(happening)
        return waiting is not None

    def first(self, *, who_spoke: bool = False) -> PendingTurn | None:
        """Whom to answer next; they go on waiting until taken.

        With `who_spoke`, not those who are only to be told of something."""
        return next((one for one in self._in_order() if one.messages or not who_spoke), None)

    def take(self, waiting: PendingTurn) -> None:
        """These lines are being answered: they wait no more, and later ones form anew."""
        if self._waiting.get(waiting.channel) is waiting:
            del self._waiting[waiting.channel]

    def withdraw(self, origin: Origin) -> list[NaturalMessage]:
        """Take the lines of one speaker, aloud or not; they wait no more, events still do."""
        theirs = [waiting for waiting in self._waiting.values() if waiting.origin == origin]
        lines = [message for waiting in theirs for message in waiting.messages]
        for waiting in theirs:
            self.take(waiting)
            if waiting.happenings:
                self._waiting[waiting.channel] = replace(waiting, messages=deque(maxlen=MOST_LINES))
        return lines

    def _of(self, speaker: str, channel: Channel, now: float) -> PendingTurn | None:
        """What waits of a channel, if there is room for it."""
        waiting = self._waiting.get(channel)
        if waiting is None and len(self._waiting) < MOST_SPEAKERS:
            origin, public = channel
            waiting = self._waiting[channel] = PendingTurn(speaker, origin, now, public)
        return waiting

    def _in_order(self) -> Iterator[PendingTurn]:
        """Whoever spoke before those who are only to be told of something."""
        persons = [waiting for waiting in self._waiting.values() if not waiting.from_fellow]
        yield from (waiting for waiting in persons if waiting.messages)
        yield from (waiting for waiting in persons if not waiting.messages)
        yield from (waiting for waiting in self._waiting.values() if waiting.from_fellow)
