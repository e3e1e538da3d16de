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
