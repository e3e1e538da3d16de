"""Where a text comes from and who may know it. Every line has sources, and so has every text made
from lines.

A name is no origin: a player may be called `@operator`. A text made from several, such as a reply
or a summary, has all their origins and their lowest level; only those who may know each of them may
know it.

    heard = Sources.said_by(Person(steve), Level.PLAYER, audience={steve})
    reply = heard | noted        # made from both
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from bots.access.origin import Fellow, Level, Operator, Origin, Person
from bridge.world import BotName, PlayerName

MOST_ORIGINS = 32

Audience: TypeAlias = frozenset[str] | None
"""Players below trusted who may know it; None: everybody. Trusted players may know everything."""


LevelOf: TypeAlias = Callable[[Origin], Level]
"""What an origin may do now."""


@lru_cache(maxsize=1_024)  # most texts have one of few sources
def _shared(origins: frozenset[Origin], level: Level, audience: Audience) -> Sources:
    """One object for all texts of the same sources: thousands of lines are held in memory."""
    return Sources(origins, level, audience)


@dataclass(frozen=True, slots=True)
class Sources:
    """Where a text comes from."""

    origins: frozenset[Origin]
    """Whose words it may contain; empty for the program's own facts, and for too many to name."""
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
        """The same words, which these may know too; None: everybody."""
        if self.audience is None:
            return self
        audience = None if names is None else self.audience | names
        return Sources(self.origins, self.level, audience)

    def level_now(self, level_of: LevelOf) -> Level:
        """The lowest level today: an origin that may do less by now counts with that."""
        if self.level is Level.PLAYER:
            return self.level  # nobody may do less
        return min([self.level, *map(level_of, self.origins)])

    def is_for(self, hearers: frozenset[str] | None) -> bool:
        """Whether all these players below trusted may know it; None stands for everybody."""
        if self.audience is None:
            return True
        return hearers is not None and hearers <= self.audience


MayKnow: TypeAlias = Callable[[Sources], bool]
"""Whether somebody may know a text of these sources."""


def anything(sources: Sources) -> bool:
    """Of trusted ones and of the program itself."""
    return True


FACTS = Sources(frozenset(), Level.OWNER, None)
"""Sources of registry names, numbers and plain player names, which nobody worded."""
BY_PROGRAM = Sources.said_by(Operator("python"), Level.OWNER, ())
"""Sources of words that a Python program has a bot say, unless it gives others."""
UNKNOWN = Sources.said_by(Person(PlayerName("")), Level.PLAYER, ())
"""Of a text whose sources nobody noted: it may be anybody's and is shown to trusted ones alone."""


_PLAIN_NAME = re.compile(r"[.\w]+", re.ASCII)


def is_plain(name: str) -> bool:
    """Whether a player's name is one word, and so no more than a fact."""
    return _PLAIN_NAME.fullmatch(name) is not None


def of_name(origin: Person, level_of: LevelOf) -> Sources:
    """Of a player's name, which anybody near can read: a fact, unless it is more than a word."""
    if is_plain(origin.name):
        return FACTS
    return Sources.said_by(origin, level_of(origin), None)


def names_of(*origins: Origin) -> frozenset[str]:
    """The players among these, by name."""
    return frozenset(origin.name for origin in origins if isinstance(origin, Person))


def joined(sources: Iterable[Sources]) -> Sources:
    """Sources of a text made from all of these; `FACTS` if there are none.

    With more than `MOST_ORIGINS` it counts as anybody's: otherwise each answer would name everybody
    who ever spoke to the bot."""
    every = tuple(sources)
    if len(every) == 1:
        return every[0]
    origins = frozenset[Origin]().union(*(one.origins for one in every))
    level = min((one.level for one in every), default=Level.OWNER)
    audience = _common([one.audience for one in every if one.audience is not None])
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


def _common(audiences: Sequence[frozenset[str]]) -> Audience:
    return frozenset.intersection(*audiences) if audiences else None


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
