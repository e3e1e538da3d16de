"""What all `!navigation` commands share: how they are declared, a point, a result in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from pydantic import model_validator

from bots.access.origin import Level
from bots.bot.result import Result
from bots.registry.args import Args, LenientArgs
from bots.registry.registry import Handler, Tells, commands, tells_facts

A = TypeVar("A", bound=Args)

_AXES = ("x", "y", "z")


def navigation(
    action: str,
    args: type[A],
    *,
    example: str,
    world: bool = False,
    level: Level | None = None,
    allow_bots: bool = False,
    tells: Tells = tells_facts,
    deadline_s: float | None = None,
    ended_by: str = "",
) -> Callable[[Handler[A]], Handler[A]]:
    """Declare `!navigation <action>`, which is `!creative nav <action>` as well."""
    return commands.command(
        f"navigation {action}",
        args,
        aliases=(f"creative nav {action}", f"creative navigation {action}"),
        example=f"!navigation {action} {example}".strip(),
        world=world,
        level=level,
        allow_bots=allow_bots,
        tells=tells,
        deadline_s=deadline_s,
        ended_by=ended_by,
    )


class CoordsArgs(LenientArgs):
    """A point as `{"coords": [x, y, z]}` or `{"x": …, "y": …, "z": …}`; as words `x y z`, for a
    command whose words are nothing else."""

    @model_validator(mode="before")
    @classmethod
    def _point_of_axes(cls, given: Any) -> Any:
        if not isinstance(given, Mapping) or "coords" in given:
            return given
        point = {axis: given[axis] for axis in _AXES if axis in given}
        rest = {key: value for key, value in given.items() if key not in _AXES}
        return {**rest, "coords": point} if point else given

    @classmethod
    def from_words(cls, rest: str) -> dict[str, Any]:
        if cls.word_fields() != ["coords"]:
            return super().from_words(rest)
        numbers = rest.replace(",", " ").split()
        return {"coords": numbers} if numbers else {}

    @classmethod
    def _word(cls, name: str) -> str:
        if name != "coords":
            return super()._word(name)
        return "<x> <y> <z>" if cls.model_fields[name].is_required() else "[x y z]"


class ToldResult(Result):
    """A result with a sentence for people."""

    message: str

    def lines(self) -> list[str]:
        return [self.message]
