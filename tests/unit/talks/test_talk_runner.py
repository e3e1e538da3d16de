"""A talk is run by telling its machine what happens, whatever its stage does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress

import pytest
from support.rig import until

from bots.clock import Times
from bots.errors import SpeechRefused
from bots.talks.live.runner import TalkRunner
from bots.talks.live.stage import Thought
from bots.talks.machine.events import (
    Announce,
    Answered,
    AnswerFailed,
    Delivered,
    DropThought,
    Ended,
    Left,
    Resumed,
    Say,
    TalkEffect,
    TalkEvent,
    Think,
    TimePassed,
    WakeAt,
)
from bridge.fake import VirtualClock

pytestmark = pytest.mark.anyio

THINK = Think(1, "Alice", "opening", 1)
SAY = Say(1, 1, "Alice", "hello", ("Bob", "Steve"))
END: list[TalkEffect] = [Ended("asked")]


class Script:
    """A machine that wishes for what is written; keeps what it was told."""

    def __init__(
        self, *opening: TalkEffect, then: Callable[[TalkEvent], list[TalkEffect]] = lambda h: []
    ):
        self.opening, self.then = list(opening), then
        self.told: list[tuple[TalkEvent, int]] = []

    def start(self, at_ms: int) -> list[TalkEffect]:
        return self.opening

    def take(self, happening: TalkEvent, at_ms: int) -> list[TalkEffect]:
        self.told.append((happening, at_ms))
        return self.then(happening)

    @property
    def happenings(self) -> list[TalkEvent]:
        return [happening for happening, _at in self.told]


class Scene:
    """A stage whose parts can be replaced; keeps what it was asked for, and in which order."""

    def __init__(self) -> None:
        self.asked: list[object] = []
        self.cancelled: list[object] = []
        self.release = asyncio.Event()
        self.failure: Exception | None = None

    async def think(self, wish: Think) -> Thought:
        await self._held(wish)
        return Thought("hi [Next: Bob]", "Bob", 7, 0.5)

    async def say(self, wish: Say) -> Mapping[str, str | None]:
        await self._held(wish)
        return {"Bob": None, "Steve": "out_of_range"}

    async def announce(self, wish: Announce) -> None:
        await self._held(wish)

    async def _held(self, wish: object) -> None:
        self.asked.append(wish)
        if self.failure is not None:
            raise self.failure
        try:
            await self.release.wait()
        except asyncio.CancelledError:
            self.cancelled.append(wish)
            raise


class Notebook:
    def __init__(self) -> None:
        self.moments: list[tuple[int, TalkEvent | None, tuple[TalkEffect, ...]]] = []
        self.thoughts: list[Thought] = []
        self.on_moment: Callable[[], None] = lambda: None

    async def moment(
        self, at_ms: int, took: TalkEvent | None, wishes: tuple[TalkEffect, ...]
    ) -> None:
        self.on_moment()
        self.moments.append((at_ms, took, wishes))

    async def thought(self, wish: Think, thought: Thought) -> None:
        self.thoughts.append(thought)


@asynccontextmanager
async def running(
    machine: Script, scene: Scene, clock: VirtualClock, **options: object
) -> AsyncIterator[tuple[TalkRunner, asyncio.Task[str]]]:
    runner = TalkRunner(machine, scene, Times.of(clock), **options)  # type: ignore[arg-type]
    task: asyncio.Task[str] = asyncio.create_task(runner.run())
    yield runner, task
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock(auto=False)


def ending_on(kind: type[TalkEvent]) -> Callable[[TalkEvent], list[TalkEffect]]:
    return lambda happening: END if isinstance(happening, kind) else []


async def test_a_thought_comes_back_as_an_answer(clock: VirtualClock) -> None:
    machine, scene = Script(THINK, then=ending_on(Answered)), Scene()
    async with running(machine, scene, clock) as (_runner, task):
        scene.release.set()
        assert await asyncio.wait_for(task, 5) == "asked"
    assert machine.happenings == [Answered(1, "hi [Next: Bob]", "Bob", 7, 0.5)]


async def test_words_come_back_with_who_heard_them(clock: VirtualClock) -> None:
    machine, scene = Script(SAY, then=ending_on(Delivered)), Scene()
    async with running(machine, scene, clock) as (_runner, task):
        scene.release.set()
        await asyncio.wait_for(task, 5)
    assert machine.happenings == [Delivered(1, {"Bob": None, "Steve": "out_of_range"})]


@pytest.mark.parametrize(
    "failure", [SpeechRefused("too_long", "too long"), ZeroDivisionError("a bug")]
)
async def test_what_a_stage_raises_fails_one_wish_and_not_the_talk(
    clock: VirtualClock, failure: Exception
) -> None:
    machine = Script(Announce("began", ("Bob",)), THINK, SAY)
    scene = Scene()
    scene.failure = failure
    async with running(machine, scene, clock) as (runner, task):
        await until(lambda: len(machine.told) == 2)
        assert not task.done()
        assert runner.ended is None
    failed, delivered = sorted(machine.happenings, key=lambda happening: type(happening).__name__)
    assert isinstance(failed, AnswerFailed)
    assert str(failure) in failed.why
    assert delivered == Delivered(1, {"Bob": "not_said", "Steve": "not_said"})


async def test_a_dropped_thought_is_cancelled_and_answers_nothing(clock: VirtualClock) -> None:
    machine = Script(THINK, then=lambda happening: [DropThought(1, "left")])
    scene = Scene()
    async with running(machine, scene, clock) as (runner, _task):
        await clock.advance(0)
        runner.tell(Left("Alice"))
        await clock.advance(0)
        assert scene.cancelled == [THINK]
        scene.release.set()
        await clock.advance(0)
    assert machine.happenings == [Left("Alice")]


async def test_time_passes_at_the_moment_that_was_wished_for_last(clock: VirtualClock) -> None:
    def later(happening: TalkEvent) -> list[TalkEffect]:
        return [WakeAt(9_000)] if isinstance(happening, Resumed) else []

    machine = Script(WakeAt(2_000), then=later)
    async with running(machine, Scene(), clock) as (runner, _task):
        await clock.advance(1)
        runner.tell(Resumed("Steve"))
        await clock.advance(20)
    assert machine.told == [(Resumed("Steve"), 1_000), (TimePassed(), 9_000)]


async def test_a_talk_that_goes_on_counts_from_where_it_was(clock: VirtualClock) -> None:
    machine = Script(THINK)
    options = {"began_ms": 60_000, "resumed": True}
    async with running(machine, Scene(), clock, **options) as (runner, _task):
        await clock.advance(1)
        runner.tell(Left("Bob"))
        await clock.advance(0)
    assert machine.told == [(Left("Bob"), 61_000)]


async def test_the_witness_knows_of_a_wish_before_it_is_carried_out(clock: VirtualClock) -> None:
    machine, scene, notebook = Script(THINK, then=ending_on(Answered)), Scene(), Notebook()
    seen: list[int] = []
    notebook.on_moment = lambda: seen.append(len(scene.asked))
    scene.release.set()
    async with running(machine, scene, clock, witness=notebook) as (_runner, task):
        await asyncio.wait_for(task, 5)
    assert seen == [0, 1]
    assert notebook.moments[0] == (0, None, (THINK,))
    assert [thought.nominates for thought in notebook.thoughts] == ["Bob"]


async def test_what_is_being_said_when_a_talk_ends_is_said_to_its_end(
    clock: VirtualClock,
) -> None:
    machine, scene = Script(THINK, SAY, then=ending_on(Left)), Scene()
    async with running(machine, scene, clock) as (runner, task):
        await clock.advance(0)
        runner.tell(Left("Bob"))
        await clock.advance(0)
        assert not task.done()
        assert scene.cancelled == []
        scene.release.set()
        assert await asyncio.wait_for(task, 5) == "asked"
    assert Delivered(1, {"Bob": None, "Steve": "out_of_range"}) in machine.happenings


async def test_a_runner_that_is_cancelled_leaves_nothing_running(clock: VirtualClock) -> None:
    machine, scene = Script(THINK, SAY, WakeAt(5_000)), Scene()
    async with running(machine, scene, clock) as (_runner, task):
        await clock.advance(0)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        assert set(scene.cancelled) == {THINK, SAY}
