"""The lines of a talk in order, each with who heard it, told once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace


class Transcript:
    def __init__(self) -> None:
        self.lines: list[Line] = []
        self._untold: dict[int, tuple[str, ...]] = {}

    def spoken(
        self, speaker: str, text: str, at_ms: int, hearing: Mapping[str, str | None]
    ) -> None:
        """A line that has been said already."""
        number = len(self.lines) + 1
        self.lines.append(Line(number, speaker, text, at_ms, None, dict(hearing)))

    def to_be_said(
        self, speaker: str, text: str, at_ms: int, turn: int, to: tuple[str, ...]
    ) -> Line:
        line = Line(len(self.lines) + 1, speaker, text, at_ms, turn)
        self.lines.append(line)
        self._untold[line.number] = to
        return line

    def delivered(self, number: int, hearing: Mapping[str, str | None]) -> None:
        """Its outcome is told; told again it is nothing new."""
        to = self._untold.pop(number, ())
        if to:
            self._set(number, {name: hearing.get(name, UNCONFIRMED) for name in to})

    def unconfirmed(self, number: int) -> None:
        """Nobody waits for the outcome any more; told late, it still counts for the record."""
        self._set(number, dict.fromkeys(self._untold.get(number, ()), UNCONFIRMED))

    def missed(self, number: int) -> frozenset[str]:
        """Who surely did not hear it."""
        hearing = self.lines[number - 1].hearing or {}
        return frozenset(name for name, why in hearing.items() if why not in (None, UNCONFIRMED))

    def _set(self, number: int, hearing: Mapping[str, str | None]) -> None:
        self.lines[number - 1] = replace(self.lines[number - 1], hearing=hearing)


UNCONFIRMED = "unconfirmed"
"""Why a line is not known to be heard: nobody told its outcome in time."""


@dataclass(frozen=True, slots=True)
class Line:
    number: int
    speaker: str
    text: str
    at_ms: int
    """When it was said, or asked to be said."""
    turn: int | None
    """None: said of oneself, outside a turn."""
    hearing: Mapping[str, str | None] | None = None
    """For every other participant None = heard it, else why not; None as a whole: not told yet."""
