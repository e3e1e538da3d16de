"""What was said (once), who heard it (each with its own sequence), and the view of a bot.

Roles and the older type names of seed 001 are points of view: derived here, never stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, TypeAlias

from bots.plain_numbers import blocks, whole

Kind = Literal["conversation", "system_info"]
Role = Literal["assistant", "user"]
Content: TypeAlias = str | Mapping[str, Any]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class Delivery:
    """How an utterance that was aimed at someone fared."""

    target: str
    distance: float | None
    """Blocks when it was said; None when the target was unseen."""
    max_distance: float | None
    """The range that was allowed; None where none applies (an answer to a whisper)."""
    delivered: bool
    """To our own bots: its receipt came. To others: it was sent."""
    asked_by: str | None = None
    """Who had the bot say it, by command; None: the bot's own words."""

    def as_json(self, text: str) -> dict[str, Any]:
        """What the speaker's own history shows; the distance floored, as `!chat` does."""
        return {
            "message": text,
            "delivered": self.delivered,
            "targetUsername": self.target,
            "distance": None if self.distance is None else blocks(self.distance),
            "maxDistance": None if self.max_distance is None else whole(self.max_distance),
        }


@dataclass(frozen=True, slots=True)
class Utterance:
    """One thing said or noted, stored once."""

    id: int
    speaker: str
    content: Content
    kind: Kind
    said_at: datetime
    delivery: Delivery | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """An utterance in one bot's history."""

    bot: str
    sequence: int
    """Monotonic per bot, from 1, never reused."""
    utterance: Utterance
    heard_at: datetime

    @property
    def role(self) -> Role:
        return "assistant" if self.utterance.speaker == self.bot else "user"

    @property
    def content(self) -> Content:
        """What this bot knows of it: its own aimed words carry their delivery facts."""
        said = self.utterance
        own = self.role == "assistant" and said.delivery is not None
        if own and said.delivery is not None and isinstance(said.content, str):
            return said.delivery.as_json(said.content)
        return said.content

    @property
    def text(self) -> str | None:
        """The words alone, or None when the content is an object."""
        return self.utterance.content if isinstance(self.utterance.content, str) else None

    @property
    def timestamp_ms(self) -> int:
        """When it was heard, milliseconds since 1970."""
        return (self.heard_at - EPOCH) // MILLISECOND

    def as_json(self) -> dict[str, Any]:
        """The message of H2."""
        return {
            "sequence": self.sequence,
            "speaker": self.utterance.speaker,
            "role": self.role,
            "content": self.content,
            "type": self.utterance.kind,
            "timestamp": self.timestamp_ms,
            "iso": self.heard_at.isoformat(),
        }
