"""Entries as rows of the database, with their tags, links and words."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import replace

from bots.access.sources import as_text, from_text
from bots.bot.knowing import TAG_KINDS, TYPES, Entry, Tag
from bots.clock import microseconds, microseconds_or_none, moment, moment_or_none
from bots.store.table import Row, readable
from bots.text.search_words import words_of

COLUMNS = """
    knowledge.id, type, topic, insight, context, learnt_from, speaker, utterance, sources, always,
    situations, confidence, used, used_at, made_at, updated_at, expires_at,
    (SELECT json_group_array(json_array(kind, name)) FROM knowledge_tags
        WHERE knowledge_tags.id = knowledge.id),
    (SELECT json_group_array(refers_to) FROM knowledge_links
        WHERE knowledge_links.id = knowledge.id)
"""
_WRITTEN = (
    *("bot", "type", "topic", "insight", "context", "learnt_from", "speaker", "utterance"),
    *("level", "sources", "always", "situations", "confidence", "used", "used_at"),
    *("made_at", "updated_at", "expires_at", "same_as"),
)


def entry_of(row: Row) -> Entry:
    """Raises one of `UNREADABLE` for a damaged row."""
    id_, type_, topic, insight, context, learnt_from, speaker, utterance, sources, *rest = row
    always, situations, confidence, used, used_at, made_at, updated_at, expires_at, *many = rest
    tags, links = map(json.loads, many)
    if type_ not in TYPES or learnt_from not in ("told", "seen", "concluded"):
        raise ValueError(f"{type_!r}, {learnt_from!r}: no such kind of entry")
    return Entry(
        insight,
        from_text(sources),
        type_,
        topic,
        context,
        frozenset(Tag(kind, name) for kind, name in tags if kind in TAG_KINDS),
        frozenset(map(str, json.loads(situations))),
        bool(always),
        learnt_from,
        speaker,
        utterance,
        confidence,
        frozenset(links),
        moment_or_none(expires_at),
        id_,
        moment(made_at),
        moment(updated_at),
        used,
        moment_or_none(used_at),
    )


def entries(
    connection: sqlite3.Connection, bot: str, which: str = "1", *values: object
) -> list[Entry]:
    """Those of a bot of which a condition holds, the oldest first."""
    found = connection.execute(
        f"SELECT {COLUMNS} FROM knowledge WHERE bot = ? AND {which} ORDER BY id", (bot, *values)
    )
    return list(readable(found, entry_of, "knowledge"))


def numbered(connection: sqlite3.Connection, bot: str, ids: Iterable[int]) -> list[Entry]:
    """Those of these numbers that there are."""
    which = "knowledge.id IN (SELECT value FROM json_each(?))"
    return entries(connection, bot, which, json.dumps(list(ids)))


def told_before(connection: sqlite3.Connection, bot: str, entry: Entry) -> Entry | None:
    """What the same one told in the same words."""
    which = "speaker = ? AND same_as = ?"
    found = entries(connection, bot, which, entry.speaker, words_that_count(entry))
    return next((one for one in found if identity_of(one) == identity_of(entry)), None)


def identity_of(entry: Entry) -> tuple[object, ...]:
    """Who says what: the same in two entries makes them one. Another's words are another claim."""
    return entry.speaker, entry.sources.origins, entry.learnt_from, words_that_count(entry)


def insert(connection: sqlite3.Connection, bot: str, entry: Entry) -> Entry:
    """As a new one, with a number of its own."""
    marks = ", ".join("?" * len(_WRITTEN))
    row = connection.execute(
        f"INSERT INTO knowledge ({', '.join(_WRITTEN)}) VALUES ({marks}) RETURNING id",
        _values(bot, entry),
    ).fetchone()
    stored = replace(entry, id=row[0])
    _write_parts(connection, bot, stored)
    return stored


def overwrite(connection: sqlite3.Connection, bot: str, entry: Entry) -> bool:
    """Whether there was one of this number."""
    fields = ", ".join(f"{name} = ?" for name in _WRITTEN)
    done = connection.execute(
        f"UPDATE knowledge SET {fields} WHERE id = ? AND bot = ?",
        (*_values(bot, entry), entry.id, bot),
    )
    if done.rowcount:
        _write_parts(connection, bot, entry)
    return bool(done.rowcount)


def delete(connection: sqlite3.Connection, ids: Iterable[int]) -> int:
    """How many there were."""
    numbers = json.dumps(list(ids))
    which = "(SELECT value FROM json_each(?))"
    connection.execute(f"DELETE FROM knowledge_index WHERE rowid IN {which}", (numbers,))
    return connection.execute(f"DELETE FROM knowledge WHERE id IN {which}", (numbers,)).rowcount


def words_that_count(entry: Entry) -> str:
    """The words by which a second words is known: signs, case and width do not count."""
    return " ".join(words_of(f"{entry.topic} {entry.insight}"))


def _write_parts(connection: sqlite3.Connection, bot: str, entry: Entry) -> None:
    """Tags, links to entries that there are, and the words it is found by."""
    for table in ("knowledge_tags", "knowledge_links"):
        connection.execute(f"DELETE FROM {table} WHERE id = ?", (entry.id,))
    connection.execute("DELETE FROM knowledge_index WHERE rowid = ?", (entry.id,))
    connection.executemany(
        "INSERT OR IGNORE INTO knowledge_tags (id, kind, name) VALUES (?, ?, ?)",
        [(entry.id, *one) for one in entry.tags],
    )
    connection.execute(
        "INSERT INTO knowledge_links (id, refers_to)"
        " SELECT ?, id FROM knowledge WHERE bot = ? AND id IN (SELECT value FROM json_each(?))",
        (entry.id, bot, json.dumps(sorted(entry.links - {entry.id}))),
    )
    names = " ".join(one.name.replace("_", " ") for one in entry.tags)
    words = words_of(" ".join([entry.topic, entry.insight, names, entry.context]))
    connection.execute(
        "INSERT INTO knowledge_index (rowid, words) VALUES (?, ?)", (entry.id, " ".join(words))
    )


def _values(bot: str, entry: Entry) -> tuple[object, ...]:
    assert entry.made_at is not None, "the store knows when"
    assert entry.updated_at is not None, "and when it was told again"
    return (
        *(bot, entry.type, entry.topic, entry.insight, entry.context, entry.learnt_from),
        *(entry.speaker, entry.utterance, int(entry.level), as_text(entry.sources)),
        *(int(entry.always), json.dumps(sorted(entry.situations)), entry.confidence, entry.used),
        microseconds_or_none(entry.used_at),
        *(microseconds(entry.made_at), microseconds(entry.updated_at)),
        *(microseconds_or_none(entry.expires_at), words_that_count(entry)),
    )
