"""What a bot knows that may matter to a decision, as a model is shown it: facts in rows, each with
where its words come from.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from bots.access.sources import Sources, joined
from bots.access.visibility import Visibility
from bridge.world import WorldSnapshot

KNOWN = "# What you know"
"""Heads these rows in every prompt."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What knowledge is to matter to."""

    bot: str
    view: Visibility
    """What those may know who hear what is made of it."""
    words: str
    """What was said, or happened."""
    speaker: str = ""
    """The person who is answered; '' where there is none."""
    world: WorldSnapshot | None = None


class KnownRow(NamedTuple):
    """One fact of the store, or one card."""

    row: str
    """In one line of JSON."""
    sources: Sources
    entry: int = 0
    """Its number in the store; 0: it is a card."""
    card: str = ""
    """Of whom or of which place; '' where it is no card."""


@dataclass(frozen=True, slots=True)
class Known:
    """What one prompt shows, the most useful first."""

    rows: tuple[KnownRow, ...] = ()

    @property
    def lines(self) -> list[str]:
        """With their heading; nothing where there is nothing to know."""
        return [KNOWN, *(one.row for one in self.rows)] if self.rows else []

    @property
    def sources(self) -> Sources:
        return joined(one.sources for one in self.rows)


NOTHING_KNOWN = Known()
