"""The activities of a domain as the planner sees them, what they cost, and how they are fired.

A way is an activity that counts blocks near as well as items. A firing is a way done some times at
once, with the alternatives and fuels it uses. Each smelting way burns its own pieces of fuel and
loses the rest of the last one, so two short pieces can be worth more than a long one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple, TypeAlias

from bots.goals.activity import STATIONS, Activity, Cost, Domain, Pool, is_somewhere
from bots.skills.belongings import is_dear

QUARTERS = 4
"""Heat that smelting one item takes, in quarters."""


def pieces(quarters: int, fuel: int) -> int:
    """How many pieces that burn `fuel` quarters give that much heat."""
    return -(-quarters // fuel)


def is_waste(activity: Activity, heat: Mapping[str, int]) -> bool:
    """Whether the ingredients burn at least as long as the product."""
    if activity.kind != "craft" or len(activity.produces) != 1:
        return False
    ((fuel, made),) = activity.produces.items()
    taken = [(heat.get(thing, 0), n) for thing, n in activity.consumes.items()]
    taken += [(min(heat.get(item, 0) for item in pool), n) for pool, n in activity.pools.items()]
    if made == 1:  # burnt in one place, as all that it takes can be
        return 0 < heat.get(fuel, 0) <= sum(each * n for each, n in taken)
    return any(_outlasts(each, n, heat.get(fuel, 0), made) for each, n in taken)


@cache
def _outlasts(each: int, n: int, fuel: int, made: int) -> bool:
    """Whether `n` of an ingredient can replace the `made` fuels, however many items they smelt."""
    if not 0 < fuel * made <= each * n:
        return False
    return all(
        pieces(QUARTERS * smelted, each) * made <= pieces(QUARTERS * smelted, fuel) * n
        for smelted in range(1, each * fuel + 1)
    )


class Near(NamedTuple):
    """Blocks of one kind that are near enough to reach."""

    block: str


Thing: TypeAlias = str | Near
"""An item held, or a block near."""


def in_chests(item: str) -> Near:
    """What is in chests of an item."""
    return Near(f"{item} in chests")


def far_off(station: str) -> Near:
    """Stations of a kind to which it is a walk."""
    return Near(f"{station} far off")


HEAT = Near("heat of any fuel")
"""Stands for any fuel, where it does not matter which one burns."""
TABLE, FURNACE = (Near(station) for station in STATIONS)


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """An activity whose inputs and outputs include blocks near as well as items."""

    index: int
    """Its place in a fixed order, to break ties."""
    activity: Activity
    takes: Mapping[Thing, int]
    gives: Mapping[Thing, int]
    catalysts: tuple[Thing, ...]
    """What must be there and is not used up: tool and station."""
    needs: tuple[tuple[Thing, ...], ...]
    """Groups of alternatives: to start, it needs one of each group."""

    @property
    def burns(self) -> bool:
        return self.activity.kind == "smelt"

    @property
    def pools(self) -> Mapping[Pool, int]:
        return self.activity.pools

    def amount(self, number: int) -> int:
        """How many of group `number` of `needs` one firing takes; 1 for tools, stations, fuels."""
        amounts = [*self.takes.values(), *self.pools.values()]
        return amounts[number] if number < len(amounts) else 1


def way_of(index: int, activity: Activity) -> Way:
    """Turn an activity into a way: digging and foraging take what is near, placing gives it, and so
    does a walk to what is far."""
    takes: dict[Thing, int] = dict(activity.consumes.items())
    gives: dict[Thing, int] = dict(activity.produces.items())
    if is_somewhere(activity) and activity.uses:
        takes[Near(activity.target)] = activity.uses
    if activity.kind == "take":
        takes[in_chests(activity.target)] = 1
    if activity.kind == "approach":
        takes[far_off(activity.target)] = 1
    if activity.kind in ("place", "approach"):
        gives[Near(activity.target)] = 1
    catalysts: list[Thing] = [activity.tool] if activity.tool else []
    if not activity.uses:
        catalysts.append(Near(activity.target))
    if activity.station:
        catalysts.append(Near(activity.station))
    heat: list[tuple[Thing, ...]] = [(HEAT,)] if activity.kind == "smelt" else []
    needs = [(thing,) for thing in takes] + [*activity.pools] + [(c,) for c in catalysts] + heat
    return Way(index, activity, takes, gives, tuple(catalysts), tuple(needs))


def left_by(way: Way, fuels: Iterable[str], remainders: Mapping[str, str]) -> set[Thing]:
    """Everything a way may give: its products, and remainders of alternatives and fuels."""
    mixed = {item for pool in way.pools for item in pool} | {*(fuels if way.burns else ())}
    return {*way.gives, *(remainders[item] for item in mixed if item in remainders)}


class Catalogue:
    """All ways of a domain, by what they give and by what they need."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        digging = [a for block in sorted(domain.digging) for a in domain.digging[block]]
        foraging = [a for kind in sorted(domain.foraging) for a in domain.foraging[kind]]
        activities = [*domain.making, *domain.placing.values(), *digging, *foraging]
        self.ways = tuple(way_of(index, a) for index, a in enumerate(activities))
        self.fuels: tuple[str, ...] = tuple(sorted(domain.fuels))
        self.makers: dict[Thing, list[Way]] = {}
        """Ways by what they give, in order."""
        self.users: dict[Thing, list[tuple[Way, int]]] = {}
        """Ways by what they need, with the group of alternatives it belongs to."""
        self._left: dict[Way, tuple[Thing, ...]] = {}
        for way in self.ways:
            for thing in way.gives:
                self.makers.setdefault(thing, []).append(way)
            for number, group in enumerate(way.needs):
                for thing in group:
                    self.users.setdefault(thing, []).append((way, number))
        # Find the ways that give something back for an alternative or a fuel. `gives` does not list
        # it.
        remainders = self.domain.remainders
        self.returning: dict[str, list[tuple[str, Way]]] = {}
        burning = [item for item in self.fuels if item in remainders]
        for way in self.ways:
            items = {item for pool in way.pools for item in pool if item in remainders}
            for item in sorted(items | set(burning if way.burns else ())):
                self.returning.setdefault(remainders[item], []).append((item, way))

    @cached_property
    def taking(self) -> Mapping[str, Way]:
        """How each item is taken out of chests, not among `ways`: only what is there is taken."""
        ticks, first = self.domain.chest_ticks, len(self.ways)
        return {
            item: way_of(
                number,
                Activity("take", item, {item: 1}, fixed_ticks=ticks, unit_ticks=min(1, ticks)),
            )
            for number, item in enumerate(sorted(self.domain.items), first)
        }

    @cached_property
    def approaching(self) -> Mapping[str, Way]:
        """How the bot comes to a station far off, not among `ways`: mostly there is none."""
        ticks, first = self.domain.chest_ticks, len(self.ways) + len(self.taking)
        return {
            station: way_of(number, Activity("approach", station, {}, unit_ticks=min(1, ticks)))
            for number, station in enumerate(STATIONS, first)
        }

    def left_by(self, way: Way) -> tuple[Thing, ...]:
        """Everything a way may give, whatever is burnt, in a fixed order; computed once."""
        if way not in self._left:
            left = left_by(way, self.fuels, self.domain.remainders)
            self._left[way] = tuple(sorted(left, key=str))
        return self._left[way]

    @cached_property
    def wasteful(self) -> frozenset[Way]:
        """Ways that make a fuel which burns no longer than its ingredients and leaves nothing
        behind."""
        heat, left = self.domain.fuels, self.domain.remainders
        return frozenset(
            way
            for way in self.ways
            if is_waste(way.activity, heat)
            and self.left_by(way) == (*way.gives,)
            and left.keys().isdisjoint(way.gives)
        )

    @cached_property
    def tools(self) -> frozenset[str]:
        """What is worked with, and not used up by it."""
        return frozenset(way.activity.tool for way in self.ways if way.activity.tool)

    @cached_property
    def dear_fuels(self) -> frozenset[str]:
        return frozenset(filter(is_dear, self.fuels))

    def sources(self, thing: Thing) -> Iterable[Way]:
        """Every way a thing can come from, also as the remainder of another item."""
        yield from self.makers.get(thing, ())
        if isinstance(thing, str):
            yield from (way for _, way in self.returning.get(thing, ()))


def as_the_domain_says(activity: Activity) -> Cost:
    fixed, unit = activity.fixed_ticks, activity.unit_ticks
    return Cost(fixed, unit, fixed, unit)


class Costs:
    """The costs of ways, each asked for once."""

    def __init__(self, cost_of: Callable[[Activity], Cost] = as_the_domain_says) -> None:
        self._cost_of = cost_of
        self._known: dict[Way, Cost] = {}

    def of(self, way: Way) -> Cost:
        cost = self._known.get(way)
        if cost is None:
            cost = self._known[way] = self._cost_of(way.activity)
        return cost


@dataclass(frozen=True, slots=True)
class Firing:
    """`mixed` counts the items chosen for pools and as fuel; all else follows from the way."""

    way: Way
    count: int
    mixed: Mapping[str, int]

    def spent(self) -> dict[Thing, int]:
        spent = {thing: n * self.count for thing, n in self.way.takes.items()}
        for item, n in self.mixed.items():
            spent[item] = spent.get(item, 0) + n
        return spent

    def gained(self, remainders: Mapping[str, str]) -> dict[Thing, int]:
        gained = {thing: n * self.count for thing, n in self.way.gives.items()}
        for item, n in self.mixed.items():
            if item in remainders:
                gained[remainders[item]] = gained.get(remainders[item], 0) + n
        return gained


def ready(way: Way, stock: Mapping[Thing, int], spent: Mapping[Thing, int]) -> bool:
    """Whether the stock covers what is spent, and tool and station besides."""
    return all(stock.get(t, 0) >= n for t, n in spent.items()) and all(
        stock.get(c, 0) > spent.get(c, 0) * (not isinstance(c, Near)) for c in way.catalysts
    )


def after(
    stock: Mapping[Thing, int], firing: Firing, remainders: Mapping[str, str]
) -> dict[Thing, int]:
    """The stock after a firing."""
    left = dict(stock)
    for thing, n in firing.spent().items():
        left[thing] = left.get(thing, 0) - n
    for thing, n in firing.gained(remainders).items():
        left[thing] = left.get(thing, 0) + n
    return left


def stock_after(
    start: Mapping[Thing, int], firings: Iterable[Firing], remainders: Mapping[str, str]
) -> Mapping[Thing, int] | None:
    """The stock after firings in this order; None if one of them is not ready."""
    stock = start
    for firing in firings:
        if not ready(firing.way, stock, firing.spent()):
            return None
        stock = after(stock, firing, remainders)
    return stock


def ticks_of(firings: Collection[Firing], costs: Costs) -> int:
    """The cost of an order: the fixed ticks of each way once, and the ticks of every firing."""
    fixed = sum(costs.of(way).fixed for way in {firing.way for firing in firings})
    return fixed + sum(costs.of(firing.way).unit * firing.count for firing in firings)
