"""Why a question about a goal gets no plan: it was asked wrongly."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from bots.errors import CommandError

RefusalReason = Literal[
    "invalid_format", "unknown_item", "unknown_block", "category", "unknown_version"
]
SHOWN = 80  # characters of what somebody wrote


class GoalRefused(CommandError):
    """The question is malformed, or names what does not exist; `data["nearest"]` what does."""

    def __init__(self, reason: RefusalReason, message: str, *nearest: str) -> None:
        super().__init__(reason, message, **({"nearest": list(nearest)} if nearest else {}))
        self._refused: RefusalReason = reason

    def within(self, where: str) -> GoalRefused:
        """The same, telling where it was written."""
        nearest: Iterable[str] = self.data.get("nearest", ())
        return GoalRefused(self._refused, f"{where}: {self.message}", *nearest)


class WorldRefused(CommandError):
    """What is told about the world has the wrong shape."""

    def __init__(self, message: str) -> None:
        super().__init__("invalid_world", message)


def quoted(text: str) -> str:
    """What somebody wrote, on one line and not too long."""
    line = " ".join(text.split())
    return repr(line if len(line) <= SHOWN else f"{line[: SHOWN - 1]}…")
