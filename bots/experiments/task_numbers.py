"""What came of the tasks of a run, as its log tells, and the numbers of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bots.experiments.scenario import Task


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """One task of one run."""

    task: int
    """Its number in the scenario, from 1."""
    who: str
    goal: str
    ask: str
    given_ms: int | None
    """When it was given, since the talk began; None: the talk ended before."""
    took_s: float | None
    """Seconds until its goal held; None: it was not done in time."""
    deaths: int
    """Of the bot meanwhile."""
    said: str
    """The bot's own words on it."""

    @property
    def done(self) -> bool:
        return self.took_s is not None


@dataclass(frozen=True, slots=True)
class TaskNumbers:
    """Of all tasks of a run; one that was never given is not done."""

    tasks: int
    done: int
    rate: float | None
    """None without tasks."""
    mean_s: float | None
    """Of those that were done; None for none."""
    deaths: int | None
    """None without tasks."""


def outcomes(
    tasks: Sequence[Task], written: Iterable[Mapping[str, Any]]
) -> tuple[TaskOutcome, ...]:
    """The outcome of each task, by the lines of a log."""
    known = {line["task"]: line for line in written}
    fields = TaskOutcome.__slots__
    return tuple(
        TaskOutcome(**{name: known[number][name] for name in fields})
        if number in known
        else TaskOutcome(number, task.who, task.goal, task.ask, None, None, 0, "")
        for number, task in enumerate(tasks, 1)
    )


def numbers_of(found: Sequence[TaskOutcome]) -> TaskNumbers:
    took = [one.took_s for one in found if one.took_s is not None]
    return TaskNumbers(
        tasks=len(found),
        done=len(took),
        rate=len(took) / len(found) if found else None,
        mean_s=sum(took) / len(took) if took else None,
        deaths=sum(one.deaths for one in found) if found else None,
    )
