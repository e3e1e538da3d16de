"""What the idle bots of a daemon share: their news, who is here, when a bot is free, and what bots
come back to of their own accord: what people wished for, what talks were about, what people want to
be called. Only what everybody who hears it may know.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple

from bots.access.origin import KnownBots, Person, is_operator
from bots.access.sources import MayKnow, Sources
from bots.access.visibility import hearers_of
from bots.bot.bot import Bot
from bots.chat.attendance import Attendance
from bots.chat.turn_taking import PersonTalk
from bots.clock import Stopwatch, Times
from bots.idle.doings import IdleDoing
from bots.idle.seen import (
    Came,
    HourTurned,
    Left,
    News,
    SawFellow,
    Seen,
    TalkedOf,
    WeatherTurned,
    Wished,
)
from bots.knowledge.cards.card import cards_of
from bots.knowledge.cards.fact import of_person
from bots.responder.case.wording import part_of_day
from bots.skills.idle import WATCH
from bots.text.printable import excerpt
from bridge.world import PlayerName, Weather, WorldSnapshot

AGAIN_AFTER_S = 1_800.0
"""The same words of a person are spoken of again no sooner."""
LONGEST = 90  # characters that are repeated
SHORTEST = 8
LIVELY_FOR_S = 1_800.0  # after a person was last here
DULL = 10.0  # times as seldom things are done and said after that
LEAST_HEALTH = 10.0  # half-hearts: hurt, it stays where it is and keeps quiet
MET_WITHIN = 24.0  # blocks
FELLOW_IN_VIEW = 24.0  # blocks within which a bot notices what a fellow does
NOTICED = 0.1  # how often it does


@dataclass(frozen=True, slots=True)
class Memory:
    """Something a bot may come back to, and where the words come from."""

    seen: Seen
    sources: Sources
    at: datetime


class Memories:
    """Of all bots of a daemon, found on their cards and in their histories."""

    def __init__(self, bots: Container[str], stopwatch: Stopwatch) -> None:
        self._bots, self._stopwatch = bots, stopwatch
        self._told_at: dict[str, float] = {}

    def of(self, bot: Bot, people: Iterable[str]) -> Memory | None:
        """The newest that these people may hear of and that was not spoken of lately."""
        may_know = _known_to(bot, people)
        wishes = (one for person in cards_of(bot).persons for one in _wishes(bot, person, may_know))
        known = [*wishes, *self._asked(bot, may_know)]
        return self._told(sorted(known, key=lambda one: one.at, reverse=True))

    def wish_of(self, bot: Bot, person: str) -> Memory | None:
        """What somebody wished for, to be told to them alone."""
        wishes = list(_wishes(bot, person, _known_to(bot, [person])))[::-1]
        found = self._told(wishes)
        if found is None or not isinstance(found.seen, Wished):
            return None
        return replace(found, seen=replace(found.seen, is_here=True))

    def name_of(self, bot: Bot, person: str, people: Iterable[str]) -> tuple[str, Sources] | None:
        """What somebody wants to be called, if these people may know it."""
        facts = cards_of(bot).facts(of_person(person), _known_to(bot, people))
        names = [one for one in facts if one.kind == "called" and one.teller == person]
        return (names[-1].words, names[-1].sources) if names else None

    def _asked(self, bot: Bot, may_know: MayKnow) -> Iterator[Memory]:
        """What persons asked in talks."""
        for message in bot.attended_history():
            said, words = message.utterance, message.text or ""
            asks = words.rstrip().endswith(("?", "？")) and SHORTEST <= len(words) <= LONGEST
            is_of_talk = said.talk is not None and (
                message.was_said
                and message.role == "user"
                and message.speaker not in self._bots
                and not is_operator(message.speaker)
            )
            if asks and is_of_talk and may_know(said.sources):
                seen = TalkedOf(said.speaker, excerpt(words, LONGEST))
                yield Memory(seen, said.sources, message.heard_at)

    def _told(self, newest_first: Iterable[Memory]) -> Memory | None:
        """The first of these that was not spoken of lately; now it is."""
        now = self._stopwatch()
        self._told_at = {w: at for w, at in self._told_at.items() if now - at < AGAIN_AFTER_S}
        found = next((one for one in newest_first if _words(one) not in self._told_at), None)
        if found is not None:
            self._told_at[_words(found)] = now
        return found


def _known_to(bot: Bot, people: Iterable[str]) -> MayKnow:
    level_of = bot.permissions.level_of
    hearers = hearers_of([Person(PlayerName(name)) for name in people], level_of)
    return lambda sources: sources.is_for(hearers)


def _wishes(bot: Bot, person: str, may_know: MayKnow) -> Iterator[Memory]:
    """What somebody said they want or like, oldest first."""
    for fact in cards_of(bot).facts(of_person(person), may_know):
        is_own = fact.teller == fact.about.name
        if fact.kind in ("wishes", "likes") and len(fact.said) >= SHORTEST and is_own:
            yield Memory(Wished(person, fact.said), fact.sources, fact.at)


def _words(memory: Memory) -> str:
    return memory.seen.words if isinstance(memory.seen, Wished | TalkedOf) else ""


class _Sky(NamedTuple):
    world: str
    """One of several that a server has; '' where it has one."""
    weather: Weather
    part: str
    """Of the day."""


@dataclass(slots=True)
class IdleCompany:
    """Shared by the idle lives of all bots and their small talk."""

    bots: Callable[[], Sequence[Bot]]
    """Those in the world."""
    known_bots: KnownBots
    attendance: Attendance
    persons: PersonTalk
    times: Times
    is_ours: bool
    """Whether the server is ours alone: elsewhere nothing is taken."""
    news: News = field(init=False)
    doing: dict[str, IdleDoing] = field(default_factory=dict)
    """What each bot does of its own accord now."""
    asked_s: dict[str, float] = field(default_factory=dict)
    """When each person was last asked whose a place is."""
    people: frozenset[str] = frozenset()
    """The persons on the server: those on the list of any bot that is there."""
    _listed: dict[str, frozenset[str]] = field(default_factory=dict)
    _met: set[str] = field(default_factory=set)
    _person_here_s: float = field(init=False)
    _skies: dict[str, _Sky] = field(default_factory=dict)
    """As each bot saw it last."""
    _told_skies: dict[str, _Sky] = field(default_factory=dict)
    """Of each world, as the news have it."""

    def __post_init__(self) -> None:
        self.news = News(self.times.stopwatch)
        self._person_here_s = self.times.stopwatch()

    @property
    def pace(self) -> float:
        """By how much pauses are longer than usual: nobody sees what bots do for themselves."""
        alone_s = self.times.stopwatch() - self._person_here_s
        return DULL if alone_s > LIVELY_FOR_S and not self.people else 1.0

    def is_free(self, bot: Bot) -> bool:
        """Whether nobody wants anything of a bot: no work, no talk, nothing that was asked; and no
        danger either."""
        return (
            bot.jobs.is_free
            and bot.actions.is_calm
            and not bot.agenda.goals
            and not bot.pastimes.is_at(WATCH)
            and not self.attendance.is_taken(bot.name)
            and not self.attendance.is_elsewhere(bot.name)
            and not self.persons.going_on(bot.name)
        )

    def look(self, bot: Bot, world: WorldSnapshot) -> None:
        """Take in what a bot senses; what is new becomes news."""
        self._look_for_people(bot, world)
        self._look_at_the_sky(bot, world)
        for fellow in self.bots():
            seen = world.player(fellow.name)
            distance = None if seen is None else world.distance_to(seen)
            own, doing = self.doing.get(fellow.name), None
            if not fellow.jobs.is_free:
                doing = SawFellow(fellow.name, "working")
            elif own is not None:
                doing = SawFellow(fellow.name, own.kind, own.what)
            if distance is None or distance > FELLOW_IN_VIEW or doing is None:
                continue
            if doing.what != bot.name and self.times.rng.random() < NOTICED:
                self.news.add(bot.name, doing)

    def _look_for_people(self, bot: Bot, world: WorldSnapshot) -> None:
        here = frozenset(str(one.name) for one in world.players if one.name not in self.known_bots)
        people, cards = self._on_any_list(bot, here), cards_of(bot)
        for person in people - self.people:
            has_met = person in self._met or cards.meeting(person) is not None
            self.news.add(bot.name, Came(person, has_met, cards.absences.untold_days(person)))
        for person in self.people - people:
            if person not in self.known_bots:  # it turned out to be a bot
                self.news.add(bot.name, Left(person))
        self._met |= here
        self.people = people
        for one in world.players:
            distance = world.distance_to(one)
            if one.name in here and distance is not None and distance <= MET_WITHIN:
                cards.met(str(one.name), self.times.clock())
        if here:
            self._person_here_s = self.times.stopwatch()

    def _on_any_list(self, bot: Bot, here: frozenset[str]) -> frozenset[str]:
        """Player lists differ: a plugin hides somebody from some, or two join in one tick."""
        there = {one.name for one in self.bots()}
        self._listed = {name: seen for name, seen in self._listed.items() if name in there}
        self._listed[bot.name] = here
        return here.union(*self._listed.values()) - self.known_bots.names

    def _look_at_the_sky(self, bot: Bot, world: WorldSnapshot) -> None:
        if world.dimension.removeprefix("minecraft:") != "overworld":
            return
        sky = _Sky(world.world, world.weather, part_of_day(world.time_of_day, "en"))
        if self._skies.get(bot.name) == sky:
            return  # another bot may have seen the change a moment before
        self._skies[bot.name] = sky
        told = self._told_skies.get(world.world, _Sky(world.world, "clear", ""))
        self._told_skies[world.world] = sky
        if sky.weather != told.weather:
            self.news.add(bot.name, WeatherTurned(sky.weather))
        if sky.part != told.part:
            self.news.add(bot.name, HourTurned(world.time_of_day))
