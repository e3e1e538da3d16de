"""Puts a streamed answer together from its raw events: plain JSON, no SDK here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from llm.claude.wire import object_of

Event: TypeAlias = Mapping[str, Any]

_GROWING = {"text_delta": "text", "thinking_delta": "thinking"}
"""Kind of a delta -> the key of its block that it extends."""


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
            case "message_delta":
                self._end(event)
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

    def _end(self, event: Event) -> None:
        """The counts are totals: they replace those at the message's start."""
        used = {key: count for key, count in event["usage"].items() if count is not None}
        self._message["usage"] = {**self._message["usage"], **used}
        self._message["stop_reason"] = event["delta"]["stop_reason"]
