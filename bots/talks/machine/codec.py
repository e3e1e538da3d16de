"""Events and effects as JSON values, for the database and for experiment logs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any, get_args

from pydantic import TypeAdapter

from bots.talks.machine.events import Joined, Participant, TalkEffect, TalkEvent
from bots.talks.machine.policy import TalkPolicy

KIND = "is"
"""The key under which a value's kind is written."""
_NAMES: dict[type[Any], tuple[str, ...]] = {
    kind: tuple(field.name for field in fields(kind))
    for kind in (*get_args(TalkEvent), *get_args(TalkEffect))
}
"""Field names of each kind; `asdict` would copy every value, too slow for simulated talks."""
_EVENTS: dict[str, TypeAdapter[Any]] = {
    kind.__name__: TypeAdapter(kind) for kind in get_args(TalkEvent)
}
_PARTICIPANT = TypeAdapter(Participant)
_POLICY = TypeAdapter(TalkPolicy)


def as_json(value: TalkEvent | TalkEffect) -> dict[str, Any]:
    """The kind under `is`, and the fields as plain JSON values."""
    kind: type[Any] = type(value)
    plain = {name: getattr(value, name) for name in _NAMES[kind]}
    if isinstance(value, Joined):
        plain["who"] = asdict(value.who)
    return {KIND: kind.__name__, **plain}


def event_of(data: Mapping[str, Any]) -> TalkEvent:
    """The event that `as_json` wrote. Raises ValueError for anything else."""
    values = dict(data)
    reader = _EVENTS.get(str(values.pop(KIND, "")))
    if reader is None:
        raise ValueError(f"{data.get(KIND)!r} is no event of a talk")
    event: TalkEvent = reader.validate_python(values)
    return event


def participant(values: Mapping[str, Any]) -> Participant:
    """Raises ValueError."""
    return _PARTICIPANT.validate_python(values)


def policy(values: Mapping[str, Any]) -> TalkPolicy:
    """The rules that `asdict` wrote. Raises ValueError for what is no rule, or of another type."""
    return _POLICY.validate_python(values)
