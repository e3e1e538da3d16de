"""What a scenario lets happen by itself, and when."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from bots.experiments.scenario.parts import Event, When
from bots.experiments.scenario.scenario import Scenario

MS_PER_S = 1_000


@dataclass(frozen=True, slots=True)
class Utter:
    """A person says something."""

    name: str
    text: str


Deed: TypeAlias = Event | Utter


class Schedule:
    """Hands out each deed once, when its moment comes, in the order of the file."""

    def __init__(self, scenario: Scenario) -> None:
        deeds = list(_deeds(scenario))
        self.timed = [(round(m.at_s * MS_PER_S), d) for m, d in deeds if m.at_s is not None]
        """(milliseconds, deed) of those that go by the clock."""
        self._during = [(m.during_turn, d) for m, d in deeds if m.during_turn is not None]
        self._after = [(m.after_turn, d) for m, d in deeds if m.after_turn is not None]

    def during(self, turn: int) -> list[Deed]:
        """What happens while this turn is thought about."""
        due, self._during = _due(self._during, turn), _later(self._during, turn)
        return due

    def after(self, turn: int) -> list[Deed]:
        """What happens once the words of this turn are said."""
        due, self._after = _due(self._after, turn), _later(self._after, turn)
        return due

    @property
    def left(self) -> int:
        """Deeds whose turn has not come."""
        return len(self._during) + len(self._after)


def _deeds(scenario: Scenario) -> Iterator[tuple[When, Deed]]:
    if scenario.opened_by_person and scenario.opening_words:
        yield When(at_s=0.0), Utter(scenario.opener, scenario.opening_words)
    for event in scenario.events:
        yield event, event
    for person in scenario.people:
        for line in person.lines:
            yield line, Utter(person.name, line.text)


def _due(deeds: list[tuple[int, Deed]], turn: int) -> list[Deed]:
    """A turn that was skipped counts as come."""
    return [deed for when, deed in deeds if when <= turn]


def _later(deeds: list[tuple[int, Deed]], turn: int) -> list[tuple[int, Deed]]:
    return [(when, deed) for when, deed in deeds if when > turn]
