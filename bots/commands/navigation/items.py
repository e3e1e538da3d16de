"""`!navigation` of items: dropItem, pickupItems, and chests (open, deposit, withdraw, close)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from pydantic import Field

from bots.bot.bot import Bot
from bots.bot.chests import CONTAINERS
from bots.bot.episode import Episode
from bots.bot.result import Counted, Facts
from bots.commands.navigation.family import (
    ALL,
    Amount,
    CoordsArgs,
    ItemName,
    ToldResult,
    navigation,
    rows_of,
    totals,
)
from bots.errors import ActionFailed, CommandError
from bots.registry.args import Coordinates, LenientArgs, NoArgs, PlayerWord, Point
from bots.registry.named import player_in_view
from bots.registry.registry import CommandContext
from bots.skills.chests import come_and_open, move, opened
from bots.skills.handing import make_room
from bots.skills.reach import finds_way
from bots.skills.walking import walk
from bots.text.numbers import blocks, in_blocks
from bots.text.pronouns import as_told
from bridge.actions import (
    Approach,
    BlockAt,
    CloseContainer,
    CollectDrops,
    Deposit,
    FindBlocks,
    LookAt,
    LyingItems,
    Toss,
    Wait,
    Withdraw,
)
from bridge.world import Container, Position

HANDING = 2.5  # blocks; from so near a thrown item reaches a player
EYES = 1.62  # blocks above the feet
# Thrown so far down for each block ahead, an item lands within the player's reach and past one's
# own: 2.6 blocks away, and 2.2 for a player nearer than CLOSE.
DIP, STEEP, CLOSE = 0.29, 0.42, 1.3
AIMED = Wait(0.15)  # until the server knows where the bot looks
APPROACH_S = 30.0
WATCHED_S = 4.0  # what is thrown can be picked up after 2 s; source: minecraft.wiki/w/Item_(entity)
FARTHEST = 100.0  # blocks
SOUGHT = 32  # blocks around
TRIED = 4  # chests, nearest first, before it gives up


class DropItemArgs(LenientArgs):
    also: ClassVar = {"item": "itemName", "username": "targetPlayer", "player": "targetPlayer"}
    json_only: ClassVar = frozenset({"max_distance"})

    item_name: ItemName
    """The item to throw."""
    count: Amount = 1
    """How many; -1 = all."""
    target_player: PlayerWord | None = Field(None, min_length=1)
    """Who gets it; without one it is dropped here."""
    max_distance: float = Field(FARTHEST, gt=0, le=256, allow_inf_nan=False)
    """Blocks; a player farther away is refused."""


class DropItemResult(ToldResult):
    target_player: str | None
    item_name: str
    dropped_count: int
    """How many left the inventory."""
    available_count: int
    """How many there were."""
    taken: dict[str, int]
    """How many each player was seen to pick up; empty without a target."""

    def episodes(self) -> tuple[Episode, ...]:
        given = [Episode("gave", self.item_name, n, who) for who, n in self.taken.items() if n]
        return tuple(given) or (Episode("dropped", self.item_name, self.dropped_count),)


class PickupItemsArgs(LenientArgs):
    also: ClassVar = {"item": "itemName", "radius": "range"}

    range: float = Field(5.0, gt=0, le=64, allow_inf_nan=False)
    """Blocks around."""
    item_name: ItemName | None = None
    """Only this item."""


class PickupItemsResult(ToldResult):
    found_count: int
    """How many lay there; what cannot be recognised counts as one."""
    picked_up_count: int
    items: tuple[Counted, ...]
    """What came into the inventory."""

    def episodes(self) -> tuple[Episode, ...]:
        return tuple(Episode("got", row.name, row.count) for row in self.items)


@navigation(
    "dropItem",
    DropItemArgs,
    world=True,
    example='{"itemName": "bread", "count": 2, "targetPlayer": "Steve"}',
)
async def drop_item(context: CommandContext, args: DropItemArgs) -> DropItemResult:
    """Bring items to a player and throw them over, or drop them here; -1 = all."""
    world = await context.bot.snapshot()
    available = world.count(args.item_name)
    if available < max(1, args.count):
        worn = " One I wear." if args.item_name in world.worn else ""
        sentence = f"I have {available or 'no'} {args.item_name} to hand over.{worn}"
        facts = {"itemName": args.item_name, "droppedCount": 0, "availableCount": available}
        raise CommandError("missing_item", sentence, **facts)
    if args.target_player is not None:
        to = await _go_to(context, args.target_player, args.max_distance)
        return await _hand_over(context, args.model_copy(update={"target_player": to}), available)
    await context.job.act(Toss(args.item_name, args.count))
    dropped = available - (await context.bot.snapshot()).count(args.item_name)
    _require_gone(args, dropped, available)
    return _result(args, f"I dropped {dropped} {args.item_name}.", dropped, available)


@navigation("pickupItems", PickupItemsArgs, world=True, example='{"range": 8}')
async def pickup_items(context: CommandContext, args: PickupItemsArgs) -> PickupItemsResult:
    """Pick up what lies around, all or one kind of item."""
    lying = await context.bot.query(LyingItems(args.range))
    wanted = (args.item_name, None)
    found = sum(item.count for item in lying if args.item_name is None or item.name in wanted)
    if not found:
        sentence = f"Nothing for me to pick up lies within {in_blocks(args.range)}."
        return PickupItemsResult(message=sentence, found_count=0, picked_up_count=0, items=())
    try:
        ended = await context.job.act(CollectDrops(args.range, args.item_name))
    except ActionFailed as failure:
        rows = rows_of(failure.data.get("collected", {}))
        raise CommandError(
            failure.reason,
            failure.message,
            foundCount=found,
            pickedUpCount=sum(row.count for row in rows),
            items=[row.model_dump() for row in rows],
        ) from failure
    rows = rows_of(ended.result["collected"])
    return PickupItemsResult(
        message=f"I picked up {', '.join(map(str, rows))}.",
        found_count=found,
        picked_up_count=sum(row.count for row in rows),
        items=rows,
    )


async def _hand_over(context: CommandContext, args: DropItemArgs, available: int) -> DropItemResult:
    """Succeeds only when that player was seen to pick up all of it, if need be from others."""
    to = args.target_player or ""
    ended = await context.job.act(Toss(args.item_name, args.count, WATCHED_S, to))
    dropped: int = ended.result["tossed"]
    taken: dict[str, int] = ended.result["taken"]
    _require_gone(args, dropped, available)
    if taken.get(to, 0) < dropped:
        raise _not_received(args, dropped, available, taken, ended.result["unsure"])
    return _result(
        args,
        f"{as_told(to, begins=True)} has {dropped} {args.item_name}.",
        dropped,
        available,
        {to: dropped},  # others have handed on what they took
    )


def _result(
    args: DropItemArgs,
    message: str,
    dropped: int,
    available: int,
    taken: Mapping[str, int] | None = None,
) -> DropItemResult:
    return DropItemResult(
        message=message,
        target_player=args.target_player,
        item_name=args.item_name,
        dropped_count=dropped,
        available_count=available,
        taken=dict(taken or {}),
    )


def _not_received(
    args: DropItemArgs,
    dropped: int,
    available: int,
    taken: Mapping[str, int],
    unsure: Sequence[str],
) -> CommandError:
    """Tells who has the items; a player who picked up something unrecognisable may have them."""
    got = taken.get(args.target_player or "", 0)
    lying = dropped - sum(taken.values())
    fates = [f"{as_told(who)} took {n}" for who, n in taken.items() if who != args.target_player]
    fates += [f"{lying} lie there"] * (lying > 0)
    thrown = f"the {dropped} {args.item_name} I threw"
    reason = "not_received"
    whom = as_told(args.target_player or "", begins=True)
    sentence = f"{whom} took {got or 'none'} of {thrown}; {', '.join(fates)}."
    if unsure and lying > 0:
        reason = "not_recognised"
        who = " and ".join(map(as_told, unsure))
        sentence = f"{who} picked up what I cannot recognise; I cannot tell who has {thrown}."
    return CommandError(
        reason,
        sentence,
        itemName=args.item_name,
        droppedCount=dropped,
        availableCount=available,
        taken=dict(taken),
    )


def _require_gone(args: DropItemArgs, dropped: int, available: int) -> None:
    """The inventory decides how many were really thrown."""
    wanted = available if args.count == ALL else args.count
    if dropped >= wanted:
        return
    sentence = f"Only {dropped} of {wanted} {args.item_name} left my hands."
    facts = {"itemName": args.item_name, "droppedCount": dropped, "availableCount": available}
    raise CommandError("not_dropped", sentence, **facts)


async def _go_to(context: CommandContext, name: str, farthest: float) -> str:
    """Go to a player, and tell the name as it is spelt."""
    player, distance = player_in_view(await context.bot.snapshot(), name)
    if distance > farthest:
        away, most = in_blocks(blocks(distance)), in_blocks(farthest)
        sentence = f"{as_told(name, begins=True)} is {away} away; that is beyond {most}."
        raise CommandError("out_of_range", sentence, distance=int(distance), maxDistance=farthest)
    approach = Approach(player.name, HANDING)
    if not await finds_way(context.job.act(approach, deadline_s=APPROACH_S)):
        assert player.position is not None, "a player in view has a position"
        await walk(context.bot, context.job, player.position, HANDING, may_pillar=True)
        await context.job.act(approach, deadline_s=APPROACH_S)
    await make_room(context.bot, await context.bot.snapshot(), player.name)
    world = await context.bot.snapshot()
    player, distance = player_in_view(world, player.name)
    assert player.position is not None, "a player in view has a position"
    height = world.position.y + EYES - (DIP if distance > CLOSE else STEEP) * distance
    await context.job.act(LookAt(Position(player.position.x, height, player.position.z)))
    await context.job.act(AIMED)
    return player.name


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
    items: tuple[Counted, ...]
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
    inventory: tuple[Counted, ...]


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
        # Refuse a block known to be no chest; one that is not loaded yet may be one.
        seen = await bot.query(BlockAt(coords.block))
        for sighting in seen:
            if sighting.name not in CONTAINERS:
                point = Point.of(sighting.position)
                sentence = f"At {point} is {sighting.name}, which is no chest."
                raise CommandError("wrong_block", sentence, position=point.as_json())
        return (coords.block,)
    found = await bot.query(FindBlocks(CONTAINERS, radius=SOUGHT, limit=TRIED))
    if not found:
        sentence = f"I find no chest, barrel or shulker box within {SOUGHT} blocks."
        raise CommandError("not_found", sentence)
    return tuple(sighting.position for sighting in found)


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
