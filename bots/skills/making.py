"""Crafts and smelts, at tables and furnaces that are near or that the bot puts down.

Fuel is chosen so that there is enough for everything: the cheapest first, nothing that is dear."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import ActionFailed, CommandError
from bots.skills.bag import BAG_FULL
from bots.skills.belongings import is_dear, require_ingredients
from bots.skills.placing import place_near
from bots.skills.tunnelling import dig_into_reach
from bridge.actions import Craft, FindBlocks, Smelt
from bridge.catalogue import Catalogue
from bridge.world import Position, WorldSnapshot

RADIUS = 32  # blocks
TRIED = 4  # stations near, nearest first
TABLE: Final = "crafting_table"


@dataclass(frozen=True, slots=True)
class Station:
    """A block to work at."""

    position: Position
    was_placed: bool


async def come_to_station(
    job: Job,
    bot: Bot,
    kinds: tuple[str, ...],
    *,
    radius: int = RADIUS,
    avoid: Collection[Position] = (),
    may_place: bool = True,
) -> Station:
    """Come into reach of one of these blocks. When none can be reached and the first kind is
    carried, place it. Raises CommandError no_station."""
    found = await job.targets(FindBlocks(kinds, radius, TRIED + len(avoid)))
    for sighting in found:
        if sighting.position in avoid:
            continue
        try:
            await dig_into_reach(bot, job, sighting.position)
        except ActionFailed:
            continue
        return Station(sighting.position, was_placed=False)
    kind = kinds[0]
    if may_place and (await job.snapshot()).count(kind):
        return Station(await place_near(job, bot, kind), was_placed=True)
    there = f"the {len(found)} near are of no use" if found else f"none is within {radius} blocks"
    sentence = f"It needs a {kind}: {there}, and none is carried."
    raise CommandError("no_station", sentence, station=kind)


def require_carried(world: WorldSnapshot, product: str, facts: dict[str, Any]) -> None:
    """Fail if fewer products are carried than asked for: `made` and `count` of `facts`.

    Raises CommandError inventory_full, or not_found where they are gone for another reason."""
    count, made = facts["count"], facts["made"]
    if made >= count:
        return
    is_full = world.free_slots == 0
    why = BAG_FULL if is_full else "the rest is gone"
    reason = "inventory_full" if is_full else "not_found"
    raise CommandError(reason, f"Got {made} of {count} {product}: {why}.", **facts)


@dataclass(frozen=True, slots=True)
class Crafted:
    """What was made, how many are carried now, and the table that was used."""

    made: int
    have: int
    table: Station | None


async def craft(
    job: Job,
    bot: Bot,
    item: str,
    count: int,
    *,
    of: tuple[str, ...] = (),
    radius: int = RADIUS,
    may_place: bool = True,
) -> Crafted:
    """Make at least `count`, of anything carried or only of the items named in `of`. What counts
    is how many more are carried afterwards.

    Raises CommandError missing_item with what is missing, no_recipe, no_station, inventory_full
    and the rest of what `Craft` fails with."""
    await require_ingredients(job, bot, item, count)
    before = (await job.snapshot()).count(item)
    table: Station | None = None
    try:
        await job.act(Craft(item, count, of=of))
    except ActionFailed as failed:
        if not failed.data.get("needs_table"):
            raise _short(failed, item, count) from failed
        table = await come_to_station(job, bot, (TABLE,), radius=radius, may_place=may_place)
        try:
            await job.act(Craft(item, count, table.position, of))
        except ActionFailed as again:
            raise _short(again, item, count) from again
    world = await job.snapshot()
    made = world.count(item) - before
    require_carried(world, item, {"itemName": item, "count": count, "made": made, "missing": {}})
    return Crafted(made, world.count(item), table)


def _short(failed: ActionFailed, item: str, count: int) -> CommandError:
    missing = failed.data.get("missing", {})
    lacking = ", ".join(f"{lack} {name}" for name, lack in missing.items())
    sentence = f"For {count} {item} there lack {lacking}." if missing else failed.message
    made = failed.data.get("made", 0)
    return CommandError(
        failed.reason, sentence, itemName=item, count=count, made=made, missing=missing
    )


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
    stock = world.counts()
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
        what = named or "fuel"
        carried = "carried" if most is None else f"carried, at most {most} of it,"
        have = (
            f"the {what} {carried} is enough for {enough_for}"
            if enough_for
            else f"no {what} is carried"
        )
        help_ = "" if named or most is not None else " Coal, charcoal, logs or planks would do."
        sentence = f"For {count} to cook, {have}.{help_}"
        raise CommandError("missing_fuel", sentence, count=count, enoughFor=enough_for)
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
