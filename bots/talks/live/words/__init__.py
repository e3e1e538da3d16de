"""What bots without a model say in talks with people, from one file a language.

line ─▶ the first row whose words stand in it ─▶ its sentences
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal, TypeAlias

from bots.text.language import Language

Then: TypeAlias = Literal["", "ask", "offer"]
ANYTHING = "…"
_GAP = {"en": r"\b.*?\b", "ja": ".*?"}


@dataclass(frozen=True, slots=True)
class Row:
    """A kind of line, and what is said to it."""

    name: str
    asks: re.Pattern[str]
    """Its words; nothing fits a row that only has sentences."""
    says: Mapping[str, Sequence[str]]
    """Sentences by when they are said: `says`, `nothing`, …"""
    then: Then = ""
    voices: int = 1


@dataclass(frozen=True, slots=True)
class Work:
    """Something that may be built together."""

    name: str
    size: int
    of: str
    """The item that it takes, `planks` or `log` being any of these."""
    count: int
    """How many of it, at the usual size."""
    likes: Sequence[str]
    """The temperaments that would begin with it."""
    called: str
    named: re.Pattern[str]
    sized: str
    good: str


@dataclass(frozen=True, slots=True)
class TalkWords:
    """All of one language."""

    language: Language
    rows: Mapping[str, Row]
    works: Mapping[str, Work]
    stuff: Mapping[str, str]
    """Names of items that are groups, and wordings of counts."""

    def row_of(self, line: str) -> Row | None:
        """The kind of a normalised line."""
        return next((row for row in self.rows.values() if row.asks.search(line)), None)

    def won_in(self, line: str) -> Work | None:
        """The work that has the most votes, where a normalised line counts them."""
        begins = self.rows["voting"].says["tally"][0].partition("{")[0].strip().casefold()
        _, counts, told = line.rpartition(begins)
        return next(iter(self.works_in(told)), None) if counts else None

    def works_in(self, line: str) -> list[Work]:
        """The works that a normalised line names, in its order."""
        found = [
            (match.start(), work)
            for work in self.works.values()
            if (match := work.named.search(line))
        ]
        return [work for _, work in sorted(found, key=lambda one: one[0])]


@cache
def words_in(language: Language) -> TalkWords:
    told, facts = dict(_file(language)), _file("works")
    called, stuff = told.pop("works"), told.pop("stuff")
    works = {
        name: Work(name, **facts[name], **{**row, "named": _pattern(row["named"], language)})
        for name, row in called.items()
    }
    rows = {name: _row(name, row, language) for name, row in told.items()}
    return TalkWords(language, rows, works, stuff)


def _row(name: str, row: Mapping[str, Any], language: Language) -> Row:
    sentences = {
        key: [value] if isinstance(value, str) else value
        for key, value in row.items()
        if key not in ("asks", "then", "voices")
    }
    asks = _pattern(row.get("asks", ()), language)
    return Row(name, asks, sentences, row.get("then", ""), row.get("voices", 1))


def _pattern(asks: Sequence[str], language: Language) -> re.Pattern[str]:
    """Any of these words as a pattern; nothing fits none."""
    return re.compile("|".join(_one(one, language) for one in asks) or "(?!)")


def _one(asked: str, language: Language) -> str:
    start = r"^\W*" if asked.startswith("^") else ""
    parts = [re.escape(part.strip()) for part in asked.removeprefix("^").split(ANYTHING)]
    words = _GAP[language].join(parts)
    return f"{start}{words}" if language == "ja" else rf"{start}(?<!\w){words}(?!\w)"


@cache
def _file(name: str) -> Mapping[str, Any]:
    return tomllib.loads((files(__package__) / f"{name}.toml").read_text("utf-8"))
