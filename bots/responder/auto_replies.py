"""Fixed answers to certain words, for people only; they cost nothing.

Each speaker gets a limited number a minute and is told so once: two programs with fixed answers
would otherwise keep each other talking.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bots.access.origin import Person
from bots.access.rate_limit import RateLimit, Verdict
from bots.chat.natural_message import NaturalMessage
from bots.clock import Stopwatch
from bots.text.language import language_of
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
        self._replies, self._per_minute = tuple(replies), per_minute
        self._limit = RateLimit(stopwatch, count=per_minute, window_s=WINDOW_S)

    def to(self, message: NaturalMessage) -> AutoReply | None:
        """The first answer whose words occur in a person's line."""
        if not isinstance(message.origin, Person):
            return None
        return next((reply for reply in self._replies if says(message.content, reply.match)), None)

    def admit(self, speaker: str) -> Verdict:
        """Whether this speaker may get one more now; if so, it counts."""
        return self._limit.admit(speaker)

    def notice(self, text: str) -> str:
        """What a speaker is told whose line gets no more answers, in the line's language."""
        if language_of([text]) == "ja":
            return f"決まったお返事は一分間に{self._per_minute}回までです。少し待ってください。"
        return f"I answer that {self._per_minute} times a minute; wait a little."
