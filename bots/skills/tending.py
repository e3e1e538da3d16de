"""Tending a field: what is ripe is reaped and sown again, and the harvest put away, until the end.

look ─▶ reap and sow what is ripe together ─▶ pick up ─▶ the next ─▶ sow what is bare ─▶ wait
                                                 the bag fills: into a chest that may be used
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product

from bots.access.origin import Level
from bots.bot.bot import Bot
from bots.bot.built import FARMLAND
from bots.bot.hands import FORBIDDEN, Pointed
from bots.bot.jobs import Job
from bots.errors import CommandError
from bots.skills.bag import BAG_FULL
from bots.skills.breaking import of_others
from bots.skills.foraging import CROPS
from bots.skills.reach import OPEN_AIR, above, below, connected, unless, walk_into_reach
from bots.skills.storing import Storing
from bots.skills.walking import walk
from bots.text.numbers import in_blocks
from bridge.actions import CollectDrops, Dig, FindBlocks, Place, Wait
from bridge.catalogue import Catalogue
from bridge.world import Position

BY = 6.0  # blocks from a field to whoever stands by it
WIDE = 16  # blocks around in which it looks for a field
GAP = 2  # blocks from one bed of a field to the next, across water or a path
MOST_PLOTS = 800
ROOM = 2  # free slots; with fewer the harvest is put away
LOOK_EVERY_S = 10.0
TOGETHER = 4.0  # blocks around one plant, of those that are reaped before all is picked up
SWEEP = 7.0
FALLING_S, COLLECT_S = 0.7, 30.0
_GAPS = [
    step for step in product(range(-GAP, GAP + 1), (-1, 0, 1), range(-GAP, GAP + 1)) if any(step)
]


@dataclass(slots=True)
class Tending:
    """Tends one field, for one job."""

    bot: Bot
    job: Job
    catalogue: Catalogue
    level: Level
    """The level of whoever asked."""
    place: Position | None
    """Where they stand, or the place that they named; None: they point at nothing."""
    plots: frozenset[Position] = frozenset()
    """The farmland that it tends."""
    reaped: int = 0
    _grew: dict[Position, str] = field(default_factory=dict)
    """The crop that stood somewhere."""

    async def find(self) -> None:
        """Find the field: that at which they point, else the nearest that a bot planted or an area
        allows. Raises CommandError not_found, forbidden_area, somebodys; ActionFailed."""
        if self.place and (await self.job.snapshot()).position.distance_to(self.place) > BY:
            await walk(self.bot, self.job, self.place, BY, may_dig=False)
        world = await self.job.snapshot()
        seen = await self.job.query(FindBlocks((FARMLAND,), WIDE, MOST_PLOTS))
        plots = [one.position for one in seen]
        ours = self.bot.placements.everyones(world.dimension)

        def may_be_tended(plot: Position) -> bool:
            area = self.bot.areas.at(world.dimension, above(plot))
            if area is not None and area.rule != "allow":
                asks = area.rule == "ask" and self.place is not None
                return asks and Pointed(frozenset(), self.level).opens(area)
            return bool(self.place or area) or above(plot) in ours

        centre = self.place or world.position
        if self.place is None:
            meant = list(filter(may_be_tended, plots))
        else:
            meant = [plot for plot in plots if plot.distance_to(centre) <= BY]
        if not meant:
            where = in_blocks(BY if self.place and plots else WIDE)
            raise CommandError("not_found", f"I see no field that I may tend within {where}.")
        joined = connected(min(meant, key=centre.distance_to), _beside(frozenset(plots)))
        self.plots = frozenset(filter(may_be_tended, joined))
        if not self.plots:
            area = self.bot.areas.sparing(world.dimension, above(joined[0]))
            assert area is not None, "somebody points at it"
            raise CommandError(FORBIDDEN, area.why, area=area.name)
        self.job.pointed = Pointed(self.plots | {*map(above, self.plots)}, self.level)

    async def run(self) -> None:
        """Tend it until the job ends. Raises CommandError inventory_full; ActionFailed."""
        while True:
            await self._reap_all(await self._standing(ripe=True))
            # Sow what grew on bare plots, or what grows nearest to them.
            standing = await self._standing(ripe=False)
            bare = [at for plot in self.plots if (at := above(plot)) not in standing]
            for plant in sorted(bare, key=lambda at: (at.x, at.z)):
                near = min(standing, key=plant.distance_to, default=None)
                crop = self._grew.get(plant) or (None if near is None else standing[near])
                if crop is None or await self.job.block(plant) not in OPEN_AIR:
                    continue
                with unless("died"):
                    await self._sow(plant, crop)
            await self.job.act(Wait(LOOK_EVERY_S))

    async def _standing(self, *, ripe: bool) -> dict[Position, str]:
        """The crops on the field by where they stand, all or those that are ripe."""
        found = await self.job.query(FindBlocks(tuple(CROPS), 2 * WIDE, MOST_PLOTS, ripe=ripe))
        return {one.position: one.name for one in found if below(one.position) in self.plots}

    async def _reap_all(self, ripe: Mapping[Position, str]) -> None:
        left = dict(ripe)
        while left:
            here = (await self.job.snapshot()).position
            first = min(left, key=here.distance_to)
            some = [plant for plant in left if plant.distance_to(first) <= TOGETHER]
            for plant in sorted(some, key=here.distance_to):
                # Reap a plant, and sow it again if there are seeds; one out of reach waits.
                crop = ripe[plant]
                with unless("died"):
                    await walk_into_reach(self.job, await self.job.snapshot(), plant)
                    await self.job.act(Dig(plant, pick_up=False))
                    self.reaped += 1
                    self._grew[plant] = crop
                    await self._sow(plant, crop)
            crops = {left.pop(plant) for plant in some}
            items = {item for crop in crops for item in CROPS[crop]}
            await self.job.act(Wait(FALLING_S))
            for item in sorted(items):
                theirs = await of_others(self.bot, self.job, SWEEP, plots=(), item=item)
                with unless("died"):
                    await self.job.act(CollectDrops(SWEEP, item, theirs), deadline_s=COLLECT_S)
            await self._put_away()

    async def _sow(self, plant: Position, crop: str) -> None:
        seeds, _ = CROPS[crop]
        if (await self.job.snapshot()).count(seeds):
            await walk_into_reach(self.job, await self.job.snapshot(), plant)
            await self.job.act(Place(seeds, plant))

    async def _put_away(self) -> None:
        """Put the harvest into chests, once the bag is nearly full, but what is sown next.

        Raises CommandError inventory_full where no room is left."""
        world = await self.job.snapshot()
        if world.free_slots >= ROOM:
            return
        harvest = {item for row in CROPS.values() for item in row if world.count(item)}
        keep = {seeds: len(self.plots) for seeds, _ in CROPS.values()}
        try:
            await Storing(self.bot, self.job, self.catalogue, harvest, keep=keep).run()
        except CommandError as error:
            if not (await self.job.snapshot()).free_slots:
                sentence = f"I reaped {self.reaped} plants, and {BAG_FULL}."
                raise CommandError("inventory_full", sentence) from error


def _beside(plots: frozenset[Position]) -> Callable[[Position], Iterator[Position]]:
    """From one plot to those of the same field."""

    def onward(at: Position) -> Iterator[Position]:
        steps = (Position(at.x + dx, at.y + dy, at.z + dz) for dx, dy, dz in _GAPS)
        return (there for there in steps if there in plots)

    return onward
