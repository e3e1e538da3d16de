"""Two rules decide what a request may show and do. There is no other filter.

Hearers decide what a prompt shows (`Visibility`): every hearer may know each text in it. Shown
texts decide which tools may run (`InView`): every speaker whose words we showed may run the tool,
and everybody who hears of its use may know all shown texts.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

from bots.access.origin import Fellow, Level, Origin, Person
from bots.access.permissions import Permissions
from bots.access.sources import FACTS, Audience, Commander, LevelOf, Sources
from bridge.world import BotName, PlayerName

LevelOfPlayer: TypeAlias = Callable[[str], Level]
"""What a player of the world may do, by name."""


@dataclass(frozen=True, slots=True)
class Visibility:
    """What a prompt may show. Summaries are kept separately for each view of a bot."""

    level: Level
    """The lowest level whose words may be shown."""
    hearers: frozenset[str] | None = frozenset()
    """The players below owner who will hear the answer; None: anybody may."""
    without: frozenset[Origin] = frozenset()
    """Speakers whose words we leave out in any case."""

    def shows(self, sources: Sources, level_of: LevelOf) -> bool:
        """Whether a text with these sources may be shown."""
        if not sources.is_for(self.hearers) or not self.without.isdisjoint(sources.origins):
            return False
        # No level is below player, so the usual view need not look up each origin.
        return self.level is Level.PLAYER or sources.level_now(level_of) >= self.level


@dataclass(frozen=True, slots=True)
class InView:
    """The sources of everything that a request has shown so far."""

    told: Sources = FACTS
    """Sources of everything except the lines to answer."""
    asked: Sources = FACTS
    """Sources of the lines to answer. Asking for an action releases them to its hearers."""

    @property
    def sources(self) -> Sources:
        """Sources of any text made from this view."""
        return self.told | self.asked

    def level(self, level_of: LevelOf) -> Level:
        """The lowest level among all speakers whose words we showed."""
        return self.sources.level_now(level_of)

    def is_by(self, asker: Origin, level_of: LevelOf) -> bool:
        """Whether the asker is the only player below trusted who can have influenced the result."""
        return self.told.origins <= {asker} or self.told.level_now(level_of) >= Level.TRUSTED

    def with_told(self, sources: Sources) -> InView:
        """The view after we also showed the result of a tool."""
        return InView(self.told | sources, self.asked)

    def released_to(self, hearers: Audience) -> InView:
        """The view in which these hearers may also know the lines to answer."""
        return InView(self.told, self.asked.released_to(hearers))


KNOWS_ALL = Level.OWNER
"""The level that may know what others whispered: owners can read the records anyway."""
MOST_ASKED = Level.TRUSTED
"""The highest level that any tool asks for."""
STRANGER = Person(PlayerName(""))
"""Stands for anyone who may join."""
EVERYTHING = Visibility(Level.PLAYER)
"""What owners may see."""


def hearers_of(
    listeners: Iterable[Origin], level_of: LevelOf, *, public: bool = False
) -> frozenset[str] | None:
    """The listeners who may not know everything, for `Visibility.hearers`.

    A fellow bot may hear whatever all people present may hear. Bots that are alone may hear what
    any stranger may hear."""
    if public:
        return None
    persons = [origin for origin in listeners if not isinstance(origin, Fellow)]
    if not persons:
        return anybody(level_of)
    below = [person for person in persons if level_of(person) < KNOWS_ALL]
    return frozenset(_as_hearer(one, level_of) for one in below if isinstance(one, Person))


def _as_hearer(person: Person, level_of: LevelOf) -> str:
    """A player who has not proved their name may know no more than a stranger."""
    level = level_of(person)
    is_proven = level_of(replace(person, as_proven=True)) == level
    if level < Level.TRUSTED:
        return person.name if is_proven else STRANGER.name
    return Commander(person.name)


def anybody(level_of: LevelOf) -> frozenset[str] | None:
    """Anybody who may come by, for `Visibility.hearers`."""
    trusts_strangers = level_of(STRANGER) >= Level.TRUSTED
    return frozenset({Commander(STRANGER.name)}) if trusts_strangers else None


def together(one: Audience, other: Audience) -> Audience:
    """The hearers of both."""
    return None if one is None or other is None else one | other


def standing(permissions: Permissions, bots: Container[str]) -> LevelOfPlayer:
    """Levels of players in the world; `bots` are the names of all known bots."""

    def level_of(name: str) -> Level:
        origin = Fellow(BotName(name)) if name in bots else Person(PlayerName(name))
        return permissions.level_of(origin)

    return level_of
