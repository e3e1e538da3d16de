"""The integer program of a problem: how often each way fires, at least cost.

Rows: nothing is used that was not there or made; what is wanted is left over; a way that fires
pays its fixed cost; a tool or station that is missing must be made before its users are paid for.
These hold for every plan. That the counts also have an order is seen to by cuts (prefixes.py).
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
    """A model being built; column j of the model is column j of `columns`, then `used`."""

    problem: Problem
    columns: Columns
    model: Model
    used: tuple[int, ...]
    """For each way, the column that says whether it fires at all."""
    missing: tuple[tuple[Thing, ...], ...]
    """For each way, the tool and station that are not there at the start."""
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
        """Columns that give a thing, also when they take another of it."""
        return [*self._ways_giving.get(thing, ()), *self._turned_into.get(thing, ())]

    def returned(self, thing: Thing) -> bool:
        """Whether conversions leave the thing behind, or sell it."""
        return thing in self._turned_into

    def is_there(self, thing: Thing) -> bool:
        """Whether it is there at the start, or can be had without its makers."""
        return thing in self.problem.start or self.returned(thing)

    def given(self, column: int, thing: Thing) -> int:
        if column < len(self.columns.ways):
            return self.columns.ways[column].gives.get(thing, 0)
        return self.columns.all[column].net.get(thing, 0)


def formulate(problem: Problem, columns: Columns, bound: int | None) -> Formulation:
    """Write down the program; with a bound, only what is cheaper by a tick."""
    model = Model()
    for column in columns.all:
        model.column(column.most, column.ticks)
    used = tuple(model.column(1, w.activity.fixed_ticks + STEP_TICKS) for w in columns.ways)
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
    """Use nothing that was not there or made; `copies` says which model column stands for which."""
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
    """Turn no item into what nothing takes: what is left of it would come for nothing."""
    tokens: dict[Resource, dict[int, float]] = {}
    for j, column in enumerate(program.columns.all):
        for resource, count in column.net.items():
            if isinstance(resource, Tokens | Pieces):
                tokens.setdefault(resource, {})[j] = count
    for row in tokens.values():
        program.model.at_most(0, row)


def _burn_what_is_needed(program: Formulation) -> None:
    """Do not burn only for what is left of a fuel: even the last piece must still be needed."""
    heating: dict[Resource, int] = {
        Heat(way.index): k for k, way in enumerate(program.columns.ways) if way.burns
    }
    for j, column in program.columns.conversions():
        if column.burnt and column.burnt.left and column.purpose:
            heat = column.net[column.purpose]
            program.model.at_most(0, {j: 1, heating[column.purpose]: -pieces(QUARTERS, heat)})


def _place_what_is_there(program: Formulation) -> None:
    """A station is put down from what was held or made, not from having been dug up again."""
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
