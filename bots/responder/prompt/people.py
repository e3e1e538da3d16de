"""The people that a moment has to do with, and their cards as a view may show them.

Who was met today and has told nothing costs no words.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from datetime import datetime

from bots.access.sources import MayKnow, joined
from bots.knowledge.cards.card import card_of
from bots.knowledge.cards.cards import Cards
from bots.knowledge.cards.wording import shown
from bots.responder.case.known import KnownRow, Moment
from bots.responder.case.quoting import quoted
from bots.text.word_match import says

MOST_CARDS = 3
LOOKED_FOR = 100  # persons, the last met, whose names are looked for in what is said
NEAR = 16.0  # blocks
MOST_NEAR = 8


def spoken_of(moment: Moment, cards: Cards) -> Iterator[str]:
    """Whoever is answered, then those who are named."""
    if moment.speaker:
        yield moment.speaker
    yield from (one for one in cards.persons[:LOOKED_FOR] if says(moment.words, one))


def near(moment: Moment, bots: Container[str]) -> list[str]:
    """The people near the bot, in a crowd the nearest few."""
    world = moment.world
    away = {
        str(player.name): distance
        for player in (world.players if world else ())
        if world is not None and player.name not in bots
        if (distance := world.distance_to(player)) is not None and distance <= NEAR
    }
    return sorted(away, key=lambda name: away[name])[:MOST_NEAR]


def cards_of(
    persons: Iterable[str], cards: Cards, may_show: MayKnow, now: datetime
) -> list[KnownRow]:
    """A row for each person of whom there is something to say, the first few."""
    found = list[KnownRow]()
    for person in dict.fromkeys(persons):
        days_away = cards.absences.untold_days(person)
        words, facts = shown(card_of(cards, person, may_show), days_away, now)
        if words and len(found) < MOST_CARDS:
            sources = joined(one.sources for one in facts)
            found.append(KnownRow(quoted({"known": words}), sources, card=person))
    return found
