"""Puts what a bot knows into its prompts: only what matters to speaker, place, goal and the words
said, only what all who hear may know, and no more than a budget of tokens holds.

    the cards of whom it is about ─ what was told, seen, learnt ─ the place ─ the people near
    most useful ─────────────────────────────────────────────────────────────▶ what is left out

What guests told is shown as their claim, behind everything else of the store. What a model has
decided with is counted as used, and stands in the trace.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from datetime import datetime

import structlog

from bots.access.sources import LevelOf, MayKnow, Sources, joined
from bots.bot.bot import Bot
from bots.bot.knowing import Wanted, tag
from bots.bot.locations import Location
from bots.clock import Clock
from bots.errors import StoreError
from bots.knowledge.cards.card import card_of, place_card_of, shown
from bots.knowledge.cards.cards import Cards
from bots.knowledge.wording import names_around, row_of, tags_in
from bots.observability.trace import TraceLog
from bots.owned_tasks import OwnedTasks
from bots.responder.case.case import NOTHING_KNOWN, Known, KnownRow, Moment
from bots.responder.case.quoting import quoted
from bots.responder.case.wording import part_of_day
from bots.text.printable import excerpt
from bots.text.word_match import says
from bridge.world import WorldSnapshot
from llm.engine.context import Tokens
from llm.engine.engine import Engine

log = structlog.get_logger()

MOST_CARDS = 3
LOOKED_FOR = 100  # persons, the last met, whose names are looked for in what is said
NEAR = 16.0  # blocks
MOST_NEAR = 8
MOST_PLACES = 2
HERE = 32.0  # blocks
LONGEST = 320  # characters of a card
MOST_ENTRIES = 12


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


class PromptKnowledge:
    """The knowledge of all bots, as `bots.responder.case.case.Knowledge`."""

    def __init__(
        self,
        cards_of: Callable[[str], Cards],
        level_of: LevelOf,
        known_bots: Container[str],
        clock: Clock,
        trace: TraceLog,
        engine: Engine,
        most_tokens: int,
    ) -> None:
        """`most_tokens` are the budget of one prompt."""
        self._cards_of, self._level_of, self._known_bots = cards_of, level_of, known_bots
        self._clock, self._trace, self._engine = clock, trace, engine
        self._most_tokens = most_tokens
        self._bots: dict[str, Bot] = {}
        self._tasks = OwnedTasks()

    def begin(self, bot: Bot) -> None:
        """Tell what this bot knows from now on; nobody is told what another one knows."""
        self._bots[bot.name] = bot

    async def about(self, moment: Moment) -> Known:
        bot = self._bots.get(moment.bot)
        if bot is None or not self._engine.has_model or not self._most_tokens:
            return NOTHING_KNOWN

        def may_show(sources: Sources) -> bool:
            return moment.view.shows(sources, self._level_of)

        cards, now = self._cards_of(bot.name), self._clock().astimezone()
        about = list(spoken_of(moment, cards))
        bystanders = [one for one in near(moment, self._known_bots) if one not in about]
        # A row for each place that is named, and for the one where the bot is.
        found = list(dict.fromkeys(_concerned(bot, moment, may_show)))[:MOST_PLACES]
        rows = [
            *cards_of(about, cards, may_show, now),
            *await self._entries(bot, cards, moment, may_show),
            *[_row(bot, cards, place, may_show, now) for place in found],
            *cards_of(bystanders, cards, may_show, now),
        ]
        return Known(tuple(within(rows, self._engine.tokens.tokens, self._most_tokens)))

    def used(self, bot: str, known: Known, work: str) -> None:
        if not known.rows:
            return
        entries = [one.entry for one in known.rows if one.entry]
        cards = [one.card for one in known.rows if one.card]
        self._trace.note("knowledge.used", bot, work=work, entries=entries, cards=cards)
        if entries:
            counted = self._bots[bot].knowledge.mark_used(entries)
            self._tasks.start(counted, f"use of what {bot} knows")

    async def aclose(self) -> None:
        await self._tasks.aclose()

    async def _entries(
        self, bot: Bot, cards: Cards, moment: Moment, may_show: MayKnow
    ) -> list[KnownRow]:
        try:
            found = await bot.knowledge.relevant(await self._wanted(bot, cards, moment, may_show))
        except StoreError as fault:
            log.warning("knowledge.not_read", bot=bot.name, why=str(fault))
            return []
        now = self._clock()
        return [
            KnownRow(quoted(row_of(one, now)), one.entry.sources, one.entry.id) for one in found
        ]

    async def _wanted(self, bot: Bot, cards: Cards, moment: Moment, may_show: MayKnow) -> Wanted:
        """Of a goal under way its items count, not its words, which who gave it has chosen."""
        world, goal = moment.world, bot.agenda.under_way
        names = await names_around(bot, world, cards.persons[:LOOKED_FOR], may_show)
        title = goal.title.replace(".", " ").replace(":", " ") if goal else ""
        tags = {*tags_in(moment.words, names), *tags_in(title, {"item": names["item"]})}
        tags |= {
            tag("player", one) for one in (moment.speaker, *near(moment, self._known_bots)) if one
        }
        tags |= {
            tag("place", one.name)
            for one in bot.locations.all(may_show)
            if world is not None
            and one.dimension == world.dimension
            and world.position.distance_to(one.position) <= HERE
        }
        return Wanted(
            moment.words,
            frozenset(tags),
            frozenset(_situations(world, has_goal=goal is not None)),
            limit=MOST_ENTRIES,
            damped=True,
            may_know=may_show,
        )


def within(rows: Sequence[KnownRow], tokens: Tokens, most: int) -> list[KnownRow]:
    """The rows that there is room for, in their order; a long one does not keep out the next."""
    kept, left = list[KnownRow](), most
    for one in rows:
        if (size := tokens(one.row)) <= left:
            kept.append(one)
            left -= size
    return kept


def _situations(world: WorldSnapshot | None, *, has_goal: bool) -> set[str]:
    """What entries may be for, as in `Entry.situations`."""
    found = {"goal"} if has_goal else set[str]()
    if world is None:
        return found
    found |= {world.dimension, "storm" if world.weather == "thunder" else world.weather}
    return found | {part_of_day(world.time_of_day, "en")}
