"""The idle life of one bot: it looks around and, when nobody wants anything of it, does something.

What it does is an idle job: any command, goal, talk or person's word ends it at once. Where it sees
that people have built, it asks once whose it is:

much masonry ─▶ somebody trusted is near, and nothing else is open ─▶ “Is this your base?”
                                                          a yes ─▶ an area that is left alone
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import structlog

from bots.access.origin import Level, Person
from bots.access.sources import FACTS
from bots.bot.bot import Bot
from bots.bot.built import is_masonry
from bots.bot.jobs import Job, JobSpec
from bots.bot.looking import in_time
from bots.bot.result import Result
from bots.idle.company import LEAST_HEALTH, IdleCompany
from bots.idle.doings import IdleDoing, Surroundings, choose, visit
from bots.idle.seen import SAME_S, Came, KeptCompany, SawAnimals, SawBlock, Seen
from bots.idle.small_talk import language_for
from bots.registry.render import failure_of
from bots.responder.asking_back import AskedFor, Confirmations
from bots.responder.case.inbox import PendingTurn
from bots.responder.case.persona import PersonaFiles
from bots.settings.settings import IdleSettings
from bots.words import sentence
from bridge.actions import FindBlocks
from bridge.errors import BotError
from bridge.world import BlockSighting, PlayerName, PlayerSighting, Position, WorldSnapshot

log = structlog.get_logger()

LOOK_EVERY_S = 3.0
BOTS_AT_THAT_PACE = 10  # with more, each looks less often
LOOKED_WITHIN_S, PLANNED_WITHIN_S = 1.0, 3.0
DOING_WITHIN_S = 60.0
MOST_AT_ONCE = 8
"""Bots of a daemon that do something of their own accord at the same time."""
FIELD_SIDE = 4  # blocks that a way may lead beyond its end
GREETING_FROM = 5.0  # blocks: one goes to meet who comes
FREE_FOR_S = 30.0
"""So long nobody wanted anything of the bot."""
AGAIN_AFTER_S = 120.0
"""Between two questions to one person, of any bots."""
WORKS_EVERY_S, WORKS_WITHIN_S = 20.0, 2.0
WORKS_AROUND = 16
"""Blocks around in which it looks for works."""
ENOUGH, MOST = 12, 256
"""Blocks of masonry that tell of people, and that are read."""
FORBID = "area_forbid"


class IdleLife:
    """Lives for one bot. `run` is owned by the daemon."""

    def __init__(
        self, bot: Bot, company: IdleCompany, personas: PersonaFiles, settings: IdleSettings
    ) -> None:
        self._bot, self._company, self._personas, self._settings = bot, company, personas, settings
        self._bases = Bases(bot, company, personas)
        self._times = company.times
        self._home: Position | None = None
        self._home_since_s = 0.0
        self._next_at_s = 0.0
        self._looked_at: dict[str, float] = {}
        """When it last went to see a kind of block or animal, or a person."""

    async def run(self) -> None:
        """Look and do things until cancelled."""
        while True:
            crowd = max(1.0, len(self._company.bots()) / BOTS_AT_THAT_PACE)
            await self._times.sleep(LOOK_EVERY_S * crowd * self._times.rng.uniform(0.5, 1.5))
            world = await in_time(self._bot.snapshot(), LOOKED_WITHIN_S)
            if world is None:
                continue
            self._company.look(self._bot, world)
            if self._settings.enabled and self._settings.ask_about_builds:
                try:
                    await self._bases.look(world)
                except BotError as error:  # as it leaves the world
                    log.info("base.not_asked", bot=self._bot.name, why=str(error))
            if self._is_time(world):
                await self._do_something(world)

    def _is_time(self, world: WorldSnapshot) -> bool:
        return (
            self._settings.enabled
            and self._is_free()
            and world.health >= LEAST_HEALTH
            and self._times.stopwatch() >= self._next_at_s
            and len(self._company.doing) < MOST_AT_ONCE
        )

    def _is_free(self) -> bool:
        bot = self._bot
        is_left_alone = bot.leisure.free_for_s >= self._settings.after_s and not bot.leisure.stays
        is_still = bot.jobs.all_over and not bot.is_at_work
        return is_left_alone and is_still and self._company.is_free(bot)

    async def _do_something(self, world: WorldSnapshot) -> None:
        doing = await in_time(self._choose(world), PLANNED_WITHIN_S)
        if doing is not None and self._is_free():
            told: list[Seen] = []

            async def work(job: Job) -> Result:
                if (seen := await doing.work(job)) is not None:
                    told.append(seen)
                return Result()

            spec = JobSpec(doing.shown, work, failure_of, DOING_WITHIN_S, is_idle=True)
            self._company.doing[self._bot.name] = doing
            self._bot.leisure.does(doing.shown)
            try:
                await self._bot.jobs.begin(spec).wait()
            finally:
                del self._company.doing[self._bot.name]
            for seen in told:
                self._company.news.add(self._bot.name, seen)
                if isinstance(seen, SawBlock | SawAnimals | KeptCompany):
                    self._looked_at[doing.what] = self._times.stopwatch()
        every_s = self._settings.every_s * self._company.pace
        self._next_at_s = self._times.stopwatch() + every_s * self._times.rng.uniform(0.5, 1.5)

    async def _choose(self, world: WorldSnapshot) -> IdleDoing | None:
        roam = self._settings.roam
        fields = await self._bot.query(FindBlocks(("farmland",), math.ceil(roam) + FIELD_SIDE, 1))
        if fields:  # it could trample the crops
            roam = 0.0
        if roam and (person := self._to_meet(world)) is not None:
            return visit(person)
        temperament = (await self._personas.current(self._bot.name)).temperament
        company = self._company
        now = self._times.stopwatch()
        # Home is where it was when somebody last wanted something of it.
        left_s = self._times.stopwatch() - self._bot.leisure.free_for_s
        if self._home is None or left_s > self._home_since_s:
            self._home, self._home_since_s = world.position, self._times.stopwatch()
        return await choose(
            Surroundings(
                self._bot,
                world,
                self._home,
                roam,
                company.is_ours and self._settings.gather,
                company.known_bots.names,
                frozenset(kind for kind, at in self._looked_at.items() if now - at < SAME_S),
                frozenset(doing.what for doing in company.doing.values()),
                self._times.rng,
            ),
            temperament,
        )

    def _to_meet(self, world: WorldSnapshot) -> PlayerName | None:
        """A person who came, is in view, and whom this bot is to greet."""
        for item in self._company.news.fresh():
            if isinstance(item.seen, Came) and item.by == self._bot.name:
                player = world.player(item.seen.person)
                distance = None if player is None else world.distance_to(player)
                if player and distance and GREETING_FROM <= distance <= self._bot.hearing_range:
                    return player.name
        return None


@dataclass(slots=True)
class Bases:
    """The questions of one bot."""

    bot: Bot
    company: IdleCompany
    personas: PersonaFiles
    _looked_at_s: float = -math.inf

    async def look(self, world: WorldSnapshot) -> None:
        """Ask somebody near, if there is something to ask."""
        confirmations = self.bot.services.get(Confirmations)
        if confirmations is None or not self._is_time(world):
            return
        person = self._whom(world, confirmations)
        if person is None:
            return
        self._looked_at_s = self.company.times.stopwatch()
        works = await in_time(self._works(world), WORKS_WITHIN_S) or ()
        if len(works) >= ENOUGH and self._is_time_of_peace():
            parts = zip(
                *((one.position.x, one.position.y, one.position.z) for one in works), strict=True
            )
            middle = Position(*(sum(part) // len(works) for part in parts))
            await self._ask(person, world.dimension, middle, confirmations)

    def _is_time(self, world: WorldSnapshot) -> bool:
        since_s = self.company.times.stopwatch() - self._looked_at_s
        is_asked = self.bot.areas.asked.has(world.dimension, world.position)
        return since_s >= WORKS_EVERY_S and not is_asked and self._is_time_of_peace()

    def _is_time_of_peace(self) -> bool:
        is_left_alone = self.bot.leisure.free_for_s >= FREE_FOR_S
        return is_left_alone and not self.bot.quiet and self.company.is_free(self.bot)

    def _whom(self, world: WorldSnapshot, confirmations: Confirmations) -> PlayerName | None:
        """An owner in earshot, or else somebody trusted, who was not asked anything just now."""

        def level(player: PlayerSighting) -> Level:
            return self.bot.permissions.level_of(Person(player.name))

        def far(player: PlayerSighting) -> float:
            distance = world.distance_to(player)
            return math.inf if distance is None else distance

        now_s = self.company.times.stopwatch()
        near = [
            one
            for one in world.players
            if one.name not in self.company.known_bots
            and far(one) <= self.bot.hearing_range
            and level(one) >= Level.TRUSTED
            and not confirmations.is_open(Person(one.name))
            and now_s - self.company.asked_s.get(one.name, -math.inf) >= AGAIN_AFTER_S
        ]
        found = min(near, key=lambda one: (-level(one), far(one)), default=None)
        return None if found is None else found.name

    async def _works(self, world: WorldSnapshot) -> Sequence[BlockSighting]:
        """Masonry that no bot placed and of which nobody has said anything yet."""
        names = tuple(filter(is_masonry, (await self.bot.catalogue()).blocks))
        found = await self.bot.query(FindBlocks(names, WORKS_AROUND, MOST))
        ours = self.bot.placements.everyones(world.dimension)
        areas = self.bot.areas
        return [
            one
            for one in found
            if one.position not in ours and areas.at(world.dimension, one.position) is None
        ]

    async def _ask(
        self, person: PlayerName, dimension: str, at: Position, confirmations: Confirmations
    ) -> None:
        stopwatch, origin = self.company.times.stopwatch, Person(person)
        self.company.asked_s[person] = stopwatch()
        await self.bot.areas.asked.add(dimension, at)
        name, number = f"{person}'s base", 2
        while self.bot.areas.find(name) is not None:
            name, number = f"{person}'s base {number}", number + 1
        fields = {"name": name, "coords": [at.x, at.y, at.z]}
        turn = PendingTurn(person, origin, stopwatch())
        confirmations.ask(turn, AskedFor(FORBID, fields, Level.TRUSTED, None))
        persona = await self.personas.current(self.bot.name)
        words = sentence("asking.is_yours", language_for(self.bot, (person,), persona))
        said = await self.bot.tell(person, words, self.bot.hearing_range, sources=FACTS)
        if said.success:
            confirmations.said(origin, self.bot.last_said_s(person))
        else:
            confirmations.drop(origin)
