"""Permissions: the level of a typed origin, never of a bare name."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass

from bots.access.origin import Fellow, Level, Operator, Origin


@dataclass(frozen=True, slots=True)
class Permissions:
    """Names are compared exactly: an offline-mode server tells `Steve` from `steve`."""

    owners: frozenset[str] = frozenset()
    trusted: frozenset[str] = frozenset()
    open_house: bool = False
    """Every person is trusted: nobody was named owner and only this machine can join."""

    @classmethod
    def for_server(
        cls, owners: Iterable[str], trusted: Iterable[str], server_host: str
    ) -> Permissions:
        """The permissions of a configuration on a server; see `open_house`."""
        named = frozenset(owners)
        return cls(named, frozenset(trusted), not named and is_loopback(server_host))

    def level_of(self, origin: Origin) -> Level:
        match origin:
            case Operator():
                return Level.OWNER
            case Fellow():
                return Level.PLAYER
        if origin.name in self.owners:
            return Level.OWNER
        if self.open_house or origin.name in self.trusted:
            return Level.TRUSTED
        return Level.PLAYER


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches the host; names other than localhost are not asked."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
