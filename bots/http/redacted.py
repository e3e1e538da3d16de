"""Hides secrets in every answer, whoever made it."""

from __future__ import annotations

from functools import lru_cache

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bots.observability.redaction import Redactor

_STARTS = frozenset({"http.response.start", "websocket.http.response.start"})
_BODIES = frozenset({"http.response.body", "websocket.http.response.body"})
_LENGTH = b"content-length"
REMEMBERED = 8  # texts of WebSockets: many readers get the same one in a row


class Redacted:
    """Passes on what `app` sends, redacted. An answer's body has to come in one piece."""

    def __init__(self, app: ASGIApp, redactor: Redactor) -> None:
        self._app, self._redactor = app, redactor
        self._text = lru_cache(REMEMBERED)(redactor.text)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        head: Message | None = None

        async def send_redacted(message: Message) -> None:
            nonlocal head
            if message["type"] in _STARTS:
                head = message  # goes with its body, whose length may change
            elif message["type"] in _BODIES and head is not None:
                body = self._clean(message.get("body", b""))
                length, head = _with_length(head, len(body)), None
                await send(length)
                await send({**message, "body": body})
            elif message["type"] == "websocket.send" and message.get("text"):
                await send({**message, "text": self._text(message["text"])})
            else:
                await send(message)

        await self._app(scope, receive, send_redacted)

    def _clean(self, body: bytes) -> bytes:
        text = body.decode("utf-8", "surrogateescape")
        return self._redactor.text(text).encode("utf-8", "surrogateescape")


def _with_length(head: Message, length: int) -> Message:
    headers = [(name, value) for name, value in head["headers"] if name.lower() != _LENGTH]
    return {**head, "headers": [*headers, (_LENGTH, str(length).encode())]}
