"""Questions and answers in the Messages API's form, and how a streamed answer is put together.

All is plain JSON; the SDK is not used here."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from llm.model import (
    Completion,
    Image,
    Question,
    Tool,
    ToolCall,
    ToolRound,
    Turn,
    Unavailable,
    Usage,
)

Message: TypeAlias = dict[str, Any]

Event: TypeAlias = Mapping[str, Any]

_GROWING = {"text_delta": "text", "thinking_delta": "thinking"}
"""Kind of a delta -> the key of its block that it extends."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The model declined to answer."""

    usage: Usage


@dataclass(frozen=True, slots=True)
class Failure:
    why: Unavailable
    unbilled: bool
    """True when it certainly cost nothing: the request was refused before any work."""


Outcome: TypeAlias = Completion | Refusal | Failure


_CACHED = {"type": "ephemeral"}
_STOPS: Mapping[str, Literal["length", "tools"]] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tools",
}


def request_of(question: Question, *, with_schema: bool) -> dict[str, Any]:
    """The body of a request, without its tools and what depends on the model.

    Three beginnings are marked for the prompt cache: tools and shared instructions, which are the
    same for all characters (the API puts tools first), these with the character, and all that with
    the steady turns."""
    body: dict[str, Any] = {
        "max_tokens": question.max_tokens,
        "system": [
            {"type": "text", "text": text, "cache_control": _CACHED}
            for text in (question.system, question.character)
            if text
        ],
        "messages": [*merged(question.turns, question.steady), *_loop(question.rounds)],
    }
    if question.temperature is not None:
        body["temperature"] = question.temperature
    if question.schema is not None and with_schema:
        wanted = {"type": "json_schema", "schema": dict(question.schema)}
        body["output_config"] = {"format": wanted}
    return body


def shown_request(question: Question) -> dict[str, Any]:
    """A whole request for people to read, without what depends on the model."""
    tools = [tool_of(tool) for tool in question.tools]
    return {**({"tools": tools} if tools else {}), **request_of(question, with_schema=True)}


def tool_of(tool: Tool) -> dict[str, Any]:
    """A tool as a request lists it."""
    return {
        "name": tool.name,
        "description": tool.description,
        "input_schema": dict(tool.schema),
    }


def merged(turns: Sequence[Turn], steady: int = 0) -> list[Message]:
    """Turns as the API takes them: alternating, a user's first and last, none empty.

    Each of the steady turns is a block of its own, as it will be in the next question, and the last
    of them is marked."""
    said = [
        (turn, number < steady)
        for number, turn in enumerate(turns)
        if turn.text.strip() or turn.images
    ]
    runs: list[tuple[str, list[str], list[str], list[Image]]] = [("user", [], [], [])]
    for turn, is_steady in said:
        if runs[-1][0] != turn.role:
            runs.append((turn.role, [], [], []))
        _, steady_ones, others, images = runs[-1]
        if turn.text.strip():
            (steady_ones if is_steady else others).append(turn.text)
        images += turn.images
    if runs[-1][0] != "user":
        runs.append(("user", [], [], []))
    last = max((n for n, run in enumerate(runs) if run[1]), default=None)
    return [_message(*run, marked=n == last) for n, run in enumerate(runs)]


def completion_of(
    message: Mapping[str, Any], model_id: str, arguments: Mapping[int, str]
) -> Completion:
    """A whole answer. `arguments` holds, by the number of its block, the JSON of each tool
    call as it arrived. Raises an error of Python's own where the message has another form."""
    blocks: list[Mapping[str, Any]] = message["content"]
    return Completion(
        text=_joined(blocks, "text"),
        model=_word(message.get("model") or model_id),
        usage=usage_of(message),
        stop=_STOPS.get(message["stop_reason"], "end"),
        calls=tuple(
            ToolCall(_word(block["id"]), _word(block["name"]), object_of(arguments.get(number, "")))
            for number, block in enumerate(blocks)
            if block["type"] == "tool_use"
        ),
        thinking=_joined(blocks, "thinking"),
        raw=blocks,
    )


def usage_of(message: Mapping[str, Any]) -> Usage:
    """What was billed. Raises ValueError for a count that is none: it would give money back."""
    used = message["usage"]
    return Usage(
        fresh=_count(used.get("input_tokens")),
        output=_count(used.get("output_tokens")),
        cache_read=_count(used.get("cache_read_input_tokens")),
        cache_write=_count(used.get("cache_creation_input_tokens")),
    )


def _count(tokens: Any) -> int:
    if tokens is None:
        return 0
    if not isinstance(tokens, int) or tokens < 0:
        raise ValueError(f"{tokens!r} is no number of tokens")
    return tokens


def object_of(text: str) -> Mapping[str, Any] | None:
    """The arguments of a call; an empty text means none. None when they are no JSON object."""
    try:
        found = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _message(
    role: str, steady: list[str], now: list[str], images: list[Image], *, marked: bool
) -> Message:
    if not steady:
        text = "\n".join(now) or "(nothing was said)"
        return {"role": role, "content": _content(text, images)}
    texts = [*steady, *(["\n".join(now)] if now else [])]
    ended = [*(f"{text}\n" for text in texts[:-1]), texts[-1]]
    blocks: list[dict[str, Any]] = [{"type": "text", "text": text} for text in ended]
    if marked:
        blocks[len(steady) - 1]["cache_control"] = _CACHED
    return {"role": role, "content": [*blocks, *map(_image, images)]}


def _content(text: str, images: Sequence[Image]) -> str | list[dict[str, Any]]:
    """A plain text where there is nothing else."""
    return [{"type": "text", "text": text}, *map(_image, images)] if images else text


def _image(image: Image) -> dict[str, Any]:
    source = {"type": "base64", "media_type": image.media_type, "data": image.base64}
    return {"type": "image", "source": source}


def _loop(rounds: Sequence[ToolRound]) -> list[Message]:
    """The tool loop so far; the API demands thinking blocks back unchanged."""
    messages: list[Message] = []
    for one in rounds:
        messages.append({"role": "assistant", "content": list(one.asked.raw)})
        results = [
            {
                "type": "tool_result",
                "tool_use_id": result.call_id,
                "content": _content(result.text, result.images),
                "is_error": result.failed,
            }
            for result in one.results
        ]
        messages.append({"role": "user", "content": results})
    return messages


def _word(name: Any) -> str:
    """A name that goes back to the API or into records: whatever it is, it is a text."""
    if not isinstance(name, str):
        raise TypeError(f"{name!r} is no name")
    return name


def _joined(blocks: Sequence[Mapping[str, Any]], kind: str) -> str:
    return "".join(block.get(kind) or "" for block in blocks if block["type"] == kind)


class StreamedMessage:
    """A message put together event by event.

    Malformed events and events out of order raise LookupError, TypeError or AttributeError.
    Unknown kinds of events, blocks and deltas are ignored."""

    def __init__(self) -> None:
        self.arguments: dict[int, str] = {}
        """The JSON of each tool call as it arrived, by the index of its block."""
        self._message: dict[str, Any] = {}
        self._blocks: list[dict[str, Any]] = []

    def take(self, event: Event) -> str:
        """Add the next event, and return the text that it adds to the answer."""
        match event["type"]:
            case "message_start":
                self._message = {**event["message"]}
            case "content_block_start":
                self._blocks.append({**event["content_block"]})
            case "content_block_delta":
                return self._grow(event["index"], event["delta"])
            case "message_delta":  # the counts are totals: they replace those at the start
                used = {key: count for key, count in event["usage"].items() if count is not None}
                self._message["usage"] = {**self._message["usage"], **used}
                self._message["stop_reason"] = event["delta"]["stop_reason"]
        return ""

    def whole(self) -> dict[str, Any]:
        """The message, its blocks as the API wants them back; cut, its `stop_reason` is None.

        Raises LookupError when it never began."""
        return {
            **self._message,
            "usage": self._message["usage"],
            "stop_reason": self._message.get("stop_reason"),
            "content": [self._filled(*numbered) for numbered in enumerate(self._blocks)],
        }

    def _filled(self, number: int, block: dict[str, Any]) -> dict[str, Any]:
        """A tool call must go back to the API with an object, whatever arrived."""
        if number not in self.arguments:
            return block
        return {**block, "input": object_of(self.arguments[number]) or {}}

    def _grow(self, number: int, delta: Mapping[str, Any]) -> str:
        """Append a delta to its block, and return the text in it."""
        block, kind = self._blocks[number], delta["type"]
        key = _GROWING.get(kind, "")
        if key and key == block["type"]:
            block[key] += delta[key]
            return str(delta[key]) if key == "text" else ""
        if kind == "input_json_delta":
            self.arguments[number] = self.arguments.get(number, "") + delta["partial_json"]
        elif kind == "signature_delta":
            block["signature"] = delta["signature"]
        elif kind == "citations_delta":
            block["citations"] = [*(block.get("citations") or ()), delta["citation"]]
        return ""
