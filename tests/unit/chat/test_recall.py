"""Recall: what was heard long ago is found again, and nothing that may not be."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from bots.access.origin import Level, Person
from bots.access.sources import FACTS, Sources
from bots.chat.conversation import Conversation
from bots.chat.message import Delivery, Filter
from bots.chat.recall import Search
from bots.store.database import Store
from bridge.world import PlayerName

NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)  # a Wednesday


class HandClock:
    def __init__(self) -> None:
        self.now = NOON - timedelta(days=30)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=20)
        return self.now


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
async def talk(store: Store, clock: HandClock) -> Conversation:
    return await Conversation.load(store, clock)


async def hear(talk: Conversation, *lines: tuple[str, str], bot: str = "Alice") -> None:
    """All at once: they share their commits, and keep their order."""
    await asyncio.gather(*(talk.add(bot, *line, sources=FACTS) for line in lines))


async def chatter(talk: Conversation, lines: int) -> None:
    await hear(talk, *(("Nora", f"Sheep number {number} is white.") for number in range(lines)))


async def found(talk: Conversation, words: str, search: Search | None = None) -> Sequence[str]:
    wanted = search or Search(words)
    return [one.text for one in await talk.recall("Alice", wanted)]


async def test_a_line_is_found_by_its_words_after_two_hundred_others(talk: Conversation) -> None:
    asked = {
        "My sister is called Mia.": "What is the name of my sister?",
        "We built the bridges of birch.": "Which bridge did you build of birch?",
        "I bought a saddle from the villager.": "What did I buy from the villager?",
        "妹の名前は美香です。": "妹の名前を覚えていますか？",
        "ダイヤモンドは湖の下に埋めたよ": "湖のダイヤモンドはどこ？",
        "家の鍵は樽の中": "家の鍵は？",
        "Ｄｉａｍｏｎｄｓ are below the café.": "diamonds cafe",
    }
    for line in asked:
        await hear(talk, ("Steve", line))
        await chatter(talk, 200 // len(asked))
    await chatter(talk, 200)
    assert {line: (await found(talk, question))[0] for line, question in asked.items()} == {
        line: line for line in asked
    }


async def test_an_answer_is_found_by_the_words_of_its_question(talk: Conversation) -> None:
    await hear(talk, ("Steve", "Where shall we hide the emeralds?"))
    await hear(talk, ("Steve", "Under the old mill, I think."))
    await chatter(talk, 50)
    assert "Under the old mill, I think." in (await found(talk, "emeralds"))[:2]


async def test_lines_of_who_is_asked_about_come_first(talk: Conversation) -> None:
    await hear(talk, ("Alex", "The tower is too low."), ("Steve", "The tower is too high."))
    await hear(talk, ("Kenji", "The tower is too wide."))
    assert (await found(talk, "What did Steve say about the tower?"))[0] == "The tower is too high."
    assert (await found(talk, "Alexさんは tower のことを何と？"))[0] == "The tower is too low."
    assert (await found(talk, "", Search("my tower", asker="Kenji")))[0] == "The tower is too wide."


async def test_without_words_the_newest_lines_of_who_is_named_are_found(talk: Conversation) -> None:
    await hear(talk, ("Steve", "one"), ("Alex", "two"), ("Steve", "three"))
    assert await found(talk, "What did Steve say?") == ["three", "one"]
    assert await found(talk, "", Search("", speaker="alex")) == ["two"]
    assert await found(talk, "") == ["three", "two", "one"]


@pytest.mark.parametrize("name", ["papa", "PAPA"])
async def test_twins_that_differ_in_case_alone_are_two_people(
    talk: Conversation, name: str
) -> None:
    lines = {"papa": "The tower is mine.", "PAPA": "The tower is ugly."}
    await hear(talk, *lines.items())
    await hear(talk, ("Alex", "one"), ("Nora", "The tower is old."))
    for by in ("tower", ""):
        assert await found(talk, "", Search(by, speaker=name)) == [lines[name]]
        assert await found(talk, "", Search(by, speaker="Papa")) == []
    for search in (
        Search(f"What did {name} say about the tower?"),
        Search("What did I say about the tower?", asker=name),
    ):
        assert (await found(talk, "", search))[0] == lines[name]
    assert await found(talk, f"What did {name} say?") == [lines[name]]
    assert await found(talk, "What did Papa say?") == []
    assert await found(talk, "What did ALEX say?") == ["one"]


@pytest.mark.parametrize("name", ["papa", "PAPA"])
async def test_episodes_are_of_the_twin_that_is_named(talk: Conversation, name: str) -> None:
    for asked_by in ("papa", "PAPA"):
        told = {"en": f"I made a door for {asked_by}."}
        await talk.note_episode("Alice", told, FACTS, asked_by=asked_by, at=NOON)
    search = Search(f"What did you make for {name}?", episodes=True)
    assert await found(talk, "", search) == [f"I made a door for {name}."]


async def test_a_twin_heard_by_another_bot_takes_nobody_away(talk: Conversation) -> None:
    await hear(talk, ("papa", "The tower is mine."))
    await hear(talk, ("PAPA", "The tower is ugly."), bot="Bob")
    assert await found(talk, "", Search("tower", speaker="Papa")) == ["The tower is mine."]


async def test_a_time_in_words_is_understood(talk: Conversation, clock: HandClock) -> None:
    for days, words in ((9, "The farm needs water."), (1, "The farm needs light.")):
        clock.now = NOON - timedelta(days=days)
        await hear(talk, ("Steve", words))
    clock.now = NOON
    await hear(talk, ("Steve", "The farm needs seeds."))
    assert (await found(talk, "What did the farm need yesterday?"))[0] == "The farm needs light."
    assert (await found(talk, "先週 farm"))[0] == "The farm needs water."
    assert await found(talk, "What did Steve say yesterday?") == ["The farm needs light."]


async def test_a_time_is_found_after_a_clock_was_set(talk: Conversation, clock: HandClock) -> None:
    """It stood a year ahead for a while; the lines of then are told apart by their own times."""
    for days, words in ((1, "We sowed wheat."), (-365, "We sowed melons."), (1, "We sowed beets.")):
        clock.now = NOON - timedelta(days=days)
        await hear(talk, ("Steve", words))
    clock.now = NOON
    await hear(talk, ("Steve", "We sowed nothing."))
    sowed = ["We sowed beets.", "We sowed wheat."]
    assert await found(talk, "What did Steve say yesterday?") == sowed
    assert set((await found(talk, "What was sowed yesterday?"))[:2]) == set(sowed)
    day = Search("", since=NOON - timedelta(days=2), until=NOON - timedelta(hours=1))
    assert await found(talk, "", day) == sowed


async def test_results_keep_to_speaker_and_time(talk: Conversation, clock: HandClock) -> None:
    await hear(talk, ("Steve", "a red bed"), ("Alex", "a red door"))
    middle = clock.now + timedelta(seconds=1)
    await hear(talk, ("Steve", "a red roof"))
    assert await found(talk, "", Search("red", speaker="Steve")) == ["a red roof", "a red bed"]
    assert await found(talk, "", Search("red", since=middle)) == ["a red roof"]
    assert "a red roof" not in await found(talk, "", Search("red", until=middle))
    assert "a red roof" not in await found(talk, "", Search("red", before=3))


async def test_pages_hold_every_line_once(talk: Conversation) -> None:
    await chatter(talk, 330)
    pages = [
        one
        for offset in range(0, 400, 50)
        for one in await found(talk, "", Search("white sheep", limit=50, offset=offset))
    ]
    assert len(pages) == len(set(pages)) == 330


async def test_pages_without_words_reach_the_first_line(talk: Conversation) -> None:
    await hear(talk, ("Steve", "the beginning"))
    await chatter(talk, 330)
    last = await found(talk, "", Search("", limit=1_000, offset=300))
    assert len(last) == 31
    assert last[-1] == "the beginning"


async def test_an_old_line_is_found_by_usual_words(talk: Conversation, clock: HandClock) -> None:
    """Each of its words stands in hundreds of newer lines."""
    clock.now = NOON - timedelta(days=40)
    lines = [("Kenji", "The farm is by the lake.")]
    for number in range(150):
        lines += [("Nora", f"The farm has {number} carrots."), ("Tom", "The lake is cold.")]
    await hear(talk, *lines)
    clock.now = NOON
    assert (await found(talk, "farm at the lake"))[0] == "The farm is by the lake."
    assert (await found(talk, "What did Kenji say of the farm?"))[0] == "The farm is by the lake."


async def test_words_count_that_stand_in_the_lines_before(talk: Conversation) -> None:
    await hear(talk, ("Steve", "Who won the boat race?"), ("Nora", "Hm."), ("Steve", "Tom did!"))
    await chatter(talk, 100)
    assert "Tom did!" in (await found(talk, "boat race"))[:3]


async def test_nothing_is_found_that_the_bot_did_not_hear(talk: Conversation) -> None:
    await hear(talk, ("Steve", "The secret is in the well."), bot="Bob")
    await hear(talk, ("Steve", "Good morning."))
    assert await found(talk, "secret well") == []
    assert await talk.recall("Nobody", Search("secret")) == []


async def test_what_the_asker_may_not_know_is_neither_found_nor_counted(talk: Conversation) -> None:
    steve = Person(PlayerName("Steve"))
    private = Sources.said_by(steve, Level.PLAYER, {"Steve"})
    gold = "My gold is by the gold oak."
    told = (talk.add("Alice", "Steve", gold, sources=private) for _ in range(150))
    await asyncio.gather(*told)
    await talk.add("Alice", "Steve", "Gold is heavy.", sources=FACTS)

    def of_alex(sources: Sources) -> bool:
        return sources.is_for(frozenset({"Alex"}))

    assert await found(talk, "", Search("gold", may_know=of_alex)) == ["Gold is heavy."]


async def test_words_that_nobody_heard_are_not_recalled(talk: Conversation) -> None:
    await talk.say("Alice", "I lost the anvil.", Delivery("Steve", None, None, delivered=False))
    assert await found(talk, "anvil") == []


async def test_any_text_may_be_asked(talk: Conversation) -> None:
    await hear(talk, ("Steve", 'a "quoted" line'), ("§", "§ by0 AND OR NOT NEAR( * ^ -"))
    for odd in (
        *('"', "§", "*", "AND OR", "NEAR(a b)", "a-b:c", "\0", "\ud800", "🏠"),
        "quoted" * 300,
    ):
        await found(talk, odd)
        await found(talk, "", Search(odd, speaker=odd, asker=odd))
    assert (await found(talk, '"quoted"'))[0] == 'a "quoted" line'


async def test_a_episode_that_is_no_words_is_found_too(talk: Conversation) -> None:
    await talk.add("Alice", "Alice", {"missing": "cobblestone"}, "system_info", sources=FACTS)
    assert await found(talk, "cobblestone") == ['{"missing": "cobblestone"}']


async def test_a_line_knows_who_when_and_where(talk: Conversation) -> None:
    await hear(talk, ("Steve", "The anvil is mine."))
    (line,) = await talk.recall("Alice", Search("anvil"))
    assert (line.speaker, line.sequence, line.where) == ("Steve", 1, "one")
    assert line.as_json()["timestamp"] == line.timestamp_ms == line.message.timestamp_ms


async def test_history_pages_backwards_as_far_as_it_goes(talk: Conversation) -> None:
    await chatter(talk, 130)
    await hear(talk, ("Steve", "the end"))
    newest = await talk.history_before("Alice", 132, Filter(), 100)
    assert [one.sequence for one in newest] == list(range(32, 132))
    oldest = await talk.history_before("Alice", 32, Filter(), 100)
    assert [one.sequence for one in oldest] == list(range(1, 32))
    (by_steve,) = await talk.history_before("Alice", 132, Filter(username="Steve"), 100)
    assert by_steve.text == "the end"
