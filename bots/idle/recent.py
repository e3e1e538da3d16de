"""Which sentences were said a short while ago, by any bot: none is said again so soon."""

from __future__ import annotations

import re

from bots.clock import Stopwatch
from bots.text.language import normal

AGAIN_AFTER_S = 600.0
_ENDS = re.compile(r"(?<=[.!?。！？])\s*")


class RecentSentences:
    """The sentences of the last ten minutes."""

    def __init__(self, stopwatch: Stopwatch) -> None:
        self._stopwatch = stopwatch
        self._said_at: dict[str, float] = {}

    def are_fresh(self, text: str) -> bool:
        """Whether none of the sentences was said within the last ten minutes."""
        now = self._stopwatch()
        said = (self._said_at.get(sentence) for sentence in _sentences(text))
        return all(at is None or now - at >= AGAIN_AFTER_S for at in said)

    def said(self, text: str) -> None:
        """These sentences are said now."""
        now = self._stopwatch()
        old = [sentence for sentence, at in self._said_at.items() if now - at >= AGAIN_AFTER_S]
        for sentence in old:
            del self._said_at[sentence]
        self._said_at.update(dict.fromkeys(_sentences(text), now))


def _sentences(text: str) -> list[str]:
    return [normal(part) for part in _ENDS.split(text) if part.strip()]
