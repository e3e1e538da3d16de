"""Smelting and cooking in furnaces; reports the fuel that was burnt.

Fuel is chosen so that there is enough for everything: the cheapest first, nothing that is dear."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import ActionFailed, CommandError
from bots.skills.belongings import is_dear
from bots.skills.crafting import RADIUS, Station, come_to_station, require_carried
from bridge.actions import Smelt
from bridge.catalogue import Catalogue
from bridge.world import Position, WorldSnapshot

_MEANT_TO_BURN = frozenset({"coal", "charcoal", "coal_block", "dried_kelp_block"})
FURNACE = "furnace"
FURNACES_TRIED = 3  # others may be in use
ITEM_S = 15.0  # one item takes 10 s
STARTING_S = 30.0


@dataclass(frozen=True, slots=True)
class Load:
    """A number of items to cook over one kind of fuel."""

    fuel: str
    items: int


def plan_fuel(
    catalogue: Catalogue,
    world: WorldSnapshot,
    item: str,
    count: int,
    named: str | None,
    most: int | None = None,
) -> tuple[Load, ...]:
    """Plan loads that cook `count` of an item over carried fuel, or only over the `named` fuel,
    burning `most` pieces at most.

    Raises CommandError not_fuel, missing_fuel (with how many items there is fuel for)."""
    stock = Counter({stack.name: world.count(stack.name) for stack in world.items})
    stock[item] -= count  # which is there to be cooked
    if named is not None:
        facts = catalogue.items.get(named)
        if facts is None or not facts.fuel:
            raise CommandError("not_fuel", f"{named} does not burn.", fuel=named)
        stock = Counter({named: stock[named]})
    able = {fuel: pieces for fuel, pieces in stock.items() if named or not is_dear(fuel)}
    loads = _loads(catalogue, able, count, math.inf if most is None else most)
    enough_for = sum(load.items for load in loads)
    if enough_for < count:
        raise _too_little(count, enough_for, named, most)
    return loads


def _loads(
    catalogue: Catalogue, able: Mapping[str, int], count: int, most: float
) -> tuple[Load, ...]:
    """Loads of `most` pieces at most; they may cook less than `count`."""

    def cooks(fuel: str) -> int:
        return math.floor(min(able[fuel], most) * heat[fuel])

    heat = {fuel: catalogue.items[fuel].fuel for fuel in able if fuel in catalogue.items}
    few = {fuel: cooks(fuel) for fuel in heat if able[fuel] > 0}
    ranked = sorted(few, key=lambda fuel: (*_rank(fuel, few[fuel], count, heat[fuel], most), fuel))
    loads: list[Load] = []
    for fuel in ranked:
        items = min(count, cooks(fuel))
        if items:
            loads.append(Load(fuel, items))
            count -= items
            most -= math.ceil(items / heat[fuel])
    return tuple(loads)


def _rank(
    fuel: str, capacity: int, count: int, heat: float, most: float
) -> tuple[bool, bool, float]:
    """Sorts real fuel first, then fuel that suffices alone, then the smallest supply; when `most`
    is given and none suffices alone, the hottest first."""
    suffices = capacity >= count
    last = capacity if suffices or math.isinf(most) else -heat
    return fuel not in _MEANT_TO_BURN, not suffices, last


def _too_little(count: int, able: int, named: str | None, most: int | None) -> CommandError:
    what = named or "fuel"
    carried = "carried" if most is None else f"carried, at most {most} of it,"
    have = f"the {what} {carried} is enough for {able}" if able else f"no {what} is carried"
    help_ = "" if named or most is not None else " Coal, charcoal, logs or planks would do."
    sentence = f"For {count} to cook, {have}.{help_}"
    return CommandError("missing_fuel", sentence, count=count, enoughFor=able)


async def smelt_where_free(
    job: Job,
    bot: Bot,
    item: str,
    fuel: str,
    count: int,
    pieces: tuple[str, ...] = (),
    *,
    furnace: Station | None = None,
    radius: int = RADIUS,
    may_place: bool = True,
) -> Station:
    """Smelt in this furnace, or else in the nearest that is free; the one that was used.

    Raises CommandError no_station; ActionFailed."""
    in_use: set[Position] = set()
    while True:
        place = furnace or await come_to_station(
            job, bot, (FURNACE,), radius=radius, avoid=in_use, may_place=may_place
        )
        action = Smelt(item, fuel, place.position, count, pieces)
        try:
            await job.act(action, deadline_s=STARTING_S + ITEM_S * count)
        except ActionFailed as failed:
            if failed.reason != "blocked" or len(in_use) >= FURNACES_TRIED or furnace:
                raise
            in_use.add(place.position)
        else:
            return place


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
        loads = plan_fuel(self.catalogue, world, self.item, self.count, self.fuel, self.most_fuel)
        before = {load.fuel: world.count(load.fuel) for load in loads}
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

    async def _cook(self, loads: tuple[Load, ...]) -> None:
        cooked = 0
        for load in loads:
            self.furnace = await smelt_where_free(
                self.job, self.bot, self.item, load.fuel, load.items, furnace=self.furnace
            )
            cooked += load.items
            self.job.progress(cooked, self.count, self.product)

    async def _account(self, fuel_before: dict[str, int], made_before: int) -> WorldSnapshot:
        world = await self.job.snapshot()
        self.made = world.count(self.product) - made_before
        used = {fuel: had - world.count(fuel) for fuel, had in fuel_before.items()}
        if self.item in used:  # it was cooked as well
            used[self.item] -= self.made
        self.burnt = {fuel: count for fuel, count in used.items() if count}
        return world
