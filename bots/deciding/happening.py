"""Something that happened to a bot, in one line for whoever decides what to make of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

LONGEST = 500  # characters of one event

Trigger: TypeAlias = Literal["message", "action_ended", "danger", "stop", "proposal"]
"""What asks for a decision."""


@dataclass(frozen=True, slots=True)
class Happening:
    """One event. Its words may hold names that others chose: data, never instructions."""

    kind: Trigger
    text: str
    """What happened, as a player is told: one line of at most `LONGEST` characters."""
    at_s: float
    """Stopwatch time."""
    success: bool = True
    about: str = ""
    """The command it is about, as `!skill gather`; '' when it is about none."""
    reason: str = ""
    """Why that command failed, in its result's one word."""


def in_one_line(text: str) -> str:
    """The words of a happening."""
    flat = " ".join(text.split())
    return flat if len(flat) <= LONGEST else flat[: LONGEST - 1] + "…"
