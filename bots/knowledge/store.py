"""The knowledge of each bot, stored in SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from bots.access.origin import Level, Origin
from bots.access.sources import LevelOf, Sources, as_proven
from bots.bot.knowing import (
    LONGEST,
    LONGEST_TOPIC,
    Entry,
    Found,
    KnowledgeType,
    MayForget,
    Wanted,
)
from bots.clock import Clock, microseconds
from bots.knowledge import joining, rows
from bots.knowledge.retrieval import keep_bounds, retrieve
from bots.store.database import Store
from bots.text.printable import excerpt


class BotKnowledge:
    """What one bot knows; a `Knowledge`."""

    def __init__(self, bot: str, store: Store, clock: Clock, level_of: LevelOf) -> None:
        self._bot, self._store, self._clock = bot, store, clock
        self._level_of = level_of

    async def add(self, entry: Entry) -> Entry:
        wanted, now = _trimmed(entry), self._clock()
        return await self._store.write(lambda db: joining.add(db, self._bot, wanted, now))

    async def learn(self, entry: Entry, instead_of: Collection[KnowledgeType]) -> Entry:
        wanted, now = _trimmed(entry), self._clock()
        return await self._store.write(
            lambda db: joining.learn(db, self._bot, wanted, now, instead_of)
        )

    async def correct(self, entry: Entry) -> Entry:
        wanted, now = _trimmed(entry), self._clock()
        return await self._store.write(lambda db: joining.correct(db, self._bot, wanted, now))

    async def update(self, entry: Entry) -> Entry | None:
        newer = replace(_trimmed(entry), updated_at=self._clock())
        done = await self._store.write(lambda db: rows.overwrite(db, self._bot, newer))
        return newer if done else None

    async def search(self, wanted: Wanted) -> Sequence[Found]:
        return await self._retrieve(replace(wanted, depth=0), browses=True)

    async def relevant(self, wanted: Wanted) -> Sequence[Found]:
        return await self._retrieve(wanted, browses=False)

    async def mark_used(self, ids: Iterable[int]) -> None:
        used, now = sorted(set(ids)), self._clock()
        if used:
            change = partial(_mark_used, bot=self._bot, ids=used, now=now)
            await self._store.keep(change, patient=True)

    async def forget(self, ids: Iterable[int], may_forget: MayForget) -> Sequence[Entry]:
        wanted = list(ids)
        return await self._store.write(
            lambda db: _forget(db, rows.numbered(db, self._bot, wanted), may_forget)
        )

    async def forget_person(self, person: Origin | None, speaker: str) -> int:
        def holds_words(entry: Entry) -> bool:
            return entry.speaker == speaker or person in entry.sources.origins

        gone = await self._store.write(
            lambda db: _forget(db, rows.entries(db, self._bot), holds_words)
        )
        return len(gone)

    async def prune(self) -> int:
        now = self._clock()
        return await self._store.write(lambda db: keep_bounds(db, self._bot, now))

    async def merge(self) -> int:
        now = self._clock()
        return await self._store.write(lambda db: joining.merge(db, self._bot, now))

    async def _retrieve(self, wanted: Wanted, *, browses: bool) -> list[Found]:
        now = self._clock()
        return await self._store.read(
            lambda db: retrieve(db, self._bot, wanted, now, self._is_claim, browses=browses)
        )

    def _is_claim(self, sources: Sources) -> bool:
        """Whether somebody who may not command by now had a word in it. Who told it need not be
        here; what they proved then counts on."""
        return sources.level_now(as_proven(self._level_of)) < Level.TRUSTED


class AllKnowledge:
    """The knowledge of all bots."""

    def __init__(self, store: Store, clock: Clock, level_of: LevelOf) -> None:
        self._parts = store, clock, level_of

    def of(self, bot: str) -> BotKnowledge:
        return BotKnowledge(bot, *self._parts)


def _trimmed(entry: Entry) -> Entry:
    return replace(
        entry,
        insight=excerpt(entry.insight, LONGEST),
        topic=excerpt(entry.topic, LONGEST_TOPIC),
        context=excerpt(entry.context, LONGEST),
        confidence=min(1.0, max(0.0, entry.confidence)),
    )


def _forget(
    connection: sqlite3.Connection, found: Iterable[Entry], may_forget: Callable[[Entry], bool]
) -> list[Entry]:
    gone = [entry for entry in found if may_forget(entry)]
    rows.delete(connection, [entry.id for entry in gone])
    return gone


def _mark_used(connection: sqlite3.Connection, bot: str, ids: Sequence[int], now: datetime) -> None:
    connection.executemany(
        "UPDATE knowledge SET used = used + 1, used_at = ? WHERE id = ? AND bot = ?",
        [(microseconds(now), id_, bot) for id_ in ids],
    )
