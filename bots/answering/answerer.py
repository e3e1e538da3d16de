"""Answers what one bot hears, and what happens on behalf of those who spoke: one speaker at a
time, in time, each line once.

A person's lines are answered by whisper, first come first served, those of a burst together.
A fellow's lines are answered after a pause, within hearing range and the limit on turns, and
only while no person talks with either bot; a person's line ends that thinking. What was said in
public is answered in public. Fixed answers to certain words need no thinking. Lines of a talk of
several that the bot takes part in are the talk's.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, Protocol

import structlog

from bots.answering.auto_replies import AutoReplies, AutoReply
from bots.answering.mind import MODEL_CUT_S, Mind
from bots.answering.person_talk import PersonTalk
from bots.answering.waiting import Channel, Waiting, WaitingLines
from bots.bot import Bot, NaturalMessage
from bots.clock import Sleep, Stopwatch
from bots.deciding.events import EventBuffer
from bots.deciding.happening import Happening
from bots.deciding.parts import Decided, Recorder
from bots.deciding.record import TraceRecorder, about
from bots.origin import Fellow, Operator, Origin
from bots.talk.attendance import Attendance
from bots.telling import Told
from bots.telling_all import SaidPublicly
from bots.trace import Trace, TraceLog
from bridge.errors import BotError
from llm.engine.decision import Decision

log = structlog.get_logger()

FIRST_LINE_S = 8.0  # after a person's line the first line of the answer is out
EVENT_S = 5.0  # after an event the first line about it is out
SPEAKING_S = 1.0  # of that, kept for the rules and the governor
BURST_S = 2.0  # who speaks again so soon after being answered may have more to say:
GATHER_S = 0.25  # then lines are gathered until this much silence,
GATHER_MOST_S = 1.0  # or for this long
MOST_DECISIONS = 200  # whose lines are kept for a second thought
FELLOW_PAUSE_S = (2.0, 4.0)  # before answering a fellow, so that people can follow

_ANSWERING: ContextVar[object] = ContextVar("answering", default=None)
"""Of what runs for an answer, the tools it uses included, the answerer."""


class Turns(Protocol):
    def may_answer(self, bot: str, fellow: str) -> bool: ...
    def take_public_turn(self) -> bool: ...


class Answerer:
    """One bot's answering. `run` is owned by the daemon."""

    def __init__(
        self,
        bot: Bot,
        mind: Mind,
        *,
        turns: Turns,
        persons: PersonTalk,
        auto_replies: AutoReplies,
        hearing_range: float,
        trace: TraceLog,
        stopwatch: Stopwatch,
        sleep: Sleep,
        rng: random.Random,
        recorder: Recorder | None = None,
        events: EventBuffer | None = None,
        attendance: Attendance | None = None,
    ) -> None:
        self._attendance = attendance or Attendance()
        self._recorder = recorder or TraceRecorder(trace)
        self._events = EventBuffer() if events is None else events
        self._flushed: tuple[Happening, ...] = ()
        self._generation = 0
        self._bot, self._mind, self._turns, self._persons = bot, mind, turns, persons
        self._auto_replies = auto_replies
        self._hearing_range, self._trace = hearing_range, trace
        self._stopwatch, self._sleep, self._rng = stopwatch, sleep, rng
        self._waiting = WaitingLines()
        self._arrived = asyncio.Event()
        self._thinking: asyncio.Task[Decision | None] | None = None
        self._about_fellow = False
        self._dropped_because = ""
        self._answered: tuple[Channel, float] | None = None
        self._decided: dict[int, Waiting] = {}

    def listen(self) -> Callable[[], None]:
        """Hear the bot's natural messages from now on; returns the undo."""
        return self._bot.on_natural_message(self._hear)

    async def run(self) -> None:
        """Answer until cancelled."""
        while True:
            await self._arrived.wait()
            self._arrived.clear()
            while (waiting := self._waiting.first()) is not None:
                await self._attend(waiting)

    def happened(self, speaker: str, origin: Origin, happening: Happening) -> None:
        """Something happened on behalf of this speaker: decide what to make of it."""
        facts = {"speaker": speaker, "trigger": happening.kind, "text": happening.text}
        self._trace.note("event.noticed", self._bot.name, **facts)
        if not self._waiting.add_happening(speaker, origin, happening):
            log.warning("happening.not_told", bot=self._bot.name, to=speaker)
        self._arrived.set()

    async def opener(self, fellow: str) -> str:
        """The line with which this bot would begin a talk with a fellow."""
        return await self._mind.opener(fellow)

    def reconsider(self, decision: int) -> bool:
        """Answer the lines of an earlier decision anew; False when they are forgotten."""
        answered = self._decided.get(decision)
        if answered is None:
            return False
        for message in answered.messages:
            self._waiting.add(message, self._stopwatch())
        for event in answered.happenings:
            self.happened(answered.speaker, answered.origin, replace(event, at_s=self._stopwatch()))
        self._arrived.set()
        return True

    def stop(self) -> None:
        """Drop the answer being thought of; what is being said is said."""
        if _ANSWERING.get() is self:
            return  # this very answer stops everything else
        self._generation += 1
        self._drop("stopped")

    def _hear(self, message: NaturalMessage) -> Awaitable[None] | None:
        if not isinstance(message.origin, Fellow):
            self._persons.spoke(self._bot.name)
            if self._about_fellow:
                self._drop("person_spoke")
        if self._attendance.takes(message, lambda: self._wait(message)):
            return None
        fixed = self._auto_replies.to(message)
        if fixed is not None:
            return self._answer_fixed(message, fixed)
        self._wait(message)
        return None

    def _wait(self, message: NaturalMessage) -> None:
        if not self._waiting.add(message, self._stopwatch()):
            log.warning("line.not_answered", bot=self._bot.name, sender=message.from_)
        self._arrived.set()

    async def _answer_fixed(self, message: NaturalMessage, fixed: AutoReply) -> None:
        """Answer a line by its words alone, beside whatever is being thought of."""
        waiting = Waiting(message.from_, message.origin, self._stopwatch(), message.public)
        waiting.messages.append(message)
        if not self._auto_replies.admit(message.from_):
            self._note(waiting, "auto_reply.withheld", match=fixed.match)
            return
        self._note(waiting, "auto_reply.chosen", match=fixed.match, text=fixed.reply)
        await self._say(waiting, fixed.reply)

    def _drop(self, why: str) -> None:
        if self._thinking is not None:
            self._dropped_because = why
            self._thinking.cancel()

    async def _attend(self, waiting: Waiting) -> None:
        """Answer one speaker, who then no longer waits."""
        self._dropped_because, self._flushed, generation = "", (), self._generation
        decision = await self._think_undisturbed(waiting)
        self._waiting.take(waiting)  # it waits still when it was dropped in a pause
        if decision is None or generation != self._generation:
            self._note(waiting, "decision.dropped", why=self._dropped_because or "stale")
            return
        self._answered = waiting.channel, self._stopwatch()
        self._record(waiting, decision)
        if decision.text:
            saying = asyncio.create_task(self._say(waiting, decision.text))
            if (failure := await _ended(saying)) is not None:
                log.error("saying.failed", bot=self._bot.name, exc_info=failure)

    async def _think_undisturbed(self, waiting: Waiting) -> Decision | None:
        """The answer; None when it was dropped. Broken thinking has an answer too."""
        name = f"answer to {waiting.speaker}"
        task = asyncio.create_task(self._think(waiting), name=f"{self._bot.name}: {name}")
        self._thinking, self._about_fellow = task, waiting.from_fellow
        try:
            with self._bot.running(name, self.stop, waiting.origin):
                failure = await _ended(task)
        finally:
            self._thinking, self._about_fellow = None, False
        if task.cancelled():
            return None
        if failure is None:
            return task.result()
        log.error("thinking.failed", bot=self._bot.name, exc_info=failure)
        return self._mind.last_resort(waiting)

    async def _think(self, waiting: Waiting) -> Decision | None:
        _ANSWERING.set(self)
        if waiting.from_fellow:
            await self._sleep(self._rng.uniform(*FELLOW_PAUSE_S))
            if (why := self._why_silent(waiting)) is not None:
                self._dropped_because = why
                return None
            cut_s = MODEL_CUT_S
        else:
            await self._gather(waiting)
            within_s = FIRST_LINE_S if waiting.messages else EVENT_S
            answer_by = waiting.since + within_s - SPEAKING_S
            cut_s = max(0.0, answer_by - self._stopwatch())
        # Lines that come from here on wait for the next answer.
        self._waiting.take(waiting)
        with self._attendance.thinking_elsewhere(self._bot.name):
            self._flushed = () if waiting.from_fellow else self._events.flush()
            return await self._mind.decide(waiting, cut_s, self._flushed)

    async def _gather(self, waiting: Waiting) -> None:
        """In a burst, wait until the speaker pauses; a single line is not kept waiting."""
        channel, answered_at = self._answered or (None, 0.0)
        if channel != waiting.channel or waiting.since - answered_at > BURST_S:
            return
        gather_until = self._stopwatch() + GATHER_MOST_S
        heard = 0
        while heard < len(waiting.messages) and self._stopwatch() < gather_until:
            heard = len(waiting.messages)
            await self._sleep(GATHER_S)

    def _why_silent(self, waiting: Waiting) -> str | None:
        if self._persons.going_on(self._bot.name, waiting.speaker):
            return "person_talks"
        if self._attendance.together(self._bot.name, waiting.speaker):
            return "in_a_talk"
        if waiting.public:
            may_answer = self._turns.take_public_turn()
        else:
            may_answer = self._turns.may_answer(self._bot.name, waiting.speaker)
        return None if may_answer else "turn_limit"

    async def _say(self, waiting: Waiting, text: str) -> None:
        """Say and record; an answer that cannot be said is noted, never raised."""
        try:
            told = await self._told(waiting, text)
        except BotError as error:
            log.warning("reply.failed", bot=self._bot.name, to=waiting.speaker, why=str(error))
            self._note(waiting, "reply.failed", why=str(error))
            return
        reason = told.reason if told is not None else None
        after_s = round(self._stopwatch() - waiting.since, 3)
        self._note(
            waiting, "reply.sent", text=text, success=reason is None, why=reason, after_s=after_s
        )
        if not waiting.from_fellow:
            self._persons.spoke(self._bot.name)

    async def _told(self, waiting: Waiting, text: str) -> Told | SaidPublicly | None:
        if waiting.public:
            return await self._bot.say_publicly(text, within_s=None)
        match waiting.origin:
            case Fellow():
                return await self._bot.tell(waiting.speaker, text, self._hearing_range)
            case Operator():  # reads the record: is not in the world
                await self._bot.add_message(self._bot.name, text)
                return None
            case _:
                return await self._bot.reply(waiting.speaker, text)

    def _record(self, waiting: Waiting, decision: Decision) -> None:
        made = self._recorder.decided(Decided(self._bot.name, waiting, decision, self._flushed))
        self._decided[made.sequence] = waiting
        if len(self._decided) > MOST_DECISIONS:
            del self._decided[next(iter(self._decided))]

    def _note(self, waiting: Waiting, name: str, **facts: Any) -> Trace:
        return self._trace.note(name, self._bot.name, **about(waiting), **facts)


async def _ended(task: asyncio.Task[Any]) -> BaseException | None:
    """Wait for the end of a task, which ends with us; what it raised, not raised again."""
    try:
        await asyncio.wait({task})
    finally:
        if not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
    return None if task.cancelled() else task.exception()
