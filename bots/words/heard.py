"""What people say, from `heard` in the files of sentences: patterns of a clause in normal form.

    heard("me.held") ─▶ what any language has under [heard.me], as one pattern
    heard("me.held", "ja") ─▶ what Japanese has there

%name% stands for what the language has of that name under `[heard.parts]`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

from bots.words import found, languages

Question: TypeAlias = tuple[re.Pattern[str], Mapping[str, Any]]
"""What people say, and the rest of what stands there."""
_PART = re.compile(r"%(\w+)%")


@cache
def heard(meaning: str, language: str = "") -> re.Pattern[str]:
    """What is said of this id, in this language or in whatever one; nothing fits none."""
    ways = [
        _written_out(way, one)
        for one in ([language] if language else languages())
        for way in found(f"heard.{meaning}", one) or ()
    ]
    return re.compile("|".join(ways) or "(?!)")


@cache
def questions(meaning: str, language: str) -> Sequence[Question]:
    """The questions of a list, in their order."""
    rows: Sequence[Mapping[str, Any]] = found(f"heard.{meaning}", language) or ()
    return [
        (re.compile("|".join(_written_out(way, language) for way in row["ways"])), row)
        for row in rows
    ]


def _written_out(way: str, language: str) -> str:
    return written_out(way, found("heard.parts", language) or {})


def written_out(way: str, parts: Mapping[str, str]) -> str:
    """A pattern with its parts in place; parts may have parts."""
    while _PART.search(way):
        way = _PART.sub(lambda part: parts[part[1]], way)
    return way
