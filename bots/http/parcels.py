"""How a request goes to another daemon: begun, waited for, and its answer fetched in parts.

The asker asks again each second for as long as the work takes, so it hears soon of a daemon that
died, and that daemon hears soon of an asker that left.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self, TypeAlias

from bridge.foreign_json import read_object

PART_BYTES = 256 * 1024
WAITS_S = 1.0  # before the answer says that the work goes on
Headers: TypeAlias = tuple[tuple[str, str], ...]
Do: TypeAlias = Literal["begin", "wait", "leave"]
State: TypeAlias = Literal["working", "done", "unknown"]


@dataclass(frozen=True, slots=True)
class Parcel:
    """One message: facts, and bytes behind them."""

    facts: Mapping[str, Any]
    body: bytes = b""

    def as_bytes(self) -> bytes:
        return json.dumps(dict(self.facts)).encode() + b"\n" + self.body

    @classmethod
    def of(cls, raw: bytes) -> Self:
        """Raises NotJson."""
        head, _, body = raw.partition(b"\n")
        return cls(read_object(head), body)


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, as far as it matters to another daemon."""

    method: str
    path: str
    query: str = ""
    headers: Headers = ()
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Answered:
    """The whole answer to one."""

    status: int
    headers: Headers
    body: bytes


def headers_of(raw: object) -> Headers:
    """Headers as they came in a message. Raises ValueError."""
    pairs = raw if isinstance(raw, list) else []
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        raise ValueError("headers: no pairs")
    found = tuple((str(name), str(value)) for name, value in pairs)
    if not all(text.isascii() and text.isprintable() for pair in found for text in pair):
        raise ValueError("headers: no plain text")
    return found
