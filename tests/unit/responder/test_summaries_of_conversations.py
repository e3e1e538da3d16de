"""What is noted of one conversation is made of its lines alone, and shown only to those who may
know each of them.

Whose word is in what is counted here from who said it to whom, not from what the program keeps.
"""

import asyncio
import re
import tempfile
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.cases import LEVELS, case_of, heard, pending_turn
from support.decision_parts import engine_of, prompts_of
from support.live_talks import is_summary
from support.rig import until

from bots.access.origin import Level, Person
from bots.access.sources import Sources
from bots.chat.message import Message, with_one
from bots.responder.prompt.builder import ContextPrompts
from bots.responder.prompt.summaries import MOST_CIRCLES, SqliteSummaries
from bots.store.database import FILE_NAME, Store
from bridge.world import PlayerName
from llm.engine.context import Summary
from llm.engine.decision import without_model
from llm.function_model import FunctionModel
from llm.model import Question

WORD = re.compile(r"word(\d+)x")
DECIDED = without_model("hello", "test")


@dataclass(frozen=True)
class Said:
    """A line and who may know it; None: everybody."""

    speaker: str
    where: str
    """whisper, public, or the number of a talk."""
    by_alice: bool
    """Alice's own words in that conversation."""


TALKS = {"1": ("Mallory", "Olga"), "2": ("Eve", "Tom"), "3": ("Eve", "Mallory")}
SAID = st.builds(
    Said,
    st.sampled_from(("Olga", "Tom", "Mallory", "Eve")),
    st.sampled_from(("whisper", "whisper", "public", *TALKS)),
    st.booleans(),
)


def may_know(one: Said) -> frozenset[str] | None:
    if one.where == "public":
        return None
    return frozenset(TALKS.get(one.where, (one.speaker,)))


def conversation(one: Said) -> str:
    return one.speaker if one.where == "whisper" else one.where


def line(number: int, one: Said) -> Message:
    words = f"word{number}x"
    speaker = "Alice" if one.by_alice else one.speaker
    to = one.speaker if one.by_alice and one.where == "whisper" else ""
    said = heard(speaker, words, number, to=to, public=one.where == "public")
    origin = Person(PlayerName(one.speaker))
    sources = Sources.said_by(origin, LEVELS.level_of(origin), may_know(one))
    talk = int(one.where) if one.where in TALKS else None
    return replace(said, utterance=replace(said.utterance, sources=sources, talk=talk))


def repeats(question: Question) -> str:
    return " ".join(f"word{number}x" for number in WORD.findall(read_in(question))[-40:]) or "-"


def read_in(question: Question) -> str:
    return "\n".join(turn.text for turn in question.turns)


def words_in(question: Question) -> set[int]:
    return {int(number) for number in WORD.findall(read_in(question))}


async def at_once(seconds: float) -> None:
    """Lets no time pass."""


def prompts_on(store: Store) -> tuple[ContextPrompts, FunctionModel]:
    model = FunctionModel(repeats)
    prompts = prompts_of(
        engine_of(model),
        summaries=SqliteSummaries(store),
        level_of=LEVELS.level_of,
        stopwatch=lambda: 0.0,
        sleep=at_once,
    )
    return prompts, model


async def asked_by(
    prompts: ContextPrompts, history: Sequence[Message], hearer: str, *, public: bool = False
) -> Question:
    """What is shown for an answer to this one, after which due summaries are made."""
    case = case_of(history, pending_turn(hearer, "and now?", public=public))
    prompt = await prompts.prompt(case)
    prompts.decided(case, DECIDED)
    await until(lambda: not len(prompts._summariser._tasks))
    return prompt.question


def is_for(hearer: Said, one: Said) -> bool:
    audience = may_know(one)
    if audience is None or hearer.where == "public":
        return audience is None
    level = LEVELS.level_of(Person(PlayerName(hearer.speaker)))
    return level >= Level.TRUSTED or hearer.speaker in audience


async def assert_apart(course: Sequence[Said], folder: Path) -> None:
    """Every conversation is summarised apart, and nobody reads what is not for them."""
    store = await Store.open(folder / FILE_NAME)
    prompts, model = prompts_on(store)
    questions = [model.questions]
    history = [line(number, one) for number, one in enumerate(course)]
    for count, one in enumerate(course, 1):
        if count % 40 == 0:  # a restart
            await prompts.aclose()
            prompts, model = prompts_on(store)
            questions.append(model.questions)
        newest = history[max(0, count - 100) : count]
        read = await asked_by(prompts, newest, one.speaker, public=one.where == "public")
        assert all(is_for(one, course[number]) for number in words_in(read))
    for question in (one for asked in questions for one in asked):
        assert len({conversation(course[number]) for number in words_in(question)}) == 1
    await prompts.aclose()
    await store.aclose()


@pytest.mark.slow
@given(st.lists(SAID, min_size=30, max_size=120))
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_line_of_one_conversation_is_in_a_summary_of_another_nor_told_to_whom_it_is_not_for(
    course: list[Said],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(assert_apart(course, Path(folder)))


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = await Store.open(tmp_path / FILE_NAME)
    yield store
    await store.aclose()


def whispers(name: str, first: int, count: int) -> list[Message]:
    return [heard(name, f"{name}'s {number}", number) for number in range(first, first + count)]


async def test_an_owner_reads_the_notes_of_all_conversations_and_a_stranger_those_of_his_own(
    store: Store,
) -> None:
    prompts, _ = prompts_on(store)
    kept = SqliteSummaries(store)
    for name, number in (("Mallory", 1), ("Eve", 2), ("Olga", 3)):
        said = heard(name, "", number).utterance.sources
        notes = [Summary(number, f"{name}'s notes", frozenset({said}))]
        await kept.store("Alice", with_one(name), notes)
    owners = read_in(await asked_by(prompts, [], "Olga"))
    assert re.findall(r"(\w+)'s notes", owners) == ["Mallory", "Eve", "Olga"]
    assert re.findall(r"(\w+)'s notes", read_in(await asked_by(prompts, [], "Eve"))) == ["Eve"]
    assert "notes" not in read_in(await asked_by(prompts, [], "Olga", public=True))


async def test_who_comes_back_after_many_others_finds_his_own_words_remembered(
    store: Store,
) -> None:
    prompts, _ = prompts_on(store)
    history = [*whispers("Tom", 1, 5), *whispers("Olga", 6, 50)]
    case = case_of(history, pending_turn("Tom", "and now?"))
    read = read_in((await prompts.prompt(case)).question)
    assert all(f"Tom's {number}" in read for number in range(1, 6))
    assert "Olga's" not in read


async def test_what_was_said_with_somebody_who_has_gone_is_summarised_whole(store: Store) -> None:
    prompts, model = prompts_on(store)
    history = [*whispers("Tom", 1, 5), *whispers("Olga", 6, 50)]
    await asked_by(prompts, history, "Olga")
    (toms,) = [one for one in model.questions if "Tom" in read_in(one) and is_summary(one)]
    assert re.findall(r"(\w+)'s (\d+)", read_in(toms)) == [("Tom", str(n)) for n in range(1, 6)]


async def test_lines_that_a_hearer_may_know_are_shown_though_their_summary_is_not(
    store: Store,
) -> None:
    """Eve came later into a talk of which a summary was made with words from before."""
    prompts, _ = prompts_on(store)
    before = [line(number, Said("Mallory", "1", False)) for number in range(1, 9)]
    since = [
        replace(one, utterance=replace(one.utterance, talk=1))
        for one in (line(number, Said("Eve", "3", False)) for number in range(9, 16))
    ]
    history = [*before, *since]
    await asked_by(prompts, history, "Mallory")
    eves = await asked_by(prompts, history, "Eve")
    assert words_in(eves) == set(range(9, 16))


async def test_the_oldest_conversations_are_forgotten_and_the_newest_kept(store: Store) -> None:
    kept = SqliteSummaries(store)
    said = heard("Steve", "").utterance.sources
    for number in range(MOST_CIRCLES + 5):
        notes = [Summary(number, f"note {number}", frozenset({said}))]
        await kept.store("Alice", with_one(f"P{number}"), notes)
    names = [circle.name for circle in await kept.load("Alice")]
    assert names == [f"P{number}" for number in range(5, MOST_CIRCLES + 5)]


def test_a_line_of_a_talk_belongs_to_it_wherever_it_was_said() -> None:
    aloud = heard("Steve", "hello", public=True)
    of_talk = replace(aloud, utterance=replace(aloud.utterance, talk=7))
    assert [*of_talk.circle] == ["talk", "7"]
    assert [*aloud.circle] == ["public", ""]
