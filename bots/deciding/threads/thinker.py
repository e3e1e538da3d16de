"""One analysis: what a thread may see goes to the model, and a thought comes back."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import structlog

from bots.answering.persona import PersonaFiles
from bots.bot import Bot
from bots.clock import Times
from bots.deciding.record import TraceRecorder
from bots.deciding.state import State, state_of
from bots.deciding.threads.question import question_of
from bots.deciding.threads.thought import Conclusion, Note, Thought, Thread, read_conclusion
from bots.deciding.view import LevelOf, View, sources_of
from bots.errors import CommandError
from bots.goals.parse import parse_goals
from bots.goals.running.desk import desk_of
from bots.origin import Level
from bridge.errors import BridgeError
from llm.engine.budget import Payer
from llm.engine.decision import Decision, Matter, Used
from llm.engine.engine import Engine

log = structlog.get_logger()

WITHIN_S = 60.0  # for one analysis; nobody waits for it
LOOK_WITHIN_S = 5.0
SIGHT_BLOCKS = 16


@dataclass(frozen=True, slots=True)
class Thinker:
    """What the threads of all bots think with."""

    engine: Engine
    personas: PersonaFiles
    recorder: TraceRecorder
    level_of: LevelOf
    times: Times

    async def think(
        self, bot: Bot, thread: Thread, level: Level, former: Thought | None, notes: Sequence[Note]
    ) -> Thought | str:
        """The new thought; or why there is none, as `Decision.why` has it."""
        view = View(level)
        history = bot.get_conversation_history()
        lines = [message for message in history if view.shows(message, self.level_of)]
        state = await _state(bot)
        persona = await asyncio.to_thread(self.personas.read, bot.name)
        question = question_of(thread, persona, lines, former, notes, state.text)
        payer = Payer(bot.name, None, background=True)
        decision = await self.engine.decide(Matter(thread, payer, question, WITHIN_S), _nothing)
        answered = read_conclusion(decision.text) if decision.source == "model" else None
        made = self._record(bot, thread, decision, answered)
        if answered is None:
            return decision.why or "unreadable"
        sources = frozenset().union(*map(sources_of, lines), (note.by for note in notes))
        goal = await _goal(bot, answered.goal) if thread == "briefing" else ""
        plan = tuple(map(state.ids.spelled_out, answered.plan)) if thread == "briefing" else ()
        return Thought(
            thread,
            level,
            self.times.clock(),
            state.ids.spelled_out(answered.summary),
            plan,
            goal,
            "proposed" if plan or goal else "noted",
            # What it thought before is in what it thinks now.
            sources | (former.sources if former else frozenset()),
            tuple(notes),
            made,
        )

    def _record(
        self, bot: Bot, thread: Thread, decision: Decision, answered: Conclusion | None
    ) -> int:
        sure = answered.confidence if answered else None
        others = answered.alternatives if answered else ()
        made = self.recorder.analysed(
            bot.name, thread, decision, confidence=sure, alternatives=others
        )
        return made.sequence


async def _state(bot: Bot) -> State:
    """What the bot senses and is at; without senses when the world does not answer."""
    at_work = {"doing": " ".join(bot.doing)}
    try:
        async with asyncio.timeout(LOOK_WITHIN_S):
            return state_of(await bot.snapshot(blocks_within=SIGHT_BLOCKS), at_work)
    except (BridgeError, TimeoutError):
        return state_of(None, at_work)


async def _goal(bot: Bot, asked: str) -> str:
    """A goal that was proposed, if it is one of the world the bot is in."""
    if not asked:
        return ""
    try:
        goals = parse_goals(asked, (await desk_of(bot)).domain)
    except (CommandError, BridgeError) as error:
        log.info("goal.not_proposed", bot=bot.name, why=str(error))
        return ""
    return " ".join(map(str, goals))


async def _nothing(why: str, used: tuple[Used, ...]) -> str:
    return ""
