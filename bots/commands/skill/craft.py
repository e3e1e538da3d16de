"""`!skill craft <itemName> [count]`: craft, at a table where the recipe needs one."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from bots.bot.episode import Episode
from bots.bot.result import Result
from bots.registry.args import ITEM_SPELLINGS, LenientArgs
from bots.registry.points import Point
from bots.registry.registry import CommandContext, commands
from bots.skills.bag import BagRoom, slots_lacking
from bots.skills.crafting import TABLE, Crafted, craft
from bots.skills.first_sight import lacking, require_ingredients
from bots.skills.item_words import item_name

MOST = 2_304  # an inventory of 36 stacks


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

    def lines(self) -> list[str]:
        return [self.message]

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
    await _make_room(room, item, args.count)
    crafted = await craft(context.job, context.bot, item, args.count)
    return CraftResult.of(item, args.count, crafted, await room.tell())


async def _make_room(room: BagRoom, item: str, count: int) -> None:
    """Make the room that crafting takes, and keep all that it may be made of."""
    bag, recipes = await room.job.snapshot(), (await room.bot.recipes()).making(item)
    carried = {stack.name: bag.count(stack.name) for stack in bag.items}
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
