"""Building: a design out of `houses.toml`, on level natural ground near the bot.

a house it began, else level ground ─▶ walls ─▶ roof ─▶ door and torch ─▶ look whether all stands
"""

from __future__ import annotations

import math
import tomllib
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import count, product

from bots.bot.bot import Bot
from bots.bot.built import is_soil
from bots.bot.jobs import Job
from bots.errors import ActionFailed, CommandError
from bots.skills.placing import is_room
from bots.skills.reach import below, foot
from bots.skills.walking import walk
from bridge.actions import Dig, FindBlocks, Footholds, Place, Wait
from bridge.world import Position

PLANKS, DOOR, TORCH, FREE = "P", "D", "T", "."
LOG_WITHIN = 64  # blocks
SITE_WITHIN = 16  # blocks from the bot
LEVEL_WITHIN = 4  # blocks up and down
BEGUN_WITHIN = 48
ALONGSIDE = 1  # blocks of level ground around the walls
FEW = 3  # blocks of the first wall, by which a house is known that was begun
STANDS_WITHIN = 0.5
OUT_OF_THE_WAY_S = 2.0
PATIENCE = 5  # times it waits for somebody who stands in the way


WOODS = ("oak", "birch", "spruce", "jungle", "acacia", "dark_oak")
PLANTS = frozenset({"poppy", "dandelion", "azure_bluet", "oxeye_daisy", "cornflower", "allium"})
"""What is dug away; grass gives way by itself."""


@dataclass(frozen=True, slots=True)
class Part:
    """One block of a design, counted from the floor in its middle."""

    sign: str
    dx: int
    dy: int
    dz: int

    def at(self, middle: Position) -> Position:
        return Position(middle.x + self.dx, middle.y + self.dy, middle.z + self.dz)


@dataclass(frozen=True, slots=True)
class Design:
    """What a bot can build."""

    name: str
    layers: tuple[tuple[str, ...], ...]

    @property
    def reach(self) -> int:
        """Blocks from the middle to a wall."""
        return len(self.layers[0]) // 2

    @property
    def parts(self) -> Sequence[Part]:
        """In the order in which they are built: from the ground up, a layer from its edge to its
        middle, and last what hangs or stands on others."""
        found = [
            Part(sign, x - self.reach, y, z - self.reach)
            for y, layer in enumerate(self.layers)
            for z, row in enumerate(layer)
            for x, sign in enumerate(row)
            if sign != FREE
        ]
        order = {PLANKS: 0, DOOR: 1, TORCH: 2}
        return sorted(
            found,
            key=lambda one: (order[one.sign], one.dy, -max(abs(one.dx), abs(one.dz)), one.dx),
        )

    def needs(self, wood: str, parts: Sequence[Part] | None = None) -> Counter[str]:
        """What it is made of, or these parts of it are; the torch is left out."""
        needed = Counter(
            item_of(one.sign, wood) for one in self.parts if parts is None or one in parts
        )
        del needed["torch"]
        return needed


@dataclass(frozen=True, slots=True)
class Site:
    """Where a house stands, or is to stand."""

    middle: Position
    wood: str
    lacking: tuple[Part, ...]


@cache
def designs() -> dict[str, Design]:
    """All that can be built, by name."""
    text = (files(__package__) / "houses.toml").read_text("utf-8")
    read = tomllib.loads(text)
    return {name: Design(name, tuple(map(tuple, one["layers"]))) for name, one in read.items()}


def item_of(sign: str, wood: str) -> str:
    return {PLANKS: f"{wood}_planks", DOOR: f"{wood}_door", TORCH: "torch"}[sign]


async def site_for(job: Job, bot: Bot, design: Design) -> Site:
    """Where to build: a house of this design that was begun near here, else new ground.

    Raises CommandError blocked: there is no level natural ground that is nobody's."""
    begun = await _begun(job, bot, design)
    if begun is not None:
        return begun
    wood = await _wood(job)
    ground = _Ground(job, (await job.snapshot()).position.block)
    async for middle in ground.squares(design.reach + ALONGSIDE):
        if await _is_free(job, bot, design, middle):
            return Site(middle, wood, tuple(design.parts))
    far = f"{SITE_WITHIN} blocks"
    raise CommandError("blocked", f"There is no level, free ground within {far} to build on.")


async def build(job: Job, bot: Bot, design: Design, site: Site) -> None:
    """Place what lacks. Raises ActionFailed."""
    await walk(bot, job, foot(site.middle), STANDS_WITHIN)
    for done, part in enumerate(site.lacking):
        await _put(job, item_of(part.sign, site.wood), part.at(site.middle))
        job.progress(done + 1, len(site.lacking), design.name)


async def lacking(job: Job, design: Design, middle: Position, wood: str) -> tuple[Part, ...]:
    """The parts that do not stand, but for the torch."""
    return tuple(
        [
            part
            for part in design.parts
            if part.sign != TORCH and await job.block(part.at(middle)) != item_of(part.sign, wood)
        ]
    )


async def _put(job: Job, item: str, where: Position) -> None:
    there = await job.block(where) or ""
    if there == item or (item == "torch" and not (await job.snapshot()).count(item)):
        return
    if not is_room(there):  # a flower or the like
        await job.act(Dig(where, pick_up=False, in_vain=True))
    for tried in count(1):
        try:
            await job.act(Place(item, where))
        except ActionFailed as failed:
            if failed.reason != "blocked" or item == "torch" or tried >= PATIENCE:
                if item == "torch":
                    return
                raise
            await job.act(Wait(OUT_OF_THE_WAY_S))
        else:
            return


async def _begun(job: Job, bot: Bot, design: Design) -> Site | None:
    """The house of this design near of which bots placed most, if not all of it stands."""
    world = await job.snapshot()
    placed = {
        at
        for at in bot.placements.everyones(world.dimension)
        if at.distance_to(world.position) <= BEGUN_WITHIN
    }
    walls = [part for part in design.parts if part.sign == PLANKS]
    middles = {
        Position(at.x - part.dx, at.y - part.dy, at.z - part.dz)
        for at, part in product(placed, walls[:FEW])
    }
    best: Site | None = None
    most = FEW - 1
    for middle in middles:
        if not all(part.at(middle) in placed for part in walls[:FEW]):
            continue
        name = await job.block(walls[0].at(middle)) or ""
        wood = name.removesuffix("_planks")
        left = await lacking(job, design, middle, wood) if wood != name else ()
        stands = [part for part in walls if part not in left]
        if left and len(stands) > most and all(part.at(middle) in placed for part in stands):
            best, most = Site(middle, wood, left), len(stands)
    return best


async def _wood(job: Job) -> str:
    """The kind of wood to build with: what it carries most of, else what grows near."""
    world = await job.snapshot()
    carried: Counter[str] = Counter()
    for stack in world.items:
        for ending, planks in (("_planks", 1), ("_log", 4)):
            if stack.name.endswith(ending) and not stack.name.startswith("stripped"):
                carried[stack.name.removesuffix(ending)] += stack.count * planks
    if carried:
        return carried.most_common(1)[0][0]
    logs = tuple(f"{wood}_log" for wood in WOODS)
    found = await job.targets(FindBlocks(logs, LOG_WITHIN, 1))
    return found[0].name.removesuffix("_log") if found else WOODS[0]


@dataclass(slots=True)
class _Ground:
    """The ground around, each column looked at once."""

    job: Job
    feet: Position
    columns: dict[tuple[int, int], int | None] = field(default_factory=dict)

    async def level(self, x: int, z: int) -> int | None:
        """How high the ground is there; None where nobody can stand near the bot's level."""
        if (x, z) not in self.columns:
            footholds = await self.job.query(Footholds(x, z)) or ()
            heights = [int(one.y) for one in footholds if abs(one.y - self.feet.y) <= LEVEL_WITHIN]
            near = min(heights, key=lambda y: abs(y - self.feet.y), default=None)
            self.columns[x, z] = near
        return self.columns[x, z]

    async def squares(self, far: int) -> AsyncIterator[Position]:
        """The middles of level squares that reach so far, the nearest first; not right here."""
        x, z = int(self.feet.x), int(self.feet.z)
        span = range(-SITE_WITHIN, SITE_WITHIN + 1)
        ways = [(dx, dz) for dx, dz in product(span, repeat=2) if max(abs(dx), abs(dz)) > far]
        edge_first = sorted(
            product(range(-far, far + 1), repeat=2), key=lambda one: -abs(one[0]) - abs(one[1])
        )
        for dx, dz in sorted(ways, key=lambda one: math.hypot(*one)):
            middle = await self.level(x + dx, z + dz)
            if middle is None:
                continue
            for ex, ez in edge_first:
                if await self.level(x + dx + ex, z + dz + ez) != middle:
                    break
            else:
                yield Position(x + dx, middle, z + dz)


async def _is_free(job: Job, bot: Bot, design: Design, middle: Position) -> bool:
    """Whether nothing but grass is in the way, on natural ground that is nobody's."""
    span = range(-design.reach, design.reach + 1)
    columns = [
        Position(middle.x + dx, middle.y, middle.z + dz) for dx, dz in product(span, repeat=2)
    ]
    floor = [below(at) for at in columns]
    world = await job.snapshot()
    if any(bot.areas.sparing(world.dimension, at) for at in columns):
        return False
    if not all([is_soil(await job.block(at) or "") for at in floor]):
        return False
    for at in columns:
        for height in range(len(design.layers)):
            name = await job.block(Position(at.x, at.y + height, at.z)) or ""
            if not (is_room(name) or name in PLANTS):
                return False
    return not await job.is_somebodys(*columns)
