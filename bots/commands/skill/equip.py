"""`!skill equip <itemName>`: take an item in hand, or wear it where it belongs."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from bots.bot.episode import Episode
from bots.bot.result import Result
from bots.errors import ActionFailed, CommandError
from bots.registry.args import ITEM_SPELLINGS, LenientArgs
from bots.registry.registry import CommandContext, commands
from bots.skills.first_sight import require_carried
from bots.skills.item_words import item_names
from bots.skills.tools import finest
from bridge.actions import Equip, WearPlace


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
