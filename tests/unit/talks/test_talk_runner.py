"""The runner tells the machine everything that happens, whatever the I/O does."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress

import pytest
from support.rig import until

from bots.clock import Times
from bots.errors import SpeechRefused
from bots.talks.live.runner import NO_OBSERVER, Answer, Observer, TalkRunner
from bots.talks.machine.events import (
    Announce,
    Answered,
    AnswerFailed,
    CancelThinking,
    Delivered,
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

    def take(self, event: TalkEvent, at_ms: int) -> list[TalkEffect]:
        self.told.append((event, at_ms))
        return self.then(event)

    @property
    def events(self) -> list[TalkEvent]:
        return [event for event, _at in self.told]


class Scene:
    """A `TalkIO` that keeps what it was asked for, in order, and answers when released."""

    def __init__(self) -> None:
        self.asked: list[object] = []
        self.cancelled: list[object] = []
        self.release = asyncio.Event()
        self.failure: Exception | None = None

    async def think(self, effect: Think) -> Answer:
        await self._held(effect)
        return Answer("hi [Next: Bob]", "Bob", 7, 0.5)

    async def say(self, effect: Say) -> Mapping[str, str | None]:
        await self._held(effect)
        return {"Bob": None, "Steve": "out_of_range"}

    async def announce(self, effect: Announce) -> None:
        await self._held(effect)

    async def _held(self, effect: object) -> None:
        self.asked.append(effect)
        if self.failure is not None:
            raise self.failure
        try:
            await self.release.wait()
        except asyncio.CancelledError:
            self.cancelled.append(effect)
            raise


class Notebook:
    def __init__(self) -> None:
        self.transitions: list[tuple[int, TalkEvent | None, tuple[TalkEffect, ...]]] = []
        self.answers: list[Answer] = []
        self.before_noting: Callable[[], None] = lambda: None

    async def on_transition(
        self, at_ms: int, took: TalkEvent | None, effects: tuple[TalkEffect, ...]
    ) -> None:
        self.before_noting()
        self.transitions.append((at_ms, took, effects))

    async def on_answer(self, effect: Think, answer: Answer) -> None:
        self.answers.append(answer)


@asynccontextmanager
async def running(
    machine: Script,
    scene: Scene,
    clock: VirtualClock,
    observer: Observer = NO_OBSERVER,
    resumed_ms: int | None = None,
) -> AsyncIterator[tuple[TalkRunner, asyncio.Task[str]]]:
    times = Times.of(clock)
    runner = TalkRunner(machine, scene, times, observer=observer, resumed_ms=resumed_ms)
    task: asyncio.Task[str] = asyncio.create_task(runner.run())
    yield runner, task
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock(auto=False)


def ending_on(kind: type[TalkEvent]) -> Callable[[TalkEvent], list[TalkEffect]]:
    return lambda event: END if isinstance(event, kind) else []


async def test_a_thought_comes_back_as_an_answer(clock: VirtualClock) -> None:
    machine, scene = Script(THINK, then=ending_on(Answered)), Scene()
    async with running(machine, scene, clock) as (_runner, task):
        scene.release.set()
        assert await asyncio.wait_for(task, 5) == "asked"
    assert machine.events == [Answered(1, "hi [Next: Bob]", "Bob", 7, 0.5)]


async def test_words_come_back_with_who_heard_them(clock: VirtualClock) -> None:
    machine, scene = Script(SAY, then=ending_on(Delivered)), Scene()
    async with running(machine, scene, clock) as (_runner, task):
        scene.release.set()
        await asyncio.wait_for(task, 5)
    assert machine.events == [Delivered(1, {"Bob": None, "Steve": "out_of_range"})]


@pytest.mark.parametrize(
    "failure", [SpeechRefused("too_long", "too long"), ZeroDivisionError("a bug")]
)
async def test_an_error_fails_one_effect_and_not_the_talk(
    clock: VirtualClock, failure: Exception
) -> None:
    machine = Script(Announce("began", ("Bob",)), THINK, SAY)
    scene = Scene()
    scene.failure = failure
    async with running(machine, scene, clock) as (runner, task):
        await until(lambda: len(machine.told) == 2)
        assert not task.done()
        assert runner.ended is None
    failed, delivered = sorted(machine.events, key=lambda event: type(event).__name__)
    assert isinstance(failed, AnswerFailed)
    assert str(failure) in failed.why
    assert delivered == Delivered(1, {"Bob": "not_said", "Steve": "not_said"})


async def test_a_dropped_thought_is_cancelled_and_answers_nothing(clock: VirtualClock) -> None:
    machine = Script(THINK, then=lambda event: [CancelThinking(1, "left")])
    scene = Scene()
    async with running(machine, scene, clock) as (runner, _task):
        await clock.advance(0)
        runner.tell(Left("Alice"))
        await clock.advance(0)
        assert scene.cancelled == [THINK]
        scene.release.set()
        await clock.advance(0)
    assert machine.events == [Left("Alice")]


async def test_time_passes_at_the_time_that_was_asked_for_last(clock: VirtualClock) -> None:
    def later(event: TalkEvent) -> list[TalkEffect]:
        return [WakeAt(9_000)] if isinstance(event, Resumed) else []

    machine = Script(WakeAt(2_000), then=later)
    async with running(machine, Scene(), clock) as (runner, _task):
        await clock.advance(1)
        runner.tell(Resumed("Steve"))
        await clock.advance(20)
    assert machine.told == [(Resumed("Steve"), 1_000), (TimePassed(), 9_000)]


async def test_a_talk_that_goes_on_counts_from_where_it_was(clock: VirtualClock) -> None:
    machine = Script(THINK)
    async with running(machine, Scene(), clock, resumed_ms=60_000) as (runner, _task):
        await clock.advance(1)
        runner.tell(Left("Bob"))
        await clock.advance(0)
    assert machine.told == [(Left("Bob"), 61_000)]


async def test_an_observer_knows_of_an_effect_before_it_is_carried_out(clock: VirtualClock) -> None:
    machine, scene, notebook = Script(THINK, then=ending_on(Answered)), Scene(), Notebook()
    seen: list[int] = []
    notebook.before_noting = lambda: seen.append(len(scene.asked))
    scene.release.set()
    async with running(machine, scene, clock, observer=notebook) as (_runner, task):
        await asyncio.wait_for(task, 5)
    assert seen == [0, 1]
    assert notebook.transitions[0] == (0, None, (THINK,))
    assert [answer.nominates for answer in notebook.answers] == ["Bob"]


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
    assert Delivered(1, {"Bob": None, "Steve": "out_of_range"}) in machine.events


async def test_a_runner_that_is_cancelled_leaves_nothing_running(clock: VirtualClock) -> None:
    machine, scene = Script(THINK, SAY, WakeAt(5_000)), Scene()
    async with running(machine, scene, clock) as (_runner, task):
        await clock.advance(0)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        assert set(scene.cancelled) == {THINK, SAY}
