"""When to analyse: after some time and some rounds.

A round is an answered message of a person, or a goal that was reached.
"""

from __future__ import annotations

from dataclasses import dataclass

from bots.access.origin import Level
from bots.access.visibility import LevelOfPlayer
from bots.bot.events import BotEvent, JobFinished, MessageAnswered


@dataclass(frozen=True, slots=True)
class Pace:
    """How often a bot reflects."""

    briefing: bool = True
    """Whether it does when it joins."""
    rounds: int = 2
    """Between two analyses there are at least this many rounds"""
    every_s: float = 300.0
    """and this many seconds."""


class Rounds:
    """The rounds of one bot since its last analysis."""

    def __init__(self, pace: Pace, now_s: float) -> None:
        self._pace = pace
        self.begin_anew(now_s)

    def begin_anew(self, now_s: float) -> None:
        self._since_s, self._count = now_s, 0
        self._levels: set[Level] = set()

    def take(self, event: BotEvent, level_of: LevelOfPlayer) -> None:
        match event:
            case MessageAnswered():
                self._count += 1
                self._levels.add(level_of(event.speaker))
            case JobFinished(command="!goal") if event.result.success:
                self._count += 1

    def due(self, now_s: float) -> bool:
        waited = now_s - self._since_s >= self._pace.every_s
        return waited and self._count >= self._pace.rounds

    @property
    def level(self) -> Level:
        """The lowest level of those who were answered."""
        return min(self._levels, default=Level.TRUSTED)
