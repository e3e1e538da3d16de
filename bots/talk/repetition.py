"""Whether bots say the same again and again: overlap of a line's n-grams with what was said."""

from __future__ import annotations

import unicodedata
from collections import deque

GRAM = 4  # letters; the same measure for languages with and without spaces
REMEMBERED_LINES = 12


class Repetition:
    """Counts lines of bots in a row that bring next to nothing new."""

    def __init__(self, overlap: float) -> None:
        self._least = overlap
        self._said: deque[frozenset[str]] = deque(maxlen=REMEMBERED_LINES)
        self.lines_in_a_row = 0

    def said(self, words: str) -> float:
        """Take in a bot's line; answers how much of it was there before, 0–1."""
        new = grams(words)
        overlap = len(new & frozenset().union(*self._said)) / len(new) if new else 0.0
        self._said.append(new)
        self.lines_in_a_row = self.lines_in_a_row + 1 if overlap >= self._least else 0
        return overlap

    def person_spoke(self) -> None:
        """What bots say from now on is an answer to something new."""
        self.lines_in_a_row = 0
        self._said.clear()


def grams(words: str) -> frozenset[str]:
    """The stretches of four letters; of a shorter text the text itself."""
    folded = unicodedata.normalize("NFKC", words).casefold()
    letters = "".join(character for character in folded if character.isalnum())
    last = max(len(letters) - GRAM, 0)
    return frozenset(letters[at : at + GRAM] for at in range(last + 1) if letters)
