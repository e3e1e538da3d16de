"""What the idle bots of a daemon share: their news, who is here, and when a bot is free."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bots.access.known_bots import KnownBots
from bots.bot.bot import Bot
from bots.chat.attendance import Attendance
from bots.chat.turn_taking import PersonTalk
from bots.clock import Times
from bots.idle.doings import IdleDoing
from bots.idle.memories import bot_cards
from bots.idle.seen import Came, HourTurned, Left, News, SawFellow, WeatherTurned
from bots.responder.case.wording import part_of_day
from bots.skills.idle import WATCH
from bridge.world import Weather, WorldSnapshot

LIVELY_FOR_S = 1_800.0  # after a person was last here
DULL = 10.0  # times as seldom things are done and said after that
MET_WITHIN = 24.0  # blocks
FELLOW_IN_VIEW = 24.0  # blocks within which a bot notices what a fellow does
NOTICED = 0.1  # how often it does


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
        """Whether nobody wants anything of a bot: no work, no talk, nothing that was asked."""
        return (
            bot.jobs.is_free
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
        self._look_at_fellows(bot, world)

    def _look_for_people(self, bot: Bot, world: WorldSnapshot) -> None:
        here = frozenset(str(one.name) for one in world.players if one.name not in self.known_bots)
        people = self._on_any_list(bot, here)
        for person in people - self.people:
            self.news.add(bot.name, self._came(bot, person))
        for person in self.people - people:
            if person not in self.known_bots:  # it turned out to be a bot
                self.news.add(bot.name, Left(person))
        self._met |= here
        self.people = people
        self._meet(bot, world)
        if here:
            self._person_here_s = self.times.stopwatch()

    def _on_any_list(self, bot: Bot, here: frozenset[str]) -> frozenset[str]:
        """Player lists differ: a plugin hides somebody from some, or two join in one tick."""
        there = {one.name for one in self.bots()}
        self._listed = {name: seen for name, seen in self._listed.items() if name in there}
        self._listed[bot.name] = here
        return here.union(*self._listed.values()) - self.known_bots.names

    def _came(self, bot: Bot, person: str) -> Came:
        """A person is here whom the bot may have met, perhaps long ago."""
        cards = bot_cards(bot)
        has_met = person in self._met or cards.meeting(person) is not None
        return Came(person, has_met, cards.absences.untold_days(person))

    def _meet(self, bot: Bot, world: WorldSnapshot) -> None:
        """Note on their cards who is near."""
        cards, now = bot_cards(bot), self.times.clock()
        for one in world.players:
            distance = world.distance_to(one)
            if one.name not in self.known_bots and distance is not None and distance <= MET_WITHIN:
                cards.met(str(one.name), now)

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

    def _look_at_fellows(self, bot: Bot, world: WorldSnapshot) -> None:
        for fellow in self.bots():
            seen = world.player(fellow.name)
            distance = None if seen is None else world.distance_to(seen)
            doing = self._doing_of(fellow)
            if distance is None or distance > FELLOW_IN_VIEW or doing is None:
                continue
            if doing.what != bot.name and self.times.rng.random() < NOTICED:
                self.news.add(bot.name, doing)

    def _doing_of(self, bot: Bot) -> SawFellow | None:
        """What a bot is seen doing."""
        if not bot.jobs.is_free:
            return SawFellow(bot.name, "working")
        doing = self.doing.get(bot.name)
        return None if doing is None else SawFellow(bot.name, doing.kind, doing.what)
