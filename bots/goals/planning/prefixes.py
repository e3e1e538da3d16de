"""Cuts for counts that balance but have no order, such as a tool that mines its own ore.

Before a missing thing is first used, some prefix of the plan has made it without using it. The
prefix is a copy of the columns with counts no higher than in the plan. It balances by itself and
yields the thing. A way that stayed blocked gets a prefix too: it does without the way, and yields
what one firing takes, with its tool and station still there. So it cannot have burnt the table
that the goal is crafted at. Every plan has these prefixes, so no plan is lost.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from bots.goals.planning.burning import QUARTERS
from bots.goals.planning.columns import Column, Heat, Pieces, Resource, Tokens
from bots.goals.planning.formulation import Formulation, balance
from bots.goals.planning.ways import HEAT, Near, Thing, Way, left_by

Aim: TypeAlias = Thing | Way
"""A missing thing, or a way that could not fire."""


@dataclass(frozen=True, slots=True)
class _Prefix:
    aim: Aim
    copies: Mapping[int, int]
    """The model column of each column that is copied."""
    made: int
    """The column that is 1 when this prefix is needed."""
    rank: int
    """The column of its rank: a prefix that needs another ranks after it."""


def add_prefixes(program: Formulation, aims: list[Aim]) -> None:
    """Demand a prefix of the plan for each aim."""
    prefixes = {aim: _prefix(program, aim, len(aims)) for aim in aims}
    for prefix in prefixes.values():
        _tools_of(program, prefix, prefixes)


def _prefix(program: Formulation, aim: Aim, aims: int) -> _Prefix:
    model = program.model
    copies = {
        j: model.column(program.columns.all[j].most, whole=False) for j in _leading_to(program, aim)
    }
    prefix = _Prefix(aim, copies, model.column(1), model.column(aims))
    for k, way in enumerate(program.columns.ways):
        if way is aim or aim in program.missing[k]:
            model.at_most(0, {program.used[k]: 1, prefix.made: -1})
    for column, copy in copies.items():
        model.at_most(0, {copy: 1, column: -1})
    balance(program, copies, {})
    for resource, count in _due(aim).items():
        have = {copy: float(n) for j, copy in copies.items() if (n := program.net(j).get(resource))}
        row = {prefix.made: -float(count), **have}
        model.at_least(-program.start(resource), row)
    return prefix


def _due(aim: Aim) -> dict[Resource, int]:
    """What must be there after the prefix: the thing, or what one firing takes and works with."""
    if not isinstance(aim, Way):
        return {aim: 1}
    due: dict[Resource, int] = dict(aim.takes.items())
    due.update({Tokens(pool): count for pool, count in aim.pools.items()})
    if aim.burns:
        due[Heat(aim.index)] = QUARTERS
    for thing in aim.catalysts:
        # A tool must be there on top of what is taken; a station near may be the block dug.
        due[thing] = max(1, due.get(thing, 0)) if isinstance(thing, Near) else due.get(thing, 0) + 1
    return due


def _tools_of(program: Formulation, prefix: _Prefix, prefixes: Mapping[Aim, _Prefix]) -> None:
    """A missing tool or station that is used in a prefix is made in it, by an earlier prefix."""
    needing: dict[Thing, int] = {}
    for k, missing in enumerate(program.missing):
        for thing in missing if k in prefix.copies else ():
            if thing == prefix.aim:
                continue
            if thing not in needing:
                needing[thing] = _made_inside(program, prefix, thing, prefixes.get(thing))
            most = program.columns.all[k].most
            program.model.at_most(0, {prefix.copies[k]: 1, needing[thing]: -most})


def _made_inside(
    program: Formulation, prefix: _Prefix, thing: Thing, earlier: _Prefix | None
) -> int:
    model = program.model
    needed = model.column(1)
    made = {
        prefix.copies[j]: -float(program.given(j, thing))
        for j in program.makers(thing)
        if j in prefix.copies
    }
    model.at_most(0, {needed: 1, **made})
    if earlier is not None:
        ranks = model.upper[prefix.rank] + 1
        model.at_most(ranks - 1, {earlier.rank: 1, prefix.rank: -1, needed: ranks})
        model.at_most(0, {needed: 1, earlier.made: -1})
        for column, copy in earlier.copies.items():
            most = program.columns.all[column].most
            inside = {prefix.copies[column]: -1.0} if column in prefix.copies else {}
            model.at_most(most, {copy: 1, needed: most, **inside})
    return needed


def _leading_to(program: Formulation, aim: Aim) -> list[int]:
    """Columns that can fire before the aim is there and lead to it, in order."""
    ways = program.columns.ways
    makers: dict[Thing, list[int]] = {}
    for k in sorted(_possible_without(program, aim)):
        for thing in _left_by(program, ways[k]):
            makers.setdefault(thing, []).append(k)
    kept: set[int] = set()
    stack = _things(program, aim) if isinstance(aim, Way) else [aim]
    seen: set[Thing] = {*stack}
    while stack:
        for k in makers.get(stack.pop(), ()):
            if k not in kept:
                kept.add(k)
                fresh = {*_things(program, ways[k])} - seen
                seen |= fresh
                stack.extend(fresh)
    return sorted(kept) + _turning(program, {*_due(aim)} | _purposes(program, kept), seen)


def _turning(program: Formulation, purposes: set[Resource], seen: set[Thing]) -> list[int]:
    """The conversions for these purposes, and everything that may be bought."""
    burns = any(isinstance(purpose, Heat) for purpose in purposes)

    def is_needed(column: Column) -> bool:
        if column.is_bought:
            return True
        if isinstance(column.purpose, Pieces):
            return burns and column.item in seen
        return column.purpose in purposes and (column.burnt is not None or column.item in seen)

    return [j for j, column in program.columns.conversions() if is_needed(column)]


def _purposes(program: Formulation, kept: set[int]) -> set[Resource]:
    ways = [program.columns.ways[k] for k in kept]
    tokens: set[Resource] = {Tokens(pool) for way in ways for pool in way.pools}
    return tokens | {Heat(way.index) for way in ways if way.burns}


def _things(program: Formulation, way: Way) -> list[Thing]:
    fuels = program.columns.fuels
    return [thing for group in way.needs for thing in (fuels if HEAT in group else group)]


def _left_by(program: Formulation, way: Way) -> set[Thing]:
    remainders = program.problem.catalogue.domain.remainders
    return left_by(way, program.columns.fuels, remainders)


def _possible_without(program: Formulation, aim: Aim) -> set[int]:
    """Ways that can fire without the aim."""
    ways, fuels = program.columns.ways, program.columns.fuels
    there: set[Thing] = {*program.problem.start, *program.problem.prices}
    left = [k for k, way in enumerate(ways) if way is not aim and aim not in program.missing[k]]
    possible: set[int] = set()
    changed = True
    while changed:
        changed = False
        for k in [k for k in left if k not in possible]:
            groups = [fuels if HEAT in group else group for group in ways[k].needs]
            if all(any(thing in there for thing in group) for group in groups):
                possible.add(k)
                there |= _left_by(program, ways[k]) - {aim}
                changed = True
    return possible
