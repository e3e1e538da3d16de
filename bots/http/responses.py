"""Answers as JSON: a result, or a refusal with its reason; and the wait for an outcome."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Mapping
from typing import Any, TypeVar

import structlog
from pydantic_core import to_jsonable_python
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from bots.errors import CommandError, SpeechRefused
from bridge.errors import BotError, UserError

log = structlog.get_logger()
HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
STATUS_REASONS = {404: "not_found", 405: "method_not_allowed"}
T = TypeVar("T")


class Refused(Exception):
    """A request that is refused, with the reason."""

    def __init__(self, status: int, reason: str, message: str) -> None:
        super().__init__(message)
        self.status, self.reason, self.message = status, reason, message

    def as_response(self, headers: Mapping[str, str] | None = None) -> Response:
        facts = {"success": False, "reason": self.reason, "message": self.message}
        return answer(facts, self.status, headers)


def answer(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Any plain value as JSON, whatever numbers and text are in it."""
    body = json.dumps(to_jsonable_python(value, inf_nan_mode="null", fallback=str))
    return Response(body, status, {**HEADERS, **(headers or {})}, "application/json")


def png(data: bytes) -> Response:
    return Response(data, 200, HEADERS, "image/png")


async def on_refused(_request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return error.as_response()


async def on_http_exception(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    reason = STATUS_REASONS.get(error.status_code, "bad_request")
    return Refused(error.status_code, reason, error.detail).as_response(error.headers)


async def on_bot_error(_request: Request, error: Exception) -> Response:
    """An error of the daemon: a refused command is a result, a broken part gives 503."""
    if isinstance(error, CommandError | SpeechRefused):
        return answer({"success": False, "reason": error.reason, "message": str(error)})
    if isinstance(error, UserError):
        return Refused(400, "refused", str(error)).as_response()
    log.warning("request.failed", error=type(error).__name__)
    return Refused(503, "unavailable", str(error)).as_response()


async def on_defect(_request: Request, _error: Exception) -> Response:
    """A bug of ours: the server logs the traceback, the client gets no details."""
    message = "the daemon made a mistake; its log has the details"
    return Refused(500, "internal_error", message).as_response()


EXCEPTION_HANDLERS = {
    Refused: on_refused,
    HTTPException: on_http_exception,
    BotError: on_bot_error,
    Exception: on_defect,
}


class Outcomes:
    """Of the requests to one app."""

    def __init__(self, closing: asyncio.Event) -> None:
        self._closing = closing

    async def of(
        self, work: Coroutine[Any, Any, T], leaving: Coroutine[Any, Any, None] | None = None
    ) -> T:
        """Raises Refused once the daemon closes or `leaving` ends; the work is cancelled then."""
        working = asyncio.create_task(work, name="http outcome")
        ends: set[asyncio.Task[Any]] = {
            asyncio.create_task(self._closing.wait(), name="http closing")
        }
        if leaving is not None:
            ends.add(asyncio.create_task(leaving, name="http leaving"))
        try:
            await asyncio.wait({working, *ends}, return_when=asyncio.FIRST_COMPLETED)
            if working.done():
                return working.result()
            if not self._closing.is_set():
                raise Refused(400, "left", "whoever asked has left; the command was ended")
            message = "the daemon is ending; whether this was done is unknown"
            raise Refused(503, "shutting_down", message)
        finally:
            for task in (working, *ends):
                task.cancel()
