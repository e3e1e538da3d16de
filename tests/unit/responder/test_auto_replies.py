"""Auto-replies: fixed answers from the settings, for people, without a decision."""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.daemons import Town
from support.rig import until

from bots.access.origin import Fellow, Operator, Origin, Person
from bots.app import Daemon
from bots.chat.natural_message import NaturalMessage
from bots.errors import SettingsError
from bots.responder.limits import WINDOW_S, AutoReplies, AutoReply
from bots.settings.loading import load_settings
from bots.settings.settings import (
    AutoReplySettings,
    ChatSettings,
    LimitSettings,
    Settings,
)
from bridge.world import BotName, PlayerName
from llm.function_model import FunctionModel

RULES = [
    AutoReply("rules", "Be kind; do not dig below the houses."),
    AutoReply("good morning", "Good morning to you!"),
    AutoReply("おはよう", "おはようございます！"),
]


def heard(text: str, origin: Origin | None = None) -> NaturalMessage:
    origin = origin or Person(PlayerName("Steve"))
    return NaturalMessage(BotName("Alice"), "Steve", text, 0, origin, 1)


def replies(per_minute: int = 6, now: Sequence[float] = (0.0,)) -> AutoReplies:
    times = iter(now)
    return AutoReplies(RULES, per_minute=per_minute, stopwatch=lambda: next(times))


@asynccontextmanager
async def rig(town: Town, model: FunctionModel, *, per_minute: int = 6) -> AsyncIterator[Daemon]:
    rows = tuple(AutoReplySettings(match=fixed.match, reply=fixed.reply) for fixed in RULES)
    chat = ChatSettings(auto_replies=rows, public="addressed")
    limits = LimitSettings(auto_replies_per_minute=per_minute)
    async with town.with_settings(model, "Alice", "Bob", chat=chat, limits=limits) as daemon:
        yield daemon


def thinking() -> FunctionModel:
    return FunctionModel(lambda question: "I thought about it.")


# --- which line gets which answer -----------------------------------------------------


@pytest.mark.parametrize(
    ("line", "answered"),
    [
        ("What are the RULES?", 0),
        ("ｒｕｌｅｓ please", 0),
        ("well,  Good   Morning!", 1),
        ("the rules, and good morning", 0),
        ("Aliceさん、おはようございます", 2),
        ("she overrules you", None),
        ("good evening", None),
        ("", None),
    ],
)
def test_the_first_row_whose_words_a_line_says_is_its_answer(
    line: str, answered: int | None
) -> None:
    assert replies().to(heard(line)) == (None if answered is None else RULES[answered])


@pytest.mark.parametrize("origin", [Fellow(BotName("Bob")), Operator("http")])
def test_only_persons_get_fixed_answers(origin: Origin) -> None:
    assert replies().to(heard("rules", origin)) is None


def test_a_speaker_gets_so_many_in_a_minute_and_others_are_not_concerned() -> None:
    limited = replies(per_minute=2, now=[0, 1, 2, 2, WINDOW_S])
    said = [limited.admit(name) for name in ("Steve", "Steve", "Steve", "Alex", "Steve")]
    assert said == ["admitted", "admitted", "refused", "admitted", "admitted"]


@given(st.text(max_size=40))
def test_no_line_breaks_the_matching(line: str) -> None:
    assert replies().to(heard(line)) in (None, *RULES)


# --- instead of thinking --------------------------------------------------------------


async def test_a_fixed_answer_is_whispered_and_recorded_and_nothing_is_thought(town: Town) -> None:
    model = thinking()
    steve = town.world.person("Steve")
    async with rig(town, model) as daemon:
        steve.whisper("Alice", "what are the rules?")
        assert (await steve.hears()).text == RULES[0].reply
        alice = daemon.bot("Alice")
        await until(lambda: list(daemon.trace.recent("reply.sent")))
        assert [m.text for m in alice.get_conversation_history()] == [
            "what are the rules?",
            RULES[0].reply,
        ]
        chosen = next(daemon.trace.recent("auto_reply.chosen"))
        assert (chosen.bot, chosen.facts["speaker"], chosen.facts["match"]) == (
            "Alice",
            "Steve",
            "rules",
        )
        assert model.questions == []


async def test_other_lines_of_the_same_speaker_are_thought_about(town: Town) -> None:
    steve = town.world.person("Steve")
    async with rig(town, thinking()):
        steve.whisper("Alice", "rules?")
        steve.whisper("Alice", "and what do you think?")
        assert {(await steve.hears()).text, (await steve.hears()).text} == {
            RULES[0].reply,
            "I thought about it.",
        }


async def test_whoever_asks_too_often_is_told_so_once_and_it_is_traced(town: Town) -> None:
    model = thinking()
    steve = town.world.person("Steve")
    async with rig(town, model, per_minute=1) as daemon:
        for _ in range(3):
            steve.whisper("Alice", "rules?")
        await until(lambda: len(list(daemon.trace.recent("auto_reply.withheld"))) == 2)
        assert (await steve.hears()).text == RULES[0].reply
        await until(lambda: len(daemon.bot("Alice").get_conversation_history()) == 4)
        assert (await steve.hears()).text == "I answer that 1 times a minute; wait a little."
        assert (len(steve.inbox), model.questions) == (2, [])


async def test_named_in_public_a_bot_gives_its_fixed_answer_in_public(town: Town) -> None:
    model = thinking()
    steve = town.world.person("Steve")
    async with rig(town, model) as daemon:
        steve.chat("the rules say so")
        steve.chat("Alice, what are the rules?")
        await until(lambda: list(daemon.trace.recent("reply.sent")))
        assert [(line.sender, line.text) for line in steve.overheard] == [("Alice", RULES[0].reply)]
        assert (steve.inbox, model.questions) == ([], [])


async def test_a_bot_is_never_given_a_fixed_answer(town: Town) -> None:
    async with rig(town, thinking()) as daemon:
        await daemon.bot("Alice").tell("Bob", "good morning", 15.0)
        await until(lambda: list(daemon.trace.recent("message.heard")))
        assert list(daemon.trace.recent("auto_reply.chosen")) == []


# --- the configuration ----------------------------------------------------------------


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TOWNSFOLK_DATA_DIR", str(tmp_path / "data"))


def loaded(tmp_path: Path, toml: str) -> Settings:
    file = tmp_path / "some.toml"
    file.write_text(toml, encoding="utf-8")
    return load_settings(file, {})


def test_by_default_there_are_none_and_lines_that_name_a_bot_are_noticed(tmp_path: Path) -> None:
    chat = loaded(tmp_path, "").chat
    assert (chat.auto_replies, chat.public) == ((), "addressed")


def test_the_file_has_a_table_for_each(tmp_path: Path) -> None:
    toml = """
        [chat]
        public = "all"
        [[chat.auto_replies]]
        match = "rules"
        reply = "Be kind."
        [[chat.auto_replies]]
        match = "おはよう"
        reply = "おはよう！"
    """
    chat = loaded(tmp_path, toml).chat
    assert chat.public == "all"
    assert [(row.match, row.reply) for row in chat.auto_replies] == [
        ("rules", "Be kind."),
        ("おはよう", "おはよう！"),
    ]


def test_the_environment_holds_them_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = json.dumps([{"match": "rules", "reply": "Be kind."}])
    monkeypatch.setenv("TOWNSFOLK_CHAT__AUTO_REPLIES", rows)
    monkeypatch.setenv("TOWNSFOLK_CHAT__PUBLIC", "addressed")
    chat = load_settings(None, {}).chat
    assert (chat.auto_replies[0].reply, chat.public) == ("Be kind.", "addressed")


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        ('[[chat.auto_replies]]\nmatch = "..."\nreply = "x"', "at least one letter"),
        ('[[chat.auto_replies]]\nmatch = "a"\nreply = "§"', "nothing that can be said"),
        ('[[chat.auto_replies]]\nmatch = "a"', "auto_replies.0.reply"),
        ('[[chat.auto_replies]]\nmatsch = "a"\nreply = "b"', "unknown setting"),
        ('[[chat.auto_replies]]\nmatch = "' + "a" * 101 + '"\nreply = "b"', "100"),
        ('[[chat.auto_replies]]\nmatch = "a"\nreply = "' + "b" * 321 + '"', "320"),
        (
            '[[chat.auto_replies]]\nmatch = "a"\nreply = "b"\n'
            '[[chat.auto_replies]]\nmatch = "Ａ"\nreply = "c"',
            "twice",
        ),
        ('[chat]\npublic = "loudly"', "chat.public"),
        ('[chat]\nauto_replies = "rules"', "JSON"),
    ],
)
def test_a_mistake_is_told(tmp_path: Path, rows: str, complaint: str) -> None:
    with pytest.raises(SettingsError, match="chat") as refused:
        loaded(tmp_path, rows)
    assert complaint in str(refused.value)
