"""Measures whether participants who are called by name answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bots.experiments.analysis.timeline import Line
from bots.talks.machine.addressing import addressed as called_by_name
from bots.talks.machine.events import Participant

WITHIN_LINES = 3  # after the line that names somebody


@dataclass(frozen=True, slots=True)
class Addressed:
    """Lines that name exactly one other participant who heard them. Answered: that one spoke within
    three lines, before the same speaker named another."""

    lines: int
    answered: int
    rate: float | None
    """None if nobody was named."""


def addressed(lines: Sequence[Line], roster: Sequence[Participant]) -> Addressed:
    asked = answered = 0
    for place, line in enumerate(lines):
        named = addressee(line, roster)
        if named is None or named not in line.heard_by:
            continue
        asked += 1
        answered += _answers(named, line.speaker, lines[place + 1 :][:WITHIN_LINES], roster)
    return Addressed(asked, answered, answered / asked if asked else None)


def addressee(line: Line, roster: Sequence[Participant]) -> str | None:
    """The only other participant that the line names; None if it names none or several."""
    others = [who for who in roster if who.name != line.speaker]
    named = called_by_name(line.text, others)
    return named[0] if len(named) == 1 else None


def _answers(
    named: str, speaker: str, following: Sequence[Line], roster: Sequence[Participant]
) -> bool:
    for line in following:
        if line.speaker == named:
            return True
        if line.speaker == speaker and addressee(line, roster) not in (None, named):
            return False
    return False
