"""Smelting and cooking in furnaces; reports the fuel that was burnt."""

from __future__ import annotations

from dataclasses import dataclass, field

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import ActionFailed, CommandError
from bots.skills.fuel import Load, plan_fuel
from bots.skills.stations import Station, come_to_station, counted, require_carried
from bridge.actions import Smelt
from bridge.catalogue import Catalogue
from bridge.world import Position, WorldSnapshot

FURNACE = "furnace"
FURNACES_TRIED = 3  # others may be in use
ITEM_S = 15.0  # one item takes 10 s
STARTING_S = 30.0


@dataclass(slots=True)
class Smelting:
    """The smelting of one job; `made` and `burnt` tell how far it came."""

    bot: Bot
    job: Job
    catalogue: Catalogue
    item: str
    count: int
    fuel: str | None
    most_fuel: int | None = None
    product: str = ""
    made: int = 0
    burnt: dict[str, int] = field(default_factory=dict)
    furnace: Station | None = None

    async def run(self) -> None:
        """Smelt `count` items.

        Raises CommandError not_smeltable, missing_item, missing_fuel, no_station, blocked,
        inventory_full."""
        product = self.catalogue.items[self.item].cooks_to
        if product is None:
            raise CommandError("not_smeltable", f"A furnace makes nothing of {self.item}.")
        self.product = product
        world = await self.job.snapshot()
        held = world.count(self.item)
        if held < self.count:
            sentence = f"To smelt {self.count} {self.item} there lack {self.count - held}."
            missing = {self.item: self.count - held}
            raise CommandError("missing_item", sentence, **self.facts(), missing=missing)
        loads = self._planned(world)
        before = counted(world, {load.fuel for load in loads})
        made_before = world.count(product)
        try:
            await self._cook(loads)
        except ActionFailed as failed:
            await self._account(before, made_before)
            raise CommandError(failed.reason, failed.message, **self.facts()) from failed
        world = await self._account(before, made_before)
        require_carried(world, product, self.facts())

    def facts(self) -> dict[str, object]:
        return {
            "itemName": self.item,
            "product": self.product or None,
            "count": self.count,
            "made": self.made,
            "fuelUsed": self.burnt,
        }

    def _planned(self, world: WorldSnapshot) -> tuple[Load, ...]:
        return plan_fuel(self.catalogue, world, self.item, self.count, self.fuel, self.most_fuel)

    async def _cook(self, loads: tuple[Load, ...]) -> None:
        cooked = 0
        for load in loads:
            await self._cook_load(load)
            cooked += load.items
            self.job.progress(cooked, self.count, self.product)

    async def _cook_load(self, load: Load) -> None:
        """Use the furnace of the previous load, else one that is free."""
        in_use: set[Position] = set()
        while True:
            place = self.furnace or await self._come_to_furnace(in_use)
            action = Smelt(self.item, load.fuel, place.position, load.items)
            try:
                await self.job.act(action, deadline_s=STARTING_S + ITEM_S * load.items)
            except ActionFailed as failed:
                if failed.reason != "blocked" or len(in_use) >= FURNACES_TRIED or self.furnace:
                    raise
                in_use.add(place.position)
                continue
            self.furnace = place
            return

    async def _come_to_furnace(self, in_use: set[Position]) -> Station:
        return await come_to_station(self.job, self.bot, (FURNACE,), avoid=in_use)

    async def _account(self, fuel_before: dict[str, int], made_before: int) -> WorldSnapshot:
        world = await self.job.snapshot()
        self.made = world.count(self.product) - made_before
        used = {fuel: had - world.count(fuel) for fuel, had in fuel_before.items()}
        if self.item in used:  # it was cooked as well
            used[self.item] -= self.made
        self.burnt = {fuel: count for fuel, count in used.items() if count}
        return world
