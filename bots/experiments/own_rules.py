"""Order policies and stop rules of the user's own: played by their code, replayed by the log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bots.experiments.own_functions import FAULTS, code_behind, function_of, place_of, told
from bots.experiments.scenario import ORDERS, ExperimentFailed, Scenario
from bots.talks.machine.events import Ended, TalkEffect, Think
from bots.talks.machine.state import OwnRules, TalkSoFar


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


class RecordedRules:
    """Says again what the rules of a run said: its replay runs no code of anybody's."""

    def __init__(self) -> None:
        self.effects: Sequence[TalkEffect] = ()
        """Of the step that is replayed."""

    def of(self, scenario: Scenario) -> OwnRules:
        has_order = scenario.talk.order not in ORDERS
        return OwnRules(
            self._next_one if has_order else None, self._is_over if scenario.talk.stop else None
        )

    def _next_one(self, talk: TalkSoFar) -> str | None:
        own = (one for one in self.effects if isinstance(one, Think) and one.why == "own")
        return next((one.speaker for one in own if one.speaker in talk.bots), None)

    def _is_over(self, _talk: TalkSoFar) -> bool:
        return any(isinstance(one, Ended) and one.why == "rule" for one in self.effects)
