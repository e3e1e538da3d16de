"""Eggs: those that lie about are picked up; for more, the bot waits beside hens."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from bots.bot.bot import Bot
from bots.bot.built import Cell
from bots.bot.jobs import Job
from bots.errors import ActionFailed, CommandError
from bots.skills.pens import is_penned, walls_around
from bots.skills.walking import walk
from bots.text.numbers import in_blocks
from bridge.actions import CollectDrops, LyingItems, Wait
from bridge.world import MobSighting, Position, WorldSnapshot
from bridge.zones import Zone

EGG, HEN = "egg", "chicken"
LYING_EGG = f"lying_{EGG}"
"""What a plan calls an egg on the ground."""
BESIDE = 6.0  # blocks from a hen
REACHED = 2.0
SWEEP = 8.0
COLLECT_S = 20.0
LOOK_EVERY_S = 5.0
LAID_WITHIN_S = 700.0  # hens lay at least every 600 s


@dataclass(slots=True)
class EggGathering:
    """Gets eggs, for one job."""

    bot: Bot
    job: Job
    known: Iterable[str]
    """The names of all blocks."""
    wanted: int
    """What to carry at the end."""
    radius: int
    may_wait: bool
    left: set[Position] = field(default_factory=set)
    """Where eggs lie that could not be had."""
    _walls: Collection[Cell] = ()
    """Of pens, whose eggs are somebody's."""

    async def run(self) -> None:
        """Pick eggs up and wait for more until all are carried.

        Raises CommandError not_found (no egg or no hen), gave_up (none is laid); ActionFailed."""
        waited_s = 0.0
        self._walls = await walls_around(self.bot, self.job, self.known, self.radius)
        while (world := await self.job.snapshot()).count(EGG) < self.wanted:
            self.job.progress(world.count(EGG), self.wanted, EGG)
            if await self._pick_up():
                waited_s = 0.0
                continue
            if waited_s >= LAID_WITHIN_S:
                raise CommandError("gave_up", f"No {EGG} was laid within {LAID_WITHIN_S:g} s.")
            await self._wait_beside(self._nearest_hen(world))
            waited_s += LOOK_EVERY_S

    async def _pick_up(self) -> bool:
        """Go to the nearest egg and pick up what lies there; whether there was one."""
        eggs = await self._lying()
        if not eggs:
            return False
        before = (await self.job.snapshot()).count(EGG)
        await self._try_to_collect(eggs[0])
        if (await self.job.snapshot()).count(EGG) == before:
            self.left.update(eggs)
        return True

    async def _lying(self) -> Sequence[Position]:
        """Where eggs lie that it may try, or what may be one, the nearest first."""
        lying = await self.job.query(LyingItems(self.radius))
        places = [one.position for one in lying if one.name in (EGG, None)]
        return [at for at in places if at not in self.left and not is_penned(at, self._walls)]

    async def _try_to_collect(self, egg: Position) -> None:
        try:
            if (await self.job.snapshot()).position.distance_to(egg) > SWEEP / 2:
                await walk(self.bot, self.job, egg, REACHED, may_dig=False)
            lying = await self.job.query(LyingItems(SWEEP))
            penned = (one.position.block for one in lying if is_penned(one.position, self._walls))
            theirs = tuple(Zone(at, at) for at in penned)
            await self.job.act(CollectDrops(SWEEP, EGG, theirs), deadline_s=COLLECT_S)
        except ActionFailed as failed:
            if failed.reason in ("died", "inventory_full"):
                raise

    def _nearest_hen(self, world: WorldSnapshot) -> MobSighting:
        """Raises CommandError not_found; also where it may not wait."""
        where = f"within {in_blocks(self.radius)}"
        if not self.may_wait:
            raise CommandError("not_found", f"There is no {EGG} that I can pick up {where}.")
        hens = (mob for mob in world.mobs if mob.name == HEN and not mob.young)
        near = (hen for hen in hens if world.position.distance_to(hen.position) <= self.radius)
        hen = next(near, None)
        if hen is None:
            raise CommandError("not_found", f"There is no more {HEN} {where}.", kind=HEN)
        return hen

    async def _wait_beside(self, hen: MobSighting) -> None:
        if (await self.job.snapshot()).position.distance_to(hen.position) > BESIDE:
            await walk(self.bot, self.job, hen.position, BESIDE / 2, may_dig=False)
        await self.job.act(Wait(LOOK_EVERY_S))
