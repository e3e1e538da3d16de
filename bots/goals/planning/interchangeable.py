"""Leaves out kinds of blocks that another kind can replace: of eleven woods near, one is kept.

Twins are found by following both blocks side by side. Everything that can be done with the one must
be possible with the other, at no higher cost and with the same result or a twin of it. So of two
woods the farther one is left out. Nothing made
of the twin that is left out may be held or wanted. Then any plan can be rewritten without that twin
at no extra cost, if there are enough blocks of the other. So the blocks of both are counted
together, and the caller must check that a plan digs no more than there is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from bots.goals.planning.problem import Problem
from bots.goals.planning.reachability import Reach, Scope
from bots.goals.planning.ways import FURNACE, TABLE, Near, Thing, Way


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
        return all(
            count == some and self._twins_of(pool) <= {*alike}
            for (pool, count), (alike, some) in zip(
                way.pools.items(), other.pools.items(), strict=True
            )
        )

    def _twins_of(self, pool: Iterable[str]) -> set[Thing]:
        return {self.twin.get(item, item) for item in pool if item in self.among.mixed}
