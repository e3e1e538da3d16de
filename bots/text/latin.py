"""Whether a line in Latin letters is in another language than English."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
LEAST_LETTERS = 5
"""Less may be anything: "lol", "si", "gg"."""
ENGLISH_UP_TO = 0.1
"""The library's probability of English, at most: short lines of it score low."""
ENGLISH_WORDS_UP_TO = 0.4
"""So large a part of the words may be English ones, as "me" in Spanish."""


def is_foreign(line: str, english: Collection[str]) -> bool:
    """Whether nobody would take the line for English, however badly it is typed.

    `english` are words that are surely English. It is only asked of lines that nothing else
    understands; badly typed English is nearly always called English."""
    words = _WORD.findall(line.casefold())
    if sum(map(len, words)) < LEAST_LETTERS:
        return False
    known = sum(word in english for word in words)
    if known > ENGLISH_WORDS_UP_TO * len(words):
        return False
    chances: dict[str, float] = dict(_identifier().rank(line.casefold()))
    return chances["en"] <= ENGLISH_UP_TO


@cache
def _identifier() -> LanguageIdentifier:
    from py3langid import langid  # when it is used: it reads 4 MB of tables

    found: LanguageIdentifier = langid.LanguageIdentifier.from_model_file(
        langid.MODEL_FILE, norm_probs=True
    )
    return found
