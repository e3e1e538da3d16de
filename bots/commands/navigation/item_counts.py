"""Items and how many, as arguments and as results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Field

from bots.bot.result import Facts
from bridge.world import ItemStack

ALL = -1
MOST = 10_000  # items; more than any inventory holds


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


class ItemCount(Facts):
    name: str
    count: int

    def __str__(self) -> str:
        return f"{self.count} {self.name}"


def rows_of(counts: Mapping[str, int]) -> tuple[ItemCount, ...]:
    return tuple(ItemCount(name=name, count=counts[name]) for name in sorted(counts))


def totals(stacks: Iterable[ItemStack]) -> tuple[ItemCount, ...]:
    """One row for each item, over all its stacks."""
    counts: dict[str, int] = {}
    for stack in stacks:
        counts[stack.name] = counts.get(stack.name, 0) + stack.count
    return rows_of(counts)
