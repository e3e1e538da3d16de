"""The names of all bots that are known on the server: ours, and those of other daemons.

Ours are here: their histories show what they heard, and receipts prove it. Those elsewhere are
heard over the server like players, and are no persons all the same. A player who has taken the
name of one of them counts as a bot too, and may do what bots may.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class KnownBots:
    """All names that are no person's. Both sets change while the daemon runs."""

    ours: set[str] = field(default_factory=set)
    elsewhere: set[str] = field(default_factory=set)
    """Empty for a daemon alone."""

    def __contains__(self, name: object) -> bool:
        return name in self.ours or name in self.elsewhere

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self.ours | self.elsewhere)

    def is_elsewhere(self, name: str) -> bool:
        """Whether it is a bot, and none of ours."""
        return name in self.elsewhere and name not in self.ours
