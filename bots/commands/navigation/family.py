"""What all `!navigation` commands share: their declaration, points, items and how many, results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, TypeAlias, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from bots.access.origin import Level
from bots.bot.result import Counted, Result
from bots.registry.args import Args, LenientArgs
from bots.registry.registry import Handler, Tells, commands, tells_facts
from bridge.world import ItemStack, counts_of

A = TypeVar("A", bound=Args)
_AXES = ("x", "y", "z")
ALL = -1
MOST = 10_000  # items; more than any inventory holds


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


def _plain_name(name: str) -> str:
    """`minecraft:Oak_Log` is `oak_log`."""
    return name.strip().lower().removeprefix("minecraft:").replace(" ", "_")


def _all_in_words(value: Any) -> Any:
    return ALL if isinstance(value, str) and value.strip().lower() == "all" else value


def _positive_or_all(count: int) -> int:
    if count != ALL and count < 1:
        raise ValueError(f"a count is 1 or more, or {ALL} for all")
    return count


ItemName: TypeAlias = Annotated[
    str, Field(min_length=1, max_length=64), AfterValidator(_plain_name)
]
Amount: TypeAlias = Annotated[
    int, BeforeValidator(_all_in_words), Field(le=MOST), AfterValidator(_positive_or_all)
]
"""How many; -1 or `all` means all there are."""


def rows_of(counts: Mapping[str, int]) -> tuple[Counted, ...]:
    return tuple(Counted(name=name, count=counts[name]) for name in sorted(counts))


def totals(stacks: Iterable[ItemStack]) -> tuple[Counted, ...]:
    """One row for each item, over all its stacks."""
    return rows_of(counts_of(stacks))
