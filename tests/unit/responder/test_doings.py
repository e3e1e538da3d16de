"""Scenes of “what have you made for me?”: the deeds are told by rules, and by a model's tool."""

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from support.daemons import Town, answer_to, operator_of
from support.rig import until

from bots.access.sources import FACTS
from bots.app import Daemon
from bots.bot.episode import WHATS, Episode, What
from bots.knowledge.episodes import in_words
from bots.responder.rules.recalling import AskedEpisodes, asked_episodes
from bots.settings.settings import PermissionSettings
from bots.store.database import FILE_NAME
from bridge import FakeBridge
from bridge.fake import FakeWorld, Person
from bridge.world import Position
from llm.function_model import FunctionModel
from llm.model import Completion, Question, ToolCall

HERE = Position(10.5, 64, 8.5)
DAY_US = 86_400 * 1_000_000
MADE: frozenset[What] = frozenset({"made", "placed"})
OWN: frozenset[What] = frozenset(WHATS) - {"visited", "received"}


running = partial(
    Town.up,
    permissions=PermissionSettings(owners=("Steve",), trusted=("Ann",)),
    on_its_clock=True,
)


async def sticks_for(daemon: Daemon, bridge: FakeBridge, who: Person) -> None:
    """Somebody has Alice make sticks by a command."""
    bridge.world.give("Alice", "oak_planks", 2)
    who.whisper("Alice", "!skill craft stick 4")
    alice = daemon.bot("Alice")
    await until(lambda: alice.get_conversation_history(type="episode"))


def three_days_pass(folder: Path) -> None:
    """All that is stored happened three days earlier."""
    with closing(sqlite3.connect(folder / FILE_NAME)) as connection, connection:
        for table, column in (("hearings", "heard_at"), ("recall_lines", "heard_at")):
            connection.execute(f"UPDATE {table} SET {column} = {column} - {3 * DAY_US}")


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("What have you made for me?", AskedEpisodes(MADE, "me")),
        ("what did you craft for Ann yesterday?", AskedEpisodes(MADE, "ann", "yesterday")),
        ("私に何を作ってくれた？", AskedEpisodes(MADE, "me")),
        ("昨日、何を作りましたか？", AskedEpisodes(MADE, "", "昨日")),
        ("Annさんに何を作った？", AskedEpisodes(MADE, "ann")),
        ("Where did you die?", AskedEpisodes(frozenset({"died"}))),
        ("どこで死んだの？", AskedEpisodes(frozenset({"died"}))),
        ("who came yesterday?", AskedEpisodes(frozenset({"visited"}), "", "yesterday")),
        ("昨日誰が来た？", AskedEpisodes(frozenset({"visited"}), "", "昨日")),
        (
            "Where did you go last week?",
            AskedEpisodes(frozenset({"went", "followed"}), "", "last week"),
        ),
        ("What did you do today?", AskedEpisodes(OWN, "", "today")),
        ("今日は何をしたの？", AskedEpisodes(OWN, "", "今日")),
        ("What have you failed at?", AskedEpisodes(frozenset({"failed"}))),
    ],
)
def test_a_question_about_episodes_is_understood(line: str, asked: AskedEpisodes) -> None:
    assert asked_episodes(["hello", line]) == asked


@pytest.mark.parametrize(
    "line",
    [
        *("Make me a torch", "What do you do?", "what are you doing", "何をしていますか？"),
        *("What can you make?", "who is here?", "I made a torch for you"),
    ],
)
def test_other_lines_are_not_taken_for_one(line: str) -> None:
    assert asked_episodes([line]) is None


async def test_rules_tell_what_was_made_for_whom(town: Town) -> None:
    steve, ann = (town.world.person(name, HERE) for name in ("Steve", "Ann"))
    async with running(town) as daemon:
        await sticks_for(daemon, town.bridge, steve)
        assert (await answer_to(daemon, steve, "What have you made for me?")).startswith(
            "I made 4 sticks for you at "
        )
        assert "あなたのために棒×4を作りました" in await answer_to(
            daemon, steve, "私に何を作ってくれた？"
        )
        assert "4 sticks for Steve" in await answer_to(daemon, ann, "What did you make for Steve?")
        nothing = await answer_to(daemon, ann, "What have you made for me?")
        assert nothing == "Nothing that I remember."


async def test_what_was_fetched_is_told_where_nothing_was_made(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    async with running(town) as daemon:
        got, now = Episode("got", "oak_log", 3, asked_by="Steve"), town.world.clock.now()
        await daemon.bot("Alice").note_episode(got, in_words(got), FACTS, now)
        told = await answer_to(daemon, steve, "What have you made for me?")
        assert told.startswith("I made nothing. I got 3 oak logs for you")
        told = await answer_to(daemon, steve, "何を作ってくれた？")
        assert told.startswith("何も作っていません。")
        asked = await operator_of(daemon).message("Alice", "What have you made for me?")
        assert "I got 3 oak logs for Steve" in asked["answer"]


async def test_what_was_made_for_a_twin_is_told_of_that_one_alone(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    async with running(town) as daemon:
        for thing, who in (("torch", "papa"), ("bread", "PAPA"), ("oak_door", "Ann")):
            made, now = Episode("made", thing, 1, asked_by=who), town.world.clock.now()
            await daemon.bot("Alice").note_episode(made, in_words(made), FACTS, now)
        for who, things in (("papa", "torch"), ("PAPA", "bread"), ("Papa", ""), ("ANN", "door")):
            told = await answer_to(daemon, steve, f"What did you make for {who}?")
            assert {word for word in ("torch", "bread", "door") if word in told} == {
                *things.split()
            }


@pytest.mark.slow
async def test_older_ones_are_told_with_their_day(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    async with running(town) as daemon:
        await sticks_for(daemon, town.bridge, steve)
    three_days_pass(town.folder)
    bridge = FakeBridge(FakeWorld())
    steve = bridge.world.person("Steve", HERE)
    async with running(Town(bridge, town.folder)) as daemon:
        told = await answer_to(daemon, steve, "What have you made for me?")
        assert "for you 3 days ago" in told
        nothing = await answer_to(daemon, steve, "What have you made for me today?")
        assert nothing == "Nothing that I remember."


async def test_a_model_finds_episodes_by_its_tool(town: Town) -> None:
    steve = town.world.person("Steve", HERE)

    def looks_it_up(question: Question) -> Completion:
        if question.rounds:
            return Completion("Four sticks.", "function")
        call = ToolCall("c1", "recall", {"about": "made for Steve"})
        return Completion("", "function", stop="tools", calls=(call,))

    model = FunctionModel(looks_it_up)
    async with running(town, model) as daemon:
        await sticks_for(daemon, town.bridge, steve)
        assert await answer_to(daemon, steve, "What have you made for me?") == "Four sticks."
        assert "I made 4 sticks for Steve" in str(model.questions[-1].rounds[0].results)


def test_words_of_episodes_are_sentences() -> None:
    assert in_words(Episode("gave", "bread", 2, "Ann", "Ann"))["en"] == "I gave Ann 2 bread."
    assert in_words(Episode("visited", count=125, person="Ann"))["en"] == (
        "Ann came and stayed for 2 hours."
    )
