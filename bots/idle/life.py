"""The idle life of one bot: it looks around and, when nobody wants anything of it, does something.

What it does is an idle job: any command, goal, talk or person's word ends it at once.
"""

from __future__ import annotations

import math

import structlog

from bots.bot.bot import Bot
from bots.bot.jobs import Job, JobSpec
from bots.bot.looking import in_time
from bots.bot.result import Result
from bots.idle.bases import Bases
from bots.idle.company import IdleCompany
from bots.idle.doings import IdleDoing, Surroundings, choose, visit
from bots.idle.seen import SAME_S, Came, KeptCompany, SawAnimals, SawBlock, Seen
from bots.registry.failures import failure_of
from bots.responder.case.persona import PersonaFiles
from bots.settings.idle import IdleSettings
from bridge.actions import FindBlocks
from bridge.errors import BotError
from bridge.world import PlayerName, Position, WorldSnapshot

log = structlog.get_logger()

LOOK_EVERY_S = 3.0
BOTS_AT_THAT_PACE = 10  # with more, each looks less often
LOOKED_WITHIN_S, PLANNED_WITHIN_S = 1.0, 3.0
DOING_WITHIN_S = 60.0
LEAST_HEALTH = 10.0  # half-hearts: hurt, it stays where it is
MOST_AT_ONCE = 8
"""Bots of a daemon that do something of their own accord at the same time."""
FIELD_SIDE = 4  # blocks that a way may lead beyond its end
GREETING_FROM = 5.0  # blocks: one goes to meet who comes


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
            await self._times.sleep(self._until_next_look_s())
            world = await in_time(self._bot.snapshot(), LOOKED_WITHIN_S)
            if world is None:
                continue
            self._company.look(self._bot, world)
            if self._settings.enabled and self._settings.ask_about_builds:
                await self._asked_about(world)
            if self._is_time(world):
                await self._do_something(world)

    async def _asked_about(self, world: WorldSnapshot) -> None:
        """Ask whose it is what people have built here, once."""
        try:
            await self._bases.look(world)
        except BotError as error:  # as it leaves the world
            log.info("base.not_asked", bot=self._bot.name, why=str(error))

    def _until_next_look_s(self) -> float:
        crowd = max(1.0, len(self._company.bots()) / BOTS_AT_THAT_PACE)
        return LOOK_EVERY_S * crowd * self._times.rng.uniform(0.5, 1.5)

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
            await self._do(doing)
        every_s = self._settings.every_s * self._company.pace
        self._next_at_s = self._times.stopwatch() + every_s * self._times.rng.uniform(0.5, 1.5)

    async def _choose(self, world: WorldSnapshot) -> IdleDoing | None:
        roam = await self._roam()
        if roam and (person := self._to_meet(world)) is not None:
            return visit(person)
        temperament = (await self._personas.current(self._bot.name)).temperament
        return await choose(self._surroundings(world, roam), temperament)

    async def _roam(self) -> float:
        """Blocks from home that it may go now; near a field none, as it could trample the crops."""
        roam = self._settings.roam
        fields = await self._bot.query(FindBlocks(("farmland",), math.ceil(roam) + FIELD_SIDE, 1))
        return 0.0 if fields else roam

    def _to_meet(self, world: WorldSnapshot) -> PlayerName | None:
        """A person who came, is in view, and whom this bot is to greet."""
        for item in self._company.news.fresh():
            if isinstance(item.seen, Came) and item.by == self._bot.name:
                player = world.player(item.seen.person)
                distance = None if player is None else world.distance_to(player)
                if player and distance and GREETING_FROM <= distance <= self._bot.hearing_range:
                    return player.name
        return None

    def _surroundings(self, world: WorldSnapshot, roam: float) -> Surroundings:
        company = self._company
        return Surroundings(
            self._bot,
            world,
            self._home_at(world.position),
            roam,
            company.is_ours and self._settings.gather,
            frozenset({*(one.name for one in company.bots()), *company.known_bots.elsewhere}),
            self._seen_lately(),
            frozenset(doing.what for doing in company.doing.values()),
            self._times.rng,
        )

    def _seen_lately(self) -> frozenset[str]:
        now = self._times.stopwatch()
        return frozenset(kind for kind, at in self._looked_at.items() if now - at < SAME_S)

    def _home_at(self, here: Position) -> Position:
        """Where it was when somebody last wanted something of it."""
        left_s = self._times.stopwatch() - self._bot.leisure.free_for_s
        if self._home is None or left_s > self._home_since_s:
            self._home, self._home_since_s = here, self._times.stopwatch()
        return self._home

    async def _do(self, doing: IdleDoing) -> None:
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
