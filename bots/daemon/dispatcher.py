"""Dispatches one bot's events and decides what each whisper is.

from the bot itself ─▶ nothing
from another bot    ─▶ receipt of a known utterance, or a line heard from it
from a bot elsewhere ─▶ small talk, or a line heard from it; no receipts cross daemons
says it is a bot    ─▶ it is one from now on; a bot that asks is told the same
begins with `!`     ─▶ command: run, rendered, whispered back; not recorded;
                       a job runs beside the speaker's later commands
anything else       ─▶ recorded, then `newNaturalMessage` at once

Public chat goes to bots/daemon/public_chat.py.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

import structlog

from bots.access.origin import OPERATOR_NAME, Fellow, Operator, Origin, Person, speaker_of
from bots.access.rate_limit import RateLimit
from bots.access.sources import Sources, names_of
from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.bot.result import Result
from bots.bot.stoppables import may_be_stopped_by
from bots.chat.between_daemons import (
    ASKING,
    introduces_itself,
    introduction,
    is_introduction,
    says_it_is_a_bot,
    small_talk_in,
)
from bots.chat.message import Message
from bots.chat.natural_message import NaturalMessage
from bots.chat.receipts import Partial
from bots.daemon.closings import APOLOGY, FORGETFUL, TOO_MANY_COMMANDS
from bots.daemon.hand_overs import Gifts, make_room
from bots.daemon.progress_reports import WORTH_WAITING_S, report, whisper
from bots.daemon.public_chat import PublicChat
from bots.daemon.shared import SharedServices
from bots.errors import StoreUnwritable
from bots.owned_tasks import OnFailure, OwnedTasks
from bots.registry.args import PREFIX
from bots.registry.registry import CommandContext
from bots.registry.render import render
from bridge import events
from bridge.events import BridgeEvent, ChatHeard, WhisperReceived
from bridge.world import BotName, PlayerName

Work: TypeAlias = Callable[[], Awaitable[None]]
Waiting: TypeAlias = Callable[[Callable[[], object]], AbstractContextManager[None]]
"""Makes the context that is open while a command waits, from the function that drops it."""


async def _now(work: Work) -> None:
    await work()


class CommandQueues:
    """One queue for each speaker, gone when it is empty; the caller limits how many may wait."""

    def __init__(self) -> None:
        self._tasks = OwnedTasks()
        self._last: dict[str, asyncio.Task[None]] = {}
        self._overtaking: defaultdict[str, set[asyncio.Task[None]]] = defaultdict(set)
        self._lengths: Counter[str] = Counter()

    def length(self, speaker: str) -> int:
        """How many commands of this speaker are not done, the running one included."""
        return self._lengths[speaker]

    def queue(
        self,
        speaker: str,
        work: Work,
        on_failure: OnFailure,
        waiting: Waiting,
    ) -> None:
        """Run it after the speaker's earlier commands, whether they succeeded or not.

        While the work waits, the context of `waiting` is open; it gets the function that drops
        the work. A command that overtook earlier is waited for, so it drops nothing later."""
        overtakers = frozenset(self._overtaking.get(speaker, ()))
        turn = self._after(overtakers, self._last.get(speaker), work, waiting)
        task = self._tasks.start(turn, speaker, on_failure)
        self._last[speaker] = task
        self._lengths[speaker] += 1
        task.add_done_callback(lambda done: self._leave(speaker, done))

    def overtake(self, speaker: str, work: Work, on_failure: OnFailure) -> None:
        """Run it now, before what waits in the queue and before what comes later."""
        task = self._tasks.start(_now(work), speaker, on_failure)
        self._overtaking[speaker].add(task)
        task.add_done_callback(lambda done: self._has_overtaken(speaker, done))

    def at_once(self, work: Work, on_failure: OnFailure | None = None) -> None:
        """Run it now, beside all queues."""
        self._tasks.start(_now(work), "at once", on_failure)

    async def aclose(self) -> None:
        """Cancel what runs and what waits."""
        await self._tasks.aclose()

    async def _after(
        self,
        overtakers: frozenset[asyncio.Task[None]],
        previous: asyncio.Task[None] | None,
        work: Work,
        waiting: Waiting,
    ) -> None:
        if overtakers:
            await asyncio.wait(overtakers)
        task = asyncio.current_task()
        if previous is not None and task is not None:
            with waiting(task.cancel):
                await asyncio.wait({previous})
        await work()

    def _leave(self, speaker: str, task: asyncio.Task[None]) -> None:
        self._lengths[speaker] -= 1
        if not self._lengths[speaker]:
            del self._lengths[speaker]
        if self._last.get(speaker) is task:
            del self._last[speaker]

    def _has_overtaken(self, speaker: str, task: asyncio.Task[None]) -> None:
        self._overtaking[speaker].discard(task)
        if not self._overtaking[speaker]:
            del self._overtaking[speaker]


log = structlog.get_logger()

IDLE_STOPS = 3  # answers in 10 s to a `!stop` that finds nothing to stop


class Dispatcher:
    """Passes on everything that one bot hears."""

    def __init__(self, bot: Bot, public_chat: PublicChat, shared: SharedServices) -> None:
        self._bot, self._public_chat = bot, public_chat
        self._commands, self._limit = shared.commands, shared.limit
        self._conversation, self._receipts = shared.conversation, shared.receipts
        self._answers, self._server_lines = shared.answers, shared.server_lines
        self._fellows, self._present = shared.fellows, shared.present
        self._known_bots = shared.known_bots
        self._turns, self._strangers = shared.turns, shared.strangers
        self._attendance, self._trace = shared.attendance, shared.trace
        self._sleep = shared.times.sleep
        self._idle_stops = RateLimit(shared.times.stopwatch, count=IDLE_STOPS)
        self._queues = CommandQueues()
        self._reporters, self._steps = OwnedTasks(), OwnedTasks()
        self._gifts = Gifts(bot, shared.commands, shared.trace, shared.handed_on)

    async def handle(self, event: BridgeEvent) -> None:
        """Handle one event; returns before a command it started has ended.

        If we cannot record a line, we do not act on it and tell its speaker."""
        try:
            await self._handle(self._without_pin(event))
        except StoreUnwritable:  # the store has logged why
            self._whisper_to_sender(event, FORGETFUL)

    def feel(self, event: BridgeEvent) -> None:
        """Pass on what the bot's body feels, and whose blow it sees."""
        match event:
            case events.HealthChanged():
                self._trace.note(
                    "health.changed", self._bot.name, health=event.health, food=event.food
                )
                self._bot.events.emit(event)
            case events.BotHurt():
                facts = {"lost": event.lost, "health": event.health}
                self._trace.note("bot.hurt", self._bot.name, cause=_cause(event), **facts)
                self._bot.events.emit(event)
            case events.BotDied():
                told = {**_death(event), "lived_s": round(self._bot.obituary.lived_s)}
                self._trace.note("bot.died", self._bot.name, **told)
                log.info("bot.died", bot=self._bot.name, **told)
                self._bot.events.emit(event)
            case events.PlayerHurt():
                self._bot.events.emit(event)

    def _without_pin(self, event: BridgeEvent) -> BridgeEvent:
        """What was said as it may be recorded: the pin may be said where it does not belong."""
        match event:
            case WhisperReceived() if self._commands.is_secret(event.text):
                return event
            case WhisperReceived(sender=name) | ChatHeard(sender=name):
                return replace(event, text=self._bot.permissions.recordable(name, event.text))
        return event

    async def _handle(self, event: BridgeEvent) -> None:
        match event:
            case WhisperReceived():
                await self._whisper(event)
            case ChatHeard():
                self._note_introduction(event)
                await self._public_chat.hear(event)
            case events.LineUnheard():
                await self._unheard(event)
            case events.LineAnswered(refusal=events.Refusal(words=words)):
                if (utterance_id := self._answers.given_up(event)) is not None:
                    await self._conversation.unreached(utterance_id, event.to, words)
            case events.ItemGiven() | events.HandOverSeen():
                self._handed_over(event)
            case events.BlockPlaced():
                await self._placed(event)
            case events.PlayerDied() | events.PlayerJoined() | events.PlayerLeft():
                self._bot.events.emit(event)
            case _:
                pass

    def _handed_over(self, event: events.ItemGiven | events.HandOverSeen) -> None:
        if isinstance(event, events.HandOverSeen):
            if not len(self._steps):
                self._steps.start(make_room(self._bot, event), f"room for {event.taker}")
            return
        facts = {"player": event.player, "item": event.item, "count": event.count}
        self._trace.note("item.given", self._bot.name, **facts, meant_for=event.meant_for)
        self._bot.events.emit(event)
        if event.meant_for is not None:
            self._gifts.got(event)

    async def _placed(self, event: events.BlockPlaced) -> None:
        placements = self._bot.placements
        if event.block.endswith("air"):
            await placements.gone(event.position, event.dimension)
        elif event.player not in self._bot.known_bots:
            await placements.seen(event.block, event.position, event.dimension)

    async def _unheard(self, event: events.LineUnheard) -> None:
        """Recognise a fellow's line by its words, whatever a plugin has put around them."""
        for public in (False, True):
            known = self._receipts.awaited_in(
                self._bot.name, event.text, by=event.speaker, public=public
            )
            if known is None:
                continue
            speaker, text = PlayerName(known[0]), known[1]
            if public:
                await self._public_chat.hear(ChatHeard(event.bot, speaker, text, event.at))
            else:
                await self._whisper(WhisperReceived(event.bot, speaker, text, event.at))
            return
        self._server_lines.unheard(event)

    async def apologise(self, event: BridgeEvent) -> None:
        """Tell a person that their whisper ran into a bug; returns before that is said."""
        self._whisper_to_sender(event, APOLOGY)

    def _whisper_to_sender(self, event: BridgeEvent, sentence: str) -> None:
        if isinstance(event, WhisperReceived) and event.sender not in self._known_bots:
            self._queues.at_once(partial(whisper, self._bot, event.sender, sentence))

    async def message_from_operator(self, text: str, speaker: str = OPERATOR_NAME) -> Message:
        """Record what the operator says to this bot, and fire it as a natural message.

        `speaker` is the name it is recorded under; it gives no rights and takes none."""
        self._turns.person_spoke(self._bot.name)
        self._bot.disturbed()
        words = self._bot.permissions.proofs.without_pin(text)
        return await self._record(Operator("http"), speaker, words)

    async def aclose(self) -> None:
        """Cancel the commands that still run."""
        await self._queues.aclose()
        await self._reporters.aclose()
        await self._steps.aclose()
        await self._gifts.aclose()

    async def _whisper(self, event: WhisperReceived) -> None:
        if event.sender == PlayerName(self._bot.name):
            return
        is_command = event.text.startswith(PREFIX)
        if not (is_command or event.sender in self._known_bots):
            self._bot.disturbed()
        self._bot.addressed_by(event.sender)
        if event.sender in self._fellows:
            await self._fellow_whisper(event, Fellow(BotName(event.sender)))
        elif self._note_introduction(event):
            return
        elif event.sender in self._known_bots:
            await self._whisper_from_elsewhere(event, Fellow(BotName(event.sender)))
        elif is_command:
            self._command(event, Person(event.sender))
        else:
            self._turns.person_spoke(self._bot.name)
            person = Person(event.sender)
            await self._record(person, speaker_of(person), event.text, event)

    def _note_introduction(self, event: WhisperReceived | ChatHeard) -> bool:
        """Note whether a bot of another daemon says what it is; whether it says nothing else."""
        name, text = event.sender, event.text
        is_known = name in self._fellows or self._bot.permissions.is_named(name)
        if is_known or not says_it_is_a_bot(name, text):
            return False
        if name not in self._known_bots:
            self._turns.exhaust(self._bot.name, name)
        self._strangers.introduced(name)
        is_answer = is_introduction(name, text)
        asks_back = (text == ASKING or introduces_itself(name, text)) and not is_answer
        if asks_back and self._limit.admit(name) == "admitted":
            words = introduction(self._bot.name, text)
            self._queues.at_once(partial(whisper, self._bot, name, words))
        return is_answer or text == ASKING

    async def _fellow_whisper(self, event: WhisperReceived, fellow: Fellow) -> None:
        is_command = event.text.startswith(PREFIX)
        receipts = self._receipts
        arrival = None if is_command else receipts.match(self._bot.name, fellow.name, event.text)
        if isinstance(arrival, Partial):
            return
        if arrival is None and fellow.name not in self._present:
            log.warning("fellow.impersonated", bot=self._bot.name, name=fellow.name)
            return
        if is_command:
            self._command(event, fellow)
            return
        if arrival is None:
            self._count_turn(fellow)
            await self._record(fellow, fellow.name, event.text, event)
        else:
            await self._arrived(event, fellow, arrival)

    async def _whisper_from_elsewhere(self, event: WhisperReceived, other: Fellow) -> None:
        """A line of a bot of another daemon, or of a player who has taken its name."""
        if event.text.startswith(PREFIX):
            self._command(event, other)
        elif (chatter := small_talk_in(other.name, event.text)) is not None:
            sources = self._sources_of(other, other.name)
            await self._conversation.add(
                self._bot.name, other.name, chatter.text, "small_talk", at=event.at, sources=sources
            )
            self._bot.events.emit(chatter)
        else:
            of_talk = self._attendance.together(self._bot.name, other.name)
            if not of_talk:
                self._turns.heard_from_elsewhere(self._bot.name, other.name)
            await self._record(other, other.name, event.text, event)

    async def _arrived(self, event: WhisperReceived, fellow: Fellow, arrival: int) -> None:
        """Handle a complete utterance of another bot."""
        try:
            message = await self._conversation.hear(self._bot.name, arrival, event.at)
        finally:
            self._receipts.recorded(arrival, self._bot.name)
        if message.utterance.kind == "small_talk":  # it wants no answer
            return
        of_talk = self._count_turn(fellow)
        if message.utterance.asked_by is not None:
            self._turns.had_said(self._bot.name, fellow.name)
            self._bot.disturbed()
        self._fire(fellow, message, of_talk=of_talk)

    def _count_turn(self, fellow: Fellow) -> bool:
        """Count a line of a fellow, unless it belongs to a talk, which has limits of its own;
        whether it does."""
        of_talk = self._attendance.together(self._bot.name, fellow.name)
        if not of_talk:
            self._turns.heard(self._bot.name, fellow.name)
        return of_talk

    async def _record(
        self, origin: Origin, speaker: str, text: str, event: WhisperReceived | None = None
    ) -> Message:
        message = await self._conversation.add(
            self._bot.name,
            speaker,
            text,
            at=event.at if event else None,
            sources=self._sources_of(origin, speaker),
        )
        self._fire(origin, message)
        return message

    def _sources_of(self, origin: Origin, speaker: str) -> Sources:
        """Of a whispered line: it is for its speaker and those of a talk with the two."""
        company = self._attendance.company(self._bot.name, speaker)
        level = self._bot.permissions.level_of(origin)
        return Sources.said_by(origin, level, names_of(origin) | company)

    def _fire(self, origin: Origin, message: Message, *, of_talk: bool = False) -> None:
        text, at, number = message.text or "", message.timestamp_ms, message.sequence
        speaker = message.utterance.speaker
        # Before the trace, whose readers would run before the handlers.
        asked_by = message.utterance.asked_by
        natural = NaturalMessage(
            self._bot.name, speaker, text, at, origin, number, asked_by=asked_by
        )
        self._bot.fire(natural)
        facts = {"of_talk": True} if of_talk else {}
        self._trace.note("message.heard", self._bot.name, speaker=speaker, text=text, **facts)

    def _command(self, event: WhisperReceived, origin: Origin) -> None:
        run = partial(self._run, event, origin)
        if self._commands.overtakes(event.text):
            # A `!stop` runs now if it can stop something, else within a limit.
            may_stop = may_be_stopped_by(origin, self._bot.permissions.level_of(origin))
            is_useful = self._bot.doing_for(may_stop) or self._bot.waiting_for(may_stop)
            if is_useful or self._idle_stops.admit(event.sender) == "admitted":
                self._queues.overtake(event.sender, run, self._sorry(event))
            return
        verdict = self._limit.admit(event.sender)
        # Queue at most one rate-limit window: paced answers would pile up.
        if verdict == "admitted" and self._queues.length(event.sender) < self._limit.count:
            waiting = partial(self._bot.running, "a waiting command", started_by=origin)
            self._queues.queue(event.sender, run, self._sorry(event), waiting)
        elif verdict != "refused_again":
            sentence = TOO_MANY_COMMANDS.format(seconds=self._limit.window_s)
            self._queues.at_once(partial(whisper, self._bot, event.sender, sentence))

    async def _run(self, event: WhisperReceived, origin: Origin) -> None:
        context = CommandContext(self._bot, origin, speaker_of(origin), self._commands)
        begun = await self._commands.begin(context, event.text)
        if isinstance(begun, Job):
            follow = partial(self._follow_job, event, origin, begun)
            self._queues.at_once(follow, self._sorry(event))
        else:
            await self._tell_result(event, origin, begun)

    async def _follow_job(self, event: WhisperReceived, origin: Origin, job: Job) -> None:
        say = partial(whisper, self._bot, event.sender, max_wait_s=WORTH_WAITING_S)
        reports = report(job, say, self._sleep, lambda: self._bot.quiet)
        reporter = self._reporters.start(reports, f"reports of {job.id}")
        try:
            result = await job.end()
        finally:
            reporter.cancel()
        await self._tell_result(event, origin, result)

    async def _tell_result(self, event: WhisperReceived, origin: Origin, result: Result) -> None:
        secret = self._commands.is_secret(event.text)
        self._trace.note(
            "command.finished",
            self._bot.name,
            speaker=event.sender,
            text=self._commands.shown(event.text),
            result={"success": result.success} if secret else result.as_traced(),
        )
        refused_bot = isinstance(origin, Fellow) and not result.success
        if not refused_bot:  # the other bot would answer the refusal
            await whisper(self._bot, event.sender, *render(result))

    def _sorry(self, event: WhisperReceived) -> OnFailure:
        return lambda _failure: self._queues.at_once(partial(self.apologise, event))


def _cause(event: events.BotHurt | events.BotDied) -> dict[str, str] | None:
    return None if event.cause is None else event.cause.as_json()


def _death(event: events.BotDied) -> dict[str, Any]:
    at = event.death.position.block
    return {
        "number": event.death.number,
        "position": [int(at.x), int(at.y), int(at.z)],
        "dimension": event.dimension,
        "world": event.world,
        "cause": _cause(event),
        "carried": {stack.name: stack.count for stack in event.carried},
    }
