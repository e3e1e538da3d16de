"""Episodes: what a bot did, and what it saw happen, as values; its history keeps them as notes.

The result of a command tells its episodes (`Result.episodes`); `bots/knowledge/episodes` notes them
with who asked for it, when and where.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from bridge.causes import Cause, read_cause
from bridge.world import Position

What: TypeAlias = Literal[
    "made",
    "got",
    "placed",
    "dug",
    "gave",
    "received",
    "dropped",
    "put",
    "took",
    "ate",
    "wore",
    "took_off",
    "went",
    "followed",
    "failed",
    "died",
    "visited",
]
"""put, took: into a chest, and out of one. visited: a person came, and has left."""
WHATS: tuple[What, ...] = get_args(What)


@dataclass(frozen=True, slots=True)
class Episode:
    """One thing that a bot did, or that happened before its eyes."""

    what: What
    thing: str = ""
    """An item, block or place; of what failed, the goal or the command."""
    count: int = 1
    """Of items and blocks; of a visit, its minutes."""
    person: str = ""
    """Who was given it, gave it, was followed, or came."""
    asked_by: str = ""
    """Who asked for it, as lines of theirs are recorded; '': nobody."""
    at: Position | None = None
    dimension: str = ""
    why: str = ""
    """Why it failed, in English, …"""
    reason: str = ""
    """… and by its code, for other languages."""
    cause: Cause | None = None
    """What it died of; None: it does not know."""

    def as_json(self) -> dict[str, Any]:
        at = None if self.at is None else [self.at.x, self.at.y, self.at.z]
        every = {
            "what": self.what,
            "thing": self.thing,
            "count": self.count,
            "person": self.person,
            "askedBy": self.asked_by,
            "at": at,
            "dimension": self.dimension,
            "why": self.why,
            "reason": self.reason,
            "cause": self.cause and self.cause.as_json(),
        }
        return {key: value for key, value in every.items() if value}


def read_episode(row: object) -> Episode | None:
    """What `Episode.as_json` wrote; None for anything else."""
    if not isinstance(row, Mapping) or row.get("what") not in WHATS:
        return None
    try:
        x_y_z = row.get("at")
        return Episode(
            row["what"],
            str(row.get("thing", "")),
            int(row.get("count", 0)),
            str(row.get("person", "")),
            str(row.get("askedBy", "")),
            None if x_y_z is None else Position(*map(float, x_y_z)),
            str(row.get("dimension", "")),
            str(row.get("why", "")),
            str(row.get("reason", "")),
            read_cause(row.get("cause")),
        )
    except (TypeError, ValueError):
        return None
