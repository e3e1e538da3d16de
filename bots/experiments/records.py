"""One step of a talk as a line of a log, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from bots.experiments.errors import LogError
from bots.talk.codec import KIND, as_json, happening_of
from bots.talk.happenings import Happening, Wish

_WISHES: dict[str, type[Any]] = {kind.__name__: kind for kind in get_args(Wish)}


@dataclass(frozen=True, slots=True)
class Moment:
    """What the talk took in (None: its start), when, and what it wished for on that."""

    at_ms: int
    happening: Happening | None
    wishes: tuple[Wish, ...]

    def as_json(self) -> dict[str, Any]:
        return {
            "happening": None if self.happening is None else as_json(self.happening),
            "wishes": [as_json(wish) for wish in self.wishes],
        }


def moment_of(line: Mapping[str, Any]) -> Moment:
    """Raises LogError when the line is not one of ours."""
    try:
        taken = line["happening"]
        return Moment(
            int(line["at_ms"]),
            None if taken is None else happening_of(taken),
            tuple(_wish(wish) for wish in line["wishes"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise LogError(f"line {line.get('n')}: not a moment of a talk: {error}") from error


def _wish(said: Mapping[str, Any]) -> Wish:
    values = {name: value for name, value in said.items() if name != KIND}
    if "to" in values:
        values["to"] = tuple(values["to"])
    wish: Wish = _WISHES[said[KIND]](**values)
    return wish
