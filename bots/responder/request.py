"""One request to a model: the texts that it shows, the tools that they permit, the decision."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from bots.access.origin import Fellow, Level, Origin, called, is_operator
from bots.access.sources import FACTS, Audience, Sources, names_of
from bots.access.visibility import InView, Visibility, hearers_of
from bots.bot.looking import in_time
from bots.responder.asking_back import AskedFor
from bots.responder.case.case import (
    DEEP_CUT_S,
    LOOK_WITHIN_S,
    MODEL_CUT_S,
    AskerTools,
    BotToolbox,
    Case,
    Prompt,
    Prompts,
    Rules,
    Senses,
)
from bots.responder.case.inbox import EventReport, PendingTurn
from bots.responder.case.persona import Persona, PersonaFiles
from bots.responder.case.world_state import Looking, State, look_around, state_of
from bots.responder.command_tools import RecordedTools
from bots.responder.limits import BudgetNotice, payer_of
from bots.responder.model_health import ModelHealth
from bots.responder.reply import spoken
from bots.text.language import language_of
from bridge.looking import Scan
from bridge.world import WorldSnapshot
from llm.engine.decision import MOST_CALLS, Decision, Matter, Used, calls_done
from llm.engine.engine import Engine
from llm.engine.tiers import Signal, complexity

THREAT_RANGE = 16.0  # blocks; most monsters notice a player from about here

SPECIAL_POWERS = frozenset(
    (
        *("blaze", "breeze", "creeper", "drowned", "elder_guardian", "ender_dragon", "enderman"),
        *("evoker", "ghast", "guardian", "illusioner", "phantom", "pillager", "ravager", "shulker"),
        *("skeleton", "stray", "vex", "warden", "witch", "wither", "wither_skeleton"),
    )
)
"""Mobs with more than melee attacks: they explode, throw, curse, summon, teleport or fly."""


def signals_of(
    world: WorldSnapshot | None, *, goal_running: bool, pending: int
) -> Mapping[Signal, float]:
    """The signals of this moment; zero if the bot cannot sense the world."""
    threats = [
        mob.name
        for mob in (world.mobs if world else ())
        if world and mob.hostile and world.position.distance_to(mob.position) <= THREAT_RANGE
    ]
    return {
        "special": float(any(name in SPECIAL_POWERS for name in threats)),
        "effects": float(len(world.effects)) if world else 0.0,
        "goal": float(goal_running),
        "pending": float(pending),
        "threats": float(len(threats)),
    }


class Body(Senses, Looking, Protocol):
    """A bot that can look at the blocks around it, too."""

    def origin_of(self, name: str) -> Origin: ...

    def area_at(self, world: WorldSnapshot) -> str: ...


@dataclass(frozen=True, slots=True)
class DecisionParts:
    """Parts that the decision makers of all bots share."""

    engine: Engine
    personas: PersonaFiles
    prompts: Prompts
    budget_notice: BudgetNotice
    health: ModelHealth
    rng: random.Random
    model_cut_s: float = MODEL_CUT_S
    deep_cut_s: float = DEEP_CUT_S


@dataclass(frozen=True, slots=True)
class Seen:
    """The input for all requests of one turn."""

    turn: PendingTurn
    events: tuple[EventReport, ...]
    persona: Persona
    world: WorldSnapshot | None
    around: Scan | None
    level: Level
    """What the speaker may do."""
    hearers: Audience
    """Of the answer, as in `Visibility`."""
    ends_at: float
    """Deadline of all its requests, in stopwatch time."""


@dataclass(frozen=True, slots=True)
class Request:
    case: Case
    prompt: Prompt
    tools: AskerTools | None
    """Tools for the model; None means words only."""
    recorded: RecordedTools | None
    """Tools for the rules, which read the speaker's own lines only."""
    ends_at: float

    @property
    def asked_for(self) -> AskedFor | None:
        return self.tools.asked_for if self.tools else None

    @property
    def sources(self) -> Sources:
        """Of the answer: whatever was shown, results of tools included."""
        shown = self.tools.view.sources if self.tools else self.prompt.view.sources
        return shown | self.recorded.told if self.recorded else shown


@dataclass(frozen=True, slots=True)
class Requests:
    """Makes one bot's requests and has them decided."""

    bot: Body
    parts: DecisionParts
    rules: Rules
    toolbox: BotToolbox

    async def see(self, turn: PendingTurn, events: tuple[EventReport, ...], ends_at: float) -> Seen:
        persona = await self.parts.personas.current(self.bot.name)
        world: WorldSnapshot | None = None
        around: Scan | None = None
        if self.parts.engine.has_model:  # rules look by themselves
            world, around = await look_around(self.bot, LOOK_WITHIN_S)
        level, hearers = self.toolbox.level_of(turn.origin), self.hearers(turn)
        return Seen(turn, events, persona, world, around, level, hearers, ends_at)

    def hearers(self, turn: PendingTurn) -> Audience:
        """Those below trusted who will hear the answer; None: anybody may."""
        return hearers_of([turn.origin], self.toolbox.level_of, public=turn.public)

    async def showing(self, seen: Seen, view: Visibility) -> Request:
        """A request that shows everything that this view may show."""
        state = self._state(seen, view)
        own = self.own_tools(seen.turn, state)
        recorded = None if own is None else self.recorded(own)
        case = Case(
            bot=self.bot.name,
            persona=seen.persona,
            turn=seen.turn,
            level=seen.level,
            view=view,
            world=seen.world,
            state=state,
            history=self.bot.attended_history(),
            toolbox=recorded,
            events=seen.events,
        )
        prompt = await self.parts.prompts.prompt(case)
        tools = self.toolbox.tools_for(seen.turn, state, prompt.view, seen.hearers)
        return Request(case, prompt, tools, recorded, seen.ends_at)

    def own_tools(self, turn: PendingTurn, state: State) -> AskerTools | None:
        """The tools for what the speaker's own words ask for, and nobody else's."""
        origin = turn.origin
        own = Sources.said_by(origin, self.toolbox.level_of(origin), names_of(origin))
        return self.toolbox.tools_for(turn, state, InView(asked=own), self.hearers(turn))

    def recorded(self, toolbox: AskerTools) -> RecordedTools:
        return RecordedTools(toolbox, self.parts.engine.stopwatch)

    async def decided(
        self, request: Request, *, by_rules: bool = True, before: Decision | None = None
    ) -> Decision:
        """The model's decision, else the rules'; without `by_rules`, one without words.

        What was used for a decision `before` on the same turn counts as tools of the answer."""

        async def fallback(why: str, used: tuple[Used, ...]) -> str:
            return await self.by_rules(request.case, why, used) if by_rules else ""

        decision = await self.parts.engine.decide(self._matter(request, before), fallback)
        self.parts.prompts.decided(request.case, decision)
        by_model = decision.source != "rules"
        if by_model:
            self.parts.prompts.used(request.case, request.prompt)
        if decision.used or (by_model and request.case.turn.events):
            self.rules.forget(request.case.turn.speaker)
        if by_model and request.asked_for is None:
            decision = await self._said(request.case, decision, by_rules=by_rules)
        return with_uses(decision, request.recorded)

    async def look(self) -> WorldSnapshot | None:
        """The bot's senses now; None if the world does not answer at once."""
        return await in_time(self.bot.snapshot(), LOOK_WITHIN_S)

    def _state(self, seen: Seen, view: Visibility) -> State:
        players = seen.world.players if seen.world else ()
        names = {str(one.name): self.toolbox.sources_of_name(one.name) for one in players}

        def shown(name: str) -> Sources | None:
            sources = names[name]
            return sources if view.shows(sources, self.toolbox.level_of) else None

        bots = {name for name in names if isinstance(self.bot.origin_of(name), Fellow)}
        area = self.bot.area_at(seen.world) if seen.world else ""
        state = state_of(seen.world, shown, seen.around, self.toolbox.doing, bots, area)
        odd = {name: sources for name, sources in names.items() if sources != FACTS}
        return replace(state, odd_names=odd)

    def _matter(self, request: Request, before: Decision | None) -> Matter:
        turn, at_work = request.case.turn, self.toolbox.at_work
        pending = len(turn.messages) + len(turn.events)
        done = 0 if before is None else calls_done(before.used)
        return Matter(
            work=turn.work,
            payer=payer_of(request.case, self.toolbox.level_of),
            question=request.prompt.question,
            deadline_s=max(0.0, request.ends_at - self.parts.engine.stopwatch()),
            score=complexity(signals_of(request.case.world, goal_running=at_work, pending=pending)),
            toolbox=request.tools,
            most_calls=MOST_CALLS - done,
        )

    async def by_rules(self, case: Case, why: str, used: tuple[Used, ...]) -> str:
        seen_now = replace(case, world=await self.look())
        words = await self.rules.decide(seen_now, why, used)
        return " ".join(filter(None, [words, self._notice(case, why)]))

    def _notice(self, case: Case, why: str) -> str:
        """Why rules answered, for a person who should know and was not told; else ''."""
        turn, language = case.turn, language_of(case.turn.lines)
        if turn.from_fellow:
            return ""
        if why == "budget":
            return self.parts.budget_notice.due(turn.speaker, language)
        if turn.public or why == "no_model":
            return ""
        return self.parts.health.notice(turn.speaker, case.level, language)

    async def _said(self, case: Case, decision: Decision, *, by_rules: bool) -> Decision:
        """A model's decision with its words cleaned; decided by rules when none are left."""
        words = spoken(case.state.ids.spelled_out(decision.text), self.bot.name)
        if is_operator(case.turn.speaker):
            words = words.replace(case.turn.speaker, called(case.turn.speaker))
        if words:
            return replace(decision, text=words)
        text = await self.by_rules(case, "empty", decision.used) if by_rules else ""
        return replace(decision, text=text, source="rules", why="empty")


def with_uses(decision: Decision, recorded: RecordedTools | None) -> Decision:
    """The decision with the tools that rules used added."""
    return replace(decision, used=(*decision.used, *recorded.used)) if recorded else decision
