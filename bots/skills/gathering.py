"""Breaking blocks until enough of what they drop is in the inventory.

find the nearest ─▶ walk to it ─▶ hold the right tool ─▶ dig ─▶ pick up ─▶ count what is carried
      ▲               no way: put it on the avoid list                           │ short: again
      └──────────────────────────────────────────────────────────────────────────┘
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, field

from bots.bot import Bot
from bots.errands import Errand
from bots.errors import ActionFailed, CommandError, ErrandEnded
from bots.skills.approach import WALK_S, is_in_reach, middle, within_reach
from bots.skills.tools import best_tool, can_break, hold_best_tool
from bots.skills.wanted import Wanted
from bridge.actions import BlockAt, CollectDrops, Dig, FindBlocks, Footholds, MoveTo, Wait
from bridge.catalogue import Catalogue
from bridge.world import BlockSighting, Position, WorldSnapshot

FAR = 12.0  # blocks, level: from here on the way over the ground is taken first
ABOVE = 3.0  # blocks from the place above what is sought
DIGGING_S = 180.0  # for a way through the ground
BESIDE = 1.5  # blocks from the foot of a buried block: next to it, on it, or a step off
HOLE = 0.9  # blocks from the middle of a hole: whoever stands there picks up what lies in it
PICKUP_S = 0.6  # until it has fallen down there and picked up what lies there
SWEEP = 6.0  # blocks around within which drops of a block just broken lie
COLLECT_S = 30.0

_SIDES = ((0, 1, 0), (1, 0, 0), (-1, 0, 0), (0, 0, 1), (0, 0, -1), (0, -1, 0))
_OPEN = ("air", "water")


@dataclass(frozen=True, slots=True)
class GatherLimits:
    max_distance: int
    approach_range: float
    collect_radius: float
    collect_delay_s: float
    max_attempts: int
    """Tries in a row that bring nothing."""
    max_avoided: int
    sample_size: int


@dataclass(slots=True)
class Gathering:
    """One errand's gathering; `dug` and `avoided` tell what became of it."""

    bot: Bot
    errand: Errand
    catalogue: Catalogue
    wanted: Wanted
    count: int
    limits: GatherLimits
    before: int = 0
    have: int = 0
    dug: int = 0
    avoided: set[Position] = field(default_factory=set)

    @property
    def gathered(self) -> int:
        return max(0, self.have - self.before)

    async def run(self) -> None:
        """Raises CommandError not_found, no_path, no_tool, inventory_full, gave_up."""
        world = await self._look()
        self.before = self.have
        self._require_a_tool(world)
        start = world.position
        try:
            await self._gather(world)
        except ErrandEnded:
            raise
        except CommandError:
            await self._climb_out(start)
            await self._look()
            if self.gathered < self.count:
                raise
            return
        await self._climb_out(start)

    async def _gather(self, world: WorldSnapshot) -> None:
        in_vain = 0
        while self.gathered < self.count:
            so_far = self.gathered
            world = await self._one(world)
            in_vain = 0 if self.gathered > so_far else in_vain + 1
            self.errand.progress(self.gathered, self.count, self.wanted.word)
            if in_vain >= self.limits.max_attempts:
                raise self.short("gave_up", f"{in_vain} tries in a row brought nothing")

    def short(self, reason: str, why: str) -> CommandError:
        """The refusal that tells how much there is all the same."""
        sentence = f"Got {self.gathered} of {self.count} {self.wanted.word}: {why}."
        return CommandError(reason, sentence, **self.facts())

    def facts(self) -> dict[str, object]:
        return {
            "itemName": self.wanted.word,
            "count": self.count,
            "gathered": self.gathered,
            "before": self.before,
            "have": self.have,
            "dug": self.dug,
            "avoided": len(self.avoided),
        }

    async def _look(self) -> WorldSnapshot:
        world = await self.bot.snapshot()
        self.have = self.wanted.carried(world)
        return world

    async def _one(self, world: WorldSnapshot) -> WorldSnapshot:
        """Go for one block; the world after it."""
        if not self.wanted.has_room(self.catalogue, world):
            raise self.short("inventory_full", "the inventory is full")
        target = await self._next(world)
        try:
            await self._come_to(world, target.position)
            await self._break(target)
        except ActionFailed as failed:
            if failed.reason == "inventory_full":
                raise self.short("inventory_full", "the inventory is full") from failed
            if failed.reason != "not_found":  # gone: broken on the way there
                self.avoided.add(target.position)
        return await self._look()

    async def _next(self, world: WorldSnapshot) -> BlockSighting:
        """The nearest block that is not known to be out of reach, the one underfoot last."""
        names = tuple(name for name in self.wanted.blocks if self._is_breakable(world, name))
        limit = len(self.avoided) + self.limits.sample_size + 1
        found = await self.bot.query(FindBlocks(names, self.limits.max_distance, limit))
        open_ones = [sighting for sighting in found if sighting.position not in self.avoided]
        if not names:
            self._require_a_tool(world)
        if not open_ones or len(self.avoided) >= self.limits.max_avoided:
            raise self._nothing_left()
        feet = world.position.block
        return min(open_ones, key=lambda one: _is_underfoot(one.position, feet))

    def _nothing_left(self) -> CommandError:
        where = f"within {self.limits.max_distance} blocks"
        if self.avoided:
            return self.short("no_path", f"no way leads to the {len(self.avoided)} tried {where}")
        return self.short("not_found", f"there is no more {where}")

    async def _come_to(self, world: WorldSnapshot, block: Position) -> None:
        """Beside it, digging if need be: what falls into a hole is picked up from there only.
        What hangs higher is worked from below."""
        world = await self._come_above(world, block)
        if block.y > world.position.block.y + 1:
            await within_reach(self.errand, world, block)
            world = await self.bot.snapshot()
        if block.y > world.position.block.y + 1:
            return
        is_open = await self._is_open(block)
        near = self.limits.approach_range if is_open else BESIDE
        try:
            beside = MoveTo(_foot(block), within=near, may_dig=True)
            await self.errand.act(beside, deadline_s=DIGGING_S)
        except ActionFailed:
            if not is_open or not is_in_reach(await self.bot.snapshot(), block):
                raise

    async def _come_above(self, world: WorldSnapshot, block: Position) -> WorldSnapshot:
        """Walk over the ground as far as that leads: a short dig is found sooner."""
        here = world.position
        if math.hypot(block.x - here.x, block.z - here.z) <= FAR:
            return world
        places = await self.bot.query(Footholds(int(block.x), int(block.z))) or (block,)
        nearest = min(places, key=lambda place: abs(place.y - block.y))
        try:
            await self.errand.act(MoveTo(middle(nearest), within=ABOVE), deadline_s=WALK_S)
        except ActionFailed:
            return world
        return await self.bot.snapshot()

    async def _climb_out(self, start: Position) -> None:
        """Out of the pit it dug: nobody else's way leads there."""
        if (await self.bot.snapshot()).position.y >= start.y - 1:
            return
        with suppress(ActionFailed):
            up = MoveTo(start, within=BESIDE, may_dig=True)
            await self.errand.act(up, deadline_s=DIGGING_S)

    async def _is_open(self, block: Position) -> bool:
        """Whether something of it lies in the open."""
        for dx, dy, dz in _SIDES:
            side = Position(block.x + dx, block.y + dy, block.z + dz)
            seen = await self.bot.query(BlockAt(side))
            if seen and seen[0].name.endswith(_OPEN):
                return True
        return False

    async def _break(self, target: BlockSighting) -> None:
        world = await self.bot.snapshot()
        await hold_best_tool(self.errand, world, self.catalogue.blocks[target.name])
        await self.errand.act(Dig(target.position))
        self.dug += 1
        had = self.have
        await self._look()
        if self.have <= had:
            await self._collect()
            await self._look()
        if self.have <= had and target.position.y <= world.position.block.y + 1:
            with suppress(ActionFailed):  # it lies in the hole
                hole = MoveTo(_foot(target.position), within=HOLE, may_dig=True)
                await self.errand.act(hole, deadline_s=COLLECT_S)
                await self.errand.act(Wait(PICKUP_S))

    async def _collect(self) -> None:
        if self.limits.collect_delay_s:
            await self.errand.act(Wait(self.limits.collect_delay_s))
        only = next(iter(self.wanted.items)) if len(self.wanted.items) == 1 else None
        sweep = CollectDrops(min(SWEEP, self.limits.collect_radius), only)
        try:
            await self.errand.act(sweep, deadline_s=COLLECT_S)
        except ActionFailed as failed:
            if failed.reason == "inventory_full" and not self.wanted.has_room(
                self.catalogue, await self._look()
            ):
                raise

    def _is_breakable(self, world: WorldSnapshot, name: str) -> bool:
        return can_break(world, self.catalogue.blocks[name])

    def _require_a_tool(self, world: WorldSnapshot) -> None:
        """Refuse at once when nothing carried makes any of the blocks drop."""
        if any(self._is_breakable(world, name) for name in self.wanted.blocks):
            return
        try:
            best_tool(world, self.catalogue.blocks[self.wanted.blocks[0]])
        except CommandError as refusal:
            raise CommandError(
                refusal.reason, refusal.message, **self.facts(), **refusal.data
            ) from None


def _foot(block: Position) -> Position:
    """The middle of a block's floor."""
    return Position(block.x + 0.5, block.y, block.z + 0.5)


def _is_underfoot(block: Position, feet: Position) -> bool:
    return (block.x, block.z) == (feet.x, feet.z) and block.y < feet.y
