"""Cards for machines."""

from __future__ import annotations

from typing import Any

from bots.knowledge.cards.card import Card
from bots.knowledge.cards.fact import Fact
from bots.knowledge.cards.place import PlaceCard


def card_as_json(card: Card) -> dict[str, Any]:
    """The card of a person."""
    met = card.meeting
    return {
        "what": "person",
        "name": card.name,
        "firstMet": None if met is None else met.first_at.isoformat(),
        "lastMet": None if met is None else met.last_at.isoformat(),
        "facts": [_row(one) for one in card.facts],
    }


def place_as_json(card: PlaceCard) -> dict[str, Any]:
    """The card of a place."""
    place = card.location
    at = place.position
    return {
        "what": "place",
        "name": place.name,
        "position": {"x": at.x, "y": at.y, "z": at.z},
        "dimension": place.dimension,
        "namedBy": card.named_by or None,
        "namedAt": None if place.named_at is None else place.named_at.isoformat(),
        "placed": card.placed,
        "living": [one.about.name for one in card.living],
        "facts": [_row(one) for one in card.facts],
    }


def _row(fact: Fact) -> dict[str, Any]:
    return {
        "kind": fact.kind,
        "words": fact.words,
        "at": fact.at.isoformat(),
        **({"said": fact.said, "by": fact.teller or None} if fact.said else {}),
        **({"count": fact.count} if fact.count else {}),
    }
