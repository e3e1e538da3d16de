"""Farming: till earth beside water where there is some, sow, wait until it is ripe, reap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import ActionFailed, CommandError
from bots.skills.reach import OPEN_AIR, above, foot, is_in_reach
from bots.skills.walking import walk
from bridge.actions import CollectDrops, Dig, FindBlocks, Place, Till, Wait
from bridge.world import Position

CROPS: Mapping[str, str] = {"wheat_seeds": "wheat", "beetroot_seeds": "beetroots"}
"""What grows of what is sown."""
RIPENING = ("wheat", "beetroots", "carrots", "potatoes", "nether_wart")
"""Blocks of which only the ripe are worth reaping."""
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
        await self._reap()

    async def _plots(self) -> Sequence[Position]:
        """Earth around, what is beside water first."""
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
        try:
            await self._come_to(plot)
            await self.job.act(Till(self.hoe, earth))
            await self.job.act(Place(self.seeds, plot))
        except ActionFailed as failed:
            if failed.reason in ("died", "missing_item"):
                raise
            return
        self.sown.append(plot)
        self.job.progress(len(self.sown), self.count, f"{self.seeds} sown")

    async def _wait_until_ripe(self) -> None:
        crop = CROPS[self.seeds]
        for _ in range(int(RIPE_WITHIN_S / LOOK_EVERY_S)):
            found = await self.job.targets(FindBlocks((crop,), 2 * SEARCHED, LOOKED_AT, ripe=True))
            ripe = {one.position for one in found}.intersection(self.sown)
            self.job.progress(len(ripe), self.count, f"{crop} ripe")
            if len(ripe) == len(self.sown):
                return
            await self.job.act(Wait(LOOK_EVERY_S))
        raise CommandError("gave_up", f"The {crop} did not ripen within {RIPE_WITHIN_S:g} s.")

    async def _reap(self) -> None:
        for plant in self.sown:
            await self._come_to(plant)
            await self.job.act(Dig(plant))
        await self.job.act(Wait(FALLING_S))
        try:
            await self.job.act(CollectDrops(SWEEP))
        except ActionFailed as failed:
            if failed.reason not in ("not_found", "not_recognised", "inventory_full"):
                raise  # what lies there may be anything; whether enough was reaped is seen later

    async def _come_to(self, plant: Position) -> None:
        world = await self.job.snapshot()
        if not is_in_reach(world, plant, NEAR):
            await walk(self.bot, self.job, foot(plant), NEAR - 1, may_dig=False)
