"""Numbers of the user's own: a function whose arguments tell how often it is asked.

(run)        once a talk
(run, turn)  for each turn; a talk has the mean of them
(study)      once, of all tables
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from inspect import isawaitable, signature
from pathlib import Path
from typing import Any, Literal, Protocol

from bots.experiments.metrics import mean
from bots.experiments.own_functions import (
    FAULTS,
    digest_of_file,
    function_of,
    place_of,
    told,
)
from bots.experiments.runs import Run
from bots.experiments.scenario import LogError, ScenarioError
from bots.experiments.tables import StudyData, TurnRow, columns_of, turns_of

Scope = Literal["talk", "turn", "study"]


class Measure(Protocol):
    """A number of each talk, besides those of `metrics`."""

    @property
    def name(self) -> str: ...

    @property
    def meaning(self) -> str: ...

    def of(self, run: Run) -> float | None:
        """None: it has none to say. Raises LogError."""


@dataclass(frozen=True, slots=True)
class OwnMetric:
    named: str
    function: Callable[..., Any]
    scope: Scope

    @property
    def name(self) -> str:
        return self.named.rpartition(":")[2]

    @property
    def code(self) -> str:
        """The digest of the file of its function."""
        return digest_of_file(self.function)

    @property
    def meaning(self) -> str:
        return f"your own: {self.named}"

    def of(self, run: Run) -> float | None:
        """Of a talk; of its turns their mean. Raises LogError where the function fails."""
        if self.scope == "turn":
            return mean([value for value in self.by_turn(run) if value is not None])
        return self._found([(run,)], f"of {run.folder}")[0]

    def by_turn(self, run: Run) -> list[float | None]:
        turns = turns_of(run, run.label)
        return self._found([(run, turn) for turn in turns], f"of {run.folder}")

    def of_study(self, study: StudyData) -> float | None:
        return self._found([(study,)], "of the study")[0]

    def _found(self, calls: Sequence[tuple[Any, ...]], whose: str) -> list[float | None]:
        try:
            found = [_in_time(self.function(*each)) for each in calls]
        except FAULTS as fault:
            why = told(fault, self.function)
            raise LogError(f"metric {self.name} {whose}: {why}") from fault
        for value in found:
            if value is not None and not (isinstance(value, int | float) and math.isfinite(value)):
                place = place_of(self.function)
                raise LogError(f"metric {self.name} {whose}: {place}{value!r} is no number")
        return [None if value is None else float(value) for value in found]


def _in_time(found: Any) -> Any:
    """What was returned; of an async function once it is awaited."""
    if not isawaitable(found):
        return found
    # A thread of its own: a notebook has a loop that runs already.
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, _awaited(found)).result()


async def _awaited(found: Awaitable[Any]) -> Any:
    return await found


def own_metrics(
    named: Iterable[str], taken: Collection[str], where: str = "--metric", folder: Path = Path()
) -> list[OwnMetric]:
    """Those that are named as `FILE.py:NAME` or as an entry point. Raises ScenarioError: no such
    function, or a name that is taken."""
    found: list[OwnMetric] = []
    for each in named:
        at, name = f"{where} {each}", each.rpartition(":")[2]
        if name in {*taken, *columns_of(TurnRow), *(other.name for other in found)}:
            raise ScenarioError(f"{at}: there is a metric {name} already")
        if not name.isidentifier():
            raise ScenarioError(f"{at}: {name!r} cannot be the name of a column")
        function = function_of(each, folder, at, "metrics")
        found.append(OwnMetric(each, function, _scope_of(function, at)))
    return found


def _scope_of(function: Callable[..., Any], where: str) -> Scope:
    try:
        takes = [one for one in signature(function).parameters.values() if one.default is one.empty]
    except (TypeError, ValueError) as fault:
        raise ScenarioError(f"{where}: {fault}") from fault
    names = [str(one) for one in takes]
    if len(names) not in (1, 2):
        listed, ways = ", ".join(names), "(run), (run, turn) or (study)"
        raise ScenarioError(f"{where}: {place_of(function)}takes ({listed}); write {ways}")
    return "turn" if len(names) == 2 else "study" if takes[0].name == "study" else "talk"


def scoped(own: Iterable[OwnMetric], *scopes: Scope) -> list[OwnMetric]:
    return [one for one in own if one.scope in scopes]
