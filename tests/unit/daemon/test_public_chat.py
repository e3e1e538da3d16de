"""Public chat: said, heard by the bots it names, answered in public, never endlessly."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.responders import responder_of
from support.rig import Rig, records_only, run_json, until

from bots.access.origin import Person
from bots.access.permissions import Permissions
from bots.bot.bot import Bot
from bots.chat.governor import CEILING, COST
from bots.chat.turn_taking import TURNS_WITHOUT_A_PERSON, PersonTalk, PublicRoom
from bots.observability.terminal_log import spoken_line
from bots.responder.responder import Responder
from bots.settings.talk import PublicNotice
from bots.text.word_match import says
from bridge.world import PlayerName, Position
from llm.function_model import FunctionModel
from llm.model import Question

HERE = Position(0.5, 64, 0.5)
FAR = Position(60.5, 64, 0.5)
ALOUD = '!chat {"public": true, "message": "Good morning, everyone!"}'
STEVE = Person(PlayerName("Steve"))


class PublicRig:
    """Bots that notice public chat."""

    def __init__(self, rig: Rig, folder: Path) -> None:
        self.rig, self.world, self.folder = rig, rig.world, folder
        self.clock = rig.jumping_clock()
        self.persons = PersonTalk(self.clock.monotonic)

    async def bot(
        self,
        name: str,
        model: FunctionModel | None = None,
        *,
        notice: PublicNotice = "addressed",
        position: Position = HERE,
    ) -> Bot:
        """A bot; with a model it answers."""
        equip = records_only if model is None else partial(self._responder, model)
        return await self.rig.bot(name, position, public_notice=notice, equip=equip)

    def _responder(self, model: FunctionModel, bot: Bot) -> Responder:
        return responder_of(bot, self.rig, self.folder, model, self.persons, self.clock)

    def said_aloud(self, by: str | None = None) -> list[str]:
        return [
            line.text for line in self.rig.bridge.sent if line.to is None and by in (None, line.bot)
        ]

    def attended(self, bot: str) -> list[str]:
        """The lines that a bot took for its own."""
        return [line.content for line in self.rig.fired if line.bot == bot]

    def facts(self, name: str) -> list[dict[str, Any]]:
        return [dict(trace.facts) for trace in self.rig.trace.recent(name)]

    def narrated(self) -> list[dict[str, str]]:
        recent = self.rig.trace.recent()
        return [line for t in recent if (line := spoken_line(t, self.rig.bots)) is not None]

    async def aclose(self) -> None:
        await self.rig.aclose()


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[PublicRig]:
    rig = PublicRig(await Rig.found(tmp_path), tmp_path / "bots")
    yield rig
    await rig.aclose()


def saying(text: str) -> FunctionModel:
    return FunctionModel(lambda question: text)


def texts(bot: Bot) -> list[str | None]:
    return [message.text for message in bot.get_conversation_history()]


def last_said(bot: Bot) -> dict[str, Any]:
    content = bot.get_conversation_history()[-1].content
    assert isinstance(content, dict)
    return content


# --- said -----------------------------------------------------------------------------


async def test_a_public_line_goes_to_all_and_is_recorded_with_its_hearers(rig: PublicRig) -> None:
    alice, bob = await rig.bot("Alice"), await rig.bot("Bob", position=FAR)
    steve = rig.world.person("Steve", FAR)
    assert await run_json(alice, ALOUD) == {
        "success": True,
        "public": True,
        "message": "Good morning, everyone!",
        "heardBy": ["Bob"],
    }
    assert [line.text for line in steve.overheard] == ["Good morning, everyone!"]
    assert steve.inbox == []
    assert texts(bob) == ["Good morning, everyone!"]
    assert rig.rig.fired == []
    message = alice.get_conversation_history()[0]
    assert message.as_json()["public"] is True
    assert message.content == {
        "message": "Good morning, everyone!",
        "delivered": True,
        "target": "public",
        "hearers": [{"username": "Bob", "distance": 60, "delivered": True}],
    }


@pytest.mark.parametrize("notice", ["off", "addressed", "all"])
async def test_who_is_told_to_have_heard_a_line_has_it_in_their_history(
    rig: PublicRig, notice: PublicNotice
) -> None:
    alice = await rig.bot("Alice", notice=notice)
    bob = await rig.bot("Bob", notice=notice, position=FAR)
    assert (await run_json(alice, ALOUD))["heardBy"] == ["Bob"]
    said, heard = alice.get_conversation_history()[0], bob.get_conversation_history()[0]
    assert (said.utterance.id, heard.content) == (heard.utterance.id, "Good morning, everyone!")


async def test_a_bot_that_is_deaf_is_not_counted_as_a_hearer(
    rig: PublicRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bots.chat.broadcast.RECEIPT_WITHIN_S", 0.05)
    alice, bob = await rig.bot("Alice"), await rig.bot("Bob")
    await rig.rig.bridge.pause(bob.name)
    assert (await run_json(alice, ALOUD))["heardBy"] == []
    said = last_said(alice)
    assert (said["delivered"], said["hearers"][0]["delivered"]) == (True, False)


async def test_a_public_line_has_no_header_and_is_split_at_256(rig: PublicRig) -> None:
    alice = await rig.bot("Alice")
    for length, lines in ((256, 1), (257, 2)):
        rig.rig.bridge.sent.clear()
        await alice.say_publicly("x" * length)
        assert len(rig.said_aloud()) == lines


async def test_whispers_and_public_lines_share_one_bucket(
    rig: PublicRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = await rig.bot("Alice")
    monkeypatch.setattr(alice._governor, "_pace", True)
    for number in range(int(CEILING // COST)):
        await (alice.speak("Steve", "hi") if number % 2 else alice.say_publicly("hi"))
    refused = await alice.say_publicly("one too many", within_s=0.5)
    assert refused.reason == "rate_limited"
    assert last_said(alice)["delivered"] is False


@pytest.mark.parametrize("text", ["/op Steve", "!stop"])
async def test_a_public_line_is_never_an_order(rig: PublicRig, text: str) -> None:
    alice = await rig.bot("Alice")
    command = f'!chat {{"public": true, "message": "{text}"}}'
    assert (await run_json(alice, command, STEVE))["success"]
    assert rig.said_aloud() == [f"> {text}"]


async def test_only_the_trusted_make_a_bot_speak_in_public(tmp_path: Path) -> None:
    rig = await Rig.found(tmp_path, Permissions())
    alice = await rig.bot("Alice")
    result = await run_json(alice, ALOUD, STEVE)
    await rig.aclose()
    assert (result["reason"], result["public"]) == ("not_permitted", True)
    assert rig.bridge.sent == []


@pytest.mark.parametrize("more", ['"username": "Steve"', '"volume": "loud"', '"maxDistance": 5'])
async def test_public_chat_has_no_range_and_no_addressee(rig: PublicRig, more: str) -> None:
    alice = await rig.bot("Alice")
    result = await run_json(alice, f'!chat {{"public": true, "message": "hi", {more}}}')
    assert (result["success"], result["reason"]) == (False, "invalid_format")
    assert rig.rig.bridge.sent == []


# --- heard ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("notice", "attended", "fired"),
    [
        ("off", [], []),
        ("addressed", ["Alice, hello"], ["Alice, hello"]),
        ("all", ["nice weather", "Alice, hello"], ["Alice, hello"]),
    ],
)
async def test_all_is_recorded_and_what_is_attended_to_and_answered_is_configured(
    rig: PublicRig, notice: PublicNotice, attended: list[str], fired: list[str]
) -> None:
    alice = await rig.bot("Alice", notice=notice)
    steve = rig.world.person("Steve", FAR)
    for line in ("nice weather", "Alice, hello", "!help Alice", "!chat Steve Alice"):
        steve.chat(line)
    steve.whisper("Alice", "end")
    await until(lambda: [message.content for message in rig.rig.fired] == [*fired, "end"])
    assert texts(alice) == ["nice weather", "Alice, hello", "end"]
    assert [message.text for message in alice.attended_history()] == [*attended, "end"]
    assert [message.public for message in rig.rig.fired] == [*[True for _ in fired], False]
    assert rig.rig.bridge.sent == []


async def test_a_bot_never_hears_itself(rig: PublicRig) -> None:
    alice = await rig.bot("Alice", saying("I am Alice."), notice="all")
    await alice.say_publicly("I am Alice.")
    await alice.add_message("Steve", "end")
    assert [m.role for m in alice.get_conversation_history()] == ["assistant", "user"]
    assert rig.rig.fired == []


async def test_a_person_who_names_a_bot_in_public_is_answered_in_public(rig: PublicRig) -> None:
    alice = await rig.bot("Alice", saying("Right here."))
    await rig.bot("Bob", saying("Not asked."))
    steve = rig.world.person("Steve", FAR)
    steve.chat("where are you, ＡＬＩＣＥさん?")
    await until(lambda: rig.facts("reply.sent"))
    assert [(line.sender, line.text) for line in steve.overheard] == [("Alice", "Right here.")]
    assert steve.inbox == []
    assert [m.public for m in alice.get_conversation_history()] == [True, True]
    assert rig.facts("reply.sent")[0]["public"] is True


@pytest.mark.parametrize(
    ("asked", "by", "line", "is_answer"),
    [
        ("Which boat?", "Steve", "oak", True),
        ("どのボート？", "Steve", "オーク", True),
        ("All right.", "Steve", "oak", False),
        ("Which boat?", "Tim", "oak", False),
        ("Which boat?", "Steve", "Bob, come here", False),
        ("Which boat?", "Steve", "Tim, look at this", False),
    ],
)
async def test_the_next_line_of_whoever_was_asked_in_public_needs_no_name(
    rig: PublicRig, asked: str, by: str, line: str, is_answer: bool
) -> None:
    said = [asked, "As you like.", "All right."]
    alice = await rig.bot("Alice", FunctionModel(lambda question: said.pop(0)))
    await rig.bot("Bob", position=FAR)
    people = {name: rig.world.person(name, HERE) for name in ("Steve", "Tim")}
    people["Tim"].chat("hi all")
    await until(lambda: alice.latest_sequence() == 1)
    people["Steve"].chat("Alice, make a boat")
    await until(lambda: rig.said_aloud("Alice") == [asked])
    people[by].chat(line)
    if is_answer:
        await until(lambda: rig.said_aloud("Alice") == [asked, "As you like."])
        people[by].chat("oh well")  # the answer was given
    people["Steve"].chat("Alice, stay")
    expected = ["Alice, make a boat", *[line] * is_answer, "Alice, stay"]
    await until(lambda: rig.attended("Alice")[-1:] == ["Alice, stay"])
    assert rig.attended("Alice") == expected


async def test_a_question_in_public_is_open_for_a_minute(rig: PublicRig) -> None:
    alice = await rig.bot("Alice", saying("Which boat?"))
    steve = rig.world.person("Steve", HERE)
    steve.chat("Alice, make a boat")
    await until(lambda: rig.said_aloud("Alice") == ["Which boat?"])
    (asked,) = [one for one in alice.get_conversation_history() if one.role == "assistant"]
    object.__setattr__(asked, "heard_at", asked.heard_at - timedelta(seconds=61))
    steve.chat("oak")
    steve.chat("Alice, stay")
    await until(lambda: len(rig.attended("Alice")) == 2)
    assert rig.attended("Alice") == ["Alice, make a boat", "Alice, stay"]


@pytest.mark.parametrize("whisper_first", [True, False])
async def test_lines_whispered_and_said_aloud_are_answered_apart_though_they_wait_together(
    rig: PublicRig, whisper_first: bool
) -> None:
    free = asyncio.Event()

    async def answer(asked: Question) -> str:
        await free.wait()
        return "secret" if "secret" in asked.turns[-1].text else "aloud"

    alice = await rig.bot("Alice", FunctionModel(answer))
    steve, alex = rig.world.person("Steve"), rig.world.person("Alex")
    alex.whisper("Alice", "hello")
    await until(lambda: alice.doing)
    if whisper_first:
        steve.whisper("Alice", "a secret")
    steve.chat("Alice, hello")
    if not whisper_first:
        steve.whisper("Alice", "a secret")
    await until(lambda: len(texts(alice)) == 3)
    free.set()
    await until(lambda: len(rig.facts("reply.sent")) == 3)
    assert [line.text for line in steve.inbox] == ["secret"]
    assert [line.text for line in steve.overheard] == ["aloud"]


async def test_what_was_whispered_is_not_known_when_answering_in_public(rig: PublicRig) -> None:
    asked: list[Question] = []

    def answer(question: Question) -> str:
        asked.append(question)
        return "I see."

    await rig.bot("Alice", FunctionModel(answer))
    steve, alex = rig.world.person("Steve"), rig.world.person("Alex")
    steve.whisper("Alice", "the treasure lies at the oak")
    await steve.hears()
    alex.chat("Alice, where is the treasure?")
    await until(lambda: len(asked) == 2)
    assert "oak" not in "".join(turn.text for turn in asked[1].turns)
    assert '"in_public":true' in asked[1].turns[-1].text
    assert "in_public" not in asked[0].turns[-1].text


async def test_a_player_below_trusted_reads_public_lines_in_the_history(tmp_path: Path) -> None:
    rig = PublicRig(await Rig.found(tmp_path, Permissions()), tmp_path)
    alice = await rig.bot("Alice")
    rig.world.person("Steve").chat("Alice, hello")
    rig.world.person("Steve").whisper("Alice", "psst")
    await until(lambda: len(texts(alice)) == 2)
    read = await run_json(alice, "!history", Person(PlayerName("Alex")))
    await rig.aclose()
    assert [message["content"] for message in read["history"]] == ["Alice, hello"]


# --- shown ----------------------------------------------------------------------------


async def test_the_narrator_tells_each_public_line_once(rig: PublicRig) -> None:
    alice = await rig.bot("Alice", saying("Good day, Steve."), notice="all")
    await rig.bot("Bob", notice="all")
    steve = rig.world.person("Steve")
    steve.chat("Alice, hello")
    await until(lambda: rig.facts("reply.sent"))
    await alice.say_publicly("Lovely.")
    assert rig.narrated() == [
        {"by": "Steve", "to": "everybody", "text": "Alice, hello"},
        {"by": "Alice", "to": "everybody", "text": "Good day, Steve."},
        {"by": "Alice", "to": "everybody", "text": "Lovely."},
    ]


def test_of_all_who_hear_a_line_one_tells_and_saying_it_again_is_news() -> None:
    room, now = PublicRoom(), datetime(2026, 1, 1, tzinfo=UTC)
    heard = [("A", 0), ("B", 0), ("B", 1), ("A", 1), ("C", 1), ("B", 60)]
    news = [room.is_news(bot, "Steve", "hi", now + timedelta(seconds=s)) for bot, s in heard]
    assert news == [True, False, True, False, False, True]


# --- without end, never ---------------------------------------------------------------


@pytest.mark.parametrize("names", [("Alice", "Bob"), ("Alice", "Bob", "Carol")])
@pytest.mark.parametrize("notice", ["addressed", "all"])
async def test_bots_that_always_answer_each_other_by_name_stop_at_the_turn_limit(
    rig: PublicRig, names: tuple[str, ...], notice: PublicNotice
) -> None:
    everyone = saying(f"And you, {', '.join(names)}?")
    bots = [await rig.bot(name, everyone, notice=notice) for name in names]
    await bots[0].say_publicly("Hello Bob!")
    await until(lambda: any(f["why"] == "turn_limit" for f in rig.facts("decision.dropped")))
    await until(lambda: len(rig.facts("reply.sent")) >= TURNS_WITHOUT_A_PERSON)
    await until(lambda: not any(bot.doing for bot in bots))
    assert len(rig.said_aloud()) == 1 + TURNS_WITHOUT_A_PERSON


async def test_a_person_in_public_gives_the_bots_new_turns(rig: PublicRig) -> None:
    model = saying("And you, Alice, Bob?")
    alice, bob = await rig.bot("Alice", model), await rig.bot("Bob", model)
    await alice.say_publicly("Hello Bob!")
    await until(lambda: len(rig.said_aloud()) == 1 + TURNS_WITHOUT_A_PERSON)
    await until(lambda: not (alice.doing or bob.doing))
    assert not rig.rig.shared.turns.take_public_turn()
    rig.world.person("Steve").chat("Alice, go on")
    await until(lambda: any(f["speaker"] == "Steve" for f in rig.facts("reply.sent")))
    assert rig.rig.shared.turns.take_public_turn()


async def test_a_person_silences_the_bots_in_public_too(rig: PublicRig) -> None:
    alice = await rig.bot("Alice", saying("And you, Bob?"))
    await rig.bot("Bob", saying("And you, Alice?"))
    steve = rig.world.person("Steve")
    steve.whisper("Bob", "hello")
    await steve.hears()
    await alice.say_publicly("Hello Bob!")
    await until(lambda: rig.facts("decision.dropped"))
    assert rig.facts("decision.dropped")[0]["why"] == "person_talks"
    assert rig.said_aloud() == ["Hello Bob!"]


# --- by name --------------------------------------------------------------------------


SAID = {
    "Alice": (
        *("Alice", "hey alice!", "ALICE, come", "@Alice", "Alice's house", "ＡＬＩＣＥ"),
        *("Aliceさん、おはよう", "やあAlice", "山田AliceちゃんとBob", "ＡｌｉｃｅサンとBob"),
        *("Malice and Alice", "Alice씨", "(Alice)", "a.Alice-b"),
    ),
    "Good Morning": ("good   morning all",),
    **{"木": ("木をください",), "ツール": ("ツールある?",), "おはよう": ("おはようございます",)},
}
NOT_SAID = {
    "Alice": (
        *(
            "Malice",
            "Alices",
            "Alice2",
            "Alice_",
            "2Alice",
            "Alicé",
            "ÄAlice",
            "Al ice",
            "",
            "аlice",
        ),
    ),
    "good morning": ("good mornings", "very good, morning"),
    **{"木": ("木材をください",), "ツール": ("ツールバー",), "": ("anything",)},
}


def test_names_and_words_are_whole_words_whatever_their_spelling_and_what_is_around() -> None:
    for table, is_said in ((SAID, True), (NOT_SAID, False)):
        for words, lines in table.items():
            assert [line for line in lines if says(line, words) is not is_said] == []


@given(st.text(max_size=30), st.text(max_size=30))
def test_a_name_between_spaces_is_always_found(before: str, after: str) -> None:
    assert says(f"{before} Alice {after}", "Alice")


@given(st.text(max_size=60), st.text(max_size=10))
def test_any_line_can_be_asked_for_any_words(line: str, words: str) -> None:
    assert says(line, words) in (True, False)
