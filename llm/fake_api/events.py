"""The events of a streamed answer, as the Messages API sends them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from llm.fake_api.steps import Call, Reply

Event: TypeAlias = dict[str, Any]

PIECE = 4  # characters a delta brings
OVERLOADED = {
    "type": "error",
    "error": {"type": "overloaded_error", "message": "Overloaded"},
}


def events_of(reply: Reply, model: str, number: int) -> Iterator[Event]:
    """Start, ping, the blocks, the end: eight or more for an answer with text."""
    yield {"type": "message_start", "message": _head(reply, model, number)}
    yield {"type": "ping"}
    for index, (block, deltas) in enumerate(_blocks(reply, number)):
        yield {"type": "content_block_start", "index": index, "content_block": block}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    ended = {"stop_reason": reply.stop_reason, "stop_sequence": None}
    used = {"output_tokens": reply.usage.output}
    yield {"type": "message_delta", "delta": ended, "usage": used}
    yield {"type": "message_stop"}


def sse(event: Event) -> bytes:
    """One event on the wire."""
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()


def _head(reply: Reply, model: str, number: int) -> dict[str, Any]:
    return {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {
            "input_tokens": reply.usage.fresh,
            "cache_read_input_tokens": reply.usage.cache_read,
            "cache_creation_input_tokens": reply.usage.cache_write,
            "output_tokens": 1,
        },
    }


def _blocks(
    reply: Reply, number: int
) -> Iterator[tuple[dict[str, Any], Iterator[Mapping[str, Any]]]]:
    """Each block as it starts, and the deltas that fill it."""
    if reply.thinking:
        empty = {"type": "thinking", "thinking": "", "signature": ""}
        yield empty, _thinking(reply.thinking)
    if reply.text or not reply.calls:
        yield {"type": "text", "text": ""}, _pieces("text_delta", "text", reply.text)
    for at, call in enumerate(reply.calls):
        block = {"type": "tool_use", "id": f"toolu_{number}_{at}", "name": call.name, "input": {}}
        yield block, _pieces("input_json_delta", "partial_json", _arguments(call))


def _thinking(text: str) -> Iterator[Mapping[str, Any]]:
    yield from _pieces("thinking_delta", "thinking", text)
    yield {"type": "signature_delta", "signature": "c2ln"}


def _pieces(kind: str, key: str, text: str) -> Iterator[Mapping[str, Any]]:
    for at in range(0, len(text), PIECE):
        yield {"type": kind, key: text[at : at + PIECE]}


def _arguments(call: Call) -> str:
    return json.dumps(dict(call.arguments)) if call.json is None else call.json
