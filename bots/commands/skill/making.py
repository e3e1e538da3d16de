"""`!skill craft | smelt | place | equip | eat`: what is done with items that are carried."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from bots.bot.episode import Episode
from bots.bot.result import Number, Result
from bots.catalogue.names import item_name, item_names
from bots.errors import ActionFailed, CommandError
from bots.registry.args import ITEM_SPELLINGS, LenientArgs, Point, PointArgs
from bots.registry.registry import CommandContext, commands
from bots.skills.bag import BagRoom, slots_lacking
from bots.skills.belongings import best_food, lacking, require_carried, require_ingredients
from bots.skills.making import TABLE, Crafted, Smelting, craft
from bots.skills.placing import Placed, place
from bots.skills.reach import REACH
from bots.skills.tools import finest
from bridge.actions import Eat, Equip, WearPlace
from bridge.world import Position

MOST = 2_304  # an inventory of 36 stacks
DEADLINE_S = 3_600.0  # an item takes 10 s


class CraftArgs(LenientArgs):
    also: ClassVar = ITEM_SPELLINGS

    item_name: str = Field(min_length=1, max_length=64)
    """The item to make."""
    count: int = Field(1, ge=1, le=MOST)
    """At least; a recipe may make several at once."""


class CraftResult(Result):
    item_name: str
    count: int
    made: int
    have: int
    station: Literal["hand", "crafting_table"]
    table: Point | None
    """Where the table stands."""
    table_placed: bool
    """Whether the bot put the table down for this; it stays."""
    message: str

    @classmethod
    def of(cls, item: str, count: int, crafted: Crafted, told: str = "") -> CraftResult:
        table = crafted.table
        placed = " The table I put down for it stays." if table and table.was_placed else ""
        return cls(
            item_name=item,
            count=count,
            made=crafted.made,
            have=crafted.have,
            station=TABLE if table else "hand",
            table=Point.of(table.position) if table else None,
            table_placed=bool(table and table.was_placed),
            message=f"Made {crafted.made} {item}, now {crafted.have}.{placed}{told}",
        )

    def episodes(self) -> tuple[Episode, ...]:
        return (Episode("made", self.item_name, self.made),)


@commands.command(
    "skill craft",
    CraftArgs,
    world=True,
    aliases=("skill craftItem", "skill hand_craft", "skill workbench_craft"),
    example='!skill craft {"itemName": "wooden_pickaxe"}',
)
async def skill_craft(context: CommandContext, args: CraftArgs) -> CraftResult:
    """Craft at least so many; finds, walks to or puts down a table when it takes one."""
    catalogue = await context.bot.catalogue()
    item = item_name(catalogue, args.item_name)
    await require_ingredients(context.job, context.bot, item, args.count)
    room = BagRoom(context.bot, context.job, catalogue)
    await _room_to_craft(room, item, args.count)
    crafted = await craft(context.job, context.bot, item, args.count)
    return CraftResult.of(item, args.count, crafted, await room.tell())


async def _room_to_craft(room: BagRoom, item: str, count: int) -> None:
    """Make the room that crafting needs, and keep all possible ingredients."""
    bag, recipes = await room.job.snapshot(), (await room.bot.recipes()).making(item)
    carried = bag.counts()
    keep = {one.name: carried.get(one.name, 0) for recipe in recipes for one in recipe.inputs}
    fitting = (recipe for recipe in recipes if not lacking(recipe, carried, count))
    if (recipe := next(fitting, None)) is None:
        return
    times = -(-count // recipe.makes.count)
    uses = {one.name: one.count * times for one in recipe.inputs}
    brings = {item: recipe.makes.count * times}
    slots = slots_lacking(bag, room.catalogue, uses, brings, bit_by_bit=True)
    if slots:
        await room.make(bag.free_slots + slots, keep)


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
    product = catalogue.items[item].cooks_to
    if args.output is not None and item_name(catalogue, args.output) != product:
        sentence = f"A furnace makes {product or 'nothing'} of {item}, not {args.output}."
        raise CommandError("not_smeltable", sentence, itemName=item, product=product)
    order = (item, args.count, fuel, args.fuel_count)
    work = Smelting(context.bot, context.job, catalogue, *order)
    room = BagRoom(context.bot, context.job, catalogue)
    await _room_to_smelt(room, work)
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


async def _room_to_smelt(room: BagRoom, work: Smelting) -> None:
    """Make room for the product, and keep the raw items and the fuel."""
    product, bag = room.catalogue.items[work.item].cooks_to, await room.job.snapshot()
    if product is None or bag.count(work.item) < work.count:
        return
    facts = room.catalogue.items
    burning = {one.name for one in bag.items if one.name in facts and facts[one.name].fuel}
    keep = {name: bag.count(name) for name in burning | {work.item}}
    slots = slots_lacking(bag, room.catalogue, {work.item: work.count}, {product: work.count})
    if slots:
        await room.make(bag.free_slots + slots, keep)


class PlaceArgs(PointArgs):
    also: ClassVar = {**ITEM_SPELLINGS, "coords": "position"}
    is_needed: ClassVar = False
    json_only: ClassVar = frozenset({"position", "allow_self_position", "reach"})

    item_name: str = Field(min_length=1, max_length=64)
    """The block to place."""
    allow_self_position: bool = False
    """Whether it may be put where the bot itself stands: torches, carpets."""
    reach: float = Field(REACH, ge=2, le=REACH, allow_inf_nan=False)
    """How near to come, in blocks."""

    @classmethod
    def word_fields(cls) -> list[str]:
        return ["item_name", "x", "y", "z"]


class PlaceResult(Result):
    item_name: str
    position: Point
    block: str
    """What stands there now."""
    left: int
    message: str

    @classmethod
    def of(cls, item: str, placed: Placed) -> PlaceResult:
        where = Point.of(placed.position)
        return cls(
            item_name=item,
            position=where,
            block=placed.block,
            left=placed.left,
            message=f"Placed {placed.block} at {where}; {placed.left} left.",
        )

    def episodes(self) -> tuple[Episode, ...]:
        return (Episode("placed", self.item_name, at=self.position.position),)


@commands.command(
    "skill place",
    PlaceArgs,
    world=True,
    aliases=("skill place_block", "creative placeBlock"),
    example='!skill place {"itemName": "crafting_table", "position": [10, 64, 8]}',
)
async def skill_place(context: CommandContext, args: PlaceArgs) -> PlaceResult:
    """Put a carried block down, where it is wanted or somewhere near."""
    item = item_name(await context.bot.catalogue(), args.item_name)
    if args.block is not None and not args.allow_self_position:
        feet = (await context.bot.snapshot()).position.block
        if args.block in (feet, Position(feet.x, feet.y + 1, feet.z)):
            raise CommandError(
                "blocked", "The bot itself stands there.", position=Point.of(args.block).as_json()
            )
    placed = await place(context.job, context.bot, item, args.block, args.reach)
    return PlaceResult.of(item, placed)


class EquipArgs(LenientArgs):
    also: ClassVar = {**ITEM_SPELLINGS, "slot": "destination"}

    item_name: str = Field(min_length=1, max_length=64)
    """An item, or a kind of gear of which the best is taken: pickaxe, boots …"""
    destination: WearPlace | None = None
    """Where it goes; unless given, where it belongs."""


class EquipResult(Result):
    item_name: str
    place: str

    def lines(self) -> list[str]:
        where = "in hand" if self.place == "hand" else f"on: {self.place}"
        return [f"{self.item_name} is {where}."]

    def episodes(self) -> tuple[Episode, ...]:
        return (Episode("wore", self.item_name),)


@commands.command(
    "skill equip",
    EquipArgs,
    world=True,
    deadline_s=30.0,
    aliases=("skill equip_mainhand", "skill equip_armor", "primitive equipItem"),
    example='!skill equip {"itemName": "iron_pickaxe"}',
)
async def equip(context: CommandContext, args: EquipArgs) -> EquipResult:
    """Take an item in hand, or wear it where it belongs."""
    names = item_names(await context.bot.catalogue(), args.item_name)
    world = await context.bot.snapshot()
    carried = [name for name in names if world.count(name)]
    item = finest(carried) if carried else names[0]
    await require_carried(context.job, item)
    try:
        ended = await context.job.act(Equip(item, args.destination))
    except ActionFailed as failed:
        raise CommandError(failed.reason, failed.message, itemName=item) from failed
    return EquipResult(item_name=item, place=str(ended.result["place"]))


class EatArgs(LenientArgs):
    also: ClassVar = ITEM_SPELLINGS

    item_name: str | None = Field(None, min_length=1, max_length=64)
    """What to eat; the best that is carried unless given."""


class EatResult(Result):
    item_name: str
    food_before: Number
    food: Number
    """0 to 20."""
    left: int
    """How many of it are still carried."""

    def lines(self) -> list[str]:
        return [f"Ate {self.item_name}; food is {self.food:g}/20, {self.left} left."]

    def episodes(self) -> tuple[Episode, ...]:
        return (Episode("ate", self.item_name),)


@commands.command(
    "skill eat", EatArgs, world=True, deadline_s=30.0, example='!skill eat {"itemName": "bread"}'
)
async def eat(context: CommandContext, args: EatArgs) -> EatResult:
    """Eat one item, the most fitting of what is carried when none is named."""
    catalogue = await context.bot.catalogue()
    world = await context.bot.snapshot()
    named = args.item_name
    item = best_food(catalogue, world) if named is None else item_name(catalogue, named)
    await require_carried(context.job, item)
    ended = await context.job.act(Eat(item))
    after = await context.bot.snapshot()
    return EatResult(
        item_name=item,
        food_before=world.food,
        food=ended.result.get("food", after.food),
        left=after.count(item),
    )
