"""Results of commands as a person reads them in a terminal."""

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
