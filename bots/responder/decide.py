"""Decides one reply: asks the model, falls back to rules at the deadline."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Protocol

from bots.access.origin import Fellow, Level
from bots.access.sources import FACTS, Sources
from bots.access.visibility import Visibility, hearers_of
from bots.bot.looking import in_time
from bots.chat.natural_message import NaturalMessage
from bots.responder.budget_notice import BudgetNotice
from bots.responder.case.case import Case
from bots.responder.case.events import EventReport
from bots.responder.case.inbox import PendingTurn
from bots.responder.case.persona import PersonaFiles
from bots.responder.case.ports import (
    LOOK_WITHIN_S,
    MODEL_CUT_S,
    BotToolbox,
    Prompts,
    Rules,
    Senses,
)
from bots.responder.case.world_state import ShortIds, state_of
from bots.responder.complexity import signals_of
from bots.responder.model_text import spoken
from bots.responder.prompt.surroundings import Looking, look_around
from bots.responder.rules import answers, small_talk
from bots.responder.rules.dialogue import talk_with
from bots.responder.rules.topics.scene import Scene
from bots.responder.tools.command_tools import RecordedTools
from bots.text.language import Language, language_of
from bridge.scanning import Scan
from bridge.world import WorldSnapshot
from llm.engine.budget import Payer
from llm.engine.complexity import complexity
from llm.engine.decision import Decision, Matter, Toolbox, Used, without_model
from llm.engine.engine import RULES_S, Engine
from llm.model import Question

MOST_ASKED = Level.TRUSTED  # the highest level any tool asks for: higher speakers see no less


class Body(Senses, Looking, Protocol):
    """A bot that can look at the blocks around it, too."""


@dataclass(frozen=True, slots=True)
class DecisionParts:
    """What the decision makers of all bots share."""

    engine: Engine
    personas: PersonaFiles
    prompts: Prompts
    budget_notice: BudgetNotice
    rng: random.Random
    model_cut_s: float = MODEL_CUT_S


@dataclass(frozen=True, slots=True)
class Reply:
    """What a bot answers, and where its words come from."""

    decision: Decision
    sources: Sources = FACTS


@dataclass(frozen=True, slots=True)
class DecisionMaker:
    """Makes one bot's decisions. It says nothing itself, and acts through `toolbox` only."""

    bot: Body
    parts: DecisionParts
    rules: Rules
    toolbox: BotToolbox

    async def decide(
        self, turn: PendingTurn, within_s: float, events: tuple[EventReport, ...] = ()
    ) -> Reply:
        """What to say to the speaker; the text is '' when silence is the answer.

        The model is cut off after `within_s` seconds. `events` happened meanwhile and are told
        to it."""
        if self._is_over(turn):
            return Reply(without_model("", "talk_is_over"))
        ends_at = self.parts.engine.stopwatch() + min(within_s, self.parts.model_cut_s) + RULES_S
        case = await self._case(turn, events)
        prompt = await self.parts.prompts.prompt(case)
        matter = self._matter(case, prompt.question, ends_at)
        recorded = None if case.toolbox is None else self._recorded(case.toolbox)
        for_rules = replace(case, toolbox=recorded)

        async def by_rules(why: str, used: tuple[Used, ...]) -> str:
            return await self._by_rules(for_rules, why, used)

        decision = await self.parts.engine.decide(matter, by_rules)
        self.parts.prompts.decided(case, decision)
        by_model = decision.source != "rules"
        if decision.used or (by_model and turn.events):
            self.rules.forget(turn.speaker)
        if by_model:
            decision = await self._said(for_rules, decision)
        return Reply(_with_uses(decision, recorded), prompt.sources)

    def asks_to_stop(self, line: NaturalMessage) -> bool:
        """Whether a line asks to stop and nothing else; models are not asked about that."""
        is_addressed = not line.relayed and not isinstance(line.origin, Fellow)
        return is_addressed and self.rules.asks_to_stop(self.bot.name, line)

    async def stop(self, turn: PendingTurn) -> Decision | None:
        """Stop at once, by rules; None when there was nothing to stop."""
        hearers = hearers_of([turn.origin], self.toolbox.level_of, public=turn.public)
        tools = self.toolbox.tools_for(turn, ShortIds(), hearers)
        began = self.parts.engine.stopwatch()
        if tools is None:
            return None
        recorded = self._recorded(tools)
        words = await self.rules.stop(self.bot.name, turn, recorded)
        if words is None:
            return None
        took_s = self.parts.engine.stopwatch() - began
        return _with_uses(replace(without_model(words, "stop_asked"), seconds=took_s), recorded)

    async def opener(self, fellow: str) -> str:
        """The line that begins a talk with another bot, by rules."""
        persona = await self.parts.personas.current(self.bot.name)
        japanese = persona.languages[0] in ("日本語", "Japanese")
        language: Language = "ja" if japanese else "en"
        rng = self.parts.rng
        return small_talk.opener(
            Scene(self.bot.name, fellow, language, await self._look(), rng, persona.about)
        )

    def last_resort(self, turn: PendingTurn) -> Decision:
        """What is said when deciding ran into a bug: needs nothing, cannot fail."""
        language = language_of(turn.lines)
        scene = Scene(self.bot.name, turn.speaker, language, None, self.parts.rng, why="failed")
        told = [event.text for event in turn.events]
        return without_model(scene.join(told) or answers.unsure(scene), "failed")

    async def _case(self, turn: PendingTurn, events: tuple[EventReport, ...]) -> Case:
        persona = await self.parts.personas.current(self.bot.name)
        world, around = await self._look_around()
        level_of = self.toolbox.level_of
        level = level_of(turn.origin)
        hearers = hearers_of([turn.origin], level_of, public=turn.public)
        state = state_of(
            world, lambda name: self.toolbox.standing_of(name) >= level, around, self.toolbox.doing
        )
        tools = self.toolbox.tools_for(turn, state.ids, hearers)
        return Case(
            bot=self.bot.name,
            persona=persona,
            turn=turn,
            level=level,
            view=Visibility(Level.PLAYER if tools is None else min(level, MOST_ASKED), hearers),
            world=world,
            state=state,
            history=self.bot.get_conversation_history(),
            toolbox=tools,
            events=events,
        )

    def _recorded(self, toolbox: Toolbox) -> RecordedTools:
        return RecordedTools(toolbox, self.parts.engine.stopwatch)

    def _matter(self, case: Case, question: Question, ends_at: float) -> Matter:
        turn = case.turn
        return Matter(
            work=turn.work,
            payer=Payer(self.bot.name, None if turn.from_fellow else turn.speaker),
            question=question,
            deadline_s=max(0.0, ends_at - self.parts.engine.stopwatch()),
            score=self._score(case),
            toolbox=case.toolbox,
        )

    async def _by_rules(self, case: Case, why: str, used: tuple[Used, ...]) -> str:
        seen_now = replace(case, world=await self._look())
        words = await self.rules.decide(seen_now, why, used)
        if why != "budget" or case.turn.from_fellow:
            return words
        language = language_of(case.turn.lines)
        notice = self.parts.budget_notice.due(case.turn.speaker, language)
        return " ".join(filter(None, [words, notice]))

    async def _said(self, case: Case, decision: Decision) -> Decision:
        """A model's decision with its words cleaned; decided by rules when none are left."""
        words = spoken(case.state.ids.spelled_out(decision.text), self.bot.name)
        if words:
            return replace(decision, text=words)
        text = await self._by_rules(case, "empty", decision.used)
        return replace(decision, text=text, source="rules", why="empty")

    def _score(self, case: Case) -> float:
        turn = case.turn
        pending = len(turn.messages) + len(turn.events)
        return complexity(
            signals_of(case.world, goal_running=self.toolbox.at_work, pending=pending)
        )

    def _is_over(self, turn: PendingTurn) -> bool:
        if not turn.from_fellow:
            return False
        talk = talk_with(self.bot.get_conversation_history(), self.bot.name, turn.speaker)
        return talk.is_over(self.bot.name, turn.speaker)

    async def _look_around(self) -> tuple[WorldSnapshot | None, Scan | None]:
        """What a model is shown; rules look by themselves."""
        if not self.parts.engine.has_model:
            return None, None
        return await look_around(self.bot, LOOK_WITHIN_S)

    async def _look(self) -> WorldSnapshot | None:
        """What the bot senses now; None when the world does not answer at once."""
        return await in_time(self.bot.snapshot(), LOOK_WITHIN_S)


def _with_uses(decision: Decision, recorded: RecordedTools | None) -> Decision:
    """The decision with the tools that rules used added."""
    return replace(decision, used=(*decision.used, *recorded.used)) if recorded else decision
