"""The language of a line, and the normal form that patterns match."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Literal

Language = Literal["en", "ja"]

_JAPANESE = re.compile(r"[\u3040-\u30ff\u31f0-\u31ff\u4e00-\u9fff\uff66-\uff9d]")
_CLAUSE_ENDS = re.compile(r"[.!?,;:。、…~〜]+\s*|\s+(?:and|but|then)\s+|\n")
_QUESTION = re.compile(r"[^.!?。！？\n]*[?？]")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "｀": "'"})


def language_of(lines: Sequence[str]) -> Language:
    """The language of the newest line that contains letters."""
    for line in reversed(lines):
        if _JAPANESE.search(line):
            return "ja"
        if any(character.isalpha() for character in line):
            return "en"
    return "en"


WIDE_AS = 3


def normal(text: str) -> str:
    """NFKC, case-blind, plain quotes, single spaces."""
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_QUOTES)
    return " ".join(folded.split())


def reading_length(text: str) -> int:
    """The number of Latin letters that take as long to read; a wide character counts as three."""
    return sum(WIDE_AS if unicodedata.east_asian_width(one) in "WF" else 1 for one in text)


def questions(line: str) -> list[str]:
    """The sentences of a line that end with a question mark."""
    return [found[0] for found in _QUESTION.finditer(line)]


def clauses(line: str) -> list[str]:
    """The parts of a line that can each ask for something of their own, normalised."""
    return [part for part in _CLAUSE_ENDS.split(normal(line)) if part.strip()]
