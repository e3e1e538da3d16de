"""Cards as somebody may see them: of all that is known of a person or a place, what those who hear
may know. Programs read them, add to them and correct them here:

card = await card_of_person(bot, "Steve")
await add_fact(bot, "Steve", "likes", "cherry wood")
await drop_fact(bot, "Steve", "lives", "at the lake")
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bots.access.origin import Fellow, Level, Operator, Origin, Person, called
from bots.access.sources import MayKnow, Sources, anything, joined, names_of
from bots.bot.bot import Bot
from bots.bot.locations import Location, key_of
from bots.knowledge.cards.cards import Cards
from bots.knowledge.cards.fact import KINDS, LONGEST, Fact, Kind, Meeting, Subject, of_person
from bots.text.language import normal
from bots.text.printable import excerpt
from bots.words.times import told_ago

SHOWN: Mapping[Kind, int] = {
    "lives": 2,
    "called": 1,
    "own": 8,
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
AROUND = 16.0  # blocks: what stands so near belongs to it
MOST_CHESTS, MOST_KINDS = 3, 4
PROGRAM = Operator("python")


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


def cards_of(bot: Bot) -> Cards:
    """All cards of a bot."""
    found = bot.services.get(Cards)
    assert found is not None, "every session provides them"
    return found


async def card_of_person(bot: Bot, name: str, may_know: MayKnow = anything) -> Card | None:
    """What a bot knows of a person and those who ask may know; None of somebody it never met."""
    cards = cards_of(bot)
    await cards.read_on()
    person = cards.person_called(name)
    card = None if person is None else card_of(cards, person, may_know)
    return None if card is None or card.is_empty else card


async def card_of_place(bot: Bot, name: str, may_know: MayKnow = anything) -> PlaceCard | None:
    """What a bot knows of a place by name; None where it knows none, or may not tell of it."""
    cards = cards_of(bot)
    await cards.read_on()
    place = bot.locations.find(name, may_know)
    return None if place is None else place_card_of(bot, cards, place, may_know)


async def add_fact(
    bot: Bot,
    person: str,
    kind: Kind,
    words: str,
    *,
    by: Origin = PROGRAM,
    for_all: bool = False,
) -> Fact:
    """Put something onto the card of a person, as an operator's words; only that person and
    trusted players are told it, unless it is for all. Raises StoreError."""
    cards = cards_of(bot)
    name = cards.person_called(person) or person
    known_to = Sources.said_by(by, Level.OWNER, None if for_all else {name, *names_of(by)})
    now = bot.times.clock()
    fact = Fact(of_person(name), kind, excerpt(words, LONGEST), now, known_to)
    await cards.learn(fact)
    return fact


async def drop_fact(bot: Bot, person: str, kind: Kind, words: str) -> int:
    """Take from the card of a person what says so, whoever told it; how many facts that were.
    Raises StoreError."""
    cards = cards_of(bot)
    await cards.read_on()
    return await cards.drop(cards.person_called(person) or person, kind, words)


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
