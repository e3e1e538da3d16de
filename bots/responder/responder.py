"""Answers what one bot hears, and what happens on behalf of those who spoke: in time, each once.

    lines ──▶ one speaker at a time, persons before fellows ─────▶ decision ─▶ said, recorded
    events ─▶ one at a time, when no person waits for an answer ──┘
    "stop" ─▶ at once, whatever is being thought of

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
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

import structlog

from bots.access.origin import Fellow, Origin
from bots.access.sources import FACTS
from bots.bot.bot import Bot, NaturalMessage
from bots.chat.attendance import Attendance, Begin
from bots.chat.turn_taking import PersonTalk
from bots.clock import Sleep, Stopwatch
from bots.observability.trace import Trace, TraceLog
from bots.responder.attempt import Attempt, ended, left_s
from bots.responder.auto_replies import AutoReplies, AutoReply
from bots.responder.case.events import EventBuffer, Happening
from bots.responder.case.inbox import ANSWERING, Channel, Inbox, PendingTurn
from bots.responder.case.ports import Decided, Recorder
from bots.responder.decide import DecisionMaker, Reply
from bots.responder.records.record import TraceRecorder, about
from bots.responder.reply import Saying
from llm.engine.decision import Decision

log = structlog.get_logger()

BURST_S = 2.0  # who speaks again so soon after being answered may have more to say:
GATHER_S = 0.25  # then lines are gathered until this much silence,
GATHER_MOST_S = 1.0  # or for this long
MOST_DECISIONS = 200  # whose lines are kept for a second thought
FELLOW_PAUSE_S = (2.0, 4.0)  # before answering a fellow, so that people can follow


class Turns(Protocol):
    def may_answer(self, bot: str, fellow: str) -> bool: ...
    def take_public_turn(self) -> bool: ...


class Responder:
    """One bot's answering. `run` is owned by the daemon."""

    def __init__(
        self,
        bot: Bot,
        decision_maker: DecisionMaker,
        *,
        turns: Turns,
        persons: PersonTalk,
        auto_replies: AutoReplies,
        hearing_range: float,
        trace: TraceLog,
        stopwatch: Stopwatch,
        sleep: Sleep,
        rng: random.Random,
        attendance: Attendance,
        begin_talk: Begin,
        recorder: Recorder | None = None,
        events: EventBuffer | None = None,
    ) -> None:
        self._attendance, self._begin_talk = attendance, begin_talk
        self._recorder = recorder or TraceRecorder(trace)
        self._events = EventBuffer() if events is None else events
        self._bot, self._decision_maker, self._turns, self._persons = (
            bot,
            decision_maker,
            turns,
            persons,
        )
        self._auto_replies, self._trace = auto_replies, trace
        self._saying = Saying(bot, persons, hearing_range, trace, stopwatch)
        self._stopwatch, self._sleep, self._rng = stopwatch, sleep, rng
        self._waiting = Inbox()
        self._spoken, self._happened = asyncio.Event(), asyncio.Event()
        self._thoughts: list[Attempt] = []
        self._answered: tuple[Channel, float] | None = None
        self._decided: dict[int, PendingTurn] = {}

    def listen(self) -> Callable[[], None]:
        """Hear the bot's natural messages from now on; returns the undo."""
        return self._bot.on_natural_message(self._hear)

    async def run(self) -> None:
        """Answer until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._answer_lines())
            group.create_task(self._tell_events())

    def happened(self, speaker: str, origin: Origin, happening: Happening) -> None:
        """Something happened on behalf of this speaker: decide what to make of it."""
        facts = {"speaker": speaker, "trigger": happening.kind, "text": happening.text}
        self._trace.note("event.noticed", self._bot.name, **facts)
        if not self._waiting.add_happening(speaker, origin, happening):
            log.warning("happening.not_told", bot=self._bot.name, to=speaker)
        self._happened.set()

    async def opener(self, fellow: str) -> str:
        """The line with which this bot would begin a talk with a fellow."""
        return await self._decision_maker.opener(fellow)

    def reconsider(self, decision: int) -> bool:
        """Answer the lines of an earlier decision anew; False when they are forgotten."""
        answered = self._decided.get(decision)
        if answered is None:
            return False
        for message in answered.messages:
            self._wait(message)
        for event in answered.happenings:
            self.happened(answered.speaker, answered.origin, replace(event, at_s=self._stopwatch()))
        return True

    def _hear(self, message: NaturalMessage) -> Awaitable[None] | None:
        if not isinstance(message.origin, Fellow):
            self._persons.spoke(self._bot.name)
            for thought in self._thoughts:
                if thought.waiting.from_fellow:
                    thought.drop("person_spoke")
        if self._decision_maker.asks_to_stop(message):
            return self._stop_at_once(message)
        return self._hear_out(message)

    def _hear_out(self, message: NaturalMessage) -> Awaitable[None] | None:
        def answer_after_all() -> None:
            self._wait(message)

        if self._attendance.takes(message, answer_after_all):
            return None
        if self._begin_talk(message, answer_after_all):
            return None
        fixed = self._auto_replies.to(message)
        if fixed is not None:
            return self._answer_fixed(message, fixed)
        self._wait(message)
        return None

    def _wait(self, message: NaturalMessage) -> None:
        if not self._waiting.add(message, self._stopwatch()):
            log.warning("line.not_answered", bot=self._bot.name, sender=message.from_)
        self._spoken.set()

    async def _stop_at_once(self, message: NaturalMessage) -> None:
        """Stop, and forget what the speaker asked for before; with nothing to stop, it is a line
        as any other."""
        waiting = self._waiting_with(*self._waiting.withdraw(message.origin), message)
        stopping = asyncio.create_task(self._decision_maker.stop(waiting))
        if (failure := await ended(stopping)) is not None:
            log.error("stopping.failed", bot=self._bot.name, exc_info=failure)
        decision = None if failure or stopping.cancelled() else stopping.result()
        if decision is not None:
            self._record(Attempt(waiting), decision)
            await self._saying.say(waiting, decision.text, FACTS)
            return
        waiting.messages.pop()
        for line in waiting.messages:
            self._wait(line)
        if (answering := self._hear_out(message)) is not None:
            await answering

    async def _answer_fixed(self, message: NaturalMessage, fixed: AutoReply) -> None:
        """Answer a line by its words alone, beside whatever is being thought of."""
        waiting = self._waiting_with(message)
        if not self._auto_replies.admit(message.from_):
            self._note(waiting, "auto_reply.withheld", match=fixed.match)
            return
        self._note(waiting, "auto_reply.chosen", match=fixed.match, text=fixed.reply)
        await self._saying.say(waiting, fixed.reply, FACTS)

    def _waiting_with(self, *lines: NaturalMessage) -> PendingTurn:
        """Lines of one speaker, to be answered where the newest was said."""
        newest = lines[-1]
        waiting = PendingTurn(newest.from_, newest.origin, self._stopwatch(), newest.public)
        waiting.messages.extend(lines)
        return waiting

    async def _answer_lines(self) -> None:
        while True:
            await self._spoken.wait()
            self._spoken.clear()
            while (waiting := self._waiting.first(who_spoke=True)) is not None:
                await self._attend(waiting)
                self._happened.set()

    async def _tell_events(self) -> None:
        """Whoever speaks meanwhile does not wait for it."""
        while True:
            await self._happened.wait()
            self._happened.clear()
            while (waiting := self._next_to_tell()) is not None:
                self._waiting.take(waiting)
                await self._attend(waiting)

    def _next_to_tell(self) -> PendingTurn | None:
        answers = any(thought.answers_person for thought in self._thoughts)
        waiting = None if answers else self._waiting.first()
        return None if waiting is None or waiting.messages else waiting

    async def _attend(self, waiting: PendingTurn) -> None:
        """Answer one speaker, who then no longer waits."""
        thought = Attempt(waiting)
        reply = await self._think_undisturbed(thought)
        self._waiting.take(waiting)  # it waits still when it was dropped in a pause
        if reply is None or thought.dropped_because:
            self._events.give_back(thought.batch)
            self._note(waiting, "decision.dropped", why=thought.dropped_because or "stale")
            return
        self._answered = waiting.channel, self._stopwatch()
        self._record(thought, reply.decision)
        if words := reply.decision.text:
            saying = asyncio.create_task(self._saying.say(waiting, words, reply.sources))
            if (failure := await ended(saying)) is not None:
                log.error("saying.failed", bot=self._bot.name, exc_info=failure)

    async def _think_undisturbed(self, thought: Attempt) -> Reply | None:
        """The answer; None when it was dropped. Broken thinking has an answer too."""
        waiting = thought.waiting
        name, stop = f"{ANSWERING}{waiting.speaker}", partial(thought.drop, "stopped")
        task = asyncio.create_task(self._think(thought), name=f"{self._bot.name}: {name}")
        thought.task = task
        self._thoughts.append(thought)
        try:
            with self._bot.running(name, stop, waiting.origin):
                failure = await ended(task)
        finally:
            self._thoughts.remove(thought)
        if task.cancelled():
            return None
        if failure is None:
            return task.result()
        log.error("thinking.failed", bot=self._bot.name, exc_info=failure)
        return Reply(self._decision_maker.last_resort(waiting))

    async def _think(self, thought: Attempt) -> Reply | None:
        thought.is_current()
        waiting = thought.waiting
        if waiting.from_fellow:
            await self._sleep(self._rng.uniform(*FELLOW_PAUSE_S))
            if (why := self._why_silent(waiting)) is not None:
                thought.dropped_because = why
                return None
        else:
            await self._gather(waiting)
            thought.batch = self._events.flush()
        # Lines that come from here on wait for the next answer.
        self._waiting.take(waiting)
        within_s = left_s(waiting, self._stopwatch())
        with self._attendance.thinking_elsewhere(self._bot.name):
            events = (*thought.batch.told, *self._being_told(waiting))
            return await self._decision_maker.decide(waiting, within_s, events)

    def _being_told(self, waiting: PendingTurn) -> list[Happening]:
        """What the speaker is being told of beside this."""
        beside = [t.waiting for t in self._thoughts if t.waiting is not waiting]
        return [event for one in beside if one.origin == waiting.origin for event in one.happenings]

    async def _gather(self, waiting: PendingTurn) -> None:
        """In a burst, wait until the speaker pauses; a single line is not kept waiting."""
        channel, answered_at = self._answered or (None, 0.0)
        if channel != waiting.channel or waiting.since - answered_at > BURST_S:
            return
        gather_until = self._stopwatch() + GATHER_MOST_S
        heard = 0
        while heard < len(waiting.messages) and self._stopwatch() < gather_until:
            heard = len(waiting.messages)
            await self._sleep(GATHER_S)

    def _why_silent(self, waiting: PendingTurn) -> str | None:
        if self._persons.going_on(self._bot.name, waiting.speaker):
            return "person_talks"
        if self._attendance.together(self._bot.name, waiting.speaker):
            return "in_a_talk"
        if waiting.public:
            may_answer = self._turns.take_public_turn()
        else:
            may_answer = self._turns.may_answer(self._bot.name, waiting.speaker)
        return None if may_answer else "turn_limit"

    def _record(self, thought: Attempt, decision: Decision) -> None:
        """Note it; what was kept for a model's decision is kept still when the rules decided."""
        waiting, events = thought.waiting, thought.batch.told
        if decision.source == "rules":
            self._events.give_back(thought.batch)
            events = ()
        made = self._recorder.decided(Decided(self._bot.name, waiting, decision, events))
        self._decided[made.sequence] = waiting
        if len(self._decided) > MOST_DECISIONS:
            del self._decided[next(iter(self._decided))]

    def _note(self, waiting: PendingTurn, name: str, **facts: Any) -> Trace:
        return self._trace.note(name, self._bot.name, **about(waiting), **facts)
