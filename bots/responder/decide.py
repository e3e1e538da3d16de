"""Decides one reply: asks the model, falls back to rules at the deadline.

    an answer to our question ─▶ run what was asked about, or drop it
    anything else ─▶ a request that shows all the hearer may know, with the tools this permits
                        └─ asks for another tool ─▶ a request from a narrow view that offers it
                             ├─ asks for more than that ─▶ ask the speaker
                             └─ does not use it: others' words led to it ─▶ tell of it, once

We decide plain requests from the narrow view first. All requests of a turn share its deadline.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

import structlog

from bots.access.origin import Fellow, Level, Origin, Person, speaker_of
from bots.access.sources import FACTS, Audience, Sources
from bots.access.visibility import MOST_ASKED, Visibility, hearers_of, together
from bots.bot.bot import Bot
from bots.chat.message import Kind
from bots.chat.natural_message import NaturalMessage
from bots.clock import Sleep
from bots.responder.asking_back import AskedFor, Confirmations, ConfirmedCall, Said, left, question
from bots.responder.case.case import MODEL_CUT_S, BotToolbox, Rules
from bots.responder.case.inbox import NOTHING, Batch, EventReport, PendingTurn
from bots.responder.case.world_state import ShortIds, State
from bots.responder.led_astray import LedAstray, is_about, names_any, suspects
from bots.responder.main_tools import meant
from bots.responder.reply import LONGEST
from bots.responder.request import Body, DecisionParts, Request, Requests, Seen, with_uses
from bots.responder.rules import answers
from bots.responder.rules.answers import talk_with, told_of
from bots.responder.rules.scene import Scene
from bots.text.language import language_of
from bots.words import said_to
from bridge.errors import BotError
from llm.engine.decision import Decision, shortened, without_model
from llm.engine.engine import RULES_S
from llm.model import Question, ToolCall

NOT_ASKED_FOR = "not_asked_for"
"""Why a call of a model was left."""
_WORD = re.compile(r"[.\w]+")
_NO_STATE = State("", ShortIds())


@dataclass(frozen=True, slots=True)
class Reply:
    """A bot's answer and the sources of its words."""

    decision: Decision
    sources: Sources = FACTS
    requests: int = 1
    """The number of requests to a model."""

    @property
    def kind(self) -> Kind:
        """The form that we record."""
        return "by_rules" if self.decision.source == "rules" else "conversation"


class DecisionMaker:
    """Makes one bot's decisions. It says nothing itself, and acts through `toolbox` only."""

    def __init__(self, bot: Body, parts: DecisionParts, rules: Rules, toolbox: BotToolbox) -> None:
        self.bot, self._parts, self._rules, self._toolbox = bot, parts, rules, toolbox
        self._requests = Requests(bot, parts, rules, toolbox)
        self._stopwatch = parts.engine.stopwatch
        self.confirmations = Confirmations()
        self._led_astray = LedAstray(toolbox.level_of, parts.engine.stopwatch)

    async def decide(
        self,
        turn: PendingTurn,
        within_s: float,
        events: tuple[EventReport, ...] = (),
        *,
        in_depth: bool = False,
    ) -> Reply:
        """What to say to the speaker; the text is '' when silence is the answer.

        The model is cut off after `within_s` seconds, or earlier unless it is to think `in_depth`.
        `events` happened meanwhile and are told to it."""
        if turn.is_small_talk:
            talk = talk_with(self.bot.get_conversation_history(), self.bot.name, turn.speaker)
            if talk.is_over(self.bot.name, turn.speaker):
                return Reply(without_model("", "talk_is_over"))
        cut_s = self._parts.deep_cut_s if in_depth else self._parts.model_cut_s
        ends_at = self._stopwatch() + min(within_s, cut_s) + RULES_S
        call, said = self.confirmations.answered(self.bot.name, turn)
        if call is not None and said != "else":
            return await self._settled(turn, call, said, ends_at)
        seen = await self._requests.see(turn, events, ends_at)
        everything, first = await self._requests_on(seen)
        decision = await self._requests.decided(first)
        if first.asked_for is not None:
            return await self._anew(seen, first, decision, first.asked_for)
        if first is everything or decision.used or decision.source == "rules":
            return Reply(decision, first.sources)
        return await self._after_narrow(everything, first, decision)

    @property
    def in_depth_s(self) -> float:
        """Extra seconds for a question that asks the model to think."""
        longer_s = self._parts.deep_cut_s - self._parts.model_cut_s
        return max(0.0, longer_s) if self._parts.engine.has_model else 0.0

    async def question(self, turn: PendingTurn) -> Question:
        """The first question to a model. Asks, says and records nothing."""
        seen = await self._requests.see(turn, (), self._stopwatch())
        _everything, first = await self._requests_on(seen)
        return replace(first.prompt.question, tools=first.tools.tools if first.tools else ())

    def asks_to_stop(self, line: NaturalMessage) -> bool:
        """Whether a line asks to stop and nothing else; models are not asked about that."""
        is_addressed = not line.relayed and not isinstance(line.origin, Fellow)
        return is_addressed and self._rules.asks_to_stop(self.bot.name, line)

    async def asks_to_act(self, line: NaturalMessage) -> bool:
        """Whether a line plainly asks this bot to do something."""
        return await self._rules.asks_to_act(self.bot.name, line)

    async def stop(self, turn: PendingTurn) -> Decision | None:
        """Stop at once, by rules; None when there was nothing to stop."""
        self.confirmations.drop(turn.origin)
        tools = self._requests.own_tools(turn, _NO_STATE)
        began = self._stopwatch()
        if tools is None:
            return None
        recorded = self._requests.recorded(tools)
        words = await self._rules.stop(self.bot.name, turn, recorded)
        if words is None:
            return None
        took_s = self._stopwatch() - began
        return with_uses(replace(without_model(words, "stop_asked"), seconds=took_s), recorded)

    def said(self, turn: PendingTurn, at_s: float | None) -> None:
        """Note when the answer to a turn was sent; None drops its question."""
        if at_s is not None:
            self.confirmations.said(turn.origin, at_s)
        else:
            self.confirmations.drop(turn.origin)

    def last_resort(self, turn: PendingTurn) -> Decision:
        """The answer after a bug: it needs nothing and cannot fail."""
        scene = self._scene(turn, "failed")
        told = [event.text for event in turn.events]
        return without_model(scene.join(told) or answers.unsure(scene), "failed")

    async def _requests_on(self, seen: Seen) -> tuple[Request, Request]:
        """The request that shows everything, and the first one to try."""
        all_hearers_know = Visibility(Level.PLAYER, seen.hearers)
        choosing = self._choosing(all_hearers_know, seen.turn)
        everything = await self._requests.showing(seen, choosing)
        first = await self._first(seen, everything)
        if choosing.without and names_any(choosing.without, seen.turn.lines):
            told = await self._requests.showing(seen, all_hearers_know)
            everything = replace(told, tools=None)
        return everything, first

    def _choosing(self, view: Visibility, turn: PendingTurn) -> Visibility:
        """This view for choosing tools, without speakers whose words led a model astray."""
        without = self._led_astray.for_asker(turn.origin)
        if not without:
            return view
        level = Level.TRUSTED if self._led_astray.are_too_many else view.level
        asker = self._toolbox.level_of(turn.origin)
        return replace(view, without=without, level=min(level, asker))

    async def _first(self, seen: Seen, everything: Request) -> Request:
        """The narrow view for a plain request, if it permits more."""
        if everything.tools is None or not self._parts.engine.has_model:
            return everything
        # The hearers if the players whom the lines name are to be told something.
        words = set(_WORD.findall(" ".join(seen.turn.lines)))
        players = seen.world.players if seen.world else ()
        named = [self.bot.origin_of(one.name) for one in players if one.name in words]
        view = everything.prompt.view
        others: Audience = hearers_of(named, self._toolbox.level_of) if named else frozenset()
        needed = min(seen.level, MOST_ASKED) if others == frozenset() else MOST_ASKED
        level = view.told.level_now(self._toolbox.level_of)
        if level >= needed and view.told.is_for(others):
            return everything
        if not await self._rules.asks_plainly(everything.case):
            return everything
        narrow = Visibility(needed, together(seen.hearers, others))
        return await self._requests.showing(seen, narrow)

    async def _anew(self, seen: Seen, first: Request, before: Decision, call: AskedFor) -> Reply:
        """Decide again, from a view that permits the call."""
        view = Visibility(call.level, together(seen.hearers, call.hearers))
        second = await self._requests.showing(seen, view)
        decision = await self._requests.decided(second, by_rules=False, before=before)
        both = _both(before, decision)
        if second.asked_for is not None:
            return await self._ask_or_leave(second, both, second, second.asked_for)
        if any(
            meant(ToolCall("", one.name, one.arguments)).name == call.tool
            and not one.outcome.illegal
            for one in decision.used
        ):
            return Reply(both, second.sources, 2)
        if led_by := self._led_by(first, call):
            return await self._leave(second, both, call, first, led_by)
        return self._ask_back(first, both, call)

    async def _after_narrow(self, everything: Request, first: Request, before: Decision) -> Reply:
        """Nothing was done from the narrow view: answer from all that the hearer may know."""
        decision = await self._requests.decided(everything, by_rules=False, before=before)
        if everything.asked_for is not None:
            both = _both(decision, before)
            return await self._ask_or_leave(first, both, everything, everything.asked_for)
        if not decision.text:
            return Reply(_both(decision, before), first.sources, 2)
        return Reply(_both(before, decision), everything.sources, 2)

    def _led_by(self, request: Request, call: AskedFor) -> frozenset[Origin]:
        """The speakers who may have led the model to a call that the asker did not request."""
        view = request.tools.view if request.tools else request.prompt.view
        origin, history = request.case.turn.origin, request.case.history
        return suspects(call, origin, view, history, self._toolbox.level_of)

    async def _ask_or_leave(
        self, request: Request, decision: Decision, led: Request, call: AskedFor
    ) -> Reply:
        """Ask about a call, unless others' words in `led` led to what the speaker's lines are not
        about."""
        led_by = self._led_by(led, call)
        if not led_by or is_about(call, request.case.turn.lines):
            return self._ask_back(led, decision, call)
        return await self._leave(request, decision, call, led, led_by)

    async def _leave(
        self,
        request: Request,
        decision: Decision,
        call: AskedFor,
        led: Request,
        led_by: frozenset[Origin],
    ) -> Reply:
        """Leave a call that others' words in `led` led to, and tell the speaker of it the first
        time. `request` showed none of these words, and `decision` is what came of it."""
        turn, new = request.case.turn, self._led_astray.add(led_by)
        scene = self._scene(turn, NOT_ASKED_FOR)
        words = decision.text
        if not (words or new):
            why = decision.why or NOT_ASKED_FOR
            words = await self._requests.by_rules(request.case, why, decision.used)
        names = sorted(map(speaker_of, new))
        told = [left(call, scene.language, turn.speaker, names)] if new else []
        room = LONGEST - sum(len(one) + 1 for one in told)
        text = scene.join(filter(None, [shortened(words, room) if room > 0 else "", *told]))
        source = decision.source if decision.text else "rules"
        left_it = replace(decision, text=text, source=source, why=NOT_ASKED_FOR)
        return Reply(left_it, request.sources | led.sources if new else request.sources, 2)

    def _ask_back(self, request: Request, decision: Decision, call: AskedFor) -> Reply:
        """Ask the speaker whether to run the call."""
        turn = request.case.turn
        scene = self._scene(turn, "to_be_confirmed")
        words = question(call, scene.language, turn.speaker)
        if words is None:
            words = scene.tell("asking.rather_not")
        else:
            self.confirmations.ask(turn, call)
        asked = replace(decision, text=words, source="rules", why="to_be_confirmed")
        return Reply(asked, request.sources, 2)

    async def _settled(
        self, turn: PendingTurn, call: AskedFor, said: Said, ends_at: float
    ) -> Reply:
        """Run what the speaker has said yes to, or leave it."""
        scene = self._scene(turn, "confirmed")
        tools = self._requests.own_tools(turn, _NO_STATE)
        if said == "no" or tools is None:
            words = scene.tell("dealt.let_be")
            return Reply(without_model(words, "not_confirmed"))
        recorded, began = self._requests.recorded(tools), self._stopwatch()
        try:
            async with asyncio.timeout(max(0.0, ends_at - began)):
                await recorded.use(ConfirmedCall("confirmed", call.tool, call.fields))
        except TimeoutError:
            pass  # `recorded` has noted the missed deadline
        words = scene.join(filter(None, (told_of(scene, one) for one in recorded.used)))
        decision = replace(without_model(words, "confirmed"), seconds=self._stopwatch() - began)
        return Reply(with_uses(decision, recorded), tools.view.sources)

    def _scene(self, turn: PendingTurn, why: str) -> Scene:
        language = language_of(turn.lines)
        return Scene(self.bot.name, turn.speaker, language, None, self._parts.rng, why=why)


def _both(before: Decision, after: Decision) -> Decision:
    """The later of two decisions, with the time and cost of both."""
    return replace(
        after,
        usage=before.usage + after.usage,
        cost=before.cost + after.cost,
        seconds=before.seconds + after.seconds,
        used=(*before.used, *after.used),
        thinking="\n".join(filter(None, [before.thinking, after.thinking])),
    )


# --- One attempt at a decision: its deadline, its cancellation, what the bot says meanwhile ------

log = structlog.get_logger()

FIRST_LINE_S = 8.0  # from a person's line to the first line of the answer
EVENT_S = 5.0  # from an event to the first line about it
SPEAKING_S = 1.0  # of that, reserved for the rules and the governor

_CURRENT: ContextVar[object] = ContextVar("attempt", default=None)
"""The attempt that the current task works for, tools included."""
ASKED_AFTER_S = 4.0


class Attempt:
    """A decision being made on one pending turn.

    Once `dropped_because` is set, nothing of it is said, even if the decision is there already."""

    def __init__(
        self, turn: PendingTurn, batch: Batch = NOTHING, *, in_depth: bool = False
    ) -> None:
        self.turn = turn
        self.in_depth = in_depth
        """It may take longer than `FIRST_LINE_S`; the bot tells the speaker that it is thinking."""
        self.batch = batch
        """Buffered events that are told with it."""
        self.task: asyncio.Task[Reply | None] | None = None
        self.dropped_because = ""

    @property
    def answers_person(self) -> bool:
        return bool(self.turn.messages) and not self.turn.from_fellow

    def mark_current(self) -> None:
        """Called by its own task: whatever that task starts belongs to this attempt."""
        _CURRENT.set(self)

    def drop(self, why: str) -> None:
        if _CURRENT.get() is self:
            return  # this attempt stops everything else
        self.dropped_because = why
        if self.task is not None:
            self.task.cancel()


def left_s(attempt: Attempt, now_s: float) -> float:
    """How long a model may take for it, if that is not cut anyway; other bots are patient."""
    turn = attempt.turn
    if attempt.in_depth:
        return math.inf
    if turn.is_small_talk:
        return MODEL_CUT_S
    within_s = FIRST_LINE_S if turn.messages else EVENT_S
    return max(0.0, turn.since + within_s - SPEAKING_S - now_s)


async def ended(task: asyncio.Task[Any]) -> BaseException | None:
    """Wait for a task, which is cancelled with its caller; returns what the task raised."""
    try:
        await asyncio.wait({task})
    finally:
        if not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
    return None if task.cancelled() else task.exception()


@contextmanager
def asking_for_patience(bot: Bot, turn: PendingTurn, sleep: Sleep) -> Iterator[None]:
    """Ask a player for it if the block takes long."""
    asking = asyncio.create_task(_ask(bot, turn, sleep), name=f"{bot.name}: asks for patience")
    try:
        yield
    finally:
        asking.cancel()


async def _ask(bot: Bot, turn: PendingTurn, sleep: Sleep) -> None:
    """It is whispered but not recorded: no words to be remembered or imitated."""
    await sleep(ASKED_AFTER_S)
    if not isinstance(turn.origin, Person):
        return
    try:
        await bot.speak(turn.origin.name, said_to("closing.patience", turn.lines[-1]))
    except BotError as error:
        log.warning("reply.failed", bot=bot.name, to=turn.speaker, why=str(error))
