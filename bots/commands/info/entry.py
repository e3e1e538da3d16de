"""`!info item`, `!info block`, `!info mob`: what is known of one thing of the server's version, and
what the bot was told of it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, ClassVar

from pydantic import Field

from bots.access.origin import Person
from bots.access.sources import Sources, joined
from bots.bot.knowing import TYPES, Found, KnowledgeType, Wanted, tag
from bots.bot.result import Result
from bots.catalogue.counted import thing
from bots.catalogue.entries import BlockEntry, ItemEntry, Kind, MobEntry
from bots.catalogue.handbook import handbook_for
from bots.catalogue.in_words import told
from bots.catalogue.names import KINDS, Names
from bots.knowledge.portable import found_as_json
from bots.knowledge.wording import listed, row_of
from bots.registry.args import Args
from bots.registry.registry import CommandContext, commands
from bots.text.language import Language, language_of
from bots.text.overlap import speaks_of
from bots.text.search_words import words_of

WHISPERED = 2  # entries of what was told
MOST_KNOWN = 8
MOST_EXCLUDED = 200


class EntryArgs(Args):
    json_only: ClassVar = frozenset({"knowledge", "types", "exclude_ids"})

    name: str = Field(max_length=100)
    """Its name, in English or Japanese."""
    knowledge: bool = True
    """Whether to tell what I was told of it, too."""
    types: tuple[KnowledgeType, ...] = TYPES
    """Of what I was told only these kinds: strategy, counter …"""
    exclude_ids: tuple[int, ...] = Field((), max_length=MOST_EXCLUDED)
    """Numbers of entries to leave out: those that are known already."""


class EntryResult(Result):
    """An entry of the catalogue, told in the language it was asked for in."""

    between_lines: ClassVar = " "

    type: Kind
    data: ItemEntry | BlockEntry | MobEntry
    language: Language = Field(exclude=True)
    known: tuple[Found, ...] = Field(exclude=True)
    """What the bot was told of it."""
    now: datetime = Field(exclude=True)

    @property
    def sources(self) -> Sources:
        """Whence all these words come."""
        return joined(one.entry.sources for one in self.known)

    def as_json(self) -> dict[str, Any]:
        entries = [found_as_json(one) for one in self.known]
        return {**super().as_json(), "knowledge": entries, "ids": [one["id"] for one in entries]}

    def as_shown(self) -> dict[str, Any]:
        shown = {self.type: self.data.name, "known": told(self.data, "all", "en")}
        rows = [row_of(one, self.now) for one in self.known]
        return {**shown, "told": rows} if rows else shown

    def lines(self) -> list[str]:
        told_of_it = [listed(one, self.now) for one in self.known[:WHISPERED]]
        return [told(self.data, "all", self.language), *told_of_it]


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


async def _looked_up(context: CommandContext, args: EntryArgs, kind: Kind) -> EntryResult:
    handbook = await handbook_for(context.bot)
    name = Names(handbook).found(args.name, kind).name
    known = await _known(context, args, name) if args.knowledge else ()
    await context.bot.knowledge.mark_used(one.entry.id for one in known)
    return EntryResult(
        type=kind,
        data=handbook.entry(kind, name),
        language=language_of([args.name]),
        known=known,
        now=context.bot.times.clock(),
    )


async def _known(context: CommandContext, args: EntryArgs, name: str) -> tuple[Found, ...]:
    """What was told of a thing; nothing to somebody who has yet to prove the name."""
    origin = context.origin
    if isinstance(origin, Person) and context.bot.permissions.is_unproven(origin.name):
        return ()
    words = thing(name, "en")
    wanted = Wanted(
        f"{words} {args.name}",
        tags=frozenset(tag(kind, name) for kind in KINDS),
        types=args.types,
        limit=MOST_KNOWN,
        damped=True,
        without=frozenset(args.exclude_ids),
        may_know=context.may_know,
    )
    found = await context.bot.knowledge.search(wanted)
    return tuple(one for one in found if _is_of(one, name, (words, args.name)))


def _is_of(found: Found, name: str, called: Iterable[str]) -> bool:
    """Whether an entry is tagged with a thing, or names it; a word in common is not enough."""
    if any(one.name == name for one in found.entry.tags):
        return True
    text = f"{found.entry.topic} {found.entry.insight}"
    return any(speaks_of(text, words_of(words)) for words in called)
