"""The integer program of a problem: how often each way fires, at least cost.

Its rows say:

- Only what was there or was made is used, and what is wanted is left over.
- A way that fires pays its fixed cost.
- A way fires only if its tool and station are there at the start or are made.

They hold for every plan. They do not ensure that the counts have an order: the cuts of prefixes.py
do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bots.goals.activity import STATIONS
from bots.goals.planning.branching import STEP_TICKS
from bots.goals.planning.burning import QUARTERS, pieces
from bots.goals.planning.columns import Columns, Heat, Pieces, Resource, Tokens
from bots.goals.planning.model import Model
from bots.goals.planning.problem import Problem
from bots.goals.planning.ways import Near, Thing, Way


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
    for k, way in enumerate(program.columns.ways):
        station = way.activity.target
        if (
            way.activity.kind == "place"
            and station in STATIONS
            and (Near(station) not in program.problem.start)
        ):
            made = {
                j: -float(program.given(j, station))
                for j in program.makers(station)
                if not _digs(program, j, station)
            }
            program.model.at_most(program.start(station), {k: 1, **made})


def _digs(program: Formulation, column: int, block: str) -> bool:
    ways = program.columns.ways
    return column < len(ways) and Near(block) in ways[column].takes
