"""Talks on the disk: how one began and all that happened in it, so that it can be taken up again.

A talk is what happened in it: told the same happenings, the machine stands where it stood.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from bots.access.origin import Fellow, Operator, Origin, Person
from bots.clock import microseconds, moment
from bots.store.database import Store
from bots.store.rows import readable
from bots.talks.machine import codec
from bots.talks.machine.events import EndReason, Participant, TalkEvent
from bots.talks.machine.policy import Caps, TalkPolicy
from bridge.world import BotName, PlayerName


@dataclass(frozen=True, slots=True)
class Beginning:
    """How a talk began."""

    roster: tuple[Participant, ...]
    policy: TalkPolicy
    started_by: Origin
    began_at: datetime

    def as_text(self) -> str:
        values = {
            "roster": [asdict(one) for one in self.roster],
            "policy": asdict(self.policy),
            "started_by": _origin_as_json(self.started_by),
        }
        return json.dumps(values, ensure_ascii=True)


@dataclass(frozen=True, slots=True)
class Kept:
    """A talk that had not ended when the program did."""

    number: int
    beginning: Beginning
    record: tuple[tuple[TalkEvent, int], ...]
    """What happened, with its milliseconds since the beginning."""

    @property
    def last_ms(self) -> int:
        return self.record[-1][1] if self.record else 0


@dataclass(frozen=True, slots=True)
class TalkStore:
    """What talks are written to."""

    store: Store

    async def begin(self, beginning: Beginning) -> int:
        """Write down a beginning; the talk's number."""
        at, settings = microseconds(beginning.began_at), beginning.as_text()
        return await self.store.write(lambda connection: add_talk(connection, at, settings))

    async def happened(self, talk: int, at_ms: int, happening: TalkEvent) -> None:
        text = json.dumps(codec.as_json(happening), ensure_ascii=True)
        await self.store.write(lambda connection: add_moment(connection, talk, at_ms, text))

    async def ended(self, talk: int, why: EndReason) -> None:
        await self.store.write(lambda connection: end_talk(connection, talk, why))

    async def unended(self) -> list[Kept]:
        """The talks to take up again, oldest first."""
        rows = [(stored.id, stored) for stored in await self.store.read(open_talks)]
        return list(readable(rows, lambda row: _kept(row[1]), "talks"))


def _kept(stored: StoredTalk) -> Kept:
    settings = json.loads(stored.settings)
    beginning = Beginning(
        tuple(Participant(**one) for one in settings["roster"]),
        _policy(settings["policy"]),
        _origin(settings["started_by"]),
        moment(stored.began_at),
    )
    record = ((codec.happening_of(json.loads(text)), at_ms) for at_ms, text in stored.moments)
    return Kept(stored.id, beginning, tuple(record))


def _policy(values: Mapping[str, Any]) -> TalkPolicy:
    return TalkPolicy(**{**values, "caps": Caps(**values["caps"])})


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


@dataclass(frozen=True, slots=True)
class StoredTalk:
    """One row; `settings` and `moments` are JSON that `bots/talk/keeping.py` reads."""

    id: int
    began_at: int
    """Microseconds since 1970."""
    settings: str
    moments: tuple[tuple[int, str], ...] = ()
    """(milliseconds since it began, happening), in order."""


def add_talk(connection: sqlite3.Connection, began_at: int, settings: str) -> int:
    """Store that a talk began; its id."""
    added = connection.execute(
        "INSERT INTO talks (began_at, settings) VALUES (?, ?)", (began_at, settings)
    )
    assert added.lastrowid is not None
    return added.lastrowid


def add_moment(connection: sqlite3.Connection, talk: int, at_ms: int, happening: str) -> None:
    connection.execute(
        "INSERT INTO talk_moments (talk_id, at_ms, happening) VALUES (?, ?, ?)",
        (talk, at_ms, happening),
    )


def end_talk(connection: sqlite3.Connection, talk: int, why: str) -> None:
    """Store why it ended; what happened in it is in the histories and is kept here no longer."""
    connection.execute("UPDATE talks SET ended = ? WHERE id = ?", (why, talk))
    connection.execute("DELETE FROM talk_moments WHERE talk_id = ?", (talk,))


def open_talks(connection: sqlite3.Connection) -> list[StoredTalk]:
    """The talks that have not ended, oldest first."""
    rows = connection.execute(
        "SELECT id, began_at, settings FROM talks WHERE ended IS NULL ORDER BY id"
    ).fetchall()
    return [
        StoredTalk(number, began_at, settings, _moments(connection, number))
        for number, began_at, settings in rows
    ]


def _moments(connection: sqlite3.Connection, talk: int) -> tuple[tuple[int, str], ...]:
    rows = connection.execute(
        "SELECT at_ms, happening FROM talk_moments WHERE talk_id = ? ORDER BY id", (talk,)
    )
    return tuple((at_ms, happening) for at_ms, happening in rows)
