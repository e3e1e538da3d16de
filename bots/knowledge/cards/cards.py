"""The cards of bots, in memory and in SQLite.

What people say is read from the history, each line once; what the bot sees and does is told by
`watching.py`. Also kept is how long people were away who have just come back, until a bot says so.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

from bots.access.origin import Fellow
from bots.access.sources import MayKnow, anything, as_text, from_text
from bots.bot.knowing import Entry
from bots.chat.conversation_sql import messages_after
from bots.chat.message import Message
from bots.clock import Clock, microseconds, microseconds_or_none, moment, moment_or_none
from bots.knowledge.cards.fact import (
    KINDS,
    LONGEST,
    Fact,
    Kind,
    Meeting,
    Subject,
    of_person,
    told_in,
    with_facts,
)
from bots.knowledge.joining import correct, corrections_in
from bots.store.database import Store
from bots.store.table import Row, Table
from bots.text.language import normal
from bots.text.printable import excerpt
from bots.text.spelling import only_alike

PAGE = 200  # lines that are read at once
STORED_EVERY = timedelta(minutes=5)
"""How often it is stored that a person is still here."""
MOST_PERSONS = 500
"""Persons that one bot has cards of; those are forgotten whom it has not met for longest."""
WORTH_A_WORD = timedelta(days=2)
MOST = 100  # absences that are known to be told


class Cards:
    """What one bot knows of persons and places."""

    def __init__(
        self,
        bot: str,
        store: Store,
        bots: Container[str],
        clock: Clock,
        known: Known,
        until: int,
    ) -> None:
        self._bot, self._store, self._bots = bot, store, bots
        self._known, self._until = known, until
        self._clock = clock
        self._stored_at: dict[str, datetime] = {}
        self._unstored: set[str] = set()
        self._one_at_a_time = asyncio.Lock()
        self.absences = Absences(self.meeting, clock)
        """How long people were away, until it is told."""
        self.due = asyncio.Event()
        """Set when there is something to read or to store."""

    def facts(self, about: Subject, may_know: MayKnow = anything) -> tuple[Fact, ...]:
        """What is known and may be known of somebody or some place, oldest first."""
        return tuple(one for one in self._known.facts.get(about, ()) if may_know(one.sources))

    def meeting(self, person: str) -> Meeting | None:
        """When the bot met this person; None: never."""
        return self._known.meetings.get(person)

    def person_called(self, name: str) -> str | None:
        """Somebody the bot knows: by exact name, else the only one called so in another case."""
        if name in self._known.meetings or of_person(name) in self._known.facts:
            return name
        return only_alike(name, self._known.meetings)

    @property
    def persons(self) -> tuple[str, ...]:
        """Everybody the bot has met, the newest first."""
        meetings = self._known.meetings
        return tuple(sorted(meetings, key=lambda one: meetings[one].last_at, reverse=True))

    @property
    def homes(self) -> Sequence[Fact]:
        """Where people live."""
        every = self._known.facts.values()
        return [one for facts in every for one in facts if one.kind == "lives"]

    def met(self, person: str, at: datetime) -> None:
        """The person is near; it is stored with what comes next, or now and then."""
        before = self._known.meetings.get(person)
        self._known.meetings[person] = before.again(at) if before else Meeting.first(at)
        stored_at = self._stored_at.get(person)
        if stored_at is None or at - stored_at >= STORED_EVERY:
            self._unstored.add(person)
            self.due.set()

    async def learn(self, *facts: Fact) -> None:
        """Add facts. Raises StoreError."""
        async with self._one_at_a_time:
            await self._put(self._with(facts), self._until)

    async def read_on(self) -> None:
        """Read all that the history holds by now and that is not read yet. Raises StoreError."""
        while await self._read_page():
            pass

    async def _read_page(self) -> bool:
        """Read up to a page of it; whether more may follow."""
        async with self._one_at_a_time:
            lines = await self._store.read(
                partial(messages_after, bot=self._bot, after=self._until, most=PAGE)
            )
            spoken = [one for one in lines if self._is_of_person(one)]
            for message in spoken:
                self.met(message.speaker, message.heard_at)
            facts = [fact for one in lines for fact in self._told_by(one)]
            corrections = [  # what somebody says is so, where something else was believed
                Entry(
                    words,
                    one.utterance.sources,
                    "correction",
                    speaker=one.speaker,
                    utterance=one.sequence,
                )
                for one in spoken
                for words in corrections_in(one.text or "")
            ]
            until = lines[-1].sequence if lines else self._until
            if facts or corrections or self._unstored or len(lines) == PAGE:
                await self._put(self._with(facts), until, corrections)
            self._until = max(self._until, until)
            return len(lines) == PAGE

    async def forget(self, person: str, until: int) -> int:
        """Forget a person, and read nothing more of what was heard up to `until`; how many facts
        that were. Raises StoreError."""
        await self.read_on()
        async with self._one_at_a_time:
            about = of_person(person)
            known = len(self._known.facts.get(about, ()))
            change = Change(until=until, gone=frozenset({person}))
            await self._write(change)
            self._until = max(self._until, until)
            self._known.facts.pop(about, None)
            self._known.meetings.pop(person, None)
            self._unstored.discard(person)
            return known

    async def drop(self, person: str, kind: Kind, words: str) -> int:
        """Take from a card what says so; how many facts that were. Raises StoreError."""
        async with self._one_at_a_time:
            about, wanted = of_person(person), normal(words)
            known = self._known.facts.get(about, ())
            kept = [one for one in known if (one.kind, normal(one.words)) != (kind, wanted)]
            await self._put({about: tuple(kept)}, self._until)
            return len(known) - len(kept)

    def _with(self, facts: Iterable[Fact]) -> dict[Subject, tuple[Fact, ...]]:
        """All facts of the subjects that these are about."""
        changed: dict[Subject, tuple[Fact, ...]] = {}
        for fact in facts:
            before = changed.get(fact.about, self._known.facts.get(fact.about, ()))
            changed[fact.about] = with_facts(before, [fact])
        return changed

    async def _write(self, change: Change) -> None:
        now = self._clock()
        await self._store.write(lambda connection: store(connection, self._bot, change, now))

    async def _put(
        self,
        facts: Mapping[Subject, tuple[Fact, ...]],
        until: int,
        corrections: Sequence[Entry] = (),
    ) -> None:
        meetings = self._known.meetings
        unstored = {name: meetings[name] for name in self._unstored if name in meetings}
        gone = frozenset(self.persons[MOST_PERSONS:])
        await self._write(Change(facts, unstored, until, gone, corrections))
        self._until = max(self._until, until)
        self._known.facts.update(facts)
        self._stored_at.update({name: one.last_at for name, one in unstored.items()})
        self._unstored -= unstored.keys()
        for name in gone:
            self._known.facts.pop(of_person(name), None)
            meetings.pop(name, None)

    def _is_of_person(self, message: Message) -> bool:
        origins = message.utterance.sources.origins
        return (
            message.role == "user"
            and message.was_said
            and message.speaker not in self._bots
            and not any(isinstance(one, Fellow) for one in origins)
        )

    def _told_by(self, message: Message) -> list[Fact]:
        """What a line tells of its speaker; of the bot's own words, what they promise somebody."""
        text = message.text or ""
        if self._is_of_person(message):
            told = told_in(text)
            return [_fact(message, message.speaker, *one) for one in told]
        said = message.utterance
        is_own = message.role == "assistant" and said.kind == "conversation" and message.was_said
        if not is_own or said.asked_by is not None or message.circle.kind != "one":
            return []
        promised = [one for one in told_in(text) if one.kind == "promised"]
        return [_fact(message, message.circle.name, "was_promised", one.words) for one in promised]


class AllCards:
    """The cards of all bots of a daemon."""

    def __init__(
        self,
        store: Store,
        bots: Container[str],
        clock: Clock,
        known: dict[str, Known],
        until: dict[str, int],
    ) -> None:
        """`bots` are the names of all known bots, which have no cards."""
        self._store, self._bots, self._clock = store, bots, clock
        self._stored, self._until = known, until
        self._of: dict[str, Cards] = {}

    @classmethod
    async def load(cls, store: Store, bots: Container[str], clock: Clock) -> AllCards:
        known, until = await store.read(read_all)
        return cls(store, bots, clock, known, until)

    def of(self, bot: str) -> Cards:
        """One bot's cards; always the same object."""
        if bot not in self._of:
            known = self._stored.pop(bot, Known())
            until = self._until.get(bot, 0)
            self._of[bot] = Cards(bot, self._store, self._bots, self._clock, known, until)
        return self._of[bot]


def _fact(message: Message, person: str, kind: Kind, words: str) -> Fact:
    return Fact(
        of_person(person),
        kind,
        words,
        message.heard_at,
        message.utterance.sources,
        excerpt(message.text or "", LONGEST),
    )


class Absences:
    """Those of the people that one bot knows."""

    def __init__(self, meeting: Callable[[str], Meeting | None], clock: Clock) -> None:
        self._meeting, self._clock = meeting, clock
        self._told: dict[str, datetime | None] = {}

    def untold_days(self, person: str) -> int:
        """How many days; 0 where that is worth no word, or was said."""
        meeting, now = self._meeting(person), self._clock()
        if meeting is None or self._told.get(person) == meeting.before(now):
            return 0
        away = meeting.away(now)  # six and a half days being a week
        return 0 if away < WORTH_A_WORD else (away + timedelta(hours=12)).days

    def told(self, person: str) -> None:
        """It was said."""
        meeting = self._meeting(person)
        if meeting is not None:
            before = meeting.before(self._clock())
            kept = list(self._told.items())[-MOST:]
            self._told = {**dict(kept), person: before}


@dataclass(frozen=True, slots=True)
class Known:
    """All cards of one bot."""

    facts: dict[Subject, tuple[Fact, ...]] = field(default_factory=dict)
    meetings: dict[str, Meeting] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Change:
    """What is to be stored: facts take the place of all of their subject."""

    facts: Mapping[Subject, Sequence[Fact]] = field(default_factory=dict)
    meetings: Mapping[str, Meeting] = field(default_factory=dict)
    until: int = 0
    """The sequence up to which the history is read."""
    gone: frozenset[str] = frozenset()
    """Persons who are forgotten."""
    corrections: Sequence[Entry] = ()
    """What people say is so, where something else was believed."""


_FACTS = Table(
    "card_facts",
    ("bot", "about", "name", "kind", "words", "at", "sources", "said", "count"),
    order="id",
)
_MEETINGS = Table("meetings", ("bot", "person", "first_at", "began_at", "last_at", "before_at"))


def read_all(connection: sqlite3.Connection) -> tuple[dict[str, Known], dict[str, int]]:
    """The cards of each bot, and how far it has read its history."""
    found: dict[str, Known] = {}
    for bot, fact in _FACTS.read(connection, _fact_of):
        facts = found.setdefault(bot, Known()).facts
        facts[fact.about] = (*facts.get(fact.about, ()), fact)
    for bot, person, meeting in _MEETINGS.read(connection, _meeting):
        found.setdefault(bot, Known()).meetings[person] = meeting
    read = connection.execute("SELECT bot, until FROM cards_read")
    return found, {bot: until for bot, until in read if until >= 0}


def store(connection: sqlite3.Connection, bot: str, change: Change, now: datetime) -> None:
    for correction in change.corrections:
        correct(connection, bot, correction, now)
    for person in change.gone:
        _MEETINGS.delete(connection, bot, person)
        _replace(connection, bot, of_person(person), ())
    for about, facts in change.facts.items():
        _replace(connection, bot, about, facts)
    for person, one in change.meetings.items():
        times = one.first_at, one.began_at, one.last_at, one.before_at
        _MEETINGS.put(connection, (bot, person, *map(microseconds_or_none, times)))
    connection.execute(
        "INSERT INTO cards_read (bot, until) VALUES (?, ?)"
        " ON CONFLICT DO UPDATE SET until = max(until, excluded.until)",
        (bot, change.until),
    )


def _replace(
    connection: sqlite3.Connection, bot: str, about: Subject, facts: Sequence[Fact]
) -> None:
    _FACTS.delete(connection, bot, *about)
    for one in facts:
        told = one.kind, one.words, microseconds(one.at), as_text(one.sources), one.said, one.count
        _FACTS.put(connection, (bot, *about, *told))


def _fact_of(row: Row) -> tuple[str, Fact]:
    bot, what, name, kind, words, at, sources, said, count = row
    if kind not in KINDS or what not in ("person", "place"):
        raise ValueError(f"{kind!r} of {what!r} is no kind of fact")
    about = Subject(what, name)
    return bot, Fact(about, kind, words, moment(at), from_text(sources), said, count)


def _meeting(row: Row) -> tuple[str, str, Meeting]:
    bot, person, *times, before_at = row
    first_at, began_at, last_at = map(moment, times)
    return bot, person, Meeting(first_at, began_at, last_at, moment_or_none(before_at))
