"""HTTP of the fake API: requests are read from a connection, answers written to it as bytes.

Written on asyncio streams because a fault is a matter of bytes: a framework would not cut a
chunk in two or close a connection without a word.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from llm.fake_api.events import Event, error_of, sse
from llm.fake_api.steps import Failure


@dataclass(frozen=True, slots=True)
class Request:
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one request: whole, or piece by piece."""

    writer: asyncio.StreamWriter
    request_id: str

    async def send_json(self, body: Mapping[str, Any]) -> None:
        await self.send(HTTPStatus.OK, json.dumps(body), "application/json")

    async def send_failure(self, failure: Failure) -> None:
        body = json.dumps(error_of(failure, self.request_id))
        await self.send(failure.status, body, "application/json", failure.headers)

    async def send(
        self, status: int, text: str, content_type: str, headers: Mapping[str, str] | None = None
    ) -> None:
        body = text.encode()
        self._begin(status, content_type, {"content-length": f"{len(body)}", **(headers or {})})
        self.writer.write(body)
        await self.writer.drain()

    def begin_stream(self) -> None:
        headers = {"cache-control": "no-cache", "transfer-encoding": "chunked"}
        self._begin(HTTPStatus.OK, "text/event-stream; charset=utf-8", headers)

    async def send_event(self, event: Event) -> None:
        await self.send_chunk(sse(event))

    async def send_chunk(self, piece: bytes) -> None:
        self.writer.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        await self.writer.drain()

    async def end_stream(self) -> None:
        self.writer.write(b"0\r\n\r\n")
        await self.writer.drain()

    def break_off(self) -> None:
        """Close the connection without a word."""
        self.writer.transport.abort()

    def _begin(self, status: int, content_type: str, headers: Mapping[str, str]) -> None:
        always = {"content-type": content_type, "request-id": self.request_id}
        lines = [f"HTTP/1.1 {status} {_phrase(status)}"]
        lines += [f"{name}: {value}" for name, value in {**always, **headers}.items()]
        self.writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))


async def read_request(reader: asyncio.StreamReader) -> Request | None:
    """The next request of a connection; None when it has none left."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.decode("latin-1").split("\r\n")
    method, path, _ = first.split(" ", 2)
    pairs = (line.partition(":") for line in lines if line)
    headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Request(method, path, headers, body)


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:  # 529 is the vendor's own
        return "Overloaded"
