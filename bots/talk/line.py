"""One line of a talk, and who heard it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

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
