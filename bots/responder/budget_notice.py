"""Tells each speaker once per period that the budget is spent."""

from __future__ import annotations

from datetime import timedelta

from bots.clock import Stopwatch
from bots.text.language import Language

_SPEAKERS = 1_000  # remembered; the one told longest ago is forgotten


class BudgetNotice:
    """Remembers which speakers were told."""

    def __init__(self, stopwatch: Stopwatch, period: timedelta) -> None:
        self._stopwatch, self._period = stopwatch, period
        self._told: dict[str, float] = {}

    def due(self, speaker: str, language: Language) -> str:
        """The sentence, if this speaker has not had it in this period; else ''."""
        now, last = self._stopwatch(), self._told.pop(speaker, None)
        is_due = last is None or now - last >= self._period.total_seconds()
        self._told[speaker] = now if is_due or last is None else last
        if len(self._told) > _SPEAKERS:
            del self._told[next(iter(self._told))]
        return sentence(language) if is_due else ""


def sentence(language: Language) -> str:
    if language == "ja":
        return "考えるための予算を使い切ったので、しばらくは簡単な規則で答えます。"
    return "My budget for thinking is used up, so for a while I answer by simple rules."
