"""Leaving things behind: thrown where they can be found again, at nobody's feet, not into lava."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from bots.bot.jobs import Job
from bots.errors import ActionFailed
from bots.skills.reach import SIDES
from bridge.actions import LookAt, LyingItems, Toss, Wait
from bridge.world import LyingItem, Position, WorldSnapshot

FLIES = 4
"""Blocks that a thrown item flies at most."""
FALLS = 4
"""It is left no further below the feet."""
OUT_OF_REACH = 3
"""Columns over which it must fly so as not to be picked up again at once."""
LANDS_AT = 2.0
AWAY_FROM_PLAYERS = 3.0
"""So far from where it lands there is no player, who would pick it up."""
AWAY_FROM_IT = 3.0
LANDED_S = 1.0
SETTLING = 0.3
"""What has just landed may be seen so much too low."""
LOOKED_FOR_WITHIN = 6.0
_OPEN = ("air", "grass", "fern", "snow", "dandelion", "poppy", "torch", "rail", "carpet")
_RUINS = ("lava", "fire", "cactus", "magma_block", "campfire", "water", "portal", "hopper")
"""What burns a thing, carries it off or swallows it."""


@dataclass(frozen=True, slots=True)
class Left:
    """Items that were left lying at a place."""

    items: Mapping[str, int]
    position: Position

    def __str__(self) -> str:
        listed = " and ".join(f"{count} {item}" for item, count in self.items.items())
        at = self.position
        return f"I left {listed} at {at.x:g} {at.y:g} {at.z:g}."


def by_place(lefts: Iterable[Left]) -> list[Left]:
    """What was left at each place in all."""
    items: dict[Position, Counter[str]] = {}
    for left in lefts:
        items.setdefault(left.position, Counter()).update(left.items)
    return [Left(there, at) for at, there in items.items()]


async def way_to_throw(job: Job, heading: Position | None = None) -> Position | None:
    """A point to throw at, with ground below that ruins nothing and no player near.

    It is not where the bot goes next, to `heading`: it would pick up what lies on its way."""
    world = await job.snapshot()
    around = await job.blocks_around()
    best: tuple[int, float] = (0, 0.0)
    chosen: Position | None = None
    for dx, dz in SIDES:
        at = _ahead(world.position, dx, dz, LANDS_AT)
        free = 0 if _is_near_a_player(at, world) else _room(world.position.block, dx, dz, around)
        worth = min(free, OUT_OF_REACH), at.distance_to(heading) if heading else 0.0
        if free and worth > best:
            best, chosen = worth, at
    return chosen


async def leave(job: Job, item: str, count: int, at: Position) -> None:
    """Throw some of an item that way. Raises ActionFailed."""
    await job.act(LookAt(at))
    await job.act(Toss(item, count))


async def where_it_lies(job: Job, items: Iterable[str], at: Position) -> Position:
    """The block where what was thrown came to lie, or `at` where nobody can tell."""
    thrown = frozenset(items)
    with suppress(ActionFailed):
        await job.act(Wait(LANDED_S))
    lying = await job.query(LyingItems(LOOKED_FOR_WITHIN))
    found = [one.position for one in lying if one.name in thrown]
    lies = min(found, key=at.distance_to, default=at)
    return Position(lies.x, lies.y + SETTLING, lies.z).block


def still_lies(left: Left, lying: Iterable[LyingItem]) -> bool:
    """Whether any of it is seen near where it was left."""
    return any(
        one.name in (None, *left.items) and one.position.distance_to(left.position) < AWAY_FROM_IT
        for one in lying
    )


def _ahead(feet: Position, dx: int, dz: int, blocks: float) -> Position:
    return Position(feet.x + dx * blocks, feet.y, feet.z + dz * blocks)


def _is_near_a_player(at: Position, world: WorldSnapshot) -> bool:
    return any(
        player.position is not None and player.position.distance_to(at) < AWAY_FROM_PLAYERS
        for player in world.players
    )


def _room(feet: Position, dx: int, dz: int, around: Mapping[Position, str]) -> int:
    """How many columns it can fly over until it hits something; 0 where one would ruin it."""
    for step in range(FLIES + 1):
        eyes = Position(feet.x + dx * step, feet.y + 1, feet.z + dz * step)
        if not _is_open(around.get(eyes, "")):
            return max(0, step - 1)
        if step and not _ends_well(eyes, around):
            return 0
    return FLIES


def _ends_well(eyes: Position, around: Mapping[Position, str]) -> bool:
    for depth in range(1, FALLS + 2):
        block = around.get(Position(eyes.x, eyes.y - depth, eyes.z), "")
        if not _is_open(block):
            return bool(block) and not block.endswith(_RUINS)
    return False


def _is_open(block: str) -> bool:
    return block.endswith(_OPEN)
