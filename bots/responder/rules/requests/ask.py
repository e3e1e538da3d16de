"""Requests, and what is known when one is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bots.access.origin import is_operator
from bots.catalogue.things import Things
from bots.text.pronouns import is_asker, is_of_others
from bots.text.spelling import only_alike
from bridge.world import PlayerSighting, WorldSnapshot

SOME = 8  # what "some" means
MOST = 2_304  # of one item in one request: a full inventory
ALL = -1
ONLY_TELLS = frozenset({"status", "area list"})
"""Commands that change nothing, and are asked for by questions."""


class Words(NamedTuple):
    """One sentence in both languages."""

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
    """The sentence said when it has begun."""
    done: Words = _NO_WORDS
    """The sentence said when it is done; empty = the command's own message."""
    towards: str = ""
    """The player whose position is in the fields; it is updated when the request is begun."""
    any_of: tuple[str, ...] = ()
    """Items any of which will do; chosen from the inventory when the request is begun."""
    is_lasting: bool = True
    """Whether it begins a job."""

    @property
    def tool(self) -> str:
        return self.command.replace(" ", "_")


@dataclass(frozen=True, slots=True)
class Unclear:
    """A request that is not carried out, with a sentence that says why."""

    why: Words
    is_request: bool = False
    """Whether it cannot be small talk."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A count of something, as it was said."""

    count: int
    """`ALL` = as many as there are."""
    words: str


@dataclass(frozen=True, slots=True)
class Ask:
    """Who asks which bot, with the items and players that are known."""

    bot: str
    speaker: str
    things: Things
    world: WorldSnapshot | None = None
    names: frozenset[str] = field(default_factory=frozenset)
    """Other names the bot listens to, in lower case."""

    def player(self, name: str) -> PlayerSighting | None:
        """The only player of this name on the server, ignoring case, which words have lost.

        An operator's name is no player's, and “me” is the speaker, even where a player has the
        same; so “you” and “him” are nobody but a speaker of that name."""
        if is_operator(name) or (is_of_others(name) and name != self.speaker):
            return None
        seen = self.world.players if self.world else ()
        listed = [str(one.name) for one in seen]
        found = self.speaker if is_asker(name) else only_alike(name, listed)
        return next((one for one in seen if one.name == found), None)

    def carried(self, names: tuple[str, ...]) -> dict[str, int]:
        """The inventory's count of each of these items, most first."""
        counts = {} if self.world is None else {name: self.world.count(name) for name in names}
        return dict(sorted(((n, c) for n, c in counts.items() if c), key=lambda row: -row[1]))
