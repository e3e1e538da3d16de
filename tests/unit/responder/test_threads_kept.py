"""Thoughts: read from a model's answer, stored, counted and told."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.access.origin import Level, Person
from bots.access.sources import Sources
from bots.bot.events import BotEvent, JobFinished, MessageAnswered
from bots.bot.result import Failure, Result
from bots.responder.reflection.reflections import Pace, Rounds
from bots.responder.reflection.thought import (
    MOST_STEPS,
    Note,
    SqliteThoughts,
    Thought,
    advice_of,
    proposal_of,
    read_conclusion,
)
from bots.store.database import Store
from bridge.events import HealthChanged
from bridge.world import BotName, PlayerName

NOW = datetime(2026, 11, 22, 4, tzinfo=UTC)
STEVES = Sources.said_by(Person(PlayerName("Steve")), Level.TRUSTED, {"Steve"})
THOUGHT = Thought(
    "briefing",
    Level.TRUSTED,
    NOW,
    "A meadow.",
    ("dig", "build"),
    "inventory.dirt:2",
    "proposed",
    STEVES,
    (Note("Steve", "a bridge first", STEVES),),
    decision=7,
)


async def test_the_newest_thought_of_each_thread_and_level_survives_a_restart(
    tmp_path: Path,
) -> None:
    approved = replace(THOUGHT, status="approved")
    lower = replace(THOUGHT, thread="periodic", level=Level.PLAYER)
    store = await Store.open(tmp_path / "a.db")
    for thought in (THOUGHT, approved, lower):
        await SqliteThoughts(store).store("Alice", thought)
    await store.aclose()
    store = await Store.open(tmp_path / "a.db")
    kept = await SqliteThoughts(store).load("Alice")
    others = await SqliteThoughts(store).load("Bob")
    await store.aclose()
    # The trace of another run numbers its decisions anew.
    assert set(kept) == {replace(approved, decision=None), replace(lower, decision=None)}
    assert others == ()


@given(st.text())
def test_any_answer_is_read_or_refused(text: str) -> None:
    read = read_conclusion(text)
    assert read is None or ("\n" not in read.summary and len(read.summary) <= 500)


def test_an_answer_is_tidied() -> None:
    read = read_conclusion(
        '```json\n{"summary": "a\\nb", "confidence":7,"plan": ["","2","3","4","5","6","7","8"]}```'
    )
    assert read is not None
    assert (read.summary, len(read.plan), read.confidence) == ("a b", MOST_STEPS, 1.0)
    plain = read_conclusion("Just words.")
    assert plain is not None
    assert (plain.summary, plain.goal) == ("Just words.", "")


def goal(success: bool) -> JobFinished:
    failed = Failure(reason="gave_up", message="I gave up.")
    return JobFinished("Alice-job-1", "!goal", Result() if success else failed)


def level_of(name: str) -> Level:
    return {"Olga": Level.OWNER, "Tom": Level.TRUSTED}.get(name, Level.PLAYER)


@pytest.mark.parametrize(
    ("events", "due"),
    [
        ((MessageAnswered("Olga"), MessageAnswered("Tom")), True),
        ((MessageAnswered("Olga"), goal(success=True)), True),
        ((MessageAnswered("Olga"),), False),
        ((MessageAnswered("Olga"), goal(success=False)), False),
        ((MessageAnswered("Olga"), JobFinished("Alice-job-1", "!skill gather", Result())), False),
        ((MessageAnswered("Olga"), HealthChanged(BotName("Alice"), 3.0, 20.0, NOW)), False),
    ],
)
def test_a_round_is_an_answered_message_of_a_person_or_a_goal_that_was_reached(
    events: tuple[BotEvent, ...], due: bool
) -> None:
    rounds = Rounds(Pace(), 0.0)
    for event in events:
        rounds.take(event, level_of)
    assert rounds.due(300.0) is due
    assert not rounds.due(299.0)
    rounds.begin_anew(300.0)
    assert not rounds.due(900.0)


def test_what_is_thought_about_is_what_the_lowest_of_those_answered_may_have_said() -> None:
    rounds = Rounds(Pace(), 0.0)
    assert rounds.level == Level.TRUSTED
    for speaker, level in (("Olga", Level.OWNER), ("Tom", Level.TRUSTED), ("Eve", Level.PLAYER)):
        rounds.take(MessageAnswered(speaker), level_of)
        assert rounds.level == level


def test_a_plan_is_told_with_how_to_approve_it_and_later_as_what_it_is() -> None:
    assert proposal_of(THOUGHT) == (
        "A meadow. Plan: dig; build. First: inventory.dirt:2. Approve it by: thoughts approve"
    )
    later = NOW + timedelta(minutes=3)
    assert advice_of(THOUGHT, later) == (
        "3 min ago: A meadow. A plan nobody approved yet: dig; build."
    )
    agreed = advice_of(replace(THOUGHT, status="approved"), later)
    assert agreed.endswith("The agreed plan: dig; build.")
