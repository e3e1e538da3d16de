"""Sends decisions as spans to an OpenTelemetry collector, and logs failures.

Names follow OpenTelemetry's conventions for generative AI. Spans contain nobody's words, only
figures and the names of bots, models and tools.
Source: opentelemetry.io/docs/specs/semconv/gen-ai. The SDK is an extra: import this when needed."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from typing import Any, TypeAlias

import requests
import structlog
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http import trace_exporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.trace import Span, SpanKind, StatusCode, Tracer, set_span_in_context

from bots.observability.trace import Trace
from bots.settings.secrets import SecretUrl

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


log = structlog.get_logger()

WITHIN_S = 3.0  # for one request and its retries; the end of the daemon may wait for the last one


class Collector:
    """Takes spans; they are gathered and sent in a thread of the SDK."""

    def __init__(self, url: SecretUrl, gather_s: float) -> None:
        about = {"service.name": "townsfolk", "service.version": version("townsfolk")}
        self._sending = _Reported(url)
        self._provider = TracerProvider(resource=Resource.create(about), shutdown_on_exit=False)
        self._provider.add_span_processor(
            BatchSpanProcessor(self._sending, schedule_delay_millis=gather_s * 1000)
        )

    @property
    def tracer(self) -> Tracer:
        return self._provider.get_tracer("townsfolk", version("townsfolk"))

    def close(self) -> None:
        """Send the remaining spans and wait for that."""
        if self._sending.is_failing:
            self._sending.shutdown()  # so that nothing more is tried
        self._provider.shutdown()
        self._sending.causes.close()


class _Reported(SpanExporter):
    """Sends, and tells the log when that begins to fail and when it works again."""

    def __init__(self, url: SecretUrl) -> None:
        session = requests.Session()
        session.trust_env = False  # a proxy for the internet cannot reach a collector at home
        self._url = url
        self._exporter = OTLPSpanExporter(url.get_secret_value(), timeout=WITHIN_S, session=session)
        self.causes = _Causes()
        self.is_failing = False

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        self.causes.forget()
        result = self._exporter.export(spans)
        fails = result is not SpanExportResult.SUCCESS
        if fails and not self.is_failing:
            log.warning("spans.not_sent", to=str(self._url), why=self.causes.first)
        elif self.is_failing and not fails:
            log.info("spans.sent_again", to=str(self._url))
        self.is_failing = fails
        return result

    def shutdown(self) -> None:
        self._exporter.shutdown()  # type: ignore[no-untyped-call]


class _Causes(logging.Filter):
    """Keeps what the SDK would log at each try: only there it says why one failed."""

    def __init__(self) -> None:
        super().__init__()
        self.first = ""
        self._logger = logging.getLogger(trace_exporter.__name__)
        self._logger.addFilter(self)

    def filter(self, record: logging.LogRecord) -> bool:
        self.first = self.first or record.getMessage()
        return False

    def forget(self) -> None:
        self.first = ""

    def close(self) -> None:
        self._logger.removeFilter(self)
