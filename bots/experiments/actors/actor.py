"""The port of what finds a bot's words in an experiment, and what it is told of each turn."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from bots.talks.live.ports import Answer


@dataclass(frozen=True, slots=True)
class Heard:
    """A line that a bot heard or said."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A turn as its bot knows it; the argument of a scenario's functions."""

    name: str
    """Whose turn it is."""
    turn: int
    round: int
    why: str
    """The rule that chose it: round, nominated, addressed, …"""
    say_goodbye: bool
    heard: Sequence[Heard]
    """All lines it heard or said, oldest first; none that were out of its hearing range."""
    new: Sequence[Heard]
    """Those since its own last line."""
    others: tuple[str, ...]
    """Everybody else who takes part."""
    near: frozenset[str]
    """Those of `others` who would hear it now."""
    topic: str
    rng: random.Random
    """The bot's own, from the scenario's seed."""


Actor: TypeAlias = Callable[[Asked], Answer]
"""Finds a bot's words for a turn. Raises ThinkingFailed if it cannot."""


class ThinkingFailed(Exception):
    """No words were found; the text says why. `facts` are for the log."""

    def __init__(self, why: str, **facts: Any) -> None:
        super().__init__(why)
        self.facts = facts


class HeardLines:
    """The lines that one bot heard or said so far."""

    def __init__(self) -> None:
        self.heard: list[Heard] = []
        self._own_last = 0

    def hear(self, speaker: str, text: str) -> None:
        self.heard.append(Heard(speaker, text))

    def say(self, name: str, text: str) -> None:
        self.heard.append(Heard(name, text))
        self._own_last = len(self.heard)

    @property
    def new(self) -> list[Heard]:
        """The lines since its own last one."""
        return self.heard[self._own_last :]
