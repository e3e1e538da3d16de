"""SQL of recall: an index of the words of each hearing, and the lines around one.

A hearing has one number that says whose it is and where in the history it stands, so that the lines
of one bot, and those of a span of time, are a span of numbers:

    id = number of the bot × 2⁴⁰ + sequence

The index holds words and no lines; who said a line is one of its words. What it finds is read from
the history, so nothing is found that the bot did not hear.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import starmap
from typing import NamedTuple

from bots.access.origin import called
from bots.chat.conversation_sql import MESSAGE_COLUMNS, encode, message_of
from bots.chat.message import Circle, Message
from bots.clock import microseconds
from bots.store.rows import readable
from bots.text.search_words import words_of

SEQUENCES = 1 << 40  # of one bot; beyond, nothing is indexed
MOST_OF_A_WORD = 600  # lines with one word that are looked at, the newest
_LINE = """
    SELECT line.value, utterances.speaker, utterances.kind, utterances.sources,
        length(utterances.content),
        instr(utterances.content, '?') + instr(utterances.content, '？') > 0, hearings.heard_at
    FROM json_each(?) AS line
    CROSS JOIN hearings ON hearings.bot = ? AND hearings.sequence = line.value - ?
    CROSS JOIN utterances ON utterances.id = hearings.utterance_id
    WHERE utterances.delivered IS NOT 0
"""
_BESIDE = """
    SELECT id,
        (SELECT max(id) FROM recall_lines WHERE circle = line.circle AND id < line.id AND id > ?),
        (SELECT min(id) FROM recall_lines WHERE circle = line.circle AND id > line.id AND id < ?)
    FROM recall_lines AS line WHERE id IN (SELECT value FROM json_each(?))
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


class Line(NamedTuple):
    """What the order of results depends on."""

    id: int
    speaker: str
    kind: str
    sources: str | None
    length: int
    asks: bool
    heard_at: int
    """Microseconds since 1970."""


def enter(connection: sqlite3.Connection, message: Message) -> None:
    """Enter a hearing that is stored."""
    if message.sequence >= SEQUENCES:
        return
    id_ = _base(connection, message.bot) + message.sequence
    _enter(connection, id_, message)


def enter_older(connection: sqlite3.Connection, most: int) -> int:
    """Enter up to so many of the hearings that are not entered yet, newest first; how many are
    left to be looked at."""
    row = connection.execute(
        "SELECT number, bot, entered_after FROM recall_bots WHERE entered_after > 0 LIMIT 1"
    ).fetchone()
    if row is None:
        return 0
    number, bot, newest = row
    found = connection.execute(
        f"SELECT {MESSAGE_COLUMNS} FROM hearings"
        " JOIN utterances ON utterances.id = utterance_id"
        " WHERE bot = ? AND sequence <= ? ORDER BY sequence DESC LIMIT ?",
        (bot, newest, most),
    ).fetchall()
    found.reverse()
    for message in readable(found, lambda one: message_of(connection, bot, one), "utterances"):
        _enter(connection, number * SEQUENCES + message.sequence, message)
    left = 0 if len(found) < most else max(0, int(found[0][-2]) - 1)
    connection.execute("UPDATE recall_bots SET entered_after = ? WHERE bot = ?", (left, bot))
    total: int = connection.execute("SELECT sum(entered_after) FROM recall_bots").fetchone()[0]
    return total


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
    """The hearings within a time, and before a sequence; None when nothing is entered."""
    row = connection.execute("SELECT number FROM recall_bots WHERE bot = ?", (bot,)).fetchone()
    if row is None:
        return None
    base = row[0] * SEQUENCES
    newest = _newest(connection, bot)
    first = 1 if since is None else _first_at(connection, bot, microseconds(since), newest)
    end = newest + 1 if until is None else _first_at(connection, bot, microseconds(until), newest)
    end = end if before is None else min(end, before)
    return Span(bot, base, base + first, base + end)


def lines_with(
    connection: sqlite3.Connection, span: Span, word: str, speaker: str | None = None
) -> list[int]:
    """The newest lines that hold a word; with `speaker`, only this one's."""
    return lines_with_all(connection, span, [word], speaker)


def lines_with_all(
    connection: sqlite3.Connection, span: Span, words: Iterable[str], speaker: str | None = None
) -> list[int]:
    """The newest lines that hold all of these words."""
    asked = [*words, *([] if speaker is None else [speaker_word(speaker)])]
    return _found(connection, span, " AND ".join(f'"{word}"' for word in asked), MOST_OF_A_WORD)


def lines_by(connection: sqlite3.Connection, span: Span, speaker: str, most: int) -> list[int]:
    """The newest lines of a speaker."""
    return _found(connection, span, f'"{speaker_word(speaker)}"', most)


def speakers_among(connection: sqlite3.Connection, span: Span, names: Iterable[str]) -> set[str]:
    """Those of these names, case-blind, under which the bot has heard lines."""
    rows = connection.execute(
        "SELECT name FROM recall_speakers WHERE name IN (SELECT value FROM json_each(?))",
        (json.dumps(list(names)),),
    )
    return {name for (name,) in rows if lines_by(connection, span, name, 1)}


def newest_lines(connection: sqlite3.Connection, span: Span, most: int) -> list[int]:
    rows = connection.execute(
        "SELECT id FROM recall_lines WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT ?",
        (span.first, span.end, most),
    )
    return [row[0] for row in rows]


def details(connection: sqlite3.Connection, span: Span, ids: Iterable[int]) -> Iterator[Line]:
    """The lines of these numbers, in no order; without what a bot said and nobody heard."""
    rows = connection.execute(_LINE, (json.dumps(list(ids)), span.bot, span.base))
    return starmap(Line, rows)


def beside(
    connection: sqlite3.Connection, span: Span, ids: Iterable[int]
) -> list[tuple[int, int | None, int | None]]:
    """Each of these numbers, with those of the lines before and after it in its conversation."""
    bounds = (span.base, span.base + SEQUENCES)
    return connection.execute(_BESIDE, (*bounds, json.dumps(list(ids)))).fetchall()


def messages(connection: sqlite3.Connection, span: Span, ids: Sequence[int]) -> list[Message]:
    """The messages of these numbers, in their order; damaged ones are left out."""
    rows = connection.execute(
        f"SELECT {MESSAGE_COLUMNS} FROM hearings JOIN utterances ON utterances.id = utterance_id"
        " WHERE bot = ? AND sequence IN (SELECT value FROM json_each(?))",
        (span.bot, json.dumps([one - span.base for one in ids])),
    ).fetchall()
    read = readable(rows, lambda row: message_of(connection, span.bot, row), "utterances")
    by_sequence = {message.sequence: message for message in read}
    return [by_sequence[one - span.base] for one in ids if one - span.base in by_sequence]


def speaker_word(speaker: str) -> str:
    """The word that stands for whoever said a line; no line can hold it."""
    return "§" + "".join(map(str, _key_of(speaker).encode("utf-8", "replace")))


def _found(connection: sqlite3.Connection, span: Span, asked: str, most: int) -> list[int]:
    rows = connection.execute(
        "SELECT rowid FROM recall_index WHERE recall_index MATCH ? AND rowid >= ? AND rowid < ?"
        " ORDER BY rowid DESC LIMIT ?",
        (asked, span.first, span.end, most),
    )
    return [row[0] for row in rows]


def _enter(connection: sqlite3.Connection, id_: int, message: Message) -> None:
    said = message.utterance
    text = said.content if isinstance(said.content, str) else encode(said.content)
    words = " ".join([*words_of(text), speaker_word(said.speaker)])
    connection.execute(
        "INSERT OR REPLACE INTO recall_lines (id, circle) VALUES (?, ?)",
        (id_, _text_of(message.circle)),
    )
    connection.execute(
        "INSERT OR IGNORE INTO recall_speakers (name) VALUES (?)", (_key_of(said.speaker),)
    )
    connection.execute("INSERT INTO recall_index (rowid, words) VALUES (?, ?)", (id_, words))


def _base(connection: sqlite3.Connection, bot: str) -> int:
    row = connection.execute("SELECT number FROM recall_bots WHERE bot = ?", (bot,)).fetchone()
    if row is None:
        row = connection.execute(
            "INSERT INTO recall_bots (bot, entered_after) VALUES (?, 0) RETURNING number", (bot,)
        ).fetchone()
    number: int = row[0]
    return number * SEQUENCES


def _newest(connection: sqlite3.Connection, bot: str) -> int:
    query = "SELECT coalesce(max(sequence), 0) FROM hearings WHERE bot = ? AND sequence < ?"
    newest: int = connection.execute(query, (bot, SEQUENCES)).fetchone()[0]
    return newest


def _first_at(connection: sqlite3.Connection, bot: str, at: int, newest: int) -> int:
    """The first sequence that was heard at this time or later. They are in the order of time, but
    for clocks that were set back."""
    low, high = 1, newest + 1
    while low < high:
        middle = (low + high) // 2
        row = connection.execute(
            "SELECT sequence, heard_at FROM hearings WHERE bot = ? AND sequence >= ?"
            " ORDER BY sequence LIMIT 1",
            (bot, middle),
        ).fetchone()
        if row is None or row[1] >= at:
            high = middle
        else:
            low = row[0] + 1
    return low


def _text_of(circle: Circle) -> str:
    return json.dumps(circle, ensure_ascii=False)


def _key_of(speaker: str) -> str:
    return called(speaker).casefold()
