"""Counts rounds: an answered message of a person, or a goal that was reached."""

from __future__ import annotations

from dataclasses import dataclass

from bots.access.origin import Level
from bots.access.visibility import LevelOfPlayer
from bots.observability.trace import Trace


@dataclass(frozen=True, slots=True)
class Pace:
    """How often a bot thinks beside the talk."""

    briefing: bool = True
    """Whether it does when it joins."""
    rounds: int = 2
    """From one analysis to the next, at least,"""
    every_s: float = 300.0
    """and so many seconds."""


class Rounds:
    """Of one bot, since its last analysis."""

    def __init__(self, pace: Pace, now_s: float) -> None:
        self._pace = pace
        self.begin_anew(now_s)

    def begin_anew(self, now_s: float) -> None:
        self._since_s, self._count = now_s, 0
        self._levels: set[Level] = set()

    def take(self, trace: Trace, level_of: LevelOfPlayer) -> None:
        facts = trace.facts
        match trace.name:
            case "reply.sent" if facts["success"] and facts.get("work") == "person":
                self._count += 1
                self._levels.add(level_of(facts["speaker"]))
            case "job.finished" if facts["command"] == "!goal" and facts["result"]["success"]:
                self._count += 1

    def due(self, now_s: float) -> bool:
        waited = now_s - self._since_s >= self._pace.every_s
        return waited and self._count >= self._pace.rounds

    @property
    def level(self) -> Level:
        """The lowest level of those who were answered."""
        return min(self._levels, default=Level.TRUSTED)
