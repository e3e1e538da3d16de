"""Records each decision: what asked for it, how it was made, what came of it.

HTTP, the file of records and the metrics read it as a `decision.made` of the trace.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bots.observability.trace import TraceLog
from bots.responder.case.inbox import EventReport, PendingTurn
from bots.responder.main_tools import command_arguments, stated_confidence
from bots.text.printable import excerpt
from llm.engine.decision import Decision, Used
from llm.engine.prices import DOLLAR
from llm.engine.tiers import Work

MOST_DECISIONS = 500  # that can be found by number
LONGEST = 2_000  # characters of the reasoning's summary, and of each text of a tool's use
LONGEST_NAME = 100  # characters
MOST_TOLD = 20  # events and uses of tools in a record, the newest events and the first uses


@dataclass(frozen=True, slots=True)
class RecordedDecision:
    """A decision as operators refer to it."""

    number: int
    bot: str
    work: Work
    prompt: int | None
    """Under which number its prompt is kept; None when it is not, or no model was asked."""
    turn: PendingTurn | None
    """What was decided on; None when nobody asked, as for a plan or a word in a group talk."""


class DecisionRecorder:
    """Records the decisions of all bots: by number, and in the trace for observers.

    A decision's number is the sequence of its `decision.made` in the trace."""

    def __init__(self, trace: TraceLog) -> None:
        self._trace = trace
        self._made: dict[int, RecordedDecision] = {}
        self._approved: set[int] = set()

    def decided(
        self,
        bot: str,
        turn: PendingTurn,
        decision: Decision,
        events: Sequence[EventReport] = (),
        *,
        requests: int = 1,
    ) -> int:
        """Record a decision on a turn and on `events`; its number. It took so many requests."""
        reported = [event.text for event in (*events, *turn.events)[-MOST_TOLD:]]
        facts = {**about(turn), "events": reported, **facts_of(decision), "requests": requests}
        return self._record(bot, turn.work, facts, turn)

    def analysed(
        self,
        bot: str,
        work: Work,
        decision: Decision,
        *,
        confidence: float | None = None,
        alternatives: Sequence[str] = (),
    ) -> int:
        """Record an analysis, for which nobody waited; its number.

        `confidence` from 0 to 1 and `alternatives` are what the model said of its own answer."""
        facts = _for_nobody(work) | facts_of(decision)
        facts |= {"confidence": confidence, "alternatives": list(alternatives) or None}
        return self._record(bot, work, facts)

    def talked(self, bot: str, text: str, how: Mapping[str, Any], **where: int) -> int:
        """Record what a bot thought of for a group talk; `how` is as `facts_of` returns it."""
        facts = {**_for_nobody("talk"), **where, **how, "text": text}
        return self._record(bot, "talk", facts)

    def dropped(self, bot: str, work: Work, why: str, **where: int) -> None:
        """Trace that something for which nobody waited was not decided."""
        self._trace.note("decision.dropped", bot, **_for_nobody(work), **where, why=why)

    def find(self, number: int) -> RecordedDecision | None:
        """A decision of this run, unless `MOST_DECISIONS` others were made since."""
        return self._made.get(number)

    def approve(self, bot: str, number: int | None) -> None:
        """Record an approval; None is a decision of an earlier run."""
        self._trace.note("decision.approved", bot, decision=number)
        if number is not None:
            self._approved.add(number)

    def reanalysed(self, bot: str, number: int | None) -> None:
        """Trace that a decision is made anew; None is one of an earlier run."""
        self._trace.note("decision.reanalysed", bot, decision=number)

    def is_approved(self, number: int) -> bool:
        return number in self._approved

    def _record(
        self, bot: str, work: Work, facts: Mapping[str, Any], turn: PendingTurn | None = None
    ) -> int:
        number = self._trace.note("decision.made", bot, **facts).sequence
        prompt = facts.get("prompt_number")
        self._made[number] = RecordedDecision(number, bot, work, prompt, turn)
        if len(self._made) > MOST_DECISIONS:
            oldest = next(iter(self._made))
            del self._made[oldest]
            self._approved.discard(oldest)
        return number


def about(turn: PendingTurn) -> dict[str, Any]:
    """Facts of the turn that was decided on."""
    facts: dict[str, Any] = {"speaker": turn.speaker, "lines": len(turn.messages)}
    facts["trigger"] = turn.trigger
    facts["work"] = turn.work
    if turn.messages:
        facts["newest"] = turn.messages[-1].sequence
    if turn.public:
        facts["public"] = True
    return facts


def _for_nobody(work: Work) -> dict[str, Any]:
    return {"trigger": work, "speaker": None, "lines": 0, "work": work}


def facts_of(decision: Decision) -> dict[str, Any]:
    """Facts of how it was decided, and what came of it."""
    route = decision.route
    return {
        "source": decision.source,
        "why": decision.why,
        "seconds": round(decision.seconds, 3),
        "tier": route.tier,
        "wanted": route.wanted,
        "wanted_by": route.why,
        "lowered_by": list(route.lowered_by),
        "model": decision.model,
        "prompt_bytes": decision.prompt_bytes,
        "prompt_number": decision.prompt,
        "tokens_in": decision.usage.prompt,
        "tokens_cached": decision.usage.cache_read,
        "tokens_out": decision.usage.output,
        "cost_usd": decision.cost / DOLLAR,
        "reasoning": decision.thinking[:LONGEST] or None,
        **stated_confidence(decision.used),
        "tools": [excerpt(used.name, LONGEST_NAME) for used in decision.used[:MOST_TOLD]],
        "used": [_tool_use(used) for used in decision.used[:MOST_TOLD]],
        "text": decision.text[:LONGEST],
    }


def _tool_use(used: Used) -> dict[str, Any]:
    outcome = used.outcome
    given = None if used.arguments is None else command_arguments(used.arguments)
    text = json.dumps(given, ensure_ascii=False, default=str)
    return {
        "name": excerpt(used.name, LONGEST_NAME),
        "arguments": given if len(text) <= LONGEST else {"cut": text[:LONGEST]},
        "outcome": outcome.text[:LONGEST],
        "failed": outcome.failed,
        "illegal": outcome.illegal,
        "round": used.round,
        "seconds": round(used.seconds, 3),
    }
