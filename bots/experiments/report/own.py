"""A metric of a user's own: a function that takes a run and returns a number."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bots.experiments.functions import FAULTS, function_of
from bots.experiments.runs.folder import Run
from bots.experiments.scenario.errors import LogError, ScenarioError


@dataclass(frozen=True, slots=True)
class OwnMetric:
    name: str
    function: Callable[[Run], Any]

    def of(self, run: Run) -> float | None:
        """Its number; None where it has none to say. Raises LogError where it fails."""
        try:
            found = self.function(run)
        except FAULTS as fault:
            why = f"{type(fault).__name__}: {fault}"
            raise LogError(f"metric {self.name} of {run.folder}: {why}") from fault
        if found is None:
            return None
        if not isinstance(found, int | float) or not math.isfinite(found):
            raise LogError(f"metric {self.name} of {run.folder}: {found!r} is no number")
        return float(found)


def own_metrics(named: Iterable[str], taken: Collection[str]) -> list[OwnMetric]:
    """Those that are named as `FILE.py:NAME`. Raises ScenarioError: no such function, or a name
    that is taken."""
    found: list[OwnMetric] = []
    for each in named:
        name = each.rpartition(":")[2]
        if name in {*taken, *(one.name for one in found)}:
            raise ScenarioError(f"--metric {each}: there is a metric {name} already")
        found.append(OwnMetric(name, function_of(each, Path(), f"--metric {each}")))
    return found
