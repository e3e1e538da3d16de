"""What goals teach, without a model: what they took, where things were found, what was missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple, Protocol, runtime_checkable

from bots.access.sources import FACTS
from bots.bot.events import JobFinished, StepDone
from bots.bot.knowing import Entry, KnowledgeType, Tag, tag
from bots.bot.result import Failure
from bots.text.numbers import duration

KEPT: Mapping[str, timedelta] = {
    "reached": timedelta(days=180),
    "failed": timedelta(days=30),
    "found": timedelta(days=60),
}
"""So long each holds, unless it is learnt again: what is missing today may be there tomorrow."""
MOST_STEPS = 6
_FINDS = frozenset({"gather", "hunt", "shear", "milk", "fill", "fish", "pick_up"})
_NO_FAULT = frozenset(
    {"stopped", "replaced", "paused", "closing", "disconnected", "deadline", "stuck", "internal"}
)
"""Reasons that say nothing of the goal."""


class Lesson(NamedTuple):
    """Something a bot found out, and what it takes the place of."""

    entry: Entry
    instead_of: frozenset[KnowledgeType]


@runtime_checkable
class TellsTime(Protocol):
    """The result of a goal that is reached."""

    @property
    def took_s(self) -> float: ...


def lessons_of(event: JobFinished, steps: Sequence[StepDone], now: datetime) -> Iterator[Lesson]:
    """What the end of a goal teaches; `steps` are those that were done for it."""
    if not event.goal:
        return
    yield from (_until(one, "found", now) for one in _found(steps))
    if isinstance(event.result, Failure):
        yield from (_until(one, "failed", now) for one in _failed(event, event.result))
    elif isinstance(event.result, TellsTime) and any(one.produces for one in steps):
        yield _until(_reached(event, event.result.took_s, steps), "reached", now)


def _until(lesson: Lesson, kind: str, now: datetime) -> Lesson:
    return lesson._replace(entry=replace(lesson.entry, expires_at=now + KEPT[kind]))


def _reached(event: JobFinished, took_s: float, steps: Sequence[StepDone]) -> Lesson:
    """What it took; it is known by now how what failed before is done."""
    done = dict.fromkeys(f"{one.action} {one.thing}" for one in steps)
    named = ", ".join(list(done)[:MOST_STEPS]).replace("_", " ")
    entry = Entry(
        f"{event.goal} took me {duration(took_s)}: {named}.",
        event.sources,
        "strategy",
        event.goal,
        tags=_items(item for one in steps for item in one.produces),
        situations=frozenset({"goal"}),
        learnt_from="seen",
    )
    return Lesson(entry, frozenset({"strategy", "insight"}))


def _failed(event: JobFinished, result: Failure) -> Iterator[Lesson]:
    """What was missing, or in the way."""
    if result.reason in _NO_FAULT:
        return
    entry = Entry(
        f"I failed to get {event.goal}: {result.message}",
        event.sources,
        "insight",
        event.goal,
        tags=_items([*_missing(result.data), *event.goal.split()]),
        situations=frozenset({"goal"}),
        learnt_from="seen",
    )
    yield Lesson(entry, frozenset({"insight"}))


def _found(steps: Iterable[StepDone]) -> Iterator[Lesson]:
    """Where it found what it did not make: of each thing the last place."""
    for one in {step.thing: step for step in steps if step.action in _FINDS}.values():
        at = one.position.block
        where = f"{at.x:g} {at.y:g} {at.z:g} in the {one.dimension}"
        entry = Entry(
            f"I found {one.thing} near {where}.",
            FACTS,
            "insight",
            f"where {one.thing} is",
            tags=_items([one.thing, *one.produces]),
            learnt_from="seen",
        )
        yield Lesson(entry, frozenset({"insight"}))


def _missing(data: Mapping[str, Any]) -> list[str]:
    return [str(one["item"]) for one in data.get("missing", ()) if "item" in one]


def _items(names: Iterable[str]) -> frozenset[Tag]:
    return frozenset(tag("item", name) for name in names if name.replace("_", "").isalpha())
