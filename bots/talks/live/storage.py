"""Talks in the database: how each began and every event since, so that a restart can resume it.

A machine that takes the same events again stands where it stood. Which bots see to which request
is kept beside the events, as it happens outside of the talk.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime

from pydantic import TypeAdapter

from bots.access.origin import Fellow, Operator, Origin, Person
from bots.clock import Sleep, microseconds, moment
from bots.errors import StoreUnwritable
from bots.store.database import Store
from bots.store.table import Row, readable
from bots.talks.machine.events import EndReason, Participant, TalkEvent, as_json, event_of
from bots.talks.machine.policy import TalkPolicy
from bridge.world import BotName, PlayerName

WRITE_AGAIN_S = 5.0
_PARTICIPANT, _POLICY = TypeAdapter(Participant), TypeAdapter(TalkPolicy)


@dataclass(frozen=True, slots=True)
class Beginning:
    """How a talk began."""

    roster: tuple[Participant, ...]
    policy: TalkPolicy
    started_by: Origin
    began_at: datetime


@dataclass(frozen=True, slots=True)
class UnendedTalk:
    """A talk that was under way when the program ended."""

    number: int
    beginning: Beginning
    record: tuple[tuple[TalkEvent, int], ...]
    """Its events, each with the milliseconds since the beginning."""
    seen_to: Mapping[int, tuple[str, ...]]
    """Of each request's utterance, the bots that see to it; oldest first."""

    @property
    def last_ms(self) -> int:
        return self.record[-1][1] if self.record else 0


@dataclass(frozen=True, slots=True)
class TalkStore:
    """Writes talks to the database and reads those that have not ended."""

    store: Store

    async def begin(self, beginning: Beginning) -> int:
        """Store a talk's beginning; returns its number."""
        return await self.store.write(lambda connection: _add_talk(connection, beginning))

    def record_of(self, talk: int) -> TalkRecord:
        return TalkRecord(self.store, talk)

    async def unended(self) -> list[UnendedTalk]:
        """The talks to resume, oldest first; damaged ones are left out with a warning."""
        rows = await self.store.read(_unended_rows)
        return list(readable(rows, _unended, "talks"))


class TalkRecord:
    """The events of one talk in the database, without gaps.

    On a full disk the talk goes on, and events wait for the next one that can be written. They
    are no more than the transcript, which is held anyway. A restart before that resumes the talk
    where the record ends."""

    def __init__(self, store: Store, talk: int) -> None:
        self._store, self._talk = store, talk
        self._unwritten: list[tuple[int, str]] = []
        self._unwritten_marks: list[tuple[int, str]] = []
        self._unwritten_end: EndReason | None = None

    async def add(self, at_ms: int, event: TalkEvent) -> None:
        """Store what the talk took in."""
        self._unwritten.append((at_ms, json.dumps(as_json(event), ensure_ascii=True)))
        await self._write()

    async def sees_to(self, utterance: int, bots: Iterable[str]) -> None:
        """Store which bots see to a request."""
        self._unwritten_marks += [(utterance, bot) for bot in bots]
        await self._write()

    async def _write(self) -> None:
        events, marks = tuple(self._unwritten), tuple(self._unwritten_marks)

        def add(connection: sqlite3.Connection) -> None:
            connection.executemany(
                "INSERT INTO talk_moments (talk_id, at_ms, happening) VALUES (?, ?, ?)",
                [(self._talk, at_ms, event) for at_ms, event in events],
            )
            connection.executemany(
                "INSERT OR IGNORE INTO talk_requests (talk_id, utterance, bot)"
                " SELECT id, ?, ? FROM talks WHERE id = ? AND ended IS NULL",
                [(utterance, bot, self._talk) for utterance, bot in marks],
            )

        with suppress(StoreUnwritable):  # the store has logged why
            await self._store.write(add)
            del self._unwritten[: len(events)]
            del self._unwritten_marks[: len(marks)]

    async def end(self, why: EndReason) -> None:
        """Store why it ended; its events are deleted, the histories of the bots have its lines."""
        self._unwritten_end = why
        with suppress(StoreUnwritable):
            await self._store.write(lambda connection: _end_talk(connection, self._talk, why))
            self._unwritten_end = None

    async def settle(self, sleep: Sleep) -> None:
        """Wait until the end is stored, else a restart would resume a talk that is over."""
        while self._unwritten_end is not None:
            await sleep(WRITE_AGAIN_S)
            await self.end(self._unwritten_end)


def _add_talk(connection: sqlite3.Connection, beginning: Beginning) -> int:
    values = {
        "roster": [asdict(one) for one in beginning.roster],
        "policy": asdict(beginning.policy),
        "started_by": _origin_as_json(beginning.started_by),
    }
    added = connection.execute(
        "INSERT INTO talks (began_at, settings) VALUES (?, ?)",
        (microseconds(beginning.began_at), json.dumps(values, ensure_ascii=True)),
    )
    assert added.lastrowid is not None
    return added.lastrowid


def _end_talk(connection: sqlite3.Connection, talk: int, why: str) -> None:
    connection.execute("UPDATE talks SET ended = ? WHERE id = ?", (why, talk))
    connection.execute("DELETE FROM talk_moments WHERE talk_id = ?", (talk,))
    connection.execute("DELETE FROM talk_requests WHERE talk_id = ?", (talk,))


def _unended_rows(connection: sqlite3.Connection) -> list[Row]:
    """Number, beginning in microseconds since 1970, settings, and of each talk the events, as
    (event, milliseconds), and the requests, as (utterance, bot)."""
    rows = connection.execute(
        "SELECT id, began_at, settings FROM talks WHERE ended IS NULL ORDER BY id"
    ).fetchall()
    events = "SELECT happening, at_ms FROM talk_moments WHERE talk_id = ? ORDER BY id"
    requests = "SELECT utterance, bot FROM talk_requests WHERE talk_id = ? ORDER BY utterance"
    parts = (events, requests)
    return [
        (*row, *(connection.execute(part, row[:1]).fetchall() for part in parts)) for row in rows
    ]


def _unended(row: Row) -> UnendedTalk:
    number, began_at_us, settings, events, requests = row
    record = tuple((event_of(json.loads(text)), at_ms) for text, at_ms in events)
    values = json.loads(settings)
    beginning = Beginning(
        tuple(map(_PARTICIPANT.validate_python, values["roster"])),
        _POLICY.validate_python(values["policy"]),
        _origin(values["started_by"]),
        moment(began_at_us),
    )
    seen_to = defaultdict[int, tuple[str, ...]](tuple)
    for utterance, bot in requests:
        seen_to[utterance] += (bot,)
    return UnendedTalk(number, beginning, record, dict(seen_to))


def _origin_as_json(origin: Origin) -> dict[str, str]:
    match origin:
        case Operator(via):
            return {"operator": via}
        case Person(name):
            return {"person": name}
        case Fellow(bot):
            return {"fellow": bot}


def _origin(values: Mapping[str, str]) -> Origin:
    if "person" in values:
        return Person(PlayerName(values["person"]))
    if "fellow" in values:
        return Fellow(BotName(values["fellow"]))
    return Operator("python")
