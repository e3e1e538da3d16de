"""Permissions: the level of a typed origin, never of a bare name."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Collection, Container
from dataclasses import dataclass
from typing import TypeAlias

from bots.access.origin import Fellow, Level, Operator, Origin, Person, is_operator
from bots.access.proofs import NO_PIN, Proofs
from bots.access.sources import LevelOf
from bridge.world import PlayerName

Rank: TypeAlias = int
"""We serve higher ranks first."""

PATIENCE = 4  # turns
AMONG_BOTS: Rank = 0  # what bots say to each other is background


def ranking(level_of: LevelOf) -> Callable[[Origin], Rank]:
    """The rank of work that we do for an origin."""

    def rank(origin: Origin) -> Rank:
        return AMONG_BOTS if isinstance(origin, Fellow) else int(level_of(origin))

    return rank


def rank_by_name(permissions: Permissions, bots: Container[str]) -> Callable[[str | None], Rank]:
    """The rank of words for somebody, by their recorded name; None means everybody."""

    def rank(name: str | None) -> Rank:
        if name is None:
            return int(Level.PLAYER)
        if is_operator(name):
            return int(Level.OWNER)
        if name in bots:
            return AMONG_BOTS
        return int(permissions.level_of(Person(PlayerName(name))))

    return rank


class Precedence:
    """Chooses the next rank and remembers which ranks it passed over."""

    def __init__(self) -> None:
        self._passed_over: dict[Rank, int] = {}

    def first(self, waiting: Collection[Rank]) -> Rank:
        """The rank to serve next; `waiting` is not empty."""
        overdue = [rank for rank in waiting if self._passed_over.get(rank, 0) >= PATIENCE]
        return max(overdue or waiting)

    def served(self, served: Rank, waiting: Collection[Rank]) -> None:
        """Note who was served while these waited."""
        lower = [rank for rank in waiting if rank < served]
        kept = {rank: n for rank, n in self._passed_over.items() if rank in waiting}
        kept.pop(served, None)
        self._passed_over = kept | {rank: kept.get(rank, 0) + 1 for rank in lower}


PLAYER_SCAN_RANGE = 32


@dataclass(frozen=True, slots=True)
class PlayerReach:
    """What players below trusted may do, where the settings change what the commands declare."""

    given: frozenset[str] = frozenset()
    """Commands that the settings let every player run."""
    taken: frozenset[str] = frozenset()
    """Commands declared for every player that the settings leave to trusted players."""
    scan_range: int = PLAYER_SCAN_RANGE
    """Players may look for blocks within this distance."""

    def level_for(self, command: str, declared: Level) -> Level:
        """The least level that may run a command."""
        if declared is Level.OWNER:
            return declared
        if command in self.given:
            return Level.PLAYER
        return max(declared, Level.TRUSTED) if command in self.taken else declared


@dataclass(frozen=True, slots=True)
class Permissions:
    """Names are compared exactly: an offline-mode server tells `Steve` from `steve`."""

    owners: frozenset[str] = frozenset()
    trusted: frozenset[str] = frozenset()
    open_house: bool = False
    """Trust every person: the settings name nobody, and only this machine can join our server."""
    reach: PlayerReach = PlayerReach()
    proofs: Proofs = NO_PIN
    pvp: bool = False
    """Whether bots strike the players that an owner names."""

    def is_named(self, name: str) -> bool:
        """Whether the settings name this player as owner or trusted."""
        return name in self.owners or name in self.trusted

    def is_unproven(self, name: str) -> bool:
        """Whether a named player has not yet proved their identity with the pin."""
        return self.is_named(name) and not self.proofs.holds(name)

    def recordable(self, name: str, text: str) -> str:
        """Remove anything that may be the pin from a player's words before we record them.

        We never compare the pin with the words of players who have none."""
        if not self.is_named(name):
            return text
        known = self.proofs.holds(name)
        return (self.proofs.without_pin if known else self.proofs.without_pin_like)(text)

    def level_of(self, origin: Origin) -> Level:
        match origin:
            case Operator():
                return Level.OWNER
            case Fellow():
                return Level.PLAYER
        name = origin.name
        is_owner = name in self.owners
        if not (is_owner or name in self.trusted):
            return Level.TRUSTED if self.open_house else Level.PLAYER
        if not (origin.as_proven or self.proofs.holds(name)):
            return Level.PLAYER
        return Level.OWNER if is_owner else Level.TRUSTED

    def advice_to(self, name: str) -> str:
        """Tell a refused player how to get a higher level; '' if the owners decided their level."""
        if not self.owners | self.trusted:
            return (
                "Nobody is named as owner yet: start townsfolk with --owner NAME,"
                f' or set permissions.owners = ["{name}"].'
            )
        if self.is_unproven(name):
            return "First prove that it is you: whisper !pin and your pin to me."
        named = sorted(self.owners | self.trusted)
        alike = [one for one in named if one != name and one.casefold() == name.casefold()]
        if name in named or not alike:
            return ""
        return f"Names are compared exactly: the settings name {alike[0]}, and you are {name}."


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches the host; names other than localhost are not resolved."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
