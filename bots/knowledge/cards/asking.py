"""Cards for programs: read, added to and corrected.

card = await card_of_person(bot, "Steve")
await add_fact(bot, "Steve", "likes", "cherry wood")
await drop_fact(bot, "Steve", "lives", "at the lake")
"""

from __future__ import annotations

from bots.access.origin import Level, Operator, Origin
from bots.access.sources import MayKnow, Sources, anything
from bots.bot.bot import Bot
from bots.knowledge.cards.card import Card, card_of
from bots.knowledge.cards.cards import Cards
from bots.knowledge.cards.fact import Fact, Kind, of_person
from bots.knowledge.cards.place import PlaceCard, place_card_of
from bots.knowledge.cards.reading import LONGEST
from bots.text.excerpt import excerpt

PROGRAM = Operator("python")


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
    known_to = Sources.said_by(by, Level.OWNER, None if for_all else {name})
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
