"""Recognises what wants no answer: refusals, help, notices, apologies, small talk.

Whoever says such a sentence keeps it in a table, where `{name}` stands for words that vary. A line
of nothing but such sentences is known again, whoever says it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

FEWEST = 12
"""Letters beside the slots: what is shorter, people say as well."""
_SLOT = re.compile(r"\{[^{}]*\}")
_ENDS = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])(?![」。！？])\s*")
_VARIES = ".{1,60}?"


class Closings:
    """Knows lines that want no answer."""

    def __init__(self, texts: Iterable[str]) -> None:
        parts = {part for text in texts for part in (text, *_sentences(text)) if part}
        # The letters beside the slots; a Japanese one says as much as three.
        distinct = {
            part
            for part in parts
            if sum(3 if one > "\u2fff" else one.isalpha() for one in _SLOT.sub("", part)) >= FEWEST
        }
        short = {part for part in parts - distinct if not _SLOT.search(part)}
        self._distinct = re.compile("|".join(map(_pattern, sorted(distinct))), re.DOTALL)
        self._short = frozenset(short)

    def are_all(self, line: str) -> bool:
        """Whether a line holds nothing but sentences that want no answer.

        Long lines are cut between sentences: each part of one is recognised as well."""
        if self._is_distinct(line):
            return True
        said = list(_sentences(line))
        return any(map(self._is_distinct, said)) and all(
            self._is_distinct(one) or one in self._short for one in said
        )

    def _is_distinct(self, words: str) -> bool:
        return self._distinct.fullmatch(words.strip()) is not None


def _sentences(text: str) -> Iterator[str]:
    return (part.strip() for part in _ENDS.split(text) if part and part.strip())


def _pattern(text: str) -> str:
    return _VARIES.join(map(re.escape, _SLOT.split(text)))
