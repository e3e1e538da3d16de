"""The histories of all bots. Every message is stored first, then shown."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial

from bots.access.sources import UNKNOWN, Sources
from bots.chat import conversation_sql as sql
from bots.chat.message import (
    ANY_MESSAGE,
    AnyDelivery,
    Content,
    Filter,
    Kind,
    Message,
    PublicDelivery,
    Utterance,
    kind_of,
)
from bots.chat.recall import Recalled, Search, recall
from bots.chat.recall_sql import enter, moved
from bots.clock import Clock
from bots.errors import StoreUnwritable
from bots.store.database import Store

VIEW = 100  # messages of each bot in memory; the database keeps all
PAGE = 500  # messages read at once, of older ones
ASIDE = 20  # small talk and episodes that we keep in addition, so that they displace nothing


class _View:
    """One bot's newest messages and the last sequence it was given."""

    def __init__(self, size: int, messages: Iterable[Message] = (), given: int = 0) -> None:
        self.messages = deque(messages)
        self._size = size
        self._held = Counter(map(_aside, self.messages))
        self.newest = self.messages[-1].sequence if self.messages else 0
        self._given = max(self.newest, given)

    def next_sequence(self) -> int:
        self._given += 1
        return self._given

    def show(self, message: Message) -> None:
        self.messages.append(message)
        self.newest = message.sequence
        aside = _aside(message)
        self._held[aside] += 1
        if self._held[aside] > (ASIDE if aside else self._size):
            self._held[aside] -= 1
            self.messages.remove(next(m for m in self.messages if _aside(m) == aside))

    def correct(self, utterance: Utterance) -> None:
        """Show the newer facts of an utterance that is already here."""
        for place, message in enumerate(self.messages):
            if message.utterance.id == utterance.id:
                self.messages[place] = replace(message, utterance=utterance)


def _aside(message: Message) -> Kind | None:
    """What is kept beside all else."""
    kind = message.utterance.kind
    return kind if kind in ("small_talk", "episode") else None


class Conversation:
    """The histories of all bots. Nothing shows in a history before it is on the disk."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        view: int,
        messages: dict[str, list[Message]],
        given: dict[str, int],
    ) -> None:
        self._store = store
        self._clock = clock
        self._views: defaultdict[str, _View] = defaultdict(lambda: _View(view))
        for bot in messages.keys() | given.keys():
            self._views[bot] = _View(view, messages.get(bot, ()), given.get(bot, 0))

    @classmethod
    async def load(cls, store: Store, clock: Clock, view: int = VIEW) -> Conversation:
        """Load the newest `view` messages (at least 1) of each bot."""
        with suppress(StoreUnwritable):  # the store has logged why
            await store.write(sql.drop_hearings_of_nothing)
        messages = await store.read(lambda connection: sql.newest_messages(connection, view))
        return cls(store, clock, view, messages, await store.read(sql.given_sequences))

    async def add(
        self,
        bot: str,
        speaker: str,
        content: Content,
        kind: str = "conversation",
        at: datetime | None = None,
        *,
        sources: Sources = UNKNOWN,
        public: bool = False,
        talk: int | None = None,
    ) -> Message:
        """Record something this one bot heard, said or noted; returns once it is on the disk.

        `kind` may be an older type name; `public`: it was said in public chat; `talk`: to the
        group talk with this number. Raises InvalidArguments for an unknown kind, TypeError for
        an object that is no JSON.
        """
        moment = at or self._clock()
        own = sql.decode(sql.encode(content))  # what a restart would read; no caller changes it
        aim = PublicDelivery(delivered=True) if public else None
        said = Utterance(0, speaker, own, kind_of(kind), moment, aim, sources=sources, talk=talk)
        return await self._record(bot, said)

    async def say(
        self,
        bot: str,
        text: str,
        aim: AnyDelivery,
        at: datetime | None = None,
        *,
        asked_by: str | None = None,
        sources: Sources = UNKNOWN,
        talk: int | None = None,
        kind: Kind = "conversation",
    ) -> Message:
        """Record this bot's own words with how they have fared so far; see also `reached`.

        What a fellow bot is to hear is recorded undelivered; its receipt comes (receipts.py).
        `asked_by` had the bot say them by command; None: they are the bot's own. `talk` is the
        number of the group talk that they were said to."""
        moment = at or self._clock()
        said = Utterance(0, bot, text, kind, moment, aim, asked_by, sources, talk)
        return await self._record(bot, said)

    async def note_episode(
        self, bot: str, told: Content, sources: Sources, *, asked_by: str | None, at: datetime
    ) -> Message:
        """Record what this bot did, or saw happen, with whom it was for."""
        return await self._record(
            bot, Utterance(0, bot, told, "episode", at, asked_by=asked_by, sources=sources)
        )

    async def sent(self, utterance_id: int) -> None:
        """Record that a public line has left."""
        await self._correct_by(lambda connection: sql.mark_sent(connection, utterance_id))

    async def reached(self, utterance_id: int, hearer: str) -> None:
        """Record that an aimed line reached somebody whose own history does not show it."""
        await self._correct_by(
            lambda connection: sql.mark_delivered(connection, utterance_id, hearer)
        )

    async def unreached(self, utterance_id: int, hearer: str | None, words: str) -> None:
        """Record that the server refused, in these words, to carry a line to somebody, or, with
        None, to the public."""
        await self._correct_by(
            lambda connection: sql.mark_refused(connection, utterance_id, hearer, words)
        )

    async def taken_by(self, talk: int, said: Utterance, sources: Sources) -> None:
        """Record that a line which a bot has heard was said to a group talk, with these sources."""

        def change(connection: sqlite3.Connection) -> Utterance:
            utterance = sql.mark_of_talk(connection, said.id, talk, sources)
            moved(connection, said.id)
            return utterance

        await self._store.write_and_show(change, self._show_everywhere)

    async def hear(self, bot: str, utterance_id: int, at: datetime | None = None) -> Message:
        """Record that a fellow bot heard an utterance, which is thereby delivered.

        Raises StoreError when the utterance is unknown or this bot has heard it before.
        """
        moment, sequence = at or self._clock(), self._views[bot].next_sequence()

        def change(connection: sqlite3.Connection) -> Message:
            utterance = sql.mark_delivered(connection, utterance_id, bot)
            message = Message(bot, sequence, utterance, moment)
            sql.add_hearing(connection, message)
            enter(connection, message)
            return message

        return await self._store.write_and_show(change, self._show)

    def history(
        self, bot: str, chosen: Filter = ANY_MESSAGE, limit: int | None = None
    ) -> list[Message]:
        """The bot's newest fitting messages in time order; `limit` keeps the newest of them.

        Raises InvalidArguments for an unknown type."""
        view = self._views.get(bot)
        found = chosen.choose(view.messages if view else ())
        return found if limit is None else found[max(0, len(found) - max(0, limit)) :]

    async def recall(self, bot: str, search: Search) -> list[Recalled]:
        """Search everything that the bot ever heard and did; best results first."""
        now = self._clock().astimezone()  # days are those of the machine
        return await self._store.read(lambda connection: recall(connection, bot, search, now))

    async def history_before(
        self, bot: str, before: int, chosen: Filter, limit: int
    ) -> list[Message]:
        """The newest fitting messages before a sequence, oldest first, however old."""
        found: list[Message] = []
        while len(found) < limit:
            page = partial(sql.messages_before, bot=bot, before=before, most=PAGE)
            older = await self._store.read(page)
            found += chosen.choose(older)
            if len(older) < PAGE:
                break
            before = older[-1].sequence
        return found[:limit][::-1]

    def latest_sequence(self, bot: str) -> int:
        """The sequence of the bot's newest message; 0 before the first."""
        view = self._views.get(bot)
        return view.newest if view else 0

    async def _record(self, bot: str, said: Utterance) -> Message:
        sequence = self._views[bot].next_sequence()

        def change(connection: sqlite3.Connection) -> Message:
            message = Message(bot, sequence, sql.add_utterance(connection, said), said.said_at)
            sql.add_hearing(connection, message)
            enter(connection, message)
            return message

        return await self._store.write_and_show(change, self._show)

    async def _correct_by(self, change: Callable[[sqlite3.Connection], Utterance]) -> None:
        await self._store.write_and_show(change, self._correct_speaker)

    def _show_everywhere(self, utterance: Utterance) -> None:
        for view in self._views.values():
            view.correct(utterance)

    def _show(self, message: Message) -> None:
        self._views[message.bot].show(message)
        if message.utterance.speaker != message.bot:
            self._correct_speaker(message.utterance)

    def _correct_speaker(self, utterance: Utterance) -> None:
        speaker = self._views.get(utterance.speaker)
        if speaker is not None and utterance.delivery is not None:
            speaker.correct(utterance)
