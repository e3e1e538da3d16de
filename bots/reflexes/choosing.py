"""What is most urgent for a bot, of what it senses. Pure: the same senses, the same reaction.

dig itself out ─ breathe ─ leave fire and lava ─ back away from a creeper ─
step back from a player ─ shoot ─ dig in, fight or flee ─ eat ─ help a fellow ─ wear armour ─
fetch what it lost ─ sleep or dig in for the night ─
return to where it fled from                                        the first that is called for
dug in: eat ─ stay ─ come out
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from bots.settings.world import SurvivalSettings
from bots.skills.reckoning import (
    BEASTS,
    BOW,
    LEFT_ALONE,
    MONSTERS,
    NEUTRAL,
    PIECES,
    SHIELD,
    STRUCK_BACK,
    SWIMMERS,
    UNKNOWN,
    armour_of,
    fighter,
    hits_and_runs,
    reckon,
)
from bridge.events import NEAR, Harm
from bridge.world import DAWN_TICK, MobSighting, PlayerName, Position, WorldSnapshot

Kind: TypeAlias = Literal[
    "dig_out",
    "breathe",
    "leave",
    "back_away",
    "step_back",
    "shoot",
    "fight",
    "help",
    "flee",
    "eat",
    "starve",
    "wear",
    "return",
    "fetch",
    "sleep",
    "shelter",
    "stay",
    "come_out",
]

FRUITLESS: frozenset[Kind] = frozenset(
    {"dig_out", "breathe", "leave", "shoot", "fight", "flee", "help", "return"}
)
"""What may go on for ever, and come to nothing."""
CREEPER = "creeper"
CREEPER_AT, MELEE_AT, SHOOTER_AT = 8.0, 8.0, NEAR  # as rings of `MonstersNear`
"""Blocks from which monsters are minded."""
SHOT_FROM, SHOT_TO = 16.0, 6.0  # blocks between which it shoots; `MonstersNear` tells no farther
HIT_FROM = 24.0  # blocks from which a shooter that hit is minded
LEVEL = 4.0  # blocks up or down: what is farther, and steeper, is in a cave, or on a roof
HELPS_TO = 16.0  # blocks to a monster that is at somebody else
FETCHES_TO = 16.0  # blocks that whoever is not well armed goes at night
ARMED_AGAINST = ("zombie", "zombie")  # whoever beats these is well armed
HUNGRY = 14.0
HEALS_FROM = 18.0  # of 20 points of food; source: minecraft.wiki/w/Hunger
FULL = 20.0
RESTED = 16.0  # half-hearts with which work goes on at night
BESIDE = 1.5  # blocks between bodies in one hole: beyond a wall it is 1.8, on the lid 3
LID_CLEAR = 6.0  # blocks without monsters around a hole that one leaves
BURNT_TICK = 1_000  # of the day: on some servers the sun burns them only from tick 0 on
TIME_TO_DIG = 13.0  # blocks to the nearest monster that leave the 5 s it takes to dig in


@dataclass(frozen=True, slots=True)
class Reaction:
    """What to do, against what."""

    kind: Kind
    mob: int = 0
    """To strike or shoot at."""
    thing: str = ""
    """The food, the armour, the kind of monster or the player; of `stay`, what keeps it from
    coming when it is called."""

    def as_json(self) -> dict[str, str]:
        return {"kind": self.kind, "thing": self.thing}


@dataclass(frozen=True, slots=True)
class Senses:
    """What a bot knows at one moment."""

    world: WorldSnapshot
    seen: frozenset[int] = frozenset()
    """The monsters to which nothing is in the way."""
    swimming: frozenset[int] = frozenset()
    """Those near that swim, and are in water."""
    is_wet: bool = False
    """Whether it is in water itself, with one of a kind that swims near."""
    in_need: frozenset[PlayerName] = frozenset()
    """Whom it stands by, in view, who were hurt a moment ago."""
    beside: int = 0
    """How many of those it stands by are near."""
    harms: frozenset[Harm] = frozenset()
    is_pricked: bool = False
    """Whether it was hurt a moment ago, and a cactus touches it."""
    struck_by: frozenset[str] = frozenset()
    """Kinds of creatures that struck it a moment ago."""
    player: str = ""
    """Who struck it, as long as it has not stepped back."""
    food: str | None = None
    """The best to eat that it carries."""
    home: Position | None = None
    """Where it stood at nothing when it fled."""
    way_out: bool = True
    may_rest: bool = False
    """Whether nobody wants anything of it before day."""
    lost_at: Position | None = None
    """Where things lie, as it died while nobody wanted anything of it."""
    is_fetching: bool = False
    """Whether it is on its way there."""
    is_sheltered: bool = False
    works_below: bool = False
    """Whether its work goes on below ground."""
    is_called: bool = False
    """Whether somebody gave it work since it dug in."""
    was_chased: bool = False
    """Whether it fled a moment ago."""
    bed: Position | None = None
    """Where it may sleep."""
    tried: frozenset[Reaction] = frozenset()
    """What was of no use a moment ago."""
    has_given_up: bool = False
    """Whether what may go on for ever came to nothing for minutes, and nothing hurt it since."""

    @property
    def is_wary(self) -> bool:
        """Whether it minds monsters from afar: it fled, or is about to dig in, which takes time."""
        return self.was_chased or ("night" in self.harms and self.may_rest)


def choose(senses: Senses, may: SurvivalSettings) -> Reaction | None:
    """The most urgent reaction; None: nothing is called for."""
    given_up = FRUITLESS if senses.has_given_up else frozenset[Kind]()
    return next(
        (
            reaction
            for reaction in _called_for(senses, may)
            if reaction not in senses.tried and reaction.kind not in given_up
        ),
        None,
    )


def threats(senses: Senses) -> list[MobSighting]:
    """The monsters that may do harm now, and beasts that did, nearest first."""
    return [mob for mob in senses.world.mobs if _threatens(senses, mob)]


def minded_at(kind: str, *, is_wary: bool = False) -> float:
    """Blocks from which a kind of monster is minded."""
    if is_wary:
        return NEAR
    if kind == CREEPER:
        return CREEPER_AT
    return SHOOTER_AT if MONSTERS.get(kind, UNKNOWN).shoots else MELEE_AT


def _called_for(senses: Senses, may: SurvivalSettings) -> Iterator[Reaction]:
    if may.escape and "buried" in senses.harms:
        yield Reaction("dig_out")
    if may.escape and "airless" in senses.harms:
        yield Reaction("breathe")
    if may.escape and (senses.harms & {"lava", "fire", "burning"} or senses.is_pricked):
        yield Reaction("leave")
    if senses.is_sheltered:
        if may.fight:
            in_the_hole = senses.world.position.distance_to
            for mob in senses.world.mobs:
                if in_the_hole(mob.position) < BESIDE and _may_strike(senses, mob):
                    yield Reaction("fight", mob.id, mob.name)
        yield from _eat(senses, may)
        is_well = senses.world.health >= RESTED or senses.world.food < HEALS_FROM
        if not (senses.works_below and is_well):
            yield _in_the_hole(senses)
    else:
        yield from _called_for_outside(senses, may)


def _called_for_outside(senses: Senses, may: SurvivalSettings) -> Iterator[Reaction]:
    around = threats(senses)
    creeper = next((mob for mob in around if mob.name == CREEPER), None)
    is_one = len(around) == 1 and not around[0].is_somebodys and senses.way_out
    if may.fight and creeper is not None and is_one and hits_and_runs(fighter(senses.world)):
        yield Reaction("fight", creeper.id, CREEPER)
    if may.flee and creeper is not None:
        yield Reaction("back_away", thing=CREEPER)
    if may.step_back and senses.player:
        yield Reaction("step_back", thing=senses.player)
    target = _to_shoot(senses) if may.fight else None
    if target is not None:
        yield Reaction("shoot", target.id, target.name)
    if around:
        yield from _fight_or_flee(senses, around, may)
    else:
        yield from _eat(senses, may)
    if may.help and senses.in_need:
        yield from _help(senses)
    monsters_near = _are_monsters_at(senses, senses.world.position)
    if may.wear and monsters_near:
        yield from (Reaction("wear", thing=item) for item in better_armour(senses.world))
    may_fetch = may.fetch and _may_fetch(senses)
    if may_fetch and not (monsters_near or senses.is_fetching):
        yield Reaction("fetch")
    if not around and not (may_fetch and senses.is_fetching):
        yield from _for_the_night(senses, may)
    home = senses.home
    if may.flee and home and not monsters_near and not _are_monsters_at(senses, home):
        yield Reaction("return")


def _eat(senses: Senses, may: SurvivalSettings) -> Iterator[Reaction]:
    if may.eat and senses.food and is_hungry(senses.world):
        yield Reaction("eat", thing=senses.food)


def _are_monsters_at(senses: Senses, place: Position) -> bool:
    mobs = senses.world.mobs
    return any(mob.hostile and mob.position.distance_to(place) <= NEAR for mob in mobs)


def _help(senses: Senses) -> Iterator[Reaction]:
    """Strike what is at those in need, the nearest first."""
    world = senses.world
    at = [one.position for one in world.players if one.name in senses.in_need and one.position]
    foes = [
        mob
        for mob in world.mobs
        if mob.hostile
        and world.position.distance_to(mob.position) <= HELPS_TO
        and any(_is_near(place, mob) for place in at)
    ]
    beside = max(senses.beside, len(at))
    if reckon(fighter(world), [mob.name for mob in foes], beside=beside) == "fight":
        left_alone = [mob for mob in foes if mob.name in LEFT_ALONE or mob.id in senses.swimming]
        fit = [mob for mob in foes if mob not in left_alone and not mob.is_somebodys]
        yield from (Reaction("help", mob.id, mob.name) for mob in fit)


def is_archer(world: WorldSnapshot) -> bool:
    return world.count(BOW) > 0 and world.count("arrow") > 0


def _to_shoot(senses: Senses) -> MobSighting | None:
    """A creeper or what shoots itself, far enough for an arrow, with nothing nearer to mind."""
    world, seen = senses.world, (mob for mob in senses.world.mobs if mob.id in senses.seen)
    nearest = next(iter(seen), None)
    if nearest is None or nearest.is_somebodys or not is_archer(world):
        return None
    shoots = MONSTERS.get(nearest.name, UNKNOWN).shoots
    far, me = world.position.distance_to(nearest.position), replace(fighter(world), weapon=BOW)
    may_shoot = nearest.name == CREEPER or (shoots and reckon(me, [nearest.name]) == "fight")
    return nearest if may_shoot and SHOT_TO < far <= SHOT_FROM else None


def _for_the_night(senses: Senses, may: SurvivalSettings) -> Iterator[Reaction]:
    if "night" not in senses.harms or not senses.may_rest:
        return
    if may.sleep and senses.bed is not None:
        yield Reaction("sleep")
    if may.shelter:
        yield Reaction("shelter")


def _may_fetch(senses: Senses) -> bool:
    """Whether things lie somewhere, and by night it is well armed, or they lie near with no monster
    near either."""
    if senses.lost_at is None or "night" not in senses.harms:
        return senses.lost_at is not None
    here = senses.world.position
    ends = (here, senses.lost_at)
    is_near = here.distance_to(senses.lost_at) <= FETCHES_TO
    return (is_near and not any(_are_monsters_at(senses, end) for end in ends)) or (
        reckon(fighter(senses.world), ARMED_AGAINST) == "fight"
    )


def _fight_or_flee(
    senses: Senses, around: list[MobSighting], may: SurvivalSettings
) -> Iterator[Reaction]:
    world = senses.world
    me = fighter(world)
    foes = [mob.name for mob in around]
    flee = Reaction("flee", thing=foes[0])
    way_out = may.flee and senses.way_out and flee not in senses.tried
    shot_at = any(MONSTERS.get(name, UNKNOWN).shoots for name in foes)
    has_time = world.position.distance_to(around[0].position) >= TIME_TO_DIG and not shot_at
    beside = senses.beside
    if may.shelter and has_time and senses.was_chased and reckon(me, foes, beside=beside) == "flee":
        yield Reaction("shelter")
    if may.fight and reckon(me, foes, beside=beside, way_out=way_out) == "fight":
        left_alone = senses.swimming if way_out else frozenset[int]()
        fit = [mob for mob in around if _may_strike(senses, mob) and mob.id not in left_alone]
        yield from (Reaction("fight", mob.id, mob.name) for mob in fit)
    if way_out:
        yield flee
    yield from _eat(senses, may)  # rather than starve beside what it cannot reach


def _in_the_hole(senses: Senses) -> Reaction:
    """Come out by day, when called, or well again and with work; not into a fight that is lost, nor
    among monsters at night with bare hands, or while the sun has not burnt them."""
    world, me = senses.world, fighter(senses.world)
    # Right after it joined, the hour is known before the night is told.
    is_night = "night" in senses.harms or not (world.is_day or world.is_peaceful)
    is_bare = me.weapon is None and is_night
    is_early = not senses.is_called and (
        world.time_of_day >= DAWN_TICK or world.time_of_day < BURNT_TICK
    )
    clear, far = NEAR if is_bare or is_early else LID_CLEAR, world.position.distance_to
    waiting = [mob.name for mob in world.mobs if mob.hostile and far(mob.position) <= clear]
    if waiting and reckon(me, waiting) == "flee":
        return Reaction("stay", thing=waiting[0] if senses.is_called else "")
    has_work = not senses.may_rest and world.health >= RESTED
    may = not is_night or senses.is_called or has_work
    return Reaction("come_out" if may else "stay")


def _threatens(senses: Senses, mob: MobSighting) -> bool:
    away = senses.world.position.distance_to(mob.position)
    is_near = _is_near(senses.world.position, mob, is_wary=senses.is_wary)
    if not (mob.hostile or _has_struck(senses, mob)):
        return False
    if mob.name in senses.struck_by:
        return is_near or (MONSTERS.get(mob.name, UNKNOWN).shoots and away <= HIT_FROM)
    return is_near and mob.id in senses.seen and not _is_peaceful(senses, mob)


def _is_peaceful(senses: Senses, mob: MobSighting) -> bool:
    """Whether it does nothing to who does nothing to it."""
    keeps_off = mob.name.endswith("spider") or (mob.name in SWIMMERS and not senses.is_wet)
    is_neutral = mob.name in NEUTRAL or (keeps_off and senses.world.is_day)
    return is_neutral and mob.name not in senses.struck_by


def _may_strike(senses: Senses, mob: MobSighting) -> bool:
    """Monsters, and few of the beasts that struck; none that is somebody's, that is peaceful, or
    that goes off."""
    is_foe = mob.hostile or (mob.name in STRUCK_BACK and _has_struck(senses, mob))
    is_left_alone = mob.is_somebodys or mob.name == CREEPER or _is_peaceful(senses, mob)
    return is_foe and not is_left_alone


def _has_struck(senses: Senses, mob: MobSighting) -> bool:
    """Whether it is one of the beasts of a kind that struck."""
    return mob.name in BEASTS and mob.name in senses.struck_by and not mob.young


def _is_near(place: Position, mob: MobSighting, *, is_wary: bool = False) -> bool:
    beside = math.hypot(place.x - mob.position.x, place.z - mob.position.z)
    is_level = abs(place.y - mob.position.y) <= max(LEVEL, beside)
    return is_level and place.distance_to(mob.position) <= minded_at(mob.name, is_wary=is_wary)


def is_hungry(world: WorldSnapshot) -> bool:
    """Whether to eat: hungry, or hurt and too hungry to heal."""
    return world.food <= HUNGRY or (world.health < FULL and world.food < HEALS_FROM)


def better_armour(world: WorldSnapshot) -> Iterator[str]:
    """The best carried piece for each part of the body where it is better than what is worn."""
    carried: Mapping[str, int] = world.counts()
    for piece in PIECES:
        worn = max((armour_of(name) for name in world.worn if name.endswith(piece)), default=0)
        fit = [name for name in carried if name.endswith(f"_{piece}")]
        best = max(fit, key=lambda name: (armour_of(name), name), default=None)
        if best is not None and armour_of(best) > worn:
            yield best
    armour = ("_helmet", "_chestplate", "_leggings", "_boots")
    if SHIELD in carried and all(name.endswith(armour) for name in world.worn):
        yield SHIELD
