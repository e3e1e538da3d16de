"""Cards as somebody may see them: of all that is known of a person or a place, what those who hear
may know; told in sentences to the person themselves, to others, and to a model. What somebody said
is told as what they said, in their words. Programs read cards, add to them and correct them here:

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
from bots.text.language import Language, normal, reading_length
from bots.text.printable import excerpt
from bots.words import filled, sentence, table
from bots.words.times import told_ago, told_days

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
MOST_SHOWN = 320
"""Of a card that a model is shown, as Latin letters to read: about 90 tokens."""
_TOLD: frozenset[Kind] = frozenset({"lives", "own", "likes", "dislikes", "wishes", "promised"})


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
        told = [f"{self.location.name} is at {where}."]
        by, named_at = self.named_by, self.location.named_at
        if by or named_at is not None:
            parts = [f"by {by}" if by else "", told_ago(named_at, now, "en") if named_at else ""]
            told.append(" ".join(["Named", *filter(None, parts)]) + ".")
        if self.placed:
            told.append(f"I put {_listed(self.placed)} there.")
        told += [f"There is a chest; {held}." for held in self.chests]
        told += [f"{called(one.about.name)} lives “{one.words}”." for one in self.living]
        return [*told, *(_happened(one, now) for one in self.facts)]


def place_card_of(bot: Bot, cards: Cards, location: Location, may_know: MayKnow) -> PlaceCard:
    """The card of a place that may be known, for those who may know such things."""
    name = normal(location.name)
    living = [one for one in cards.homes if name in normal(one.words) and may_know(one.sources)]
    happened = cards.facts(Subject("place", key_of(location.name)), may_know)
    return PlaceCard(
        location,
        tuple(_chests(bot, location)),
        dict(
            Counter(
                one.item
                for one in bot.placements.ours(None)
                if one.dimension == location.dimension
                and one.position.distance_to(location.position) <= AROUND
            )
        ),
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


@dataclass(frozen=True, slots=True)
class CardWords:
    """To whom a card is told, in which language, and when."""

    language: Language
    asker: str
    now: datetime
    """With the zone whose days count."""

    def sentences(self, card: Card) -> list[str]:
        """All of a card."""
        met = [] if card.meeting is None else [self.met(card.name, card.meeting)]
        return [*met, *(self.fact(card.name, one) for one in card.facts)]

    def met(self, name: str, meeting: Meeting) -> str:
        """When they met, first and last; with the asker, the last time before now."""
        first, last_at = self._ago(meeting.first_at), self._last_at(name, meeting)
        last, who = None if last_at is None else self._ago(last_at), self._with(name)
        if last is None or last == first:
            return sentence("card.met", self.language, who=who, first=first)
        return sentence("card.met_and_last", self.language, who=who, first=first, last=last)

    def last_met(self, name: str, meeting: Meeting) -> str:
        """The answer to when they last met."""
        at = self._last_at(name, meeting)
        if at is None:
            return sentence("card.first_met", self.language, ago=self._ago(meeting.first_at))
        return sentence("card.last_met", self.language, who=self._with(name), ago=self._ago(at))

    def fact(self, name: str, fact: Fact) -> str:
        to_whom = "you" if name == self.asker else "other"
        who = "other" if fact.teller else "nobody"
        if fact.teller:
            who = {self.asker: "you", name: "self"}.get(fact.teller, "other")
        told = sentence(
            f"card.{to_whom}.{fact.kind}",
            self.language,
            who=sentence("who.person", self.language, who=called(name)),
            said=self._told(fact.teller),
            by=filled(
                table("card.told_of_other", self.language)[who], {"who": called(fact.teller)}
            ),
            words=fact.words,
            count=fact.count,
            ago=self._ago(fact.at),
        )
        return told[:1].upper() + told[1:]

    def _last_at(self, name: str, meeting: Meeting) -> datetime | None:
        return meeting.before(self.now) if name == self.asker else meeting.last_at

    def _with(self, name: str) -> str:
        if name == self.asker:
            return sentence("card.we", self.language)
        return sentence("card.and_i", self.language, who=called(name))

    def _told(self, teller: str) -> str:
        """Who said it, of something about the asker."""
        who = "nobody" if not teller else "you" if teller == self.asker else "other"
        return filled(table("card.told", self.language)[who], {"who": called(teller)})

    def _ago(self, at: datetime) -> str:
        return told_ago(at, self.now, self.language)


def shown(card: Card, days_away: int, now: datetime) -> tuple[str, tuple[Fact, ...]]:
    """A card as a model is shown it, in one line, and the facts that are in it; '' where there is
    nothing worth a word. Somebody who has just come back was so many days away."""
    parts = list[str]()
    if card.meeting is not None and days_away:
        met = told_ago(card.meeting.first_at, now, "en")
        parts.append(f"first met {met}, back now after {told_days(days_away, 'en')} away")
    left, kept = MOST_SHOWN - sum(map(reading_length, parts)), list[Fact]()
    for fact in card.facts:
        part = _shown_fact(card.name, fact, now)
        left -= reading_length(part)
        if left < 0:
            break
        parts.append(part)
        kept.append(fact)
    return (f"{called(card.name)}: {'; '.join(parts)}" if parts else ""), tuple(kept)


def _shown_fact(name: str, fact: Fact, now: datetime) -> str:
    shown = table("own.shown", "en")[fact.kind]
    told = filled(shown, {"words": fact.words, "count": fact.count})
    ago = told_ago(fact.at, now, "en")
    teller = fact.teller
    claimed = f", {called(teller)} claims" if teller not in ("", name) else ""
    if fact.kind in _TOLD and not teller:
        claimed = ", as you noted"
    return f"{told}{claimed}" if ago == "today" else f"{told}{claimed} ({ago})"
