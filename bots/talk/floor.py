"""Who has the floor: a bot that thinks, or one whose words are being said; never two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from bots.talk.order import Choice


@dataclass(frozen=True, slots=True)
class Thinking:
    turn: int
    choice: Choice
    since_ms: int


@dataclass(frozen=True, slots=True)
class Saying:
    turn: int
    choice: Choice
    since_ms: int
    """When it began to think."""
    line: int
    to: tuple[str, ...]
    said_ms: int
    answer: str
    """As it was thought, tag and all."""
    nominates: str | None


Floor: TypeAlias = Thinking | Saying
