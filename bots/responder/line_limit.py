"""How many lines of one player bots answer; owners and trusted players have no such limit.

What is beyond it is recorded, and not answered; its speaker is told so, once a minute at most.
"""

from __future__ import annotations

from collections import Counter

from bots.access.origin import Level, Origin, Person
from bots.access.rate_limit import RateLimit
from bots.access.sources import LevelOf
from bots.chat.natural_message import NaturalMessage
from bots.clock import Stopwatch
from bots.text.language import language_of

WINDOW_S = 60.0


class LineLimit:
    """The lines that all bots answer, counted per speaker."""

    def __init__(self, per_minute: int, level_of: LevelOf, stopwatch: Stopwatch) -> None:
        self._per_minute, self._level_of = per_minute, level_of
        self._lines = RateLimit(stopwatch, count=per_minute, window_s=WINDOW_S)
        self._notices = RateLimit(stopwatch, count=1, window_s=WINDOW_S)
        self._withheld: Counter[str] = Counter()

    def admits(self, message: NaturalMessage) -> bool:
        """Whether a line may be answered; if so, it counts."""
        return self.admits_words_of(message.origin, message.bot)

    def admits_words_of(self, origin: Origin, bot: str) -> bool:
        """The same for words that somebody has a bot say to another one."""
        if not isinstance(origin, Person) or self._level_of(origin) >= Level.TRUSTED:
            return True
        if self._lines.admit(origin.name) == "admitted":
            return True
        self._withheld[bot] += 1
        return False

    def notice_due(self, message: NaturalMessage) -> str:
        """What to tell the speaker of a line that is not answered; '' when they know."""
        if self._notices.admit(message.from_) != "admitted":
            return ""
        if language_of([message.content]) == "ja":
            return f"一人につき一分間に{self._per_minute}回までお答えします。少し待ってください。"
        return self.sentence

    @property
    def sentence(self) -> str:
        return f"I answer {self._per_minute} lines a minute of each player; wait a little."

    def withheld(self, bot: str) -> int:
        """Lines that a bot has left unanswered since the start."""
        return self._withheld[bot]
