"""The daemon as HTTP sees it (bots/http/view.py): plain values in, JSON-able values out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from itertools import count

from bots.access.origin import Operator, Origin, speaker_of
from bots.bot.jobs import Job
from bots.chat.message import Message
from bots.daemon.roster import BotRoster
from bots.daemon.session import BotSession
from bots.http.port import Json
from bots.observability.trace import Trace, TraceLog, TraceReader
from bots.owned_tasks import OwnedTasks
from bots.registry.registry import CommandContext, CommandRegistry
from bots.responder.reflection.of_bot import BotReflection
from bots.responder.reflection.thought import THREADS

ANSWER_WITHIN_S = 9.0  # an answer's first line is promised within 8 s
DECISIONS = ("decision.made", "decision.dropped")


class OperatorService:
    """Reads and acts for an operator."""

    def __init__(
        self,
        roster: BotRoster,
        commands: CommandRegistry,
        trace: TraceLog,
        is_well: Callable[[], bool] = lambda: True,
        stats: Callable[[], Json] = dict,
        trouble: Callable[[], str | None] = lambda: None,
    ) -> None:
        self.trace = trace
        self._stats = stats
        self._is_well, self._trouble = is_well, trouble
        self._town, self._commands = roster, commands
        self._unwaited = OwnedTasks()
        self._run_numbers = count(1)

    def bots(self) -> list[Json]:
        return [session.as_json() for session in self._town.sessions]

    async def command(self, bot: str, text: str, origin: Origin, wait: bool = True) -> Json:
        """Unless waited for, the end is in the trace as `action.finished` of the `actionId`."""
        session = self._town.find(bot)
        if wait:
            return await self._run(session, text, origin)
        if self._commands.is_query(text):
            run = f"run-{next(self._run_numbers)}"
            self._unwaited.start(self._run_unwaited(run, session, text, origin), run)
            return _started(run)
        begun = await self._commands.begin(self._context(session, origin), text)
        return _started(begun.id) if isinstance(begun, Job) else begun.as_json()

    async def message(self, bot: str, text: str) -> Json:
        """Let the bot hear the operator; its answer too, when it comes in time."""
        session = self._town.find(bot)
        with self.trace.reading() as reader:
            heard = await session.dispatcher.message_from_operator(text)
            decision = await _decision_on(reader, heard) if session.responder else None
        answer = decision.facts if decision else {}
        return {
            "success": True,
            "sequence": heard.sequence,
            "answer": answer.get("text"),
            "source": answer.get("source"),
        }

    def history(
        self,
        bot: str,
        *,
        usernames: Collection[str] | None = None,
        type: str | None = None,
        since: int | None = None,
        limit: int | None = None,
    ) -> Json:
        found = self._town.find(bot).bot
        messages = found.get_conversation_history(
            usernames=usernames, type=type, since=since, limit=limit
        )
        return {
            "success": True,
            "latestSequence": found.latest_sequence(),
            "history": [message.as_json() for message in messages],
        }

    def decisions(self) -> list[Json]:
        approved = {t.facts["decision"] for t in self.trace.recent("decision.approved")}
        return [
            {**made.as_json(), "id": made.sequence, "approved": made.sequence in approved}
            for made in self.trace.recent("decision.made")
        ]

    async def approve(self, decision: int) -> Json:
        made = self._decision(decision)
        if made is None:
            return _unknown_decision(decision)
        if made.facts["trigger"] == "briefing":
            return await self._on_thought(made, "!thoughts approve")
        if decision not in {t.facts["decision"] for t in self.trace.recent("decision.approved")}:
            self.trace.note("decision.approved", made.bot, decision=decision)
        return {"success": True, "decision": decision}

    async def reanalyse(self, decision: int) -> Json:
        made = self._decision(decision)
        if made is None or made.bot is None:
            return _unknown_decision(decision)
        if (thread := made.facts["trigger"]) in THREADS:
            return await self._on_thought(made, f"!thoughts reanalyse {thread}")
        responder = self._town.find(made.bot).responder
        if responder is None:
            return _refusal("no_answerer", f"{made.bot} does not answer by itself")
        if not responder.reconsider(decision):
            return _refusal("forgotten", f"the lines of decision {decision} are forgotten")
        self.trace.note("decision.reanalysed", made.bot, decision=decision)
        return {"success": True, "decision": decision, "started": True}

    def stats(self) -> Json:
        return {"success": True, **self._stats()}

    async def stop_all(self) -> Json:
        stopped = {r.name: await r.bot.stop() for r in self._town.sessions}
        return {"success": True, "stopped": stopped}

    def health(self) -> Json:
        sessions, trouble = self._town.sessions, self._trouble()
        return {
            "ok": self._is_well() and trouble is None,
            "database": trouble or "ok",
            "bots": len(sessions),
            "online": sum(r.online for r in sessions),
        }

    async def aclose(self) -> None:
        """End the commands nobody waits for."""
        await self._unwaited.aclose()

    def _decision(self, number: int) -> Trace | None:
        made = self.trace.recent("decision.made")
        return next((trace for trace in made if trace.sequence == number), None)

    async def _on_thought(self, made: Trace, command: str) -> Json:
        """Run a command on what a bot thinks now; refused when it thinks something else."""
        session = self._town.find(made.bot or "")
        thoughts = session.bot.services.get(BotReflection)
        if thoughts is None or thoughts.is_of(made.sequence) is None:
            return _refusal("outdated", f"{made.bot} does not think that any more")
        result = await self._run(session, command, Operator("http"))
        return {**result, "decision": made.sequence, "started": bool(result["success"])}

    def _context(self, session: BotSession, origin: Origin) -> CommandContext:
        return CommandContext(session.bot, origin, speaker_of(origin), self._commands)

    async def _run(self, session: BotSession, text: str, origin: Origin) -> Json:
        return (await self._commands.run(self._context(session, origin), text)).as_json()

    async def _run_unwaited(self, run: str, session: BotSession, text: str, origin: Origin) -> None:
        self.trace.note("job.started", session.name, actionId=run, command=text)
        result = _refusal("internal", "It was cut off, or ran into a bug.")
        try:
            result = await self._run(session, text, origin)
        finally:
            ended = {"actionId": run, "command": text, "result": result}
            self.trace.note("job.finished", session.name, **ended)


def _started(action_id: str) -> Json:
    return {"success": True, "started": True, "actionId": action_id}


async def _decision_on(reader: TraceReader, heard: Message) -> Trace | None:
    """What a bot decided on a line it heard; None when it has not in time."""
    try:
        async with asyncio.timeout(ANSWER_WITHIN_S):
            async for trace in reader:
                if _is_decision_on(trace, heard):
                    return trace
    except TimeoutError:
        pass
    return None


def _is_decision_on(trace: Trace, heard: Message) -> bool:
    if trace.name not in DECISIONS or trace.bot != heard.bot:
        return False
    same_speaker = trace.facts["speaker"] == heard.utterance.speaker
    # A decision on an event alone has no newest line.
    return same_speaker and bool(trace.facts.get("newest", 0) >= heard.sequence)


def _unknown_decision(number: int) -> Json:
    message = f"there is no decision {number}; GET /api/decisions lists them"
    return _refusal("unknown_decision", message)


def _refusal(reason: str, message: str) -> Json:
    return {"success": False, "reason": reason, "message": message}
