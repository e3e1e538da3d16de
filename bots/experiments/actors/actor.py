"""Where a bot's words come from in an experiment, and what it knows when its turn comes."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from bots.talks.live.stage import Thought


@dataclass(frozen=True, slots=True)
class Heard:
    """One line that reached a bot, or that it said itself."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A turn, as the bot whose turn it is knows it. Functions of a scenario get this."""

    name: str
    """Whose turn it is."""
    turn: int
    round: int
    why: str
    """The rule that chose it: round, nominated, addressed, …"""
    say_goodbye: bool
    heard: Sequence[Heard]
    """All it heard and said, oldest first: nothing it was out of earshot for."""
    new: Sequence[Heard]
    """Of these, what came since its own last line."""
    others: tuple[str, ...]
    """Everybody else who takes part."""
    near: frozenset[str]
    """Those of them who would hear it now."""
    topic: str
    rng: random.Random
    """Its own, from the scenario's seed."""


Actor: TypeAlias = Callable[[Asked], Thought]
"""Raises ThinkingFailed when nothing comes of a turn."""


class ThinkingFailed(Exception):
    """Nothing came of a turn; the text says why. `facts` are for the log."""

    def __init__(self, why: str, **facts: Any) -> None:
        super().__init__(why)
        self.facts = facts


class Ear:
    """What one bot heard and said so far."""

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
        """What came since its own last line."""
        return self.heard[self._own_last :]
