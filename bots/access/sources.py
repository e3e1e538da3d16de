"""Where a text comes from and who may know it. Every line has sources, and so does every text that
we make from lines.

A name is not an origin: a player may be called `@operator`. A text made from several others, such
as a reply or a summary, has all their origins and their lowest level. Only people who may know all
of them may know it.

    heard = Sources.said_by(Person(steve), Level.PLAYER, audience={steve})
    reply = heard | noted        # made from both
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeAlias

from bots.access.origin import Fellow, Level, Operator, Origin, Person
from bridge.world import BotName, PlayerName

MOST_ORIGINS = 32

Audience: TypeAlias = frozenset[str] | None
"""Players who may know it; None: everybody. Owners may know everything."""
COMMANDERS = "everybody who may command the bots"
"""Stands in an audience for all trusted players; longer than any name of a player.

Words whispered to a bot are for those who spoke and heard alone, whatever others may command."""


class Commander(str):
    """The name of a trusted player, as a hearer."""

    __slots__ = ()


LevelOf: TypeAlias = Callable[[Origin], Level]
"""What an origin may do now."""


@lru_cache(maxsize=1_024)  # most texts have one of few sources
def _shared(origins: frozenset[Origin], level: Level, audience: Audience) -> Sources:
    """Share one object between texts with equal sources: we hold thousands of lines in memory."""
    return Sources(origins, level, audience)


@dataclass(frozen=True, slots=True)
class Sources:
    """Where a text comes from."""

    origins: frozenset[Origin]
    """The people whose words it may contain; empty for facts of the program, or if too many."""
    level: Level
    """The lowest level among the origins when the text was made."""
    audience: Audience

    @classmethod
    def said_by(cls, origin: Origin, level: Level, audience: Iterable[str] | None) -> Sources:
        """Sources of words that one origin chose."""
        return _shared(
            frozenset({origin}), level, None if audience is None else frozenset(audience)
        )

    def __or__(self, other: Sources) -> Sources:
        """Sources of a text made from both."""
        return joined((self, other))

    def released_to(self, names: Audience) -> Sources:
        """The same words for a wider audience; None means everybody."""
        if self.audience is None:
            return self
        audience = None if names is None else self.audience | names
        return Sources(self.origins, self.level, audience)

    def level_now(self, level_of: LevelOf) -> Level:
        """The lowest level today: an origin that has lost rights counts with its present level."""
        if self.level is Level.PLAYER:
            return self.level  # no level is lower
        return min([self.level, *map(level_of, self.origins)])

    def is_for(self, hearers: frozenset[str] | None) -> bool:
        """Whether all these players may know it; None stands for everybody."""
        if self.audience is None:
            return True
        if hearers is None:
            return False
        others = hearers - self.audience
        return not others or (
            COMMANDERS in self.audience and all(isinstance(one, Commander) for one in others)
        )


MayKnow: TypeAlias = Callable[[Sources], bool]
"""Whether somebody may know a text of these sources."""


def anything(sources: Sources) -> bool:
    """Sources of trusted speakers and of the program itself."""
    return True


FACTS = Sources(frozenset(), Level.OWNER, None)
"""Sources of facts: registry names, numbers and plain player names are nobody's words."""
BY_PROGRAM = Sources.said_by(Operator("python"), Level.OWNER, {COMMANDERS})
"""Sources of words that a Python program has a bot say, unless it gives others."""
UNKNOWN = Sources.said_by(Person(PlayerName("")), Level.PLAYER, ())
"""Unrecorded sources: the text may be anybody's, so we show it to owners only."""


_PLAIN_NAME = re.compile(r"[.\w]+", re.ASCII)


def is_plain(name: str) -> bool:
    """Whether a player's name is a single word, which we treat as a fact."""
    return _PLAIN_NAME.fullmatch(name) is not None


def as_proven(level_of: LevelOf) -> LevelOf:
    """The levels of people as if they had proved their names."""
    return lambda origin: level_of(
        replace(origin, as_proven=True) if isinstance(origin, Person) else origin
    )


def of_name(origin: Person, level_of: LevelOf) -> Sources:
    """Sources of a player's name. Anybody near can read it, so a single word is a fact."""
    if is_plain(origin.name):
        return FACTS
    return Sources.said_by(origin, level_of(origin), None)


def names_of(*origins: Origin) -> frozenset[str]:
    """The players among these, by name. An operator speaks to all who may command the bots."""
    players = frozenset(origin.name for origin in origins if isinstance(origin, Person))
    by_operator = any(isinstance(origin, Operator) for origin in origins)
    return players | {COMMANDERS} if by_operator else players


def among_commanders(sources: Sources) -> Sources:
    """Sources of what trusted players share, such as a place that one of them named."""
    if sources.level < Level.TRUSTED or sources.audience is None:
        return sources
    return sources.released_to(frozenset({COMMANDERS}))


def joined(sources: Iterable[Sources]) -> Sources:
    """Combine the sources of several texts; `FACTS` if there are none.

    Beyond `MOST_ORIGINS` a text counts as anybody's. Otherwise each answer would list everybody who
    ever spoke to the bot."""
    every = tuple(sources)
    if len(every) == 1:
        return every[0]
    origins = frozenset[Origin]().union(*(one.origins for one in every))
    level = min((one.level for one in every), default=Level.OWNER)
    audiences = [one.audience for one in every if one.audience is not None]
    audience = frozenset.intersection(*audiences) if audiences else None
    if len(origins) > MOST_ORIGINS:
        return _shared(UNKNOWN.origins, Level.PLAYER, audience)
    return _shared(origins, level, audience)


def as_text(sources: Sources) -> str:
    """The stored form."""
    audience = None if sources.audience is None else sorted(sources.audience)
    origins = sorted(map(row_of_origin, sources.origins))
    return json.dumps({"from": origins, "level": int(sources.level), "for": audience})


@lru_cache(maxsize=1_024)
def from_text(stored: str) -> Sources:
    """Read what `as_text` wrote; `UNKNOWN` for anything else."""
    try:
        row = json.loads(stored)
        origins = frozenset(origin_of_row(*one) for one in row["from"])
        audience = None if row["for"] is None else frozenset(map(str, row["for"]))
        return Sources(origins, Level(row["level"]), audience)
    except (ValueError, KeyError, TypeError):
        return UNKNOWN


def row_of_origin(origin: Origin) -> list[str]:
    """The stored form."""
    match origin:
        case Operator(via):
            return ["operator", via]
        case Fellow(name):
            return ["bot", name]
        case Person(name):
            return ["person", name]


def origin_of_row(kind: Any, value: Any) -> Origin:
    """Raises ValueError for what `row_of_origin` never writes."""
    match kind, value:
        case "operator", ("exec" | "http" | "python") as via:
            return Operator(via)
        case "bot", str():
            return Fellow(BotName(value))
        case "person", str():
            return Person(PlayerName(value))
    raise ValueError(f"{kind!r} is no kind of origin")
