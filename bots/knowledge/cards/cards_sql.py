"""SQL of cards: the facts of each subject, the meetings, and how far a bot has read its history."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bots.access.sources import as_text, from_text
from bots.bot.knowing import Entry
from bots.clock import microseconds, moment
from bots.knowledge.cards.fact import KINDS, Fact, Meeting, Subject, of_person
from bots.knowledge.joining import correct
from bots.store.rows import Row, readable


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


def read_all(connection: sqlite3.Connection) -> tuple[dict[str, Known], dict[str, int]]:
    """The cards of each bot, and how far it has read its history."""
    found: dict[str, Known] = {}
    rows = connection.execute(
        "SELECT bot, about, name, kind, words, at, sources, said, count FROM card_facts ORDER BY id"
    )
    for bot, fact in readable(rows, _fact, "card_facts"):
        facts = found.setdefault(bot, Known()).facts
        facts[fact.about] = (*facts.get(fact.about, ()), fact)
    rows = connection.execute(
        "SELECT bot, person, first_at, began_at, last_at, before_at FROM meetings"
    )
    for bot, person, meeting in readable(rows, _meeting, "meetings"):
        found.setdefault(bot, Known()).meetings[person] = meeting
    read = connection.execute("SELECT bot, until FROM cards_read")
    return found, {bot: until for bot, until in read if until >= 0}


def store(connection: sqlite3.Connection, bot: str, change: Change, now: datetime) -> None:
    for correction in change.corrections:
        correct(connection, bot, correction, now)
    for person in change.gone:
        connection.execute("DELETE FROM meetings WHERE bot = ? AND person = ?", (bot, person))
        _replace(connection, bot, of_person(person), ())
    for about, facts in change.facts.items():
        _replace(connection, bot, about, facts)
    connection.executemany(
        "INSERT OR REPLACE INTO meetings (bot, person, first_at, began_at, last_at, before_at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        [(bot, person, *_times(one)) for person, one in change.meetings.items()],
    )
    connection.execute(
        "INSERT INTO cards_read (bot, until) VALUES (?, ?)"
        " ON CONFLICT DO UPDATE SET until = max(until, excluded.until)",
        (bot, change.until),
    )


def _replace(
    connection: sqlite3.Connection, bot: str, about: Subject, facts: Sequence[Fact]
) -> None:
    connection.execute(
        "DELETE FROM card_facts WHERE bot = ? AND about = ? AND name = ?", (bot, *about)
    )
    connection.executemany(
        "INSERT INTO card_facts (bot, about, name, kind, words, at, sources, said, count)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                *(bot, *about, one.kind, one.words, microseconds(one.at)),
                *(as_text(one.sources), one.said, one.count),
            )
            for one in facts
        ],
    )


def _fact(row: Row) -> tuple[str, Fact]:
    bot, what, name, kind, words, at, sources, said, count = row
    if kind not in KINDS or what not in ("person", "place"):
        raise ValueError(f"{kind!r} of {what!r} is no kind of fact")
    about = Subject(what, name)
    return bot, Fact(about, kind, words, moment(at), from_text(sources), said, count)


def _meeting(row: Row) -> tuple[str, str, Meeting]:
    bot, person, *times, before_at = row
    first_at, began_at, last_at = map(moment, times)
    before = None if before_at is None else moment(before_at)
    return bot, person, Meeting(first_at, began_at, last_at, before)


def _times(meeting: Meeting) -> tuple[int | None, ...]:
    times = (meeting.first_at, meeting.began_at, meeting.last_at, meeting.before_at)
    return tuple(None if at is None else microseconds(at) for at in times)
