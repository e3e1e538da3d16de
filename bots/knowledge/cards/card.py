"""A card as somebody may see it: of all that is known of a person, what those who hear may know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bots.access.sources import MayKnow, Sources, joined
from bots.knowledge.cards.cards import Cards
from bots.knowledge.cards.fact import KINDS, Fact, Kind, Meeting, of_person

SHOWN: Mapping[Kind, int] = {
    "lives": 2,
    "called": 1,
    "likes": 3,
    "dislikes": 2,
    "wishes": 2,
    "promised": 2,
    "was_promised": 2,
    "asked_for": 3,
    "gave": 2,
    "got": 3,
    "noted": 3,
    "happened": 3,
    "visited": 1,
}
"""How many facts of each kind a card tells, the newest."""


@dataclass(frozen=True, slots=True)
class Card:
    """What may be told of a person."""

    name: str
    meeting: Meeting | None
    facts: tuple[Fact, ...]
    """In the order of `KINDS`; of a kind, what weighs most first."""

    @property
    def is_empty(self) -> bool:
        return self.meeting is None and not self.facts

    @property
    def sources(self) -> Sources:
        """Where all these words come from."""
        return joined(one.sources for one in self.facts)


def card_of(cards: Cards, person: str, may_know: MayKnow) -> Card:
    """The card of a person, for those who may know such things."""
    facts = cards.facts(of_person(person), may_know)
    return Card(person, cards.meeting(person), tuple(best_of(facts)))


def best_of(facts: tuple[Fact, ...]) -> Iterator[Fact]:
    """Of each kind the newest few, each once; what somebody of a higher level told comes before
    what others claim."""
    for kind in KINDS:
        alike = [one for one in facts if one.kind == kind]
        by_weight = sorted(alike, key=lambda one: (one.sources.level, one.at), reverse=True)
        once = {(one.words.casefold(), one.count and one.at): one for one in reversed(by_weight)}
        yield from list(once.values())[::-1][: SHOWN[kind]]
