"""Puts on cards what a bot does and sees: what it was asked for, whom it gave what, where it died.
Why goals failed, and deaths, become knowledge of the bot, too.

What people say is read from the history as soon as it is heard.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol, runtime_checkable

import structlog

from bots.access.origin import Level, Person, speaker_of
from bots.access.sources import FACTS, Sources
from bots.bot.bot import Bot
from bots.bot.events import BotEvent, JobFinished
from bots.bot.knowing import Entry
from bots.bot.locations import Location, key_of
from bots.bot.looking import in_time
from bots.bot.result import Failure
from bots.chat.natural_message import NaturalMessage
from bots.errors import StoreError
from bots.knowledge.cards.cards import Cards
from bots.knowledge.cards.fact import Fact, Subject, of_person
from bridge.events import HealthChanged
from bridge.world import WorldSnapshot

log = structlog.get_logger()

LOOKED_WITHIN_S = 1.0
AT_A_PLACE = 32.0  # blocks around, what happens is remembered with the place


_NO_FAULT = frozenset({"stopped", "replaced", "paused", "closing", "disconnected"})
"""Reasons that say nothing of the goal."""


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
        self._entries: list[Entry] = []
        self._has_died = False

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
        entries, self._entries = self._entries, []
        try:
            if self._has_died:
                self._has_died = False
                await self._learn_of_death()
            for entry in entries:
                await self._bot.knowledge.add(entry)
            if facts:
                await self._cards.learn(*facts)
            await self._cards.read_on()
        except StoreError as fault:  # lines are read later; the store has logged what is wrong
            log.warning("cards.not_stored", bot=self._bot.name, why=str(fault))

    def _heard(self, message: NaturalMessage) -> None:
        self._cards.due.set()

    def _take(self, event: BotEvent) -> None:
        match event:
            case JobFinished():
                self._facts += [*self._handed_over(event), *self._asked_for(event)]
                self._entries += _why_failed(event)
            case HealthChanged(health=health) if health <= 0:
                self._has_died = True
        self._cards.due.set()

    def _handed_over(self, event: JobFinished) -> Iterator[Fact]:
        """What people took of it, also where not all of it came to whom it was for."""
        item, taken = _taken(event)
        now = self._bot.times.clock()
        for person, count in taken.items():
            if person not in self._bot.fellows and count > 0:
                self._cards.met(person, now)
                known_to = Sources(frozenset(), Level.OWNER, frozenset({person}))
                yield Fact(of_person(person), "got", item, now, known_to, count=count)

    def _asked_for(self, event: JobFinished) -> Iterator[Fact]:
        """The goals of people, reached or not."""
        if isinstance(event.started_by, Person) and event.goal:
            words = event.goal if event.result.success else f"{event.goal}, and I failed"
            about = of_person(speaker_of(event.started_by))
            yield Fact(about, "asked_for", words, self._bot.times.clock(), event.sources)

    async def _learn_of_death(self) -> None:
        """Where it was; with the named place that it died near."""
        world = await in_time(self._bot.snapshot(), LOOKED_WITHIN_S)
        if world is None:
            return
        at = world.position.block
        where = f"{at.x:g} {at.y:g} {at.z:g} in the {world.dimension}"
        await self._bot.knowledge.add(
            Entry(f"I died at {where}.", FACTS, "counter", "danger", learnt_from="seen")
        )
        if (place := _nearest(self._bot, world)) is not None:
            about, now = Subject("place", key_of(place.name)), self._bot.times.clock()
            await self._cards.learn(Fact(about, "happened", "I died near there", now, FACTS))


def _why_failed(event: JobFinished) -> list[Entry]:
    """Of a goal that was begun and not reached: what was missing, or in the way."""
    result = event.result
    if not event.goal or not isinstance(result, Failure) or result.reason in _NO_FAULT:
        return []
    words = f"I failed to get {event.goal}: {result.message}"
    return [Entry(words, event.sources, "strategy", event.goal, learnt_from="seen")]


def _taken(event: JobFinished) -> tuple[str, Mapping[str, int]]:
    """The item that was thrown, and who picked up how many."""
    match event.result:
        case TellsHandOver(item_name=item, taken=taken):
            return item, taken
        case Failure(reason="not_received", data=data):
            return str(data["itemName"]), data["taken"]
    return "", {}


def _nearest(bot: Bot, world: WorldSnapshot) -> Location | None:
    here = [one for one in bot.locations.all() if one.dimension == world.dimension]
    near = min(here, key=lambda one: world.position.distance_to(one.position), default=None)
    is_near = near is not None and world.position.distance_to(near.position) <= AT_A_PLACE
    return near if is_near else None
