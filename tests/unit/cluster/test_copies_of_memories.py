"""What bots hear, learn, plan and know of people is the same in a copy, to the last byte."""

import asyncio
import random
import sqlite3
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.broker import LONG_LEASE_S
from support.homes import HOME, contents, home_of
from support.local_bus import LocalBus

from bots.access.origin import Level, Person
from bots.access.sources import FACTS, Sources
from bots.bot.agenda import AllAgendas
from bots.bot.knowing import Entry, tag
from bots.chat.conversation import Conversation
from bots.chat.message import Delivery
from bots.clock import utc_now
from bots.cluster.history import HomeHistory
from bots.knowledge import retrieval
from bots.knowledge.cards.cards import AllCards
from bots.knowledge.store import AllKnowledge
from bots.observability.trace import TraceLog
from bots.store.database import Store
from bridge.errors import BotError, UserError
from bridge.world import PlayerName

BOTS, PEOPLE = ("Alice", "Bob"), ("Steve", "Ann", "Müller 🏠")
SAYINGS = (
    *("I live by the lake", "my house is at 10 64 -20", "remember that creepers hate cats"),
    *("no, the mine is in the north", "こんにちは、町はどこ？"),
    *('\0 it\'s "so"; -- DROP TABLE utterances', "no such letter: \ud800"),
)
WORDS = st.sampled_from(SAYINGS) | st.text(max_size=40)
KINDS = ("hear", "say", "learn", "forget", "plan", "done", "read", "fail", "prune")
Action: TypeAlias = tuple[str, str, str, str]
ACTIONS = st.tuples(st.sampled_from(KINDS), st.sampled_from(BOTS), st.sampled_from(PEOPLE), WORDS)


class Memories:
    """What a daemon keeps of its bots."""

    def __init__(
        self, store: Store, conversation: Conversation, agendas: AllAgendas, cards: AllCards
    ) -> None:
        self.store, self.conversation, self.agendas = store, conversation, agendas
        self.knowledge, self.cards = AllKnowledge(store, utc_now, lambda _: Level.PLAYER), cards

    @classmethod
    async def load(cls, store: Store) -> "Memories":
        conversation = await Conversation.load(store, utc_now)
        agendas = await AllAgendas.load(store, utc_now, TraceLog(utc_now))
        return cls(store, conversation, agendas, await AllCards.load(store, BOTS, utc_now))

    async def do(self, kind: str, bot: str, who: str, words: str) -> None:
        """One of these; it may be refused."""
        sources = Sources.said_by(Person(PlayerName(who)), Level.PLAYER, {who})
        with suppress(BotError, UserError, UnicodeEncodeError):
            await getattr(self, kind)(bot, who, words, sources)

    async def hear(self, bot: str, who: str, words: str, sources: Sources) -> None:
        await self.conversation.add(bot, who, words, sources=sources)

    async def say(self, bot: str, who: str, words: str, sources: Sources) -> None:
        said = await self.conversation.say(bot, words, Delivery(BOTS[1], 3.5, 16.0, False))
        await self.conversation.hear(BOTS[1], said.utterance.id)

    async def learn(self, bot: str, who: str, words: str, sources: Sources) -> None:
        tags = frozenset({tag("player", who), tag("item", "torch")})
        entry = Entry(words, sources, speaker=who, tags=tags, confidence=1 / 3)
        await self.knowledge.of(bot).add(entry)

    async def forget(self, bot: str, who: str, words: str, sources: Sources) -> None:
        await self.knowledge.of(bot).forget_person(Person(PlayerName(who)), who)

    async def prune(self, bot: str, who: str, words: str, sources: Sources) -> None:
        await self.knowledge.of(bot).prune()

    async def plan(self, bot: str, who: str, words: str, sources: Sources) -> None:
        agenda, by = self.agendas.of(bot), Person(PlayerName(who))
        fields = {"goal": [words]}
        level = Level.TRUSTED
        await agenda.queue(agenda.new_goal(words, fields, given_by=by, level=level, sources=FACTS))

    async def done(self, bot: str, who: str, words: str, sources: Sources) -> None:
        agenda = self.agendas.of(bot)
        if agenda.next is not None:
            await agenda.drop(agenda.next)

    async def read(self, bot: str, who: str, words: str, sources: Sources) -> None:
        await self.cards.of(bot).read_on()

    async def fail(self, bot: str, who: str, words: str, sources: Sources) -> None:
        def change(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM hearings")
            connection.execute("INSERT INTO recall_index (rowid, words) VALUES (-1, 'gone')")
            raise BotError("no")

        await self.store.write(change)


async def live(groups: list[list[Action]], folder: Path) -> None:
    """Do these, some at once, at a home with two copies: one follows all the while, the other
    begins at the end."""
    own, copy, late = (folder / f"{name}.sqlite" for name in ("own", "copy", "late"))
    bus = LocalBus(utc_now, time.monotonic, LONG_LEASE_S)
    history = HomeHistory(bus, HOME)
    async with home_of(bus, own) as home:
        memories = await Memories.load(home.store)
        for number, group in enumerate(groups):
            await asyncio.gather(*(memories.do(*action) for action in group))
            if number % 2:
                await history.catch_up(copy)
            if number % 5 == 4:
                await home.journal.make_base()
    await history.catch_up(copy)
    await history.catch_up(late)
    assert contents(copy) == contents(late) == contents(own)


def run(groups: list[list[Action]]) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(retrieval, "MOST_OF_ONE", 2)
        asyncio.run(live(groups, Path(folder)))


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(ACTIONS, min_size=1, max_size=6), max_size=12))
def test_copies_are_as_the_file_whatever_bots_did(groups: list[list[Action]]) -> None:
    run(groups)


def test_copies_are_as_the_file_after_some_of_each() -> None:
    dice = random.Random(7)
    every = [(kind, bot, who) for kind in KINDS for bot in BOTS for who in PEOPLE] * 4
    dice.shuffle(every)
    actions = [(*one, dice.choice(SAYINGS)) for one in every]
    run([actions[start : start + 9] for start in range(0, len(actions), 9)])


def test_every_kind_of_memory_was_written(tmp_path: Path) -> None:
    """Or the comparisons above would compare nothing."""
    dice = random.Random(7)
    kinds = set(KINDS) - {"done", "forget", "fail"}
    actions = [(kind, "Alice", "Steve", words) for kind in sorted(kinds) for words in SAYINGS]
    dice.shuffle(actions)
    asyncio.run(live([[one] for one in actions], tmp_path))
    rows = contents(tmp_path / "own.sqlite")
    tables = "utterances hearings recall_lines recall_index_data knowledge knowledge_tags"
    for table in (*tables.split(), "knowledge_index_data", "agenda", "card_facts", "meetings"):
        assert rows[table], table
