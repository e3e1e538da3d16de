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

FAULTS = (Exception, SystemExit)
"""Of such a function, whose errors may be of any kind; one that ends the program would end a study
that is not played, with 0."""


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
        for one in functions_of(scenario, folder):
            if one.group != "actors":
                found[one.group] = OwnRule(one.where, one.checked().load())
        return cls(found.get("orders"), found.get("stops"))

    @property
    def asked(self) -> OwnRules:
        order, stop = self.order, self.stop
        return OwnRules(order.next_one if order else None, stop.is_over if stop else None)


class Code(NamedTuple):
    """Where such a function is."""

    name: str
    """Of the file; of a package also its version."""
    file: Path


def installed(group: Group) -> frozenset[str]:
    """The names that packages offer."""
    return frozenset(entry_points(group=f"townsfolk.{group}").names)


@dataclass(frozen=True, slots=True)
class OwnFunction:
    """A function as a file names it."""

    where: str
    """The key that names it; every error begins with it."""
    named: str
    group: Group
    folder: Path
    """To which files are relative."""

    @property
    def file(self) -> Path | None:
        """None: a package has it."""
        file, in_file, _ = self.named.rpartition(":")
        return self.folder / file if in_file else None

    @property
    def code(self) -> Code:
        """What would run. Raises ScenarioError where it may not, or is not there."""
        if (file := self.file) is not None:
            # A scenario may be from anywhere: in its folder only.
            if not file.resolve().is_relative_to(self.folder.resolve()):
                raise self._refused(
                    f"{file} is outside the folder of the scenario, {self.folder}: only code that"
                    " lies beside a scenario is run"
                )
            return Code(file.name, file)
        point = self._point()
        try:
            spec = find_spec(point.module)
        except FAULTS as fault:
            raise self._refused(_said(fault)) from fault
        if spec is None or spec.origin is None:
            raise self._refused(f"there is no module {point.module}")
        package = f"{point.dist.name} {point.dist.version} " if point.dist else ""
        return Code(f"{package}{point.value}", Path(spec.origin))

    def checked(self) -> OwnFunction:
        """Raises ScenarioError where its code may not run, or is not there."""
        _ = self.code
        return self

    def load(self) -> Callable[..., Any]:
        """The function; its file is run. Raises ScenarioError if there is none."""
        file, name = self.file, self.named.rpartition(":")[2]
        if file is not None and not file.is_file():
            raise self._refused(f"there is no file {file}")
        try:
            found = runpy.run_path(str(file)).get(name) if file else self._point().load()
        except FAULTS as fault:
            raise self._refused(_told(fault, str(file)) or _said(fault)) from fault
        if not callable(found):
            raise self._refused(f"{file or self.named} has no function {name!r}")
        function: Callable[..., Any] = found
        return function

    def _point(self) -> EntryPoint:
        for point in entry_points(group=f"townsfolk.{self.group}", name=self.named):
            return point
        known = {*installed(self.group), *(ORDERS if self.group == "orders" else ())}
        near = suggest.as_clause(suggest.similar(self.named, known))
        raise self._refused(
            f"no installed package has {self.named!r} among townsfolk.{self.group}{near}; write"
            " FILE.py:NAME"
        )

    def _refused(self, why: str) -> ScenarioError:
        return ScenarioError(f"{self.where}: {why}")


def functions_of(scenario: Scenario, folder: Path) -> list[OwnFunction]:
    """All code of the user's own that takes part in a run."""
    return [OwnFunction(key, named, group, folder) for key, named, group in scenario.functions]


def code_of(scenario: Scenario, folder: Path) -> list[Code]:
    """Raises ScenarioError where it may not run, or is not there."""
    return list(dict.fromkeys(one.code for one in functions_of(scenario, folder)))


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
