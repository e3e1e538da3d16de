"""The trace as a WebSocket: one JSON object per message, resumable.

`?last=SEQUENCE` first sends the stored traces after that one (0 = all of them); without it only new
traces arrive. `skipped` counts traces before this one that this reader will never get.
`?follow=0` ends the stream after the stored traces. `?positions=1` adds where everybody is: the
newest only, so a slow reader misses some. `?batch=1` sends lists of traces, of 80 ms each.
What several readers get is made once.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Iterator
from contextlib import aclosing, asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass
from typing import TypeVar

from pydantic_core import to_jsonable_python
from starlette.websockets import WebSocket, WebSocketDisconnect

from bots.daemon.shapes import Positions
from bots.http.requests import whole_number
from bots.http.responses import Refused
from bots.http.shared_traces import SharedTraces
from bots.observability.trace import Trace, TraceLog, TraceReader
from bots.owned_tasks import until_first

HIGHEST_SEQUENCE = 10**15
GATHER_S = 0.08  # for a batch
MOST_TEXTS = 1_000
MOST_BATCHES = 4
MOST_READERS = 64  # each takes a descriptor, and a buffer of traces

K = TypeVar("K")


class TraceStreams:
    """All readers of the trace: so many at once, each of them served until it leaves."""

    def __init__(
        self,
        trace_log: TraceLog,
        positions: Callable[[], AsyncGenerator[Positions]],
        shared: SharedTraces | None = None,
    ) -> None:
        """`shared` has the log and the positions filled from other daemons too."""
        self._log, self._positions, self._shared = trace_log, positions, shared
        self._texts = _Texts()
        self._moment: tuple[Positions | None, str] = None, ""
        """Where everybody is, and the same as JSON: made once for all readers."""
        self._open = 0

    async def serve(self, websocket: WebSocket) -> None:
        """Stream the trace to one reader, or refuse it in words."""
        try:
            wish = _Wish.of(websocket)
            if self._open >= MOST_READERS:
                message = f"{MOST_READERS} WebSockets are open; close one of them"
                raise Refused(503, "too_many_readers", message)
        except Refused as refused:
            await websocket.send_denial_response(refused.as_response())
            return
        self._open += 1
        try:
            async with self._of_all(wish):
                await websocket.accept()
                with suppress(WebSocketDisconnect):  # the reader left while it was being sent to
                    await self._serve(websocket, wish)
        finally:
            self._open -= 1

    @asynccontextmanager
    async def _of_all(self, wish: _Wish) -> AsyncIterator[None]:
        """While the block lasts the log tells of all daemons, and of what was before it too."""
        if self._shared is None:
            yield
            return
        with self._shared.watching(wish.positions) if wish.follow else nullcontext():
            await self._shared.catch_up()
            yield

    async def _serve(self, websocket: WebSocket, wish: _Wish) -> None:
        with self._log.reading() as reader:
            kept = list(self._log.recent())
            moving = [self._send_positions(websocket)] if wish.positions and wish.follow else []
            sending = self._send(websocket, wish, reader, kept)
            await until_first(sending, _refuse_words(websocket), *moving)

    async def _send(
        self, websocket: WebSocket, wish: _Wish, reader: TraceReader, kept: list[Trace]
    ) -> None:
        seen = newest = kept[-1].sequence if kept else 0
        if wish.last is not None:
            # A number we never gave is from an earlier daemon: everything is new to this reader.
            seen = wish.last if wish.last <= newest else 0
        traces = [trace for trace in kept if trace.sequence > seen]
        while True:
            for text in (
                self._texts.batch(traces, seen) if wish.batch else self._texts.each(traces, seen)
            ):
                await _send_text(websocket, text)
            seen = traces[-1].sequence if traces else seen
            if not wish.follow:
                return await websocket.close()
            if wish.batch:
                # The next beat is the same one for all readers, so that they get the same batch.
                await asyncio.sleep(GATHER_S - asyncio.get_running_loop().time() % GATHER_S)
            traces = await reader.drain()

    async def _send_positions(self, websocket: WebSocket) -> None:
        async with aclosing(self._positions()) as moments:
            async for newest in moments:
                if self._moment[0] is not newest:
                    self._moment = newest, json.dumps(newest)
                await _send_text(websocket, self._moment[1])


@dataclass(frozen=True, slots=True)
class _Wish:
    """What a reader asks for in its address."""

    last: int | None
    follow: bool
    positions: bool
    batch: bool

    @classmethod
    def of(cls, websocket: WebSocket) -> _Wish:
        """Raises Refused."""
        last = _number(websocket, "last", HIGHEST_SEQUENCE)
        follow = _number(websocket, "follow", 1) != 0
        positions, batch = (_number(websocket, name, 1) == 1 for name in ("positions", "batch"))
        return cls(last, follow, positions, batch)


class _Texts:
    """The newest traces as JSON, each made once for all readers."""

    def __init__(self) -> None:
        self._made: dict[int, str] = {}
        self._batches: dict[tuple[int, int, int], str] = {}

    def each(self, traces: Iterable[Trace], seen: int) -> Iterator[str]:
        """One text for each trace; `seen` is the last that the reader has."""
        for trace in traces:
            if trace.sequence not in self._made:
                plain = to_jsonable_python(trace.as_json(), inf_nan_mode="null", fallback=str)
                self._made[trace.sequence] = json.dumps(plain)
                _keep_newest(self._made, MOST_TEXTS)
            text = self._made[trace.sequence]
            yield f'{text[:-1]}, "skipped": {trace.sequence - seen - 1}}}'
            seen = trace.sequence

    def batch(self, traces: list[Trace], seen: int) -> Iterator[str]:
        """One text for all, if there are any. Readers that are up to date get the same one."""
        if not traces:
            return
        span = (seen, traces[0].sequence, traces[-1].sequence)
        if span not in self._batches:
            self._batches[span] = f"[{','.join(self.each(traces, seen))}]"
            _keep_newest(self._batches, MOST_BATCHES)
        yield self._batches[span]


def _keep_newest(made: dict[K, str], most: int) -> None:
    while len(made) > most:
        del made[next(iter(made))]


async def _send_text(websocket: WebSocket, text: str) -> None:
    """Raises WebSocketDisconnect once the reader has left."""
    try:
        await websocket.send_text(text)
    except RuntimeError as error:  # the server has answered a goodbye that we have yet to read
        raise WebSocketDisconnect(1006) from error


async def _refuse_words(websocket: WebSocket) -> None:
    """Answer whatever is sent with a refusal, until the other side leaves."""
    refusal = Refused(400, "read_only", "this stream only sends; POST to /api/bots/… instead")
    text = json.dumps({"success": False, "reason": refusal.reason, "message": refusal.message})
    while (await websocket.receive())["type"] != "websocket.disconnect":
        await _send_text(websocket, text)


def _number(websocket: WebSocket, name: str, most: int) -> int | None:
    return whole_number(websocket.query_params.get(name), name, 0, most)
