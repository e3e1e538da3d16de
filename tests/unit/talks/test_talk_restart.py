"""After a restart a talk resumes where it was, or ends and says so."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs
from support.daemons import Town
from support.full_disk import full_disk
from support.live_talks import (
    Answers,
    begun,
    is_of_talk,
    model_of,
    noted,
    numbered,
    opened_by_people,
    over,
    policy,
    said,
    talking,
)
from support.rig import until

from bots.access.origin import Fellow, Operator, Origin, Person
from bots.app import Daemon
from bots.clock import utc_now
from bots.store.database import FILE_NAME, Store
from bots.talks.live.storage import Beginning, TalkRecord, TalkStore
from bots.talks.machine.events import (
    Answered,
    Delivered,
    Joined,
    Left,
    Participant,
    Spoke,
    TimePassed,
    as_json,
    event_of,
)
from bots.talks.machine.policy import TalkPolicy
from bridge import FakeBridge
from bridge.world import BotName, PlayerName, Position
from llm.model import Question

HERE = Position(8.5, 64, 8.5)


@asynccontextmanager
async def again(data_dir: Path, answers: Answers, *names: str) -> AsyncIterator[Daemon]:
    """The daemon once more, on a server of its own."""
    bridge = FakeBridge()
    try:
        cast = names or ("Alice", "Bob", "Cara", "Dan")
        async with talking(bridge, data_dir, answers, names=cast) as daemon:
            yield daemon
    finally:
        await bridge.aclose()


async def broken_off(bridge: FakeBridge, data_dir: Path, going_by: TalkPolicy) -> list[str]:
    """A talk of three of which three lines were said when the program ended in Alice's thought."""
    count = 0

    async def answer(name: str, _question: Question) -> str:
        nonlocal count
        count += 1
        if count > 3:
            await asyncio.Event().wait()
        return f"{name} says part {count}."

    async with talking(bridge, data_dir, answer) as daemon:
        talk = await daemon.talk("Alice", "Bob", "Cara", policy=going_by)
        await until(lambda: len(talk.lines) == 3 and talk.machine.turns == 4)
        return [line.text for line in talk.lines]


async def test_a_talk_goes_on_after_a_restart_and_repeats_nothing(town: Town) -> None:
    before = await broken_off(town.bridge, town.folder, policy("roofs", turns=8))
    async with again(town.folder, numbered()) as daemon:
        talk = await begun(daemon)
        assert (talk.number, talk.topic, talk.lines[2].text) == (1, "roofs", before[2])
        assert await over(talk) == "turns"
        lines = [(line.speaker, line.text) for line in talk.lines]
        assert len(lines) == 7  # of eight turns one was lost
        assert [text for _, text in lines[:3]] == before
        assert said(daemon, "Bob") == lines
        assert [line for line in noted(daemon, "Cara") if "began" in line] == [
            noted(daemon, "Cara")[0]
        ]


async def test_a_talk_begun_while_the_program_starts_is_none_that_broke_off(town: Town) -> None:
    async with talking(town.bridge, town.folder, numbered()) as daemon:
        talk = await daemon.talk("Alice", "Bob", policy=policy(turns=3))
        await daemon.talks.resume(daemon.all_joined)
        assert daemon.talks.under_way == (talk,)
        assert await over(talk) == "turns"
        assert list(daemon.trace.recent("talk.resumed")) == []


async def test_a_talk_that_nobody_spoke_in_for_too_long_ends_after_the_restart(town: Town) -> None:
    await broken_off(town.bridge, town.folder, policy(turns=8))
    with closing(sqlite3.connect(town.folder / FILE_NAME)) as connection, connection:
        connection.execute("UPDATE talks SET began_at = began_at - 600 * 1000000")
    async with again(town.folder, numbered()) as daemon:
        await until(lambda: list(daemon.trace.recent("talk.ended")))
        assert next(daemon.trace.recent("talk.ended")).facts["why"] == "silence"
        assert len(said(daemon, "Alice")) == 3
        await until(lambda: "ended" in noted(daemon, "Alice")[-1])
    async with again(town.folder, numbered()) as daemon:
        assert list(daemon.trace.recent("talk.resumed")) == []


async def test_a_bot_that_is_there_no_more_is_out_of_the_talk(town: Town) -> None:
    await broken_off(town.bridge, town.folder, policy(turns=6))
    async with again(town.folder, numbered(), "Alice", "Bob") as daemon:
        talk = await begun(daemon)
        await over(talk)
        assert [p.name for p in talk.machine.participants] == ["Alice", "Bob"]
        assert {line.speaker for line in talk.lines[3:]} == {"Alice", "Bob"}
        assert any("Cara is out of (gone)" in line for line in noted(daemon, "Bob"))


@pytest.mark.parametrize("asked", ["Bob, mind keeping me company?", "Bob, follow me"])
async def test_a_request_that_one_bot_sees_to_is_taken_by_no_other_after_a_restart(
    town: Town, asked: str
) -> None:
    opened = opened_by_people(turns=9)
    before = model_of(lambda name, q: "[Act]" if _is_to_answer(q, "Bob, ") else f"{name} is here.")
    steve = town.world.person("Steve", HERE)
    async with talking(town.bridge, town.folder, model=before) as daemon:
        await daemon.talk("Alice", "Bob", "Cara", "Steve", policy=opened)
        steve.whisper("Cara", asked)
        await until(lambda: _requests(town.folder))
        assert [bot for _, bot in _requests(town.folder)] == ["Bob"]
    bridge = FakeBridge()
    after = model_of(lambda name, q: "[Act]" if _is_to_answer(q, "Bob, ") else f"{name} is here.")
    steve = bridge.world.person("Steve", HERE)
    async with talking(bridge, town.folder, model=after) as daemon:
        talk = await begun(daemon)
        steve.whisper("Cara", "Cara, what about the roof?")
        await until(lambda: "Cara is here." in [line.text for line in talk.lines])
        talk.end("Steve")
        await over(talk)
        assert _requests(town.folder) == []
    await bridge.aclose()
    in_talk = [q for q in after.questions if is_of_talk(q)]
    assert any('"seen_to_by":["Bob"]' in turn.text for q in in_talk for turn in q.turns)
    assert not any(_is_to_answer(q, "Bob, ") for q in in_talk)


async def test_of_a_talk_that_ended_only_its_end_is_kept(town: Town) -> None:
    async with talking(town.bridge, town.folder, numbered()) as daemon:
        await over(await daemon.talk("Alice", "Bob", policy=policy(turns=2)))
    with closing(sqlite3.connect(town.folder / FILE_NAME)) as connection:
        assert connection.execute("SELECT ended FROM talks").fetchall() == [("turns",)]
        assert connection.execute("SELECT count(*) FROM talk_moments").fetchone() == (0,)


@pytest.mark.parametrize(
    "origin", [Operator("python"), Person(PlayerName("Steve")), Fellow(BotName("Bob"))]
)
async def test_how_a_talk_began_is_read_as_it_was_written(tmp_path: Path, origin: Origin) -> None:
    roster = (Participant("Alice", "bot", "アリス", "あ"), Participant("Steve", "person"))
    going_by = replace(policy("a \ud83d topic", turns=3, cost_usd=0.5), order="rounds", seed=4)
    beginning = Beginning(roster, going_by, origin, utc_now())
    store = await Store.open(tmp_path / "talks.sqlite")
    try:
        talks = TalkStore(store)
        number = await talks.begin(beginning)
        record = talks.record_of(number)
        await record.add(5, Spoke("Steve", "hi", {"Alice": None}, "Alice"))
        (kept,) = await talks.unended()
        assert (kept.number, kept.beginning) == (number, beginning)
        assert kept.record == ((Spoke("Steve", "hi", {"Alice": None}, "Alice"), 5),)
        await record.end("asked")
        assert await talks.unended() == []
    finally:
        await store.aclose()


@pytest.fixture
async def record(tmp_path: Path) -> AsyncIterator[tuple[TalkRecord, TalkStore]]:
    """The record of a talk that has just begun."""
    store = await Store.open(tmp_path / "talks.sqlite")
    talks = TalkStore(store)
    roster = (Participant("Alice", "bot"), Participant("Bob", "bot"))
    beginning = Beginning(roster, policy("the harvest"), Operator("python"), utc_now())
    yield talks.record_of(await talks.begin(beginning)), talks
    await store.aclose()


async def test_what_a_full_disk_refused_is_written_with_the_next_event(
    record: tuple[TalkRecord, TalkStore],
) -> None:
    kept, talks = record
    with full_disk():
        await kept.add(1, Left("Cara", "left"))
        await kept.add(2, Left("Dan", "left"))
    (stored,) = await talks.unended()
    assert stored.record == ()
    await kept.add(3, TimePassed())
    (stored,) = await talks.unended()
    assert [at_ms for _event, at_ms in stored.record] == [1, 2, 3]


async def test_which_bots_see_to_a_request_is_kept_until_the_talk_ends(
    record: tuple[TalkRecord, TalkStore], tmp_path: Path
) -> None:
    kept, talks = record
    with full_disk():
        await kept.sees_to(7, ("Bob", "Alice"))
    await kept.sees_to(9, ("Bob",))
    (stored,) = await talks.unended()
    assert stored.seen_to == {7: ("Alice", "Bob"), 9: ("Bob",)}
    await kept.end("turns")
    await kept.sees_to(11, ("Bob",))
    assert _requests(tmp_path, "talks.sqlite") == []


async def test_an_end_that_a_full_disk_refused_is_written_when_there_is_room(
    record: tuple[TalkRecord, TalkStore],
) -> None:
    kept, talks = record
    disk = ExitStack()
    disk.enter_context(full_disk())
    await kept.end("turns")
    waits = 0

    async def sleep(_seconds: float) -> None:
        nonlocal waits
        waits += 1
        assert len(await talks.unended()) == 1
        if waits == 2:
            disk.close()

    await kept.settle(sleep)
    assert (waits, await talks.unended()) == (2, [])


async def test_a_talk_on_a_full_disk_goes_on_to_its_end(town: Town) -> None:
    with capture_logs() as logs:
        async with talking(town.bridge, town.folder, numbered()) as daemon:
            talk = await daemon.talk("Alice", "Bob", policy=policy(turns=4))
            with full_disk():
                talk.say("Steve", "What a harvest!")
                assert await over(talk) is not None
    assert [line["task"] for line in logs if line["event"] == "task.failed"] == []


NAMES = st.text(max_size=8)
HEARING = st.dictionaries(NAMES, st.none() | st.text(max_size=8), max_size=3)


@given(
    st.one_of(
        st.builds(Joined, st.builds(Participant, NAMES, st.sampled_from(["bot", "person"]))),
        st.builds(Left, NAMES, st.text()),
        st.builds(Spoke, NAMES, st.text(), HEARING, st.none() | NAMES),
        st.builds(Answered, st.integers(), st.text(), st.none() | NAMES, st.integers()),
        st.builds(Delivered, st.integers(), HEARING),
    )
)
def test_what_happened_is_read_as_it_was_written(event: Answered) -> None:
    assert event_of(as_json(event)) == event


@pytest.mark.parametrize("data", [{}, {"is": "Say"}, {"is": "Left", "nom": "x"}, {"is": "Joined"}])
def test_what_is_no_event_is_refused(data: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        event_of(data)


def _requests(data_dir: Path, name: str = FILE_NAME) -> list[tuple[int, str]]:
    """The requests of talks that are seen to."""
    with closing(sqlite3.connect(data_dir / name)) as connection:
        return connection.execute("SELECT utterance, bot FROM talk_requests").fetchall()


def _is_to_answer(question: Question, words: str) -> bool:
    """Whether a person's line is held before the bot's eyes."""
    _, found, lines = question.turns[-1].text.partition('"to_answer"')
    return bool(found) and words in lines
