"""What a job sees of people's works: looked at once, and anew only after a long way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bots.bot.bot import Bot
from bots.bot.consequences import LAVA, touching
from bots.bot.jobs import Job
from bots.skills.built import Judge, cell_of, names_that_tell
from bridge.actions import FindBlocks
from bridge.world import BlockSighting, Position, WorldSnapshot

MARGIN = 8  # blocks looked around further than what is judged
MOST_SEEN = 25_000  # telling blocks; what lies further than the last of them is judged later
WORTH_THE_WAY = 32.0  # blocks more to a tree with a crown than to a log without
FAR = 24.0  # blocks from where it looked: then it looks again


@dataclass(slots=True)
class BuiltSight:
    """Tells what people made from what grew, for the blocks that somebody wants."""

    bot: Bot
    eyes: Job | Bot
    """Who looks: a job, or the bot at leisure."""
    known: Iterable[str]
    """The names of all blocks."""
    wanted: Sequence[str]
    reach: int
    """How far away blocks are judged."""
    by_lava: list[BlockSighting] = field(default_factory=list)
    """Those last looked at that hold lava back."""
    _judge: Judge | None = None
    _lava: frozenset[Position] = frozenset()
    _looked_from: Position = field(default_factory=lambda: Position(0, 0, 0))

    async def told_apart(
        self, world: WorldSnapshot, blocks: Sequence[BlockSighting]
    ) -> tuple[list[BlockSighting], list[BlockSighting]]:
        """Those that nobody made, the doubtful last, and those that somebody did; without those
        that hold lava back."""
        self.by_lava = []
        if not blocks:
            return [], []
        judge = await self._look(world)
        self.by_lava = [one for one in blocks if not self._lava.isdisjoint(touching(one.position))]
        blocks = [one for one in blocks if one not in self.by_lava]
        built = [block for block in blocks if judge.is_built(block)]
        made = {block.position for block in built}
        grown = [block for block in blocks if block.position not in made]
        return self._preferred(world.position, judge, grown), built

    def _preferred(
        self, here: Position, judge: Judge, grown: list[BlockSighting]
    ) -> list[BlockSighting]:
        """What surely grew, unless that is much further away than what is doubtful."""
        sure = [block for block in grown if not judge.is_doubtful(block)]
        if not sure or len(sure) == len(grown):
            return grown
        surely, nearest = (
            min(block.position.distance_to(here) for block in some) for some in (sure, grown)
        )
        return sure if surely - nearest <= WORTH_THE_WAY else grown

    async def _look(self, world: WorldSnapshot) -> Judge:
        """What grew stays so while it is cut down: a trunk without its foot is still a tree."""
        here = world.position
        if self._judge is None or here.distance_to(self._looked_from) > FAR:
            names = names_that_tell(self.known, self.wanted)
            names = (*names, *LAVA)  # what holds it back is nobody's to take
            found = await self.eyes.query(FindBlocks(names, self.reach + MARGIN, MOST_SEEN))
            self._lava = frozenset(one.position for one in found if one.name in LAVA)
            seen = {cell_of(one.position): one.name for one in found}
            self._judge, self._looked_from = Judge(seen, self._free(world)), here
        return self._judge

    def _free(self, world: WorldSnapshot) -> frozenset[tuple[int, int, int]]:
        everyones = self.bot.placements.everyones(world.dimension)
        return frozenset(cell_of(at) for at in everyones)
