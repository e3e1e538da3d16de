"""Errors for goals and worlds that cannot be read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from bots.errors import CommandError
from bots.text.excerpt import excerpt

RefusalReason = Literal[
    "invalid_format",
    "unknown_item",
    "unknown_block",
    "category",
    "contradictory",
    "unknown_version",
]
SHOWN = 80
"""Characters of user input that an error repeats."""


class GoalRefused(CommandError):
    """The goal is malformed or names something unknown; `data["nearest"]` lists similar names."""

    def __init__(self, reason: RefusalReason, message: str, *nearest: str) -> None:
        super().__init__(reason, message, **({"nearest": list(nearest)} if nearest else {}))
        self._refused: RefusalReason = reason

    def within(self, where: str) -> GoalRefused:
        """The same error, prefixed with where it occurred."""
        nearest: Iterable[str] = self.data.get("nearest", ())
        return GoalRefused(self._refused, f"{where}: {self.message}", *nearest)


class WorldRefused(CommandError):
    """The JSON of a world has the wrong shape."""

    def __init__(self, message: str) -> None:
        super().__init__("invalid_world", message)


def quoted(text: str) -> str:
    """What somebody wrote, in quotation marks."""
    return repr(excerpt(text, SHOWN))
