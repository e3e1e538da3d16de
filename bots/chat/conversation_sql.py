"""SQL of the histories: append-only, but for the note that a line was delivered.

A line to one player keeps its delivery in its own row; a line to several has a row for each
hearer in `deliveries`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from bots.access.sources import Sources, as_text, from_text
from bots.chat.message import (
    AnyDelivery,
    Content,
    Delivery,
    GroupDelivery,
    Hearer,
    Message,
    PublicDelivery,
    Utterance,
)
from bots.clock import microseconds, moment
from bots.errors import StoreError
from bots.store.table import readable

HIGHEST_SEQUENCE = 2**53  # exact in every program; the next one must fit the database too
_AIM = ("audience", "volume", "target", "distance", "max_distance", "delivered")
_COLUMNS = ", ".join(
    ("id", "speaker", "content", "kind", "said_at", *_AIM, "refused", "asked_by", "sources", "talk")
)
MESSAGE_COLUMNS = f"{_COLUMNS}, sequence, heard_at"
"""What `message_of` reads, of hearings joined with utterances."""


def add_utterance(connection: sqlite3.Connection, said: Utterance) -> Utterance:
    """Store an utterance and give it its id; the id it came with is ignored."""
    row = (said.speaker, encode(said.content), said.kind, microseconds(said.said_at))
    stored = connection.execute(
        f"INSERT INTO utterances (speaker, content, kind, said_at, {', '.join(_AIM)}, asked_by,"
        " sources, talk) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*row, *_aim_row(said.delivery), said.asked_by, as_text(said.sources), said.talk),
    )
    assert stored.lastrowid is not None
    if isinstance(said.delivery, GroupDelivery | PublicDelivery):
        connection.executemany(
            "INSERT INTO deliveries (utterance_id, hearer, distance, delivered)"
            " VALUES (?, ?, ?, ?)",
            [(stored.lastrowid, h.name, h.distance, h.delivered) for h in said.delivery.hearers],
        )
    return replace(said, id=stored.lastrowid)


def add_hearing(connection: sqlite3.Connection, message: Message) -> None:
    """Store that a bot heard an utterance; a second time is an IntegrityError."""
    connection.execute(
        "INSERT INTO hearings (bot, sequence, utterance_id, heard_at) VALUES (?, ?, ?, ?)",
        (message.bot, message.sequence, message.utterance.id, microseconds(message.heard_at)),
    )


def mark_delivered(connection: sqlite3.Connection, utterance_id: int, hearer: str) -> Utterance:
    """Note that an aimed utterance reached a hearer. Raises StoreError when it does not exist."""
    connection.execute(
        "UPDATE deliveries SET delivered = 1 WHERE utterance_id = ? AND hearer = ?",
        (utterance_id, hearer),
    )
    change = "delivered = iif(target = ?, 1, delivered)"
    return _changed(connection, utterance_id, change, hearer)


def mark_sent(connection: sqlite3.Connection, utterance_id: int) -> Utterance:
    """Note that a public line has left. Raises StoreError when there is no such utterance."""
    change = "delivered = iif(audience = 'public', 1, delivered)"
    return _changed(connection, utterance_id, change)


def mark_refused(
    connection: sqlite3.Connection, utterance_id: int, hearer: str | None, words: str
) -> Utterance:
    """Note that the server refused to carry it to a hearer, or to the public. Raises StoreError
    when it does not exist."""
    connection.execute(
        "UPDATE deliveries SET delivered = 0, refused = ? WHERE utterance_id = ? AND hearer = ?",
        (words, utterance_id, hearer),
    )
    which, value = ("audience", "public") if hearer is None else ("target", hearer)
    change = f"delivered = iif({which} = ?, 0, delivered), refused = iif({which} = ?, ?, refused)"
    return _changed(connection, utterance_id, change, value, value, words)


def mark_of_talk(
    connection: sqlite3.Connection, utterance_id: int, talk: int, sources: Sources
) -> Utterance:
    """Note that a line was said to a talk. Raises StoreError when it does not exist."""
    return _changed(connection, utterance_id, "talk = ?, sources = ?", talk, as_text(sources))


def _changed(
    connection: sqlite3.Connection, utterance_id: int, change: str, *values: str | int
) -> Utterance:
    row = connection.execute(
        f"UPDATE utterances SET {change} WHERE id = ? RETURNING {_COLUMNS}",
        (*values, utterance_id),
    ).fetchone()
    if row is None:
        raise StoreError(f"there is no utterance {utterance_id}")
    return _utterance(connection, row)


def drop_hearings_of_nothing(connection: sqlite3.Connection) -> None:
    """Drop what is left of the newest lines where somebody has deleted them by hand: the next
    lines get their numbers again, and would be taken for lines that were heard before."""
    newest = "(SELECT coalesce(max(id), 0) FROM utterances)"
    for table in ("hearings", "deliveries"):
        connection.execute(f"DELETE FROM {table} WHERE utterance_id > {newest}")


def given_sequences(connection: sqlite3.Connection) -> dict[str, int]:
    """The highest sequence of each bot, also where that line is damaged and not shown."""
    highest = "SELECT coalesce(max(sequence), 0) FROM hearings WHERE bot = ? AND sequence < ?"
    return {
        bot: connection.execute(highest, (bot, HIGHEST_SEQUENCE)).fetchone()[0]
        for bot in _bots(connection)
    }


def messages_before(
    connection: sqlite3.Connection, bot: str, before: int, most: int
) -> list[Message]:
    """So many of the messages before this sequence, the newest first."""
    which = "sequence < ? ORDER BY sequence DESC LIMIT ?"
    return messages_of(connection, bot, which, before, most)


def messages_after(
    connection: sqlite3.Connection, bot: str, after: int, most: int
) -> list[Message]:
    """So many of the messages after this sequence, the oldest first."""
    which = "sequence > ? ORDER BY sequence LIMIT ?"
    return messages_of(connection, bot, which, after, most)


def newest_messages(connection: sqlite3.Connection, view: int) -> dict[str, list[Message]]:
    """Each known bot's newest `view` messages, oldest first, without small talk and episodes."""
    which = "kind NOT IN ('small_talk', 'episode') ORDER BY sequence DESC LIMIT ?"
    return {bot: messages_of(connection, bot, which, view)[::-1] for bot in _bots(connection)}


def messages_of(
    connection: sqlite3.Connection, bot: str, which: str, *values: object
) -> list[Message]:
    """Those of a bot that fulfil a condition; damaged ones are left out."""
    rows = connection.execute(
        f"SELECT {MESSAGE_COLUMNS} FROM hearings JOIN utterances ON utterances.id = utterance_id"
        f" WHERE bot = ? AND {which}",
        (bot, *values),
    ).fetchall()
    return list(readable(rows, lambda row: message_of(connection, bot, row), "utterances"))


def message_of(connection: sqlite3.Connection, bot: str, row: tuple[Any, ...]) -> Message:
    """A row of `MESSAGE_COLUMNS`. Raises ValueError for a damaged one."""
    *said, sequence, heard_at = row
    if not 0 < sequence < HIGHEST_SEQUENCE:
        raise ValueError(f"no bot has heard {sequence} messages")
    return Message(bot, sequence, _utterance(connection, tuple(said)), moment(heard_at))


def encode(content: Content) -> str:
    """The stored form of a content. Raises TypeError when an object is no JSON."""
    text = json.dumps(content, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair, which SQLite does not take
        return json.dumps(content)
    return text


def decode(stored: str) -> Content:
    content = json.loads(stored)
    if not isinstance(content, str | dict):
        raise ValueError(f"neither words nor an object: {stored[:40]}")
    return content


def _bots(connection: sqlite3.Connection) -> Iterator[str]:
    # One index step a bot: DISTINCT would read every hearing there is.
    following = "SELECT min(bot) FROM hearings WHERE bot > ?"
    bot = connection.execute("SELECT min(bot) FROM hearings").fetchone()[0]
    while bot is not None:
        yield bot
        bot = connection.execute(following, (bot,)).fetchone()[0]


def _utterance(connection: sqlite3.Connection, row: tuple[Any, ...]) -> Utterance:
    number, speaker, content, kind, said_at, *aim, asked_by, sources, talk = row
    return Utterance(
        number,
        speaker,
        decode(content),
        kind,
        moment(said_at),
        _delivery(connection, number, *aim),
        asked_by,
        from_text(sources),
        talk,
    )


def _aim_row(aim: AnyDelivery | None) -> tuple[Any, ...]:
    """The values of `_AIM`."""
    match aim:
        case Delivery():
            return (None, None, aim.target, aim.distance, aim.max_distance, aim.delivered)
        case GroupDelivery():
            return ("all", aim.volume, None, None, aim.max_distance, None)
        case PublicDelivery():
            return ("public", None, None, None, None, aim.delivered)
        case None:
            return (None,) * len(_AIM)


def _delivery(
    connection: sqlite3.Connection,
    number: int,
    audience: str | None,
    volume: Any,
    target: str | None,
    distance: float | None,
    max_distance: Any,
    delivered: int | None,
    refused: str | None,
) -> AnyDelivery | None:
    if audience == "all":
        return GroupDelivery(volume, max_distance, _hearers(connection, number))
    if audience == "public":
        return PublicDelivery(bool(delivered), _hearers(connection, number), refused or "")
    if target is not None:
        return Delivery(target, distance, max_distance, bool(delivered), refused or "")
    return None


def _hearers(connection: sqlite3.Connection, number: int) -> tuple[Hearer, ...]:
    rows = connection.execute(
        "SELECT hearer, distance, delivered, refused FROM deliveries WHERE utterance_id = ?"
        " ORDER BY distance NULLS LAST, hearer",
        (number,),
    )
    return tuple(
        Hearer(name, distance, bool(delivered), refused or "")
        for name, distance, delivered, refused in rows
    )
