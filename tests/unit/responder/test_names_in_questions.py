"""Names that read as other words: every question and answer marks them, and nobody is mixed up."""

import asyncio
import re
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bots.access.origin import Level
from bots.catalogue.names import Things
from bots.commands.catalogue import commands
from bots.registry.args import check, names_in, player_keys
from bots.registry.named import unseen
from bots.responder.asking_back import AskedFor, left, question, said_in
from bots.responder.rules.requests.ask import Ask
from bots.talks.live.door import Door
from bots.talks.machine.events import Participant
from bots.text.language import Language
from bots.text.printable import excerpt
from bots.text.pronouns import ADDRESSEE, ASKER, OTHERS, as_told, is_asker
from bots.text.spelling import spelt
from bridge.fake import FakeWorld
from bridge.fake.sensing import take_snapshot
from bridge.world import PlayerName

ASKING, BOTS = "Steve", ("Alice", "Bob")
WORDS = sorted(ASKER | ADDRESSEE | OTHERS)
LOOKING_ALIKE = str.maketrans("oeaicu1l", "оеаісυIІ")
TWINS = (
    *("steve", "STEVE", "Stеve", "St\u200beve", "_Steve", "Steve.", "ｓｔｅｖｅ", "@operator"),
    "Steve?",
)
ANSWERS = ("yes", "no", "not", "never", "ok", "はい", "ない", "ye", "e", "please", "stop")

written_otherwise = st.sampled_from(
    (
        str,
        str.upper,
        str.title,
        lambda word: word.translate(LOOKING_ALIKE),
        lambda word: f"_{word}",
        lambda word: f"{word}_",
        lambda word: f"“{word}”",
        lambda word: f"{word}” and “Eve",
    )
)
names = st.one_of(
    st.builds(lambda write, word: write(word), written_otherwise, st.sampled_from(WORDS)),
    st.sampled_from((*TWINS, *BOTS, *ANSWERS, "alice", "Mallory", "x, you", "2 for you")),
    st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=16),
)
LANGUAGES = st.sampled_from(("en", "ja"))
TURNS_OF_THE_LOOP = 20  # more than a door takes to let somebody in
CALLS: tuple[tuple[str, dict[str, object], str], ...] = (
    ("navigation_dropItem", {"itemName": "diamond"}, "targetPlayer"),
    ("navigation_dropItem", {"itemName": "diamond", "count": -1}, "targetPlayer"),
    ("navigation_dropItem", {"itemName": "diamond", "maxDistance": 9}, "targetPlayer"),
    ("navigation_follow", {}, "username"),
    ("chat", {"message": "hi"}, "username"),
    ("look_player", {}, "username"),
    ("go", {}, "where"),
    ("forget_me", {}, "person"),
    ("knows", {}, "name"),
    ("navigation_goto", {}, "name"),
)
"""A tool, its other arguments, and the argument that names somebody."""
QUOTES = str.maketrans("“”„«»「」『』", "'''''''''")


def marked(name: str) -> tuple[str, ...]:
    """The ways in which a question may show somebody else's name."""
    bare = name.translate(QUOTES)
    in_json = name.replace("\\", "\\\\").replace('"', '\\"')
    return (f"“{bare}”", f"「{bare}」", f'"{in_json}"')


def is_marked(name: str, words: str) -> bool:
    return any(one in words for one in marked(name))


@given(st.sampled_from(CALLS), names, LANGUAGES)
@example(CALLS[2], "x, you", "en")
@example(CALLS[2], ",", "en")
def test_whoever_is_not_the_asker_is_marked_in_every_question(
    call: tuple[str, dict[str, object], str], name: str, language: Language
) -> None:
    tool, fields, key = call
    asked = AskedFor(tool, {**fields, key: name}, Level.TRUSTED, frozenset())
    words = question(asked, language, ASKING)
    told = left(asked, language, ASKING, [name])
    if name == ASKING or is_asker(name):
        return
    assert (
        words is None
        or is_marked(name, words)
        or all(is_marked(one, words) for one in names_in(name))
    )
    assert is_marked(excerpt(name, 40), told)
    shown = re.sub(r"“[^”]*”|「[^」]*」|\"(\\.|[^\"])*\"", "", words or "").replace("forget me", "")
    assert not re.search(r"\b(you|me)\b|あなた|私", shown)


@pytest.mark.parametrize("several", [["me"], "me,you", ["me", "you"], ("Bob、me",)])
def test_of_several_names_the_asker_alone_is_without_quotes(several: object) -> None:
    asked = AskedFor("talk_start", {"participants": several}, Level.TRUSTED, frozenset())
    shown = (question(asked, "en", ASKING) or "").partition("=")[2].strip("[]?").split(", ")
    assert [one for one in shown if '"' not in one] == ["you"]


@given(names, LANGUAGES)
def test_beside_whom_is_marked_too(name: str, language: Language) -> None:
    near = name.split(maxsplit=1)[0]
    asked = AskedFor("goal", {"goal": f"placed.torch near:{near}"}, Level.TRUSTED, frozenset())
    words = question(asked, language, ASKING) or ""
    shown = near.translate(QUOTES)
    is_point = re.fullmatch(r"[-\d.,]+", near) is not None
    if near != ASKING and not is_asker(near) and words:
        assert is_point or f"“{shown}”" in words or f"「{shown}」" in words


@given(st.sampled_from(sorted(ASKER)), st.sampled_from((str, str.upper, str.title)))
def test_every_word_for_the_asker_is_the_asker(word: str, write: object) -> None:
    assert callable(write)
    for command in commands:
        for key in player_keys(command.args) - {"where", "words"}:
            of_several = key in ("participants", "usernames")
            given_word: object = [write(word)] if of_several else write(word)
            needed = {"message": "hi", "itemName": "bread"}
            fields = {k: v for k, v in needed.items() if k in command.schema["properties"]}
            args = check(command.args, {**fields, key: given_word}, ASKING)
            assert args.model_dump(by_alias=True)[key] in (ASKING, [ASKING], (ASKING,)), command


@given(names, st.lists(names, max_size=5))
def test_a_name_reaches_the_player_of_that_name_or_nobody(name: str, others: list[str]) -> None:
    found = spelt(name, others)
    assert found is None or found.casefold() == name.casefold()
    if name in others:
        assert found == name


@pytest.mark.parametrize("word", WORDS)
def test_a_plain_request_means_no_player_who_is_called_as_a_word(word: str) -> None:
    """“Give him 3 diamonds” is not for the player “him”."""
    fake = FakeWorld()
    body = fake.enter(PlayerName("Alice"))
    for name in (word, ASKING):
        fake.person(name)
    world = take_snapshot(fake, body, 0)
    found = Ask("Alice", ASKING, Things(frozenset()), world).player(word)
    assert (found and found.name) == (ASKING if is_asker(word) else None)
    own = Ask("Alice", word, Things(frozenset()), world).player(word)
    assert own is not None
    assert own.name == word


@given(names)
def test_an_answer_marks_whatever_would_read_as_another_word(name: str) -> None:
    told = as_told(name)
    is_plain = re.fullmatch(r"[.*~]?[A-Za-z0-9_]+", name) is not None
    assert told in (name, f"the player “{name.translate(QUOTES)}”")
    assert told != name or is_plain
    assert told != name or name.casefold().strip("_.*~") not in WORDS


def test_a_refusal_marks_the_name_as_well() -> None:
    assert str(unseen("you")) == "I do not see the player “you” from here."


@pytest.mark.parametrize("name", ["Steve", "Nobody7", "_Al_", ".Steve", "Willow", "Us3r", "Hero"])
def test_a_usual_name_is_told_as_it_is(name: str) -> None:
    assert as_told(name) == name


@given(names, st.sampled_from(("not", "no", "never")))
def test_no_name_makes_a_yes_of_what_is_none(name: str, word: str) -> None:
    assert said_in(name, [f"{word} yes"]) != "yes"


async def _let_in(newcomers: list[str], line: str) -> list[str]:
    """Who is in after Olga, who is in a talk, says this while they ask to join."""
    inside = [Participant("Alice", "bot"), Participant("Olga", "person")]
    forever = asyncio.Event()

    async def sleep(_seconds: float) -> None:
        await forever.wait()

    def tell(_person: str, _words: str, said: Callable[[], None] | None) -> None:
        if said is not None:
            said()

    door = Door(lambda: inside, inside.append, tell, sleep)
    for name in newcomers:
        assert door.knock(Participant(name, "person"))
    await asyncio.sleep(0)
    door.answers("Olga", line)
    for _ in range(TURNS_OF_THE_LOOP):
        await asyncio.sleep(0)
    await door.aclose()
    return [one.name for one in inside[2:]]


@pytest.mark.parametrize("name", ["not", "no", "never", "Not"])
def test_a_refusal_lets_nobody_in_whatever_they_are_called(name: str) -> None:
    assert asyncio.run(_let_in([name], f"{name} yes")) == []
    assert asyncio.run(_let_in([name], "yes")) == [name]


def test_of_two_who_ask_a_plain_yes_lets_nobody_in() -> None:
    assert asyncio.run(_let_in(["Mallory", "Tom"], "yes")) == []
    assert asyncio.run(_let_in(["Mallory", "Tom"], "yes Tom")) == ["Tom"]
    assert asyncio.run(_let_in(["yes", "Tom"], "yes Tom")) == ["Tom"]
