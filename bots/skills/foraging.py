"""What the land gives again and again: crops, fish, and buckets of water, lava and milk."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import ActionFailed, CommandError
from bots.skills.breaking import has_all, pick_up
from bots.skills.hunting import kind_of
from bots.skills.reach import OPEN_AIR, above, foot, is_in_reach, sides, succeeds, unless
from bots.skills.walking import walk
from bots.text.numbers import in_blocks
from bridge.actions import CollectDrops, Dig, Fill, FindBlocks, Fish, Place, Till, UseOn, Wait
from bridge.world import Position

CROPS: Mapping[str, tuple[str, str]] = {
    "wheat": ("wheat_seeds", "wheat"),
    "beetroots": ("beetroot_seeds", "beetroot"),
    "carrots": ("carrot", "carrot"),
    "potatoes": ("potato", "potato"),
}
"""What each crop is sown with, and what it gives."""
GROWN = {seeds: crop for crop, (seeds, gives) in CROPS.items() if seeds != gives}
"""The crop that grows from each seed that is nothing else."""
RIPENING = ("wheat", "beetroots", "carrots", "potatoes", "nether_wart")
"""Crops that are reaped only when ripe."""
EARTH = ("grass_block",)
SEARCHED = 24  # blocks around
LOOKED_AT = 400  # blocks of earth to choose from
WATERED = 4  # blocks from water; source: minecraft.wiki/w/Farmland
NEAR = 3.0  # blocks, for tilling, sowing and reaping
LOOK_EVERY_S = 5.0
RIPE_WITHIN_S = 6_000.0  # most is ripe after a third of that
SWEEP = 8.0
FALLING_S = 0.7
_SIDE = range(-WATERED, WATERED + 1)
_BESIDE = [(dx, dz) for dx in _SIDE for dz in _SIDE]


@dataclass(slots=True)
class Farming:
    """Grows one kind of crop, for one job."""

    bot: Bot
    job: Job
    seeds: str
    hoe: str
    count: int
    """Plants."""
    sown: list[Position] = field(default_factory=list)

    async def run(self) -> None:
        """Sow, wait and reap.

        Raises CommandError not_found (too little earth), gave_up (it does not ripen);
        ActionFailed."""
        for earth in await self._plots():
            if len(self.sown) < self.count:
                await self._sow(earth)
        if len(self.sown) < self.count:
            sentence = f"There is room for {len(self.sown)} of {self.count} plants around here."
            raise CommandError("not_found", sentence)
        await self._wait_until_ripe()
        for plant in self.sown:
            await self._come_to(plant)
            await self.job.act(Dig(plant))
        await self.job.act(Wait(FALLING_S))
        # What lies there may be anything; whether enough was reaped is seen later.
        may_fail = ("not_found", "not_recognised", "inventory_full")
        await succeeds(self.job.act(CollectDrops(SWEEP)), *may_fail)

    async def _plots(self) -> Sequence[Position]:
        """Earth around, with earth beside water first."""
        earth = await self.job.targets(FindBlocks(EARTH, SEARCHED, LOOKED_AT))
        water = await self.job.query(FindBlocks(("water",), SEARCHED, LOOKED_AT))
        wet = {(w.position.x + dx, w.position.z + dz) for w in water for dx, dz in _BESIDE}
        places = [one.position for one in earth]
        return sorted(places, key=lambda at: (at.x, at.z) not in wet)

    async def _sow(self, earth: Position) -> None:
        """Till and sow one plot, if nothing stands on it and a way leads there."""
        plot = above(earth)
        if await self.job.block(plot) not in OPEN_AIR:
            return
        with unless("died", "missing_item"):
            await self._come_to(plot)
            await self.job.act(Till(self.hoe, earth))
            await self.job.act(Place(self.seeds, plot))
            self.sown.append(plot)
            self.job.progress(len(self.sown), self.count, f"{self.seeds} sown")

    async def _wait_until_ripe(self) -> None:
        crop = GROWN[self.seeds]
        for _ in range(int(RIPE_WITHIN_S / LOOK_EVERY_S)):
            found = await self.job.targets(FindBlocks((crop,), 2 * SEARCHED, LOOKED_AT, ripe=True))
            ripe = {one.position for one in found}.intersection(self.sown)
            self.job.progress(len(ripe), self.count, f"{crop} ripe")
            if len(ripe) == len(self.sown):
                return
            await self.job.act(Wait(LOOK_EVERY_S))
        raise CommandError("gave_up", f"The {crop} did not ripen within {RIPE_WITHIN_S:g} s.")

    async def _come_to(self, plant: Position) -> None:
        world = await self.job.snapshot()
        if not is_in_reach(world, plant, NEAR):
            await walk(self.bot, self.job, foot(plant), NEAR - 1, may_dig=False)


ROD = "fishing_rod"
WATER = ("water",)
WATER_READ = 400  # of the nearest blocks of water
LOOKED_OVER = 16  # of them, whether they lie open
CAST = 4.0  # blocks from the feet to the water
CATCH_S = 90.0  # for one catch; in vanilla it takes 35 s at most, and twice that without sky
MOST_FAILED = 4
"""The bot gives up after this many failed casts in a row: nothing bit, or no way led to the
water."""
COLLECT_S = 20.0


@dataclass(slots=True)
class Fishing:
    """Fishes for things, for one job."""

    bot: Bot
    job: Job
    wanted: Mapping[str, int]
    """What to carry at the end."""
    radius: int
    failed: list[Position] = field(default_factory=list)
    """Water where nothing was caught, since the latest catch."""

    async def run(self) -> None:
        """Fish until all is carried.

        Raises CommandError not_found, no_path, missing_item (the rod is worn out); ActionFailed."""
        while not has_all(world := await self.job.snapshot(), self.wanted):
            if not world.count(ROD):
                raise CommandError("missing_item", f"I have no {ROD} any more.")
            for item, count in self.wanted.items():
                self.job.progress(world.count(item), count, item)
            water = await self._choose()
            if await self._catch(water):
                self.failed.clear()
            else:
                self.failed.append(water)

    async def _choose(self) -> Position:
        """The nearest fitting water that has not failed. Raises CommandError."""
        # Water under open air, what has water around it before what has not.
        blocks = await self.job.targets(FindBlocks(WATER, self.radius, WATER_READ))
        found = [one.position for one in blocks]
        known = frozenset(found)
        surface = [at for at in found if above(at) not in known]
        surface.sort(key=lambda at: not all(side in known for side in sides(at)))
        near = surface[:LOOKED_OVER]
        fitting = [at for at in near if await self.job.block(above(at)) in OPEN_AIR]
        left = [water for water in fitting if water not in self.failed]
        where = f"within {in_blocks(self.radius)}"
        if not fitting:
            raise CommandError("not_found", f"There is no open water to fish in {where}.")
        if not left or len(self.failed) >= MOST_FAILED:
            raise CommandError("no_path", f"I caught nothing in the water {where}.")
        return left[0]

    async def _catch(self, water: Position) -> bool:
        """Whether something bit; also False where no way leads to the water."""
        with unless("died", "missing_item", "inventory_full"):
            shore = foot(above(water))
            if (await self.job.snapshot()).position.distance_to(shore) > CAST:
                await walk(self.bot, self.job, shore, CAST, may_dig=False)
            ended = await self.job.act(Fish(ROD, water), deadline_s=CATCH_S)
            if not ended.result["caught"]:
                await pick_up(self.bot, self.job, self.wanted, SWEEP, COLLECT_S)
            return True
        return False


BUCKET = "bucket"
LIQUID_READ = 96  # of the nearest blocks of a liquid, those with air above are of use
TRIED = 8
DIPPING = 2.5  # blocks from the liquid, where it is surely in view
MILKING_S = 60.0


async def fill(bot: Bot, job: Job, liquid: str, count: int, radius: int) -> None:
    """Fill `count` buckets. Raises CommandError not_found, no_path; ActionFailed."""
    where = f"within {in_blocks(radius)}"
    for _ in range(count):
        # The nearest blocks of a liquid with air above.
        found = await job.targets(FindBlocks((liquid,), radius, LIQUID_READ))
        is_open = [await job.block(above(one.position)) in OPEN_AIR for one in found]
        surface = [one for one, is_so in zip(found, is_open, strict=True) if is_so][:TRIED]
        if not surface:
            raise CommandError("not_found", f"There is no open {liquid} {where}.")
        if await _failure(_fill_from(bot, job, block.position) for block in surface):
            raise CommandError("no_path", f"I cannot come at the {liquid} {where}.")


async def milk(job: Job, kind: str, count: int, radius: float) -> None:
    """Fill `count` buckets with milk of the nearest grown animal of a kind.

    Raises CommandError not_found; ActionFailed."""
    for _ in range(count):
        world = await job.snapshot()
        near = (mob for mob in world.mobs if world.position.distance_to(mob.position) <= radius)
        herd = [mob for mob in near if kind_of(mob) == kind and not mob.young][:TRIED]
        if not herd:
            raise CommandError("not_found", f"There is no {kind} {in_blocks(radius)} around.")
        tries = (job.act(UseOn(animal.id, BUCKET), deadline_s=MILKING_S) for animal in herd)
        if failure := await _failure(tries):
            raise failure


async def _fill_from(bot: Bot, job: Job, at: Position) -> None:
    world = await job.snapshot()
    if not is_in_reach(world, at, DIPPING):
        await walk(bot, job, foot(above(at)), DIPPING, may_dig=False)
    await job.act(Fill(BUCKET, at))


async def _failure(tries: Iterable[Awaitable[object]]) -> ActionFailed | None:
    """Why the last of several tries failed; None as soon as one succeeds."""
    failure: ActionFailed | None = None
    for one in tries:
        try:
            await one
        except ActionFailed as failed:
            if failed.reason in ("died", "missing_item", "inventory_full"):
                raise
            failure = failed
        else:
            return None
    return failure
