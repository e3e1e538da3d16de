"""Where on a ground that nobody knows a scene can be played, and with what."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence

from benchmarks.foreign.stage import NotTried, Person, Stage
from bridge.actions import BlockAt, Footholds
from bridge.world import Position

EARTH = ("grass_block", "dirt", "sand", "gravel", "coarse_dirt", "podzol")
"""Drops something when dug by hand."""
AIR = ("air", "cave_air", "void_air")
BESIDE, OUT_OF_ARMS = (0.6, 1.9), (3.1, 3.9)
"""Blocks from the feet: what is dug there falls to who digs it, or to nobody."""
ARM = 4  # blocks
AFAR = tuple(
    (dx, dz)
    for near in (5, 4, 6, 3)
    for dx, dz in ((near, 0), (0, near), (-near, 0), (0, -near), (near, near), (-near, -near))
)
"""Columns to walk to, counted from the feet."""
NEXT = ((2, 0), (0, 2), (-2, 0), (0, -2))


async def foothold(
    stage: Stage, feet: Position, columns: Iterable[tuple[int, int]] = AFAR
) -> Position:
    """The first of these columns where one could stand about as high as there."""
    here = feet.block
    for dx, dz in columns:
        found = await stage.bot.query(Footholds(int(here.x) + dx, int(here.z) + dz))
        for at in found or ():
            if abs(at.y - here.y) <= 1:
                return at
    raise NotTried("there is no level ground around")


async def step_aside(stage: Stage, who: Person, other: Person) -> None:
    """What is thrown at somebody falls to nobody else."""
    feet, others = await who.stands(), await other.stands()
    by_distance = sorted(
        AFAR, key=lambda by: math.hypot(feet.x + by[0] - others.x, feet.z + by[1] - others.z)
    )
    await who.walks(await foothold(stage, feet, reversed(by_distance)))


async def earth(
    stage: Stage,
    feet: Position,
    span: tuple[float, float] = BESIDE,
    away_from: Sequence[Position] = (),
) -> Position:
    """Earth under the open air that whoever stands there can dig with bare hands, not between
    them and somebody else."""
    beside = [at for at in _around(feet) if span[0] <= _away(at, feet) <= span[1]]
    if away_from:
        beside.sort(key=lambda at: min(map(at.distance_to, away_from)), reverse=True)
    for at in beside:
        above = Position(at.x, feet.block.y, at.z)
        if await _is(stage, at, EARTH) and await _is(stage, above, AIR):
            return at
    raise NotTried("there is no earth to dig around")


def _around(feet: Position) -> Iterator[Position]:
    near = range(-ARM, ARM + 1)
    for dx, dz in itertools.product(near, near):
        yield Position(feet.block.x + dx, feet.block.y - 1, feet.block.z + dz)


def _away(at: Position, feet: Position) -> float:
    return math.hypot(at.x + 0.5 - feet.x, at.z + 0.5 - feet.z)


async def _is(stage: Stage, at: Position, among: tuple[str, ...]) -> bool:
    return any(found.name in among for found in await stage.bot.query(BlockAt(at)))


async def carried(stage: Stage) -> str:
    """Something the bot carries; the watcher gives it earth if it has nothing."""
    world = await stage.world()
    if not world.items:

        async def has_it() -> bool:
            return bool((await stage.world()).items)

        await stage.rule(f"/give {stage.names.bot} dirt 2", has_it)
        world = await stage.world()
    return world.items[0].name
