"""A streamed answer, put together from its raw events: plain JSON, no SDK in here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from llm.claude.wire import object_of

Event: TypeAlias = Mapping[str, Any]

_GROWING = {"text_delta": "text", "thinking_delta": "thinking"}
"""By the kind of a delta, what it makes longer; blocks of other kinds do not take it."""


class Arriving:
    """A message of which some events are here.

    What is no event of a message, or comes out of order, raises LookupError, TypeError or
    AttributeError; kinds of events, blocks and deltas that are not known change nothing."""

    def __init__(self) -> None:
        self.arguments: dict[int, str] = {}
        """The JSON of each tool call as it arrived, by the number of its block."""
        self._message: dict[str, Any] = {}
        self._blocks: list[dict[str, Any]] = []

    def take(self, event: Event) -> str:
        """Add the next event; the piece of the answer's text that it brought."""
        match event["type"]:
            case "message_start":
                self._message = {**event["message"]}
            case "content_block_start":
                self._blocks.append({**event["content_block"]})
            case "content_block_delta":
                return self._grow(event["index"], event["delta"])
            case "message_delta":
                self._end(event)
        return ""

    def whole(self) -> dict[str, Any]:
        """The message with its blocks as the API wants them back; cut, it has no `stop_reason`.

        Raises LookupError when it never began."""
        return {
            **self._message,
            "usage": self._message["usage"],
            "stop_reason": self._message.get("stop_reason"),
            "content": [self._filled(*numbered) for numbered in enumerate(self._blocks)],
        }

    def _filled(self, number: int, block: dict[str, Any]) -> dict[str, Any]:
        """A call has to go back with an object, whatever arrived."""
        if number not in self.arguments:
            return block
        return {**block, "input": object_of(self.arguments[number]) or {}}

    def _grow(self, number: int, delta: Mapping[str, Any]) -> str:
        """Append a delta to its block; the text in it."""
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

    def _end(self, event: Event) -> None:
        """Counts are totals, which take the place of those the message began with."""
        used = {key: count for key, count in event["usage"].items() if count is not None}
        self._message["usage"] = {**self._message["usage"], **used}
        self._message["stop_reason"] = event["delta"]["stop_reason"]
