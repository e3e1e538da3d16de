"""What waits for a decision: one queue per speaker and channel, people before other bots."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import structlog

from bots.access.origin import Fellow, Origin
from bots.chat.natural_message import NaturalMessage
from bots.observability.trace import TraceLog
from bots.responder.case.events import EventReport, Trigger
from llm.engine.tiers import Work

log = structlog.get_logger()

ANSWERING = "answer to "
"""Begins the name under which `!stop` and `!status` list an answer that is being decided."""
MOST_LINES = 60  # per turn; the oldest are dropped here, the history keeps them all
MOST_EVENTS = 10  # per turn; the oldest are dropped
MOST_SPEAKERS = 500  # beyond that, lines of new speakers are only recorded

Channel: TypeAlias = tuple[Origin, bool]
"""Who speaks, and whether in public: what was whispered is never answered aloud."""


@dataclass(frozen=True, slots=True)
class PendingTurn:
    """One speaker's lines since the last answer, and the events on that speaker's behalf."""

    speaker: str
    origin: Origin
    since: float
    """Stopwatch time of the oldest line or event."""
    public: bool = False
    """The lines were said in public, and so is the answer."""
    messages: deque[NaturalMessage] = field(default_factory=lambda: deque(maxlen=MOST_LINES))
    events: deque[EventReport] = field(default_factory=lambda: deque(maxlen=MOST_EVENTS))

    @property
    def lines(self) -> list[str]:
        return [message.content for message in self.messages]

    @property
    def trigger(self) -> Trigger:
        """What asks for the decision: a line, or else the newest event."""
        return "message" if self.messages else self.events[-1].kind

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
    """The pending turns of one bot, in the order in which they began."""

    def __init__(self, bot: str, trace: TraceLog) -> None:
        self._bot, self._trace = bot, trace
        self._pending: dict[Channel, PendingTurn] = {}
        self.line_added = asyncio.Event()
        self.event_added = asyncio.Event()
        """Both are cleared by whoever waits for them."""

    def add(self, message: NaturalMessage, now_s: float) -> bool:
        """Let a line wait; False when too many speakers wait already."""
        turn = self._turn(message.from_, (message.origin, message.public), now_s)
        if turn is None:
            log.warning("line.not_answered", bot=self._bot, sender=message.from_)
            return False
        turn.messages.append(message)
        self.line_added.set()
        return True

    def report(self, speaker: str, origin: Origin, event: EventReport) -> None:
        """Let an event wait to be told, by whisper, to the speaker it concerns."""
        facts = {"speaker": speaker, "trigger": event.kind, "text": event.text}
        self._trace.note("event.noticed", self._bot, **facts)
        turn = self._turn(speaker, (origin, False), event.at_s)
        if turn is None:
            log.warning("event.not_reported", bot=self._bot, to=speaker)
            return
        turn.events.append(event)
        self.event_added.set()

    def first(self, *, who_spoke: bool = False) -> PendingTurn | None:
        """The turn to decide next; it stays here until taken.

        With `who_spoke`, only turns that have lines."""
        return next((turn for turn in self._in_order() if turn.messages or not who_spoke), None)

    def take(self, turn: PendingTurn) -> None:
        """Remove a turn that is being decided; later lines begin a new one."""
        if self._pending.get(turn.channel) is turn:
            del self._pending[turn.channel]

    def withdraw(self, origin: Origin) -> list[NaturalMessage]:
        """Take out all lines of one speaker, public or not; their events go on waiting."""
        theirs = [turn for turn in self._pending.values() if turn.origin == origin]
        lines = [message for turn in theirs for message in turn.messages]
        for turn in theirs:
            self.take(turn)
            if turn.events:
                self._pending[turn.channel] = replace(turn, messages=deque(maxlen=MOST_LINES))
        return lines

    def _turn(self, speaker: str, channel: Channel, now_s: float) -> PendingTurn | None:
        """The pending turn of a channel, new if need be; None when there is no room for it."""
        turn = self._pending.get(channel)
        if turn is None and len(self._pending) < MOST_SPEAKERS:
            origin, public = channel
            turn = self._pending[channel] = PendingTurn(speaker, origin, now_s, public)
        return turn

    def _in_order(self) -> Iterator[PendingTurn]:
        """People who spoke, then people who are only to be told of something, then bots."""
        people = [turn for turn in self._pending.values() if not turn.from_fellow]
        yield from (turn for turn in people if turn.messages)
        yield from (turn for turn in people if not turn.messages)
        yield from (turn for turn in self._pending.values() if turn.from_fellow)
