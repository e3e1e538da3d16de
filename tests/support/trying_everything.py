"""Small random domains, and an exhaustive search that the planner must agree with."""

import heapq
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement

from bots.goals.activity import STATIONS, Activity, Away, Domain, PlanningWorld
from bots.goals.domain.costs import WorldCosts

State = tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...], frozenset[int]]
Stock = dict[str, int]


class Search:
    """Uniform-cost search over everything held, near and begun: slow, and plainly right."""

    def __init__(self, domain: Domain, world: PlanningWorld, limit: int) -> None:
        self.domain = domain
        self.limit = limit
        self.activities = [
            *domain.making,
            *domain.placing.values(),
            *(a for b in sorted(domain.digging) for a in domain.digging[b]),
        ]
        self.costs = {a: WorldCosts(world).of(a) for a in self.activities}
        self.start: State = (frozen(world.inventory), frozen(world.nearby), frozenset())

    def cost(self, goal: Mapping[str, int]) -> int | None:
        """Least ticks; None = impossible; raises Tired when the space is too large."""
        heap: list[tuple[int, int, State]] = [(0, 0, self.start)]
        known: dict[State, int] = {self.start: 0}
        pushed = 0
        while heap:
            ticks, _, state = heapq.heappop(heap)
            if ticks > known[state]:
                continue
            held = dict(state[0])
            if all(held.get(item, 0) >= n for item, n in goal.items()):
                return ticks
            for cost, after in self.moves(state):
                if ticks + cost < known.get(after, 10**9):
                    known[after] = ticks + cost
                    pushed += 1
                    if pushed > self.limit:
                        raise Tired
                    heapq.heappush(heap, (ticks + cost, pushed, after))
        return None

    def moves(self, state: State) -> Iterator[tuple[int, State]]:
        for number, activity in enumerate(self.activities):
            for count in range(1, 5) if activity.kind == "smelt" else (1,):
                price = self.costs[activity]
                fixed = 0 if number in state[2] else price.fixed
                for held, near in self.done(activity, count, dict(state[0]), dict(state[1])):
                    begun = state[2] | {number} if price.fixed else state[2]
                    cost = fixed + price.unit * count
                    yield cost, (frozen(held), frozen(near), begun)

    def done(
        self, activity: Activity, count: int, held: Stock, near: Stock
    ) -> Iterator[tuple[Stock, Stock]]:
        if activity.tool and not held.get(activity.tool):
            return
        if activity.station and not near.get(activity.station):
            return
        near = dict(near)
        if activity.kind == "gather":
            near[activity.target] = near.get(activity.target, 0) - 1
            if near[activity.target] < 0:
                return
        if activity.kind == "place":
            near[activity.target] = near.get(activity.target, 0) + 1
        if not take(held, {i: n * count for i, n in activity.consumes.items()}):
            return
        pools = [(pool, n * count) for pool, n in activity.pools.items()]
        for mixed in self.mixtures(pools, held):
            for burnt in self.fires(4 * count if activity.kind == "smelt" else 0, held, mixed):
                after = dict(held)
                if not take(after, mixed) or not take(after, burnt):
                    continue
                for item, n in activity.produces.items():
                    after[item] = after.get(item, 0) + n * count
                for item, n in [*mixed.items(), *burnt.items()]:
                    if item in self.domain.remainders:
                        left = self.domain.remainders[item]
                        after[left] = after.get(left, 0) + n
                yield after, near

    def mixtures(self, pools: list[tuple[tuple[str, ...], int]], held: Stock) -> Iterator[Stock]:
        if not pools:
            yield {}
            return
        (pool, need), *others = pools
        for chosen in combinations_with_replacement([i for i in pool if held.get(i)], need):
            for rest in self.mixtures(others, held):
                mixed = dict(rest)
                for item in chosen:
                    mixed[item] = mixed.get(item, 0) + 1
                if all(held.get(item, 0) >= n for item, n in mixed.items()):
                    yield mixed

    def fires(self, quarters: int, held: Stock, mixed: Stock) -> Iterator[Stock]:
        """Fuels whose last piece is still needed when the strongest comes last."""
        if not quarters:
            yield {}
            return
        there = sorted(f for f in self.domain.fuels if held.get(f, 0) > mixed.get(f, 0))
        for pieces in range(1, quarters + 1):
            for chosen in combinations_with_replacement(there, pieces):
                heat = [self.domain.fuels[f] for f in chosen]
                if sum(heat) >= quarters > sum(heat) - max(heat):
                    yield {f: chosen.count(f) for f in chosen}


class Tired(Exception):
    """There are too many states for an exhaustive search."""


def take(held: Stock, wanted: Mapping[str, int]) -> bool:
    for item, n in wanted.items():
        held[item] = held.get(item, 0) - n
    return all(held[item] >= 0 for item in wanted)


def frozen(stock: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted((item, n) for item, n in stock.items() if n))


def random_domain(dice: random.Random) -> Domain:
    """A domain of few items with cycles, remainders, and tools that mine their own ore."""
    items = ["a", "b", "c", "d", "e", "f", "crafting_table", "furnace"][: dice.randint(4, 8)]
    plain = [item for item in items if item not in ("crafting_table", "furnace")]
    stations = [s for s in STATIONS if s in items]
    making = [a for item in items for a in random_making(dice, item, items, plain, stations)]
    blocks = ["rock", "ore", "log", *stations]
    digging = {block: tuple(random_digging(dice, block, plain)) for block in blocks}
    placing = {
        s: Activity("place", s, {}, {s: 1}, fixed_ticks=dice.randint(1, 4)) for s in stations
    }
    fuels = {item: dice.choice([1, 2, 3, 6, 8]) for item in dice.sample(plain, 2)}
    left = {dice.choice(plain): dice.choice(plain) for _ in range(dice.randint(0, 2))}
    return Domain(
        "random",
        frozenset(items),
        frozenset(blocks),
        tuple(making),
        digging,
        placing,
        fuels,
        {a: b for a, b in left.items() if a != b},
        tuple(plain),
    )


def random_making(
    dice: random.Random, item: str, items: list[str], plain: list[str], stations: Sequence[str]
) -> Iterator[Activity]:
    for _ in range(dice.choice([0, 1, 1, 1, 2])):
        consumes = {i: dice.choice([1, 1, 2, 3]) for i in dice.sample(items, dice.randint(0, 2))}
        pools = {}
        if dice.random() < 0.4:
            pools[tuple(sorted(dice.sample(plain, 2)))] = dice.choice([1, 1, 2])
        back = {dice.choice(plain): 1} if dice.random() < 0.2 else {}
        produces = {**back, item: dice.choice([1, 1, 2, 3])}
        costs = {"fixed_ticks": dice.randint(0, 6), "unit_ticks": dice.randint(1, 6)}
        if "furnace" in stations and dice.random() < 0.3:
            one = {dice.choice(plain): 1}
            yield Activity("smelt", item, {item: 1}, one, {}, "furnace", **costs)  # type: ignore[arg-type]
        elif consumes or pools:
            table = (
                "crafting_table" if "crafting_table" in stations and dice.random() < 0.4 else None
            )
            yield Activity("craft", item, produces, consumes, pools, table, **costs)  # type: ignore[arg-type]


def random_digging(dice: random.Random, block: str, plain: list[str]) -> Iterator[Activity]:
    gives = block if block in ("crafting_table", "furnace") else dice.choice(plain)
    tools = [None] if dice.random() < 0.5 else []
    for tool in [*tools, *dice.sample(plain, dice.randint(0, 2))]:
        yield Activity(
            "gather",
            block,
            {gives: 1 if gives == block else dice.choice([1, 1, 2])},
            tool=tool,
            fixed_ticks=dice.randint(0, 6),
            unit_ticks=dice.randint(1, 8),
        )


def random_case(dice: random.Random) -> tuple[Domain, PlanningWorld, dict[str, int]]:
    domain = random_domain(dice)
    items = sorted(domain.items)
    held = {item: dice.choice([1, 1, 2]) for item in dice.sample(items, dice.randint(0, 2))}
    near = {b: dice.choice([1, 2, 3]) for b in ("rock", "ore", "log") if dice.random() < 0.7}
    if dice.random() < 0.2:
        near |= dict.fromkeys(domain.placing, 1)
    goal = {item: dice.choice([1, 1, 2, 3]) for item in dice.sample(items, dice.choice([1, 1, 2]))}
    return domain, PlanningWorld(held, near), goal


def at_random_places(dice: random.Random, world: PlanningWorld) -> PlanningWorld:
    """The same world with most blocks at some distance, some of them far below."""
    away = {block: _somewhere(dice) for block in world.nearby if dice.random() < 0.8}
    return replace(world, away=away)


def _somewhere(dice: random.Random) -> Away:
    """So near that what there is to do still matters beside the way."""
    height = dice.choice([0.0, 0.0, -1.0, -2.0])
    return Away(dice.uniform(-height, 2.0 - height), height, dice.choice([0.0, 1.0, 3.5]))
