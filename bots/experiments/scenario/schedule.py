"""The events and persons' lines of a scenario, and when they are due."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from bots.clock import MS_PER_S
from bots.experiments.scenario.parts import ScheduledEvent, When
from bots.experiments.scenario.scenario import Scenario


@dataclass(frozen=True, slots=True)
class PersonLine:
    """A line that a person says."""

    name: str
    text: str


ScheduledStep: TypeAlias = ScheduledEvent | PersonLine


class Schedule:
    """Returns each step once, when it is due, in the order of the file."""

    def __init__(self, scenario: Scenario) -> None:
        steps = list(_steps(scenario))
        self.timed = [(round(m.at_s * MS_PER_S), d) for m, d in steps if m.at_s is not None]
        """(milliseconds, step) of those that are due at a time."""
        self._during = [(m.during_turn, d) for m, d in steps if m.during_turn is not None]
        self._after = [(m.after_turn, d) for m, d in steps if m.after_turn is not None]

    def during(self, turn: int) -> list[ScheduledStep]:
        """The steps due while a bot thinks about this turn."""
        due, self._during = _due(self._during, turn), _later(self._during, turn)
        return due

    def after(self, turn: int) -> list[ScheduledStep]:
        """The steps due once the words of this turn are said."""
        due, self._after = _due(self._after, turn), _later(self._after, turn)
        return due

    @property
    def left(self) -> int:
        """How many steps wait for a turn that has not come."""
        return len(self._during) + len(self._after)


def _steps(scenario: Scenario) -> Iterator[tuple[When, ScheduledStep]]:
    if scenario.opened_by_person and scenario.opening_words:
        yield When(at_s=0.0), PersonLine(scenario.opener, scenario.opening_words)
    for event in scenario.events:
        yield event, event
    for person in scenario.people:
        for line in person.lines:
            yield line, PersonLine(person.name, line.text)


def _due(steps: list[tuple[int, ScheduledStep]], turn: int) -> list[ScheduledStep]:
    """Steps of turns that were skipped are due with the next."""
    return [step for when, step in steps if when <= turn]


def _later(steps: list[tuple[int, ScheduledStep]], turn: int) -> list[tuple[int, ScheduledStep]]:
    return [(when, step) for when, step in steps if when > turn]
