"""Bots of daemons that know nothing of each other exchange a few lines, then they are quiet."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as example_settings
from hypothesis import strategies as st
from support.two_daemons import Apart, Line, Style, daemons_apart

from bots.chat.between_daemons import introduction, with_introduction
from bots.settings.settings import IdleSettings, PermissionSettings
from bots.settings.talk import AutoReplySettings, ChatSettings, TalkSettings
from bots.words.heard import questions
from bridge.fake import Person
from bridge.world import Position

MOST = 8
ALICE, CARL = BOTS = "Alice", "Carl"
SILENT: dict[str, Any] = {
    "idle": IdleSettings(enabled=False),
    "talk": TalkSettings(small_talk=False),
}
"""Nobody says anything of his own accord."""
LIVELY: dict[str, Any] = {"idle": IdleSettings(enabled=True), "talk": TalkSettings(small_talk=True)}
"""As a daemon is shipped."""
STYLES: dict[str, Style] = {
    "sentences": lambda n: f"That reminds me of the {n} sheep behind the hill.",
    "lower case": lambda n: f"ok {n}",
    "long": lambda n: f"Number {n}: " + "I think we could walk over there and look at it. " * 5,
    "Japanese": lambda n: f"それは{n}匹の羊を思い出しますね。",
    "questions": lambda n: f"What do you think of number {n}, my friend?",
    "names": lambda n: f"Yes Alice and Carl, {n} it is.",
    "the same": lambda n: "Hello there!",
    "refusals": lambda n: "Sorry, that is beyond me. !help tells what I can do.",
}
FIRST: dict[str, tuple[str, ...]] = {
    "greetings": ("hi", "Hello there, how are you?", "good evening Carl", "bye"),
    "questions": ("What do you carry?", "who are you?", "what is 3 times 4?", "why?", "?"),
    "orders": ("stop", "follow me", "get 3 logs", "Carl, come here and bring me bread", "be quiet"),
    "commands": ("!", "!status", "!chat Alice hello", "!nonsense"),
    "small talk": ("It has begun to rain.", "nice day", "I like sheep.", "You are right, Carl."),
    "of bots": (
        "I did not understand that. Try “where are you?” or “get 3 oak logs”.",
        "(small talk) It has begun to rain.",
        "I am Alice, a bot made with townsfolk.",
        "You answer as fast as a machine, so I am quiet for a while; commands with ! still work.",
        "help",
    ),
    "agreeing": ("yes", "no", "ok", "lol", "thanks!", ":)"),
    "languages": (
        *("こんにちは、元気？", "ついてきて", "你好吗？", "안녕하세요", "привет", "¿Qué tal?"),
    ),
    "long": ("x" * 200, "and then " * 40),
}
"""First lines by kind."""
SORRY = next(row for _, row in questions("kinds", "en") if row["name"] == "sorry")
"""What a friend says to who is sorry."""
SAID_WITHIN_S = 8.0
"""Between two lines of a flood."""


def daemons() -> st.SearchStrategy[dict[str, Any]]:
    """One with any settings that matter to a talk of bots."""
    turns = st.sampled_from([1, 2, 6, 20, 100])
    public = st.sampled_from(["off", "addressed", "all"])
    replies = st.sampled_from([(), (AutoReplySettings(match="hello", reply="Hello yourself!"),)])
    chat = st.builds(ChatSettings, public=public, pace=st.booleans(), auto_replies=replies)
    talk = st.builds(TalkSettings, small_talk=st.just(False), max_turns_without_person=turns)
    style, after_s = st.sampled_from([*STYLES.values()]), st.sampled_from([0.0, 0.4, 2.0, 4.0])
    model = st.none() | st.tuples(style, after_s)
    idle = st.just(IdleSettings(enabled=False))
    return st.fixed_dictionaries({"model": model, "talk": talk, "chat": chat, "idle": idle})


FLOOD = st.tuples(st.sampled_from([*FIRST]), st.floats(0.0, SAID_WITHIN_S))


async def is_soon_silent(
    folder: Path, each: list[dict[str, Any]], lines: list[tuple[str, float]], *, is_public: bool
) -> None:
    """Say the lines from one bot to the other: few follow them, then there is silence."""
    async with daemons_apart(folder, BOTS, each=each) as apart:
        alice = apart.daemons[0].bot(ALICE)
        for line, pause_s in lines:
            if is_public:
                await alice.say_publicly(f"{CARL}, {line}")
            else:
                await alice.tell(CARL, line, 30.0)
            await apart.wait(pause_s)
        await apart.wait(60)
        told = apart.ear.between(BOTS)
        assert 1 <= len(told) <= MOST * len(lines), told
        await apart.wait(60)
        assert apart.ear.between(BOTS) == told


@pytest.mark.parametrize("kind", FIRST)
@given(data=st.data())
@example_settings(max_examples=2, deadline=None)
async def test_any_first_line_between_any_two_daemons_leads_to_few_lines_and_then_to_silence(
    tmp_path_factory: pytest.TempPathFactory, kind: str, data: st.DataObject
) -> None:
    line, each = data.draw(st.sampled_from(FIRST[kind])), [data.draw(daemons()) for _ in BOTS]
    is_public = data.draw(st.booleans())
    folder = tmp_path_factory.mktemp("apart")
    await is_soon_silent(folder, each, [(line, 0.0)], is_public=is_public)


@given(
    each=st.lists(daemons(), min_size=2, max_size=2),
    flood=st.lists(FLOOD, min_size=2, max_size=5),
    is_public=st.booleans(),
)
@example_settings(max_examples=4, deadline=None)
async def test_a_flood_of_lines_of_any_kind_is_followed_by_silence(
    tmp_path_factory: pytest.TempPathFactory,
    each: list[dict[str, Any]],
    flood: list[tuple[str, float]],
    is_public: bool,
) -> None:
    lines = [(FIRST[kind][n % len(FIRST[kind])], pause) for n, (kind, pause) in enumerate(flood)]
    await is_soon_silent(tmp_path_factory.mktemp("apart"), each, lines, is_public=is_public)


@pytest.mark.parametrize("style", STYLES)
async def test_models_that_answer_everything_are_quiet_after_a_few_lines(
    tmp_path: Path, style: str
) -> None:
    async with daemons_apart(tmp_path, BOTS, model=(STYLES[style], 3.0), **SILENT) as apart:
        await apart.daemons[0].bot(ALICE).tell(CARL, "Hello there, how are you?", 30.0)
        await apart.wait(60)
        said = apart.ear.between(BOTS)
        assert len(said) <= MOST, said
        assert apart.knows(ALICE, CARL)
        assert apart.knows(CARL, ALICE)


def most_in(lines: list[Line], seconds: float) -> int:
    """The most lines of any stretch of so long."""
    return max((sum(0 <= b.at_s - a.at_s < seconds for b in lines) for a in lines), default=0)


@pytest.mark.slow
@pytest.mark.parametrize("names", [(ALICE, CARL), (ALICE, CARL, "Dora")])
async def test_ten_minutes_of_idle_bots_of_several_daemons_have_no_burst(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    async with daemons_apart(tmp_path, names, **LIVELY) as apart:
        await apart.wait(600)
        said = apart.ear.between(names)
        strangers = [(a, b) for a in names for b in names if a != b and not apart.knows(a, b)]
        assert strangers == []
        assert most_in(said, 20.0) <= MOST * (len(names) - 1)
        later = [line for line in said if line.at_s > 60]
        assert [one for one in later if not one.text.startswith("(small talk")] == []


# --- Which bots are strangers --------------------------------------------------------------


@pytest.fixture
async def apart(tmp_path: Path) -> AsyncIterator[Apart]:
    """A bot of one daemon."""
    async with daemons_apart(tmp_path, [ALICE], **SILENT) as apart:
        yield apart


@pytest.fixture
def steve(apart: Apart) -> Person:
    """A person beside it."""
    return apart.world.person("Steve", Position(2.5, 64, 2.5))


async def answers_of(apart: Apart, steve: Person, lines: list[str], pause_s: float) -> list[str]:
    """What a person is told who says these lines one after the other."""
    for line in lines:
        steve.whisper(ALICE, line)
        await apart.wait(pause_s)
    await apart.wait(5)
    return [heard.text for heard in steve.inbox]


@pytest.mark.parametrize(
    ("lines", "pause_s"),
    [
        (["How are you?"] * 12, 3.0),
        (["hi", "where are you", "how are you", "what time is it", "who is near"] * 4, 2.5),
    ],
    ids=["who repeats himself", "who writes quickly"],
)
async def test_a_person_is_answered_each_time_and_is_no_bot(
    apart: Apart, steve: Person, lines: list[str], pause_s: float
) -> None:
    said = await answers_of(apart, steve, lines, pause_s)
    assert len(said) >= len(lines)
    assert len([one for one in said if "My health is" in one]) == sum(
        "how are" in one.lower() for one in lines
    )
    assert not apart.knows(ALICE, "Steve")


async def test_a_person_who_says_what_bots_say_is_asked_and_then_answered(
    apart: Apart, steve: Person
) -> None:
    quoted = "Sorry, that is beyond me. !help tells what I can do."
    asked, answer = await answers_of(apart, steve, [quoted], 3.0)
    assert asked == "!status from a bot"
    assert answer in [one.format(name="Steve") for one in SORRY["says"]]
    assert not apart.knows(ALICE, "Steve")


async def test_whoever_chats_learns_once_what_he_chats_with(apart: Apart, steve: Person) -> None:
    said = await answers_of(apart, steve, ["How are you?", "Where are you?"] * 5, 5.0)
    introduced = " By the way, I am Alice, a bot made with townsfolk."
    assert len([one for one in said if one.endswith(introduced)]) == 1


async def test_a_person_who_was_told_is_not_told_again_when_he_comes_back(tmp_path: Path) -> None:
    async with daemons_apart(tmp_path, [ALICE], **SILENT) as apart:
        for told_times in (1, 0):  # he leaves, and comes back
            steve = apart.world.person("Steve", Position(2.5, 64, 2.5))
            said = await answers_of(apart, steve, ["How are you?", "Where are you?"] * 5, 6.0)
            told = [one for one in said if "made with townsfolk" in one]
            assert len(told) == told_times
            steve.leave()
            await apart.wait(1)


async def test_who_gives_orders_is_not_told_what_he_knows(apart: Apart, steve: Person) -> None:
    said = await answers_of(apart, steve, ["Follow me.", "Stop.", "Come here.", "Stop."], 3.0)
    assert said
    assert not [one for one in said if "townsfolk" in one]


@pytest.mark.parametrize(
    "line",
    [
        "!status from a bot",
        "I am Steve, a bot made with townsfolk.",
        "Nice day. I am Steve, a bot made with townsfolk.",
        "私はtownsfolkで動くボットのSteveです。",
        *(introduction("Steve", answered) for answered in ("Hi", "こんにちは", "你好吗")),
        with_introduction("Steve", "我很好。"),
        "(small talk: rain?) It has begun to rain.",
    ],
)
async def test_a_bot_is_one_by_its_own_word_until_it_leaves(
    apart: Apart, steve: Person, line: str
) -> None:
    steve.whisper(ALICE, line)
    await apart.wait(1)
    assert apart.knows(ALICE, "Steve")
    steve.leave()
    await apart.wait(1)
    assert not apart.knows(ALICE, "Steve")


async def test_what_somebody_says_of_another_makes_him_no_bot(apart: Apart, steve: Person) -> None:
    steve.whisper(ALICE, "I am Alex, a bot made with townsfolk.")
    await apart.wait(1)
    assert not apart.knows(ALICE, "Steve")
    assert not apart.knows(ALICE, "Alex")


async def test_whom_the_settings_name_is_a_person_whatever_he_says(tmp_path: Path) -> None:
    owned = PermissionSettings(owners=("Steve",))
    async with daemons_apart(tmp_path, [ALICE], permissions=owned, **SILENT) as apart:
        steve = apart.world.person("Steve", Position(2.5, 64, 2.5))
        said = await answers_of(
            apart, steve, ["I am Steve, a bot made with townsfolk.", "How are you?"], 3.0
        )
        assert not apart.knows(ALICE, "Steve")
        assert "My health is" in said[-1]
