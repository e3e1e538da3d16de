"""The places that a moment has to do with, and their cards as a view may show them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from bots.access.sources import MayKnow
from bots.bot.bot import Bot
from bots.bot.locations import Location
from bots.knowledge.cards.cards import Cards
from bots.knowledge.cards.place import place_card_of
from bots.responder.case.known import KnownRow, Moment
from bots.responder.case.quoting import quoted
from bots.text.excerpt import excerpt
from bots.text.word_match import says

MOST_PLACES = 2
HERE = 32.0  # blocks
LONGEST = 320  # characters of a card


def places_of(
    bot: Bot, cards: Cards, moment: Moment, may_show: MayKnow, now: datetime
) -> list[KnownRow]:
    """A row for each place that is named, and for the one where the bot is."""
    found = list(dict.fromkeys(_concerned(bot, moment, may_show)))[:MOST_PLACES]
    return [_row(bot, cards, place, may_show, now) for place in found]


def _concerned(bot: Bot, moment: Moment, may_show: MayKnow) -> Iterator[Location]:
    places = bot.locations.all(may_show)
    yield from (one for one in places if says(moment.words, one.name))
    world = moment.world
    if world is None:
        return
    here = [one for one in places if one.dimension == world.dimension]
    nearest = min(here, key=lambda one: world.position.distance_to(one.position), default=None)
    if nearest is not None and world.position.distance_to(nearest.position) <= HERE:
        yield nearest


def _row(bot: Bot, cards: Cards, place: Location, may_show: MayKnow, now: datetime) -> KnownRow:
    card = place_card_of(bot, cards, place, may_show)
    words = excerpt(" ".join(card.sentences(now)), LONGEST)
    return KnownRow(quoted({"known": words}), card.sources, card=place.name)
