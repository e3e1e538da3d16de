"""Makes the activities of a version from its data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache

from bots.bot.chests import CONTAINERS
from bots.catalogue.entries import FoldedRecipe, folded
from bots.goals.activity import STATIONS, Activity, Domain, Pool, Station
from bots.goals.domain import costs
from bots.goals.domain.foraging import digging, foraging, tool_order
from bots.goals.domain.game_data import GameData

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
    return Domain(
        version=data.version,
        items=items,
        blocks=frozenset(data.blocks),
        making=(*_crafts(data, left), *_smelts(data)),
        digging={
            block: ways
            for block, ways in digging(data.blocks, items).items()
            if block not in CONTAINERS
        },
        placing={station: _placing(station) for station in STATIONS},
        fuels=_fuels(data.fuels),
        remainders=left,
        chest_ticks=costs.ticks(costs.WALK_S + costs.CHEST_S),
        tool_order=tool_order(items),
        foraging=foraging(data.blocks, items),
    )


def _crafts(data: GameData, left: Mapping[str, str]) -> Iterator[Activity]:
    known = [one for one in data.recipes if {one.makes.name, *one.ingredients} <= data.items]
    recipes = folded(known)  # the data of 1.21 has a recipe that makes air
    recipes.sort(key=lambda recipe: (recipe.makes, recipe.at_table, recipe.choices, recipe.count))
    return (_craft(recipe, left) for recipe in recipes)


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


def _smelts(data: GameData) -> Iterator[Activity]:
    raws: dict[str, list[str]] = {}
    for raw, made in data.cooks_to.items():
        raws.setdefault(made, []).append(raw)
    return (_smelt(made, tuple(sorted(raws[made]))) for made in sorted(raws))


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


def _fuels(burning: Mapping[str, float]) -> dict[str, int]:
    """Heat in whole quarters of an item, rounded down so that no plan runs out of fuel."""
    quarters = {name: int(items * _QUARTERS) for name, items in sorted(burning.items())}
    return {name: count for name, count in quarters.items() if count}
