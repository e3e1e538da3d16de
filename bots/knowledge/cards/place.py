"""The card of a place: who named it and when, what is there, who lives there, what happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from bots.access.origin import Fellow, Operator, Person, called
from bots.access.sources import MayKnow, Sources, joined
from bots.bot.bot import Bot
from bots.bot.locations import Location, key_of
from bots.knowledge.cards.card import best_of
from bots.knowledge.cards.cards import Cards
from bots.knowledge.cards.fact import Fact, Subject
from bots.text.language import normal
from bots.text.when import told_ago

AROUND = 16.0  # blocks: what stands so near belongs to it
MOST_CHESTS, MOST_KINDS = 3, 4


@dataclass(frozen=True, slots=True)
class PlaceCard:
    """What may be told of a place."""

    location: Location
    chests: tuple[str, ...]
    """Each with the most of what it held at the latest look."""
    placed: dict[str, int]
    """How many blocks of each kind the bot put there."""
    living: tuple[Fact, ...]
    facts: tuple[Fact, ...]

    @property
    def sources(self) -> Sources:
        """Where all these words come from."""
        told = (one.sources for one in (*self.living, *self.facts))
        return joined((self.location.sources, *told))

    @property
    def named_by(self) -> str:
        """Who gave it its name, as they are called; '' where nobody knows."""
        match list(self.location.sources.origins):
            case [Person(name)] | [Fellow(name)]:
                return called(name)
            case [Operator()]:
                return "the operator"
        return ""

    def sentences(self, now: datetime) -> list[str]:
        at = self.location.position
        where = f"{at.x:g} {at.y:g} {at.z:g} in the {self.location.dimension}"
        told = [f"{self.location.name} is at {where}.", *self._named(now)]
        if self.placed:
            told.append(f"I put {_listed(self.placed)} there.")
        told += [f"There is a chest; {held}." for held in self.chests]
        told += [f"{called(one.about.name)} lives “{one.words}”." for one in self.living]
        return [*told, *(_happened(one, now) for one in self.facts)]

    def _named(self, now: datetime) -> list[str]:
        by, at = self.named_by, self.location.named_at
        if not by and at is None:
            return []
        words = ["Named", *([f"by {by}"] if by else [])]
        return [" ".join([*words, *([told_ago(at, now, "en")] if at else [])]) + "."]


def place_card_of(bot: Bot, cards: Cards, location: Location, may_know: MayKnow) -> PlaceCard:
    """The card of a place that may be known, for those who may know such things."""
    name = normal(location.name)
    living = [one for one in cards.homes if name in normal(one.words) and may_know(one.sources)]
    happened = cards.facts(Subject("place", key_of(location.name)), may_know)
    return PlaceCard(
        location,
        tuple(_chests(bot, location)),
        dict(_placed(bot, location)),
        tuple(living),
        tuple(best_of(happened)),
    )


def _happened(fact: Fact, now: datetime) -> str:
    ago = told_ago(fact.at, now, "en")
    return f"I was there last {ago}." if fact.kind == "visited" else f"{fact.words} {ago}."


def _chests(bot: Bot, location: Location) -> list[str]:
    near = [
        one
        for one in bot.chests.usable(location.dimension)
        if one.position.distance_to(location.position) <= AROUND
    ]
    held = [f"it held {_listed(one.items)}" if one.items else "it was empty" for one in near]
    return held[:MOST_CHESTS]


def _placed(bot: Bot, location: Location) -> Counter[str]:
    return Counter(
        one.item
        for one in bot.placements.ours(None)
        if one.dimension == location.dimension
        and one.position.distance_to(location.position) <= AROUND
    )


def _listed(items: Mapping[str, int]) -> str:
    counted = Counter(dict(items)).most_common(MOST_KINDS)
    return ", ".join(f"{count} {item}" for item, count in counted)
