"""How long people were away who have just come back, until a bot has said so."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from bots.clock import Clock
from bots.knowledge.cards.fact import Meeting

WORTH_A_WORD = timedelta(days=2)
MOST = 100  # absences that are known to be told


class Absences:
    """Those of the people that one bot knows."""

    def __init__(self, meeting: Callable[[str], Meeting | None], clock: Clock) -> None:
        self._meeting, self._clock = meeting, clock
        self._told: dict[str, datetime | None] = {}

    def untold_days(self, person: str) -> int:
        """How many days; 0 where that is worth no word, or was said."""
        meeting, now = self._meeting(person), self._clock()
        if meeting is None or self._told.get(person) == meeting.before(now):
            return 0
        return days_in(meeting.away(now))

    def told(self, person: str) -> None:
        """It was said."""
        meeting = self._meeting(person)
        if meeting is not None:
            before = meeting.before(self._clock())
            kept = list(self._told.items())[-MOST:]
            self._told = {**dict(kept), person: before}


def days_in(away: timedelta) -> int:
    """So many days, six and a half being a week; 0 where that is worth no word."""
    return 0 if away < WORTH_A_WORD else (away + timedelta(hours=12)).days
