"""Puts on cards what a bot does and sees: what it was asked for, whom it gave what and who gave it
something, where it was, what happened there. What goals and dangers teach becomes knowledge.

What people say is read from the history as soon as it is heard.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Protocol, runtime_checkable

import structlog

from bots.access.origin import Level, Person, speaker_of
from bots.access.sources import FACTS, Sources, of_name
from bots.bot.bot import Bot
from bots.bot.events import BotEvent, JobFinished, StepDone
from bots.bot.locations import Location, key_of
from bots.bot.looking import in_time
from bots.bot.result import Failure
from bots.chat.natural_message import NaturalMessage
from bots.errors import StoreError
from bots.knowledge.cards.cards import Cards
from bots.knowledge.cards.fact import Fact, Kind, Subject, of_person
from bots.knowledge.dangers import Dangers
from bots.knowledge.lessons import Lesson, lessons_of
from bridge.events import BotDied, BotHurt, ItemGiven
from bridge.world import Position

log = structlog.get_logger()

LOOKED_WITHIN_S = 1.0
AT_A_PLACE = 32.0  # blocks around, what happens is remembered with the place
MOST_STEPS = 100  # of goals under way
LOOKS_EVERY = timedelta(minutes=1)
"""So often a bot notes at which place it is."""


@runtime_checkable
class TellsHandOver(Protocol):
    """The result of handing items over."""

    @property
    def item_name(self) -> str: ...

    @property
    def taken(self) -> Mapping[str, int]: ...


class CardWatch:
    """Keeps the cards of one bot up to date. `run` is owned by the bot's session."""

    def __init__(self, bot: Bot, cards: Cards) -> None:
        self._bot, self._cards = bot, cards
        self._facts: list[Fact] = []
        self._lessons: list[Lesson] = []
        self._hurts: list[BotHurt | BotDied] = []
        self._steps: deque[StepDone] = deque(maxlen=MOST_STEPS)
        self._dangers = Dangers(lambda person: of_name(person, bot.permissions.level_of))
        self._looked_at: datetime | None = None

    async def run(self) -> None:
        """Read and store what is due, until cancelled."""
        undo = (
            self._bot.on_natural_message(self._heard),
            self._bot.events.subscribe(self._take),
        )
        self._cards.due.set()
        try:
            while True:
                await self._cards.due.wait()
                self._cards.due.clear()
                await self._catch_up()
        finally:
            for unsubscribe in undo:
                unsubscribe()

    async def _catch_up(self) -> None:
        facts, self._facts = self._facts, []
        lessons, self._lessons = self._lessons, []
        hurts, self._hurts = self._hurts, []
        try:
            facts += [fact for hurt in hurts for fact in await self._learn_of_danger(hurt)]
            for lesson in lessons:
                await self._bot.knowledge.learn(*lesson)
            facts += await self._visited()
            if facts:
                await self._cards.learn(*facts)
            await self._cards.read_on()
        except StoreError as fault:  # lines are read later; the store has logged what is wrong
            log.warning("cards.not_stored", bot=self._bot.name, why=str(fault))

    def _heard(self, message: NaturalMessage) -> None:
        self._cards.due.set()

    def _take(self, event: BotEvent) -> None:
        now = self._bot.times.clock()
        match event:
            case StepDone():
                self._steps.append(event)
                return
            case JobFinished(is_whole_command=False):
                steps = [one for one in self._steps if one.job_id == event.job_id]
                self._facts += [*self._handed_over(event), *self._asked_for(event)]
                self._facts += self._reached(event, steps)
                self._lessons += lessons_of(event, steps, now)
            case ItemGiven(player=player, item=item, count=count):
                self._facts += self._changed_hands("gave", player, item, count)
            case BotHurt() | BotDied():
                self._hurts.append(event)
        self._cards.due.set()

    def _handed_over(self, event: JobFinished) -> Iterator[Fact]:
        """What people took of it, also where not all of it came to whom it was for."""
        item, taken = _taken(event)
        for person, count in taken.items():
            yield from self._changed_hands("got", person, item, count)

    def _changed_hands(self, kind: Kind, person: str, item: str, count: int) -> Iterator[Fact]:
        """It is between the two."""
        if person in self._bot.known_bots or count <= 0:
            return
        now = self._bot.times.clock()
        self._cards.met(person, now)
        known_to = Sources(frozenset(), Level.OWNER, frozenset({person}))
        yield Fact(of_person(person), kind, item, now, known_to, count=count)

    def _asked_for(self, event: JobFinished) -> Iterator[Fact]:
        """The goals of people, reached or not."""
        if isinstance(event.started_by, Person) and event.goal:
            words = event.goal if event.result.success else f"{event.goal}, and I failed"
            about = of_person(speaker_of(event.started_by))
            yield Fact(about, "asked_for", words, self._bot.times.clock(), event.sources)

    def _reached(self, event: JobFinished, steps: list[StepDone]) -> Iterator[Fact]:
        """A goal that was reached near a place."""
        if not steps or not event.result.success:
            return
        last = steps[-1]
        if (place := _nearest(self._bot, last.position, last.dimension)) is not None:
            now = self._bot.times.clock()
            yield Fact(_of(place), "happened", f"I got {event.goal} near there", now, event.sources)

    async def _learn_of_danger(self, hurt: BotHurt | BotDied) -> list[Fact]:
        """Know what hurt and where; and what happened at the named place near."""
        danger = self._dangers.learn(hurt)
        if danger is None:
            return []
        night = {"night"} if await self._is_night() else set()
        situations = danger.entry.situations | night
        await self._bot.knowledge.add(replace(danger.entry, situations=situations))
        place = _nearest(self._bot, danger.position, danger.dimension)
        if place is None:
            return []
        sources = danger.entry.sources
        return [Fact(_of(place), "happened", danger.words, danger.at, sources)]

    async def _is_night(self) -> bool:
        world = await in_time(self._bot.snapshot(), LOOKED_WITHIN_S)
        return world is not None and not world.is_day

    async def _visited(self) -> list[Fact]:
        """Where it is, if that has a name."""
        now = self._bot.times.clock()
        is_due = self._looked_at is None or now - self._looked_at >= LOOKS_EVERY
        if not is_due or not self._bot.locations.all():
            return []
        world = await in_time(self._bot.snapshot(), LOOKED_WITHIN_S)
        if world is None:
            return []
        self._looked_at = now
        place = _nearest(self._bot, world.position, world.dimension)
        return [] if place is None else [Fact(_of(place), "visited", "", now, FACTS)]


def _of(place: Location) -> Subject:
    return Subject("place", key_of(place.name))


def _taken(event: JobFinished) -> tuple[str, Mapping[str, int]]:
    """The item that was thrown, and who picked up how many."""
    match event.result:
        case TellsHandOver(item_name=item, taken=taken):
            return item, taken
        case Failure(reason="not_received" | "not_recognised", data={"taken": _} as data):
            return str(data["itemName"]), data["taken"]
    return "", {}


def _nearest(bot: Bot, position: Position, dimension: str) -> Location | None:
    here = [one for one in bot.locations.all() if one.dimension == dimension]
    near = min(here, key=lambda one: position.distance_to(one.position), default=None)
    is_near = near is not None and position.distance_to(near.position) <= AT_A_PLACE
    return near if is_near else None
