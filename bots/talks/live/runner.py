"""Runs a talk: tells the machine what happens, carries out what it wishes for.

tell ──▶ inbox ──one at a time──▶ machine.take ──▶ wishes ──▶ stage
  ▲                                                            │
  └── Answered, Delivered, TimePassed ◀── tasks ◀──────────────┘
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Coroutine, Sequence
from typing import Any, Protocol, TypeVar

import structlog

from bots.clock import Times
from bots.talks.live.stage import NoWitness, Stage, Thought, Witness
from bots.talks.machine.events import (
    Announce,
    Answered,
    AnswerFailed,
    Delivered,
    DropThought,
    Ended,
    EndReason,
    Say,
    TalkEffect,
    TalkEvent,
    Think,
    TimePassed,
    WakeAt,
)
from bridge.errors import BotError

log = structlog.get_logger()

T = TypeVar("T")

MS_PER_S = 1_000
LAST_WORDS_S = 10.0  # what is being said when a talk ends is said to its end, but not for ever


class Machine(Protocol):
    """Decides; `GroupTalk` is one."""

    def start(self, at_ms: int) -> list[TalkEffect]: ...
    def take(self, happening: TalkEvent, at_ms: int) -> list[TalkEffect]: ...


class TalkRunner:
    """One talk under way. `run` is awaited once; `tell` may be called at any time.

    Time is counted in milliseconds since the talk began, `began_ms` of which have passed
    already. With `resumed`, the machine has been started before and is not started again."""

    def __init__(
        self,
        machine: Machine,
        stage: Stage,
        times: Times,
        *,
        witness: Witness | None = None,
        began_ms: int = 0,
        resumed: bool = False,
    ) -> None:
        self.machine = machine
        self.ended: EndReason | None = None
        """Why it ended; None while it goes on."""
        self._stage, self._times = stage, times
        self._witness: Witness = witness or NoWitness()
        self._resumed = resumed
        self._zero_s = times.stopwatch() - began_ms / MS_PER_S
        self._inbox: deque[TalkEvent] = deque()
        self._arrived = asyncio.Event()
        self._thinking: dict[int, asyncio.Task[None]] = {}
        self._saying: dict[int, asyncio.Task[None]] = {}
        self._alarm: asyncio.Task[None] | None = None

    @property
    def at_ms(self) -> int:
        """Milliseconds since the talk began."""
        return round((self._times.stopwatch() - self._zero_s) * MS_PER_S)

    def tell(self, happening: TalkEvent) -> None:
        """Let the talk know; never waits. What comes after its end is dropped."""
        self._inbox.append(happening)
        self._arrived.set()

    async def run(self) -> EndReason:
        """Go on until the talk has ended; why it did."""
        try:
            if not self._resumed:
                at_ms = self.at_ms
                await self._carry_out(at_ms, None, self.machine.start(at_ms))
            while self.ended is None:
                await self._take_next()
            await self._finish_saying()
            await self._take_last_words()
            return self.ended
        finally:
            await self._end_tasks()

    async def _take_next(self) -> None:
        while not self._inbox:
            self._arrived.clear()
            await self._arrived.wait()
        happening, at_ms = self._inbox.popleft(), self.at_ms
        await self._carry_out(at_ms, happening, self.machine.take(happening, at_ms))

    async def _carry_out(
        self, at_ms: int, happening: TalkEvent | None, wishes: Sequence[TalkEffect]
    ) -> None:
        await self._witness.moment(at_ms, happening, tuple(wishes))
        for wish in wishes:
            match wish:
                case Think():
                    self._start(self._thinking, wish.turn, self._think(wish))
                case DropThought():
                    if (thinking := self._thinking.pop(wish.turn, None)) is not None:
                        thinking.cancel()
                case Say():
                    self._start(self._saying, wish.line, self._say(wish))
                case Announce():
                    await _guarded("announce", self._stage.announce(wish))
                case WakeAt():
                    self._wake_at(wish.at_ms)
                case Ended():
                    self.ended = wish.why
                case _:  # a decision: the witness has it
                    pass

    async def _think(self, wish: Think) -> None:
        thought = await _guarded("think", self._thought(wish))
        if isinstance(thought, Exception):
            self.tell(AnswerFailed(wish.turn, str(thought) or type(thought).__name__))
            return
        self.tell(
            Answered(wish.turn, thought.text, thought.nominates, thought.tokens, thought.cost_usd)
        )

    async def _thought(self, wish: Think) -> Thought:
        thought = await self._stage.think(wish)
        await self._witness.thought(wish, thought)
        return thought

    async def _say(self, wish: Say) -> None:
        outcome = await _guarded("say", self._stage.say(wish))
        if isinstance(outcome, Exception):
            outcome = dict.fromkeys(wish.to, "not_said")
        self.tell(Delivered(wish.line, outcome))

    def _start(
        self, tasks: dict[int, asyncio.Task[None]], key: int, work: Coroutine[Any, Any, None]
    ) -> None:
        task = tasks[key] = asyncio.create_task(work)
        task.add_done_callback(lambda _ended: tasks.pop(key, None))

    def _wake_at(self, at_ms: int) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = asyncio.create_task(self._ring(at_ms))

    async def _ring(self, at_ms: int) -> None:
        while (wait_ms := at_ms - self.at_ms) > 0:
            await self._times.sleep(wait_ms / MS_PER_S)
        self.tell(TimePassed())

    async def _finish_saying(self) -> None:
        if self._saying:
            await asyncio.wait(list(self._saying.values()), timeout=LAST_WORDS_S)

    async def _take_last_words(self) -> None:
        """Who heard them still belongs into the record."""
        for happening in self._inbox:
            if isinstance(happening, Delivered):
                at_ms = self.at_ms
                await self._carry_out(at_ms, happening, self.machine.take(happening, at_ms))

    async def _end_tasks(self) -> None:
        alarm = [self._alarm] if self._alarm is not None else []
        tasks = [*self._thinking.values(), *self._saying.values(), *alarm]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _guarded(what: str, work: Awaitable[T]) -> T | Exception:
    """What the stage gave; what it raised, logged and given back: no fault ends a talk."""
    (outcome,) = await asyncio.gather(work, return_exceptions=True)
    if not isinstance(outcome, BaseException):
        return outcome
    if isinstance(outcome, BotError):
        log.warning("stage.refused", wish=what, why=str(outcome))
        return outcome
    if isinstance(outcome, Exception):
        log.error("stage.failed", wish=what, exc_info=outcome)
        return outcome
    raise outcome
