"""What the fake API does with one request, and the messages and events it answers with.

Fields and order are those of claude-sonnet-5-5, with null where a question asked for nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from llm.model import Usage

USED = Usage(fresh=20, output=9, cache_read=5)

Stop: TypeAlias = Literal[
    "",
    "end_turn",
    "max_tokens",
    "tool_use",
    "pause_turn",
    "refusal",
    "model_context_window_exceeded",
]
"""'' = as the content asks: tool_use with calls, else end_turn. No question of ours names a stop
sequence."""

ERROR_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    409: "conflict_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    504: "timeout_error",
    529: "overloaded_error",
}
"""What the API calls the error of a status; source: platform.claude.com/docs/en/api/errors. Any
other 4xx is an invalid request."""

Event: TypeAlias = dict[str, Any]

PIECE = 4  # characters a delta brings
SIGNATURE = "c2ln"


@dataclass(frozen=True, slots=True)
class Call:
    """A tool the model asks for."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    json: str | None = None
    """Sent in place of the arguments: broken JSON, for example."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer. Its faults strike after so many events of a stream were sent; without a stream
    there is none but a slow one."""

    text: str = "Hello there."
    thinking: str = ""
    """What is thought first; shown to whoever asks for a summary."""
    calls: tuple[Call, ...] = ()
    stop: Stop = ""
    usage: Usage = USED
    slow_s: float = 0.0
    """Silence before the first byte."""
    drip_s: float = 0.0
    """Silence after every event."""
    cut_after: int | None = None
    """The connection breaks."""
    end_after: int | None = None
    """The stream ends as if it were complete."""
    error_after: int | None = None
    """An error event follows."""
    garbage_after: int | None = None
    """An event with broken JSON follows."""

    @property
    def stop_reason(self) -> str:
        return self.stop or ("tool_use" if self.calls else "end_turn")


@dataclass(frozen=True, slots=True)
class Failure:
    """An error status as the API words it."""

    status: int
    kind: str = ""
    """'' = the type of error that the API has for the status."""
    message: str = "scripted"
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def type(self) -> str:
        usual = "invalid_request_error" if self.status < 500 else "api_error"
        return self.kind or ERROR_TYPES.get(self.status, usual)


@dataclass(frozen=True, slots=True)
class Body:
    """Status 200 with a body that is no stream."""

    text: str
    content_type: str = "application/json"


@dataclass(frozen=True, slots=True)
class Drop:
    """The connection closes before any answer."""


Step: TypeAlias = Reply | Failure | Body | Drop
OVERLOADED = Failure(529, message="Overloaded")


def message_of(
    reply: Reply, model: str, number: int, *, shows_thinking: bool = True
) -> dict[str, Any]:
    """A whole answer, for whoever asked for no stream."""
    return {
        "model": model,
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "content": [whole for whole, _, _ in _blocks(reply, number, shows_thinking)],
        "container": None,
        **_ending(reply),
        "usage": {**_used(reply.usage), **_written(reply)},
        "diagnostics": None,
    }


def events_of(
    reply: Reply, model: str, number: int, *, shows_thinking: bool = True
) -> Iterator[Event]:
    """Start, the blocks with a ping in the first, the end: eight or more for a text."""
    yield {"type": "message_start", "message": _begun(reply, model, number)}
    for index, (_, empty, deltas) in enumerate(_blocks(reply, number, shows_thinking)):
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        if index == 0:
            yield {"type": "ping"}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    ended = {**_ending(reply), "container": None}
    used = {**_read(reply.usage), **_written(reply)}
    yield {"type": "message_delta", "delta": ended, "usage": used}
    yield {"type": "message_stop"}


def error_of(failure: Failure, request_id: str) -> Event:
    """The body of an error status, and the event that ends a stream."""
    error = {"type": failure.type, "message": failure.message}
    return {"type": "error", "error": error, "request_id": request_id}


def sse(event: Event) -> bytes:
    """One event on the wire."""
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()


def _begun(reply: Reply, model: str, number: int) -> dict[str, Any]:
    nothing_yet = {"stop_reason": None, "stop_sequence": None, "stop_details": None}
    used = {**_used(reply.usage), "output_tokens": 1}
    return {**message_of(reply, model, number), **nothing_yet, "content": [], "usage": used}


def _ending(reply: Reply) -> dict[str, Any]:
    refused = {"type": "refusal", "category": None, "explanation": None}
    return {
        "stop_reason": reply.stop_reason,
        "stop_sequence": None,
        "stop_details": refused if reply.stop_reason == "refusal" else None,
    }


def _read(usage: Usage) -> dict[str, int]:
    return {
        "input_tokens": usage.fresh,
        "cache_creation_input_tokens": usage.cache_write,
        "cache_read_input_tokens": usage.cache_read,
    }


def _used(usage: Usage) -> dict[str, Any]:
    kept = {
        "ephemeral_5m_input_tokens": usage.cache_write,
        "ephemeral_1h_input_tokens": 0,
    }
    where = {"service_tier": "standard", "inference_geo": "global"}
    return {**_read(usage), "cache_creation": kept, **where}


def _written(reply: Reply) -> dict[str, Any]:
    thought = min(len(reply.thinking), reply.usage.output)
    return {
        "output_tokens": reply.usage.output,
        "output_tokens_details": {"thinking_tokens": thought},
    }


def _blocks(
    reply: Reply, number: int, shows_thinking: bool
) -> Iterator[tuple[dict[str, Any], dict[str, Any], Iterator[Mapping[str, Any]]]]:
    """Each block as it ends, as it starts, and the deltas between."""
    if reply.thinking:
        shown = reply.thinking if shows_thinking else ""
        thought = {"type": "thinking", "thinking": shown, "signature": SIGNATURE}
        yield thought, {**thought, "thinking": "", "signature": ""}, _thinking(shown)
    if reply.text:
        said = {"type": "text", "text": reply.text}
        yield said, {**said, "text": ""}, _pieces("text_delta", "text", reply.text)
    for at, call in enumerate(reply.calls):
        asked = {
            "type": "tool_use",
            "id": f"toolu_{number}_{at}",
            "name": call.name,
            "input": dict(call.arguments),
            "caller": {"type": "direct"},
        }
        yield asked, {**asked, "input": {}}, _arguments(call)


def _thinking(text: str) -> Iterator[Mapping[str, Any]]:
    yield from _pieces("thinking_delta", "thinking", text)
    yield {"type": "signature_delta", "signature": SIGNATURE}


def _arguments(call: Call) -> Iterator[Mapping[str, Any]]:
    yield {"type": "input_json_delta", "partial_json": ""}
    text = json.dumps(dict(call.arguments)) if call.json is None else call.json
    yield from _pieces("input_json_delta", "partial_json", text)


def _pieces(kind: str, key: str, text: str) -> Iterator[Mapping[str, Any]]:
    for at in range(0, len(text), PIECE):
        yield {"type": kind, key: text[at : at + PIECE]}
