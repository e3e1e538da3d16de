"""What a bot can sense: plain frozen values, measured in blocks, half-hearts and ticks."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NewType

BotName = NewType("BotName", str)
PlayerName = NewType("PlayerName", str)

GameMode = Literal["survival", "creative", "adventure", "spectator"]
Weather = Literal["clear", "rain", "thunder"]
Difficulty = Literal["peaceful", "easy", "normal", "hard"]

DAY_TICKS = 24_000  # one Minecraft day
TICKS_PER_S = 20
DUSK_TICK = 12_542  # beds work from here on; source: minecraft.wiki/w/Daylight_cycle
DAWN_TICK = 23_460
TICKS_PER_DAY = 24_000


def is_day(time_of_day: int) -> bool:
    """Whether it is too light for monsters, and for beds."""
    return not DUSK_TICK <= time_of_day < DAWN_TICK


LONGEST_NAME = 64  # letters; the game gives players 16, plugins put some before it


def player_name(told: str) -> PlayerName:
    """A name as it is told, cut where no game would have it so long. What is cut is nobody's."""
    return PlayerName(world_name(told))


def world_name(told: str) -> str:
    """The name of a world or dimension as it is told, cut like those of players."""
    return told if len(told) <= LONGEST_NAME else f"{told[: LONGEST_NAME - 1]}…"


@dataclass(frozen=True, slots=True)
class Position:
    """World coordinates in blocks; y is up. Whole numbers name a block's lower corner."""

    x: float
    y: float
    z: float

    def distance_to(self, other: Position) -> float:
        """Euclidean distance in blocks."""
        return math.dist((self.x, self.y, self.z), (other.x, other.y, other.z))

    @property
    def block(self) -> Position:
        """The block this point lies in."""
        return Position(math.floor(self.x), math.floor(self.y), math.floor(self.z))


@dataclass(frozen=True, slots=True)
class ItemStack:
    name: str
    count: int


def counts_of(stacks: Iterable[ItemStack]) -> Counter[str]:
    """How many there are of each item, over all stacks."""
    counts: Counter[str] = Counter()
    for stack in stacks:
        counts[stack.name] += stack.count
    return counts


@dataclass(frozen=True, slots=True)
class BlockCount:
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class BlockSighting:
    name: str
    position: Position


@dataclass(frozen=True, slots=True)
class LyingItem:
    """A stack on the ground."""

    name: str | None
    """None while the server has not told what it is, or not so that the bot can read it."""
    count: int
    """1 where that is not known."""
    position: Position


@dataclass(frozen=True, slots=True)
class Container:
    """A chest or its like with what is in it."""

    position: Position
    items: tuple[ItemStack, ...]
    """One entry for each occupied slot."""
    slots: int

    def count(self, item: str) -> int:
        return sum(stack.count for stack in self.items if stack.name == item)


@dataclass(frozen=True, slots=True)
class PlayerSighting:
    """Another player as this bot knows them."""

    name: PlayerName
    position: Position | None
    """None when listed on the server but not in view."""
    health: float | None = None
    """Half-hearts; None when unseen or when the server does not tell."""


@dataclass(frozen=True, slots=True)
class Gear:
    """What another player has on them for all to see."""

    held: str | None
    worn: tuple[str, ...]
    """Armour, and what is in the off hand."""


@dataclass(frozen=True, slots=True)
class MobSighting:
    """An animal or a monster in view."""

    name: str
    """Its kind, as `creeper`."""
    position: Position
    hostile: bool
    id: int = 0
    """Of this one, as long as it is in view."""
    young: bool = False
    coat: str | None = None
    """The colour of a sheep that has its wool."""
    is_somebodys: bool = False
    """Whether somebody gave it a name, has it on a lead, or tamed it."""


@dataclass(frozen=True, slots=True)
class Death:
    """A death of one of our bots."""

    number: int
    """1 for the first since it joined."""
    position: Position
    """Where it died, and its things lie."""


@dataclass(frozen=True, slots=True)
class WorldSnapshot:
    """All a bot senses at one moment, fetched in one crossing."""

    bot: BotName
    version: str
    """Minecraft version of the server, as `1.16.5`."""
    position: Position
    yaw: float
    """Degrees, 0 = north, counter-clockwise."""
    pitch: float
    """Degrees, positive = up."""
    dimension: str
    game_mode: GameMode
    health: float
    """Half-hearts, 0 to 20."""
    food: float
    """0 to 20."""
    time_of_day: int
    """Ticks since sunrise, 0 to 23,999."""
    spawn_point: Position
    held: ItemStack | None
    items: tuple[ItemStack, ...]
    """One entry for each occupied inventory slot."""
    free_slots: int
    players: tuple[PlayerSighting, ...]
    """Everyone else on the server's list, this bot left out."""
    blocks: tuple[BlockCount, ...]
    """Blocks around, most common first, air left out; empty unless asked for."""
    taken_at: datetime
    weather: Weather = "clear"
    worn: tuple[str, ...] = ()
    """Armour on the body and what is in the off hand; not among `items`."""
    mobs: tuple[MobSighting, ...] = ()
    """Nearest first: at most 32 monsters, and 32 others."""
    effects: tuple[str, ...] = ()
    """Names of the effects at work, as `poison`."""
    difficulty: Difficulty | None = None
    """None: the server has not told."""
    world: str = ""
    """Which world of its server; several may share a dimension. '' up to 1.15."""
    died: Death | None = None
    """Its latest death since it joined."""

    @property
    def is_day(self) -> bool:
        return is_day(self.time_of_day)

    @property
    def day_left_s(self) -> float:
        """Seconds until it is night."""
        if not self.is_day:
            return 0.0
        return ((DUSK_TICK - self.time_of_day) % TICKS_PER_DAY) / TICKS_PER_S

    @property
    def is_peaceful(self) -> bool:
        """Whether the server said that there are no monsters."""
        return self.difficulty == "peaceful"

    @property
    def night_left_s(self) -> float:
        """Seconds until it is day again."""
        return 0.0 if self.is_day else (DAWN_TICK - self.time_of_day) / TICKS_PER_S

    def player(self, name: str) -> PlayerSighting | None:
        """The listed player of exactly this name."""
        return next((p for p in self.players if p.name == name), None)

    def distance_to(self, player: PlayerSighting) -> float | None:
        """Blocks to a player in view; None when unseen."""
        return None if player.position is None else self.position.distance_to(player.position)

    def count(self, item: str) -> int:
        """How many of an item are held over all slots."""
        return sum(stack.count for stack in self.items if stack.name == item)

    def counts(self) -> Counter[str]:
        """How many of each item are held over all slots."""
        return counts_of(self.items)


@dataclass(frozen=True, slots=True)
class Zone:
    """The blocks of a box, both corners included, and what is level with it and so near."""

    low: Position
    high: Position
    within: float = 0.0
    """Blocks around the box, none above nor below it."""
    may_touch: bool = False

    def has(self, point: Position) -> bool:
        return self.low.y <= point.block.y <= self.high.y and self.away(point) <= 0

    def away(self, point: Position) -> float:
        """Blocks, level with it, from a point to the nearest of it; 0 or less within."""
        at = point.block
        away_x = max(self.low.x - at.x, 0, at.x - self.high.x)
        away_z = max(self.low.z - at.z, 0, at.z - self.high.z)
        return math.hypot(away_x, away_z) - self.within


def is_spared(zones: Iterable[Zone], point: Position) -> bool:
    """Whether a point is left alone: the first zone that has it decides."""
    return any(not zone.may_touch for zone in first_of(zones, point))


def first_of(zones: Iterable[Zone], point: Position) -> tuple[Zone, ...]:
    """The zone that decides about a point; none where none has it."""
    return next(((zone,) for zone in zones if zone.has(point)), ())
