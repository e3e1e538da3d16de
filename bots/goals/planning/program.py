"""The integer program of a problem: how often each way fires, at least cost.

**Columns** say what one firing changes, how often it may happen, what it costs. Besides the ways
there are conversions, which cost nothing:

- An item of a pool becomes a token of that pool, so any mixture of a tag will do.
- A fuel becomes a piece that burns for a certain time.
- A piece becomes heat for one smelting way. Each way burns its own pieces, because the rest of a
  burning piece cannot be used by another.

For explanations, items may also be bought, at a price.

**Upper limits** that are small make the relaxation tight, because it spreads the fixed cost of a
way over as many firings as the way may have. A firing is *possible* if its ingredients could ever
be there and the bound leaves time for it. It is *of use* if something may take what it gives.
Limiting ways to that loses no best plan: in the cheapest plan with the fewest firings, every firing
gives something that is wanted, taken or worked with; the last one that did not could be left out.

**Rows** say that only what was there or was made is used, and what is wanted is left over; that a
way that fires pays its fixed cost; and that it fires only if its tool and station are there at the
start or are made. They hold for every plan. They do not ensure that the counts have an order: the
cuts (cuts.py) do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias

from bots.goals.activity import STATIONS, Pool
from bots.goals.planning.branch_and_bound import STEP_TICKS, Model
from bots.goals.planning.problem import Problem
from bots.goals.planning.reachability import Reach, Scope
from bots.goals.planning.ways import FURNACE, QUARTERS, TABLE, Near, Thing, Way, pieces

ROUNDS = 12
MOST = 4096
"""The most firings of a way, unless sixteen times what is wanted and there to be used is more."""


def most_needed(problem: Problem, scope: Scope, possible: Mapping[Way, int]) -> dict[Way, int]:
    """Firings whose products something could need."""
    most = dict(possible)
    left = problem.catalogue.domain.remainders
    plain = [way for way in scope.ways if way.gives and not _leaves(way, scope, left)]
    for _ in range(ROUNDS):
        due = _due(problem, scope, most)
        lacking = {t: max(0, n - problem.start.get(t, 0)) for t, n in due.items()}
        changed = False
        for way in plain:
            useful = max(pieces(lacking.get(thing, 0), n) for thing, n in way.gives.items())
            if useful < most[way]:
                most[way], changed = useful, True
        if not changed:
            break
    return most


def _leaves(way: Way, scope: Scope, left: Mapping[str, str]) -> bool:
    mixed = {item for pool in way.pools for item in pool} | {*(scope.fuels if way.burns else ())}
    return not mixed.isdisjoint(left)


def _due(problem: Problem, scope: Scope, most: Mapping[Way, int]) -> dict[Thing, int]:
    """The most of each thing that can be wanted, taken, burnt or worked with."""
    heat = problem.catalogue.domain.fuels
    due: dict[Thing, int] = dict(problem.wanted)
    tokens: dict[tuple[str, ...], int] = {}
    smelted = sum(count for way, count in most.items() if way.burns)
    for way, count in most.items():
        if count:
            for thing, n in way.takes.items():
                due[thing] = due.get(thing, 0) + n * count
            for pool, n in way.pools.items():
                tokens[pool] = tokens.get(pool, 0) + n * count
    for pool, n in tokens.items():
        for thing in scope.meant(pool):
            due[thing] = due.get(thing, 0) + n
    for fuel in scope.fuels:
        # At worst items are smelted one by one, and the rest of the fuel is lost each time.
        due[fuel] = due.get(fuel, 0) + smelted * pieces(QUARTERS, heat[fuel])
    for thing in {thing for way, count in most.items() if count for thing in way.catalysts}:
        due[thing] = due.get(thing, 0) + 1
    return due


class _Availability:
    """Grows what is there by what can be made of it."""

    def __init__(
        self, problem: Problem, reached: Reach, scope: Scope, bound: int | None, cap: int
    ) -> None:
        self._problem, self._scope, self._cap = problem, scope, cap
        self._most = dict.fromkeys(scope.ways, 0)
        self._there: dict[Thing, int] = {**problem.start, **dict.fromkeys(problem.prices, cap)}
        self._limits = {way: self._limit(way, reached, bound) for way in scope.ways}
        self._left = problem.catalogue.domain.remainders

    def _limit(self, way: Way, reached: Reach, bound: int | None) -> int:
        if way.activity.kind == "place":
            placed = Near(way.activity.target)
            wanted = self._problem.wanted.get(placed, 1) - self._problem.start.get(placed, 0)
            return wanted if placed in (TABLE, FURNACE) else self._cap
        unit = self._problem.costs.of(way).unit
        if bound is None or not unit:
            return self._cap
        spare = bound - reached.ways[way]
        return min(self._cap, max(0, spare // unit + 1))

    def firings(self) -> dict[Way, int]:
        """Firings for which there could be enough, and enough time below the bound; at most the
        cap.

        Grow to a fixed point. A way still growing after some rounds is on a cycle: it gets its
        limit."""
        changed, rounds = True, 0
        while changed:
            changed, rounds = False, rounds + 1
            for way in self._scope.ways:
                count = min(self._limits[way], *self._by_groups(way))
                if count > self._most[way]:
                    count = self._limits[way] if rounds > ROUNDS else count
                    self._add(way, count - self._most[way])
                    self._most[way] = count
                    changed = True
        return self._most

    def _by_groups(self, way: Way) -> Iterable[int]:
        yield self._cap
        for thing, count in way.takes.items():
            yield self._there.get(thing, 0) // count
        for pool, count in way.pools.items():
            yield sum(self._there.get(item, 0) for item in pool) // count
        if way.burns and not any(self._there.get(fuel, 0) for fuel in self._scope.fuels):
            yield 0

    def _add(self, way: Way, more: int) -> None:
        for thing, count in way.gives.items():
            self._there[thing] = min(self._cap, self._there.get(thing, 0) + more * count)
        used = {item for pool in way.pools for item in pool}
        used |= {*self._scope.fuels} if way.burns else set()
        for item in used & self._left.keys():
            self._there[self._left[item]] = self._cap


class Tokens(NamedTuple):
    """Items of one pool, in any mixture."""

    pool: Pool


class Pieces(NamedTuple):
    """Fuels that burn equally long and leave the same behind."""

    quarters: int
    left: str
    """The item each leaves behind, gained on conversion to a piece; empty = nothing."""


class Heat(NamedTuple):
    """Heat for one smelting way, in quarters of an item smelted."""

    way: int


Resource: TypeAlias = str | Near | Tokens | Pieces | Heat


@dataclass(frozen=True, slots=True)
class Column:
    """What one firing changes: of a way, or of a conversion of an item into a resource."""

    net: Mapping[Resource, int]
    most: int
    ticks: int
    item: str = ""
    """What is converted; empty for ways and for pieces."""
    purpose: Resource | None = None
    """What it becomes; for an item that is bought, the item."""
    burnt: Pieces | None = None
    """The pieces that become heat."""

    @property
    def is_bought(self) -> bool:
        return self.item == self.purpose


@dataclass(frozen=True, slots=True)
class Columns:
    """Ways first, in order, then conversions."""

    ways: tuple[Way, ...]
    all: tuple[Column, ...]
    fuels: tuple[str, ...]

    def conversions(self) -> Iterable[tuple[int, Column]]:
        return ((j, self.all[j]) for j in range(len(self.ways), len(self.all)))

    def bought(self, counts: Sequence[int]) -> dict[str, int]:
        """How many of each item are bought."""
        return {c.item: counts[j] for j, c in self.conversions() if c.is_bought and counts[j]}

    def stock(self, start: Mapping[Thing, int], counts: Sequence[int]) -> dict[Thing, int]:
        """The stock after everything is bought."""
        bought = self.bought(counts)
        return {**start, **{item: start.get(item, 0) + n for item, n in bought.items()}}


def columns_of(problem: Problem, reached: Reach, scope: Scope, bound: int | None) -> Columns:
    """Make the columns of the ways that can be of use in a plan no dearer than the bound."""
    used = {thing for way in scope.ways for group in way.needs for thing in scope.meant(group)}
    there = sum(n for thing, n in problem.start.items() if thing in used)
    cap = max(MOST, 16 * (sum(problem.wanted.values()) + there))
    possible = _Availability(problem, reached, scope, bound, cap).firings()
    most = most_needed(problem, scope, possible)
    scope = replace(scope, ways=tuple(way for way in scope.ways if most[way]))
    fired = [Column(_net(way), most[way], problem.costs.of(way).unit) for way in scope.ways]
    converted = _conversions(problem, reached, scope, most, cap)
    return Columns(scope.ways, (*fired, *converted), scope.fuels)


def _net(way: Way) -> dict[Resource, int]:
    net: dict[Resource, int] = dict(way.gives.items())
    for thing, count in way.takes.items():
        net[thing] = net.get(thing, 0) - count
    for pool, count in way.pools.items():
        net[Tokens(pool)] = -count
    if way.burns:
        net[Heat(way.index)] = -QUARTERS
    return {resource: count for resource, count in net.items() if count}


def _conversions(
    problem: Problem, reached: Reach, scope: Scope, most: Mapping[Way, int], cap: int
) -> Iterable[Column]:
    remainders = problem.catalogue.domain.remainders
    pools = sorted({pool for way in scope.ways for pool in way.pools})
    for pool in pools:
        for item in pool:
            if item in reached.things and (scope.mixed is None or item in scope.mixed):
                yield _turned(item, Tokens(pool), remainders, cap)
    yield from _burnt(problem, scope, most, cap)
    for item, ticks in problem.prices.items():
        yield Column({item: 1}, cap, ticks, item, item)


def _burnt(problem: Problem, scope: Scope, most: Mapping[Way, int], cap: int) -> Iterable[Column]:
    burning = [way for way in scope.ways if way.burns]
    if not burning:
        return
    heat, remainders = problem.catalogue.domain.fuels, problem.catalogue.domain.remainders
    kinds = {fuel: Pieces(heat[fuel], remainders.get(fuel, "")) for fuel in scope.fuels}
    for fuel, kind in kinds.items():
        yield _turned(fuel, kind, remainders, cap)
    for way in burning:
        for kind in sorted({*kinds.values()}):
            # Heat beyond all that is needed would only loosen the relaxation.
            each = min(QUARTERS * most[way], kind.quarters)
            singly = most[way] * pieces(QUARTERS, each)
            yield Column({kind: -1, Heat(way.index): each}, singly, 0, "", Heat(way.index), kind)


def _turned(item: str, purpose: Resource, remainders: Mapping[str, str], cap: int) -> Column:
    net: dict[Resource, int] = {item: -1, purpose: 1}
    if item in remainders:
        net[remainders[item]] = net.get(remainders[item], 0) + 1
    return Column({r: n for r, n in net.items() if n}, cap, 0, item, purpose)


@dataclass(frozen=True, slots=True)
class Formulation:
    """A model being built. Its columns are those of `columns`, in order, then those of `used`."""

    problem: Problem
    columns: Columns
    model: Model
    used: tuple[int, ...]
    """For each way, the column that is 1 if it fires at all."""
    missing: tuple[tuple[Thing, ...], ...]
    """For each way, which of tool and station is not there at the start."""
    number: dict[Way, int] = field(default_factory=dict)
    """The column of each way."""
    _ways_giving: dict[Thing, list[int]] = field(default_factory=dict)
    _turned_into: dict[Resource, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for k, way in enumerate(self.columns.ways):
            self.number[way] = k
            for thing in way.gives:
                self._ways_giving.setdefault(thing, []).append(k)
        for j, column in self.columns.conversions():
            for resource, count in column.net.items():
                if count > 0:
                    self._turned_into.setdefault(resource, []).append(j)

    def net(self, column: int) -> Mapping[Resource, int]:
        return self.columns.all[column].net

    def start(self, resource: Resource) -> int:
        there: Mapping[Resource, int] = self.problem.start  # type: ignore[assignment]
        return there.get(resource, 0)

    def makers(self, thing: Thing) -> list[int]:
        """Columns that give a thing, even those that take some of it as well."""
        return [*self._ways_giving.get(thing, ()), *self._turned_into.get(thing, ())]

    def returned(self, thing: Thing) -> bool:
        """Whether a conversion gives the thing: as a remainder, or bought."""
        return thing in self._turned_into

    def is_there(self, thing: Thing) -> bool:
        """Whether it is there at the start, or a conversion can give it."""
        return thing in self.problem.start or self.returned(thing)

    def given(self, column: int, thing: Thing) -> int:
        if column < len(self.columns.ways):
            return self.columns.ways[column].gives.get(thing, 0)
        return self.columns.all[column].net.get(thing, 0)


def formulate(problem: Problem, columns: Columns, bound: int | None) -> Formulation:
    """Write the program. With a bound, solutions must be cheaper by at least a tick."""
    model = Model()
    for column in columns.all:
        model.column(column.most, column.ticks)
    used = tuple(model.column(1, problem.costs.of(w).fixed + STEP_TICKS) for w in columns.ways)
    missing = tuple(
        tuple(c for c in way.catalysts if c not in problem.start) for way in columns.ways
    )
    program = Formulation(problem, columns, model, used, missing)
    balance(program, {j: j for j in range(len(columns.all))}, problem.wanted)
    _pay_for_use(program)
    _mix_what_is_used(program)
    _burn_what_is_needed(program)
    _place_what_is_there(program)
    if bound is not None:
        model.known = bound - 0.5
    return program


def balance(program: Formulation, copies: Mapping[int, int], wanted: Mapping[Thing, int]) -> None:
    """Use only what was there or made. `copies`: the model column for each of `columns`."""
    terms: dict[Resource, dict[int, float]] = {thing: {} for thing in wanted}
    for column, copy in copies.items():
        for resource, count in program.net(column).items():
            terms.setdefault(resource, {})[copy] = count
    asked: Mapping[Resource, int] = wanted  # type: ignore[assignment]
    for resource, row in terms.items():
        program.model.at_least(asked.get(resource, 0) - program.start(resource), row)


def _pay_for_use(program: Formulation) -> None:
    makers = {thing: program.makers(thing) for things in program.missing for thing in things}
    for k, used in enumerate(program.used):
        most = program.columns.all[k].most
        program.model.at_most(0, {k: 1, used: -most})
        program.model.at_least(0, {k: 1, used: -1})
        for thing in program.missing[k]:
            made = {j: -float(program.given(j, thing)) for j in makers[thing]}
            program.model.at_most(0, {used: 1, **made})


def _mix_what_is_used(program: Formulation) -> None:
    """Convert no more than is used: otherwise remainders could be had for nothing."""
    tokens: dict[Resource, dict[int, float]] = {}
    for j, column in enumerate(program.columns.all):
        for resource, count in column.net.items():
            if isinstance(resource, Tokens | Pieces):
                tokens.setdefault(resource, {})[j] = count
    for row in tokens.values():
        program.model.at_most(0, row)


def _burn_what_is_needed(program: Formulation) -> None:
    """Burn nothing just for its remainder: even the last piece must be needed for heat."""
    heating: dict[Resource, int] = {
        Heat(way.index): k for k, way in enumerate(program.columns.ways) if way.burns
    }
    for j, column in program.columns.conversions():
        if column.burnt and column.burnt.left and column.purpose:
            heat = column.net[column.purpose]
            program.model.at_most(0, {j: 1, heating[column.purpose]: -pieces(QUARTERS, heat)})


def _place_what_is_there(program: Formulation) -> None:
    """Place no more stations than were held or made; digging one up again adds none."""
    ways, start = program.columns.ways, program.problem.start
    for k, way in enumerate(ways):
        station = way.activity.target
        is_put_down = way.activity.kind == "place" and station in STATIONS
        if is_put_down and Near(station) not in start:
            made = {
                j: -float(program.given(j, station))
                for j in program.makers(station)
                if j >= len(ways) or Near(station) not in ways[j].takes
            }
            program.model.at_most(program.start(station), {k: 1, **made})
