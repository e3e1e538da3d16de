"""Scopes: which ways a stage considers. The cheapest chain, the lean set, or everything.

A plan from a smaller scope bounds the cost of the next one, and is usually the best already.

A fuel is vain if every recipe for it takes things that burn at least as long: burn those instead.
That leaves out boats, fences and dyed wool.

Of kinds of blocks that another kind can replace one is kept: of eleven woods near, the nearest.
Such twins are found by following both blocks side by side. Everything that can be done with the one
must be possible with the other, at no higher cost and with the same result or a twin of it. Nothing
made of the twin that is left out may be held or wanted. Then any plan can be rewritten without that
twin at no extra cost, if there are enough blocks of the other. So the blocks of both are counted
together, and the caller must check that a plan digs no more than there is.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from bots.goals.activity import STATIONS
from bots.goals.planning.problem import Problem
from bots.goals.planning.reachability import Reach, Scope, helpful, makers_among
from bots.goals.planning.ways import FURNACE, HEAT, TABLE, Near, Thing, Way

MIXTURES = 2
"""How many items of a pool the lean set considers, besides those held."""
FUELS = 6
"""How many fuels the lean set considers, besides those held."""


def without_vain_fuels(problem: Problem, reached: Reach, scope: Scope) -> Scope:
    """Leave out vain fuels and the ways that only lead to them, until there are no more."""
    while True:
        scope = helpful(problem, reached, scope)
        vain = _vain_ways(problem, scope)
        ways = tuple(way for way in scope.ways if way not in vain) if vain else scope.ways
        worth = _worth_burning(problem, replace(scope, ways=ways))
        if len(ways) == len(scope.ways) and len(worth) == len(scope.fuels):
            return scope
        scope = Scope(ways, worth, scope.mixed)


def _vain_ways(problem: Problem, scope: Scope) -> set[Way]:
    """Wasteful ways whose products only serve to burn or go into other wasteful ways."""
    wasteful = [way for way in scope.ways if way in problem.catalogue.wasteful]
    burnt = {thing for way in wasteful for thing in way.gives} - {*problem.wanted}
    while True:
        vain = {way for way in wasteful if burnt.issuperset(way.gives)}
        useful = {t for way in scope.ways if way not in vain for group in way.needs for t in group}
        if burnt.isdisjoint(useful):
            return vain
        burnt -= useful


def _worth_burning(problem: Problem, scope: Scope) -> tuple[str, ...]:
    """The fuels without those that are not there and can only be made wastefully, one at a time.

    Tools and stations stay: they may be burnt after use.
    """
    kept: set[Thing] = {*problem.start, *problem.prices}
    kept.update(thing for way in scope.ways for thing in way.catalysts)
    makers, wasteful = makers_among(problem, scope.ways), problem.catalogue.wasteful
    return tuple(
        fuel
        for fuel in scope.fuels
        if fuel in kept
        or any(way not in wasteful or way.gives[fuel] > 1 for way in makers.get(fuel, ()))
    )


def everything(problem: Problem, reached: Reach) -> Scope:
    """Everything that could make a plan possible or cheaper."""
    ways = tuple(way for way in problem.ways if way in reached.ways)
    fuels = tuple(fuel for fuel in problem.fuels if fuel in reached.things)
    return without_vain_fuels(problem, reached, Scope(ways, fuels))


def lean(problem: Problem, reached: Reach, whole: Scope) -> Scope:
    """Plain digging, with few fuels and few items of every pool."""
    plain = plainly(problem, reached, whole)
    # For each pool, keep the items held and the few that are cheapest to get.
    held = {item for item in problem.start if isinstance(item, str)} | {*problem.prices}
    mixed = {*held}
    for pool in {pool for way in plain.ways for pool in way.pools}:
        had = [t for t in plain.meant(pool) if t in reached.things and t not in held]
        mixed.update(sorted(map(str, had), key=lambda t: (reached.things[t], t))[:MIXTURES])
    # Keep the fuels held, the cheapest ones, and those with the most heat for their cost.
    heat = problem.catalogue.domain.fuels
    cheap = sorted(plain.fuels, key=lambda fuel: (reached.things[fuel], -heat[fuel], fuel))
    lasting = sorted(plain.fuels, key=lambda fuel: (reached.things[fuel] / heat[fuel], fuel))
    half = FUELS // 2
    chosen = {*problem.start, *problem.prices, *cheap[:half], *lasting[:half]}
    fuels = tuple(fuel for fuel in plain.fuels if fuel in chosen)
    return Scope(plain.ways, fuels, frozenset(mixed))


def plainly(problem: Problem, reached: Reach, whole: Scope) -> Scope:
    """Dig only by hand, with tools held, with the lowest tool that works, or with the one that is
    quickest to get."""
    ranks = {tool: n for n, tool in enumerate(problem.catalogue.domain.tool_order)}
    lowest: dict[object, tuple[int, str]] = {}
    nearest: dict[object, tuple[int, int, str]] = {}
    for way in whole.ways:
        if way.activity.kind == "gather":
            kind, tool = _digging(way), way.activity.tool or ""
            rank = ranks.get(tool, -1)
            lowest[kind] = min(lowest.get(kind, (rank, tool)), (rank, tool))
            near = (reached.ways[way], rank, tool)
            nearest[kind] = min(nearest.get(kind, near), near)
    kept = tuple(
        way
        for way in whole.ways
        if way.activity.kind != "gather"
        or not way.activity.tool
        or way.activity.tool in problem.start
        or way.activity.tool in (lowest[_digging(way)][1], nearest[_digging(way)][2])
    )
    return replace(whole, ways=kept)


def by_hand(problem: Problem, reached: Reach, whole: Scope) -> Scope:
    """Dig by hand whatever the hand can get. It costs more but makes nothing impossible."""
    gets = {_digging(w) for w in whole.ways if w.activity.kind == "gather" and not w.activity.tool}
    ways = tuple(
        way
        for way in whole.ways
        if way.activity.kind != "gather" or not way.activity.tool or _digging(way) not in gets
    )
    return helpful(problem, reached, replace(whole, ways=ways))


def calm(scope: Scope) -> Scope:
    """Burn no tools or stations, and dig up no station.

    Counts of such ways nearly always have an order, so this finds a plan where others go in
    circles.
    """
    lasting = {thing for way in scope.ways for thing in way.catalysts}
    lasting |= {thing.block for thing in lasting if isinstance(thing, Near)}
    ways = tuple(
        way
        for way in scope.ways
        if way.activity.kind != "gather" or way.activity.target not in STATIONS
    )
    fuels = tuple(fuel for fuel in scope.fuels if fuel not in lasting)
    return Scope(ways, fuels, scope.mixed)


def _digging(way: Way) -> object:
    return way.activity.target, tuple(sorted(way.activity.produces.items()))


def core(problem: Problem, among: Scope) -> Scope:
    """For each thing, only the way that makes it cheapest when nothing is shared."""
    prices = _Prices(problem, among)
    prices.spread()
    kept: set[Way] = set()
    fuels: set[str] = {fuel for fuel in among.fuels if fuel in problem.start}
    stack: list[Thing] = problem.lacks()
    seen: set[Thing] = set(stack)
    while stack:
        way = prices.by.get(stack.pop())
        if way is None or way in kept:
            continue
        kept.add(way)
        for group in way.needs:
            meant = prices.cheapest(among.meant(group))
            if HEAT in group and isinstance(meant, str):
                fuels.add(meant)
            if meant is not None and meant not in seen:
                seen.add(meant)
                stack.append(meant)
    ways = tuple(way for way in among.ways if way in kept)
    return Scope(ways, tuple(fuel for fuel in among.fuels if fuel in fuels), among.mixed)


class _Prices:
    """The cost of one of each thing when nothing is shared: Dijkstra over sums of costs."""

    def __init__(self, problem: Problem, among: Scope) -> None:
        self._problem, self._scope = problem, among
        self.ticks: dict[Thing, int] = {}
        self.by: dict[Thing, Way] = {}
        self._missing = {way: {*range(len(way.needs))} for way in among.ways}
        self._sum = {way: problem.costs.of(way).ticks(1) for way in among.ways}
        self._users: dict[Thing, list[tuple[Way, int]]] = {}
        for way in among.ways:
            for number, group in enumerate(way.needs):
                for thing in group:
                    self._users.setdefault(thing, []).append((way, number))
        self._heap: list[tuple[int, int, Thing, Way | None]] = []
        self._pushed = 0

    def cheapest(self, things: Iterable[Thing]) -> Thing | None:
        had = [thing for thing in things if thing in self.ticks]
        return min(had, key=lambda thing: (self.ticks[thing], str(thing)), default=None)

    def _push(self, ticks: int, thing: Thing, way: Way | None) -> None:
        self._pushed += 1
        heapq.heappush(self._heap, (ticks, self._pushed, thing, way))

    def spread(self) -> None:
        for thing in self._problem.start:
            self._push(0, thing, None)
        for item, ticks in self._problem.prices.items():
            self._push(ticks, item, None)
        for way in self._scope.ways:
            if not way.needs:
                self._give(way)
        while self._heap:
            ticks, _, thing, maker = heapq.heappop(self._heap)
            if thing in self.ticks:
                continue
            self.ticks[thing] = ticks
            if maker is not None:
                self.by[thing] = maker
            if thing in self._scope.fuels and HEAT not in self.ticks:
                self._push(ticks, HEAT, None)
            for way, number in self._users.get(thing, ()):
                if number in self._missing[way]:
                    self._missing[way].discard(number)
                    self._sum[way] += ticks * way.amount(number)
                    if not self._missing[way]:
                        self._give(way)

    def _give(self, way: Way) -> None:
        for thing in way.gives:
            self._push(self._sum[way], thing, way)


def without_interchangeable(
    problem: Problem, reached: Reach, scope: Scope
) -> tuple[Problem, Scope]:
    """Leave out each kind of block that another can replace, with everything made of it."""
    families = _Families(problem, reached, scope)
    for blocks in _alike(problem, scope):
        for block in blocks:
            families.spare(block, blocks)
    return replace(problem, start=families.start), families.kept()


def _alike(problem: Problem, scope: Scope) -> list[list[Near]]:
    """Groups of blocks that are dug with the same tools, the dearest first."""
    dug: dict[Near, list[Way]] = {}
    for way in scope.ways:
        block = Near(way.activity.target)
        if way.activity.kind == "gather" and block in problem.start:
            dug.setdefault(block, []).append(way)
    groups: dict[object, list[Near]] = {}
    for block, ways in dug.items():
        groups.setdefault(tuple(way.activity.tool for way in ways), []).append(block)
    for blocks in groups.values():
        blocks.sort(key=lambda block: -sum(problem.costs.of(way).ticks(1) for way in dug[block]))
    return [blocks for blocks in groups.values() if len(blocks) > 1]


def _touched(way: Way) -> Iterator[Thing]:
    """What a way takes, gives and works with, whatever its pools hold."""
    yield from way.takes
    yield from way.gives
    yield from way.catalysts


class _Families:
    """The part of a scope that is left, and the ways that involve each thing."""

    def __init__(self, problem: Problem, reached: Reach, scope: Scope) -> None:
        self.problem, self.scope = problem, scope
        self.start = dict(problem.start)
        meant = reached.things if scope.mixed is None else scope.mixed
        self.mixed = {item for item in map(str, meant) if item in reached.things}
        self.gone: set[Thing] = set()
        left = problem.catalogue.domain.remainders
        stay = (thing for thing in problem.wanted if isinstance(thing, Near))
        self.fixed: set[Thing] = {TABLE, FURNACE, *left, *left.values(), *stay}
        """Things without a twin: stations, remainders, what leaves one, blocks wanted near."""
        self.users: dict[Thing, dict[Way, None]] = {}
        for way in scope.ways:
            for thing in (*_touched(way), *(item for pool in way.pools for item in pool)):
                self.users.setdefault(thing, {})[way] = None

    def spare(self, block: Near, others: Iterable[Near]) -> None:
        """Leave a block out if one of the others can replace it."""
        for other in others:
            if other != block and other not in self.gone:
                twins = _Pairs(self).found(block, other)
                if twins is not None:
                    self.start[other] += self.start.pop(block)
                    self._leave_out(twins)
                    return

    def _leave_out(self, things: Iterable[Thing]) -> None:
        self.gone.update(things)
        self.mixed -= {*map(str, things)}
        for way in {way for thing in things for way in self.users[thing]}:
            if not self.gone.isdisjoint(_touched(way)):
                for thing in (*_touched(way), *(item for pool in way.pools for item in pool)):
                    self.users[thing].pop(way, None)

    def kept(self) -> Scope:
        ways = tuple(way for way in self.scope.ways if self.gone.isdisjoint(_touched(way)))
        fuels = tuple(fuel for fuel in self.scope.fuels if fuel not in self.gone)
        return Scope(ways, fuels, frozenset(self.mixed)) if self.gone else self.scope


@dataclass(slots=True)
class _Pairs:
    """Follows two blocks side by side through everything made of them."""

    among: _Families
    twin: dict[Thing, Thing] = field(default_factory=dict)
    """For each thing that could be left out, what replaces it."""
    images: dict[Way, Way] = field(default_factory=dict)
    waiting: list[Thing] = field(default_factory=list)

    def found(self, block: Near, other: Near) -> Mapping[Thing, Thing] | None:
        self._pair(block, other)
        late: dict[Way, None] = {}
        while self.waiting:
            thing = self.waiting.pop()
            if not self._is_spare(thing, block):
                return None
            ways = dict.fromkeys([*self.among.users.get(thing, ()), *late])
            late = {way: None for way in ways if way not in self.images and not self._match(way)}
        kept = {*self.twin.values()}
        return None if late or kept & self.twin.keys() else self.twin

    def _pair(self, thing: Thing, other: Thing) -> None:
        self.twin[thing] = other
        self.waiting.append(thing)

    def _is_spare(self, thing: Thing, block: Near) -> bool:
        """Whether the thing can be left out: it is not there (the block may be), wanted, bought or
        given back, and its twin burns as long."""
        problem, twin = self.among.problem, self.twin[thing]
        domain, fuels = problem.catalogue.domain, self.among.scope.fuels
        if thing in problem.wanted or thing in problem.prices or twin in self.among.fixed:
            return False
        if thing in self.among.fixed or (thing in problem.start and thing != block):
            return False
        if thing not in fuels:
            return True
        return twin in fuels and domain.fuels[str(thing)] == domain.fuels[str(twin)]

    def _match(self, way: Way) -> bool:
        """Find the way that does the same with the twins."""
        near = [self.twin[thing] for thing in _touched(way) if thing in self.twin]
        near += [self.twin[t] for pool in way.pools for t in pool if t in self.twin]
        others = (w for thing in dict.fromkeys(near) for w in self.among.users.get(thing, ()))
        for other in dict.fromkeys([way, *others]):
            fresh = self._fresh(way, other)
            if fresh is not None:
                self.images[way] = other
                for thing, twin in fresh.items():
                    self._pair(thing, twin)
                return True
        return False

    def _fresh(self, way: Way, other: Way) -> dict[Thing, Thing] | None:
        """The twins that the products would have to be; None if the two ways are not alike."""
        twin = self.twin
        if not self._is_as_cheap(way, other) or len(way.gives) != len(other.gives):
            return None
        taken: dict[Thing, int] = {}
        for thing, n in way.takes.items():
            taken[twin.get(thing, thing)] = taken.get(twin.get(thing, thing), 0) + n
        used = tuple(twin.get(thing, thing) for thing in way.catalysts)
        if taken != other.takes or used != other.catalysts or not self._same_pools(way, other):
            return None
        fresh: dict[Thing, Thing] = {}
        for (thing, count), (given, some) in zip(
            way.gives.items(), other.gives.items(), strict=True
        ):
            if count != some or twin.get(thing, given) != given:
                return None
            if thing != given and thing not in twin:
                fresh[thing] = given
        return fresh

    def _is_as_cheap(self, way: Way, other: Way) -> bool:
        """Whether the other does the same sort of work and costs no more."""
        done, instead = way.activity, other.activity
        if (done.kind, done.station) != (instead.kind, instead.station):
            return False
        dearest, cost = self.among.problem.costs.of(way), self.among.problem.costs.of(other)
        return cost.fixed <= dearest.fixed and cost.unit <= dearest.unit

    def _same_pools(self, way: Way, other: Way) -> bool:
        if len(way.pools) != len(other.pools):
            return False
        twin, mixed = self.twin, self.among.mixed
        return all(
            count == some and {twin.get(item, item) for item in pool if item in mixed} <= {*alike}
            for (pool, count), (alike, some) in zip(
                way.pools.items(), other.pools.items(), strict=True
            )
        )
