"""What people say, from `heard` in the files of sentences: patterns of a clause in normal form;
and names as they write them.

    heard("me.held") ─▶ what any language has under [heard.me], as one pattern
    heard("me.held", "ja") ─▶ what Japanese has there

%name% stands for what the language has of that name under `[heard.parts]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

from bots.text.language import in_hiragana, tongue_of
from bots.text.word_match import says
from bots.words import found, languages, table

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


# --- Names in other letters than Latin: ありす, 爱丽丝 -------------------------------------------

_HAN = re.compile("[\u4e00-\u9fff]{2,}")
SHORTEST_IN_HIRAGANA = 3
"""Shorter ones are parts of common words: だん of かいだん."""


def with_names(line: str, names: Iterable[str]) -> str:
    """The line with each of these names as it is spelt; one that is nothing else stays."""
    said = line
    for name in names:
        for called in _called().get(str(name).casefold(), ()):
            if _stands(called, said):
                said = re.sub(f"{called}ー*", str(name), said)
    return said if tongue_of(said) == tongue_of(line) else line


def calls(line: str, name: str) -> bool:
    """Whether a line says a name, in whatever letters."""
    written = _called().get(name.casefold(), ())
    return says(line, name) or any(_stands(one, line) for one in written)


def is_call_of(line: str, name: str) -> bool:
    """Whether a line is a name alone, in whatever letters."""
    bare = line.strip(" ー〜~!?！？。、,.")
    return bare.casefold() == name.casefold() or bare in _called().get(name.casefold(), ())


def _stands(called: str, line: str) -> bool:
    """Whether it stands there as a name; where all is Han, no border shows."""
    return called in line if _HAN.fullmatch(called) else says(line, called)


@cache
def _called() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for language in languages():
        for name, written in table("names.person", language).items():
            for one in written.split():
                ways, hiragana = found.setdefault(name, []), in_hiragana(one)
                ways.append(one)
                if hiragana != one and len(hiragana) >= SHORTEST_IN_HIRAGANA:
                    ways.append(hiragana)
    return found
