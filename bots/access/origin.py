"""Where a command or a line came from: a type, never a name (a player may be called `system`); and
which names are known to be bots'."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Literal, TypeAlias

from bridge.world import BotName, PlayerName


class Level(IntEnum):
    """What an origin may do; each command declares the lowest level that may run it."""

    PLAYER = 1
    TRUSTED = 2
    OWNER = 3


@dataclass(frozen=True, slots=True)
class Operator:
    """Whoever holds the machine: exec, HTTP with the token, Python."""

    via: Literal["exec", "http", "python"]


@dataclass(frozen=True, slots=True)
class Person:
    """A player in the game, as far as we know not a bot."""

    name: PlayerName
    as_proven: bool = False
    """Ask for the level of this name with its pin proved. Lines never carry this."""


@dataclass(frozen=True, slots=True)
class Fellow:
    """A bot: one of our own, or of another daemon."""

    name: BotName


Origin: TypeAlias = Operator | Person | Fellow

_OURS = "@"  # begins the recorded names that no player can have
OPERATOR_NAME = f"{_OURS}operator"
"""The speaker under which an operator's messages are recorded, unless they come with a name."""
NAME_OF_OPERATOR = re.compile(r"[\w.-]{1,32}")
"""What an operator may be called."""


def operator_called(name: str) -> str:
    """The speaker under which an operator of this name is recorded: no player called so is him."""
    return f"{_OURS}{name}"


def is_operator(speaker: str) -> bool:
    """Whether a line recorded under this name was an operator's."""
    return speaker.startswith(_OURS)


def called(speaker: str) -> str:
    """The form of a recorded name that we use to address its speaker."""
    return speaker.removeprefix(_OURS)


def speaker_of(origin: Origin) -> str:
    """The name a line of this origin is recorded under.

    Ours begin with `@`; a player called so, where a server allows it, gets a `?` before it."""
    if isinstance(origin, Operator):
        return OPERATOR_NAME
    return f"?{origin.name}" if origin.name.startswith(_OURS) else origin.name


@dataclass(frozen=True, slots=True)
class KnownBots:
    """All names that belong to bots on the server: ours, and those of other daemons. The sets
    change while the daemon runs.

    Our bots run in this process: their histories show what they heard, and receipts prove it. We
    hear other bots through the server, like players, but they are not people. A player who takes
    the name of a bot counts as a bot and may do what bots may do."""

    ours: set[str] = field(default_factory=set)
    elsewhere: set[str] = field(default_factory=set)
    """Those of our cluster; empty for a daemon alone."""
    recognised: set[str] = field(default_factory=set)
    """Others that said of themselves what they are, since they joined the server."""

    def __contains__(self, name: object) -> bool:
        return name in self.ours or name in self.elsewhere or name in self.recognised

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self.ours | self.elsewhere | self.recognised)

    def is_elsewhere(self, name: str) -> bool:
        """Whether this is a bot of another daemon."""
        return name in self and name not in self.ours
