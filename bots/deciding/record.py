"""Every decision as one record in the trace."""

from __future__ import annotations

from typing import Any

from bots.answering.waiting import Waiting
from bots.deciding.parts import Decided
from bots.trace import Trace, TraceLog
from llm.engine.decision import Decision
from llm.engine.prices import DOLLAR


class TraceRecorder:
    """The recorder of all bots."""

    def __init__(self, trace: TraceLog) -> None:
        self._trace = trace

    def decided(self, made: Decided) -> Trace:
        facts = {**about(made.waiting), **facts_of(made.decision)}
        return self._trace.note("decision.made", made.bot, **facts)


def about(waiting: Waiting) -> dict[str, Any]:
    """Whose lines and which events were decided on."""
    facts: dict[str, Any] = {"speaker": waiting.speaker, "lines": len(waiting.messages)}
    facts["trigger"] = waiting.trigger
    if waiting.messages:
        facts["newest"] = waiting.messages[-1].sequence
    if waiting.public:
        facts["public"] = True
    return facts


def facts_of(decision: Decision) -> dict[str, Any]:
    """How it was decided."""
    return {
        "source": decision.source,
        "why": decision.why,
        "seconds": round(decision.seconds, 3),
        "tier": decision.route.tier,
        "model": decision.model,
        "tokens_in": decision.usage.prompt,
        "tokens_out": decision.usage.output,
        "cost_usd": decision.cost / DOLLAR,
        "tools": [used.name for used in decision.used],
        "text": decision.text,
    }
