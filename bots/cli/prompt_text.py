"""A request to a model, for people to read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any


def readable(result: Mapping[str, Any]) -> str:
    """The answer of `POST /api/bots/{bot}/prompt` as text, in the order a model reads it."""
    return "\n\n".join(_parts(result))


def _parts(result: Mapping[str, Any]) -> Iterator[str]:
    asked = result["request"]
    if tools := asked.get("tools", []):
        yield f"=== {len(tools)} tools"
        yield "\n".join(json.dumps(tool, ensure_ascii=False) for tool in tools)
    shared, *own = [block["text"] for block in asked["system"]]
    yield f"=== instructions, the same for all bots\n\n{shared}"
    for text in own:
        yield f"=== instructions of {result['bot']}\n\n{text}"
    for message in asked["messages"]:
        yield f"=== {message['role']}\n\n{message['content']}"
    yield f"=== about {result['tokens']} tokens"
