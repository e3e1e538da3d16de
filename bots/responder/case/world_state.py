"""What a bot senses, as TOON for a model, with short names that can be mapped back.

p1 is a player, e1 an animal or monster, i1 a carried item, b1 the nearest block of a kind. Rows of
one table have the same keys, so that TOON writes the keys once.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

from toon_format import encode

from bots.access.sources import FACTS, Sources, joined
from bots.bot.looking import in_time
from bots.responder.case.wording import clock_time, item_counts, part_of_day
from bots.text.numbers import blocks
from bridge.actions import Query
from bridge.looking import Scan, ScanBlocks
from bridge.world import Position, WorldSnapshot

T = TypeVar("T")

NEARBY = 12  # blocks to every side: a ball of 7,153, searched in half a millisecond
MOST_KINDS = 12

_WOODS = ("oak", "birch", "spruce", "jungle", "acacia", "dark_oak", "mangrove", "cherry")
_METALS = ("coal", "iron", "gold", "diamond", "redstone", "lapis", "emerald", "copper")
_COLOURS = (
    *("white", "orange", "magenta", "light_blue", "yellow", "lime", "pink", "gray"),
    *("light_gray", "cyan", "purple", "blue", "brown", "green", "red", "black"),
)
NOTABLE = (
    *(f"{wood}_log" for wood in _WOODS),
    *("crimson_stem", "warped_stem"),
    *(f"{metal}_ore" for metal in _METALS),
    *(f"deepslate_{metal}_ore" for metal in _METALS),
    *("nether_gold_ore", "nether_quartz_ore", "ancient_debris"),
    *("crafting_table", "furnace", "blast_furnace", "smoker", "smithing_table", "anvil"),
    *("enchanting_table", "brewing_stand", "chest", "trapped_chest", "barrel", "ender_chest"),
    *(f"{colour}_bed" for colour in _COLOURS),
    *("spawner", "nether_portal", "end_portal", "wheat", "carrots", "potatoes", "pumpkin", "melon"),
    *("water", "lava", "fire", "magma_block", "cactus", "sweet_berry_bush", "powder_snow"),
)
"""Blocks to dig, work at, open, sleep in, eat or avoid."""

LOOK = ScanBlocks(NOTABLE, NEARBY, lowest=-NEARBY, highest=NEARBY, limit=MOST_KINDS, each=1)
FULL = 20  # half-hearts
MOST_ROWS = 16  # of one table; the nearest or most come first
MOST_MOBS = 9


class Looking(Protocol):
    """A bot as this file uses it."""

    async def snapshot(self) -> WorldSnapshot: ...

    async def query(self, query: Query[T]) -> T: ...


async def look_around(bot: Looking, within_s: float) -> tuple[WorldSnapshot | None, Scan | None]:
    """Snapshot and notable blocks, asked for at the same time; None for what comes too late."""
    async with asyncio.TaskGroup() as group:
        world = group.create_task(in_time(bot.snapshot(), within_s))
        around = group.create_task(in_time(bot.query(LOOK), within_s))
    return world.result(), around.result()


Kind: TypeAlias = Literal["p", "e", "i", "b"]

_SHORT = re.compile(r"\b[peib][1-9]\d*\b")


Names: TypeAlias = Callable[[str], Sources | None]
"""Where a player's name comes from; None when the model may not see it."""


def everybody(_name: str) -> Sources | None:
    """All names, as facts."""
    return FACTS


@dataclass(slots=True)
class ShortIds:
    """The short names of one decision, in both directions."""

    _names: dict[str, str] = field(default_factory=dict)
    _counts: dict[Kind, int] = field(default_factory=dict)

    def of(self, kind: Kind, name: str) -> str:
        """A new short name."""
        number = self._counts[kind] = self._counts.get(kind, 0) + 1
        short = f"{kind}{number}"
        self._names[short] = name
        return short

    def meant(self, word: str) -> str:
        """What a short name stands for; any other word is returned as it is."""
        return self._names.get(word, word)

    def read_back(self, value: Any) -> Any:
        """Tool arguments with every value that is a short name replaced."""
        match value:
            case str():
                return self.meant(value)
            case dict():
                return {key: self.read_back(inner) for key, inner in value.items()}
            case list():
                return [self.read_back(inner) for inner in value]
        return value

    def spelled_out(self, text: str) -> str:
        """Text for people: short names replaced."""
        return _SHORT.sub(lambda found: self.meant(found[0]), text)


@dataclass(frozen=True, slots=True)
class State:
    text: str
    ids: ShortIds
    sources: Sources = FACTS
    """Of the names in it."""
    odd_names: Mapping[str, Sources] = field(default_factory=dict)
    """Of players here, shown or not: names that are no facts."""


def state_of(
    world: WorldSnapshot | None,
    names: Names = everybody,
    around: Scan | None = None,
    doing: str = "",
    bots: Container[str] = (),
    area: str = "",
) -> State:
    """The volatile part of a prompt, which comes last.

    Players whose names may not be seen appear by short name only; `bots` are those of us."""
    ids = ShortIds()
    if world is None:
        return State(encode({"senses": "nothing right now"}), ids)
    text = encode(sensed_by(world, ids, names, around, doing, bots, area))
    return State(text, ids, joined(filter(None, (names(one.name) for one in world.players))))


def sensed_by(
    world: WorldSnapshot,
    ids: ShortIds,
    names: Names = everybody,
    around: Scan | None = None,
    doing: str = "",
    bots: Container[str] = (),
    area: str = "",
) -> dict[str, Any]:
    """The same as plain values; `blocks` is left out when none are notable."""
    also = {"doing": doing, "area": area}
    seen = _rows(_blocks(world, ids, around)) if around else []
    return {
        "me": {**_self(world), **{key: value for key, value in also.items() if value}},
        "players": _rows(_players(world, ids, names, bots)),
        "mobs": _rows(_mobs(world, ids)),
        "items": _rows(
            {"id": ids.of("i", name), "name": name, "n": count}
            for name, count in item_counts(world).most_common(MOST_ROWS)
        ),
        **({"blocks": seen} if seen else {}),
    }


def _self(world: WorldSnapshot) -> dict[str, Any]:
    ticks = world.time_of_day
    also = {"worn": " ".join(world.worn), "effects": " ".join(world.effects)}
    return {
        "at": _at(world.position),
        "dimension": world.dimension,
        "time": f"{part_of_day(ticks, 'en')} {clock_time(ticks)}",
        "weather": world.weather,
        "health": round(world.health),
        "food": round(world.food),
        "hand": world.held.name if world.held else None,
        "freeSlots": world.free_slots,
        **{key: value for key, value in also.items() if value},
    }


def _players(
    world: WorldSnapshot, ids: ShortIds, names: Names, bots: Container[str]
) -> Iterable[dict[str, Any]]:
    """Health is a column only while somebody is known to be hurt, and whether it is a bot while
    one of us is there: most of the time they say nothing, and each row is paid for."""
    is_with_bots = any(one.name in bots for one in world.players)
    is_hurt = any(one.health is not None and one.health < FULL for one in world.players)
    seen = [(world.distance_to(player), player) for player in world.players]
    for away, player in sorted(seen, key=lambda row: (row[0] is None, row[0] or 0.0)):
        at = None if player.position is None else _at(player.position)
        distance = None if away is None else blocks(away)
        name = player.name if names(player.name) is not None else None
        health = None if player.health is None else round(player.health)
        row = {"id": ids.of("p", player.name), "name": name, "away": distance, "at": at}
        row |= {"bot": player.name in bots} if is_with_bots else {}
        yield {**row, "health": health} if is_hurt else row


def _mobs(world: WorldSnapshot, ids: ShortIds) -> Iterable[dict[str, Any]]:
    """Hostile ones first, then the nearest; but of every kind the nearest before a second one."""
    far = {mob: world.position.distance_to(mob.position) for mob in world.mobs}
    ranked = sorted(world.mobs, key=lambda mob: (not mob.hostile, far[mob]))
    nearest = {mob.name: mob for mob in reversed(ranked)}
    firsts = sorted(ranked, key=lambda mob: nearest[mob.name] != mob)[:MOST_MOBS]
    for mob in sorted(firsts, key=ranked.index):
        row = {"id": ids.of("e", mob.name), "name": mob.name, "hostile": mob.hostile}
        yield {**row, "away": blocks(far[mob]), **_cell(mob.position)}


def _blocks(world: WorldSnapshot, ids: ShortIds, around: Scan) -> Iterable[dict[str, Any]]:
    """The nearest block of each kind, and how many there are."""
    counts = {one.name: one.count for one in around.counts}
    for block in around.blocks:
        away = blocks(world.position.block.distance_to(block.position))
        row = {"id": ids.of("b", block.name), "name": block.name, "n": counts[block.name]}
        yield {**row, "away": away, **_cell(block.position)}


def _rows(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return list(rows)[:MOST_ROWS]


def _at(position: Position) -> str:
    at = position.block
    return f"{at.x:g} {at.y:g} {at.z:g}"


def _cell(position: Position) -> dict[str, int]:
    """One column per coordinate: TOON quotes text that begins with a minus, but not numbers."""
    at = position.block
    return {"x": int(at.x), "y": int(at.y), "z": int(at.z)}
