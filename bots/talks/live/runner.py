"""Runs a talk: gives the machine its events and carries out its effects.

tell ──▶ inbox ──one at a time──▶ machine.take ──▶ effects ──▶ TalkIO
  ▲                                                              │
  └── Answered, Delivered, TimePassed ◀── tasks ◀────────────────┘
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import structlog

from bots.access.sources import UNKNOWN, Sources
from bots.chat.message import Message
from bots.clock import MS_PER_S, Times
from bots.owned_tasks import OwnedTasks
from bots.queues import BoundedQueue
from bots.talks.machine import events
from bots.talks.machine.events import EndReason, TalkEffect, TalkEvent
from bridge.errors import BotError

log = structlog.get_logger()
T = TypeVar("T")
MOST_EVENTS = 10_000  # that wait; a talk takes one in microseconds
LAST_WORDS_S = 10.0  # for lines that are still being said when a talk ends


@dataclass(frozen=True, slots=True)
class Answer:
    """A speaker's words for its turn, unedited, with their tag; '' = it says nothing."""

    text: str
    nominates: str | None = None
    """From structured output; None: the tag decides."""
    tokens: int = 0
    cost_usd: float = 0.0
    sources: Sources = UNKNOWN
    """Where the words come from."""
    hearers: frozenset[str] | None = None
    """Nobody else may hear the words; None: all who took part when they were thought."""
    sees_to: tuple[Message, ...] = ()
    """Lines of a person that ask the speaker to do something: it leaves the floor for them."""
    offer: str = ""
    """A request in plain words that the speaker offers: a yes stands for it."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """For logs alone: source, why, model, seconds, prompt, …"""


class TalkIO(Protocol):
    """Carries out a talk's effects. An error it raises fails that one effect, not the talk."""

    async def think(self, effect: events.Think) -> Answer:
        """Get the speaker's words. Cancelled when the talk no longer waits for them."""

    async def say(self, effect: events.Say) -> Mapping[str, str | None]:
        """Say and record the words; for each of `effect.to` None, or why it was not heard."""

    async def announce(self, effect: events.Announce) -> None:
        """Record a system line in the history of each of `effect.to`."""


class Observer(Protocol):
    """Is told of everything in a talk, in order, before the effects are carried out."""

    async def on_transition(
        self, at_ms: int, event: TalkEvent | None, effects: tuple[TalkEffect, ...]
    ) -> None:
        """The talk took this event (None: its start) and asks for these effects."""

    async def on_answer(self, effect: events.Think, answer: Answer) -> None:
        """The speaker's words are there; the event `Answered` follows."""


class NoObserver:
    """Ignores everything."""

    async def on_transition(
        self, at_ms: int, event: TalkEvent | None, effects: tuple[TalkEffect, ...]
    ) -> None:
        pass

    async def on_answer(self, effect: events.Think, answer: Answer) -> None:
        pass


NO_OBSERVER = NoObserver()


class Machine(Protocol):
    """The state machine that a runner drives; `GroupTalk` is one."""

    def start(self, at_ms: int) -> list[TalkEffect]: ...
    def take(self, event: TalkEvent, at_ms: int) -> list[TalkEffect]: ...


class TalkRunner:
    """One talk under way. `run` is awaited once; `tell` may be called at any time.

    Times are milliseconds since the talk began. `resumed_ms` is the time at which a talk that was
    started before goes on; None starts it."""

    def __init__(
        self,
        machine: Machine,
        io: TalkIO,
        times: Times,
        *,
        observer: Observer,
        resumed_ms: int | None,
    ) -> None:
        self.machine = machine
        self.ended: EndReason | None = None
        """Why it ended; None while it goes on."""
        self._io, self._times = io, times
        self._observer = observer
        self._is_resumed = resumed_ms is not None
        self._zero_s = times.stopwatch() - (resumed_ms or 0) / MS_PER_S
        self._inbox: BoundedQueue[TalkEvent] = BoundedQueue(MOST_EVENTS, "refuse")
        self._tasks = OwnedTasks()
        self._thinking: dict[int, asyncio.Task[None]] = {}
        self._saying: dict[int, asyncio.Task[None]] = {}
        self._alarm: asyncio.Task[None] | None = None

    @property
    def at_ms(self) -> int:
        """Milliseconds since the talk began."""
        return round((self._times.stopwatch() - self._zero_s) * MS_PER_S)

    def tell(self, event: TalkEvent) -> None:
        """Queue an event and return at once. Events after the end are dropped."""
        if not self._inbox.put(event):
            log.error("talk.event_refused", event_type=type(event).__name__)

    async def run(self) -> EndReason:
        """Run the talk to its end; returns why it ended."""
        try:
            if not self._is_resumed:
                at_ms = self.at_ms
                await self._carry_out(at_ms, None, self.machine.start(at_ms))
            while self.ended is None:
                await self._take(await anext(self._inbox))
            if self._saying:
                await asyncio.wait(list(self._saying.values()), timeout=LAST_WORDS_S)
            for event in self._inbox.taken():
                if isinstance(event, events.Delivered):  # record who heard the last lines
                    await self._take(event)
            return self.ended
        finally:
            await self._tasks.aclose()

    async def _take(self, event: TalkEvent) -> None:
        at_ms = self.at_ms
        await self._carry_out(at_ms, event, self.machine.take(event, at_ms))

    async def _carry_out(
        self, at_ms: int, event: TalkEvent | None, effects: Sequence[TalkEffect]
    ) -> None:
        await self._observer.on_transition(at_ms, event, tuple(effects))
        for effect in effects:
            match effect:
                case events.Think():
                    self._start(self._thinking, effect.turn, self._think(effect))
                case events.CancelThinking():
                    if (thinking := self._thinking.pop(effect.turn, None)) is not None:
                        thinking.cancel()
                case events.Say():
                    self._start(self._saying, effect.line, self._say(effect))
                case events.Announce():
                    await _guarded("announce", self._io.announce(effect))
                case events.WakeAt():
                    if self._alarm is not None:
                        self._alarm.cancel()
                    self._alarm = self._tasks.start(self._ring(effect.at_ms), "alarm of a talk")
                case events.Ended():
                    self.ended = effect.why
                case _:  # SpeakerChosen is for observers
                    pass

    async def _think(self, effect: events.Think) -> None:
        answer = await _guarded("think", self._answer(effect))
        if isinstance(answer, Exception):
            self.tell(events.AnswerFailed(effect.turn, str(answer) or type(answer).__name__))
            return
        self.tell(
            events.Answered(
                effect.turn,
                answer.text,
                answer.nominates,
                answer.tokens,
                answer.cost_usd,
                gives_way=not answer.text and not answer.tokens,
            )
        )

    async def _answer(self, effect: events.Think) -> Answer:
        answer = await self._io.think(effect)
        await self._observer.on_answer(effect, answer)
        return answer

    async def _say(self, effect: events.Say) -> None:
        outcome = await _guarded("say", self._io.say(effect))
        if isinstance(outcome, Exception):
            outcome = dict.fromkeys(effect.to, "not_said")
        self.tell(events.Delivered(effect.line, outcome))

    def _start(
        self, tasks: dict[int, asyncio.Task[None]], key: int, work: Coroutine[Any, Any, None]
    ) -> None:
        task = tasks[key] = self._tasks.start(work, "step of a talk")
        task.add_done_callback(lambda _ended: tasks.pop(key, None))

    async def _ring(self, at_ms: int) -> None:
        while (wait_ms := at_ms - self.at_ms) > 0:
            await self._times.sleep(wait_ms / MS_PER_S)
        self.tell(events.TimePassed())


async def _guarded(what: str, work: Awaitable[T]) -> T | Exception:
    """The result of `work`, or the error it raised, logged: no error ends a talk."""
    (outcome,) = await asyncio.gather(work, return_exceptions=True)
    if not isinstance(outcome, BaseException):
        return outcome
    if isinstance(outcome, BotError):
        log.warning("effect.refused", effect=what, why=str(outcome))
        return outcome
    if isinstance(outcome, Exception):
        log.error("effect.failed", effect=what, exc_info=outcome)
        return outcome
    raise outcome
