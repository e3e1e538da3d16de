"""What an operator may read, watch and do: plain values in, JSON values out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import suppress
from functools import partial
from itertools import count
from typing import Literal, TypeAlias

from bots.access.origin import OPERATOR_NAME, Operator, Origin, operator_called, speaker_of
from bots.bot.bot import Bot
from bots.bot.events import JobFinished
from bots.bot.jobs import Job
from bots.bot.result import Failure, Result
from bots.bot.stage import Course
from bots.daemon import shapes
from bots.daemon.experiment_records import ExperimentRecords
from bots.daemon.health import Health, Load
from bots.daemon.memory import OperatorMemory
from bots.daemon.session import BotRoster, BotSession
from bots.daemon.tracker import Tracker
from bots.observability.trace import TraceLog
from bots.owned_tasks import OwnedTasks
from bots.registry.registry import CommandContext, CommandRegistry
from bots.registry.render import failure_of, plain_lines
from bots.responder.model_health import ModelHealth
from bots.responder.records.keeper import PromptKeeper
from bots.responder.records.record import DecisionRecorder, RecordedDecision
from bots.responder.reflection import reflections
from bots.responder.reflection.reflections import BotReflection, ThoughtsResult
from bots.responder.reflection.thought import THREADS, Thread
from bots.talks.live.talk import LiveTalk
from bots.talks.live.talks import Talks
from bots.vision.studio import Wanted, map_of, picture_of, terrain_of
from bridge.errors import BotError
from llm.claude.wire import shown_request
from llm.engine.budget import Budget, Scope
from llm.engine.context import TokenEstimate
from llm.engine.prices import DOLLAR

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
        stats: Callable[[], shapes.Json],
        metrics: Callable[[str], shapes.MetricsText],
        experiments: ExperimentRecords,
        talks: Talks,
        budget: Budget,
        model_health: ModelHealth,
        prompts: PromptKeeper,
        tracker: Tracker,
        load: Load,
    ) -> None:
        self.trace, self.memory = trace, OperatorMemory(roster)
        self.experiments = experiments
        self._roster, self._commands, self._recorder = roster, commands, recorder
        self._health, self._stats, self._metrics = health, stats, metrics
        self._talks, self._budget, self._model_health = talks, budget, model_health
        self._prompts, self._tracker, self._load = prompts, tracker, load
        self._unwaited = OwnedTasks()
        self._run_numbers = count(1)

    def bots(self) -> list[shapes.Json]:
        return [session.as_json() for session in self._roster.sessions]

    async def command(
        self, bot: str, text: str, origin: Origin, wait: bool = True, plain: bool = False
    ) -> shapes.Json:
        """Run a command; unless waited for, its end is the `job.finished` of the `actionId`.

        Nobody waits for a command without an end: it is answered once it is under way."""
        session = self._roster.find(bot)
        if not wait and self._commands.is_query(text):
            run = f"run-{next(self._run_numbers)}"
            self._unwaited.start(self._run_unwaited(run, session, text, origin), run)
            return _started(run)
        begun = await self._commands.begin(self._context(session, origin), text)
        if not isinstance(begun, Job):
            return _told(begun, plain)
        if not wait:
            return _started(begun.id)
        if begun.spec.ended_by and await begun.until_acting():
            sentence = f"{begun.name} is under way. End it with {begun.spec.ended_by}."
            return {**_started(begun.id), "message": sentence}
        return _told(await begun.end(), plain)

    async def message(self, bot: str, text: str, name: str | None = None) -> shapes.Json:
        """Let the bot hear the operator; its answer too, when it comes in time."""
        session = self._roster.find(bot)
        speaker = OPERATOR_NAME if name is None else operator_called(name)
        heard = await session.dispatcher.message_from_operator(text, speaker)
        decision = None
        if (responder := session.responder) is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(responder.decided_within_s):
                    decision = await responder.decision_on(heard.sequence)
        return {
            "success": True,
            "sequence": heard.sequence,
            "answer": decision.text if decision else None,
            "source": decision.source if decision else None,
        }

    async def prompt(self, bot: str, text: str, name: str | None = None) -> shapes.Json:
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

    async def history(self, bot: str, query: shapes.HistoryQuery) -> shapes.Json:
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

    async def recall(self, bot: str, query: shapes.RecallQuery) -> shapes.Json:
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

    def goals(self, bot: str) -> shapes.GoalsShape:
        return goals_of(self._roster.find(bot).bot)

    async def positions(self) -> shapes.Positions:
        return await self._tracker.now()

    def moving(self) -> AsyncGenerator[shapes.Positions]:
        return self._tracker.watch()

    async def terrain(self, bot: str, reach: int | None) -> shapes.TerrainShape:
        found = await terrain_of(self._roster.find(bot).bot, reach)
        return {
            "success": True,
            "bot": bot,
            "west": found.west,
            "north": found.north,
            "width": found.picture.width,
            "height": found.picture.height,
            "png": found.picture.base64,
        }

    def talks(self) -> shapes.TalksShape:
        return {"success": True, "talks": [talk_of(talk) for talk in self._talks.under_way]}

    def budget(self) -> shapes.BudgetShape:
        names = [one.name for one in self._roster.sessions]
        return budget_of(self._budget, names, model_of(self._model_health))

    async def load(self) -> shapes.LoadShape:
        return await self._load.now()

    async def prompt_of(self, decision: int) -> shapes.PromptShape:
        made = self._recorder.find(decision)
        if made is None:
            message = f"there is no decision {decision}; GET /api/decisions lists them"
            return {"success": False, "reason": "unknown_decision", "message": message}
        found = None if made.prompt is None else await self._prompts.find(made.prompt)
        if found is None:
            message = "no model was asked for it, or its prompt is no longer kept"
            return {"success": False, "reason": "not_kept", "message": message}
        return {"success": True, "prompt": dict(found)}

    def decisions(self) -> list[shapes.Json]:
        is_approved = self._recorder.is_approved
        return [
            {**made.as_json(), "id": made.sequence, "approved": is_approved(made.sequence)}
            for made in self.trace.recent("decision.made")
        ]

    async def approve(self, decision: int) -> shapes.Json:
        made = self._recorder.find(decision)
        if made is None:
            return _unknown_decision(decision)
        if made.work == "briefing":
            return await self._on_thought(made, reflections.approve)
        if not self._recorder.is_approved(decision):
            self._recorder.approve(made.bot, decision)
        return {"success": True, "decision": decision}

    async def reanalyse(self, decision: int) -> shapes.Json:
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

    def stats(self) -> shapes.Json:
        return {"success": True, **self._stats()}

    def metrics(self, accept: str) -> shapes.MetricsText:
        return self._metrics(accept)

    async def stop_all(self) -> shapes.Json:
        stopped = {r.name: await r.bot.stop() for r in self._roster.sessions}
        return {"success": True, "stopped": stopped}

    def health(self) -> shapes.Json:
        return self._health.facts()

    def why_not_live(self) -> list[str]:
        return self._health.why_not_live()

    def why_not_ready(self) -> list[str]:
        return self._health.why_not_ready()

    async def aclose(self) -> None:
        """End the commands that nobody waits for."""
        await self._unwaited.aclose()

    async def _on_thought(self, made: RecordedDecision, act: ActOnThought) -> shapes.Json:
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


def _told(result: Result, plain: bool) -> shapes.Json:
    lines = {"plain": plain_lines(result)} if plain else {}
    return {**result.as_json(), **lines}


def _started(action_id: str) -> shapes.Json:
    return {"success": True, "started": True, "actionId": action_id}


async def _think_anew(
    thread: Thread, reflection: BotReflection, context: CommandContext
) -> ThoughtsResult:
    return reflections.reanalyse(reflection, thread, context)


def _unknown_decision(number: int) -> shapes.Json:
    message = f"there is no decision {number}; GET /api/decisions lists them"
    return _refusal("unknown_decision", message)


def _refusal(reason: str, message: str) -> shapes.Json:
    return {"success": False, "reason": reason, "message": message}


def goals_of(bot: Bot) -> shapes.GoalsShape:
    """The goals of a bot, and the plan of the one under way."""
    job, stage = bot.agenda.job, bot.stage
    plan = None
    if job is not None and job.course is not None:
        plan = _plan(job.course, stage.left_s if stage else 0.0)
    return {
        "success": True,
        "goals": [
            {
                "goal": one.title,
                "state": "under_way"
                if one is bot.agenda.under_way
                else "paused"
                if one.state == "paused"
                else "waiting",
                "givenBy": speaker_of(one.given_by),
            }
            for one in bot.agenda.goals
        ],
        "plan": plan,
    }


def talk_of(talk: LiveTalk) -> shapes.TalkShape:
    """A talk under way, with all its lines."""
    machine = talk.machine
    bots = [one.name for one in machine.participants if one.kind == "bot"]
    return {
        "talk": talk.number,
        "topic": talk.topic,
        "participants": [{"name": one.name, "kind": one.kind} for one in machine.participants],
        "mainBot": next(iter(bots), None),
        "speaking": machine.speaking,
        "paused": machine.is_paused,
        "startedBy": speaker_of(talk.beginning.started_by),
        "lines": [
            {"number": one.number, "speaker": one.speaker, "text": one.text, "turn": one.turn}
            for one in machine.lines
        ],
    }


def model_of(health: ModelHealth) -> shapes.ModelShape:
    """How the model is."""
    if (trouble := health.trouble) is None:
        state: Literal["ok", "off"] = "ok" if health.is_on else "off"
        return {"state": state, "why": None, "found": None, "nextStep": None}
    return {
        "state": "unusable",
        "why": trouble.why,
        "found": trouble.found,
        "nextStep": trouble.next_step,
    }


def budget_of(budget: Budget, bots: Iterable[str], model: shapes.ModelShape) -> shapes.BudgetShape:
    """What was spent in the period that ends now, and what may be."""
    caps = budget.caps
    return {
        "success": True,
        "model": model,
        "periodS": caps.period_s,
        "spentUsd": budget.spent() / DOLLAR,
        "heldUsd": budget.held() / DOLLAR,
        "capUsd": caps.everything / DOLLAR,
        "background": _purse(budget, "background"),
        "strangers": _purse(budget, "strangers"),
        "bots": {name: _purse(budget, "bot", name) for name in bots},
    }


def _purse(budget: Budget, scope: Scope, name: str = "") -> shapes.PurseShape:
    spent, cap = budget.spent(scope, name), budget.caps.of(scope)
    return {"spentUsd": spent / DOLLAR, "capUsd": cap / DOLLAR}


def _plan(course: Course, left_s: float) -> shapes.PlanShape:
    took: list[float | None] = [*course.took_s]
    took += [None] * (len(course.steps) - len(took))
    steps: list[shapes.StepShape] = [
        {
            "action": step.action,
            "thing": step.thing,
            "count": step.count,
            "tool": step.tool,
            "station": step.station,
            "consumes": dict(step.consumes),
            "produces": dict(step.produces),
            "estimateS": step.estimate_s,
            "tookS": took_s,
        }
        for step, took_s in zip(course.steps, took, strict=True)
    ]
    return {"goal": course.goal, "steps": steps, "leftS": left_s}
