"""Events are kept for the next decision; danger during a job asks for one at once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.daemons import Town, calling
from support.rig import until

from bots.commands.catalogue import handle_chat_command
from bots.responder.case.inbox import LONGEST, MOST, EventBuffer, EventReport, in_one_line
from bridge.causes import Cause
from bridge.world import Position
from llm.function_model import FunctionModel


def event(text: str, kind: str = "danger") -> EventReport:
    return EventReport(kind, text, 0.0)  # type: ignore[arg-type]


def test_events_are_told_once_oldest_first() -> None:
    buffer = EventBuffer()
    for text in ("one", "two"):
        buffer.note(event(text))
    assert [told.text for told in buffer.flush().told] == ["one", "two"]
    assert buffer.flush().told == ()


def test_events_that_are_given_back_come_before_newer_ones() -> None:
    buffer = EventBuffer()
    for number in range(MOST + 2):
        buffer.note(event(f"old {number}"))
    batch = buffer.flush()
    buffer.note(event("new"))
    buffer.give_back(batch)
    first, *others = [told.text for told in buffer.flush().told]
    assert first == "Earlier: 3 times hurt or hungry."
    assert others == [*(f"old {number}" for number in range(3, MOST + 2)), "new"]


def test_the_same_event_again_takes_no_more_room() -> None:
    buffer = EventBuffer()
    for _ in range(5):
        buffer.note(event("I was hurt."))
    assert len(buffer.flush().fresh) == 1


@given(st.lists(st.sampled_from(["danger", "action_ended"]), min_size=MOST + 1, max_size=200))
def test_old_events_are_counted_in_one_line(kinds: list[str]) -> None:
    buffer = EventBuffer()
    for number, kind in enumerate(kinds):
        buffer.note(event(f"event {number}", kind))
    first, *others = buffer.flush().told
    assert len(others) == MOST
    counted = [int(word) for word in first.text.replace(",", "").split() if word.isdigit()]
    assert sum(counted) == len(kinds) - MOST


@given(st.text(max_size=2_000))
def test_an_event_is_one_short_line(text: str) -> None:
    told = in_one_line(text)
    assert len(told) <= LONGEST
    assert len(told.splitlines()) <= 1


@pytest.mark.slow
async def test_danger_at_work_is_told_at_once_to_whom_the_bot_works_for(town: Town) -> None:
    steve = town.world.person("Steve", Position(12.5, 64, 8.5))
    model = FunctionModel(calling("navigation_follow", "On my way.", username="Steve"))
    async with town.up(model) as daemon:
        steve.whisper("Alice", "Follow me, please")
        await steve.hears()
        await until(lambda: daemon.bot("Alice").jobs.current is not None)
        town.world.set_health("Alice", 6.0)
        assert (await steve.hears()).text == "It is over."
        newest = list(daemon.trace.recent("decision.made"))[-1]
        assert newest.facts["trigger"] == "danger"
        shown = model.questions[-1].turns[-1].text
        assert '{"event":"I was hurt: health 20 to 6 of 20."' in shown


@pytest.mark.slow
async def test_what_nobody_asked_for_waits_for_the_next_decision(town: Town) -> None:
    steve = town.world.person("Steve", Position(12.5, 64, 8.5))
    model = FunctionModel(lambda question: "Hello.")
    async with town.up(model) as daemon:
        alice = daemon.bot("Alice")
        await handle_chat_command(alice, "Steve", "!skill eat bread")
        await until(lambda: list(daemon.trace.recent("job.finished")))
        for _ in range(2):
            steve.whisper("Alice", "hello")
            await steve.hears()
    shown = [question.turns[-1].text for question in model.questions]
    assert ['"of":"!skill eat"' in text for text in shown] == [True, False]


@pytest.mark.slow
async def test_danger_while_it_works_for_nobody_is_told_with_the_next_decision(town: Town) -> None:
    steve = town.world.person("Steve", Position(12.5, 64, 8.5))
    model = FunctionModel(lambda question: "Hello.")
    async with town.up(model) as daemon:
        town.world.set_health("Alice", 2.25)
        await until(lambda: list(daemon.trace.recent("health.changed")))
        steve.whisper("Alice", "hello")
        await steve.hears()
    assert len(model.questions) == 1
    assert "I was hurt: health 20 to 3 of 20." in model.questions[0].turns[-1].text


@pytest.mark.slow
async def test_a_death_is_told_once_with_what_is_known_of_its_cause(town: Town) -> None:
    steve = town.world.person("Steve", Position(12.5, 64, 8.5))
    model = FunctionModel(lambda question: "Hello.")
    async with town.up(model) as daemon:
        for cause in (Cause("creature", "zombie", "guessed"), None):
            town.world.set_health("Alice", 0, cause=cause)
        await until(lambda: len(list(daemon.trace.recent("bot.died"))) == 2)
        steve.whisper("Alice", "hello")
        await steve.hears()
    shown = model.questions[0].turns[-1].text
    assert "I died: perhaps a zombie killed me." in shown
    assert "I died; I do not know of what." in shown
    assert "I was hurt" not in shown
