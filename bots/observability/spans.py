"""Decisions as spans of OpenTelemetry.

Names follow OpenTelemetry's conventions for generative AI. Spans contain nobody's words, only
figures and the names of bots, models and tools.
Source: opentelemetry.io/docs/specs/semconv/gen-ai. The SDK is an extra: import this when needed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from opentelemetry.context import Context
from opentelemetry.trace import Span, SpanKind, StatusCode, Tracer, set_span_in_context

from bots.observability.trace import Trace

Named: TypeAlias = Mapping[str, Any]

_NS = 1_000_000_000


def tell(traces: Iterable[Trace], tracer: Tracer) -> None:
    """Trace events that become spans."""
    for trace in traces:
        if trace.name == "decision.made":
            _tell_decision(trace, tracer)


def _tell_decision(trace: Trace, tracer: Tracer) -> None:
    """The whole, the model's part of it, and each tool."""
    facts = trace.facts
    end_ns = int(trace.at.timestamp() * _NS)
    begin_ns = end_ns - int(facts.get("seconds", 0) * _NS)  # words of a script took none

    def begun(name: str, kind: SpanKind, named: Named, within: Context) -> Span:
        there = {key: value for key, value in named.items() if value is not None}
        return tracer.start_span(name, within, kind, there, start_time=begin_ns)

    whole = begun(f"invoke_agent {trace.bot}", SpanKind.INTERNAL, _of_decision(trace), Context())
    within = set_span_in_context(whole, Context())
    if facts.get("model"):
        begun(f"chat {facts['model']}", SpanKind.CLIENT, _of_model(trace), within).end(end_ns)
    for used in facts.get("used") or ():
        tool = begun(f"execute_tool {used['name']}", SpanKind.INTERNAL, _of_tool(used), within)
        if used["failed"] or used["illegal"]:
            tool.set_status(StatusCode.ERROR)
        tool.end(end_ns)
    whole.end(end_ns)


def _of_decision(trace: Trace) -> Named:
    facts = trace.facts
    return {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": trace.bot,
        "townsfolk.decision": trace.sequence,
        "townsfolk.work": facts.get("work"),
        "townsfolk.source": facts.get("source"),
        "townsfolk.why": facts.get("why"),
        "townsfolk.tier": facts.get("tier"),
        "townsfolk.cost_usd": facts.get("cost_usd"),
    }


def _of_model(trace: Trace) -> Named:
    facts = trace.facts
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "anthropic",
        "gen_ai.agent.name": trace.bot,
        "gen_ai.request.model": facts["model"],
        "gen_ai.usage.input_tokens": facts.get("tokens_in"),
        "gen_ai.usage.output_tokens": facts.get("tokens_out"),
        "gen_ai.usage.cache_read.input_tokens": facts.get("tokens_cached"),
    }


def _of_tool(used: Named) -> Named:
    return {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": used["name"],
        "townsfolk.proper": not used["illegal"],
    }
