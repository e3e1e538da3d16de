"""The hands of a bot: what an action would touch, and whether it may. All actions pass here."""

from __future__ import annotations

import math
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from heapq import nsmallest

from bots.access.origin import Level
from bots.bot.areas import Area, Areas
from bots.bot.built import FARMLAND, YARD, Cell, Judge, cell_of, is_worked
from bots.bot.perils import Perils
from bots.bot.placements import Placements
from bots.errors import ActionFailed
from bridge.actions import (
    Action,
    Approach,
    Attack,
    CollectDrops,
    Craft,
    Deposit,
    Dig,
    Fill,
    FindBlocks,
    Fish,
    Follow,
    Hunt,
    MoveTo,
    OpenContainer,
    OpenedContainer,
    Pillar,
    Place,
    Pour,
    Smelt,
    Till,
    UseOn,
    Withdraw,
)
from bridge.catalogue import Catalogue
from bridge.errors import BridgeError
from bridge.events import ActionFinished
from bridge.port import Bridge
from bridge.world import BlockSighting, BotName, Position, WorldSnapshot, Zone, is_spared

FORBIDDEN = "forbidden_area"
MOST_ROUND_A_WAY = 256  # boxes of buildings that a tunnel avoids
MOST_FREE = 64  # blocks inside those boxes that bots placed, so a tunnel may use them
FARTHEST_SEEN = 64  # blocks
MOST_SEEN = 10_000  # worked blocks
SEEN_FROM = 24.0  # blocks; after a longer way the bot looks again
SEEN_FOR_S = 60.0

WALKS = (MoveTo, Approach, Follow, Hunt, Attack, UseOn, CollectDrops)

REFUSES = re.compile(
    r"permission|permitted|allow|n['’]t\b|cannot|can not|protect|claim|\bown(?:s|er|ed)?\b"
    r"|belongs|denied|private|forbidden|権限|保護|許可|禁止|ません|できない|нельзя|защищ|прав|geschützt|nicht|darfst"
    r"|protég|interdit|pas\b|permiso|puedes|protegid|permiss|pode\b",
    re.IGNORECASE,
)
"""Words that only plugins that protect land use in a refusal."""


@dataclass(frozen=True, slots=True)
class Pointed:
    """Blocks at which somebody pointed: one job may take them."""

    blocks: frozenset[Position]
    level: Level
    """The level of the person who pointed."""

    def opens(self, area: Area) -> bool:
        """Whether pointing is enough there. In a forbidden area only an owner may point; in an area
        where the bot has to ask, pointing is the answer."""
        return self.level >= (Level.OWNER if area.rule == "forbid" else area.level)


NOTHING_POINTED = Pointed(frozenset(), Level.PLAYER)


@dataclass(slots=True)
class Works:
    """The worked blocks around a bot. It looks now and then, and again after a long way."""

    bot: BotName
    bridge: Bridge
    catalogue: Callable[[], Awaitable[Catalogue]]
    stopwatch: Callable[[], float]
    _seen: Mapping[Cell, str] = field(default_factory=dict)
    _looked: tuple[str, Position, float, float] | None = None
    """Dimension, position, time and distance of the look."""

    async def seen(self, world: WorldSnapshot, far: float) -> Mapping[Cell, str]:
        """What stands around by where, at least so many blocks away, as far as one sees."""
        dimension, from_, at_s, looked = self._looked or ("", world.position, 0.0, 0.0)
        is_here = dimension == world.dimension
        needed = from_.distance_to(world.position) + min(far, FARTHEST_SEEN - SEEN_FROM)
        if not is_here or needed > looked or self.stopwatch() - at_s > SEEN_FOR_S:
            worked = (*filter(is_worked, (await self.catalogue()).blocks), FARMLAND)
            around = FindBlocks(worked, FARTHEST_SEEN, MOST_SEEN)
            found = await self.bridge.query(self.bot, around)
            self.learn(world, {cell_of(one.position): one.name for one in found}, FARTHEST_SEEN)
        return self._seen

    def learn(self, world: WorldSnapshot, seen: Mapping[Cell, str], far: float) -> None:
        """Note all worked blocks that a look at this distance has just found."""
        self._seen = seen
        self._looked = world.dimension, world.position, self.stopwatch(), far


@dataclass(frozen=True, slots=True)
class Hands:
    """Decides what one bot may touch."""

    bot: BotName
    bridge: Bridge
    areas: Areas
    placements: Placements
    works: Works
    """What stands around."""
    perils: Perils

    async def heed(
        self, action: Action, pointed: Pointed = NOTHING_POINTED, look: Look | None = None
    ) -> Action:
        """The action, told which places it leaves alone; `look` shows what was seen last. Raises
        ActionFailed forbidden_area where it would touch one."""
        digs = isinstance(action, MoveTo) and action.may_dig
        if not self.areas.all() and not digs:
            return action
        world = await self._seen(look)
        touched = await self._touched(action, world)
        area = touched and self.areas.sparing(world.dimension, touched)
        if touched and area and not (touched.block in pointed.blocks and pointed.opens(area)):
            raise ActionFailed(FORBIDDEN, area.why, area=area.name)
        match action:
            case Hunt() if any(mob.id == action.mob and mob.hostile for mob in world.mobs):
                return action  # monsters belong to nobody
            case CollectDrops() if pointed.blocks:
                left = (one for one in self.areas.of(world.dimension) if not pointed.opens(one))
                return replace(action, spared=(*action.spared, *(one.zone for one in left)))
            case MoveTo(may_dig=True):
                zones = await self._spared(world, action.position, pointed)
                return replace(action, spared=zones)
            case CollectDrops() | Hunt() | UseOn():
                zones = self.areas.zones(world.dimension)
                return replace(action, spared=(*action.spared, *zones))
        return action

    async def shunned(self, action: Action, look: Look | None = None) -> tuple[Position, ...]:
        """The places that it shuns on its way."""
        if not isinstance(action, WALKS) or not self.perils:
            return ()
        return self.perils.shunned(await self._seen(look))

    async def _seen(self, look: Look | None) -> WorldSnapshot:
        return await (look() if look else self.bridge.snapshot(self.bot))

    async def somebodys(self, cells: Sequence[Position], world: WorldSnapshot) -> bool:
        """Whether somebody built, or may have built, any of these cells."""
        boxes = tuple((await self._judge(world, cells)).boxes())
        return any(is_spared(boxes, cell) for cell in cells)

    async def _spared(
        self, world: WorldSnapshot, goal: Position, pointed: Pointed
    ) -> tuple[Zone, ...]:
        """What no way is dug through: areas, and the nearest of what people made."""
        areas = self.areas.zones(world.dimension)
        judge = await self._judge(world, (goal,), pointed)

        def away(zone: Zone) -> float:
            """How far a box is, up and down as well."""
            up = max(zone.low.y - world.position.y, 0, world.position.y - zone.high.y)
            return math.hypot(max(0.0, zone.away(world.position)), up)

        boxes = nsmallest(MOST_ROUND_A_WAY, judge.boxes(), key=away)
        cells = (Position(*cell) for cell in judge.free)
        ours = [at for at in cells if is_spared(boxes, at) and not is_spared(areas, at)]
        near = nsmallest(MOST_FREE, ours, key=world.position.distance_to)
        return (*(Zone(at, at, may_touch=True) for at in near), *boxes, *areas)

    async def _judge(
        self,
        world: WorldSnapshot,
        cells: Sequence[Position],
        pointed: Pointed = NOTHING_POINTED,
    ) -> Judge:
        """The judge of what was built around the bot, the cells, and what lies between."""
        far = max(world.position.distance_to(cell) for cell in cells) + 2 * YARD
        seen = await self.works.seen(world, far)
        return judge_of(seen, self.placements, world.dimension, pointed.blocks)

    async def targets(self, query: FindBlocks, ask: Ask) -> Sequence[BlockSighting]:
        """The blocks that may be touched."""
        if not self.areas.all():
            return await ask(query)
        world = await self.bridge.snapshot(self.bot)
        return await ask(replace(query, spared=self.areas.zones(world.dimension)))

    async def sparing(self, query: FindBlocks, ask: Ask) -> Area | None:
        """The area that the nearest of these blocks lies in, if that is left alone."""
        if not self.areas.all():
            return None
        world = await self.bridge.snapshot(self.bot)
        found = (self.areas.sparing(world.dimension, one.position) for one in await ask(query))
        return next(filter(None, found), None)

    async def ended(self, action: Action, ended: ActionFinished) -> None:
        """Learn from an action that the server refused in words."""
        said = str(ended.result.get("said") or "")
        if ended.reason != "blocked" or not REFUSES.search(said):
            return
        with suppress(BridgeError):
            world = await self.bridge.snapshot(self.bot)
            if (touched := await self._touched(action, world)) is not None:
                await self.areas.refused(world.dimension, touched, said)

    async def _touched(self, action: Action, world: WorldSnapshot) -> Position | None:
        """The place that an action changes, takes from or opens; None where there is none, or it
        turns out on the way."""
        match action:
            case Dig() | Place() | OpenContainer() | Fill() | Pour() | Till() | Fish():
                return action.position
            case Smelt():
                return action.furnace
            case Craft():
                return action.table
            case Pillar():
                return world.position
            case Hunt() | UseOn():
                animals = (mob for mob in world.mobs if not mob.hostile)
                return next((one.position for one in animals if one.id == action.mob), None)
            case Deposit() | Withdraw():
                inside = await self.bridge.query(self.bot, OpenedContainer())
                return None if inside is None else inside.position
        return None


def judge_of(
    seen: Mapping[Cell, str],
    placements: Placements,
    dimension: str,
    free: Iterable[Position] = (),
) -> Judge:
    """A judge who also knows what bots and people placed."""
    ours = (*placements.everyones(dimension), *free)
    peoples = {cell_of(at): name for at, name in placements.peoples(dimension).items()}
    return Judge(seen, frozenset(map(cell_of, ours)), peoples)


Look = Callable[[], Awaitable[WorldSnapshot]]
Ask = Callable[[FindBlocks], Awaitable[Sequence[BlockSighting]]]
