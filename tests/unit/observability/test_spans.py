"""Decisions as spans, and how they reach a collector."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
import structlog
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from bots.app import Daemon
from bots.clock import utc_now
from bots.errors import SettingsError
from bots.observability import otlp
from bots.observability.otlp import Exporter
from bots.observability.trace import TraceLog
from bots.responder.records.record import DecisionRecorder
from bots.settings.secrets import SecretUrl
from bots.settings.settings import Settings, TelemetrySettings
from bridge.fake import FakeBridge, FakeWorld

USED = {"name": "look", "failed": False, "illegal": False, "outcome": "a secret of Steve"}
DECISION: dict[str, Any] = {
    **{"source": "model", "tier": "haiku", "work": "person", "why": None, "seconds": 1.5},
    **{"model": "claude-haiku-5-5", "tokens_in": 900, "tokens_out": 30, "tokens_cached": 700},
    **{"cost_usd": 0.01, "text": "I tell nobody.", "speaker": "Steve"},
    "used": [USED, {**USED, "name": "go", "failed": True}],
}
WITHIN_S = 10.0


class Receiver:
    """Takes what it is sent, as a collector would; answers with `status`."""

    def __init__(self) -> None:
        self.status = 200
        self.taken: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue()

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[str]:
        server = await asyncio.start_server(self._answer, "127.0.0.1", 0)
        async with server:
            yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"

    async def next(self) -> tuple[str, bytes]:
        """The request's line and its body."""
        async with asyncio.timeout(WITHIN_S):
            return await self.taken.get()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(head.partition("content-length: ")[2].split("\r\n")[0])
        body = await reader.readexactly(length)
        writer.write(f"HTTP/1.1 {self.status} X\r\ncontent-length: 0\r\n".encode())
        writer.write(b"connection: close\r\n\r\n")
        await writer.drain()
        writer.close()
        self.taken.put_nowait((head.splitlines()[0], body))


@asynccontextmanager
async def exporting(endpoint: str, trace: TraceLog) -> AsyncIterator[None]:
    task = asyncio.create_task(Exporter(SecretUrl(endpoint), gather_s=0.01).run(trace))
    await anyio.wait_all_tasks_blocked()  # it reads
    yield
    task.cancel()
    await asyncio.wait({task})


async def exported(**facts: Any) -> ExportTraceServiceRequest:
    """What a collector gets of one decision."""
    receiver, trace = Receiver(), TraceLog(utc_now)
    async with receiver.serving() as endpoint, exporting(endpoint, trace):
        trace.note("message.heard", "Alice", text="hello")
        trace.note("decision.made", "Alice", **{**DECISION, **facts})
        request, body = await receiver.next()
    assert request == "post /v1/traces http/1.1"
    return parsed(body)


def parsed(body: bytes) -> ExportTraceServiceRequest:
    export = ExportTraceServiceRequest()
    export.ParseFromString(body)
    return export


def by_name(export: ExportTraceServiceRequest) -> dict[str, Span]:
    ((scope,),) = [resource.scope_spans for resource in export.resource_spans]
    return {span.name: span for span in scope.spans}


def attributes(span: Span) -> dict[str, Any]:
    kinds = {one.key: (one.value, one.value.WhichOneof("value")) for one in span.attributes}
    return {key: getattr(value, kind or "") for key, (value, kind) in kinds.items()}


async def test_a_decision_holds_the_model_and_the_tools_and_nobodys_words() -> None:
    export = await exported()
    spans = by_name(export)
    whole = spans.pop("invoke_agent Alice")
    assert {name: span.status.code for name, span in spans.items()} == {
        "chat claude-haiku-5-5": Status.STATUS_CODE_UNSET,
        "execute_tool look": Status.STATUS_CODE_UNSET,
        "execute_tool go": Status.STATUS_CODE_ERROR,
    }
    assert {span.parent_span_id for span in spans.values()} == {whole.span_id}
    assert {span.trace_id for span in spans.values()} == {whole.trace_id}
    assert (len(whole.trace_id), len(whole.span_id), whole.parent_span_id) == (16, 8, b"")
    assert whole.end_time_unix_nano - whole.start_time_unix_nano == 1_500_000_000
    conventional = {"gen_ai.usage.input_tokens": 900, "gen_ai.request.model": "claude-haiku-5-5"}
    assert conventional.items() <= attributes(spans["chat claude-haiku-5-5"]).items()
    assert attributes(whole)["townsfolk.cost_usd"] == 0.01
    assert "townsfolk.why" not in attributes(whole)
    assert "townsfolk" in str(export.resource_spans[0].resource)
    told = str(export)
    assert not [word for word in ("Steve", "secret", "I tell nobody", "hello") if word in told]


async def test_a_decision_by_rules_has_no_model_in_it() -> None:
    assert list(by_name(await exported(model=None, used=[]))) == ["invoke_agent Alice"]


async def test_words_of_a_script_are_sent_though_they_took_no_time() -> None:
    receiver, trace = Receiver(), TraceLog(utc_now)
    async with receiver.serving() as endpoint, exporting(endpoint, trace):
        DecisionRecorder(trace).talked(
            "Alice", "Look at that.", {"source": "rules"}, talk=1, turn=1
        )
        _, body = await receiver.next()
    (whole,) = by_name(parsed(body)).values()
    assert whole.start_time_unix_nano == whole.end_time_unix_nano


async def test_what_was_decided_last_is_sent_at_the_end() -> None:
    receiver, trace = Receiver(), TraceLog(utc_now)
    async with receiver.serving() as endpoint:
        task = asyncio.create_task(Exporter(SecretUrl(endpoint), gather_s=3600).run(trace))
        await anyio.wait_all_tasks_blocked()
        trace.note("decision.made", "Alice", **DECISION)
        await anyio.wait_all_tasks_blocked()
        task.cancel()
        await asyncio.wait({task})
        _request, body = await receiver.next()
    assert len(by_name(parsed(body))) == 4


async def test_a_collector_that_refuses_is_told_of_once_and_asked_again() -> None:
    receiver, trace = Receiver(), TraceLog(utc_now)
    with structlog.testing.capture_logs() as logs:
        async with receiver.serving() as endpoint, exporting(endpoint, trace):
            for status in (404, 404, 200, 200):
                receiver.status = status
                trace.note("decision.made", "Alice", **DECISION)
                await receiver.next()
    assert [entry["event"] for entry in logs] == ["spans.not_sent", "spans.sent_again"]
    assert "404" in logs[0]["why"]


@pytest.mark.slow
async def test_a_collector_that_is_not_there_is_told_of_with_the_cause() -> None:
    trace = TraceLog(utc_now)
    with structlog.testing.capture_logs() as logs:
        async with exporting("http://127.0.0.1:1", trace):
            trace.note("decision.made", "Alice", **DECISION)
    assert [entry["event"] for entry in logs] == ["spans.not_sent"]
    assert "refused" in logs[0]["why"]


async def test_a_daemon_without_the_extra_does_not_start_and_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, otlp.NEEDED, None)
    wanted = TelemetrySettings(otlp_endpoint=SecretUrl("http://127.0.0.1:4318"))
    settings = Settings(data_dir=tmp_path, telemetry=wanted)
    with pytest.raises(SettingsError, match=r'pip install .*"\.\[otel\]"'):
        async with Daemon(settings, bridge=FakeBridge(FakeWorld())):
            raise AssertionError("it started")
