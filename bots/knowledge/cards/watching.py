"""Puts on cards what a bot does and sees: what it was asked for, whom it gave what and who gave it
something, where it was, what happened there. What goals and dangers teach becomes knowledge.

What people say is read from the history as soon as it is heard. Goals teach without a model: what
they took, where things were found, what was missing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal, NamedTuple, Protocol, TypeAlias, runtime_checkable

import structlog

from bots.access.origin import Level, Person, speaker_of
from bots.access.sources import FACTS, Sources, of_name
from bots.bot.bot import Bot
from bots.bot.events import BotEvent, JobFinished, StepDone
from bots.bot.knowing import Entry, KnowledgeType, Tag, tag
from bots.bot.locations import Location, key_of
from bots.bot.looking import in_time
from bots.bot.perils import NEARLY
from bots.bot.result import Failure
from bots.chat.natural_message import NaturalMessage
from bots.errors import StoreError
from bots.knowledge.cards.cards import Cards
from bots.knowledge.cards.fact import Fact, Kind, Subject, of_person
from bots.text.causes import UNKNOWN, doer, of_what
from bots.text.numbers import duration
from bridge.causes import Cause
from bridge.events import BotDied, BotHurt, ItemGiven
from bridge.world import PlayerName, Position

log = structlog.get_logger()

WORTH_KNOWING = 2.0  # half-hearts; a scratch is forgotten
AGAIN_AFTER = timedelta(minutes=1)
"""Blows of the same one, one after another, are one lesson."""
AROUND = 16  # blocks: where something hurts is known no more exactly, so that it is one place
TOPIC = "danger"
How: TypeAlias = Literal["hurt", "nearly", "died"]
KEPT: Mapping[str, timedelta] = {
    "hurt": timedelta(days=14),
    "nearly": timedelta(days=60),
    "died": timedelta(days=180),
    "reached": timedelta(days=180),
    "failed": timedelta(days=30),
    "found": timedelta(days=60),
}
"""So long each holds, unless it is learnt again: what is missing today may be there tomorrow."""
MOST_TOLD = 6  # steps that a lesson names
_FINDS = frozenset({"gather", "hunt", "shear", "milk", "fill", "fish", "pick_up"})
_NO_FAULT = frozenset(
    {"stopped", "replaced", "paused", "closing", "disconnected", "deadline", "stuck", "internal"}
)
"""Reasons that say nothing of the goal."""
LOOKED_WITHIN_S = 1.0
AT_A_PLACE = 32.0  # blocks around, what happens is remembered with the place
MOST_STEPS = 100  # of goals under way
LOOKS_EVERY = timedelta(minutes=1)
"""So often a bot notes at which place it is."""


@dataclass(frozen=True, slots=True)
class Danger:
    """One time that a bot was hurt badly enough to remember it."""

    how: How
    words: str
    """As happened at a place: a zombie hurt me there."""
    entry: Entry
    position: Position
    dimension: str
    at: datetime


class Dangers:
    """Makes of blows and deaths what is worth remembering, for one bot."""

    def __init__(self, source_of_name: Callable[[Person], Sources]) -> None:
        self._source_of_name = source_of_name
        self._known_at: dict[tuple[How, Cause | None], datetime] = {}

    def learn(self, event: BotHurt | BotDied) -> Danger | None:
        """What a blow or a death teaches; None where it is nothing new, or a scratch. A hurt that
        is a guess teaches nothing, and no entry tells a guess without its `perhaps`."""
        sources = FACTS
        if event.cause is not None and event.cause.kind == "player":
            sources = self._source_of_name(Person(PlayerName(event.cause.name)))
        if isinstance(event, BotDied):
            return _danger("died", event, event.death.position, sources)
        is_known = event.cause is not None and event.cause.how != "guessed"
        if event.health <= 0:
            return None  # the death follows
        how: How = "nearly" if event.health <= NEARLY else "hurt"
        if how == "hurt" and (not is_known or event.lost < WORTH_KNOWING):
            return None
        recent = {one: at for one, at in self._known_at.items() if event.at - at < AGAIN_AFTER}
        self._known_at = {**recent, (how, event.cause): event.at}
        is_new = (how, event.cause) not in recent
        return _danger(how, event, event.position, sources) if is_new else None


def _danger(how: How, event: BotHurt | BotDied, position: Position, sources: Sources) -> Danger:
    at = position.block
    place = f"at {at.x:g} {at.y:g} {at.z:g}"  # of a death the very block, where its things lie
    if how != "died":
        x, y, z = (round(n / AROUND) * AROUND for n in (at.x, at.y, at.z))
        place = f"around {x:g} {y:g} {z:g}"
    where = f"{place} in the {event.dimension}"
    is_guess = event.cause is not None and event.cause.how == "guessed"
    about = set[Tag]()  # a guess is about nobody
    if event.cause is not None and not is_guess and event.cause.kind != "thing":
        about = {tag("player" if event.cause.kind == "player" else "mob", event.cause.name)}
    entry = Entry(
        f"{_told(how, event.cause, where)}.",
        sources,
        "insight",
        TOPIC,
        tags=frozenset(about),
        situations=frozenset({event.dimension} - {"overworld"}),
        learnt_from="concluded" if is_guess else "seen",
        expires_at=event.at + KEPT[how],
    )
    words = _told(how, event.cause, "near there").removesuffix(UNKNOWN)  # a card adds when
    return Danger(how, words, entry, position, event.dimension, event.at)


def _told(how: How, cause: Cause | None, where: str) -> str:
    if how == "died":
        return f"I died {where}{of_what(cause)}"
    did = "nearly killed me" if how == "nearly" else "hurt me"
    told = f"{'something' if cause is None else doer(cause)} {did} {where}"
    return told[:1].upper() + told[1:]


class Lesson(NamedTuple):
    """Something a bot found out, and what it takes the place of."""

    entry: Entry
    instead_of: frozenset[KnowledgeType]


@runtime_checkable
class TellsTime(Protocol):
    """The result of a goal that is reached."""

    @property
    def took_s(self) -> float: ...


def lessons_of(event: JobFinished, steps: Sequence[StepDone], now: datetime) -> Iterator[Lesson]:
    """What the end of a goal teaches; `steps` are those that were done for it."""
    if not event.goal:
        return
    yield from (_until(one, "found", now) for one in _found(steps))
    if isinstance(event.result, Failure):
        yield from (_until(one, "failed", now) for one in _failed(event, event.result))
    elif isinstance(event.result, TellsTime) and any(one.produces for one in steps):
        yield _until(_reached(event, event.result.took_s, steps), "reached", now)


def _until(lesson: Lesson, kind: str, now: datetime) -> Lesson:
    return lesson._replace(entry=replace(lesson.entry, expires_at=now + KEPT[kind]))


def _reached(event: JobFinished, took_s: float, steps: Sequence[StepDone]) -> Lesson:
    """What it took; it is known by now how what failed before is done."""
    done = dict.fromkeys(f"{one.action} {one.thing}" for one in steps)
    named = ", ".join(list(done)[:MOST_TOLD]).replace("_", " ")
    entry = Entry(
        f"{event.goal} took me {duration(took_s)}: {named}.",
        event.sources,
        "strategy",
        event.goal,
        tags=_items(item for one in steps for item in one.produces),
        situations=frozenset({"goal"}),
        learnt_from="seen",
    )
    return Lesson(entry, frozenset({"strategy", "insight"}))


def _failed(event: JobFinished, result: Failure) -> Iterator[Lesson]:
    """What was missing, or in the way."""
    if result.reason in _NO_FAULT:
        return
    missing = (str(one["item"]) for one in result.data.get("missing", ()) if "item" in one)
    entry = Entry(
        f"I failed to get {event.goal}: {result.message}",
        event.sources,
        "insight",
        event.goal,
        tags=_items([*missing, *event.goal.split()]),
        situations=frozenset({"goal"}),
        learnt_from="seen",
    )
    yield Lesson(entry, frozenset({"insight"}))


def _found(steps: Iterable[StepDone]) -> Iterator[Lesson]:
    """Where it found what it did not make: of each thing the last place."""
    for one in {step.thing: step for step in steps if step.action in _FINDS}.values():
        at = one.position.block
        where = f"{at.x:g} {at.y:g} {at.z:g} in the {one.dimension}"
        entry = Entry(
            f"I found {one.thing} near {where}.",
            FACTS,
            "insight",
            f"where {one.thing} is",
            tags=_items([one.thing, *one.produces]),
            learnt_from="seen",
        )
        yield Lesson(entry, frozenset({"insight"}))


def _items(names: Iterable[str]) -> frozenset[Tag]:
    return frozenset(tag("item", name) for name in names if name.replace("_", "").isalpha())


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
            case ItemGiven(player=player, item=item, count=count, meant_for=None):
                self._facts += self._changed_hands("gave", player, item, count)
            case BotHurt() | BotDied():
                self._hurts.append(event)
        self._cards.due.set()

    def _handed_over(self, event: JobFinished) -> Iterator[Fact]:
        """What people took of it, also where not all of it came to whom it was for."""
        item, taken = "", dict[str, int]()
        match event.result:
            case TellsHandOver(item_name=item, taken=picked_up):
                taken = dict(picked_up)
            case Failure(reason="not_received" | "not_recognised", data={"taken": _} as data):
                item, taken = str(data["itemName"]), data["taken"]
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
        world = await in_time(self._bot.snapshot(), LOOKED_WITHIN_S)
        is_night = world is not None and not world.is_day
        situations = danger.entry.situations | ({"night"} if is_night else set())
        await self._bot.knowledge.add(replace(danger.entry, situations=situations))
        place = _nearest(self._bot, danger.position, danger.dimension)
        if place is None:
            return []
        sources = danger.entry.sources
        return [Fact(_of(place), "happened", danger.words, danger.at, sources)]

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


def _nearest(bot: Bot, position: Position, dimension: str) -> Location | None:
    here = [one for one in bot.locations.all() if one.dimension == dimension]
    near = min(here, key=lambda one: position.distance_to(one.position), default=None)
    is_near = near is not None and position.distance_to(near.position) <= AT_A_PLACE
    return near if is_near else None
