"""`!skill equip <itemName>`: take something in hand, or wear it where it belongs."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from bots.commands.declared import commands
from bots.commands.registry import CommandContext
from bots.commands.result import Result
from bots.commands.skill_args import ITEM_SPELLINGS, SkillArgs
from bots.errors import CommandError
from bots.skills.tools import finest
from bots.skills.words import item_names
from bridge.actions import Equip

Destination = Literal["hand", "off-hand", "head", "torso", "legs", "feet"]


class EquipArgs(SkillArgs):
    also: ClassVar = {**ITEM_SPELLINGS, "slot": "destination"}

    item_name: str = Field(min_length=1, max_length=64)
    """An item, or a kind of gear of which the best is taken: pickaxe, boots …"""
    destination: Destination | None = None
    """Where it must end up; unless given, where it belongs."""


class EquipResult(Result):
    item_name: str
    place: str

    def lines(self) -> list[str]:
        where = "in hand" if self.place == "hand" else f"on: {self.place}"
        return [f"{self.item_name} is {where}."]


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
    ended = await context.errand.act(Equip(item))
    place = str(ended.result.get("place", "hand"))
    if args.destination not in (None, place):
        sentence = f"{item} belongs to: {place}. It is there now, not {args.destination}."
        raise CommandError("wrong_slot", sentence, itemName=item, place=place)
    return EquipResult(item_name=item, place=place)
