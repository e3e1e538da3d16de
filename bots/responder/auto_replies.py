"""Fixed answers to certain words, for people only; they cost nothing.

Each speaker gets a limited number a minute: two programs with fixed answers would otherwise keep
each other talking.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bots.access.origin import Person
from bots.access.rate_limit import RateLimit
from bots.chat.natural_message import NaturalMessage
from bots.clock import Stopwatch
from bots.text.word_match import says

WINDOW_S = 60.0


@dataclass(frozen=True, slots=True)
class AutoReply:
    match: str
    """Whole words to look for in a line, see bots/text/word_match.py."""
    reply: str


class AutoReplies:
    """The fixed answers of all bots, limited per speaker."""

    def __init__(
        self, replies: Sequence[AutoReply], *, per_minute: int, stopwatch: Stopwatch
    ) -> None:
        self._replies = tuple(replies)
        self._limit = RateLimit(stopwatch, count=per_minute, window_s=WINDOW_S)

    def to(self, message: NaturalMessage) -> AutoReply | None:
        """The first answer whose words occur in a person's line."""
        if not isinstance(message.origin, Person):
            return None
        return next((reply for reply in self._replies if says(message.content, reply.match)), None)

    def admit(self, speaker: str) -> bool:
        """Whether this speaker may get one more now; if so, it counts."""
        return self._limit.admit(speaker) == "admitted"
