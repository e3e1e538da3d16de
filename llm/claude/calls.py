"""Asks the Messages API, and says what each of its faults means.

This module alone imports `anthropic`, which takes seconds to load: `AnthropicModel` loads it in
a thread. No exception of the SDK leaves this module.

Anthropic words errors in one way. Servers for models at home have the same API and words of their
own, and servers without it answer 404 in many ways."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import replace
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import Any

import httpx2
import structlog
from anthropic import APIConnectionError, APIError, APIStatusError, AsyncAnthropic, AsyncStream
from anthropic.types import Message, RawMessageStreamEvent
from pydantic_core import to_json

from llm.claude.model import NOTHING_LISTED, Listing, listing_of
from llm.claude.wire import (
    Event,
    Failure,
    Outcome,
    Refusal,
    StreamedMessage,
    completion_of,
    request_of,
    tool_of,
    usage_of,
)
from llm.model import Question, Tool, Unavailable

_WHY_BY_TYPE: dict[str, Unavailable] = {
    "overloaded_error": "overloaded",
    "rate_limit_error": "rate_limited",
    "authentication_error": "auth",
    "permission_error": "auth",
    "billing_error": "billing",
    "timeout_error": "server",
    "api_error": "server",
    "invalid_request_error": "bad_request",
}
_WHY_BY_STATUS: dict[int, Unavailable] = {
    401: "auth",
    402: "billing",
    403: "auth",
    408: "server",
    409: "server",
    429: "rate_limited",
    529: "overloaded",
}
_VAGUE: tuple[Unavailable, ...] = ("bad_request", "server")
_NO_SUCH_PATH = (404, 405)
_TOO_LONG = re.compile(
    r"context (?:length|size|window|limit)|exceed_context_size|n_ctx|prompt is too long", re.I
)
"""vLLM, llama.cpp, LM Studio and Anthropic, each in its own words."""
_NO_SUCH_MODEL = re.compile(
    r"model\b.*(?:not found|not exist|not available)|(?:invalid|unknown|no such) model", re.I
)

log = structlog.get_logger()

RETRIES = 2  # after the first attempt; the SDK backs off 0.5 s, then 1 s
CONNECT_TIMEOUT_S = 3.0
READ_TIMEOUT_S = 30.0  # between two bytes; the total deadline is the caller's
LONGEST_DETAIL = 200

REFUSED = (
    ValueError,  # malformed JSON in a stream, and validation errors of pydantic
    LookupError,  # no stream of a message: a page of HTML, JSON without its fields, no order
    AttributeError,
    TypeError,
    RecursionError,  # lists in lists in lists
)
"""What reading an answer may raise that is none."""
_SDK_FAULTS = (
    APIError,
    httpx2.HTTPError,  # a stream cut midway is not wrapped by the SDK
    httpx2.InvalidURL,
    httpx2.StreamError,
    OSError,
    *REFUSED,
)
_NEVER_CONNECTED = (httpx2.ConnectError, httpx2.ConnectTimeout)
_RETRIED = (408, 409, 429)  # by the SDK, and everything from 500
_WITH_EFFORT = re.compile(r"claude-(?:[a-z]+-(?:[5-9]|\d\d)\b|opus-4-[5-8])")
"""Models that take `output_config.effort`; source: the model pages of platform.claude.com."""

_SHOWS_THINKING = re.compile(r"claude-(?:haiku|sonnet|opus)-5-5\b")
"""Models that always think, and return a summary of it when asked."""

_answer_by: ContextVar[float] = ContextVar("answer_by")


def why_of(status: int, body: object) -> Unavailable:
    """What an error status means; `body` is its JSON, or text."""
    by_type, by_status = _WHY_BY_TYPE.get(_type_in(body)), _WHY_BY_STATUS.get(status)
    if by_type in (None, *_VAGUE) and by_status is None:
        if (by_words := _why_in(f"{_type_in(body)}: {message_in(body)}")) is not None:
            return by_words
        # Worded as by the Messages API, the path is there.
        is_enveloped = isinstance(body, Mapping) and body.get("type") == "error"
        if status in _NO_SUCH_PATH and not is_enveloped:
            return "no_api"
        if status in _NO_SUCH_PATH and by_type is None:
            return "unknown_model"
    # By the type first: servers at home are careless with the status.
    default: Unavailable = "bad_request" if 400 <= status < 500 else "server"
    return by_type or by_status or default


def why_broken_off(kind: str, message: str) -> Unavailable:
    """What an error means that ends an answer under way."""
    by_type = _WHY_BY_TYPE.get(kind, "server")
    return (_why_in(f"{kind}: {message}") or by_type) if by_type in _VAGUE else by_type


def message_in(body: object) -> str:
    """The words of an error."""
    match body:
        case {"error": {"message": str(message)}}:
            return message
        case {"error": str(message)} | {"message": str(message)} | {"detail": str(message)}:
            return message
        case str():
            return body
    return ""


def _why_in(message: str) -> Unavailable | None:
    if _TOO_LONG.search(message):
        return "context"
    return "unknown_model" if _NO_SUCH_MODEL.search(message) else None


def _type_in(body: object) -> str:
    match body:
        case {"error": {"type": str(kind)}}:
            return kind
    return ""


class _Lost(ConnectionError):
    """A request went out and no answer to it came: nobody knows whether it is billed."""


class _BrokenOff(ConnectionError):
    """The server ended an answer with an error: work was done by then."""

    def __init__(self, error: Mapping[str, Any], request_id: str | None) -> None:
        self.kind, self.detail = str(error.get("type")), str(error.get("message") or "")
        super().__init__(self.kind)
        self.request_id = request_id


class _WaitTooLong(ConnectionError):
    """The server asks for a longer wait than the deadline leaves."""

    def __init__(self, status: int, wait_s: float) -> None:
        super().__init__(f"status {status}, retry after {wait_s:g} s")
        self.status = status


class MessagesApi:
    """One client; safe for questions at the same time."""

    def __init__(self, api_key: str | None, base_url: str, hidden: Sequence[str] = ()) -> None:
        self._hidden = (*hidden, *((api_key,) if api_key else ()))
        self._client = AsyncAnthropic(
            # Self-hosted servers need no key; a value keeps the SDK from looking for profiles.
            api_key=api_key or "none",
            base_url=base_url,
            max_retries=RETRIES,
            timeout=httpx2.Timeout(READ_TIMEOUT_S, connect=CONNECT_TIMEOUT_S),
            middleware=[_refuse_long_waits],
            open_telemetry=False,
        )

    async def ask(
        self, model_id: str, question: Question, hear: Callable[[str], None], within_s: float
    ) -> Outcome:
        """Stream an answer; `hear` gets its text piece by piece.

        Never raises for what the network or the server do. The caller cuts at the deadline."""
        _answer_by.set(time.monotonic() + within_s)
        try:
            arriving = StreamedMessage()
            body = to_json(_body(model_id, question))
            if question.tools:  # they are most of it, so their JSON is cached
                body = b'{"tools":%b,%b' % (_listed(question.tools), body[1:])
            async with await self._stream(body) as stream:
                async for event in _events(stream.response):
                    if text := arriving.take(event):
                        hear(text)
            message = arriving.whole()
            if message["stop_reason"] is None:  # a stream cut between two events looks complete
                return Failure("bad_reply", unbilled=False)
            if message["stop_reason"] == "refusal":
                return Refusal(usage_of(message))
            return completion_of(message, model_id, arriving.arguments)
        except _SDK_FAULTS as fault:
            failure = Failure(_why(fault), _is_unbilled(fault))
            log.warning("model.failed", model=model_id, why=failure.why, **self._facts(fault))
            return failure

    async def listing(self, within_s: float) -> Listing:
        """The models that the server lists.

        Never raises for what the network or the server do."""
        _answer_by.set(time.monotonic() + within_s)
        try:
            return listing_of(await self._client.get("/v1/models?limit=100", cast_to=object))
        except _SDK_FAULTS as fault:
            log.info("models.not_listed", why=_why(fault), **self._facts(fault))
            return replace(NOTHING_LISTED, why=_why(fault))

    async def facts(self, path: str) -> object:
        """What a server tells of itself at a path of its own, as JSON; None where it does not."""
        _answer_by.set(time.monotonic())
        try:
            asking = self._client.with_options(max_retries=0)
            return await asking.get(path, cast_to=object)
        except _SDK_FAULTS:
            return None

    async def aclose(self) -> None:
        await self._client.close()

    async def _stream(self, content: bytes) -> AsyncStream[RawMessageStreamEvent]:
        """Like the SDK's `messages.stream`, which copies the body piece by piece and parses every
        event into a pydantic model: that takes longer than all the rest of a decision."""
        return await self._client.post(
            "/v1/messages",
            content=content,
            cast_to=Message,
            stream=True,
            stream_cls=AsyncStream[RawMessageStreamEvent],
        )

    def _facts(self, fault: Exception) -> dict[str, Any]:
        """What the log may hold about a fault: never the request, never the key."""
        match fault:
            case _BrokenOff(request_id=request, detail=detail):
                status = 200
            case APIStatusError(status_code=status, request_id=request):
                detail = str(fault.api_message or "")
            case _:
                return {"fault": type(fault).__name__}
        for secret in self._hidden:
            detail = detail.replace(secret, "[key]")
        return {"status": status, "request": request, "detail": detail[:LONGEST_DETAIL]}


@lru_cache(maxsize=16)  # those of a level are the same from question to question
def _listed(tools: tuple[Tool, ...]) -> bytes:
    return to_json([tool_of(tool) for tool in tools])


def _body(model_id: str, question: Question) -> dict[str, Any]:
    knows_effort = bool(_WITH_EFFORT.match(model_id))
    body = {"model": model_id, "stream": True, **request_of(question, with_schema=knows_effort)}
    if knows_effort:
        body["output_config"] = {"effort": "low", **body.get("output_config", {})}
    if _SHOWS_THINKING.match(model_id):
        body["thinking"] = {"type": "adaptive", "display": "summarized"}
    return body


async def _events(response: httpx2.Response) -> AsyncIterator[Event]:
    """The events of a message. Raises _BrokenOff when the server ends it with an error."""
    async for sent in AsyncStream.raw_events(response):
        if not sent.data:
            continue
        event = sent.json()
        if event["type"] == "error":
            raise _BrokenOff(event["error"], response.headers.get("request-id"))
        yield event


def _why(fault: Exception) -> Unavailable:
    if isinstance(fault, _WaitTooLong):
        return why_of(fault.status, None)
    if isinstance(fault, _BrokenOff):
        return why_broken_off(fault.kind, fault.detail)
    if isinstance(fault, APIStatusError):
        return why_of(fault.status_code, fault.body)
    if isinstance(fault, APIConnectionError | httpx2.HTTPError | httpx2.StreamError | OSError):
        return "network"
    return "bad_reply"


def _is_unbilled(fault: Exception) -> bool:
    if isinstance(fault, APIStatusError):
        return fault.status_code >= 400
    return isinstance(fault, _WaitTooLong) or isinstance(fault.__cause__, _NEVER_CONNECTED)


async def _refuse_long_waits(request: Any, call_next: Callable[[Any], Awaitable[Any]]) -> Any:
    """Fail at once when the server asks to wait past the deadline.

    Expected: a retry that cannot end in time is not waited for. Actual: the SDK sleeps
    through any retry-after, up to weeks. Remove when the SDK knows a total deadline."""
    try:
        response = await call_next(request)
    except APIConnectionError as fault:
        if isinstance(fault.__cause__, _NEVER_CONNECTED):
            raise
        # Asked again, it could be billed twice: a budget counts on once. The SDK would ask
        # again if it found its own error as the cause.
        raise _Lost(type(fault.__cause__).__name__) from None
    status: int = response.status_code
    if status in _RETRIED or status >= 500:
        wait_s = _asked_wait_s(response.headers)
        if time.monotonic() + wait_s > _answer_by.get():
            await response.close()
            raise _WaitTooLong(status, wait_s)
    return response


def _asked_wait_s(headers: Mapping[str, str]) -> float:
    """Seconds of `retry-after` or `retry-after-ms`; 0 when there is none we can read."""
    in_ms, plain = headers.get("retry-after-ms"), headers.get("retry-after", "")
    try:
        return float(in_ms) / 1000 if in_ms else float(plain)
    except ValueError:
        pass
    try:
        return parsedate_to_datetime(plain).timestamp() - time.time()
    except (TypeError, ValueError):
        return 0.0
