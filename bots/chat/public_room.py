"""Which of our bots heard a line of public chat first: all of them hear each line."""

from __future__ import annotations

from collections import Counter, OrderedDict
from datetime import datetime, timedelta

HEARD_WITHIN = timedelta(seconds=5)  # all bots hear a line within this; later it is a new line
REMEMBERED = 1_000  # lines; we forget the oldest


class _Line:
    """How often one speaker lately said the same words, as each bot heard it."""

    def __init__(self, at: datetime) -> None:
        self.at = at
        self.reported = 0
        self.heard: Counter[str] = Counter()


class PublicRoom:
    """The public lines heard lately, shared by all bots."""

    def __init__(self) -> None:
        self._lines: OrderedDict[tuple[str, str], _Line] = OrderedDict()

    def is_news(self, bot: str, speaker: str, text: str, at: datetime) -> bool:
        """Note that a bot heard a line; True when no other bot has reported it before."""
        line = self._lines.pop((speaker, text), None)
        if line is None or at - line.at > HEARD_WITHIN:
            line = _Line(at)
        self._lines[speaker, text] = line
        if len(self._lines) > REMEMBERED:
            self._lines.popitem(last=False)
        line.at = max(at, line.at)
        line.heard[bot] += 1
        if line.heard[bot] <= line.reported:
            return False
        line.reported = line.heard[bot]
        return True
