"""What an operator may read and do: plain values in, JSON values out."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from itertools import count
from typing import TypeAlias

from bots.access.origin import OPERATOR_NAME, Operator, Origin, operator_called, speaker_of
from bots.bot.events import JobFinished
from bots.bot.jobs import Job
from bots.bot.result import Failure, Result
from bots.chat.message import Message
from bots.daemon.experiment_records import ExperimentRecords
from bots.daemon.health import Health
from bots.daemon.memory import OperatorMemory
from bots.daemon.roster import BotRoster
from bots.daemon.session import BotSession
from bots.daemon.shapes import HistoryQuery, Json, MetricsText, RecallQuery
from bots.observability.trace import TraceLog
from bots.owned_tasks import OwnedTasks
from bots.registry.failures import failure_of
from bots.registry.registry import CommandContext, CommandRegistry
from bots.registry.render import plain_lines
from bots.responder.records.record import DecisionRecorder, RecordedDecision
from bots.responder.reflection import answers
from bots.responder.reflection.answers import ThoughtsResult
from bots.responder.reflection.reflections import BotReflection
from bots.responder.reflection.thought import THREADS, Thread
from bots.responder.responder import Responder
from bots.vision.studio import Wanted, map_of, picture_of
from bridge.errors import BotError
from llm.claude.wire import shown_request
from llm.engine.context import TokenEstimate
from llm.engine.decision import Decision

OPERATOR = Operator("http")
PAGE = 100  # messages of a history, unless asked for more

ActOnThought: TypeAlias = Callable[[BotReflection, CommandContext], Awaitable[ThoughtsResult]]


class OperatorService:
    """Reads and acts for an operator. Callers check bot names and message types first."""

    def __init__(
        self,
        roster: BotRoster,
        commands: CommandRegistry,
        trace: TraceLog,
        recorder: DecisionRecorder,
        *,
        health: Health,
        stats: Callable[[], Json],
        metrics: Callable[[str], MetricsText],
        experiments: ExperimentRecords,
    ) -> None:
        self.trace, self.memory = trace, OperatorMemory(roster)
        self.experiments = experiments
        self._roster, self._commands, self._recorder = roster, commands, recorder
        self._health, self._stats, self._metrics = health, stats, metrics
        self._unwaited = OwnedTasks()
        self._run_numbers = count(1)

    def bots(self) -> list[Json]:
        return [session.as_json() for session in self._roster.sessions]

    async def command(
        self, bot: str, text: str, origin: Origin, wait: bool = True, plain: bool = False
    ) -> Json:
        """Run a command; unless waited for, its end is the `job.finished` of the `actionId`.

        Nobody waits for a command without an end: it is answered once it is under way."""
        session = self._roster.find(bot)
        if wait:
            return await self._run(session, text, origin, plain)
        if self._commands.is_query(text):
            run = f"run-{next(self._run_numbers)}"
            self._unwaited.start(self._run_unwaited(run, session, text, origin), run)
            return _started(run)
        begun = await self._commands.begin(self._context(session, origin), text)
        return _started(begun.id) if isinstance(begun, Job) else _told(begun, plain)

    async def message(self, bot: str, text: str, name: str | None = None) -> Json:
        """Let the bot hear the operator; its answer too, when it comes in time."""
        session = self._roster.find(bot)
        speaker = OPERATOR_NAME if name is None else operator_called(name)
        heard = await session.dispatcher.message_from_operator(text, speaker)
        decision = await _decision_on(heard, session.responder)
        return {
            "success": True,
            "sequence": heard.sequence,
            "answer": decision.text if decision else None,
            "source": decision.source if decision else None,
        }

    async def prompt(self, bot: str, text: str, name: str | None = None) -> Json:
        """What a model would be asked; the operator asks, or the player of this name."""
        session = self._roster.find(bot)
        if session.responder is None:
            return _refusal("no_answerer", f"{session.name} does not answer by itself")
        origin = OPERATOR if name is None else session.bot.origin_of(name)
        words = session.bot.permissions.proofs.without_pin(text)
        question = await session.responder.question(speaker_of(origin), origin, words)
        return {
            "success": True,
            "bot": session.name,
            "from": speaker_of(origin),
            "tokens": TokenEstimate().tokens_of(question),
            "request": shown_request(question),
        }

    async def history(self, bot: str, query: HistoryQuery) -> Json:
        found = self._roster.find(bot).bot
        usernames, type, talk = query.usernames, query.type, query.talk
        if query.before is None:
            messages = found.get_conversation_history(
                usernames=usernames, type=type, since=query.since, talk=talk, limit=query.limit
            )
        else:
            messages = await found.read_history(
                query.before, query.limit or PAGE, usernames=usernames, type=type, talk=talk
            )
        return {
            "success": True,
            "latestSequence": found.latest_sequence(),
            "history": [message.as_json() for message in messages],
        }

    async def recall(self, bot: str, query: RecallQuery) -> Json:
        """The lines that fit, best first."""
        found = await self._roster.find(bot).bot.recall(
            query.words,
            query.limit,
            query.speaker,
            query.since,
            until=query.until,
            offset=query.offset,
            episodes=query.episodes,
        )
        return {"success": True, "count": len(found), "lines": [one.as_json() for one in found]}

    async def picture(self, bot: str, wanted: Wanted) -> bytes:
        """What the bot sees, as a PNG."""
        return (await picture_of(self._roster.find(bot).bot, wanted)).data

    async def map(self, bot: str, reach: int | None) -> bytes:
        return (await map_of(self._roster.find(bot).bot, reach)).data

    def decisions(self) -> list[Json]:
        is_approved = self._recorder.is_approved
        return [
            {**made.as_json(), "id": made.sequence, "approved": is_approved(made.sequence)}
            for made in self.trace.recent("decision.made")
        ]

    async def approve(self, decision: int) -> Json:
        made = self._recorder.find(decision)
        if made is None:
            return _unknown_decision(decision)
        if made.work == "briefing":
            return await self._on_thought(made, answers.approve)
        if not self._recorder.is_approved(decision):
            self._recorder.approve(made.bot, decision)
        return {"success": True, "decision": decision}

    async def reanalyse(self, decision: int) -> Json:
        made = self._recorder.find(decision)
        if made is None:
            return _unknown_decision(decision)
        if made.work in THREADS:
            return await self._on_thought(made, partial(_think_anew, made.work))
        responder = self._roster.find(made.bot).responder
        if responder is None:
            return _refusal("no_answerer", f"{made.bot} does not answer by itself")
        if made.turn is None:
            return _refusal("nobody_asked", f"nobody asked for decision {decision}")
        responder.reconsider(made.turn)
        self._recorder.reanalysed(made.bot, decision)
        return {"success": True, "decision": decision, "started": True}

    def stats(self) -> Json:
        return {"success": True, **self._stats()}

    def metrics(self, accept: str) -> MetricsText:
        return self._metrics(accept)

    async def stop_all(self) -> Json:
        stopped = {r.name: await r.bot.stop() for r in self._roster.sessions}
        return {"success": True, "stopped": stopped}

    def health(self) -> Json:
        return self._health.facts()

    def why_not_live(self) -> list[str]:
        return self._health.why_not_live()

    def why_not_ready(self) -> list[str]:
        return self._health.why_not_ready()

    async def aclose(self) -> None:
        """End the commands that nobody waits for."""
        await self._unwaited.aclose()

    async def _on_thought(self, made: RecordedDecision, act: ActOnThought) -> Json:
        """Act on a bot's newest thought; refused if it no longer comes from this decision."""
        session = self._roster.find(made.bot)
        reflection = session.bot.services.get(BotReflection)
        if reflection is None or reflection.is_of(made.number) is None:
            return _refusal("outdated", f"{made.bot} does not think that any more")
        result: Result
        try:
            result = await act(reflection, self._context(session, Operator("http")))
        except BotError as error:
            result = failure_of(error)
        return {**result.as_json(), "decision": made.number, "started": result.success}

    def _context(self, session: BotSession, origin: Origin) -> CommandContext:
        return CommandContext(session.bot, origin, speaker_of(origin), self._commands)

    async def _run(self, session: BotSession, text: str, origin: Origin, plain: bool) -> Json:
        begun = await self._commands.begin(self._context(session, origin), text)
        if not isinstance(begun, Job):
            return _told(begun, plain)
        if begun.spec.ended_by and await begun.until_acting():
            sentence = f"{begun.name} is under way. End it with {begun.spec.ended_by}."
            return {**_started(begun.id), "message": sentence}
        return _told(await begun.end(), plain)

    async def _run_unwaited(self, run: str, session: BotSession, text: str, origin: Origin) -> None:
        shown = self._commands.shown(text)
        self.trace.note("job.started", session.name, actionId=run, command=shown)
        result: Result = Failure(reason="internal", message="It was cut off, or ran into a bug.")
        try:
            result = await self._commands.run(self._context(session, origin), text)
        finally:
            ended = {"actionId": run, "command": shown, "result": result.as_traced()}
            self.trace.note("job.finished", session.name, **ended)
            session.bot.events.emit(JobFinished(run, shown, result, is_whole_command=True))


def _told(result: Result, plain: bool) -> Json:
    lines = {"plain": plain_lines(result)} if plain else {}
    return {**result.as_json(), **lines}


def _started(action_id: str) -> Json:
    return {"success": True, "started": True, "actionId": action_id}


async def _decision_on(heard: Message, responder: Responder | None) -> Decision | None:
    """The decision on a line that the bot has just heard; None if it takes too long."""
    if responder is None:
        return None
    try:
        async with asyncio.timeout(responder.decided_within_s):
            return await responder.decision_on(heard.sequence)
    except TimeoutError:
        return None


async def _think_anew(
    thread: Thread, reflection: BotReflection, context: CommandContext
) -> ThoughtsResult:
    return answers.reanalyse(reflection, thread, context)


def _unknown_decision(number: int) -> Json:
    message = f"there is no decision {number}; GET /api/decisions lists them"
    return _refusal("unknown_decision", message)


def _refusal(reason: str, message: str) -> Json:
    return {"success": False, "reason": reason, "message": message}
