"""Scenes of knowing people: what rules and models tell of cards, the greeting after a week, and
“forget me”."""

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from support.daemons import Town, answer_to

from bots.responder.rules.knowing import Asked, asked_of, asks_to_forget, who_is_asked
from bots.settings.settings import (
    PermissionSettings,
)
from bots.store.database import FILE_NAME
from bridge import FakeBridge
from bridge.fake import FakeWorld
from bridge.world import Position
from llm.function_model import FunctionModel
from llm.model import Question

HERE = Position(10.5, 64, 8.5)
OWNED = PermissionSettings(owners=("Olga",))
A_WEEK_US = 7 * 86_400 * 1_000_000


running = partial(Town.up, permissions=OWNED, on_its_clock=True)
"""Alice among strangers, on a server that Olga owns."""


def a_week_passes(folder: Path) -> None:
    """All that is stored happened a week earlier."""
    with closing(sqlite3.connect(folder / FILE_NAME)) as connection, connection:
        for table, columns in (
            ("hearings", ("heard_at",)),
            ("utterances", ("said_at",)),
            ("card_facts", ("at",)),
            ("meetings", ("first_at", "began_at", "last_at")),
        ):
            moved = ", ".join(f"{column} = {column} - {A_WEEK_US}" for column in columns)
            connection.execute(f"UPDATE {table} SET {moved}")


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("What do you know about me?", ""),
        ("what do you remember of Steve", "steve"),
        ("Do you remember me?", ""),
        ("Do you know Steve?", "steve"),
        ("私のことを覚えていますか？", ""),
        ("Steveさんについて何を知っていますか", "steve"),
    ],
)
def test_a_question_for_all_of_a_card_is_known(line: str, name: str) -> None:
    asked = asked_of([line])
    assert asked is not None
    assert (asked.name.casefold(), "lives" in asked.kinds, asked.meeting) == (name, True, False)


@pytest.mark.parametrize(
    ("line", "kind", "name"),
    [
        ("Where do I live?", "lives", ""),
        ("where does Steve live", "lives", "steve"),
        ("私はどこに住んでいますか", "lives", ""),
        ("What do I like?", "likes", ""),
        ("Steveの好きなものは？", "likes", "steve"),
        ("What did I promise?", "promised", ""),
        ("what have you promised me", "was_promised", ""),
        ("What have you given me?", "got", ""),
        ("what did I ask you for?", "asked_for", ""),
        ("何を頼みましたか", "asked_for", ""),
    ],
)
def test_a_question_for_a_part_of_a_card_is_known(line: str, kind: str, name: str) -> None:
    asked = asked_of([line])
    assert asked is not None
    assert kind in asked.kinds
    assert asked.name.casefold() == name


@pytest.mark.parametrize(
    "line",
    ["When did we last meet?", "when did you last see Steve", "最後に会ったのはいつですか？"],
)
def test_a_question_for_the_last_meeting_is_known(line: str) -> None:
    asked = asked_of([line])
    assert asked is not None
    assert asked.meeting


@pytest.mark.parametrize(
    "line", ["Where are you?", "What do you know about it?", "What do you have?", "I forget."]
)
def test_other_questions_are_not_taken_for_one(line: str) -> None:
    assert asked_of([line]) is None


def test_forget_me_is_known_in_two_languages() -> None:
    for line in ("forget me", "Please forget everything you know about me.", "私のことを忘れて"):
        assert asks_to_forget([line])
    for line in ("don't forget me", "I forgot", "forget it", "忘れてた"):
        assert not asks_to_forget([line])


def test_the_asker_is_meant_by_me() -> None:
    assert asked_of(["What do you know of me?"]) == asked_of(["What do you remember about me?"])
    assert isinstance(asked_of(["Do you know me"]), Asked)


@pytest.mark.slow
async def test_after_a_week_rules_greet_and_tell_what_they_know(town: Town) -> None:
    before = FakeBridge(FakeWorld())
    steve = before.world.person("Steve", HERE)
    async with running(Town(before, town.folder)) as daemon:
        assert await answer_to(daemon, steve, "I live at the lake") == "I will remember that."
    a_week_passes(town.folder)
    steve = town.world.person("Steve", HERE)
    ann = town.world.person("Ann", HERE)
    async with running(town) as daemon:
        assert await answer_to(daemon, steve, "hello") == "It has been a week, Steve!"
        assert "week" not in await answer_to(daemon, steve, "hello")
        assert await answer_to(daemon, steve, "When did we last meet?") == "We last met a week ago."
        assert await answer_to(daemon, steve, "Where do I live?") == (
            "You said you live “at the lake”."
        )
        assert await answer_to(daemon, steve, "私はどこに住んでいますか？") == (
            "あなたは「at the lake」に住んでいるそうです。"
        )
        assert "lake" not in await answer_to(daemon, ann, "Where does Steve live?")
        assert "lake" not in await answer_to(daemon, ann, "What do you know about Steve?")
        forgot = await answer_to(daemon, steve, "forget me")
        assert forgot.startswith("I have forgotten what I knew of you")
        assert "at the lake" not in await answer_to(daemon, steve, "What do you know about me?")


@pytest.mark.slow
async def test_a_model_is_shown_the_card_of_whom_it_answers_and_of_nobody_elses_secrets(
    town: Town,
) -> None:
    before = FakeBridge(FakeWorld())
    steve = before.world.person("Steve", HERE)
    async with running(Town(before, town.folder)) as daemon:
        await answer_to(daemon, steve, "I live at the lake")
    a_week_passes(town.folder)
    steve = town.world.person("Steve", HERE)
    ann = town.world.person("Ann", HERE)
    model = FunctionModel(lambda question: "All right.")

    def shown(question: Question) -> str:
        return question.turns[-1].text

    async with running(town, model) as daemon:
        await answer_to(daemon, steve, "Shall we fish?")
        assert (
            "Steve: first met a week ago, back now after a week away; says they live “at the lake”"
            in shown(model.questions[-1])
        )
        await answer_to(daemon, ann, "Where does Steve live?")
        assert "at the lake" not in "".join(turn.text for turn in model.questions[-1].turns)


@pytest.mark.slow
async def test_who_was_met_today_and_told_nothing_costs_no_words(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    model = FunctionModel(lambda question: "All right.")
    async with running(town, model) as daemon:
        for line in ("Hello!", "How are you?"):
            await answer_to(daemon, steve, line)
        assert '"known"' not in "".join(turn.text for turn in model.questions[-1].turns)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("who is Bob?", "bob"),
        ("Alice, who's Bob", "bob"),
        ("Do you know who is Bob?", "bob"),
        ("Bobって誰？", "bob"),
        ("Bobさんは誰ですか？", "bob"),
        ("who is near you?", None),
        ("who is the owner?", None),
    ],
)
def test_a_question_who_somebody_is_is_known(line: str, name: str | None) -> None:
    assert who_is_asked([line]) == name


async def test_who_somebody_is_is_told_of_bots_and_of_players(town: Town) -> None:
    steve, carl = (town.world.person(name, HERE) for name in ("Steve", "Carl"))
    async with running(town, names=("Alice", "Bob")) as daemon:
        daemon._shared.bots_elsewhere.update({"Carl", "Dora"})
        await answer_to(daemon, steve, "I live at the lake")
        for name in ("Bob", "Carl"):
            told = await answer_to(daemon, steve, f"who is {name}?")
            assert told.startswith(f"{name} is a bot like me. {name} is at ")
        dora = await answer_to(daemon, steve, "who is Dora?")
        assert dora == "Dora is a bot like me. They are not on the server now."
        mine = await answer_to(daemon, steve, "who is Steve?")
        assert mine.startswith("Steve is a player.")
        assert "at the lake" in mine
        assert "ボットです" in await answer_to(daemon, steve, "Bobって誰？")
        carl.leave()
        ann = town.world.person("Ann", HERE)
        assert "at the lake" not in await answer_to(daemon, ann, "who is Steve?")
        assert "bot like me" not in await answer_to(daemon, ann, "who is near you?")


async def test_a_greeting_is_passed_on_to_a_bot_in_the_speakers_name(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    async with running(town, names=("Alice", "Bob")) as daemon:
        told = await answer_to(daemon, steve, "tell Bob hello from me")
        assert told == "I told Bob: Hello from Steve!"
        heard = [line.text for line in daemon.bot("Bob").attended_history()]
        assert any((line or "").endswith("Hello from Steve!") for line in heard)
        town.world.teleport("Bob", Position(90.5, 64, 8.5))
        refused = await answer_to(daemon, steve, "Bobにこんにちはと伝えて")
        assert "伝えました" not in refused
