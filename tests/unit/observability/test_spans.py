"""Decisions as spans, and how they reach a collector."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
import structlog

from bots.clock import utc_now
from bots.observability.otlp import Exporter
from bots.observability.spans import export_of
from bots.observability.trace import TraceLog

USED = {"name": "look", "failed": False, "illegal": False, "outcome": "a secret of Steve"}
DECISION: dict[str, Any] = {
    **{"source": "model", "tier": "haiku", "work": "person", "why": None, "seconds": 1.5},
    **{"model": "claude-haiku-5-5", "tokens_in": 900, "tokens_out": 30, "tokens_cached": 700},
    **{"cost_usd": 0.01, "text": "I tell nobody.", "speaker": "Steve"},
    "used": [USED, {**USED, "name": "go", "failed": True}],
}
WITHIN_S = 10.0


def spans_in(export: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        span
        for resource in export["resourceSpans"]
        for scope in resource["scopeSpans"]
        for span in scope["spans"]
    ]


def exported(**facts: Any) -> list[dict[str, Any]]:
    made = TraceLog(utc_now).note("decision.made", "Alice", **{**DECISION, **facts})
    return spans_in(export_of([made], random.Random(1), "1.0"))


def attributes(span: dict[str, Any]) -> dict[str, Any]:
    return {one["key"]: next(iter(one["value"].values())) for one in span["attributes"]}


def test_a_decision_holds_the_model_and_the_tools() -> None:
    whole, chat, look, go = exported()
    names = [span["name"] for span in (whole, chat, look, go)]
    assert names == [
        "invoke_agent Alice", "chat claude-haiku-5-5", "execute_tool look", "execute_tool go"
    ]  # fmt: skip
    assert {span["parentSpanId"] for span in (chat, look, go)} == {whole["spanId"]}
    assert len({span["traceId"] for span in (whole, chat, look, go)}) == 1
    assert (len(whole["traceId"]), len(whole["spanId"])) == (32, 16)
    assert "status" not in look
    assert go["status"] == {"code": 2}


def test_it_lasts_as_long_as_the_decision_took() -> None:
    whole = exported()[0]
    assert int(whole["endTimeUnixNano"]) - int(whole["startTimeUnixNano"]) == 1_500_000_000


def test_tokens_and_cost_have_the_names_of_the_conventions() -> None:
    whole, chat, *_ = exported()
    assert attributes(chat)["gen_ai.usage.input_tokens"] == "900"
    assert attributes(chat)["gen_ai.request.model"] == "claude-haiku-5-5"
    assert attributes(whole)["townsfolk.cost_usd"] == 0.01


def test_nobodys_words_are_in_it() -> None:
    told = json.dumps(exported())
    assert not [word for word in ("Steve", "secret", "I tell nobody") if word in told]


def test_a_decision_by_rules_has_no_model_in_it() -> None:
    assert [span["name"] for span in exported(model=None, used=[])] == ["invoke_agent Alice"]


def test_other_events_are_nothing_to_send() -> None:
    heard = TraceLog(utc_now).note("message.heard", "Alice", text="hello")
    assert export_of([heard], random.Random(1), "1.0") == {"resourceSpans": []}


class Collector:
    """Takes what it is sent; answers with `status`."""

    def __init__(self) -> None:
        self.status, self.port = 200, 0
        self.taken: asyncio.Queue[tuple[str, dict[str, Any]]] = asyncio.Queue()

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[str]:
        server = await asyncio.start_server(self._answer, "127.0.0.1", 0)
        async with server:
            yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(head.partition("content-length: ")[2].split("\r\n")[0])
        body = json.loads(await reader.readexactly(length))
        writer.write(f"HTTP/1.1 {self.status} X\r\ncontent-length: 0\r\n".encode())
        writer.write(b"connection: close\r\n\r\n")
        await writer.drain()
        writer.close()
        self.taken.put_nowait((head.splitlines()[0], body))


async def taken(collector: Collector) -> tuple[str, dict[str, Any]]:
    async with asyncio.timeout(WITHIN_S):
        return await collector.taken.get()


@asynccontextmanager
async def exporting(endpoint: str, trace: TraceLog) -> AsyncIterator[None]:
    task = asyncio.create_task(Exporter(endpoint, random.Random(1), gather_s=0.0).run(trace))
    await anyio.wait_all_tasks_blocked()  # it reads
    yield
    task.cancel()
    await asyncio.wait({task})


@pytest.mark.anyio
async def test_a_collector_gets_each_decision() -> None:
    collector, trace = Collector(), TraceLog(utc_now)
    async with collector.serving() as endpoint, exporting(endpoint, trace):
        trace.note("message.heard", "Alice", text="hello")
        trace.note("decision.made", "Alice", **DECISION)
        request, export = await taken(collector)
    assert request == "post /v1/traces http/1.1"
    assert len(spans_in(export)) == 4


@pytest.mark.anyio
async def test_a_collector_that_refuses_is_told_of_once_and_asked_again() -> None:
    collector, trace = Collector(), TraceLog(utc_now)
    with structlog.testing.capture_logs() as logs:
        async with collector.serving() as endpoint, exporting(endpoint, trace):
            for status in (503, 503, 200, 200):
                collector.status = status
                trace.note("decision.made", "Alice", **DECISION)
                await taken(collector)
    events = [entry["event"] for entry in logs]
    assert events.count("spans.not_sent") == 1
