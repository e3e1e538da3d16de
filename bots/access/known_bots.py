"""The names of all known bots on the server: ours, and those of other daemons.

Our bots run in this process: their histories show what they heard, and receipts prove it. We hear
other bots through the server, like players, but they are not people. A player who takes the name of
a bot counts as a bot and may do what bots may do.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class KnownBots:
    """All names that belong to bots. The sets change while the daemon runs."""

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
