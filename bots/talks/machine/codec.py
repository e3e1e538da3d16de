"""Happenings and wishes as JSON values, for what is stored and for event logs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any, get_args

from bots.talks.machine.events import Joined, Participant, SpeakerChosen, TalkEffect, TalkEvent

KIND = "is"
"""The key under which a value's kind is written."""
_WRITTEN: Mapping[type[Any], str] = {SpeakerChosen: "Decision"}
"""Kinds that logs know by another name than the class's."""

_NAMES: dict[type[Any], tuple[str, ...]] = {
    kind: tuple(field.name for field in fields(kind))
    for kind in (*get_args(TalkEvent), *get_args(TalkEffect))
}
"""Of their fields; `asdict` would copy every value, which simulated talks would feel."""
_HAPPENINGS: dict[str, type[Any]] = {kind.__name__: kind for kind in get_args(TalkEvent)}


def written_kind(kind: type[Any]) -> str:
    """The name that stands for a kind of event or effect under `is`."""
    return _WRITTEN.get(kind, kind.__name__)


def as_json(value: TalkEvent | TalkEffect) -> dict[str, Any]:
    """The kind and the fields, all plain JSON values."""
    kind: type[Any] = type(value)
    plain = {name: getattr(value, name) for name in _NAMES[kind]}
    if isinstance(value, Joined):
        plain["who"] = asdict(value.who)
    return {KIND: written_kind(kind), **plain}


def happening_of(data: Mapping[str, Any]) -> TalkEvent:
    """The happening that `as_json` wrote. Raises ValueError for anything else."""
    values = dict(data)
    kind = _HAPPENINGS.get(str(values.pop(KIND, "")))
    if kind is None:
        raise ValueError(f"{data.get(KIND)!r} is no happening of a talk")
    try:
        if kind is Joined:
            return Joined(Participant(**values["who"]))
        happening: TalkEvent = kind(**values)
    except (KeyError, TypeError) as error:
        raise ValueError(f"{kind.__name__}: {error}") from error
    return happening
