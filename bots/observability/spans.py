"""Decisions as spans of OpenTelemetry, in the JSON of OTLP.

Names follow OpenTelemetry's conventions for generative AI. No words of anybody are in them: only
figures, and the names of bots, models and tools.
Source: opentelemetry.io/docs/specs/otlp, and its semantic conventions for generative AI."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from bots.observability.trace import Trace

Json: TypeAlias = dict[str, Any]

_TRACE_ID_BITS, _SPAN_ID_BITS = 128, 64
_INTERNAL, _CLIENT = 1, 3  # kinds of spans
_FAILED = {"code": 2}
_NS = 1_000_000_000


def export_of(traces: Sequence[Trace], dice: random.Random, version: str) -> Json:
    """What a collector is sent for these events; without spans where none is a decision."""
    spans = [span for trace in traces for span in spans_of(trace, dice)]
    resource = {
        "attributes": _attributes({"service.name": "townsfolk", "service.version": version})
    }
    scope = {"scope": {"name": "townsfolk", "version": version}, "spans": spans}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [scope]}] if spans else []}


def spans_of(trace: Trace, dice: random.Random) -> Iterator[Json]:
    """A decision, the model's part of it, and each tool; nothing of other events."""
    if trace.name != "decision.made":
        return
    facts = trace.facts
    end_ns = int(trace.at.timestamp() * _NS)
    begin_ns = end_ns - int(facts["seconds"] * _NS)
    ids = {"traceId": _id(dice, _TRACE_ID_BITS)}
    whole = _id(dice, _SPAN_ID_BITS)
    times = {"startTimeUnixNano": str(begin_ns), "endTimeUnixNano": str(end_ns)}
    yield {
        **ids,
        **times,
        "spanId": whole,
        "name": f"invoke_agent {trace.bot}",
        "kind": _INTERNAL,
        "attributes": _attributes(_of_decision(trace)),
    }
    if facts.get("model"):
        yield {
            **ids,
            **times,
            "spanId": _id(dice, _SPAN_ID_BITS),
            "parentSpanId": whole,
            "name": f"chat {facts['model']}",
            "kind": _CLIENT,
            "attributes": _attributes(_of_model(trace)),
        }
    for used in facts.get("used") or ():
        yield {
            **ids,
            **times,
            "spanId": _id(dice, _SPAN_ID_BITS),
            "parentSpanId": whole,
            "name": f"execute_tool {used['name']}",
            "kind": _INTERNAL,
            "attributes": _attributes(_of_tool(used)),
            **({"status": _FAILED} if used["failed"] or used["illegal"] else {}),
        }


def _of_decision(trace: Trace) -> Json:
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


def _of_model(trace: Trace) -> Json:
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


def _of_tool(used: Json) -> Json:
    return {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": used["name"],
        "townsfolk.proper": not used["illegal"],
    }


def _attributes(named: Json) -> list[Json]:
    return [{"key": key, "value": _value(one)} for key, one in named.items() if one is not None]


def _value(value: object) -> Json:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    return {"doubleValue": value} if isinstance(value, float) else {"stringValue": str(value)}


def _id(dice: random.Random, bits: int) -> str:
    return f"{dice.getrandbits(bits):0{bits // 4}x}"
