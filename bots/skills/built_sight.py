"""What a job sees of people's works: looked at once, and anew only after a long way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bots.bot.bot import Bot
from bots.bot.built import FARMLAND, Judge, cell_of, grows_on, is_log, is_worked, tells
from bots.bot.consequences import LAVA, touching
from bots.bot.hands import judge_of
from bots.bot.jobs import Job
from bridge.actions import FindBlocks
from bridge.world import BlockSighting, Position, WorldSnapshot

MARGIN = 8  # blocks looked around further than what is judged
MOST_SEEN = 25_000  # telling blocks; what lies further than the last of them is judged later
WORTH_THE_WAY = 32.0  # blocks more to a tree with a crown than to a log without
MOST_FLOORS = 8  # cells below one wood, of which one that is natural ground is enough
FAR = 24.0  # blocks from where it looked: then it looks again


class ToldApart(NamedTuple):
    """Blocks by who made them, each kind in the order given."""

    grown: list[BlockSighting]
    doubtful: list[BlockSighting]
    """Logs without leaves: left alone where other wood is found."""
    built: list[BlockSighting]
    below: list[BlockSighting]
    """Blocks below somebody's place: a shaft would go through it."""
    by_lava: list[BlockSighting]
    """Blocks that hold lava back and belong to nobody."""

    def of(self, judge: Judge, block: BlockSighting, from_y: float) -> list[BlockSighting]:
        """Where a block belongs."""
        if judge.is_built(block):
            return self.built
        if judge.is_under(cell_of(block.position), from_y):
            return self.below
        return self.doubtful if judge.is_doubtful(block) else self.grown

    def free(self, here: Position) -> list[BlockSighting]:
        """What may be taken: doubtful logs only where natural ones are much farther away."""
        if not self.grown or not self.doubtful:
            return self.grown or self.doubtful
        to_grown, to_doubtful = (
            min(one.position.distance_to(here) for one in some)
            for some in (self.grown, self.doubtful)
        )
        return self.grown if to_grown - to_doubtful <= WORTH_THE_WAY else self.doubtful


@dataclass(slots=True)
class BuiltSight:
    """Tells what people made from what grew, for the blocks that somebody wants."""

    bot: Bot
    eyes: Job | Bot
    """What looks around: a job, or the idle bot."""
    known: Iterable[str]
    """The names of all blocks."""
    wanted: Sequence[str]
    reach: int
    """How far away blocks are judged."""
    plots: frozenset[Position] = frozenset()
    """The farmland it saw at the latest look."""
    _judge: Judge | None = None
    _lava: frozenset[Position] = frozenset()
    _looked_from: Position = field(default_factory=lambda: Position(0, 0, 0))

    async def told_apart(self, world: WorldSnapshot, blocks: Sequence[BlockSighting]) -> ToldApart:
        told = ToldApart([], [], [], [], [])
        if blocks:
            judge, here_y = await self._look(world), world.position.y
            for block in blocks:
                await self._look_below(judge, block)
                kind = told.of(judge, block, here_y)
                is_free = kind is told.grown or kind is told.doubtful
                holds_lava = not self._lava.isdisjoint(touching(block.position))
                (told.by_lava if is_free and holds_lava else kind).append(block)
        return told

    def look_anew(self) -> None:
        """Forget what was seen: the bot changed it."""
        self._judge = None

    async def is_shaft_in_yard(self, world: WorldSnapshot, block: Position) -> bool:
        """Whether the way down to a block would begin in somebody's place."""
        judge = await self._look(world)
        return judge.is_shaft_in_yard(cell_of(block), cell_of(world.position))

    async def _look_below(self, judge: Judge, block: BlockSighting) -> None:
        """Learn what the wood of a log stands on."""
        for at in judge.floors_of(block)[:MOST_FLOORS]:
            if at not in judge.floors:
                judge.floors[at] = await self.eyes.block(Position(*at))
            if grows_on(judge.floors[at] or ""):
                return

    async def _look(self, world: WorldSnapshot) -> Judge:
        """Remember natural blocks while they are cut down: a trunk without its foot is
        still a tree."""
        here = world.position
        if self._judge is None or here.distance_to(self._looked_from) > FAR:
            has_logs = any(is_log(name) for name in self.wanted)
            names = (name for name in self.known if (tells(name) if has_logs else is_worked(name)))
            sought = (*names, *LAVA, FARMLAND)  # what holds lava back is nobody's to take
            far = self.reach + MARGIN
            found = await self.eyes.query(FindBlocks(sought, far, MOST_SEEN))
            self._lava = frozenset(one.position for one in found if one.name in LAVA)
            self.plots = frozenset(one.position for one in found if one.name == FARMLAND)
            seen = {cell_of(one.position): one.name for one in found}
            if len(found) < MOST_SEEN:
                self.bot.actions.hands.works.learn(world, seen, far)
            self._judge = judge_of(seen, self.bot.placements, world.dimension)
            self._looked_from = here
        return self._judge
