"""What a prompt may show. Two rules decide it; there is no other filter.

1. Everyone who will hear the answer may know each text in the prompt.
2. A decision with tools shows only words of those whose level is at least the asker's, or at least
   the highest that a tool needs.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from bots.access.origin import Fellow, Level, Origin, Person
from bots.access.permissions import Permissions
from bots.access.sources import LevelOf, Sources
from bridge.world import BotName, PlayerName

LevelOfPlayer: TypeAlias = Callable[[str], Level]
"""What a player of the world may do, by name."""


@dataclass(frozen=True, slots=True)
class Visibility:
    """What a prompt may show; each view of a bot has its own summaries."""

    level: Level
    """The lowest level whose words may be shown."""
    hearers: frozenset[str] | None = frozenset()
    """The players below trusted who will hear the answer; None: anybody may."""

    def shows(self, sources: Sources, level_of: LevelOf) -> bool:
        """Whether a text with these sources may be shown."""
        return sources.is_for(self.hearers) and sources.level_now(level_of) >= self.level


STRANGER = Person(PlayerName(""))
"""Stands for anyone who may join."""
EVERYTHING = Visibility(Level.PLAYER)
"""What trusted players may see."""


def hearers_of(
    listeners: Iterable[Origin], level_of: LevelOf, *, public: bool = False
) -> frozenset[str] | None:
    """The listeners who may not know everything, for `Visibility.hearers`.

    A fellow bot may hear what every person present may hear. Bots among themselves may hear what
    any stranger may: everything, if strangers are trusted."""
    if public:
        return None
    persons = [origin for origin in listeners if not isinstance(origin, Fellow)]
    if not persons:
        return frozenset() if level_of(STRANGER) >= Level.TRUSTED else None
    below = [person for person in persons if level_of(person) < Level.TRUSTED]
    return frozenset(person.name for person in below if isinstance(person, Person))


def standing(permissions: Permissions, bots: Container[str]) -> LevelOfPlayer:
    """Levels of players in the world; `bots` are the names of all our bots."""

    def level_of(name: str) -> Level:
        origin = Fellow(BotName(name)) if name in bots else Person(PlayerName(name))
        return permissions.level_of(origin)

    return level_of
