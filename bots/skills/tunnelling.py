"""Tunnelling: to something buried, over the ground as far as that helps, then down in stairs.

The search for a path through the ground gets slow with its length, so the way is chosen here and
dug step by step. Old stairs and tunnels are climbed again, and their gaps mended.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Awaitable, Callable, Iterator
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import ActionFailed
from bots.skills.reach import (
    SIDES,
    WALK_S,
    above,
    below,
    connected,
    finds_way,
    foot,
    middle,
    sides,
    succeeds,
    walk_into_reach,
)
from bridge.actions import FindBlocks, Footholds, MoveTo, Place
from bridge.world import Position

STEP_WITHIN = 0.9  # blocks: it must be this very cell
STEP_S = 30.0  # three blocks of stone by hand, and more
SEEN, ROOM = 14, 4000  # blocks around along each axis, and empty ones read at most
LEGS = 16  # of one climb, each up to the next gap
WALLS = 2  # of four sides
TORCH = "torch"
HOLLOW = ("air", "cave_air", TORCH, "wall_torch")
LIT_EVERY = 8  # blocks; a torch lights what is up to 6 off so far that no monsters come

WIDEST = 4  # blocks from one end to the other
DEEPEST_DROP = 3  # blocks without harm
NEAR = 2.0  # blocks, level; the rest of the way is found at once
WANDERED = 16  # steps beyond three times the distance; then it gives up
FAR = 12.0  # blocks, level: from farther away it goes over the ground first
SHALLOW = 8.0  # blocks: digging out of a pit of this depth is quick
LEVEL_LEG = 6.0  # blocks of a tunnel dug at once
BESIDE = 2.0
ARM = 4  # blocks above the feet that can be touched
WHOLE_WAY_S = 180.0
STAIRHEAD = 3.0  # blocks around the place where the stairs begin
_WAYS = ((1, 0), (0, 1), (-1, 0), (0, -1))  # each a quarter turn on from the one before
AROUND = 4  # blocks in which other hollows matter
_OPEN = ("air", "water", "lava")


_ACROSS = sorted(
    (
        (dx, dy, dz)
        for dx, dy, dz in itertools.product(range(-WIDEST, WIDEST + 1), repeat=3)
        if dy >= 0 and 1 < math.hypot(dx, dy, dz) <= WIDEST
    ),
    key=lambda across: math.hypot(*across),
)
"""Offsets to the other end of a gap, narrowest first, never down."""


async def is_below_ground(job: Job) -> bool:
    """Whether the bot stands in a pit or a tunnel: there is ground above it, or walls around it
    are higher than its feet."""
    feet = (await job.snapshot()).position.block
    if sum([await job.block(side) not in HOLLOW for side in sides(above(feet))]) >= WALLS:
        return True
    places = await job.query(Footholds(int(feet.x), int(feet.z))) or ()
    return any(place.y > feet.y for place in places)


async def climb_old_stairs(
    job: Job, goal: Position, is_there: Callable[[], Awaitable[bool]]
) -> bool:
    """Go up on foot as far as possible and mend one gap after another, until `is_there`; whether
    it came to that."""
    tried: set[Position] = set()
    for _ in range(LEGS):
        here = (await job.snapshot()).position.block
        if here.y >= goal.y - 1 or not await is_below_ground(job):
            return False
        near, beyond = await _next_leg(job, here, goal, tried)
        if near == here and beyond is None:
            return False
        if near != here and not await finds_way(job.act(MoveTo(foot(near), STEP_WITHIN))):
            return False
        if beyond is not None:
            tried.add(beyond)
            across = MoveTo(foot(beyond), STEP_WITHIN, may_dig=True)
            if await finds_way(job.act(across, deadline_s=STEP_S)) and await is_there():
                return True
    return False


async def _next_leg(
    job: Job, here: Position, goal: Position, tried: set[Position]
) -> tuple[Position, Position | None]:
    """Where to walk, and the far end of the gap to mend there; without a gap in sight, the
    reachable place nearest to the goal and None."""
    found = await job.query(FindBlocks(HOLLOW, SEEN, ROOM, in_cube=True))
    room = {sighting.position for sighting in found}
    reached = reachable(room, here)
    for near, beyond in gaps(room, reached):
        if beyond not in tried:
            return near, beyond
    return min(reached, key=lambda place: place.distance_to(goal)), None


def reachable(room: AbstractSet[Position], here: Position) -> set[Position]:
    """The cells that the bot can reach on foot from here."""
    return {*connected(here, partial(_steps, room))}


def gaps(
    room: AbstractSet[Position], reached: AbstractSet[Position]
) -> list[tuple[Position, Position]]:
    """Both ends of each gap, narrowest gap first: the last cell reached on foot, the first cell
    beyond. `room` holds the empty cells around."""
    beyond = {cell for cell in room if _is_standing(room, cell)} - reached
    found: dict[Position, tuple[int, Position]] = {}
    for near in reached if beyond else ():
        for rank, (dx, dy, dz) in enumerate(_ACROSS):
            there = Position(near.x + dx, near.y + dy, near.z + dz)
            if there in beyond and (there not in found or rank < found[there][0]):
                found[there] = (rank, near)
                break
    ranked = sorted(found, key=lambda there: found[there][0])
    return [(found[there][1], there) for there in ranked]


def _steps(room: AbstractSet[Position], here: Position) -> Iterator[Position]:
    for dx, dz in SIDES:
        for dy in range(1, -DEEPEST_DROP - 1, -1):
            there = Position(here.x + dx, here.y + dy, here.z + dz)
            if _is_standing(room, there) and _is_open(room, here, there):
                yield there


def _is_standing(room: AbstractSet[Position], feet: Position) -> bool:
    return feet in room and above(feet) in room and below(feet) not in room


def _is_open(room: AbstractSet[Position], here: Position, there: Position) -> bool:
    """Whether a body gets from one cell to the other, jumping or falling."""
    top = int(max(here.y, there.y))
    over = (Position(here.x, y, here.z) for y in range(int(here.y) + 2, top + 2))
    along = (Position(there.x, y, there.z) for y in range(int(there.y), top + 2))
    return all(cell in room for cell in (*over, *along))


async def dig_into_reach(bot: Bot, job: Job, block: Position) -> None:
    """Go to where a block can be touched: on foot, by mending old stairs, or by digging new ones.

    Raises ActionFailed."""

    async def on_foot() -> bool:
        return await finds_way(walk_into_reach(job, await job.snapshot(), block))

    if await on_foot():
        return
    if not await _has_ground_below(job, block):
        raise ActionFailed("no_path", "It hangs too high.")
    await _break_through(bot, job, MoveTo(foot(block), BESIDE), on_foot)


async def climb(bot: Bot, job: Job, way: MoveTo) -> None:
    """Climb out of a pit or a mine: on foot, by mending old stairs, or by digging new ones.

    Raises ActionFailed."""

    async def on_foot() -> bool:
        return await finds_way(job.act(way, deadline_s=WHOLE_WAY_S))

    if not await on_foot():
        await _break_through(bot, job, way, on_foot)


async def dig_near(bot: Bot, job: Job, block: Position) -> None:
    """Dig to a buried block, level with it. Raises ActionFailed when no way leads on."""
    await _go_to_stairhead(bot, job, block)
    # The nearest cell next to a block; a step on top of the block would vanish with it.
    here = (await job.snapshot()).position
    sides = [Position(block.x + dx, block.y, block.z + dz) for dx, dz in _WAYS]
    beside = min(sides, key=lambda side: math.hypot(side.x - here.x, side.z - here.z))
    await _Stairs(bot, job, beside).dig()


async def _break_through(
    bot: Bot, job: Job, way: MoveTo, on_foot: Callable[[], Awaitable[bool]]
) -> None:
    """Get to where no path on foot was found."""
    if await climb_old_stairs(job, way.position, on_foot):
        return
    digging = replace(way, may_dig=True)
    here = (await job.snapshot()).position
    is_near = here.distance_to(way.position) <= FAR
    if is_near and await finds_way(job.act(digging, deadline_s=WHOLE_WAY_S)):
        return
    await dig_near(bot, job, way.position.block)
    await job.act(digging, deadline_s=WHOLE_WAY_S)


async def _has_ground_below(job: Job, block: Position) -> bool:
    """Whether the bot could stand anywhere in reach of the block; else no digging helps."""
    for dx, dz in _WAYS:
        places = await job.query(Footholds(int(block.x + dx), int(block.z + dz))) or ()
        if any(0 <= block.y - place.y <= ARM for place in places):
            return True
    return False


async def _go_to_stairhead(bot: Bot, job: Job, block: Position) -> None:
    """Go to where stairs would end at the block, one down for each one ahead."""
    here = (await job.snapshot()).position
    level = math.hypot(block.x - here.x, block.z - here.z)
    depth = here.y - block.y
    if level <= max(FAR, depth):
        return
    share = max(0.0, depth) / level
    x, z = block.x + (here.x - block.x) * share, block.z + (here.z - block.z) * share
    places = await job.query(Footholds(math.floor(x), math.floor(z))) or (
        Position(x, here.y, z).block,
    )
    nearest = min(places, key=lambda place: abs(place.y - here.y))
    is_pit = abs(nearest.y - here.y) <= SHALLOW  # out of which one is dug soon
    with suppress(ActionFailed):
        way = MoveTo(middle(nearest), STAIRHEAD)
        if not await finds_way(job.act(way, deadline_s=WALK_S)) and is_pit:
            await job.act(replace(way, may_dig=True), deadline_s=WALK_S)


@dataclass(slots=True)
class _Stairs:
    """Stairs dug step by step, each keeping the ground below the one before.

    The path search alone would dig switchbacks within two columns: fewer blocks, but each step
    takes the ground from the step above, so there is no way back up. Around a square of four
    columns there is room to stand below every step."""

    bot: Bot
    job: Job
    target: Position
    _way: int | None = None
    """Index in `_WAYS` of the last step."""
    _dark: float = LIT_EVERY / 2
    """Blocks since the last torch."""

    async def dig(self) -> None:
        here = (await self.job.snapshot()).position.block
        for _ in range(WANDERED + 3 * math.ceil(here.distance_to(self.target))):
            if here.y == self.target.y and here.distance_to(self.target) <= NEAR:
                return
            if not await self._go_on(here):
                break
            here = (await self.job.snapshot()).position.block
        # The rest is left to the path search: it gets around caves, water and lava.
        near = MoveTo(foot(self.target), NEAR, may_dig=True)
        await self.job.act(near, deadline_s=WHOLE_WAY_S)

    async def _go_on(self, here: Position) -> bool:
        """Dig one step in the best possible direction, never back below the last step."""
        around = await self.job.blocks_around()
        hollows = {
            cell
            for cell, name in around.items()
            if name in HOLLOW and cell.distance_to(here) <= AROUND
        }
        steps = {way: _next_step(here, self.target, _WAYS[way]) for way in self._ways(here)}
        for way in sorted(steps, key=lambda way: _spoils(here, steps[way], hollows)):
            # A step that failed may lead elsewhere: a way back would dig up the stair.
            is_dug = await self._dig_step(steps[way])
            if is_dug or (await self.job.snapshot()).position.block != here:
                self._way = way
                # Put a torch where it just stood, where one is due and to spare.
                self._dark += here.distance_to((await self.job.snapshot()).position.block)
                if self._dark >= LIT_EVERY and self.job.torches > 0:
                    self._dark, self.job.torches = 0, self.job.torches - 1
                    with suppress(ActionFailed):
                        await self.job.act(Place(TORCH, here))
                return True
        return False

    def _ways(self, here: Position) -> Iterator[int]:
        """The directions, best first, the one back left out: towards the target when there is room
        for all steps, else around in a square."""
        dx, dz = self.target.x - here.x, self.target.z - here.z
        if abs(dx) + abs(dz) < abs(self.target.y - here.y):
            best = ((self._way or 0) + 1) % len(_WAYS)  # no room for all steps: in a square
        elif abs(dx) >= abs(dz):
            best = _WAYS.index((int(math.copysign(1, dx)), 0))
        else:
            best = _WAYS.index((0, int(math.copysign(1, dz))))
        for turn in (0, 1, 3, 2):
            way = (best + turn) % len(_WAYS)
            if self._way is None or way != (self._way + 2) % len(_WAYS):
                yield way

    async def _dig_step(self, step: Position) -> bool:
        ground = await self.job.block(below(step))
        if ground is None or ground.endswith(_OPEN):
            return False
        there = self.job.act(MoveTo(foot(step), STEP_WITHIN, may_dig=True), deadline_s=STEP_S)
        return await succeeds(there, "no_path", "deadline", "stuck")


def _spoils(here: Position, step: Position, hollows: AbstractSet[Position]) -> tuple[bool, bool]:
    """Whether digging this step removes the ground of an earlier step or opens another hollow:
    either may spoil the way back."""
    dug = [cell for cell in _cells(here, step) if cell not in hollows]
    beside = {side for cell in dug for side in sides(cell)}
    own = {Position(here.x, here.y + up, here.z) for up in (-1, 0, 1, 2)}
    opens = step.y != here.y and not hollows.isdisjoint(beside - own)
    return not hollows.isdisjoint(map(above, dug)), opens


def _cells(here: Position, step: Position) -> Iterator[Position]:
    """The cells a body passes through; for a stair, also those needed to climb it again."""
    length = max(abs(step.x - here.x), abs(step.z - here.z))
    height = 2 if step.y == here.y else 3
    for n in range(1, int(length) + 1):
        x, z = here.x + (step.x - here.x) * n / length, here.z + (step.z - here.z) * n / length
        yield from (Position(x, step.y + up, z) for up in range(height))


def _next_step(here: Position, target: Position, way: tuple[int, int]) -> Position:
    """One stair up or down, or several blocks of level tunnel."""
    rise = max(-1, min(1, target.y - here.y))
    ahead = abs(target.x - here.x) if way[0] else abs(target.z - here.z)
    length = 1.0 if rise else max(1.0, min(LEVEL_LEG, ahead))
    return Position(here.x + way[0] * length, here.y + rise, here.z + way[1] * length)
