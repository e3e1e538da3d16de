"""The lines of a talk in order, each with who heard it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

UNCONFIRMED = "unconfirmed"
"""Why a line counts as not surely heard: its delivery was not reported in time."""


@dataclass(frozen=True, slots=True)
class Line:
    number: int
    speaker: str
    text: str
    at_ms: int
    """When it was said, or asked to be said."""
    turn: int | None
    """None: said outside any turn."""
    hearing: Mapping[str, str | None] | None = None
    """For every other participant None, or why it was not heard; None as a whole: not known yet."""


class Transcript:
    def __init__(self) -> None:
        self.lines: list[Line] = []
        self._untold: dict[int, tuple[str, ...]] = {}

    def spoken(
        self, speaker: str, text: str, at_ms: int, hearing: Mapping[str, str | None]
    ) -> None:
        """Add a line that was said outside any turn."""
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
        """Record who heard a line; only the first report counts."""
        to = self._untold.pop(number, ())
        if to:
            self._set(number, {name: hearing.get(name, UNCONFIRMED) for name in to})

    def unconfirmed(self, number: int) -> None:
        """Stop waiting for a line's delivery; a late report is still recorded."""
        self._set(number, dict.fromkeys(self._untold.get(number, ()), UNCONFIRMED))

    def missed(self, number: int) -> frozenset[str]:
        """Who is known not to have heard it."""
        hearing = self.lines[number - 1].hearing or {}
        return frozenset(name for name, why in hearing.items() if why not in (None, UNCONFIRMED))

    def _set(self, number: int, hearing: Mapping[str, str | None]) -> None:
        self.lines[number - 1] = replace(self.lines[number - 1], hearing=hearing)
