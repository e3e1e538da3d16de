"""The reflexes of one bot: they take its body for a moment, and give it back.

event of the world ─▶ choose the most urgent reaction ─▶ the action under way is interrupted
                       ▲                                          │
                       └── look again ◀── do it ◀─────────────────┘
                       nothing is called for ─▶ the job goes on from where it stood

Monsters, harm, night, blows and hunger come as events; only at night, when hungry, until the land
around is known, and while it cannot come out of its hole, a bot looks again now and then. Dug in or
in bed it keeps its body until day, or until somebody wants something of it. `!stop` ends no reflex.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Awaitable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

import structlog

from bots.access.sources import FACTS
from bots.bot.bot import Bot
from bots.bot.consequences import falls
from bots.bot.deaths import LIE_FOR_S, bag
from bots.bot.events import BotEvent, ThingsFetched
from bots.bot.jobs import Job, JobSpec
from bots.bot.perils import NEARLY
from bots.bot.result import Result
from bots.catalogue.counted import mob_name
from bots.errors import ActionFailed, CommandError
from bots.observability.trace import TraceLog
from bots.owned_tasks import OwnedTasks, until_first
from bots.reflexes.choosing import (
    ARMED_AGAINST,
    CREEPER,
    FRUITLESS,
    SHOT_FROM,
    SHOT_TO,
    Reaction,
    Senses,
    choose,
    is_archer,
    is_hungry,
    minded_at,
    threats,
)
from bots.reflexes.surroundings import (
    WATER,
    away_from,
    has_way_out,
    is_at_thorns,
    is_in_sight,
    out_of_harm,
    to_breathe,
)
from bots.registry.render import failure_of
from bots.settings.world import SurvivalSettings
from bots.skills.belongings import best_food
from bots.skills.reach import OPEN_AIR, above, below, foot, sides
from bots.skills.reckoning import (
    BEASTS,
    MONSTERS,
    NEUTRAL,
    SWIMMERS,
    UNKNOWN,
    best_weapon,
    fighter,
    reckon,
)
from bots.skills.sheltering import Act, Shelter, is_roofed, shelter_around, take_shelter
from bots.skills.sleeping import bed_of_ours
from bots.skills.walking import EARTH
from bots.text.language import language_of
from bots.words import sentence
from bridge.actions import (
    Action,
    Attack,
    Dig,
    Eat,
    Equip,
    Fill,
    Hunt,
    MoveTo,
    Place,
    Pour,
    Shoot,
    Sleep,
    Wait,
)
from bridge.causes import Cause
from bridge.errors import BridgeError
from bridge.events import (
    LEEWAY,
    NEAR,
    ActionFinished,
    BotDied,
    BotEndangered,
    BotHurt,
    BotSpawned,
    Harm,
    HealthChanged,
    ItemGiven,
    MonstersNear,
    PlayerHurt,
)
from bridge.looking import AskWhereabouts
from bridge.world import MobSighting, PlayerName, Position, WorldSnapshot, counts_of

log = structlog.get_logger()

STEP_S = 3.0  # of one reaction, then the bot looks again
LEAVE_S = 6.0
DIG_OUT_S = 10.0
HIT_AND_RUN_S = 12.0
TRIED_S = 5.0  # for which what failed is not tried again
TRIED_LONG_S = 15.0  # the same of what takes long
LONG = ("sleep", "shelter")
WAYS_OUT = ("breathe", "leave")
ELSEWHERE = 8.0  # blocks from where it failed, at which it is worth another try
ONCE = ("wear",)  # not again at once, even if it was of use
PRICKS = ("cactus", "sweet_berry_bush", "magma_block", "freezing", "withering")
HARMED_S = 2.0  # after a loss of health for which it is still harmed
TRIED_HARMED_S = 1.0  # for which no other way out is tried then
CHASED_S = 20.0  # after a flight for which whoever comes after it chases it
NIGHT_COSTS = 3.0  # times as much as by day is work in the open, for what it may lose
QUICK_S = 40.0  # of work in the open, like getting wood, for which nobody waits until day
IN_THE_HOLE = 3.0  # blocks from its floor, as the first ring of `MonstersNear`
TOLD_TO = NEAR + LEEWAY + 1.0  # blocks from its floor to a monster, as long as it stands there
LEFT_ALONE_S = 30.0  # after the last request, until it thinks of its night
LOOK_EVERY_S = 10.0
IN_VAIN_S = 120.0  # for which a job waits for reactions that do no harm to anybody
LETS_BE_S = 60.0  # until it reacts to the same again, unhurt
NIGHT_S = 700.0  # more than a night takes: 546 s
GO_TO_BED_S = 20.0
BEDSIDE = 2.0  # blocks
STRUCK_S = 8.0  # after a blow for which whoever dealt it is an enemy
SPEAK_EVERY_S, ASK_EVERY_S = 30.0, 600.0
FLEE, STEP = 14.0, 4.0  # blocks
LOSES = 24.0  # blocks in one run after which a creeper follows no more: it sees as far as 16
PLAYER = "player"
REACHED, IN_IT = 1.0, 0.5
HOT = frozenset[Harm]({"lava", "fire", "burning"})
WATER_BUCKET, NETHER = "water_bucket", "the_nether"
PUTS_OUT_S = 1.0
HALF = 0.3  # blocks, of the width of a body
MOVED = 0.5  # blocks: less is nowhere
SELDOM = ("step_back", "starve")  # of what it speaks once in `ASK_EVERY_S`
SPOKEN_OF = ("back_away", "flee", "help", "eat", "shelter", "sleep", "stay")
SAID_WHEN_HURT = 10.0  # half-hearts: of eating it speaks only then


@dataclass(slots=True, eq=False)
class _Lost:
    """What a death cost it while nobody wanted anything of it."""

    things: Mapping[str, int]
    at: Position
    at_s: float
    is_given_up: bool = False
    """Whether it died again since: it fetches what its latest death cost."""
    is_fetched: bool = False
    """Whether it went there, and told."""


@dataclass(slots=True)
class _Felt:
    """What events told, until others tell otherwise."""

    monsters: bool = False
    harms: frozenset[Harm] = frozenset()
    harmed_s: float = -math.inf
    """When it lost health last."""
    pricked_s: float = -math.inf
    """When something without a name hurt it last; up to 1.19.3 no server names a cactus."""
    struck_s: dict[str, float] = field(default_factory=dict)
    """When a kind of creature struck it last."""
    hurt_s: dict[PlayerName, float] = field(default_factory=dict)
    """When one whom it stands by was hurt last."""
    player: str = ""
    """Who struck it, and from whom it has not stepped back yet."""
    home: Position | None = None
    """Where it stood at nothing when it fled; until it is back, or has work."""
    fled_s: float = -math.inf
    is_driven: bool = False
    """Whether it fled, dug in or died since it was day."""
    lost: _Lost | None = None
    """Until it has fetched it, or that has vanished."""
    shelter: Shelter | None = None
    work: frozenset[str] = frozenset()
    """The jobs that were under way when it dug in."""
    is_hungry: bool = False
    """Whether it would eat: what it gets to eat is told by no event."""
    is_new_here: bool = False
    """Whether it has just joined, and may stand in a shelter that it dug before."""


class Reflexes:
    """`run` is owned by the bot's session."""

    def __init__(self, bot: Bot, may: SurvivalSettings, trace: TraceLog) -> None:
        self._bot, self._may, self._trace = bot, may, trace
        self._now_s = bot.times.stopwatch
        self._felt = _Felt()
        self._tried: dict[Reaction, tuple[float, Position]] = {}
        """What failed, when and where."""
        self._fruit_s = self._gave_up_s = -math.inf
        """When a reaction had a result; when it was given up that none had."""
        self._unreached: set[Position] = set()
        """Where it made for, out of harm or danger, and went nowhere."""
        self._fetching: Job | None = None
        """The latest job that fetches what it lost."""
        self._due = asyncio.Event()
        self._spoke_s = self._now_s() - SPEAK_EVERY_S
        self._asked_s: dict[str, float] = {}
        """When a player was asked to strike it no more; under '', to give it something to eat."""
        self._tasks = OwnedTasks()

    @property
    def stays_below(self) -> bool:
        """Whether it leaves no mine without need, for the monsters of the night."""
        return "night" in self._felt.harms

    @property
    def _looks_again(self) -> bool:
        """Whether something may be called for that no event tells."""
        felt = self._felt
        could_not_come_out = felt.shelter is not None
        return "night" in felt.harms or felt.is_new_here or felt.is_hungry or could_not_come_out

    @property
    def _is_fetching(self) -> bool:
        return self._fetching is not None and self._bot.jobs.idle is self._fetching

    async def run(self) -> None:
        """React until cancelled."""
        bot = self._bot
        unsubscribe = bot.events.subscribe(self._take)
        unwatch = bot.leisure.watch(self._due.set)
        try:
            while True:
                if self._looks_again:
                    await until_first(self._due.wait(), bot.times.sleep(LOOK_EVERY_S))
                else:
                    await self._due.wait()
                self._due.clear()
                try:
                    await self._react()
                except (BridgeError, CommandError) as fault:  # as it leaves the world
                    log.info("reflex.failed", bot=bot.name, why=str(fault))
        finally:
            unwatch()
            unsubscribe()
            await self._tasks.aclose()

    def _take(self, event: BotEvent) -> None:
        match event:
            case MonstersNear(monsters=monsters):
                self._felt.monsters = bool(monsters)
                if self._lets_be(monsters):
                    return
            case BotEndangered(by=harms):
                self._felt.harms = harms
                self._felt.is_driven &= "night" in harms
            case BotHurt():
                self._take_hurt(event)
            case PlayerHurt(player=player) if self._may.help and self._bot.stands_by(player):
                self._felt.hurt_s[player] = self._now_s()
            case HealthChanged(health=health) if health > 0:
                pass
            case ItemGiven():
                pass
            case BotSpawned():
                felt = self._felt
                self._felt = _Felt(
                    lost=felt.lost,
                    is_driven=felt.is_driven,
                    shelter=felt.shelter,
                    work=felt.work,
                    is_new_here=True,
                )
            case BotDied():
                self._take_death(event)
            case _:
                return
        self._due.set()

    def _take_death(self, event: BotDied) -> None:
        of_player = event.cause is not None and event.cause.kind == "player"
        if self._may.shun and not of_player:
            self._shun(event.dimension, event.death.position)
        if (lost := self._felt.lost) is not None:
            lost.is_given_up = True
        if event.carried and self._bot.jobs.is_free and not self._is_fetching:
            lost = _Lost(counts_of(event.carried), event.death.position, self._now_s())
            self._tasks.start(self._tell_of(lost), "what lies where it died")
        night = self._felt.harms & {"night"}  # is not told anew
        self._gave_up_s = -math.inf
        self._felt = _Felt(lost=lost, is_driven=True, harms=night)

    def _take_hurt(self, event: BotHurt) -> None:
        cause, self._felt.harmed_s = event.cause, self._now_s()
        of_creature = cause is not None and cause.kind == "creature"
        if self._may.shun and of_creature and event.health <= NEARLY:
            self._shun(event.dimension, event.position)
        if cause is None or cause.name in PRICKS:
            self._felt.pricked_s = self._now_s()
        if cause is None or not _is_sure(cause):
            return
        if cause.kind == "creature":
            self._felt.struck_s[cause.name] = self._now_s()
        elif cause.kind == "player" and not self._is_no_enemy(cause.name):
            self._felt.player = cause.name

    def _shun(self, dimension: str, at: Position) -> None:
        self._tasks.start(self._bot.perils.add(dimension, at), "place to shun")

    def _lets_be(self, monsters: Iterable[MobSighting]) -> bool:
        """Whether, dug in with nothing to do before day, it minds none of these. It looks whether
        it still is there if it would mind one outside, or one is nowhere near the hole."""
        bot, shelter = self._bot, self._felt.shelter
        if shelter is None or not (self.stays_below and bot.jobs.is_free) or bot.agenda.goals:
            return False
        away = [(mob.position.distance_to(shelter.floor), minded_at(mob.name)) for mob in monsters]
        if any(far <= IN_THE_HOLE for far, _ in away):
            return False
        if any(far <= minded or far > TOLD_TO for far, minded in away):
            self._tasks.start(self._look_up(), "look out of a hole")
        return True

    async def _look_up(self) -> None:
        """React only if it is in its hole no more, or nothing is on that."""
        with suppress(BridgeError):
            here = (await self._bot.query(AskWhereabouts())).position
            if (shelter := self._felt.shelter) and not await shelter.holds(self._bot, here):
                self._due.set()

    async def _react(self) -> None:
        reaction = await self._chosen()
        if reaction is None:
            if self._felt.is_hungry:
                world = await self._bot.snapshot()
                if world.food <= 0 < world.health and await self._food(world) is None:
                    self._say(Reaction("starve"), world)
            return
        began_s, latest = self._now_s(), None
        self._fruit_s = began_s
        self._unreached.clear()
        async with self._bot.actions.held():
            while reaction is not None:
                if reaction != latest:
                    self._trace.note("reflex.began", self._bot.name, **reaction.as_json())
                latest = reaction
                did = await self._did(reaction)
                if not did or reaction.kind in ONCE:
                    await self._note_tried(reaction)
                if did and reaction.kind not in FRUITLESS:
                    self._fruit_s = self._now_s()
                elif self._is_in_vain():
                    log.info("reflex.given_up", bot=self._bot.name, **reaction.as_json())
                    self._gave_up_s = self._now_s()
                reaction = await self._chosen()
        took_s = round(self._now_s() - began_s, 1)
        self._trace.note("reflex.ended", self._bot.name, took_s=took_s)

    async def _tell_of(self, lost: _Lost) -> None:
        """Tell what it did not go for by the time that this has vanished."""
        await self._bot.times.sleep(LIE_FOR_S)
        while self._is_fetching:
            await self._bot.times.sleep(LOOK_EVERY_S)
        if not lost.is_fetched:
            left = Counter(lost.things)
            with suppress(BridgeError):
                left -= bag(await self._bot.snapshot())
            self._bot.events.emit(ThingsFetched(left))

    async def _note_tried(self, reaction: Reaction) -> None:
        here, now_s = (await self._bot.snapshot()).position, self._now_s()
        lately = {one: at for one, at in self._tried.items() if now_s - at[0] < TRIED_LONG_S}
        self._tried = {**lately, reaction: (now_s, here)}

    def _is_in_vain(self) -> bool:
        """Whether a job waits for what long did no harm to anybody."""
        latest_s = max(self._fruit_s, self._felt.harmed_s)
        return self._now_s() - latest_s >= IN_VAIN_S and not self._bot.jobs.is_free

    # --- deciding ------------------------------------------------------------------

    async def _chosen(self) -> Reaction | None:
        world = await self._bot.snapshot()
        shelter, feet = self._felt.shelter, world.position.block
        if shelter is not None and not await shelter.holds(self._bot, world.position):
            self._felt.shelter = None
        if self._felt.is_new_here and await self._bot.block(below(feet)) is not None:
            self._felt.is_new_here = False
            self._felt.shelter = self._felt.shelter or await shelter_around(self._bot, world)
        if world.health <= 0 or world.game_mode not in ("survival", "adventure"):
            return None
        senses = await self._senses(world)
        reaction = choose(senses, self._may)
        if reaction is not None and reaction.kind in ("fight", "flee"):
            around, tried = threats(senses), self._unreached
            way_out = await has_way_out(self._bot, world, around, FLEE, tried)
            reaction = choose(replace(senses, way_out=way_out), self._may)
        if reaction is not None and reaction.kind in ("fight", "help") and self._fights(world):
            return None  # as it was told to
        return reaction

    def _fights(self, world: WorldSnapshot) -> bool:
        """Whether a job is at a monster already; one that hunts a cow is at none."""
        hunts = [one.action for one in self._bot.actions.under_way if isinstance(one.action, Hunt)]
        monsters = {mob.id for mob in world.mobs if mob.hostile}
        return any(hunt.mob in monsters for hunt in hunts)

    async def _senses(self, world: WorldSnapshot) -> Senses:
        now_s, felt = self._now_s(), self._felt
        felt.is_hungry = is_hungry(world)
        is_hurt = now_s - felt.pricked_s < HARMED_S
        may_rest = await self._may_rest(world)
        seeks_bed = may_rest and "night" in felt.harms and felt.shelter is None and self._may.sleep
        home = self._felt.home
        if home and (not self._bot.jobs.all_over or world.position.distance_to(home) <= STEP):
            self._felt.home = None
        senses = Senses(
            world,
            in_need=frozenset(name for name, at in felt.hurt_s.items() if now_s - at < STRUCK_S),
            beside=self._bot.beside(world),
            harms=felt.harms,
            is_pricked=is_hurt and await is_at_thorns(self._bot, world.position),
            struck_by=frozenset(
                kind for kind, at in felt.struck_s.items() if now_s - at < STRUCK_S
            ),
            player=felt.player,
            food=await self._food(world) if felt.is_hungry else None,
            home=self._felt.home,
            may_rest=may_rest,
            lost_at=self._to_fetch(),
            is_fetching=self._is_fetching,
            is_sheltered=felt.shelter is not None,
            works_below=any(job.is_below for job in self._bot.jobs.under_way),
            is_called=any(
                job.id not in felt.work and not job.spec.is_idle for job in self._bot.jobs.under_way
            ),
            was_chased=now_s - felt.fled_s < CHASED_S,
            bed=await bed_of_ours(self._bot, world) if seeks_bed else None,
            tried=frozenset(self._in_vain(world.position)),
            has_given_up=now_s - self._gave_up_s < LETS_BE_S and felt.harmed_s < self._gave_up_s,
        )
        if not felt.monsters or felt.shelter is not None:
            return senses
        swimmers = {mob.id: mob.position for mob in world.mobs if mob.name in SWIMMERS}
        swimming = await self._in_water(swimmers.values())
        senses = replace(
            senses,
            swimming=frozenset(one for one, is_so in zip(swimmers, swimming, strict=True) if is_so),
            is_wet=any(await self._in_water([world.position] if swimmers else [])),
        )
        return replace(senses, seen=await self._seen(senses))

    def _to_fetch(self) -> Position | None:
        lost, is_free = self._felt.lost, self._bot.jobs.is_free
        if lost is None or not is_free or self._now_s() - lost.at_s >= LIE_FOR_S:
            return None
        return None if lost.is_given_up and not self._is_fetching else lost.at

    async def _in_water(self, places: Iterable[Position]) -> list[bool]:
        blocks = await asyncio.gather(*(self._bot.block(place.block) for place in places))
        return [block == WATER for block in blocks]

    def _in_vain(self, here: Position) -> Iterator[Reaction]:
        now_s = self._now_s()
        only_burns = self._felt.harms - {"night"} == {"burning"}  # until that is over by itself
        is_harmed = now_s - self._felt.harmed_s < HARMED_S and not only_burns
        for reaction, (at_s, place) in self._tried.items():
            within_s = TRIED_S
            if reaction.kind in LONG and here.distance_to(place) < ELSEWHERE:
                within_s = TRIED_LONG_S
            elif reaction.kind in WAYS_OUT and is_harmed:
                within_s = TRIED_HARMED_S
            if now_s - at_s < within_s:
                yield reaction

    async def _may_rest(self, world: WorldSnapshot) -> bool:
        """Whether nobody wants anything of it before day, or its goal waits: unless it is at work
        below ground, soon will be, or is well armed, and the rest of it in the open costs less
        than the wait."""
        bot = self._bot
        if (job := bot.jobs.current) is not None and (stage := job.stage) is not None:
            if job.is_below:
                return False
            if reckon(fighter(world), ARMED_AGAINST) == "fight":
                return stage.is_outdoors and stage.outdoors_s * NIGHT_COSTS > world.night_left_s
            if world.is_day or stage.outdoors_s <= (0.0 if self._felt.is_driven else QUICK_S):
                return False
            is_out = self._felt.shelter is not None or not await is_roofed(bot, world.position)
            return is_out or stage.is_outdoors
        is_left_alone = bot.leisure.free_for_s >= LEFT_ALONE_S or self._felt.shelter is not None
        return is_left_alone and bot.jobs.is_free and not bot.agenda.goals

    async def _seen(self, senses: Senses) -> frozenset[int]:
        here = senses.world.position
        least = SHOT_FROM if is_archer(senses.world) else 0.0
        near = [
            mob
            for mob in senses.world.mobs
            if mob.hostile
            and here.distance_to(mob.position)
            <= max(least, minded_at(mob.name, is_wary=senses.is_wary))
        ]
        in_sight = await asyncio.gather(
            *(is_in_sight(self._bot, here, mob.position) for mob in near)
        )
        return frozenset(mob.id for mob, is_so in zip(near, in_sight, strict=True) if is_so)

    async def _food(self, world: WorldSnapshot) -> str | None:
        try:
            return best_food(await self._bot.catalogue(), world)
        except CommandError:
            return None

    def _is_no_enemy(self, player: str) -> bool:
        """Whether a blow was meant for a monster, as those of fellows are, or was struck back by
        somebody it was told to strike."""
        running = self._bot.actions.current
        is_foe = running is not None and running.action == Attack(PlayerName(player))
        return is_foe or player in self._bot.known_bots or self._felt.monsters

    # --- doing ---------------------------------------------------------------------

    async def _did(self, reaction: Reaction) -> bool:
        try:
            return await self._do(reaction)
        except CommandError as refused:  # as for digging where it may not
            log.info("reflex.failed", bot=self._bot.name, why=str(refused))
            return False

    async def _do(self, reaction: Reaction) -> bool:
        """Do it for a moment; whether it was of use."""
        world = await self._bot.snapshot()
        if reaction.kind != "stay" or reaction.thing:
            self._say(reaction, world)
        match reaction.kind:
            case "dig_out" | "breathe" | "leave":
                return await self._escape(reaction, world)
            case "back_away" | "flee":
                return await self._flee(reaction, world)
            case "step_back":
                self._felt.player = ""
                player = world.player(reaction.thing)
                at = (player and player.position) or world.position
                from_ = [MobSighting(PLAYER, at, hostile=False)]
                return await self._go(await away_from(self._bot, world, from_, STEP, seeks=False))
            case "fight" | "help" | "shoot":
                return await self._fight(reaction, world)
            case "return":
                return await self._go(self._felt.home)
            case "fetch":
                jobs = self._bot.jobs
                jobs.end_idle()
                await jobs.idle_ended()
                if jobs.all_over:  # until somebody wants something of it
                    spec = ("fetching what I lost", self._fetch_lost, failure_of, LIE_FOR_S)
                    self._fetching = jobs.begin(JobSpec(*spec, is_idle=True))
                return True
            case "eat":
                return await self._act(Eat(reaction.thing))
            case "wear":
                return await self._act(Equip(reaction.thing))
            case _:
                return await self._do_for_the_night(reaction, world)

    async def _flee(self, reaction: Reaction, world: WorldSnapshot) -> bool:
        """Run to the best place that was not tried in vain from here; whether there was one."""
        far, within_s = (LOSES, LEAVE_S) if reaction.kind == "back_away" else (FLEE, STEP_S)
        foes = threats(await self._senses(world))
        if not foes:
            return True
        to = await away_from(self._bot, world, foes, far, self._unreached)
        if self._bot.jobs.all_over:
            self._felt.home = self._felt.home or world.position
        self._felt.fled_s, self._felt.is_driven = self._now_s(), True
        if to is None:
            return False
        await self._go(to, within_s)
        await self._moved(world.position, to)
        return True

    async def _moved(self, start: Position, to: Position) -> None:
        """Note where it made for in vain, as long as it stays where it is."""
        if start.distance_to((await self._bot.snapshot()).position) < MOVED:
            self._unreached.add(to)
        else:
            self._unreached.clear()

    async def _escape(self, reaction: Reaction, world: WorldSnapshot) -> bool:
        if reaction.kind in WAYS_OUT:
            return await self._get_out(reaction, world)
        feet = world.position.block
        did = False
        for cell in (above(feet), feet):
            if falls(await self._bot.block(cell) or ""):  # a wall may be somebody's
                did = await self._act(Dig(cell, pick_up=False, in_vain=True), DIG_OUT_S)
        return did

    async def _get_out(self, reaction: Reaction, world: WorldSnapshot) -> bool:
        """Pour water over a fire, rise for air, or go to the nearest place out of harm that was not
        tried in vain from here; whether there was one."""
        here, unreached = world.position, self._unreached
        if self._felt.harms & HOT and await self._poured(world):
            return True
        has_risen = any(here.distance_to(place) < MOVED for place in unreached)
        if reaction.kind == "breathe" and not has_risen:
            to = here
            await self._act(Wait(STEP_S))  # who does nothing rises
        else:
            found = (
                await to_breathe(self._bot, world)
                if reaction.kind == "breathe"
                else await out_of_harm(self._bot, world, self._felt.harms)
            )
            ways = [place for place in found if place not in unreached]
            if not ways:
                unreached.clear()
                return False
            is_in_lava = "lava" in self._felt.harms
            to = (await self._step_towards(ways[0], world) if is_in_lava else None) or ways[0]
            await self._act(MoveTo(to, IN_IT), LEAVE_S)
        await self._moved(here, to)
        return True

    async def _poured(self, world: WorldSnapshot) -> bool:
        """Pour water over itself and take it back; whether it had some that stays there."""
        feet = world.position.block
        if not world.count(WATER_BUCKET) or world.dimension == NETHER:
            return False
        if await self._bot.block(below(feet)) in (*OPEN_AIR, "lava"):
            return False
        with suppress(ActionFailed):  # as where it may not
            if await self._act(Pour(WATER_BUCKET, feet)):
                await self._act(Wait(PUTS_OUT_S))
                return await self._act(Fill("bucket", feet))
        return False

    async def _step_towards(self, way: Position, world: WorldSnapshot) -> Position | None:
        """Put a carried block into the lava beside it; where one stands on it, or None."""
        here, carried = world.position, [item for item in EARTH if world.count(item)]
        cells = [cell for cell in sides(here.block) if carried and not _touches(here, cell)]
        for cell in sorted(cells, key=way.distance_to):
            is_top = await self._bot.block(above(cell)) in OPEN_AIR
            if is_top and await self._bot.block(cell) == "lava":
                with suppress(ActionFailed):  # as where it may not
                    if await self._act(Place(carried[0], cell)):
                        return foot(above(cell))
        return None

    async def _fight(self, reaction: Reaction, world: WorldSnapshot) -> bool:
        if reaction.kind == "shoot":
            return await self._strikes(Shoot(reaction.mob, SHOT_TO))
        weapon = best_weapon(stack.name for stack in world.items)
        is_held = world.held is not None and world.held.name == weapon
        if weapon and not is_held:
            await self._act(Equip(weapon))
        if reaction.thing == CREEPER:
            return await self._strikes(Hunt(reaction.mob, keeps_off=True), HIT_AND_RUN_S)
        return await self._strikes(Hunt(reaction.mob))

    async def _strikes(self, action: Hunt | Shoot, within_s: float = STEP_S) -> bool:
        ended = await self._ended(action, within_s)
        if ended.outcome == "done" and ended.result.get("dead", True):
            self._fruit_s = self._now_s()
        return ended.outcome in ("done", "deadline")

    async def _fetch_lost(self, job: Job) -> Result:
        lost = self._felt.lost
        try:
            await job.fetch_lost()
            if lost is not None:
                lost.is_fetched = True
        finally:
            if job.early != "replaced":  # as by digging in: it is not over
                self._felt.lost = None
        return Result()

    async def _do_for_the_night(self, reaction: Reaction, world: WorldSnapshot) -> bool:
        match reaction.kind:
            case "sleep":
                bed = await bed_of_ours(self._bot, world)
                jobs = self._bot.jobs
                if bed is None:
                    return False
                jobs.end_idle()
                if not await self._act(MoveTo(bed, BEDSIDE), GO_TO_BED_S):
                    return False
                return await self._rest(Sleep(bed), reaction)
            case "shelter":
                jobs = self._bot.jobs
                has_time = await self._may_rest(await self._bot.snapshot())
                jobs.end_idle()
                self._felt.work = frozenset(job.id for job in jobs.under_way)
                self._felt.is_driven = True
                act = self._until_struck(self._now_s())
                try:
                    self._felt.shelter = await take_shelter(self._bot, act, has_time=has_time)
                except ActionFailed as failed:
                    log.info("reflex.failed", bot=self._bot.name, why=str(failed))
                    return False
                if (job := jobs.current) is not None and job.plans_below is not None:
                    await job.plans_below()
                return True
            case "stay":
                return await self._rest(Wait(NIGHT_S), reaction)
            case _:
                assert self._felt.shelter is not None, "it is dug in"
                try:
                    await self._felt.shelter.leave(self._bot, self._must)
                except ActionFailed as failed:
                    log.info("reflex.failed", bot=self._bot.name, why=str(failed))
                    return False
                self._felt.shelter = None
                return True

    def _until_struck(self, since_s: float) -> Act:
        """`_must` as long as nothing at arm's length strikes it: that would be in the hole, too."""

        async def act(action: Action, deadline_s: float) -> ActionFinished:
            for kind, at_s in self._felt.struck_s.items():
                if at_s >= since_s and not MONSTERS.get(kind, UNKNOWN).shoots:
                    raise ActionFailed("blocked", "I was struck while I dug in.")
            return await self._must(action, deadline_s)

        return act

    async def _rest(self, action: Action, as_: Reaction) -> bool:
        """Be at it until something else is called for; whether it did not fail."""
        actions = self._bot.actions
        running = await actions.begin(action, deadline_s=NIGHT_S, is_reflex=True)
        ended = asyncio.ensure_future(actions.wait(running))
        job = self._bot.jobs.current
        try:
            if job is not None:
                job.waits_for_day = self.stays_below
            while not ended.done():
                self._due.clear()
                if await self._chosen() != as_:
                    return True
                looks: list[Awaitable[object]] = [self._due.wait(), asyncio.wait({ended})]
                if not self.stays_below:  # it waits for no event, but for the hour
                    looks.append(self._bot.times.sleep(LOOK_EVERY_S))
                await until_first(*looks)
            return ended.result().outcome in ("done", "deadline")
        finally:
            if job is not None:
                job.waits_for_day = False
            if not ended.done():
                await running.stop()
                await asyncio.wait({ended})

    async def _must(self, action: Action, deadline_s: float) -> ActionFinished:
        """Do one action as a reflex. Raises ActionFailed."""
        ended = await self._ended(action, deadline_s)
        if ended.outcome != "done":
            raise ActionFailed(ended.reason or ended.outcome, ended.message)
        return ended

    async def _go(self, to: Position | None, within_s: float = STEP_S) -> bool:
        return to is not None and await self._act(MoveTo(to, REACHED), within_s)

    async def _act(self, action: Action, within_s: float = STEP_S) -> bool:
        """Whether it did not fail; to be at it still after so long is no failure."""
        return (await self._ended(action, within_s)).outcome in ("done", "deadline")

    async def _ended(self, action: Action, within_s: float) -> ActionFinished:
        running = await self._bot.actions.begin(action, deadline_s=within_s, is_reflex=True)
        return await self._bot.actions.wait(running)

    # --- speaking --------------------------------------------------------------------

    def _say(self, reaction: Reaction, world: WorldSnapshot) -> None:
        """One line to those in earshot, when it matters, and not again and again."""
        now_s = self._now_s()
        if reaction.kind in SELDOM:
            if now_s - self._asked_s.get(reaction.thing, -ASK_EVERY_S) < ASK_EVERY_S:
                return
        elif (
            reaction.kind not in SPOKEN_OF
            or now_s - self._spoke_s < SPEAK_EVERY_S
            or (reaction.kind == "eat" and world.health > SAID_WHEN_HURT)
        ):
            return
        far = {one.name: world.distance_to(one) for one in world.players}
        reach, bots = self._bot.hearing_range, self._bot.known_bots
        people = [
            who for who, at in far.items() if who not in bots and at is not None and at <= reach
        ]
        if self._may.speak and not self._bot.quiet and people:
            if reaction.kind in SELDOM:
                self._asked_s[reaction.thing] = now_s
            else:
                self._spoke_s = now_s
            self._tasks.start(self._speak(reaction, people), "line of a reflex")

    async def _speak(self, reaction: Reaction, people: list[PlayerName]) -> None:
        said = self._bot.get_conversation_history(usernames=people, limit=1)
        language = language_of([line.text for line in said if line.text])
        of = reaction.thing if reaction.kind == "step_back" else mob_name(reaction.thing, language)
        text = sentence(f"survival.{reaction.kind}", language, of=of)
        if reaction.kind == "step_back" and reaction.thing in people:
            people = [PlayerName(reaction.thing)]
        await self._bot.tell_all(
            text, "normal", self._bot.hearing_range, among=people, sources=FACTS, kind="by_rules"
        )


def _touches(here: Position, cell: Position) -> bool:
    """Whether a body there is above, in or below a cell."""
    return all(-HALF < at - low < 1 + HALF for at, low in ((here.x, cell.x), (here.z, cell.z)))


def _is_sure(cause: Cause) -> bool:
    """Whether to act on it. A guess is enough for a monster that strikes without being struck: many
    servers show no blow, and up to 1.19.3 none tells whose arrow it was."""
    is_monster = cause.kind == "creature" and cause.name not in NEUTRAL | BEASTS
    return cause.how != "guessed" or is_monster
