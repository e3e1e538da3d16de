"""Results of commands and requests to models, as a person reads them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from bots.text.printable import printable
from bots.text.program import as_typed


def told(result: Mapping[str, Any]) -> list[str]:
    """The lines of a result: those the daemon made of it, else its sentence."""
    return [printable(line) for line in _lines(result)]


def _lines(result: Mapping[str, Any]) -> Iterator[str]:
    plain, message = result.get("plain"), result.get("message")
    if isinstance(plain, list) and plain:
        yield from map(str, plain)
    elif message:
        yield str(message)
    elif result.get("started"):
        yield as_typed("It has begun; townsfolk log -f tells its end.")
    else:
        yield json.dumps(result, ensure_ascii=False)


def answer_of(result: Mapping[str, Any], bot: str) -> list[str]:
    """What a bot said to words, as lines."""
    if result.get("success") is not True:
        return told(result)
    if answer := result.get("answer"):
        return [printable(f"{bot}: {answer}")]
    said_nothing = "says nothing to that" if result.get("source") else "has not answered"
    return [f"({bot} heard you, but {said_nothing}.)"]


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
