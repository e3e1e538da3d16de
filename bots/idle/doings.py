"""What an idle bot may do: walk a little, look at things, pick a flower, rest by a light.

A plan looks whether there is something of its kind to do now. What is done harms nothing: bots
walk without digging, and pick plants on our own server alone.
"""

from __future__ import annotations

import math
import random
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bots.access.origin import Level, Person
from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.idle.seen import (
    Doing,
    Found,
    KeptCompany,
    SatByFire,
    SawAnimals,
    SawBlock,
    Seen,
    Walked,
    towards,
)
from bots.idle.wording import one_of, plain_name
from bots.responder.case.persona import Temperament
from bots.skills.breaking import of_others
from bots.skills.built_sight import BuiltSight
from bridge.actions import Approach, CollectDrops, Dig, FindBlocks, Footholds, LookAt, MoveTo, Wait
from bridge.world import BlockSighting, PlayerName, Position, WorldSnapshot

NEAR, BESIDE = 3.0, 1.0  # blocks: to look at something, and to stand somewhere
SIGHT, FAR_SIGHT = 24, 48  # blocks within which things are looked for
MOST_FOUND = 200
SHORTEST_WALK, TOLD_WALKS = 6.0, 0.5  # blocks, and how often such a walk is told
CLIMB = 4.0  # blocks up or down that a walk may lead
FAR_FELLOW = 10.0  # blocks from which on one goes to join a fellow
SWEEP = 6.0  # blocks around within which a plant falls
LOOK_S, REST_S = (3.0, 6.0), (12.0, 25.0)  # from, to
EYES, BOW_S = 1.6, 0.4  # blocks above the ground; how long each part of a bow takes

PLANTS = (
    *("dandelion", "poppy", "blue_orchid", "allium", "azure_bluet", "red_tulip", "orange_tulip"),
    *("white_tulip", "pink_tulip", "oxeye_daisy", "cornflower", "lily_of_the_valley"),
    *("brown_mushroom", "red_mushroom"),
)
LIGHTS = ("campfire", "torch", "wall_torch", "lantern")
TREES = ("oak_log", "birch_log", "spruce_log", "jungle_log", "acacia_log", "dark_oak_log")
FAR_SIGHTS = (*TREES, "water", "sugar_cane", "pumpkin", "melon", "cactus")
"""What is seen from far away; none of it lies in the ground, where searching would take long."""
SIGHTS = (
    *PLANTS,
    *FAR_SIGHTS,
    *("sand", "gravel", "clay", "coal_ore", "iron_ore", "obsidian"),
    *("chest", "crafting_table", "furnace", *LIGHTS),
)
"""Things that are worth a look."""


@dataclass(frozen=True, slots=True)
class IdleDoing:
    """One thing to do; `work` returns what is worth telling of it."""

    kind: Doing
    shown: str
    work: Callable[[Job], Awaitable[Seen | None]]
    what: str = ""
    """The block, animal or player that it is about."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where an idle bot is, and what it may do there."""

    bot: Bot
    world: WorldSnapshot
    home: Position
    """Where it was left."""
    roam: float
    """Blocks from there that it may go."""
    may_take: bool
    fellows: frozenset[str]
    seen_lately: frozenset[str]
    """Kinds of blocks and animals that it looked at, and people it visited, a short while ago."""
    in_hand: frozenset[str]
    """Those that fellows are at now."""
    rng: random.Random

    def is_in_reach(self, place: Position) -> bool:
        """Whether it may go there: near home, and in earshot of the people who are now."""
        near_people = all(
            place.distance_to(person) <= self.bot.hearing_range - NEAR for person in self._people
        )
        return near_people and place.distance_to(self.home) <= self.roam

    @property
    def _people(self) -> list[Position]:
        """Where the people in earshot are."""
        return [
            one.position
            for one in self.world.players
            if one.name not in self.fellows
            and one.position is not None
            and one.position.distance_to(self.world.position) <= self.bot.hearing_range
        ]


Plan: TypeAlias = Callable[[Surroundings], Awaitable[IdleDoing | None]]


async def stroll(around: Surroundings) -> IdleDoing | None:
    """Walk to some place near home."""
    start, target = around.world.position, await _somewhere(around)
    if target is None:
        return None

    async def work(job: Job) -> Seen | None:
        await job.act(MoveTo(target, BESIDE))
        here = (await job.snapshot()).position
        far = round(start.distance_to(here))
        is_notable = far >= SHORTEST_WALK and around.rng.random() < TOLD_WALKS
        return Walked(far, towards(start, here)) if is_notable else None

    return IdleDoing("walking", "taking a walk", work)


async def look_at_something(around: Surroundings) -> IdleDoing | None:
    """Go and look at something that stands out, or look at it from afar."""
    found = near = await _nearest_kinds(around, _new(around, SIGHTS))
    if not near:  # what lies open, not under the ground
        level = around.world.position.y
        far = await _found(around, _new(around, FAR_SIGHTS), FAR_SIGHT)
        found = _first_of_each(one for one in far if abs(one.position.y - level) <= CLIMB)
    if not found:
        return None
    target = around.rng.choice(found)

    async def work(job: Job) -> Seen | None:
        come = _come_and_look if near else _look
        await come(job, target, around.rng.uniform(*LOOK_S))
        far = round(around.home.distance_to(target.position))
        return SawBlock(target.name, far, towards(around.home, target.position))

    return IdleDoing("looking", f"looking at {one_of(target.name)}", work, target.name)


async def pick(around: Surroundings) -> IdleDoing | None:
    """Pick a plant that grows by itself."""
    free = tuple(name for name in PLANTS if name not in around.in_hand)
    found = await _wild(around, free) if around.may_take else []
    if not found or not around.world.free_slots:
        return None
    target = around.rng.choice(found)

    async def work(job: Job) -> Seen | None:
        await _come_and_look(job, target, 0.5)
        await job.act(Dig(target.position))
        theirs = await of_others(around.bot, job, SWEEP, item=target.name)
        await job.act(CollectDrops(SWEEP, target.name, theirs))
        return Found(target.name, (await job.snapshot()).count(target.name))

    return IdleDoing("picking", f"picking {one_of(target.name)}", work, target.name)


async def watch_animals(around: Surroundings) -> IdleDoing | None:
    """Look at an animal, from near where that may be."""
    tame = [mob for mob in around.world.mobs if not mob.hostile]
    new = _new(around, [mob.name for mob in tame])
    if not new:
        return None
    target = around.rng.choice([mob for mob in tame if mob.name in new])
    count = sum(mob.name == target.name for mob in tame)

    async def work(job: Job) -> Seen | None:
        if around.is_in_reach(target.position):
            await job.act(MoveTo(target.position, NEAR))
        await job.act(LookAt(target.position))
        await job.act(Wait(around.rng.uniform(*LOOK_S)))
        return SawAnimals(target.name, count)

    return IdleDoing("watching", f"watching {one_of(target.name)}", work, target.name)


async def sit_by_fire(around: Surroundings) -> IdleDoing | None:
    """Rest by a light for a while."""
    found = await _nearest_kinds(around, LIGHTS)
    if not found:
        return None
    target = found[0]

    async def work(job: Job) -> Seen | None:
        await _come_and_look(job, target, around.rng.uniform(*REST_S))
        return SatByFire(target.name)

    return IdleDoing("resting", f"resting by the {plain_name(target.name)}", work, target.name)


async def keep_company(around: Surroundings) -> IdleDoing | None:
    """Go and stand with a person who may have it do things, and bow."""
    near = [
        one
        for one in around.world.players
        if one.name not in (around.fellows | around.seen_lately)
        and one.position is not None
        and around.is_in_reach(one.position)
        and around.bot.permissions.level_of(Person(one.name)) >= Level.TRUSTED
    ]
    if not near:
        return None
    name = around.rng.choice(near).name

    async def work(job: Job) -> Seen | None:
        await job.act(Approach(name, NEAR), deadline_s=20.0)
        for height in (EYES, 0.0, EYES):
            player = (await job.snapshot()).player(name)
            if player is not None and (at := player.position) is not None:
                await job.act(LookAt(Position(at.x, at.y + height, at.z)))
                await job.act(Wait(BOW_S))
        await job.act(Wait(around.rng.uniform(*LOOK_S)))
        return KeptCompany(name)

    return IdleDoing("visiting", f"visiting {name}", work, name)


async def join_fellow(around: Surroundings) -> IdleDoing | None:
    """Go to the nearest fellow, if that is far away."""
    seen = [
        (distance, one.name)
        for one in around.world.players
        if one.name in around.fellows
        and (distance := around.world.distance_to(one)) is not None
        and one.position is not None
        and around.is_in_reach(one.position)
    ]
    distance, name = min(seen, default=(0.0, PlayerName("")))
    return visit(name) if distance >= FAR_FELLOW else None


def visit(player: PlayerName) -> IdleDoing:
    """Go to a player in view."""

    async def work(job: Job) -> Seen | None:
        await job.act(Approach(player, NEAR), deadline_s=20.0)
        return None

    return IdleDoing("visiting", f"visiting {player}", work, player)


_LIKES: dict[Temperament, dict[Plan, float]] = {
    "cheerful": {keep_company: 3, watch_animals: 3, pick: 3, stroll: 2, look_at_something: 2},
    "calm": {sit_by_fire: 3, look_at_something: 2, stroll: 2, watch_animals: 1, keep_company: 1},
    "curious": {look_at_something: 4, stroll: 3, watch_animals: 2, keep_company: 2, pick: 1},
    "practical": {pick: 4, look_at_something: 2, stroll: 2, sit_by_fire: 1, keep_company: 1},
}
_NIGHT_BY_FIRE = 4.0  # times as often


async def choose(around: Surroundings, temperament: Temperament) -> IdleDoing | None:
    """Something to do now; None when there is nothing."""
    if (joining := await join_fellow(around)) is not None:
        return joining
    likes = _LIKES[temperament]

    def drawn(plan: Plan) -> float:
        is_cosy = plan is sit_by_fire and not around.world.is_day
        weight = likes[plan] * (_NIGHT_BY_FIRE if is_cosy else 1)
        return math.log(around.rng.random()) / weight

    for plan in sorted(likes, key=drawn, reverse=True):  # the better liked tend to come first
        if (doing := await plan(around)) is not None:
            return doing
    return None


async def _somewhere(around: Surroundings) -> Position | None:
    rng, home = around.rng, around.home.block
    column = (round(rng.uniform(-around.roam, around.roam)) for _ in range(2))
    x, z = (int(at + by) for at, by in zip((home.x, home.z), column, strict=True))
    places = await around.bot.query(Footholds(x, z)) or ()
    level = around.world.position.y
    near = [place for place in places if abs(place.y - level) <= CLIMB]
    chosen = min(near, key=lambda place: abs(place.y - level), default=None)
    if chosen is None or not around.is_in_reach(chosen):
        return None
    return Position(chosen.x + 0.5, chosen.y, chosen.z + 0.5)


def _new(around: Surroundings, names: Iterable[str]) -> tuple[str, ...]:
    """Those that it did not look at lately, nor anybody looks at now."""
    known = around.seen_lately | around.in_hand
    return tuple(name for name in names if name not in known)


async def _nearest_kinds(around: Surroundings, names: tuple[str, ...]) -> list[BlockSighting]:
    """The nearest block of each kind within reach, the nearest kind first."""
    level = around.world.position.y
    found = await _found(around, names, SIGHT)
    return _first_of_each(
        one
        for one in found
        if around.is_in_reach(one.position) and abs(one.position.y - level) <= CLIMB
    )


async def _wild(around: Surroundings, names: tuple[str, ...]) -> list[BlockSighting]:
    """The nearest plant of each kind that is of nobody's garden."""
    found = await _nearest_kinds(around, names)
    known = (await around.bot.catalogue()).blocks
    built = BuiltSight(around.bot, around.bot, known, names, SIGHT)
    return (await built.told_apart(around.world, found)).grown


async def _found(
    around: Surroundings, names: tuple[str, ...], within: int
) -> Sequence[BlockSighting]:
    """None where nothing may be touched."""
    hands, query = around.bot.actions.hands, FindBlocks(names, within, MOST_FOUND)
    return await hands.targets(query, around.bot.query) if names else ()


def _first_of_each(found: Iterable[BlockSighting]) -> list[BlockSighting]:
    kinds = dict[str, BlockSighting]()
    for one in found:
        kinds.setdefault(one.name, one)
    return list(kinds.values())


async def _come_and_look(job: Job, target: BlockSighting, seconds: float) -> None:
    await job.act(MoveTo(target.position, NEAR))
    await _look(job, target, seconds)


async def _look(job: Job, target: BlockSighting, seconds: float) -> None:
    at = target.position
    await job.act(LookAt(Position(at.x + 0.5, at.y + 0.5, at.z + 0.5)))
    await job.act(Wait(seconds))
