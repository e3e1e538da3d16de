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
from bridge.world import Position, WorldSnapshot

FLIES = 4
"""Blocks that a thrown item flies at most."""
FALLS = 4
"""It is left no further below the feet."""
LANDS_AT = 2.0
AWAY_FROM_PLAYERS = 3.0
"""So far from where it lands there is no player, who would pick it up."""
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
    ways = [(_ahead(world.position, dx, dz, LANDS_AT), dx, dz) for dx, dz in SIDES]
    if heading is not None:
        ways.sort(key=lambda way: -way[0].distance_to(heading))
    for at, dx, dz in ways:
        if not _is_near_a_player(at, world) and _is_harmless(world.position.block, dx, dz, around):
            return at
    return None


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


def _ahead(feet: Position, dx: int, dz: int, blocks: float) -> Position:
    return Position(feet.x + dx * blocks, feet.y, feet.z + dz * blocks)


def _is_near_a_player(at: Position, world: WorldSnapshot) -> bool:
    return any(
        player.position is not None and player.position.distance_to(at) < AWAY_FROM_PLAYERS
        for player in world.players
    )


def _is_harmless(feet: Position, dx: int, dz: int, around: Mapping[Position, str]) -> bool:
    """Whether each column that it may fall into ends on ground where it stays."""
    for step in range(FLIES + 1):
        eyes = Position(feet.x + dx * step, feet.y + 1, feet.z + dz * step)
        if not _is_open(around.get(eyes, "")):
            return step > 0  # it falls to the feet of what it hits
        if not _ends_well(eyes, around):
            return False
    return True


def _ends_well(eyes: Position, around: Mapping[Position, str]) -> bool:
    for depth in range(1, FALLS + 2):
        block = around.get(Position(eyes.x, eyes.y - depth, eyes.z), "")
        if not _is_open(block):
            return bool(block) and not block.endswith(_RUINS)
    return False


def _is_open(block: str) -> bool:
    return block.endswith(_OPEN)
