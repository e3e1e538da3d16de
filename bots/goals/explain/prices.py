"""Finds the least to fetch that makes an impossible goal possible.

It solves the planner's program with raw items for sale at prices above any work, so what is there
is used first. It considers few ways, so that this takes milliseconds. The order of steps is proven
too: with what was bought the goal is possible.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Container, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from bots.goals.activity import Activity, Domain, PlanningWorld, is_somewhere
from bots.goals.goal import Goal
from bots.goals.planning.branch_and_bound import Limits
from bots.goals.planning.problem import Problem, problem_of, wanted_of
from bots.goals.planning.reachability import Reach, Scope, reach
from bots.goals.planning.scopes import core, everything
from bots.goals.planning.solving import least_cost
from bots.goals.planning.ways import Catalogue, Thing, Way

_SHEEP_GROW = r"(white|light_gray|gray|black|brown|pink)_wool"
DUG = 22
"""A block drops it."""
GIVEN = 100
"""It comes from creatures, trade or structures."""
HUNTED = 40
"""An animal gives it: less than what it could be made of instead, as wool of string."""
SMITHED = 3_000
"""Gear without a recipe: too dear to be suggested in place of lesser gear."""
COMMON = DUG - 1
"""The best known of several equivalent items."""
FINE = 1_000
"""Prices of made items are in thousandths, because one craft can make many pieces."""
MADE = 20
"""Thousandths added per craft: fewer steps are simpler to explain."""
_COMMON = {"oak_log", "cobblestone", "coal", "sand", "iron_ore", "raw_iron", "gold_ore", "raw_gold"}
_BUILT = re.compile(
    r"(\w+_)?wall_\w+|potted_\w+|\w*cauldron|\w*candle_cake|redstone_wire|tripwire"
    r"|(exposed|weathered|oxidized|waxed)_\w+"
)


def origin_of(item: str) -> str:
    """A clause such as `cows give it`."""
    fitting = (clause for clause, names in _origins().items() if names.fullmatch(item))
    return next(fitting, "nothing that can be dug, crafted or smelted gives it")


@cache
def _origins() -> Mapping[str, re.Pattern[str]]:
    told = tomllib.loads((files(__package__) / "origins.toml").read_text("utf-8"))
    return {clause: re.compile("|".join(names)) for clause, names in told.items()}


def is_given(item: str) -> bool:
    """Whether players get it from animals though it can also be crafted (wool from string). Of
    other colours than these wool is dyed."""
    return bool(re.fullmatch(_SHEEP_GROW, item)) or item == "leather"


def _raw_and_whole(domain: Domain) -> tuple[dict[str, int], dict[str, int]]:
    dug = {item for ways in domain.digging.values() for way in ways for item in way.produces}
    made = {item for activity in domain.making for item in activity.produces}
    raw = {item: DUG if item in dug else GIVEN for item in sorted(domain.items - made)}
    raw |= {item: HUNTED for item in sorted(domain.items) if is_given(item)}
    raw |= {item: SMITHED for item in raw if item in domain.tool_order}
    natural = (b for b in domain.digging if b not in made and not _BUILT.fullmatch(b))
    fallen = [(item, b) for b in natural for way in domain.digging[b] for item in way.produces]
    raw |= {item: DUG for item, block in fallen if item != block}
    raw |= {item: COMMON for item in sorted(_COMMON) if raw.get(item) == DUG}
    whole = _spread(domain.making, raw)
    # Items of which one other item makes several, such as ingots of a block; then all.
    units = [
        one.target
        for one in domain.making
        if sum(one.consumes.values()) == 1 and not one.pools and one.produces.get(one.target, 0) > 1
    ]
    for few in (units, domain.items):
        lost = sorted({*few} - whole.keys())
        raw |= {item: DUG if item in dug else GIVEN for item in lost}
        whole = _spread(domain.making, raw)
    return raw, whole


def _spread(making: Iterable[Activity], raw: Mapping[str, int]) -> dict[str, int]:
    """The cheapest sum of parts of every item, repeated until nothing gets cheaper."""
    whole = {item: FINE * price for item, price in raw.items()}
    activities, changed = list(making), True
    while changed:
        changed = False
        for activity in activities:
            price = _price_of_parts(activity, whole)
            for item in activity.produces:
                if price is not None and item not in raw and price < whole.get(item, price + 1):
                    whole[item], changed = price, True
    return whole


def _price_of_parts(activity: Activity, whole: Mapping[str, int]) -> int | None:
    """Price of one piece; None if a part is not obtainable."""
    parts = [(whole.get(item), count) for item, count in activity.consumes.items()]
    for pool, count in activity.pools.items():
        known = [whole[item] for item in pool if item in whole]
        parts.append((min(known, default=None), count))
    if any(price is None for price, _ in parts):
        return None
    whole_price = MADE + sum((price or 0) * count for price, count in parts)
    return -(-whole_price // activity.produces.get(activity.target, 1))


@dataclass(frozen=True, slots=True)
class ItemPrices:
    """Tables of one version; building them takes tens of milliseconds, so keep them."""

    catalogue: Catalogue
    """The ways of the version at no cost: only what is fetched counts."""
    raw: Mapping[str, int]
    """Price of each raw item, which is fetched and never made."""
    whole: Mapping[str, int]
    """Price of every obtainable item, the sum of its raw parts, in thousandths."""
    ranks: Mapping[Way, int]
    """Low is better: cheap parts; for work on what is near, a low tool."""

    def meant(self, group: Iterable[Thing], here: Container[Thing]) -> list[Thing]:
        """The cheapest of some alternatives, and all that are here."""
        ordered = sorted(group, key=lambda thing: (self.whole.get(str(thing), 0), str(thing)))
        return ordered[:1] + [thing for thing in ordered[1:] if thing in here]


def item_prices_of(domain: Domain) -> ItemPrices:
    catalogue, (raw, whole) = Catalogue(_free_of_work(domain)), _raw_and_whole(domain)
    tools = {tool: rank for rank, tool in enumerate(domain.tool_order, 1)}

    def rank(activity: Activity) -> int:
        if is_somewhere(activity):
            return tools.get(activity.tool or "", 0)
        return _price_of_parts(activity, whole) or 0

    return ItemPrices(catalogue, raw, whole, {way: rank(way.activity) for way in catalogue.ways})


def _free_of_work(domain: Domain) -> Domain:
    def free(activity: Activity) -> Activity:
        return replace(activity, fixed_ticks=0, unit_ticks=0)

    return replace(
        domain,
        making=tuple(map(free, domain.making)),
        digging={block: tuple(map(free, ways)) for block, ways in domain.digging.items()},
        placing={station: free(way) for station, way in domain.placing.items()},
        foraging={kind: tuple(map(free, ways)) for kind, ways in domain.foraging.items()},
        chest_ticks=0,
    )


MORE_PRICE = DUG - 2
"""Price of one more of what can be dug here: cheaper than what is not here at all."""
GAP = 0.5
"""Smaller than the cheapest piece, so that none is bought in vain."""
LIMITS = Limits(work=300_000, gap=GAP)
WIDE_LIMITS = Limits(work=2_000_000, gap=5 * DUG)
"""If those find no list: more work, and the list need not be the smallest."""
FUEL = "coal"
"""The fuel to fetch if there is none."""
MAKES = 3
"""Ways to make an item that are considered, besides all blocks that drop it."""
FUELS = 6
"""Kinds of fuel from here that are considered."""


@dataclass(frozen=True, slots=True)
class ShoppingList:
    """What to fetch, and what there is anyway."""

    bought: Mapping[str, int]
    to_be_had: Mapping[str, int]
    """Held, or to be had nearby: dug for certain, the mean of what chance gives."""
    blocked: Mapping[str, tuple[str, str]]
    """Items in nearby blocks that no obtainable tool digs, with the block and a tool it takes."""


def shopping_list_of(
    item_prices: ItemPrices, goals: tuple[Goal, ...], world: PlanningWorld
) -> ShoppingList | None:
    """The smallest list found; None if buying does not help or is not needed."""
    wanted = wanted_of(goals, world)
    bare = problem_of(item_prices.catalogue, wanted, world)
    reached = reach(bare)
    blocked = _blocked(bare, reached)
    for_sale = _for_sale(bare, reached, item_prices, blocked)
    bought = buy(item_prices, wanted, world, for_sale)
    if not bought:
        return None
    needed = _trimmed(item_prices, wanted, world, bought)
    to_be_had = {item: n for item, n in bare.start.items() if isinstance(item, str)}
    # What all of each kind of thing near give, got in the first possible way.
    dug: dict[tuple[str, str], int] = {}
    for way in [way for way in bare.ways if way in reached.ways]:
        if is_somewhere(way.activity) or way.activity.kind == "take":
            there = next((n for t, n in way.takes.items() if not isinstance(t, str)), 1)
            near = sum(bare.start.get(t, 0) for t in way.takes if not isinstance(t, str))
            for item, count in way.activity.produces.items():
                dug.setdefault((way.activity.target, item), near // there * count)
    for (_, item), count in dug.items():
        to_be_had[item] = to_be_had.get(item, 0) + count
    return ShoppingList(needed, to_be_had, blocked)


def _trimmed(
    item_prices: ItemPrices,
    wanted: Mapping[Thing, int],
    world: PlanningWorld,
    bought: Mapping[str, int],
) -> dict[str, int]:
    """Drop what is not needed once all ways are considered, the dearest first."""
    kept = dict(bought)
    for item in sorted(kept, key=lambda item: (-item_prices.raw.get(item, 0), item)):
        least, tried = 0, kept[item] - 1  # mostly nothing is needless
        while least < kept[item]:
            if _is_enough(item_prices, wanted, world, {**kept, item: tried}):
                kept[item] = tried
            else:
                least = tried + 1
            tried = (least + kept[item]) // 2
    return {item: count for item, count in kept.items() if count}


def _is_enough(
    item_prices: ItemPrices,
    wanted: Mapping[Thing, int],
    world: PlanningWorld,
    bought: Mapping[str, int],
) -> bool:
    """Whether a plan is found with what was bought."""
    held = dict(world.inventory)
    for item, count in bought.items():
        held[item] = held.get(item, 0) + count
    problem = problem_of(item_prices.catalogue, wanted, replace(world, inventory=held))
    reached = reach(problem)
    if any(thing not in reached.things for thing in problem.lacks()):
        return False
    scope = everything(problem, reached)
    return (
        problem.met() or least_cost(problem, reached, scope, None, WIDE_LIMITS).firings is not None
    )


def buy(
    item_prices: ItemPrices,
    wanted: Mapping[Thing, int],
    world: PlanningWorld,
    for_sale: Mapping[str, int],
) -> Mapping[str, int] | None:
    """How many of each item to buy at these prices; None if buying does not help."""
    problem = problem_of(item_prices.catalogue, wanted, world, for_sale)
    reached = reach(problem)
    if any(thing not in reached.things for thing in problem.lacks()):
        return None
    bare = reach(problem_of(item_prices.catalogue, wanted, world))
    offer = simplest(item_prices, problem, reached, bare)
    strange = {
        item: price for item, price in for_sale.items() if item not in bare.things or item in wanted
    }
    # Offering only what is not here at all is fast and mostly enough. Of what is wanted more of
    # the same is the plainest answer.
    bought = _bought(problem, reached, offer, strange)
    burns = any(fuel in bare.things for fuel in problem.fuels)
    if bought is not None and not (FUEL in bought and burns):
        return bought
    # Add, for all that is here, every way to dig it and the first ways to make it.
    here = _Sources(item_prices, bare, bare, MAKES)
    fuels = {*offer.scope.fuels, *_cheapest_fuels(problem, bare, FUELS)}
    here.follow([*problem.lacks(), *fuels, *offer.things])
    more = here.offer(problem, offer.scope, fuels)
    whole = Offer(more.scope, more.things | offer.things)
    tries = ((whole, LIMITS), (offer, LIMITS), (offer, WIDE_LIMITS))
    found = (_bought(problem, reached, some, for_sale, limits) for some, limits in tries)
    return next((bought for bought in found if bought is not None), None)


def surely_possible(
    item_prices: ItemPrices, wanted: Mapping[Thing, int], world: PlanningWorld
) -> bool:
    """Whether the simplest way reaches the goals; False leaves it open."""
    problem = problem_of(item_prices.catalogue, wanted, world)
    reached = reach(problem)
    if any(thing not in reached.things for thing in problem.lacks()):
        return False
    offer = simplest(item_prices, problem, reached, reached)
    return problem.met() or _bought(problem, reached, offer, {}) is not None


def _bought(
    problem: Problem,
    reached: Reach,
    offer: Offer,
    sale: Mapping[str, int],
    limits: Limits = LIMITS,
) -> dict[str, int] | None:
    prices = {item: price for item, price in sale.items() if item in offer.things}
    few = replace(problem, prices=prices)
    answer = least_cost(few, reached, offer.scope, None, limits)
    if answer.columns is None or answer.firings is None:
        return None
    return answer.columns.bought(answer.counts)


def _for_sale(
    problem: Problem, reached: Reach, prices: ItemPrices, blocked: Mapping[str, tuple[str, str]]
) -> dict[str, int]:
    """Prices of the raw items that could lead to the goal, sorted by name."""
    led = {thing for way in problem.ways for group in way.needs for thing in group}
    raw = sorted(i for i in {*led, *problem.lacks()} if isinstance(i, str) and i in prices.raw)
    fuels = [FUEL] if any(way.burns for way in problem.ways) else []
    sale: dict[str, int] = {}
    for item in dict.fromkeys([*raw, *fuels]):
        price = prices.raw.get(item, DUG)
        if item in reached.things:
            price = MORE_PRICE
        elif item in blocked:  # its tool is the better thing to fetch
            price = DUG + prices.whole.get(blocked[item][1], 0) // FINE
        sale[item] = price
    return sale


def _blocked(problem: Problem, reached: Reach) -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for way in problem.ways:
        digs = is_somewhere(way.activity) and way.activity.tool
        if digs and way not in reached.ways:
            for item in way.activity.produces:
                if item not in reached.things:
                    found.setdefault(item, (way.activity.target, way.activity.tool or ""))
    return found


@dataclass(frozen=True, slots=True)
class Offer:
    """Ways that may be used, and the things they take, which may be for sale."""

    scope: Scope
    things: frozenset[Thing]


def simplest(item_prices: ItemPrices, problem: Problem, reached: Reach, bare: Reach) -> Offer:
    """The cheapest chain from what is here, and ways to get more where that is too little."""
    chain = core(problem, everything(problem, reached))
    held = {fuel for fuel in problem.fuels if fuel in problem.start}
    fuels = {*held, FUEL, *_cheapest_fuels(problem, bare, 1)}
    cheapest = _Sources(item_prices, reached, bare, 1)
    cheapest.follow(cheapest.needed(chain.ways))
    cheapest.follow([*problem.lacks(), *fuels])
    return cheapest.offer(problem, chain, fuels)


def _cheapest_fuels(problem: Problem, bare: Reach, count: int) -> list[str]:
    here = [fuel for fuel in problem.fuels if fuel in bare.things]
    return sorted(here, key=lambda fuel: (bare.things[fuel], fuel))[:count]


class _Sources:
    """Collects all ways to dig and the cheapest ways to make what leads to a goal."""

    def __init__(self, item_prices: ItemPrices, reached: Reach, bare: Reach, makes: int) -> None:
        self._item_prices, self._makes = item_prices, makes
        self._reached, self._bare = reached, bare
        self._makers: dict[Thing, list[Way]] = {}
        for way in sorted(reached.ways, key=lambda way: (item_prices.ranks.get(way, 0), way.index)):
            for thing in way.gives:
                self._makers.setdefault(thing, []).append(way)
        self._seen: set[Thing] = set()
        self._kept: set[int] = set()

    def follow(self, things: Iterable[Thing]) -> None:
        stack = [*things]
        while stack:
            thing = stack.pop()
            if thing not in self._seen and thing in self._reached.things:
                self._seen.add(thing)
                kinds: dict[str, list[Way]] = {}
                for way in self._makers.get(thing, ()):
                    kind = way.activity.target if is_somewhere(way.activity) else ""
                    kinds.setdefault(kind, []).append(way)
                ways_to = [
                    way
                    for kind, ways in kinds.items()
                    for way in ways[: 1 if kind else self._makes]
                ]
                stack.extend(self.needed(ways_to))

    def offer(self, problem: Problem, besides: Scope, fuels: AbstractSet[str]) -> Offer:
        kept = self._kept | {way.index for way in besides.ways}
        ways = tuple(way for way in problem.ways if way.index in kept)
        burning = fuels | {fuel for fuel in problem.fuels if fuel in self._seen}
        return Offer(Scope(ways, tuple(sorted(burning))), frozenset(self._seen))

    def needed(self, ways: Iterable[Way]) -> list[Thing]:
        taken = [*ways]
        self._kept |= {way.index for way in taken}
        here = self._bare.things
        return [
            t for way in taken for group in way.needs for t in self._item_prices.meant(group, here)
        ]
