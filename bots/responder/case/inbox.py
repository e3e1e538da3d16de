"""What waits for a decision: one queue per speaker and channel.

Owners come before trusted players before all others before other bots; inside a rank the one who
has waited longest comes first, and as an answered speaker queues up anew, speakers take turns.
Lines come before events, until an event has waited for `EVENT_WAITS_S`."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal, TypeAlias

import structlog

from bots.access.origin import Fellow, Level, Origin
from bots.access.permissions import Precedence, Rank
from bots.access.sources import FACTS, Sources
from bots.bot.episode import Episode
from bots.chat.natural_message import NaturalMessage
from bots.observability.trace import TraceLog
from bots.text.language import normal, questions, reading_length
from bots.words import Saying, said_to
from bots.words.heard import heard
from llm.engine.tiers import Work

log = structlog.get_logger()

DEEP_FROM = 2
LONG = 120  # Latin letters, or as many as take as long to read
THINK = 2  # the others count 1
MOST = 12  # events kept whole; older ones are only counted
LONGEST = 500  # characters of one event
ANSWERING = "answer to "
"""Begins the name under which `!stop` and `!status` list an answer that is being decided."""
MOST_LINES = 60  # per turn; the oldest are dropped here, the history keeps them all
MOST_EVENTS = 10  # per turn; the oldest are dropped, and the log says so
EVENT_WAITS_S = 10.0  # behind lines; an answer takes 8 s
MOST_SPEAKERS = 500  # of each rank; beyond that, lines of new speakers are only recorded


def asks_to_think(lines: Sequence[str]) -> bool:
    """Whether these lines of one speaker, together, do."""
    return depth_of(tuple(lines)) >= DEEP_FROM


@lru_cache(maxsize=64)  # a turn is asked several times what it is for
def depth_of(lines: tuple[str, ...]) -> int:
    words = normal(" ".join(lines))
    asked = [one for line in lines for one in questions(line)]
    signs = (heard("think.reasons").search(words), reading_length(words) >= LONG, len(asked) > 1)
    return THINK * bool(heard("think.deeply").search(words)) + sum(map(bool, signs))


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
    done: tuple[Episode, ...] = ()
    """What that command has done."""
    outcome: Saying | None = None
    """What came of it, where `done` does not tell that."""
    lacking: Mapping[str, int] = field(default_factory=dict)
    """How many of which items were missing."""


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
        if not self.older:
            return self.fresh
        parts = [f"{count} {_PLURALS[kind]}" for kind, count in sorted(self.older.items())]
        words = in_one_line(f"Earlier: {', '.join(parts)}.")
        return (EventReport("action_ended", words, self.fresh[0].at_s), *self.fresh)


NOTHING = Batch()


class EventBuffer:
    """One bot's events that asked for no decision of their own: the next one is told of them."""

    def __init__(self) -> None:
        self._fresh: deque[EventReport] = deque()
        self._older: Counter[Trigger] = Counter()

    def note(self, event: EventReport) -> None:
        """Keep an event; if the newest one says the same, it takes its place."""
        said = (event.kind, event.about, event.text)
        if (
            self._fresh
            and (self._fresh[-1].kind, self._fresh[-1].about, self._fresh[-1].text) == said
        ):
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


COMMANDING: frozenset[Rank] = frozenset({int(Level.TRUSTED), int(Level.OWNER)})
"""Ranks of those who may command the bots."""
ASKING: frozenset[Rank] = frozenset({int(Level.PLAYER)})
"""The rank of all other people."""

Channel: TypeAlias = tuple[Origin, str, bool]
"""Who speaks, under which name, and whether in public: what was whispered is never answered
aloud."""


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
        return self.origin, self.speaker, self.public

    @property
    def may_be_public(self) -> bool:
        """Events alone, of what was asked for in public: whispered where the server whispers."""
        return not self.messages and all(event.of_public for event in self.events)

    @property
    def from_fellow(self) -> bool:
        return isinstance(self.origin, Fellow)

    @property
    def asked_by(self) -> str | None:
        """Who had another bot say a line of these, by command; that one waits for the answer."""
        return next((one.asked_by for one in self.messages if one.asked_by is not None), None)

    @property
    def is_small_talk(self) -> bool:
        """Another bot's own words, for which nobody waits."""
        return self.from_fellow and self.asked_by is None

    @property
    def work(self) -> Work:
        """What a decision on it is for. Words that somebody had a bot say are that one's."""
        if self.from_fellow:
            return "talk" if self.asked_by is None else "person"
        if not self.messages:
            return "event"
        return "deep" if asks_to_think(self.lines) else "person"


class Inbox:
    """The pending turns of one bot, in the order in which they began."""

    def __init__(self, bot: str, trace: TraceLog, rank: Callable[[Origin], Rank]) -> None:
        self._bot, self._trace, self._rank = bot, trace, rank
        self._precedence, self._precedence_of_events = Precedence(), Precedence()
        self._pending: dict[Channel, PendingTurn] = {}
        self.line_added = asyncio.Event()
        self.other_line_added = asyncio.Event()
        self.event_added = asyncio.Event()
        """Set when there may be a line of somebody who may command, another line, or an event;
        cleared by whoever waits for it."""

    def add(self, message: NaturalMessage, now_s: float) -> bool:
        """Let a line wait; False when too many speakers wait already."""
        turn = self._turn((message.origin, message.from_, message.public), now_s)
        if turn is None:
            log.warning("line.not_answered", bot=self._bot, sender=message.from_)
            return False
        turn.messages.append(message)
        self.wake()
        return True

    def report(self, speaker: str, origin: Origin, event: EventReport) -> None:
        """Let an event wait to be told, by whisper, to the speaker it concerns."""
        facts = {"speaker": speaker, "trigger": event.kind, "text": event.text}
        self._trace.note("event.noticed", self._bot, **facts)
        turn = self._turn((origin, speaker, False), event.at_s)
        if turn is None or len(turn.events) == MOST_EVENTS:
            log.warning("event.not_reported", bot=self._bot, to=speaker)
        if turn is None:
            return
        turn.events.append(event)
        self.event_added.set()

    def wake(self) -> None:
        """Let everybody look anew who is next."""
        for changed in (self.line_added, self.other_line_added, self.event_added):
            changed.set()

    def rank(self, turn: PendingTurn) -> Rank:
        return self._rank(turn.origin)

    def first_line(self, ranks: Collection[Rank]) -> PendingTurn | None:
        """The turn with lines to decide next among people of these ranks; it stays here until
        taken."""
        spoken = [turn for turn in self._spoken() if self.rank(turn) in ranks]
        if not spoken:
            return None
        rank = self._precedence.first({self.rank(turn) for turn in spoken})
        return next(turn for turn in spoken if self.rank(turn) == rank)

    def first_of_fellow(self) -> PendingTurn | None:
        """The line of another bot to decide next; none while a person waits for an answer."""
        if self._spoken():
            return None
        return next((turn for turn in self._pending.values() if turn.from_fellow), None)

    def first_asked(self) -> PendingTurn | None:
        """The line that somebody had another bot say and that has waited longest."""
        return next((turn for turn in self._pending.values() if turn.asked_by is not None), None)

    def first_event(self, now_s: float, answered: Collection[Rank]) -> PendingTurn | None:
        """The person to be told of something next, by whisper.

        Lines of that rank or a higher one come first, waiting ones and those that are being
        `answered`, but not for longer than `EVENT_WAITS_S`."""
        lines = max([*answered, *map(self.rank, self._spoken())], default=-1)
        ripe = [
            turn
            for turn in self._untold()
            if self.rank(turn) > lines or now_s - turn.since >= EVENT_WAITS_S
        ]
        if not ripe:
            return None
        rank = self._precedence_of_events.first({self.rank(turn) for turn in ripe})
        return next(turn for turn in ripe if self.rank(turn) == rank)

    def take(self, turn: PendingTurn) -> None:
        """Remove a turn that is being decided; later lines begin a new one."""
        if self._pending.get(turn.channel) is turn:
            del self._pending[turn.channel]
            if turn.messages:  # ranks that are answered apart from each other pass nobody over
                rank = self.rank(turn)
                beside = COMMANDING if rank in COMMANDING else ASKING
                spoken = {self.rank(other) for other in self._spoken()}
                self._precedence.served(rank, spoken & beside)
            elif not turn.from_fellow:
                waiting = {self.rank(other) for other in self._untold()}
                self._precedence_of_events.served(self.rank(turn), waiting)

    def _spoken(self) -> list[PendingTurn]:
        """People's turns with lines."""
        turns = self._pending.values()
        return [turn for turn in turns if turn.messages and not turn.from_fellow]

    def _untold(self) -> list[PendingTurn]:
        """People's turns with nothing but events."""
        turns = self._pending.values()
        return [turn for turn in turns if not turn.messages and not turn.from_fellow]

    def withdraw(self, origin: Origin) -> list[NaturalMessage]:
        """Take out all lines of one speaker, public or not; their events go on waiting."""
        theirs = [turn for turn in self._pending.values() if turn.origin == origin]
        lines = [message for turn in theirs for message in turn.messages]
        for turn in theirs:
            self.take(turn)
            if turn.events:
                self._pending[turn.channel] = replace(turn, messages=deque(maxlen=MOST_LINES))
        return lines

    def _turn(self, channel: Channel, now_s: float) -> PendingTurn | None:
        """The pending turn of a channel, new if need be; None when there is no room for it."""
        if (turn := self._pending.get(channel)) is not None:
            return turn
        origin, speaker, public = channel
        ranks = [self.rank(turn) for turn in self._pending.values()]
        if ranks.count(self._rank(origin)) >= MOST_SPEAKERS:
            return None
        self._pending[channel] = PendingTurn(speaker, origin, now_s, public)
        return self._pending[channel]


def crowded(text: str) -> str:
    """What somebody is told for whose line there is no room, in its language."""
    return said_to("closing.crowded", text)
