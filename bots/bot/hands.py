"""The hands of a bot: what an action would touch, and whether it may. Every action passes here."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from heapq import nsmallest

from bots.access.origin import Level
from bots.bot.areas import Area, Areas
from bots.bot.placements import Placements
from bots.errors import ActionFailed
from bridge.actions import (
    Action,
    CollectDrops,
    Craft,
    Deposit,
    Dig,
    Fill,
    FindBlocks,
    Fish,
    Hunt,
    MoveTo,
    OpenContainer,
    OpenedContainer,
    Pillar,
    Place,
    Smelt,
    Till,
    UseOn,
    Withdraw,
)
from bridge.errors import BridgeError
from bridge.events import ActionFinished
from bridge.port import Bridge
from bridge.world import BlockSighting, BotName, Position, WorldSnapshot
from bridge.zones import Zone

FORBIDDEN = "forbidden_area"
MOST_ROUND_A_WAY = 256  # blocks of people that a way through the ground leads around

REFUSES = re.compile(
    r"permission|permitted|allow|n['’]t\b|cannot|can not|protect|claim|\bown(?:s|er|ed)?\b"
    r"|belongs|denied|private|forbidden|権限|保護|許可|禁止|ません|できない|нельзя|защищ|прав|geschützt|nicht|darfst"
    r"|protég|interdit|pas\b|permiso|puedes|protegid|permiss|pode\b",
    re.IGNORECASE,
)
"""What plugins that protect land say, and a server that tells other things does not."""


@dataclass(frozen=True, slots=True)
class Pointed:
    """Blocks that somebody pointed at, which are free for one job."""

    blocks: frozenset[Position]
    level: Level
    """Of whoever pointed."""

    def opens(self, area: Area) -> bool:
        """Whether the word of whoever pointed is enough there: what is forbidden, only an owner
        frees; where a bot is to ask, pointing is the answer."""
        return self.level >= (Level.OWNER if area.rule == "forbid" else area.level)


NOTHING_POINTED = Pointed(frozenset(), Level.PLAYER)


@dataclass(frozen=True, slots=True)
class Hands:
    """What one bot may touch."""

    bot: BotName
    bridge: Bridge
    areas: Areas
    placements: Placements

    async def heed(self, action: Action, pointed: Pointed = NOTHING_POINTED) -> Action:
        """The action, told which places it leaves alone on its way. Raises ActionFailed
        forbidden_area where it would touch one."""
        digs = isinstance(action, MoveTo) and action.may_dig
        if not self.areas.all() and not (digs and self.placements.knows_of_people):
            return action
        world = await self.bridge.snapshot(self.bot)
        touched = await self._touched(action, world)
        area = touched and self.areas.sparing(world.dimension, touched)
        if touched and area and not (touched.block in pointed.blocks and pointed.opens(area)):
            raise ActionFailed(FORBIDDEN, area.why, area=area.name)
        match action:
            case Hunt() if any(mob.id == action.mob and mob.hostile for mob in world.mobs):
                return action  # a monster is nobody's
            case CollectDrops() if pointed.blocks:
                left = (one for one in self.areas.of(world.dimension) if not pointed.opens(one))
                return replace(action, spared=(*action.spared, *(one.zone for one in left)))
            case MoveTo(may_dig=True):
                zones = (*self._placed_near(world), *self.areas.zones(world.dimension))
                return replace(action, spared=zones)
            case CollectDrops() | Hunt() | UseOn():
                zones = self.areas.zones(world.dimension)
                return replace(action, spared=(*action.spared, *zones))
        return action

    def _placed_near(self, world: WorldSnapshot) -> tuple[Zone, ...]:
        """What people were seen to place, the nearest of it: no way is dug through that."""
        placed = self.placements.peoples(world.dimension)
        near = nsmallest(MOST_ROUND_A_WAY, placed, key=world.position.distance_to)
        return tuple(Zone(at, at) for at in near)

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
            case Dig() | Place() | OpenContainer() | Fill() | Till() | Fish():
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


Ask = Callable[[FindBlocks], Awaitable[Sequence[BlockSighting]]]
