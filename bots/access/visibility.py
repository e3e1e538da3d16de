"""Two rules decide what a request shows and may do, and there is no other filter.

Who hears decides what is shown (`Visibility`): every hearer may know each text in the prompt.
What is shown decides what may be done (`InView`): a tool needs no more than what every speaker
may do whose words were shown, and whoever hears of its use may know all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

from bots.access.origin import Fellow, Level, Origin, Person
from bots.access.permissions import Permissions
from bots.access.sources import FACTS, Audience, LevelOf, Sources
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
    without: frozenset[Origin] = frozenset()
    """Whose words are left out all the same."""

    def shows(self, sources: Sources, level_of: LevelOf) -> bool:
        """Whether a text with these sources may be shown."""
        if not sources.is_for(self.hearers) or not self.without.isdisjoint(sources.origins):
            return False
        # Nobody is below a player, so the usual view need not ask who each of the origins is.
        return self.level is Level.PLAYER or sources.level_now(level_of) >= self.level


@dataclass(frozen=True, slots=True)
class InView:
    """What a request has shown so far."""

    told: Sources = FACTS
    """Of all but the lines to answer."""
    asked: Sources = FACTS
    """Of the lines to answer. Who asks for an action releases them to those who hear of it."""

    @property
    def sources(self) -> Sources:
        """Of whatever is made from it."""
        return self.told | self.asked

    def level(self, level_of: LevelOf) -> Level:
        """What everybody may do whose words are in it."""
        return self.sources.level_now(level_of)

    def is_by(self, asker: Origin, level_of: LevelOf) -> bool:
        """Whether nobody below trusted but the asker can have led to what is made from it."""
        return self.told.origins <= {asker} or self.told.level_now(level_of) >= Level.TRUSTED

    def with_told(self, sources: Sources) -> InView:
        """After the result of a tool was shown too."""
        return InView(self.told | sources, self.asked)

    def released_to(self, hearers: Audience) -> InView:
        """With the lines to answer for these as well."""
        return InView(self.told, self.asked.released_to(hearers))


MOST_ASKED = Level.TRUSTED
"""The highest level that any tool asks for."""
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
        return anybody(level_of)
    below = [person for person in persons if level_of(person) < Level.TRUSTED]
    return frozenset(_as_hearer(one, level_of) for one in below if isinstance(one, Person))


def _as_hearer(person: Person, level_of: LevelOf) -> str:
    """Somebody who has yet to prove the name may know no more than a stranger."""
    is_proven = level_of(replace(person, as_proven=True)) < Level.TRUSTED
    return person.name if is_proven else STRANGER.name


def anybody(level_of: LevelOf) -> frozenset[str] | None:
    """Whoever may come by, as `Visibility.hearers`: nobody counts where strangers are trusted."""
    return frozenset() if level_of(STRANGER) >= Level.TRUSTED else None


def together(one: Audience, other: Audience) -> Audience:
    """The hearers of both."""
    return None if one is None or other is None else one | other


def standing(permissions: Permissions, bots: Container[str]) -> LevelOfPlayer:
    """Levels of players in the world; `bots` are the names of all known bots."""

    def level_of(name: str) -> Level:
        origin = Fellow(BotName(name)) if name in bots else Person(PlayerName(name))
        return permissions.level_of(origin)

    return level_of
