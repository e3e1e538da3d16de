"""SQL of recall: an index of the words of each hearing, and the lines around one.

A hearing has one number that says whose it is and where in the history it stands, so that the lines
of one bot, and those of a span of time, are a span of numbers:

    id = number of the bot × 2⁴⁰ + sequence

The index has the same numbers below zero: what is found first is the newest.

The index holds words and no lines; who said a line is one of its words. What it finds is read from
the history, so nothing is found that the bot did not hear.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import starmap
from typing import NamedTuple

from bots.access.origin import called
from bots.chat.conversation_sql import MESSAGE_COLUMNS, encode, message_of, messages_of
from bots.chat.message import Circle, Message, Utterance
from bots.clock import microseconds
from bots.text.search_words import words_of
from bots.text.spelling import spelt

SEQUENCES = 1 << 40  # of one bot; beyond, nothing is indexed
EPISODE_WORD = "§episode"
"""The word that all episodes have, and no line."""
MOST_OF_A_WORD = 64  # lines with one word that are looked at, the newest
_LINE = """
    SELECT line.id, speaker, kind, sources, asks, heard_at, asked_by
    FROM recall_lines AS line CROSS JOIN utterances ON utterances.id = utterance_id
    WHERE line.id IN ({}) AND delivered IS NOT 0
"""
_BESIDE = """
    SELECT line.id,
        (SELECT group_concat(id) FROM (
            SELECT id FROM recall_lines WHERE circle = line.circle AND id < line.id AND id > :first
            ORDER BY id DESC LIMIT :most)),
        (SELECT group_concat(id) FROM (
            SELECT id FROM recall_lines WHERE circle = line.circle AND id > line.id AND id < :end
            ORDER BY id LIMIT :most))
    FROM json_each(:ids) AS asked CROSS JOIN recall_lines AS line ON line.id = asked.value
"""


@dataclass(frozen=True, slots=True)
class Span:
    """Hearings of one bot that follow one another."""

    bot: str
    base: int
    first: int
    """The lowest id that counts."""
    end: int
    """The lowest id that does not count any more."""

    def __contains__(self, id_: int) -> bool:
        return self.first <= id_ < self.end


class Line(NamedTuple):
    """What the order of results depends on."""

    id: int
    speaker: str
    kind: str
    sources: str
    asks: bool
    heard_at: int
    """Microseconds since 1970."""
    asked_by: str | None
    """Whom an episode was for."""


def enter(connection: sqlite3.Connection, message: Message) -> None:
    """Enter a hearing that is stored."""
    if message.sequence >= SEQUENCES:
        return
    number, said = _number_of(connection, message.bot), message.utterance
    id_ = number * SEQUENCES + message.sequence
    text = " ".join(said.told) or encode(said.content)
    words = " ".join([*words_of(text), speaker_word(said.speaker), *_words_of_episode(said)])
    asks, heard_at = "?" in text or "？" in text, microseconds(message.heard_at)
    connection.execute(
        "INSERT OR REPLACE INTO recall_lines (id, utterance_id, circle, asks, heard_at)"
        " VALUES (?, ?, ?, ?, ?)",
        (id_, said.id, _text_of(message.circle), asks, heard_at),
    )
    for name in {called(said.speaker), called(said.asked_by or said.speaker)}:
        connection.execute(
            "INSERT OR IGNORE INTO recall_speakers (number, folded, name) VALUES (?, ?, ?)",
            (number, name.casefold(), name),
        )
    connection.execute("INSERT INTO recall_index (rowid, words) VALUES (?, ?)", (-id_, words))


def moved(connection: sqlite3.Connection, utterance_id: int) -> None:
    """Note that an utterance belongs to another conversation by now."""
    rows = connection.execute(
        f"SELECT number, hearings.bot, {MESSAGE_COLUMNS} FROM hearings"
        " JOIN utterances ON utterances.id = utterance_id"
        " JOIN recall_bots ON recall_bots.bot = hearings.bot WHERE utterance_id = ?",
        (utterance_id,),
    ).fetchall()
    for number, bot, *row in rows:
        message = message_of(connection, bot, tuple(row))
        connection.execute(
            "UPDATE recall_lines SET circle = ? WHERE id = ?",
            (_text_of(message.circle), number * SEQUENCES + message.sequence),
        )


def span_of(
    connection: sqlite3.Connection,
    bot: str,
    *,
    since: datetime | None = None,
    until: datetime | None = None,
    before: int | None = None,
) -> Span | None:
    """Hearings before a sequence, among them all those within a time; None when nothing is
    entered. A clock that was set back leaves others among them."""
    row = connection.execute("SELECT number FROM recall_bots WHERE bot = ?", (bot,)).fetchone()
    if row is None:
        return None
    base = row[0] * SEQUENCES
    query = "SELECT coalesce(max(sequence), 0) FROM hearings WHERE bot = ? AND sequence < ?"
    newest: int = connection.execute(query, (bot, SEQUENCES)).fetchone()[0]
    first = 1 if since is None else _first_since(connection, bot, since, newest)
    end = newest + 1 if until is None else _end_before(connection, bot, until)
    end = end if before is None else min(end, before)
    return Span(bot, base, base + first, base + end)


def narrowed(connection: sqlite3.Connection, span: Span, since: datetime, until: datetime) -> Span:
    """The part of these hearings in which all those within a time lie."""
    newest = span.end - span.base - 1
    first = span.base + _first_since(connection, span.bot, since, newest)
    end = span.base + _end_before(connection, span.bot, until)
    return Span(span.bot, span.base, max(first, span.first), min(end, span.end))


def lines_with(connection: sqlite3.Connection, span: Span, *groups: Collection[str]) -> list[int]:
    """The newest lines that hold a word of each of these groups."""
    if not all(groups):
        return []
    either = (" OR ".join(f'"{word}"' for word in words) for words in groups)
    rows = connection.execute(
        "SELECT -rowid FROM recall_index WHERE recall_index MATCH ? AND rowid > ? AND rowid <= ?"
        " ORDER BY rowid LIMIT ?",
        (" AND ".join(f"({words})" for words in either), -span.end, -span.first, MOST_OF_A_WORD),
    )
    return [row[0] for row in rows]


def all_lines_with(
    connection: sqlite3.Connection, span: Span, *groups: Collection[str]
) -> Iterator[list[int]]:
    """All lines that hold a word of each of these groups, the newest first, some at once."""
    while some := lines_with(connection, span, *groups):
        yield some
        span = replace(span, end=some[-1])


def all_lines(connection: sqlite3.Connection, span: Span) -> Iterator[list[int]]:
    """The newest first, some at once."""
    query = "SELECT id FROM recall_lines WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT ?"
    end = span.end
    while rows := connection.execute(query, (span.first, end, MOST_OF_A_WORD)).fetchall():
        yield [row[0] for row in rows]
        end = rows[-1][0]


def speakers_called(connection: sqlite3.Connection, span: Span, names: Iterable[str]) -> set[str]:
    """Those whom the bot has heard and whom these names mean: by the exact name, else the only one
    who is called so in another case."""
    asked = [called(name) for name in names]
    rows = connection.execute(
        "SELECT name FROM recall_speakers"
        " WHERE number = ? AND folded IN (SELECT value FROM json_each(?))",
        (span.base // SEQUENCES, json.dumps([name.casefold() for name in asked])),
    )
    known = [name for (name,) in rows]
    return {found for name in asked if (found := spelt(name, known)) is not None}


def details(connection: sqlite3.Connection, ids: Iterable[int]) -> Iterator[Line]:
    """The lines of these numbers, in no order; without what a bot said and nobody heard."""
    numbers = [*ids]  # filled up to one of few lengths, so that few statements are prepared
    asked = [*numbers, *[None] * (-len(numbers) % 32)]
    return starmap(Line, connection.execute(_LINE.format(", ".join("?" * len(asked))), asked))


def beside(
    connection: sqlite3.Connection, span: Span, ids: Iterable[int], most: int
) -> Iterator[tuple[int, list[int], list[int]]]:
    """Each of these numbers, with those of so many lines before and after it in its conversation,
    the nearest first."""
    bounds = {"first": span.base, "end": span.base + SEQUENCES, "most": most}
    rows = connection.execute(_BESIDE, {**bounds, "ids": json.dumps(list(ids))})
    return ((id_, _numbers(before), _numbers(after)) for id_, before, after in rows)


def messages(connection: sqlite3.Connection, span: Span, ids: Sequence[int]) -> list[Message]:
    """The messages of these numbers, in their order; damaged ones are left out."""
    sequences = json.dumps([one - span.base for one in ids])
    which = "sequence IN (SELECT value FROM json_each(?))"
    read = messages_of(connection, span.bot, which, sequences)
    by_sequence = {message.sequence: message for message in read}
    return [by_sequence[one - span.base] for one in ids if one - span.base in by_sequence]


def speaker_word(speaker: str) -> str:
    """The word that stands for whoever said a line; no line can hold it.

    It is the same for names that differ in case alone."""
    return "§" + "".join(map(str, called(speaker).casefold().encode("utf-8", "replace")))


def _words_of_episode(said: Utterance) -> Iterator[str]:
    """An episode is found by whom it was for as by who did it."""
    if said.kind == "episode":
        yield EPISODE_WORD
        if said.asked_by is not None:
            yield speaker_word(said.asked_by)


def _number_of(connection: sqlite3.Connection, bot: str) -> int:
    row = connection.execute("SELECT number FROM recall_bots WHERE bot = ?", (bot,)).fetchone()
    if row is None:
        row = connection.execute(
            "INSERT INTO recall_bots (bot) VALUES (?) RETURNING number", (bot,)
        ).fetchone()
    number: int = row[0]
    return number


def _first_since(connection: sqlite3.Connection, bot: str, at: datetime, newest: int) -> int:
    """The first sequence heard at this time or later, wherever clocks were set back."""
    row = connection.execute(
        "SELECT sequence FROM hearings WHERE bot = ? AND heard_at >= ? ORDER BY sequence LIMIT 1",
        (bot, microseconds(at)),
    ).fetchone()
    return newest + 1 if row is None else int(row[0])


def _end_before(connection: sqlite3.Connection, bot: str, at: datetime) -> int:
    """The sequence after the last one heard before this time."""
    row = connection.execute(
        "SELECT sequence FROM hearings WHERE bot = ? AND heard_at < ?"
        " ORDER BY sequence DESC LIMIT 1",
        (bot, microseconds(at)),
    ).fetchone()
    return 1 if row is None else int(row[0]) + 1


def _text_of(circle: Circle) -> str:
    return json.dumps(circle, ensure_ascii=False)


def _numbers(joined: str | None) -> list[int]:
    return [int(one) for one in joined.split(",")] if joined else []
