"""Functions that a user writes in a Python file, named as `FILE.py:NAME`."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bots.experiments.scenario.errors import ScenarioError

FAULTS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""Errors of such a function that are told as its own; any other ends the program."""


def file_beside(named: str, folder: Path, where: str) -> Path:
    """The file of such a function of a scenario, which may be from anywhere: in its folder only.

    Raises ScenarioError, which begins with `where`."""
    path = folder / named.rpartition(":")[0]
    if not path.resolve().is_relative_to(folder.resolve()):
        raise ScenarioError(
            f"{where}: {path} is outside the folder of the scenario, {folder}: only code that lies"
            " beside a scenario is run"
        )
    return path


def function_of(named: str, folder: Path, where: str) -> Callable[[Any], Any]:
    """The function of that name. Its file, relative to the folder, is run.

    Raises ScenarioError, which begins with `where`, if there is none."""
    file, _, name = named.rpartition(":")
    path = folder / file
    if not path.is_file():
        raise ScenarioError(f"{where}: there is no file {path}")
    found = runpy.run_path(str(path)).get(name)
    if not callable(found):
        raise ScenarioError(f"{where}: {path} has no function {name!r}")
    function: Callable[[Any], Any] = found
    return function
