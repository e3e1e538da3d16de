"""`!info all`: everything the bot senses, from one snapshot; and its sections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pydantic import Field

from bots.bot.locations import Location
from bots.bot.result import Counted, Facts, Number, Result
from bots.catalogue.names import categories_of
from bots.errors import InvalidArguments
from bots.registry.args import Args, Point
from bots.registry.named import Places, places_known
from bots.registry.registry import CommandContext, commands
from bots.text.numbers import blocks
from bridge.world import BlockCount, WorldSnapshot

Category: TypeAlias = Literal["tool", "material", "other"]
FULL = 20  # half-hearts
_TOOLS = frozenset({"pickaxe", "axe", "sword", "shovel", "hoe"})
_TOOL_NAMES = frozenset({"shears", "flint_and_steel", "fishing_rod", "bow", "crossbow", "trident"})
_MATERIALS = frozenset(
    {"log", "wood", "planks", "stick", "ore", "ingot", "nugget", "stem", "dirt", "sand", "gravel"}
)
_MATERIAL_NAMES = frozenset(
    {"coal", "charcoal", "diamond", "emerald", "redstone", "lapis_lazuli", "flint", "clay_ball"}
)
_ORDER: tuple[Category, ...] = ("tool", "material", "other")
ALL = "all"
REACH = 8  # blocks; `nearby` counts the blocks of the cube that reaches so far


def category_of(item: str) -> Category:
    """What kind of thing an item is, by its name."""
    kind = item.rpartition("_")[2]
    if kind in _TOOLS or item in _TOOL_NAMES:
        return "tool"
    if kind in _MATERIALS or item in _MATERIAL_NAMES or "stone" in kind or item.startswith("raw_"):
        return "material"
    return "other"


class ItemCount(Facts):
    name: str
    count: int
    category: Category


class InventorySummary(Facts):
    total_items: int
    """Different items."""
    total_count: int
    tools: int
    materials: int
    is_empty: bool


class Inventory(Facts):
    items: tuple[ItemCount, ...]
    held: str | None
    """What is in the hand; it counts among the items."""
    worn: tuple[str, ...]
    """Armour and what is in the off hand; not among the items."""
    summary: InventorySummary

    @classmethod
    def of(cls, world: WorldSnapshot) -> Inventory:
        counts = world.counts()
        rows = [ItemCount(name=n, count=c, category=category_of(n)) for n, c in counts.items()]
        rows.sort(key=lambda row: (_ORDER.index(row.category), row.name))
        summary = InventorySummary(
            total_items=len(rows),
            total_count=counts.total(),
            tools=sum(row.category == "tool" for row in rows),
            materials=sum(row.category == "material" for row in rows),
            is_empty=not rows,
        )
        return cls(
            items=tuple(rows),
            held=world.held.name if world.held else None,
            worn=world.worn,
            summary=summary,
        )


class Rotation(Facts):
    """Degrees."""

    yaw: Number
    pitch: Number


class Time(Facts):
    is_day: bool
    time_of_day: int


class Whereabouts(Facts):
    position: Point
    rotation: Rotation
    time: Time
    health: Number
    food: Number

    @classmethod
    def of(cls, world: WorldSnapshot) -> Whereabouts:
        return cls(
            position=Point.of(world.position),
            rotation=Rotation(yaw=round(world.yaw, 1), pitch=round(world.pitch, 1)),
            time=Time(is_day=world.is_day, time_of_day=world.time_of_day),
            health=world.health,
            food=world.food,
        )


@dataclass(frozen=True, slots=True)
class PlayerInfo:
    """A player; None stands for what the bot does not see or the server does not tell.

    A plain dataclass, as one result may hold hundreds."""

    username: str
    position: Point | None
    distance: int | None
    health: Number | None


class PlayersSummary(Facts):
    total_players: int
    nearest_player: str | None
    nearest_distance: int | None


class Players(Facts):
    """Those in view first, the nearest of them first."""

    players: tuple[PlayerInfo, ...]
    summary: PlayersSummary

    @classmethod
    def of(cls, rows: tuple[PlayerInfo, ...]) -> Players:
        nearest = rows[0] if rows and rows[0].position is not None else None
        summary = PlayersSummary(
            total_players=len(rows),
            nearest_player=nearest.username if nearest else None,
            nearest_distance=nearest.distance if nearest else None,
        )
        return cls(players=rows, summary=summary)


class NearbySummary(Facts):
    total_types: int
    total_blocks: int
    top_block: str | None


class Nearby(Facts):
    """Blocks around except air, most common first."""

    blocks: tuple[Counted, ...]
    categories: dict[str, int]
    """How many there are of each kind: log, ore, leaves …"""
    summary: NearbySummary

    @classmethod
    def of(cls, counts: tuple[BlockCount, ...]) -> Nearby:
        summary = NearbySummary(
            total_types=len(counts),
            total_blocks=sum(block.count for block in counts),
            top_block=counts[0].name if counts else None,
        )
        rows = tuple(Counted(name=block.name, count=block.count) for block in counts)
        total: Counter[str] = Counter()
        for block in counts:
            total.update(dict.fromkeys(categories_of(block.name), block.count))
        return cls(blocks=rows, categories=dict(total.most_common()), summary=summary)


class AllInfo(Facts):
    inventory: Inventory
    position: Whereabouts
    locations: Places
    nearby_players: Players
    """Players in view."""
    players: Players
    """All players on the server."""
    nearby: Nearby

    @classmethod
    def of(cls, world: WorldSnapshot, registered: Iterable[Location]) -> AllInfo:
        listed = by_nearness(world)
        seen = tuple(row for row in listed if row.position is not None)
        return cls(
            inventory=Inventory.of(world),
            position=Whereabouts.of(world),
            locations=Places.of(world, registered),
            nearby_players=Players.of(seen),
            players=Players.of(listed),
            nearby=Nearby.of(world.blocks),
        )

    def lines(self) -> list[str]:
        here = self.position
        time = "day" if here.time.is_day else "night"
        body = f"health {here.health:g}/20, food {here.food:g}/20"
        named = [f"{item.count} {item.name}" for item in self.inventory.items[:6]]
        more = len(self.inventory.items) - len(named)
        items = (", ".join(named) or "nothing") + (f" and {more} more" if more else "")
        return [
            f"At {here.position}, {time}; {body}.",
            f"Carrying {items}{equipment(self.inventory)}.",
            f"In view: {_people(self.nearby_players)}; {len(self.players.players)} on the server.",
            f"Around: {', '.join(block.name for block in self.nearby.blocks[:6]) or 'nothing'}.",
        ]


def equipment(inventory: Inventory) -> str:
    """`; iron_axe in hand; wearing iron_helmet`, as much as there is."""
    held = f"; {inventory.held} in hand" if inventory.held else ""
    return held + (f"; wearing {', '.join(inventory.worn)}" if inventory.worn else "")


def by_nearness(world: WorldSnapshot) -> tuple[PlayerInfo, ...]:
    """Everyone on the server: those in view first, the nearest of them first."""
    measured = [(world.distance_to(player), player) for player in world.players]
    measured.sort(key=lambda pair: (pair[0] is None, pair[0] or 0.0, pair[1].name))
    return tuple(
        PlayerInfo(
            username=player.name,
            position=None if player.position is None else Point.of(player.position),
            distance=None if distance is None else blocks(distance),
            health=player.health,
        )
        for distance, player in measured
    )


def _people(players: Players) -> str:
    named = []
    for row in players.players[:6]:
        is_hurt = row.health is not None and row.health < FULL
        hurt = f", health {row.health:g}/20" if is_hurt else ""
        named.append(f"{row.username} ({row.distance}{hurt})")
    more = len(players.players) - len(named)
    return (", ".join(named) or "nobody") + (f" and {more} more" if more else "")


class InfoArgs(Args):
    type: str = Field(ALL)
    """What to tell; all."""


class InfoResult(Result):
    type: str
    data: AllInfo

    def lines(self) -> list[str]:
        return self.data.lines()


@commands.command("info", InfoArgs, tells=places_known, example="!info all", allow_bots=True)
async def info(context: CommandContext, args: InfoArgs) -> InfoResult:
    """Tell all the bot senses: inventory, position, players, blocks."""
    section = args.type.lower()
    if section != ALL:
        family = context.commands.names.family("info")
        known = [ALL, *(name.partition(" ")[2] for name in family)]
        sentence = f"There is no such information; there is: {', '.join(known)}."
        raise InvalidArguments("invalid_format", sentence, known=known)
    world = await context.bot.snapshot(blocks_within=REACH)
    places = context.bot.locations.all(context.may_know)
    return InfoResult(type=section, data=AllInfo.of(world, places))
