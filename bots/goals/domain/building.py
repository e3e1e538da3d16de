"""Makes the activities of a version from its data, and adds what needs no recipe: what animals,
liquids, fishing and chance give."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from bots.bot.chests import CONTAINERS
from bots.catalogue.entries import FoldedRecipe, folded
from bots.goals.activity import STATIONS, TICK_S, Activity, Domain, Pool, Station
from bots.goals.domain import costs
from bots.goals.domain.game_data import GameData
from bots.goals.plan import ActivityKind
from bots.skills.foraging import CROPS, GROWN, ROD
from bots.skills.hunting import EGG, HEN, LYING_EGG, SHORN_SHEEP, sheep_of
from bots.skills.tools import SHEARS, is_sheared, sure_drops
from bridge.catalogue import BlockFacts

_WORTH_CARRYING = 2.0
"""Tools less than twice as fast as the hand are left out (a sword on melons), and so is every tool
where the hand takes no time (flowers)."""
_MATERIALS = ("wooden", "golden", "stone", "copper", "iron", "diamond", "netherite")
"""From the worst to the best."""
_KINDS = ("pickaxe", "axe", "shovel", "hoe", "sword", "shears")
COLOURS = (
    *("white", "light_gray", "gray", "black", "brown", "red", "orange", "yellow"),
    *("lime", "green", "cyan", "light_blue", "blue", "purple", "magenta", "pink"),
)
_LEFT: Mapping[str, tuple[int, Mapping[str, int]]] = {
    "cow": (1, {"beef": 2, "leather": 1}),
    "mooshroom": (1, {"beef": 2, "leather": 1}),
    "pig": (1, {"porkchop": 2}),
    "chicken": (1, {"chicken": 1, "feather": 1}),
    "rabbit": (2, {"rabbit": 1, "rabbit_hide": 1}),
    SHORN_SHEEP: (1, {"mutton": 1}),
}
"""What so many of a kind leave when killed. Source: minecraft.wiki, page of each animal."""
_SPOILS: Mapping[str, tuple[int, Mapping[str, int]]] = {
    "zombie": (1, {"rotten_flesh": 1}),
    "skeleton": (1, {"bone": 1, "arrow": 1}),
    "spider": (1, {"string": 1}),
    "creeper": (1, {"gunpowder": 1}),
}
"""The same for monsters, which a bot meets with a sword."""
_MILKED = ("cow", "mooshroom", "goat")
_FILLED: Mapping[str, float] = {"water": costs.FILL_S, "lava": costs.FILL_LAVA_S}
_RARE: Mapping[str, tuple[int, str]] = {
    "gravel": (10, "flint"),
    "oak_leaves": (200, "apple"),
    "dark_oak_leaves": (200, "apple"),
    "leaves": (200, "apple"),
    **dict.fromkeys(
        ("grass", "short_grass", "tall_grass", "tallgrass", "fern"), (8, "wheat_seeds")
    ),
}
"""So many of a block drop one of an item, on average. Source: minecraft.wiki."""
_SAPLINGS, _JUNGLE_SAPLINGS = 20, 40
"""So many leaves drop one sapling."""
_LEAVES = re.compile(r"((?P<wood>\w+)_)?leaves2?")
_QUICK_TICKS = 10
SOIL = "grass_block"
WATER = "water"
_SOWN: Mapping[str, str] = {seeds: CROPS[crop][1] for seeds, crop in GROWN.items()}
_BITING: Mapping[str, int] = {
    "cod": 2,
    "salmon": 5,
    "pufferfish": 9,
    "tropical_fish": 59,
    "fish": 2,
}
"""So many catches give one; up to 1.12 all four are `fish`. Source: minecraft.wiki/w/Fishing."""
_HOES = tuple(f"{of}_hoe" for of in ("wooden", "stone", "golden", "iron", "diamond", "netherite"))
_SWORDS = ("stone_sword", "iron_sword", "diamond_sword", "netherite_sword")
_SHORN = 2
"""Wool that shears get of one sheep, as a mean of one to three."""


def tool_order(items: Iterable[str]) -> tuple[str, ...]:
    """The tools among these items, from the worst to the best."""
    split = {item: item.rpartition("_") for item in items}
    gear = [item for item, (of, _, kind) in split.items() if kind in _KINDS and of in _MATERIALS]
    return tuple(sorted((*gear, *({SHEARS} & split.keys())), key=_rank))


def digging(
    blocks: Mapping[str, BlockFacts], items: frozenset[str]
) -> dict[str, tuple[Activity, ...]]:
    """For each block with a sure drop, the ways to dig it: by hand first, then by tool."""
    found = {name: tuple(_ways(block, items)) for name, block in blocks.items()}
    return {name: ways for name, ways in found.items() if ways}


def _ways(block: BlockFacts, items: frozenset[str]) -> Iterator[Activity]:
    if block.hardness is None:
        return
    for tool in tools(block, items):
        produces = sure_drops(block.name, block.drops, tool, items)
        if produces:
            speed = block.speeds.get(tool, 1.0) if tool else 1.0
            yield Activity(
                kind="gather",
                target=block.name,
                produces=produces,
                tool=tool,
                fixed_ticks=costs.ticks(costs.WALK_S),
                unit_ticks=costs.gather_ticks(block.name, block.hardness, speed),
            )


def tools(block: BlockFacts, items: frozenset[str]) -> list[str | None]:
    """What to dig a block with: the hand first (None) if it will do, then tools that help."""
    needs = block.needs
    at_once = not costs.dig_ticks(block.hardness or 0, 1.0)
    fast = {t for t, speed in block.speeds.items() if speed >= _WORTH_CARRYING and not at_once}
    shears = {SHEARS} if is_sheared(block.name) else set()
    fit = (fast if needs is None else needs) | shears
    by_hand: list[str | None] = [None] if needs is None else []
    return by_hand + sorted(fit & items, key=_rank)


def _rank(tool: str) -> tuple[int, int, str]:
    material, _, kind = tool.rpartition("_")
    rank = _MATERIALS.index(material) if material in _MATERIALS else len(_MATERIALS)
    return rank, _KINDS.index(kind) if kind in _KINDS else len(_KINDS), tool


def foraging(
    blocks: Mapping[str, BlockFacts], items: frozenset[str]
) -> dict[str, tuple[Activity, ...]]:
    """For each kind of thing near the ways to get something of it that the version has."""
    found: dict[str, list[Activity]] = {}
    searches, crops = _searches(blocks, items), _crops(blocks)
    for activity in (*_of_animals(), *_of_liquids(blocks), *searches, *crops):
        named = {*activity.produces, *activity.consumes, *({activity.tool} - {None})}
        if named <= items:
            found.setdefault(activity.target, []).append(activity)
    return {kind: tuple(ways) for kind, ways in found.items()}


def _of_animals() -> Iterator[Activity]:
    """Waiting for hens leaves them as they are; `WorldCosts` knows how many there are."""
    for kind, (uses, left) in _LEFT.items():
        yield _work("hunt", kind, left, costs.HUNT_S, uses=uses)
    for colour in COLOURS:
        left = {"mutton": 1, f"{colour}_wool": 1}
        yield _work("hunt", sheep_of(colour), left, costs.HUNT_S)
    for colour in COLOURS:
        wool = {f"{colour}_wool": _SHORN}
        yield _work("shear", sheep_of(colour), wool, costs.SHEAR_S, tool="shears")
    for kind, (uses, left) in _SPOILS.items():
        for sword in _SWORDS:
            yield _work("hunt", kind, left, costs.FIGHT_S, uses=uses, tool=sword)
    for kind in _MILKED:
        yield _filling("milk", kind, "milk_bucket", costs.MILK_S, uses=0)
    yield _work("await", HEN, {EGG: 1}, costs.LAID_S, uses=0)
    yield Activity(
        "pick_up",
        LYING_EGG,
        {EGG: 1},
        fixed_ticks=costs.ticks(costs.WALK_S),
        unit_ticks=costs.ticks(costs.PICK_UP_S),
    )


def _of_liquids(blocks: Mapping[str, BlockFacts]) -> Iterator[Activity]:
    for liquid, each_s in _FILLED.items():
        if liquid in blocks:
            yield _filling("fill", liquid, f"{liquid}_bucket", each_s, uses=1)
    for fish, catches in _BITING.items() if WATER in blocks else ():
        yield _work("fish", WATER, {fish: 1}, catches * costs.CATCH_S, uses=0, tool=ROD)


def _filling(kind: ActivityKind, target: str, full: str, each_s: float, *, uses: int) -> Activity:
    return Activity(
        kind,
        target,
        {full: 1},
        consumes={"bucket": 1},
        fixed_ticks=costs.ticks(costs.WALK_S),
        unit_ticks=costs.ticks(each_s),
        uses=uses,
    )


def _crops(blocks: Mapping[str, BlockFacts]) -> Iterator[Activity]:
    if SOIL not in blocks:
        return
    for seeds, crop in _SOWN.items():
        for hoe in _HOES:
            yield Activity(
                "grow",
                SOIL,
                {crop: 1},
                consumes={seeds: 1},
                tool=hoe,
                fixed_ticks=costs.ticks(costs.WALK_S),
                unit_ticks=costs.ticks(costs.SOW_S),
                waiting_ticks=costs.ticks(costs.GROWTH_S),
            )


def _searches(blocks: Mapping[str, BlockFacts], items: frozenset[str]) -> Iterator[Activity]:
    for name, facts in blocks.items():
        if name == "grass" and SOIL not in blocks:
            continue  # up to 1.12 it is the ground
        for digs, item in _rare(name):
            # The hand alone where it is quick; never shears, to which other things drop.
            is_quick = costs.dig_ticks(facts.hardness or 0, 1.0) <= _QUICK_TICKS
            helpful = [None] if is_quick else tools(facts, items)
            for tool in [one for one in helpful if one != SHEARS]:
                speed = facts.speeds.get(tool, 1.0) if tool else 1.0
                each = costs.gather_ticks(name, facts.hardness or 0, speed)
                yield _work("search", name, {item: 1}, each * TICK_S, uses=digs, tool=tool)


def _rare(block: str) -> Iterator[tuple[int, str]]:
    """What a block drops by chance, with the digs for one."""
    if block in _RARE:
        yield _RARE[block]
    leaves = _LEAVES.fullmatch(block)
    if leaves:
        wood = leaves["wood"]  # up to 1.12 none is named
        sapling = f"{wood}_sapling" if wood else "sapling"
        yield (_JUNGLE_SAPLINGS if wood == "jungle" else _SAPLINGS), sapling


def _work(
    kind: ActivityKind,
    target: str,
    gives: Mapping[str, int],
    each_s: float,
    *,
    uses: int = 1,
    tool: str | None = None,
) -> Activity:
    return Activity(
        kind,
        target,
        gives,
        tool=tool,
        fixed_ticks=costs.ticks(costs.WALK_S),
        unit_ticks=max(1, uses) * costs.ticks(each_s),
        uses=uses,
        is_mean=True,
    )


_LEFT_BEHIND = {
    "dragon_breath": "glass_bottle",
    "honey_bottle": "glass_bottle",
    "lava_bucket": "bucket",
    "milk_bucket": "bucket",
    "water_bucket": "bucket",
}
"""What remains when an item is used up. Source: minecraft.wiki/w/Crafting, remaining items."""
_QUARTERS = 4


@lru_cache(maxsize=8)
def domain_of(data: GameData) -> Domain:
    """All activities of a version, in a fixed order; cached, the same object for the same data."""
    items = data.items
    left = {full: empty for full, empty in _LEFT_BEHIND.items() if {full, empty} <= items}
    # Heat in whole quarters of an item, rounded down so that no plan runs out of fuel.
    quarters = {name: int(heat * _QUARTERS) for name, heat in sorted(data.fuels.items())}
    fuels = {name: count for name, count in quarters.items() if count}
    known = [one for one in data.recipes if {one.makes.name, *one.ingredients} <= data.items]
    recipes = folded(known)  # the data of 1.21 has a recipe that makes air
    recipes.sort(key=lambda recipe: (recipe.makes, recipe.at_table, recipe.choices, recipe.count))
    crafts = (_craft(recipe, left) for recipe in recipes)
    raws: dict[str, list[str]] = {}
    for raw, made in data.cooks_to.items():
        raws.setdefault(made, []).append(raw)
    smelts = (_smelt(made, tuple(sorted(raws[made]))) for made in sorted(raws))
    return Domain(
        version=data.version,
        items=items,
        blocks=frozenset(data.blocks),
        making=(*crafts, *smelts),
        digging={
            block: ways
            for block, ways in digging(data.blocks, items).items()
            if block not in CONTAINERS
        },
        placing={station: _placing(station) for station in STATIONS},
        fuels=fuels,
        remainders=left,
        chest_ticks=costs.ticks(costs.WALK_S + costs.CHEST_S),
        tool_order=tool_order(items),
        foraging=foraging(data.blocks, items),
    )


def _craft(recipe: FoldedRecipe, left: Mapping[str, str]) -> Activity:
    consumes: Counter[str] = Counter()
    pools: Counter[Pool] = Counter()
    for pool, count in recipe.choices:
        if len(pool) == 1:
            consumes[pool[0]] += count
        else:
            pools[pool] += count
    produces = Counter({recipe.makes: recipe.count})
    for item, count in consumes.items():
        if item in left:
            produces[left[item]] += count
    return Activity(
        kind="craft",
        target=recipe.makes,
        produces=dict(produces),
        consumes=dict(consumes),
        pools=dict(pools),
        station="crafting_table" if recipe.at_table else None,
        fixed_ticks=costs.ticks(costs.CRAFT_OPEN_S),
        unit_ticks=costs.ticks(costs.CRAFT_S),
    )


def _smelt(made: str, raws: Pool) -> Activity:
    alone = len(raws) == 1
    return Activity(
        kind="smelt",
        target=made,
        produces={made: 1},
        consumes={raws[0]: 1} if alone else {},
        pools={} if alone else {raws: 1},
        station="furnace",
        fixed_ticks=costs.ticks(costs.SMELT_OPEN_S),
        unit_ticks=costs.ticks(costs.SMELT_S),
    )


def _placing(station: Station) -> Activity:
    return Activity(
        kind="place",
        target=station,
        produces={},
        consumes={station: 1},
        unit_ticks=costs.ticks(costs.PLACE_S),
    )
