"""`!chest allow | forbid | list`: which chests the bots may use, and what they know of them."""

from __future__ import annotations

from bots.access.origin import Level, Person
from bots.bot.chests import CONTAINERS, Chest
from bots.bot.result import Facts, Result
from bots.commands.navigation.family import CoordsArgs
from bots.errors import CommandError
from bots.registry.args import Coordinates, NoArgs, Point
from bots.registry.registry import CommandContext, commands
from bridge.actions import BlockAt, FindBlocks
from bridge.world import Position

SOUGHT, FOUND = 32, 64
"""So far it looks for the chest that is meant, and among so many."""
SHOWN = 4
"""Chests in a whisper."""


class ChestArgs(CoordsArgs):
    coords: Coordinates | None = None
    """The nearest to you, or else to the bot, unless given."""


class ChestInfo(Facts):
    position: Point
    own: bool
    """Whether one of the bots placed it."""
    allowed: bool
    """Whether they may use it."""
    items: dict[str, int] | None
    """What it held at the latest look; null when nobody has looked."""

    @classmethod
    def of(cls, chest: Chest) -> ChestInfo:
        items = None if chest.items is None else dict(chest.items)
        at = Point.of(chest.position)
        return cls(position=at, own=chest.own, allowed=chest.may_be_used, items=items)

    def __str__(self) -> str:
        whose = "mine" if self.own else "allowed" if self.allowed else "not mine"
        held = [f"{count} {item}" for item, count in (self.items or {}).items()]
        known = ", ".join(held[:SHOWN]) or (
            "empty" if self.items is not None else "not looked into"
        )
        more = ", …" if len(held) > SHOWN else ""
        return f"{self.position} ({whose}): {known}{more}"


class ChestsResult(Result):
    chests: tuple[ChestInfo, ...]
    message: str


@commands.command("chest allow", ChestArgs, level=Level.TRUSTED, example="!chest allow 10 64 8")
async def allow(context: CommandContext, args: ChestArgs) -> ChestsResult:
    """Let the bots take things out of a chest for their goals, and put things in."""
    chest = await _set(context, args, allowed=True)
    at = Point.of(chest.position)
    return _told([chest], f"We may use the chest at {at} now.")


@commands.command("chest forbid", ChestArgs, level=Level.TRUSTED, example="!chest forbid 10 64 8")
async def forbid(context: CommandContext, args: ChestArgs) -> ChestsResult:
    """Let no goal use a chest any more, not even one that a bot placed."""
    chest = await _set(context, args, allowed=False)
    at = Point.of(chest.position)
    return _told([chest], f"We leave the chest at {at} alone.")


@commands.command("chest list", NoArgs, level=Level.TRUSTED, example="!chest list")
async def list_(context: CommandContext, _args: NoArgs) -> ChestsResult:
    """List the chests the bots know here, the nearest first, and what they held."""
    here = await context.bot.snapshot()
    known = context.bot.chests
    every = [*known.usable(here.dimension), *known.of_others(here.dimension)]
    every.sort(key=lambda chest: chest.position.distance_to(here.position))
    if not every:
        return _told([], "I know no chest here.")
    shown = "; ".join(str(ChestInfo.of(chest)) for chest in every[:SHOWN])
    more = f"; and {len(every) - SHOWN} more" if len(every) > SHOWN else ""
    return _told(every, f"{shown}{more}.")


async def _set(context: CommandContext, args: ChestArgs, *, allowed: bool) -> Chest:
    bot = context.bot
    position = args.coords or await _meant(context)
    for block in await bot.query(BlockAt(position.block)):  # one out of sight may be a chest
        if block.name not in CONTAINERS:
            at = Point.of(position.block)
            raise CommandError("wrong_block", f"At {at} is {block.name}, which is no chest.")
    return await bot.chests.allow((await bot.snapshot()).dimension, position.block, allowed)


async def _meant(context: CommandContext) -> Position:
    """The chest nearest to whoever asks. Raises CommandError not_found."""
    found = await context.bot.query(FindBlocks(CONTAINERS, radius=SOUGHT, limit=FOUND))
    if not found:
        sentence = f"I see no chest within {SOUGHT} blocks; say where it is: x y z."
        raise CommandError("not_found", sentence)
    world, asker = await context.bot.snapshot(), context.origin
    seen = world.player(asker.name) if isinstance(asker, Person) else None
    beside = world.position if seen is None or seen.position is None else seen.position
    return min((one.position for one in found), key=beside.distance_to)


def _told(chests: list[Chest], message: str) -> ChestsResult:
    return ChestsResult(chests=tuple(map(ChestInfo.of, chests)), message=message)
