"""The port of what finds a bot's words in an experiment, and what it is told of each turn."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from bots.access.origin import Level, Origin, Person
from bots.access.sources import FACTS, Sources
from bots.access.visibility import Visibility
from bots.talks.live.ports import Answer
from bridge.world import PlayerName


@dataclass(frozen=True, slots=True)
class Heard:
    """A line that a bot heard or said."""

    speaker: str
    text: str
    sources: Sources = FACTS
    """Who may know it: whoever it was said to."""


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

    @property
    def view(self) -> Visibility:
        """What all who would hear it now may know."""
        return cast_view(self.near)

    @property
    def shown(self) -> list[Heard]:
        """Those of `heard` that they may know."""
        return [line for line in self.heard if self.view.shows(line.sources, _equals)]


def cast_view(hearers: Iterable[str]) -> Visibility:
    """What may be shown where these hear the answer: in an experiment nobody knows everything."""
    return Visibility(Level.PLAYER, frozenset(hearers))


def said_among(speaker: str, hearers: Iterable[str]) -> Sources:
    """The sources of a line of an experiment."""
    return Sources.said_by(Person(PlayerName(speaker)), Level.PLAYER, {speaker, *hearers})


def _equals(_origin: Origin) -> Level:
    return Level.PLAYER


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

    def hear(self, line: Heard) -> None:
        self.heard.append(line)

    def say(self, line: Heard) -> None:
        self.heard.append(line)
        self._own_last = len(self.heard)

    @property
    def new(self) -> list[Heard]:
        """The lines since its own last one."""
        return self.heard[self._own_last :]
