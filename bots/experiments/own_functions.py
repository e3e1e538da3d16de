"""Functions of the user's own: actors, order policies, stop rules and metrics.

FILE.py:NAME  a function in a file
NAME          what an installed package offers, an entry point of the group of its kind
"""

from __future__ import annotations

import runpy
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from inspect import unwrap
from pathlib import Path
from traceback import extract_tb
from typing import Any, NamedTuple

from bots.experiments.identity import digest
from bots.experiments.scenario import ORDERS, ExperimentFailed, Group, Scenario, ScenarioError
from bots.talks.machine.state import OwnRules, TalkSoFar
from bots.text import suggest
from bots.text.reading import read_bytes


@dataclass(slots=True)
class OwnRule:
    """One function, whose results are checked. Raises ExperimentFailed."""

    key: str
    function: Callable[[TalkSoFar], Any]
    fault: ExperimentFailed | None = None
    """Why it failed: a real talk ends by it."""

    def next_one(self, talk: TalkSoFar) -> str | None:
        found = self._asked(talk)
        if found is None or found in talk.bots:
            return None if found is None else str(found)
        raise self._failed(f"{found!r} cannot speak; there are {', '.join(talk.bots) or 'none'}")

    def is_over(self, talk: TalkSoFar) -> bool:
        found = self._asked(talk)
        if isinstance(found, bool):
            return found
        raise self._failed(f"{found!r} is neither True nor False")

    def _asked(self, talk: TalkSoFar) -> Any:
        try:
            return self.function(talk)
        except FAULTS as fault:
            self.fault = ExperimentFailed(f"{self.key}: {told(fault, self.function)}")
            raise self.fault from fault

    def _failed(self, why: str) -> ExperimentFailed:
        self.fault = ExperimentFailed(f"{self.key}: {place_of(self.function)}{why}")
        return self.fault


@dataclass(frozen=True, slots=True)
class ScenarioRules:
    """The rules of a scenario; either may be missing."""

    order: OwnRule | None
    stop: OwnRule | None

    @classmethod
    def of(cls, scenario: Scenario, folder: Path) -> ScenarioRules:
        """Their code is run. Raises ScenarioError."""
        found: dict[str, OwnRule] = {}
        for key, named, group in scenario.functions:
            if group != "actors":
                code_behind(named, folder, key, group)
                found[group] = OwnRule(key, function_of(named, folder, key, group))
        return cls(found.get("orders"), found.get("stops"))

    @property
    def asked(self) -> OwnRules:
        order, stop = self.order, self.stop
        return OwnRules(order.next_one if order else None, stop.is_over if stop else None)

    def refuse_faults(self) -> None:
        """Raises ExperimentFailed where one has failed."""
        for one in (self.order, self.stop):
            if one is not None and one.fault is not None:
                raise one.fault


FAULTS = (Exception, SystemExit)
"""Of such a function, whose errors may be of any kind; one that ends the program would end a study
that is not played, with 0."""


class Code(NamedTuple):
    """Where such a function is."""

    name: str
    """Of the file; of a package also its version."""
    file: Path


def installed(group: Group) -> frozenset[str]:
    """The names that packages offer."""
    return frozenset(entry_points(group=f"townsfolk.{group}").names)


def code_behind(named: str, folder: Path, where: str, group: Group) -> Code:
    """The code that would run. Raises ScenarioError where it may not, or is not there."""
    if ":" in named:
        # A scenario may be from anywhere: in its folder only.
        file = folder / named.rpartition(":")[0]
        if not file.resolve().is_relative_to(folder.resolve()):
            raise ScenarioError(
                f"{where}: {file} is outside the folder of the scenario, {folder}: only code that"
                " lies beside a scenario is run"
            )
        return Code(file.name, file)
    point = _point(named, where, group)
    try:
        spec = find_spec(point.module)
    except FAULTS as fault:
        raise ScenarioError(f"{where}: {_said(fault)}") from fault
    if spec is None or spec.origin is None:
        raise ScenarioError(f"{where}: there is no module {point.module}")
    package = f"{point.dist.name} {point.dist.version} " if point.dist else ""
    return Code(f"{package}{point.value}", Path(spec.origin))


def code_of(scenario: Scenario, folder: Path) -> list[Code]:
    """All that takes part in a run. Raises ScenarioError where it may not, or is not there."""
    found = [code_behind(named, folder, key, group) for key, named, group in scenario.functions]
    return list(dict.fromkeys(found))


def function_of(named: str, folder: Path, where: str, group: Group) -> Callable[..., Any]:
    """The function of that name; a file is run, relative to the folder.

    Raises ScenarioError, which begins with `where`, if there is none."""
    file, in_file, name = named.rpartition(":")
    path = folder / file
    if in_file and not path.is_file():
        raise ScenarioError(f"{where}: there is no file {path}")
    try:
        found = (
            runpy.run_path(str(path)).get(name) if in_file else _point(named, where, group).load()
        )
    except FAULTS as fault:
        raise ScenarioError(f"{where}: {_told(fault, str(path)) or _said(fault)}") from fault
    if not callable(found):
        raise ScenarioError(f"{where}: {path if in_file else named} has no function {name!r}")
    function: Callable[..., Any] = found
    return function


def _point(named: str, where: str, group: Group) -> EntryPoint:
    for point in entry_points(group=f"townsfolk.{group}", name=named):
        return point
    known = {*installed(group), *(ORDERS if group == "orders" else ())}
    near = suggest.as_clause(suggest.similar(named, known))
    raise ScenarioError(
        f"{where}: no installed package has {named!r} among townsfolk.{group}{near}; write"
        " FILE.py:NAME"
    )


def told(fault: BaseException, function: Callable[..., Any]) -> str:
    """As `own.py:12: IndexError: list index out of range`: the last line of the function's own
    file that it came through."""
    code = _code(function)
    return _told(fault, code.co_filename if code else "") or f"{place_of(function)}{_said(fault)}"


def digest_of_file(function: Callable[..., Any]) -> str:
    """Of the file where it is defined; '' where nobody knows."""
    code = _code(function)
    return digest(read_bytes(Path(code.co_filename))) if code else ""


def place_of(function: Callable[..., Any]) -> str:
    """Where it is defined, as `own.py:12: `; '' where nobody knows."""
    code = _code(function)
    return f"{Path(code.co_filename).name}:{code.co_firstlineno}: " if code else ""


def _told(fault: BaseException, file: str) -> str:
    """'' where it did not come through this file."""
    if isinstance(fault, SyntaxError) and fault.filename == file:  # no line of it has run
        return f"{Path(file).name}:{fault.lineno}: SyntaxError: {fault.msg}"
    lines = [one.lineno for one in extract_tb(fault.__traceback__) if one.filename == file]
    return f"{Path(file).name}:{lines[-1]}: {_said(fault)}" if lines else ""


def _said(fault: BaseException) -> str:
    return f"{type(fault).__name__}: {fault}"


def _code(function: Callable[..., Any]) -> Any:
    return getattr(unwrap(function), "__code__", None)
