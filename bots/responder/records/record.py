"""Every decision as one record: what asked for it, how it was made, what came of it.

A record is a `decision.made` of the trace; there HTTP, the file of records and the metrics find it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bots.observability.trace import Trace, TraceLog
from bots.responder.case.inbox import PendingTurn
from bots.responder.case.ports import Decided
from bots.responder.tools.weighing import weighed, without
from llm.engine.decision import Decision, Used
from llm.engine.prices import DOLLAR
from llm.engine.tiers import Work
from llm.model import Usage

LONGEST = 2_000  # characters of the reasoning's summary, and of each outcome of a tool


class TraceRecorder:
    """The recorder of all bots."""

    def __init__(self, trace: TraceLog) -> None:
        self._trace = trace

    def decided(self, made: Decided) -> Trace:
        happened = [event.text for event in (*made.events, *made.waiting.happenings)]
        facts = {**about(made.waiting), "events": happened, **facts_of(made.decision)}
        return self._trace.note("decision.made", made.bot, **facts)

    def analysed(
        self,
        bot: str,
        work: Work,
        decision: Decision,
        *,
        confidence: float | None = None,
        alternatives: Sequence[str] = (),
    ) -> Trace:
        """Note an analysis, for which nobody waited.

        `confidence` from 0 to 1 and `alternatives` are what the model said of its own answer."""
        facts = _for_nobody(work) | facts_of(decision)
        facts |= {"confidence": confidence, "alternatives": list(alternatives) or None}
        return self._trace.note("decision.made", bot, **facts)

    def talked(self, bot: str, text: str, how: Mapping[str, Any], **where: int) -> Trace:
        """Note what was thought of for a talk; `how` as `facts_of` has it."""
        facts = {**_for_nobody("talk"), **where, **how, "text": text}
        return self._trace.note("decision.made", bot, **facts)

    def dropped(self, bot: str, work: Work, why: str, **where: int) -> Trace:
        """Note that something for which nobody waited was not thought out."""
        return self._trace.note("decision.dropped", bot, **_for_nobody(work), **where, why=why)


def about(waiting: PendingTurn) -> dict[str, Any]:
    """Whose lines and which events were decided on."""
    facts: dict[str, Any] = {"speaker": waiting.speaker, "lines": len(waiting.messages)}
    facts["trigger"] = waiting.trigger
    facts["work"] = waiting.work
    if waiting.messages:
        facts["newest"] = waiting.messages[-1].sequence
    if waiting.public:
        facts["public"] = True
    return facts


def _for_nobody(work: Work) -> dict[str, Any]:
    return {"trigger": work, "speaker": None, "lines": 0, "work": work}


def facts_of(decision: Decision) -> dict[str, Any]:
    """How it was decided, and what came of it."""
    return {
        "source": decision.source,
        "why": decision.why,
        "seconds": round(decision.seconds, 3),
        **_routing(decision),
        "model": decision.model,
        "prompt_bytes": decision.prompt_bytes,
        **_tokens(decision.usage),
        "cost_usd": decision.cost / DOLLAR,
        "reasoning": decision.thinking[:LONGEST] or None,
        **weighed(decision.used),
        "tools": [used.name for used in decision.used],
        "used": [_tool_use(used) for used in decision.used],
        "text": decision.text,
    }


def _routing(decision: Decision) -> dict[str, Any]:
    route = decision.route
    return {
        "tier": route.tier,
        "wanted": route.wanted,
        "wanted_by": route.why,
        "lowered_by": list(route.lowered_by),
    }


def _tokens(usage: Usage) -> dict[str, int]:
    return {
        "tokens_in": usage.prompt,
        "tokens_cached": usage.cache_read,
        "tokens_out": usage.output,
    }


def _tool_use(used: Used) -> dict[str, Any]:
    outcome = used.outcome
    return {
        "name": used.name,
        "arguments": None if used.arguments is None else without(used.arguments),
        "outcome": outcome.text[:LONGEST],
        "failed": outcome.failed,
        "illegal": outcome.illegal,
        "round": used.round,
        "seconds": round(used.seconds, 3),
    }
