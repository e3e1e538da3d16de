"""`!navigation chestOpen | chestDeposit | chestWithdraw | chestClose`: chests and barrels."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from bots.bot.bot import Bot
from bots.bot.chests import CONTAINERS
from bots.bot.episode import Episode
from bots.bot.result import Facts
from bots.commands.navigation.family import CoordsArgs, ToldResult, navigation
from bots.commands.navigation.item_counts import Amount, ItemCount, ItemName, totals
from bots.errors import ActionFailed, CommandError
from bots.registry.args import LenientArgs, NoArgs
from bots.registry.points import Coordinates, Point
from bots.registry.registry import CommandContext
from bots.skills.chests import come_and_open, move, opened
from bridge.actions import BlockAt, CloseContainer, Deposit, FindBlocks, Withdraw
from bridge.world import BlockSighting, Container, Position

SOUGHT = 32  # blocks around
TRIED = 4  # chests, nearest first, before it gives up


class ChestOpenArgs(CoordsArgs):
    coords: Coordinates | None = None
    """The nearest within 32 blocks, unless given."""


class ChestItemArgs(LenientArgs):
    also: ClassVar = {"itemName": "item", "name": "item"}

    item: ItemName
    """The item to move."""
    count: Amount = 1
    """How many; -1 = all."""


class Chest(Facts):
    item_count: int
    items: tuple[ItemCount, ...]
    total_slots: int
    used_slots: int
    empty_slots: int

    @classmethod
    def of(cls, inside: Container) -> Chest:
        return cls(
            item_count=sum(stack.count for stack in inside.items),
            items=totals(inside.items),
            total_slots=inside.slots,
            used_slots=len(inside.items),
            empty_slots=inside.slots - len(inside.items),
        )


class ChestOpenResult(ToldResult):
    position: Point
    chest: Chest
    inventory: tuple[ItemCount, ...]


class ChestMoveResult(ToldResult):
    position: Point
    item: str
    count: int
    """How many were moved."""
    did: Literal["put", "took"] = Field(exclude=True)

    def episodes(self) -> tuple[Episode, ...]:
        return (Episode(self.did, self.item, self.count, at=self.position.position),)


class ChestCloseResult(ToldResult):
    position: Point


@navigation("chestOpen", ChestOpenArgs, world=True, example='{"coords": [10, 64, -5]}')
async def chest_open(context: CommandContext, args: ChestOpenArgs) -> ChestOpenResult:
    """Walk to a chest, barrel or shulker box, the nearest unless given, and open it."""
    inside = await _open_first(context, await _candidates(context.bot, args.coords))
    world = await context.bot.snapshot()
    chest, point = Chest.of(inside), Point.of(inside.position)
    held = ", ".join(map(str, chest.items[:8])) or "nothing"
    free = f"{chest.empty_slots} of {chest.total_slots} slots are free"
    return ChestOpenResult(
        message=f"The chest at {point} holds {held}; {free}.",
        position=point,
        chest=chest,
        inventory=totals(world.items),
    )


@navigation(
    "chestDeposit", ChestItemArgs, world=True, example='{"item": "cobblestone", "count": -1}'
)
async def chest_deposit(context: CommandContext, args: ChestItemArgs) -> ChestMoveResult:
    """Put items into the open chest; -1 = all."""
    return await _move(context, Deposit(args.item, args.count), "put")


@navigation("chestWithdraw", ChestItemArgs, world=True, example='{"item": "bread", "count": 3}')
async def chest_withdraw(context: CommandContext, args: ChestItemArgs) -> ChestMoveResult:
    """Take items out of the open chest; -1 = all."""
    return await _move(context, Withdraw(args.item, args.count), "took")


@navigation("chestClose", NoArgs, world=True, example="")
async def chest_close(context: CommandContext, _args: NoArgs) -> ChestCloseResult:
    """Close the open chest."""
    open_one = await opened(context.bot, context.job)
    await context.job.act(CloseContainer())
    return ChestCloseResult(message="The chest is closed.", position=Point.of(open_one.position))


async def _candidates(bot: Bot, coords: Position | None) -> tuple[Position, ...]:
    """The chests to try. Raises CommandError: not_found, wrong_block."""
    if coords is not None:
        _require_container(await bot.query(BlockAt(coords.block)))
        return (coords.block,)
    found = await bot.query(FindBlocks(CONTAINERS, radius=SOUGHT, limit=TRIED))
    if not found:
        sentence = f"I find no chest, barrel or shulker box within {SOUGHT} blocks."
        raise CommandError("not_found", sentence)
    return tuple(sighting.position for sighting in found)


def _require_container(seen: tuple[BlockSighting, ...]) -> None:
    """Refuse what is known to be no chest; a block that is not loaded yet may be one."""
    for sighting in seen:
        if sighting.name not in CONTAINERS:
            point = Point.of(sighting.position)
            sentence = f"At {point} is {sighting.name}, which is no chest."
            raise CommandError("wrong_block", sentence, position=point.as_json())


async def _open_first(context: CommandContext, candidates: tuple[Position, ...]) -> Container:
    """Open the first that can be reached. Raises the ActionFailed of the last."""
    failure: ActionFailed | None = None
    for position in candidates:
        try:
            return await come_and_open(context.bot, context.job, position)
        except ActionFailed as error:
            failure = error
    assert failure is not None, "there is at least one candidate"
    raise failure


async def _move(
    context: CommandContext, action: Deposit | Withdraw, did: Literal["put", "took"]
) -> ChestMoveResult:
    open_one = await opened(context.bot, context.job)
    moved = await move(context.bot, context.job, action)
    told = "I put in" if did == "put" else "I took out"
    return ChestMoveResult(
        message=f"{told} {moved} {action.item}.",
        position=Point.of(open_one.position),
        item=action.item,
        count=moved,
        did=did,
    )
