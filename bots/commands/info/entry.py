"""`!info item`, `!info block`, `!info mob`: what is known of one thing of the server's version."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field

from bots.bot.bot import Bot
from bots.bot.result import Result
from bots.catalogue.entries import BlockEntry, Entry, ItemEntry, Kind, MobEntry
from bots.catalogue.handbook import Handbook, handbook_of
from bots.catalogue.in_words import told
from bots.catalogue.names import Names
from bots.registry.args import Args
from bots.registry.registry import CommandContext, commands
from bots.text.language import Language, language_of


class EntryArgs(Args):
    name: str = Field(max_length=100)
    """Its name, in English or Japanese."""


class EntryResult(Result):
    """An entry of the catalogue, told in the language it was asked for in."""

    between_lines: ClassVar = " "

    type: Kind
    data: ItemEntry | BlockEntry | MobEntry
    language: Language = Field(exclude=True)

    @property
    def entry(self) -> Entry:
        return self.data

    def as_shown(self) -> dict[str, Any]:
        return {self.type: self.data.name, "known": told(self.data, "all", "en")}

    def lines(self) -> list[str]:
        return [told(self.data, "all", self.language)]


@commands.command("info item", EntryArgs, allow_bots=True, example="!info item piston")
async def item(context: CommandContext, args: EntryArgs) -> EntryResult:
    """Tell how an item is made or found, and what it is good for."""
    return await _looked_up(context, args, "item")


@commands.command("info block", EntryArgs, allow_bots=True, example="!info block obsidian")
async def block(context: CommandContext, args: EntryArgs) -> EntryResult:
    """Tell which tool a block takes, and what it drops."""
    return await _looked_up(context, args, "block")


@commands.command("info mob", EntryArgs, allow_bots=True, example="!info mob creeper")
async def mob(context: CommandContext, args: EntryArgs) -> EntryResult:
    """Tell whether an animal or a monster is dangerous, and what it drops."""
    return await _looked_up(context, args, "mob")


async def handbook_for(bot: Bot) -> Handbook:
    """What is known of the version that the bot plays."""
    return handbook_of(await bot.catalogue(), await bot.recipes())


async def _looked_up(context: CommandContext, args: EntryArgs, kind: Kind) -> EntryResult:
    handbook = await handbook_for(context.bot)
    name = Names(handbook).found(args.name, kind).name
    return EntryResult(
        type=kind, data=handbook.entry(kind, name), language=language_of([args.name])
    )
