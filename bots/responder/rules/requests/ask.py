"""What a request is, and what may be known when one is understood."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bots.responder.rules.requests.things import Things
from bridge.world import PlayerSighting, WorldSnapshot

SOME = 8  # of what is asked for as "some"
MOST = 2_304  # of one thing in one request: what an inventory holds
ALL = -1


class Words(NamedTuple):
    """The same in both languages."""

    en: str
    ja: str


_NO_WORDS = Words("", "")


@dataclass(frozen=True, slots=True)
class Request:
    """A command that was clearly asked for."""

    command: str
    """Its name, as `navigation follow`."""
    fields: Mapping[str, Any]
    doing: Words
    """Said when it has begun: a sentence."""
    done: Words = _NO_WORDS
    """Said when it has been done; empty: in the command's own words."""
    towards: str = ""
    """The player whose place the fields hold: they may have moved when it is begun."""
    any_of: tuple[str, ...] = ()
    """Items any of which will do: the inventory tells which, when it is begun."""
    is_lasting: bool = True
    """It is begun and ends later."""

    @property
    def tool(self) -> str:
        return self.command.replace(" ", "_")


@dataclass(frozen=True, slots=True)
class Unclear:
    """A request that is not followed, and the sentence that says why."""

    why: Words


@dataclass(frozen=True, slots=True)
class Wish:
    """So many of something, as it was said."""

    count: int
    """ALL = whatever there is."""
    words: str


@dataclass(frozen=True, slots=True)
class Ask:
    """Who asks whom, in a world of which things and players are known."""

    bot: str
    speaker: str
    things: Things
    world: WorldSnapshot | None = None
    names: frozenset[str] = field(default_factory=frozenset)
    """Other names the bot listens to, in lower case."""

    def player(self, name: str) -> PlayerSighting | None:
        """Whoever is called so on this server, whatever the case."""
        seen = self.world.players if self.world else ()
        return next((one for one in seen if one.name.casefold() == name.casefold()), None)

    def carried(self, names: tuple[str, ...]) -> dict[str, int]:
        """How many of each are in the inventory, most first."""
        counts = {} if self.world is None else {name: self.world.count(name) for name in names}
        return dict(sorted(((n, c) for n, c in counts.items() if c), key=lambda row: -row[1]))
