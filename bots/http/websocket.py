"""The trace as a WebSocket: one JSON object per message, resumable.

`?last=SEQUENCE` first sends the stored traces after that one (0 = all of them); without it only new
traces arrive. `skipped` counts traces before this one that this reader will never get.
`?follow=0` ends the stream after the stored traces.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress

from pydantic_core import to_jsonable_python
from starlette.websockets import WebSocket, WebSocketDisconnect

from bots.http.requests import whole_number
from bots.http.responses import Refused
from bots.observability.trace import Trace, TraceLog, TraceReader
from bots.owned_tasks import until_first

HIGHEST_SEQUENCE = 10**15
MOST_READERS = 64  # each takes a descriptor, and a buffer of traces


class TraceStreams:
    """All readers of the trace: so many at once, each of them served until it leaves."""

    def __init__(self, trace_log: TraceLog) -> None:
        self._log = trace_log
        self._open = 0

    async def serve(self, websocket: WebSocket) -> None:
        """Stream the trace to one reader, or refuse it in words."""
        try:
            last = _number(websocket, "last", HIGHEST_SEQUENCE)
            follow = _number(websocket, "follow", 1) != 0
            if self._open >= MOST_READERS:
                message = f"{MOST_READERS} WebSockets are open; close one of them"
                raise Refused(503, "too_many_readers", message)
        except Refused as refused:
            await websocket.send_denial_response(refused.as_response())
            return
        self._open += 1
        try:
            await websocket.accept()
            with suppress(WebSocketDisconnect):  # the reader left while it was being sent to
                await _serve(websocket, self._log, last, follow)
        finally:
            self._open -= 1


async def _serve(websocket: WebSocket, trace_log: TraceLog, last: int | None, follow: bool) -> None:
    with trace_log.reading() as reader:
        kept = list(trace_log.recent())
        sending = _send(websocket, reader, kept, last, follow)
        await until_first(sending, _refuse_words(websocket))


async def _send(
    websocket: WebSocket, reader: TraceReader, kept: list[Trace], last: int | None, follow: bool
) -> None:
    seen = await _send_kept(websocket, kept, _start(kept, last))
    if not follow:
        await websocket.close()
        return
    async for trace in reader:
        await websocket.send_text(_line(trace, trace.sequence - seen - 1))
        seen = trace.sequence


async def _send_kept(websocket: WebSocket, kept: Iterable[Trace], seen: int) -> int:
    for trace in kept:
        if trace.sequence > seen:
            await websocket.send_text(_line(trace, trace.sequence - seen - 1))
            seen = trace.sequence
    return seen


def _start(kept: list[Trace], last: int | None) -> int:
    """The sequence up to which a reader has seen traces."""
    newest = kept[-1].sequence if kept else 0
    if last is None:
        return newest
    # A number we never gave is from an earlier daemon: everything is new to this reader.
    return last if last <= newest else 0


async def _refuse_words(websocket: WebSocket) -> None:
    """Answer whatever is sent with a refusal, until the other side leaves."""
    refusal = Refused(400, "read_only", "this stream only sends; POST to /api/bots/… instead")
    text = json.dumps({"success": False, "reason": refusal.reason, "message": refusal.message})
    while (await websocket.receive())["type"] != "websocket.disconnect":
        await websocket.send_text(text)


def _line(trace: Trace, skipped: int) -> str:
    facts = {**trace.as_json(), "skipped": skipped}
    return json.dumps(to_jsonable_python(facts, inf_nan_mode="null", fallback=str))


def _number(websocket: WebSocket, name: str, most: int) -> int | None:
    return whole_number(websocket.query_params.get(name), name, 0, most)
