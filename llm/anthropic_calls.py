"""How a question is put to the Messages API, and what each of its faults means.

The one importer of `anthropic`, which takes seconds to load: `AnthropicModel` loads this
module in a thread. The SDK's faults end here; no exception of it goes any further.
"""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextvars import ContextVar
from email.utils import parsedate_to_datetime
from typing import Any, Literal, TypeAlias

import httpx2
import structlog
from anthropic import APIConnectionError, APIError, APIStatusError, AsyncAnthropic, omit
from anthropic.lib.streaming import AsyncMessageStreamManager
from anthropic.types import Message, MessageParam, OutputConfigParam

from llm.errors import Unavailable
from llm.model import Completion, Question, Turn

log = structlog.get_logger()

RETRIES = 2  # after the first attempt; the SDK backs off 0.5 s, then 1 s
CONNECT_TIMEOUT_S = 3.0
READ_TIMEOUT_S = 30.0  # between two bytes; the total deadline is the caller's
LONGEST_DETAIL = 200

_SDK_FAULTS = (
    APIError,
    httpx2.HTTPError,  # a stream cut midway is not wrapped by the SDK
    httpx2.InvalidURL,
    httpx2.StreamError,
    OSError,
    ValueError,  # malformed JSON in a stream, and validation errors of pydantic
    LookupError,  # a stream whose blocks are out of order
    AttributeError,  # a page of HTML, or JSON without the fields of a message
    TypeError,
    AssertionError,  # a stream without a first event
)
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
_RETRIED = (408, 409, 429)  # by the SDK, and everything from 500
_WITH_EFFORT = re.compile(r"claude-(?:[a-z]+-(?:[5-9]|\d\d)\b|opus-4-[5-8])")
"""Models that take `output_config.effort`; source: the model pages of platform.claude.com."""

_answer_by: ContextVar[float] = ContextVar("answer_by")


Outcome: TypeAlias = Completion | Unavailable | Literal["refused"]


class _WaitTooLong(ConnectionError):
    """The server asks for a longer wait than the deadline leaves."""

    def __init__(self, status: int, wait_s: float) -> None:
        super().__init__(f"status {status}, retry after {wait_s:g} s")
        self.status = status


class MessagesApi:
    """One client; safe for questions at the same time."""

    def __init__(self, api_key: str | None, base_url: str) -> None:
        self._secret = api_key
        self._client = AsyncAnthropic(
            # Servers of one's own need none; a value keeps the SDK from looking for profiles.
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
            async with self._stream(model_id, question) as stream:
                async for piece in stream.text_stream:
                    hear(piece)
                return _completion(await stream.get_final_message(), model_id)
        except _SDK_FAULTS as fault:
            why = _why(fault)
            log.warning("model.failed", model=model_id, why=why, **self._facts(fault))
            return why

    async def aclose(self) -> None:
        await self._client.close()

    def _stream(self, model_id: str, question: Question) -> AsyncMessageStreamManager[Any]:
        effort: OutputConfigParam = {"effort": "low"}
        return self._client.messages.stream(
            model=model_id,
            max_tokens=question.max_tokens,
            system=question.system,
            messages=merged(question.turns),
            output_config=effort if _WITH_EFFORT.match(model_id) else omit,
        )

    def _facts(self, fault: Exception) -> dict[str, Any]:
        """What may be logged of a fault: never the request, never the key."""
        if not isinstance(fault, APIStatusError):
            return {"fault": type(fault).__name__}
        detail = str(fault.api_message or "")[:LONGEST_DETAIL]
        if self._secret:
            detail = detail.replace(self._secret, "[key]")
        return {"status": fault.status_code, "request": fault.request_id, "detail": detail}


def merged(turns: Sequence[Turn]) -> list[MessageParam]:
    """Turns as the API takes them: alternating, a user's first and last, none empty."""
    runs: list[tuple[str, list[str]]] = [("user", [])]
    for turn in turns:
        if not turn.text.strip():
            continue
        if runs[-1][0] != turn.role:
            runs.append((turn.role, []))
        runs[-1][1].append(turn.text)
    if runs[-1][0] != "user":
        runs.append(("user", []))
    return [_message(role, texts) for role, texts in runs]


def _message(role: str, texts: list[str]) -> MessageParam:
    if role == "assistant":
        return {"role": "assistant", "content": "\n".join(texts)}
    return {"role": "user", "content": "\n".join(texts) or "(nothing was said)"}


def _completion(message: Message, model_id: str) -> Outcome:
    if message.stop_reason is None:  # a stream cut between two events looks complete otherwise
        return "bad_reply"
    if message.stop_reason == "refusal":
        return "refused"
    usage = message.usage
    cached = (usage.cache_creation_input_tokens or 0) + (usage.cache_read_input_tokens or 0)
    cut = message.stop_reason in ("max_tokens", "model_context_window_exceeded")
    return Completion(
        text="".join(block.text for block in message.content if block.type == "text"),
        model=message.model or model_id,
        tokens_in=(usage.input_tokens or 0) + cached,
        tokens_out=usage.output_tokens or 0,
        stop="length" if cut else "end",
    )


def _why(fault: Exception) -> Unavailable:
    if isinstance(fault, _WaitTooLong):
        return _WHY_BY_STATUS.get(fault.status, "server")
    if isinstance(fault, APIStatusError):
        return _why_of_status(fault)
    if isinstance(fault, APIConnectionError | httpx2.HTTPError | httpx2.StreamError | OSError):
        return "network"
    return "bad_reply"


def _why_of_status(fault: APIStatusError) -> Unavailable:
    """An error inside a stream has status 200, so its type is asked first."""
    by_type = _WHY_BY_TYPE.get(str(fault.type))
    if by_type is not None:
        return by_type
    default: Unavailable = "bad_request" if 400 <= fault.status_code < 500 else "server"
    return _WHY_BY_STATUS.get(fault.status_code, default)


async def _refuse_long_waits(request: Any, call_next: Callable[[Any], Awaitable[Any]]) -> Any:
    """Fail at once when the server asks to wait past the deadline.

    Expected: a retry that cannot end in time is not waited for. Actual: the SDK sleeps
    through any retry-after, up to weeks. Remove when the SDK knows a total deadline."""
    response = await call_next(request)
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
