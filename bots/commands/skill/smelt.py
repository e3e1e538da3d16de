"""`!skill smelt <itemName> [count]`: smelt in a furnace nearby or one that is carried."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from bots.bot.episode import Episode
from bots.bot.result import Result
from bots.errors import CommandError
from bots.registry.args import ITEM_SPELLINGS, LenientArgs
from bots.registry.points import Point
from bots.registry.registry import CommandContext, commands
from bots.skills.bag import BagRoom, slots_lacking
from bots.skills.item_words import item_name
from bots.skills.smelting import Smelting
from bridge.catalogue import Catalogue

DEADLINE_S = 3_600.0  # an item takes 10 s


class SmeltArgs(LenientArgs):
    also: ClassVar = {**ITEM_SPELLINGS, "inputCount": "count"}
    json_only: ClassVar = frozenset({"fuel", "output", "fuel_count"})

    item_name: str = Field(min_length=1, max_length=64)
    """What is cooked."""
    count: int = Field(1, ge=1, le=256)
    """How many to smelt."""
    fuel: str | None = Field(None, min_length=1, max_length=64)
    """Unless given, the cheapest fuel carried."""
    output: str | None = Field(None, min_length=1, max_length=64)
    """The expected product; when it would be another, nothing is burnt."""
    fuel_count: int | None = Field(None, ge=1, le=2_304)
    """Pieces of fuel it may burn; when they are too few, nothing is burnt."""


class SmeltResult(Result):
    item_name: str
    product: str
    count: int
    made: int
    fuel_used: dict[str, int]
    furnace: Point
    furnace_placed: bool
    message: str

    def lines(self) -> list[str]:
        return [self.message]

    def episodes(self) -> tuple[Episode, ...]:
        return (Episode("made", self.product, self.made),)


@commands.command(
    "skill smelt",
    SmeltArgs,
    world=True,
    deadline_s=DEADLINE_S,
    aliases=("skill furnace_smelt",),
    example='!skill smelt {"itemName": "iron_ore", "count": 3}',
)
async def smelt(context: CommandContext, args: SmeltArgs) -> SmeltResult:
    """Cook items in a furnace, choosing the fuel, and take the product."""
    catalogue = await context.bot.catalogue()
    item = item_name(catalogue, args.item_name)
    fuel = None if args.fuel is None else item_name(catalogue, args.fuel)
    _require_product(catalogue, item, args.output)
    order = (item, args.count, fuel, args.fuel_count)
    work = Smelting(context.bot, context.job, catalogue, *order)
    room = BagRoom(context.bot, context.job, catalogue)
    await _make_room(room, work)
    await work.run()
    assert work.furnace is not None, "something was cooked"
    burnt = ", ".join(f"{count} {name}" for name, count in work.burnt.items()) or "nothing"
    return SmeltResult(
        item_name=item,
        product=work.product,
        count=args.count,
        made=work.made,
        fuel_used=work.burnt,
        furnace=Point.of(work.furnace.position),
        furnace_placed=work.furnace.was_placed,
        message=f"Made {work.made} {work.product}; burnt {burnt}.{await room.tell()}",
    )


async def _make_room(room: BagRoom, work: Smelting) -> None:
    """Make room for the product, and keep what is cooked and what may burn."""
    product, bag = room.catalogue.items[work.item].cooks_to, await room.job.snapshot()
    if product is None or bag.count(work.item) < work.count:
        return
    facts = room.catalogue.items
    burning = {one.name for one in bag.items if one.name in facts and facts[one.name].fuel}
    keep = {name: bag.count(name) for name in burning | {work.item}}
    slots = slots_lacking(bag, room.catalogue, {work.item: work.count}, {product: work.count})
    if slots:
        await room.make(bag.free_slots + slots, keep)


def _require_product(catalogue: Catalogue, item: str, output: str | None) -> None:
    product = catalogue.items[item].cooks_to
    if output is not None and item_name(catalogue, output) != product:
        sentence = f"A furnace makes {product or 'nothing'} of {item}, not {output}."
        raise CommandError("not_smeltable", sentence, itemName=item, product=product)
