"""SQL of the conversation log. It is append-only but for one fact: that a line was delivered."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import astuple, replace
from datetime import datetime, timedelta
from typing import Any

from bots.conversation.message import EPOCH, Content, Delivery, Message, Utterance
from bots.errors import StoreError

MICROSECOND = timedelta(microseconds=1)

_COLUMNS = (
    "id, speaker, content, kind, said_at, target, distance, max_distance, delivered, asked_by"
)


def add_utterance(connection: sqlite3.Connection, said: Utterance) -> Utterance:
    """Store an utterance and give it its id; the id it came with is ignored."""
    aim = said.delivery
    aimed = astuple(aim) if aim else (None,) * 5
    row = (said.speaker, encode(said.content), said.kind, _microseconds(said.said_at), *aimed)
    stored = connection.execute(
        "INSERT INTO utterances (speaker, content, kind, said_at,"
        " target, distance, max_distance, delivered, asked_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        row,
    )
    assert stored.lastrowid is not None
    return replace(said, id=stored.lastrowid)


def add_hearing(connection: sqlite3.Connection, message: Message) -> None:
    """Store that a bot heard an utterance; a second time is an IntegrityError."""
    connection.execute(
        "INSERT INTO hearings (bot, sequence, utterance_id, heard_at) VALUES (?, ?, ?, ?)",
        (message.bot, message.sequence, message.utterance.id, _microseconds(message.heard_at)),
    )


def mark_delivered(connection: sqlite3.Connection, utterance_id: int) -> Utterance:
    """Note that an aimed utterance arrived. Raises StoreError when there is no such utterance."""
    row = connection.execute(
        "UPDATE utterances SET delivered = iif(target IS NULL, NULL, 1)"
        f" WHERE id = ? RETURNING {_COLUMNS}",
        (utterance_id,),
    ).fetchone()
    if row is None:
        raise StoreError(f"there is no utterance {utterance_id}")
    return _utterance(row)


def newest_messages(connection: sqlite3.Connection, view: int) -> dict[str, list[Message]]:
    """Each known bot's newest `view` messages, oldest first."""
    return {bot: _messages_of(connection, bot, view) for bot in _bots(connection)}


def encode(content: Content) -> str:
    """The stored form of a content. Raises TypeError when an object is no JSON."""
    text = json.dumps(content, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair, which SQLite does not take
        return json.dumps(content)
    return text


def decode(stored: str) -> Content:
    content: Content = json.loads(stored)
    return content


def _bots(connection: sqlite3.Connection) -> Iterator[str]:
    # One index step a bot: DISTINCT would read every hearing there is.
    following = "SELECT min(bot) FROM hearings WHERE bot > ?"
    bot = connection.execute("SELECT min(bot) FROM hearings").fetchone()[0]
    while bot is not None:
        yield bot
        bot = connection.execute(following, (bot,)).fetchone()[0]


def _messages_of(connection: sqlite3.Connection, bot: str, view: int) -> list[Message]:
    rows = connection.execute(
        f"SELECT {_COLUMNS}, sequence, heard_at FROM hearings"
        " JOIN utterances ON utterances.id = utterance_id"
        " WHERE bot = ? ORDER BY sequence DESC LIMIT ?",
        (bot, view),
    ).fetchall()
    return [_message(bot, row) for row in reversed(rows)]


def _message(bot: str, row: tuple[Any, ...]) -> Message:
    *said, sequence, heard_at = row
    return Message(bot, sequence, _utterance(tuple(said)), _time(heard_at))


def _utterance(row: tuple[Any, ...]) -> Utterance:
    number, speaker, content, kind, said_at, target, distance, reach, delivered, asked_by = row
    aim = None
    if target is not None:
        aim = Delivery(target, distance, reach, bool(delivered), asked_by)
    return Utterance(number, speaker, decode(content), kind, _time(said_at), aim)


def _microseconds(at: datetime) -> int:
    return (at - EPOCH) // MICROSECOND


def _time(microseconds: int) -> datetime:
    return EPOCH + microseconds * MICROSECOND
