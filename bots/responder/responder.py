"""Answers lines and events of one bot, each once and before its deadline.

    lines of owners, trusted ─▶ one speaker at a time ──────────▶ decision ─▶ said, recorded
    lines of players, bots ───▶ beside them, one at a time ──────┤
    a question that asks to think ─▶ beside them, one at a time ─┤
    events ──▶ one at a time; lines of that rank first ──────────┘
    "stop" ──▶ at once, whatever is being decided

We answer a person by whisper, and the lines of a burst together. Beyond a limit of lines a minute
we only record a player's lines.
Another bot's lines are answered after a pause, within hearing range and the limit on turns, and
only while no person talks with either bot; a person's line ends such an attempt. What somebody had
another bot say is answered as if said by that one, or that one is told why not. Public lines are
answered in public. On a question that asks to think a model may think longer, after words that the
bot does. Auto-replies need no decision. Lines of a group talk belong to that talk.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import structlog

from bots.access.origin import Fellow, Origin, Person, is_operator
from bots.access.sources import FACTS, Sources
from bots.bot.bot import Bot
from bots.chat.attendance import Attendance, Begin
from bots.chat.between_daemons import with_introduction
from bots.chat.message import Kind
from bots.chat.natural_message import NaturalMessage
from bots.chat.strangers import Strangers
from bots.chat.turn_taking import PersonTalk, TurnLimit
from bots.clock import Times
from bots.errors import StoreError
from bots.observability.trace import Trace, TraceLog
from bots.owned_tasks import OwnedTasks
from bots.responder.case.inbox import (
    ANSWERING,
    ASKING,
    COMMANDING,
    Channel,
    EventBuffer,
    Inbox,
    PendingTurn,
    crowded,
)
from bots.responder.decide import (
    FIRST_LINE_S,
    Attempt,
    DecisionMaker,
    Reply,
    asking_for_patience,
    ended,
    left_s,
)
from bots.responder.limits import AutoReply, Limits
from bots.responder.records.record import DecisionRecorder, about
from bots.responder.reply import Saying
from bots.responder.rules.phrases.foreign import asks_for_quiet
from bots.skills.idle import pondering
from bridge.errors import BotError
from llm.engine.decision import Decision
from llm.model import Question

log = structlog.get_logger()

NEVER_HEARD = -1  # stands for a line outside of every history
BURST_S = 2.0  # more lines may follow a line this soon after an answer, so
GATHER_S = 0.25  # we gather lines until this much silence,
GATHER_MOST_S = 1.0  # or for this long
GRACE_S = 1.0  # callers wait this much longer than the promised time
FELLOW_PAUSE_S = (2.0, 4.0)  # before answering another bot, so that people can follow


class Responder:
    """Answers for one bot. `run` is owned by the daemon."""

    def __init__(
        self,
        bot: Bot,
        decision_maker: DecisionMaker,
        inbox: Inbox,
        buffer: EventBuffer,
        *,
        turns: TurnLimit,
        persons: PersonTalk,
        attendance: Attendance,
        begin_talk: Begin,
        limits: Limits,
        strangers: Strangers,
        recorder: DecisionRecorder,
        trace: TraceLog,
        times: Times,
    ) -> None:
        self._bot, self._decision_maker = bot, decision_maker
        self._inbox, self._buffer = inbox, buffer
        self._turns, self._persons, self._attendance = turns, persons, attendance
        self._begin_talk, self._limits = begin_talk, limits
        self._strangers = strangers
        self._recorder, self._trace = recorder, trace
        self._saying = Saying(bot, persons, trace, times.stopwatch)
        self._times, self._stopwatch = times, times.stopwatch
        self._attempts: list[Attempt] = []
        self._tasks = OwnedTasks()
        self._in_depth: asyncio.Task[None] | None = None
        self._answered: tuple[Channel, float] | None = None
        self._awaited: dict[int, asyncio.Future[Decision | None]] = {}

    def listen(self) -> Callable[[], None]:
        """Hear the bot's natural messages from now on; returns the undo."""
        return self._bot.on_natural_message(self._hear)

    async def run(self) -> None:
        """Answer until cancelled."""
        try:
            async with asyncio.TaskGroup() as group:
                next_of_commanding = partial(self._inbox.first_line, COMMANDING)
                group.create_task(self._answer(next_of_commanding, self._inbox.line_added))
                group.create_task(self._answer(self._next_of_asking, self._inbox.other_line_added))
                group.create_task(self._answer(self._next_to_tell, self._inbox.event_added))
        finally:
            await self._tasks.aclose()

    def decision_on(self, line: int) -> asyncio.Future[Decision | None]:
        """The decision to come on the line of this number; None when it is dropped.

        Ask right after the line was heard: what was decided before is not looked up."""
        awaited = self._awaited.setdefault(line, asyncio.get_running_loop().create_future())
        awaited.add_done_callback(lambda _: self._awaited.pop(line, None))
        return awaited

    @property
    def decided_within_s(self) -> float:
        """The longest time that a decision on a line may take."""
        return FIRST_LINE_S + self._decision_maker.in_depth_s + GRACE_S

    def reconsider(self, turn: PendingTurn) -> None:
        """Decide an earlier turn again."""
        for message in turn.messages:
            self._wait(message)
        for event in turn.events:
            again = replace(event, at_s=self._stopwatch())
            self._inbox.report(turn.speaker, turn.origin, again)

    async def sees_to(self, message: NaturalMessage) -> bool:
        """Decide a line of the bot's talk as outside of it, if it plainly asks for something to be
        done; returns whether it does."""
        if self._decision_maker.asks_to_stop(message):
            return await self._stops(message)
        if not await self._decision_maker.asks_to_act(message):
            return False
        if not self._limits.lines.admits(message):
            return False
        self._wait(message)
        return True

    async def decide_aside(self, message: NaturalMessage) -> None:
        """Decide a line of the bot's talk as outside of it: the bot understood it as a request."""
        if (refusal := self._limits.refuse_beyond(message)) is None:
            self._wait(message)
        else:
            await self._withhold(message, refusal)

    def _hear(self, message: NaturalMessage) -> Awaitable[None] | None:
        if not isinstance(message.origin, Fellow):
            self._persons.spoke(self._bot.name)
            if asks_for_quiet(message.content, self._bot.name):
                self._persons.hush()
            for attempt in self._attempts:
                if attempt.turn.is_small_talk:
                    attempt.drop("person_spoke")
        if self._decision_maker.asks_to_stop(message):
            return self._stop_at_once(message)
        return self._hear_out(message)

    def _hear_out(self, message: NaturalMessage) -> Awaitable[None] | None:
        def answer_after_all() -> None:
            self._wait(message)

        if self._attendance.takes(message, answer_after_all):
            return None
        origin = message.origin
        is_bots_own = isinstance(origin, Fellow) and message.asked_by is None
        if is_bots_own and self._strangers.wants_no_answer(message.content):  # it ends an exchange
            return self._leave(message)
        refusal = self._limits.refuse(message)
        if isinstance(origin, Person) and not self._bot.permissions.is_named(origin.name):
            name, text = message.from_, message.content
            spoke_s = self._bot.spoke_s(None if message.public else name)
            self._strangers.hear(self._bot.name, name, text, spoke_s)
            if self._strangers.is_waited_for(name, text):
                return self._find_out(message, refusal)
        return self._answer_or_refuse(message, refusal)

    async def _find_out(self, message: NaturalMessage, refusal: str | None) -> None:
        """Answer the line unless a bot of another daemon said it."""
        try:
            is_a_bot = await self._strangers.turns_out_a_bot(
                message.from_, self._bot.ask_whether_bot
            )
        except BotError:  # it left, or nothing can be said
            is_a_bot = False
        if is_a_bot:
            await self._leave(message)
        elif (answering := self._answer_or_refuse(message, refusal)) is not None:
            await answering

    async def _leave(self, message: NaturalMessage) -> None:
        """Leave a line that wants no answer."""
        self._note(self._turn_of(message), "decision.dropped", why="wants_no_answer")
        self._settle([message], None)

    def _answer_or_refuse(
        self, message: NaturalMessage, refusal: str | None
    ) -> Awaitable[None] | None:
        def answer_after_all() -> None:
            self._wait(message)

        if refusal is not None:
            return self._withhold(message, refusal)
        if self._begin_talk(message, answer_after_all):
            return None
        fixed = self._limits.fixed.to(message)
        if fixed is not None:
            return self._answer_fixed(message, fixed)
        if self._wait(message) or not isinstance(message.origin, Person):
            return None
        return self._withhold(message, crowded(message.content))

    async def question(self, speaker: str, origin: Origin, text: str) -> Question:
        """What a model would be asked if somebody whispered this now; nothing comes of it."""
        turn = PendingTurn(speaker, origin, self._stopwatch())
        turn.messages.append(NaturalMessage(self._bot.name, speaker, text, 0, origin, NEVER_HEARD))
        return await self._decision_maker.question(turn)

    def _wait(self, message: NaturalMessage) -> bool:
        """Let a line wait for its answer; False when too many speakers wait already."""
        if self._inbox.add(message, self._stopwatch()):
            return True
        self._settle([message], None)
        return False

    async def _stop_at_once(self, message: NaturalMessage) -> None:
        """Stop and forget the speaker's earlier lines. With nothing to stop, answer the line."""
        if await self._stops(message):
            return
        if (answering := self._hear_out(message)) is not None:
            await answering

    async def _stops(self, message: NaturalMessage) -> bool:
        """Stop, if there is something to stop; earlier lines of the speaker are then forgotten."""
        turn = self._turn_of(*self._inbox.withdraw(message.origin), message)
        stopping = asyncio.create_task(self._decision_maker.stop(turn))
        if (failure := await ended(stopping)) is not None:
            log.error("stop.failed", bot=self._bot.name, exc_info=failure)
        decision = None if failure or stopping.cancelled() else stopping.result()
        if decision is not None:
            self._record(Attempt(turn), Reply(decision))
            await self._saying.say(turn, decision.text, FACTS, "by_rules")
            return True
        turn.messages.pop()
        for line in turn.messages:
            self._wait(line)
        return False

    async def _withhold(self, message: NaturalMessage, sentence: str) -> None:
        """Leave a line unanswered; tell its speaker why, unless the sentence is empty."""
        turn = self._turn_of(message)
        self._note(turn, "line.withheld")
        self._settle([message], None)
        if sentence:
            await self._tell_why(message.from_, sentence)

    async def _tell_why(self, speaker: str, sentence: str) -> None:
        """Tell a person why there is no answer."""
        self._limits.clockwork.answered(speaker)
        try:
            await self._bot.speak(speaker, sentence, gives_way=True)
        except BotError:
            self._limits.clockwork.unsaid(speaker)

    async def _answer_fixed(self, message: NaturalMessage, fixed: AutoReply) -> None:
        """Give an auto-reply, beside whatever is being decided."""
        turn = self._turn_of(message)
        admitted = self._limits.fixed.admit(message.from_)
        if admitted != "admitted":
            self._note(turn, "auto_reply.withheld", match=fixed.match)
            if admitted == "refused":
                await self._tell_why(message.from_, self._limits.fixed.notice(message.content))
            return
        self._note(turn, "auto_reply.chosen", match=fixed.match, text=fixed.reply)
        words = self._with_introduction(turn, fixed.reply)
        await self._say(turn, words, FACTS, "by_rules")

    async def _say(self, turn: PendingTurn, words: str, sources: Sources, kind: Kind) -> None:
        self._limits.clockwork.answered(
            turn.speaker
        )  # noted first: a program may answer before we have finished
        fitting = self._saying.fitting(turn, words)
        why = await self._saying.say(turn, fitting, sources, kind)
        said_s = self._bot.last_said_s(None if turn.public else turn.speaker)
        was_said_whole = not why and fitting == words  # nobody agrees to words they did not read
        self._decision_maker.said(turn, said_s if was_said_whole else None)
        if why:
            self._limits.clockwork.unsaid(turn.speaker)
            await self._excuse(turn, why)

    def _with_introduction(self, turn: PendingTurn, words: str) -> str:
        """The words, and now and then what the bot is: the other may be a bot that cannot know."""
        if not isinstance(turn.origin, Person) or not turn.messages:
            return words
        if not self._strangers.is_to_be_told(self._bot.name, turn.speaker):
            return words
        return with_introduction(self._bot.name, words)

    async def _excuse(self, turn: PendingTurn, why: str) -> None:
        """Tell the person who had another bot say these lines why they get no answer.

        An operator is in no world, and reads it in the history."""
        asker = turn.asked_by
        if asker is None:
            return
        told = f"I heard {turn.speaker}, but did not answer: {why}"
        try:
            if is_operator(asker):
                await self._bot.add_message(self._bot.name, told, "system_info", sources=FACTS)
            else:
                await self._bot.speak(asker, told, gives_way=True)
        except (BotError, StoreError) as error:
            log.warning("reply.failed", bot=self._bot.name, to=asker, why=str(error))

    def _turn_of(self, *lines: NaturalMessage) -> PendingTurn:
        """Lines of one speaker, to be answered where the newest was said."""
        newest = lines[-1]
        turn = PendingTurn(newest.from_, newest.origin, self._stopwatch(), newest.public)
        turn.messages.extend(lines)
        return turn

    async def _answer(self, choose: Callable[[], PendingTurn | None], woken: asyncio.Event) -> None:
        """Attend one turn after the other; runs beside the others of its kind."""
        while True:
            await woken.wait()
            woken.clear()
            while (turn := choose()) is not None:
                is_free = self._in_depth is None or self._in_depth.done()
                if turn.work == "deep" and self._decision_maker.in_depth_s and is_free:
                    # Attend it for longer, beside the others: nobody else waits for it.
                    self._inbox.take(turn)
                    work = self._see_to(Attempt(turn, in_depth=True))
                    self._in_depth = self._tasks.start(
                        work, f"{self._bot.name}: thinks for {turn.speaker}"
                    )
                    continue
                if not turn.messages:
                    self._inbox.take(turn)
                await self._see_to(Attempt(turn))

    async def _see_to(self, attempt: Attempt) -> None:
        await self._attend(attempt)
        self._inbox.wake()  # others may have waited for this

    def _next_of_asking(self) -> PendingTurn | None:
        asking, asked = self._inbox.first_line(ASKING), self._inbox.first_asked()
        if asked is not None and (asking is None or asked.since <= asking.since):
            return asked
        if asking is None and not any(attempt.answers_person for attempt in self._attempts):
            return self._inbox.first_of_fellow()
        return asking

    def _next_to_tell(self) -> PendingTurn | None:
        """A person to be told of something."""
        answered = [self._inbox.rank(t.turn) for t in self._attempts if t.answers_person]
        return self._inbox.first_event(self._stopwatch(), answered)

    async def _attend(self, attempt: Attempt) -> None:
        """Decide one turn and say the answer."""
        turn = attempt.turn
        reply = await self._decide_undisturbed(attempt)
        self._inbox.take(turn)  # it is still there when it was dropped in a pause
        if reply is not None and self._turned_out_a_bot(turn):  # while a model thought
            attempt.dropped_because = "wants_no_answer"
        if reply is None or attempt.dropped_because:
            self._buffer.give_back(attempt.batch)
            self._note(turn, "decision.dropped", why=attempt.dropped_because or "stale")
            self._settle(turn.messages, None)
            await self._excuse(turn, "I was stopped.")
            return
        self._answered = turn.channel, self._stopwatch()
        self._record(attempt, reply)
        if words := reply.decision.text:
            if not reply.decision.used:  # who has something done is a person
                words = self._with_introduction(turn, words)
            saying = asyncio.create_task(self._say(turn, words, reply.sources, reply.kind))
            if (failure := await ended(saying)) is not None:
                log.error("saying.failed", bot=self._bot.name, exc_info=failure)
        else:
            await self._excuse(turn, "I have nothing to say to that.")

    async def _decide_undisturbed(self, attempt: Attempt) -> Reply | None:
        """The decision; None if it was dropped. After a bug the rules still answer."""
        turn = attempt.turn
        name, stop = ANSWERING + turn.speaker, partial(attempt.drop, "stopped")
        task = asyncio.create_task(self._decide(attempt), name=f"{self._bot.name}: {name}")
        attempt.task = task
        self._attempts.append(attempt)
        try:
            with self._bot.running(name, stop, turn.origin), self._showing_thought(attempt):
                failure = await ended(task)
        finally:
            self._attempts.remove(attempt)
        if task.cancelled():
            return None
        if failure is None:
            return task.result()
        log.error("decision.failed", bot=self._bot.name, exc_info=failure)
        return Reply(self._decision_maker.last_resort(turn))

    @contextmanager
    def _showing_thought(self, attempt: Attempt) -> Iterator[None]:
        """What a player sees who waits for an answer, and hears if that takes longer."""
        origin = attempt.turn.origin
        with ExitStack() as shown:
            if attempt.answers_person and isinstance(origin, Person):
                shown.enter_context(pondering(self._bot, origin.name))
            if attempt.in_depth:
                shown.enter_context(asking_for_patience(self._bot, attempt.turn, self._times.sleep))
            yield

    async def _decide(self, attempt: Attempt) -> Reply | None:
        attempt.mark_current()
        turn = attempt.turn
        if turn.is_small_talk:
            await self._times.sleep(self._times.rng.uniform(*FELLOW_PAUSE_S))
        if self._turned_out_a_bot(turn):
            attempt.dropped_because = "wants_no_answer"
            return None
        if turn.is_small_talk and (why := self._why_silent(turn)) is not None:
            attempt.dropped_because = why
            return None
        if not turn.from_fellow:
            await self._gather(turn)
            attempt.batch = self._buffer.flush()
        self._inbox.take(turn)  # lines that come from here on wait for the next answer
        within_s = left_s(attempt, self._stopwatch())
        with self._attendance.thinking_elsewhere(self._bot.name):
            others = [one.turn for one in self._attempts if one.turn is not turn]
            # Events that another attempt is telling the same speaker of now.
            beside = [e for one in others if one.origin == turn.origin for e in one.events]
            events = (*attempt.batch.told, *beside)
            return await self._decision_maker.decide(
                turn, within_s, events, in_depth=attempt.in_depth
            )

    def _turned_out_a_bot(self, turn: PendingTurn) -> bool:
        """Whether what counted as a person's line was a bot's."""
        return isinstance(turn.origin, Person) and turn.speaker in self._bot.known_bots

    async def _gather(self, turn: PendingTurn) -> None:
        """In a burst, wait until the speaker pauses; a single line does not wait."""
        channel, answered_at = self._answered or (None, 0.0)
        if channel != turn.channel or turn.since - answered_at > BURST_S:
            return
        gather_until = self._stopwatch() + GATHER_MOST_S
        heard = 0
        while heard < len(turn.messages) and self._stopwatch() < gather_until:
            heard = len(turn.messages)
            await self._times.sleep(GATHER_S)

    def _why_silent(self, turn: PendingTurn) -> str | None:
        if self._persons.going_on(self._bot.name, turn.speaker):
            return "person_talks"
        if self._attendance.together(self._bot.name, turn.speaker):
            return "in_a_talk"
        if turn.public:
            may_answer = self._turns.take_public_turn()
        else:
            is_elsewhere = self._bot.known_bots.is_elsewhere(turn.speaker)
            may_answer = self._turns.may_answer(
                self._bot.name, turn.speaker, is_elsewhere=is_elsewhere
            )
            if may_answer and is_elsewhere:
                self._turns.heard(turn.speaker, self._bot.name)  # it will; nothing here tells us
        return None if may_answer else "turn_limit"

    def _record(self, attempt: Attempt, reply: Reply) -> None:
        """Record it. Rules tell no buffered events, so those stay for a model's decision."""
        turn, events, decision = attempt.turn, attempt.batch.told, reply.decision
        if decision.source == "rules":
            self._buffer.give_back(attempt.batch)
            events = ()
        self._recorder.decided(self._bot.name, turn, decision, events, requests=reply.requests)
        self._settle(turn.messages, decision)

    def _settle(self, lines: Iterable[NaturalMessage], decision: Decision | None) -> None:
        """Tell whoever awaits the decision on one of these lines."""
        for line in lines:
            awaited = self._awaited.get(line.sequence)
            if awaited is not None and not awaited.done():
                awaited.set_result(decision)

    def _note(self, turn: PendingTurn, name: str, **facts: Any) -> Trace:
        return self._trace.note(name, self._bot.name, **about(turn), **facts)
