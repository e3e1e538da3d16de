"""`!skill eat [itemName]`: eat one item, the best food carried unless named."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from bots.bot.episode import Episode
from bots.bot.result import Number, Result
from bots.registry.args import ITEM_SPELLINGS, LenientArgs
from bots.registry.registry import CommandContext, commands
from bots.skills.belongings import best_food
from bots.skills.first_sight import require_carried
from bots.skills.item_words import item_name
from bridge.actions import Eat


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
