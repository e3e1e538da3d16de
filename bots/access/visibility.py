"""Two rules decide what a prompt shows, and there is no other filter.

Who hears decides what is shown: every hearer of the answer may know each text in the prompt.
What is shown decides what may be done: a decision with tools shows only words of those who may
do as much as its asker, or as much as any tool asks for.
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
    """What may be shown; each view of a bot has summaries of its own."""

    level: Level
    """Of everyone whose words are in it, at least."""
    hearers: frozenset[str] | None = frozenset()
    """The players below trusted who will hear what is made of it; None: anybody may."""

    def shows(self, sources: Sources, level_of: LevelOf) -> bool:
        """Whether a text of these sources may be in it."""
        return sources.is_for(self.hearers) and sources.level_now(level_of) >= self.level


STRANGER = Person(PlayerName(""))
"""Stands for whoever may join."""
EVERYTHING = Visibility(Level.PLAYER)
"""What trusted ones may be shown."""


def hearers_of(
    listeners: Iterable[Origin], level_of: LevelOf, *, public: bool = False
) -> frozenset[str] | None:
    """Those of the listeners who may not know everything, as `Visibility.hearers`.

    A fellow bot may hear what all persons present may, and among bots alone what any stranger
    may: everything, where strangers are trusted."""
    if public:
        return None
    persons = [origin for origin in listeners if not isinstance(origin, Fellow)]
    if not persons:
        return frozenset() if level_of(STRANGER) >= Level.TRUSTED else None
    below = [person for person in persons if level_of(person) < Level.TRUSTED]
    return frozenset(person.name for person in below if isinstance(person, Person))


def standing(permissions: Permissions, bots: Container[str]) -> LevelOfPlayer:
    """Levels of players in the world; `bots` are the names of all bots of ours."""

    def level_of(name: str) -> Level:
        origin = Fellow(BotName(name)) if name in bots else Person(PlayerName(name))
        return permissions.level_of(origin)

    return level_of
