"""Which talk each bot and person takes part in: one at a time. Shared by all of a town.

Whatever answers for a bot asks here first: a line of the talk a bot is in is the talk's own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Protocol, TypeAlias

from bots.chat.natural_message import NaturalMessage

GiveBack: TypeAlias = Callable[[], None]
"""Answer the line outside of the talk after all: it came too late for it."""


class Attended(Protocol):
    """A talk as those see it that hand lines to it; none of these wait."""

    def hear(self, message: NaturalMessage, give_back: GiveBack) -> None:
        """A bot of the talk got a line from somebody of the talk."""
        ...

    def overhear(self, bot: str, speaker: str, text: str, at: datetime) -> None:
        """A bot of the talk saw a line of public chat by somebody of the talk."""
        ...

    def busy(self, bot: str, busy: bool) -> None:
        """A bot of the talk began, or ceased, to think about something else."""
        ...


Begin: TypeAlias = Callable[[NaturalMessage, GiveBack], bool]
"""Begin a talk if a line asks for one by its words; whether it did, and took the line."""


def begins_no_talk(message: NaturalMessage, give_back: GiveBack) -> bool:
    """The `Begin` of bots whose talks begin by command alone."""
    return False


class Attendance:
    """The seats of all talks."""

    def __init__(self) -> None:
        self._talks: dict[str, Attended] = {}
        self._elsewhere: Counter[str] = Counter()

    def is_taken(self, name: str) -> bool:
        """Whether a bot or person is in a talk."""
        return name in self._talks

    def together(self, one: str, other: str) -> bool:
        """Whether two are in the same talk."""
        talk = self._talks.get(one)
        return talk is not None and self._talks.get(other) is talk

    def company(self, bot: str, speaker: str) -> frozenset[str]:
        """Everybody in the talk of these two: a line of one is for all of them."""
        if not self.together(bot, speaker):
            return frozenset()
        return frozenset(name for name, talk in self._talks.items() if talk is self._talks[bot])

    def is_elsewhere(self, bot: str) -> bool:
        """Whether a bot thinks about something that is not its talk."""
        return self._elsewhere[bot] > 0

    def enter(self, name: str, talk: Attended) -> bool:
        """Take a seat; False when the name sits in another talk."""
        return self._talks.setdefault(name, talk) is talk

    def leave(self, name: str, talk: Attended) -> None:
        if self._talks.get(name) is talk:
            del self._talks[name]

    def takes(self, message: NaturalMessage, give_back: GiveBack) -> bool:
        """Whether a talk takes care of this line, so that nobody else may answer it."""
        if message.relayed:
            return True
        if self.together(message.bot, message.from_):
            self._talks[message.bot].hear(message, give_back)
            return True
        return False

    def takes_public(self, bot: str, speaker: str, text: str, at: datetime) -> bool:
        """As `takes`, for a line of public chat, before it is recorded."""
        if not self.together(bot, speaker):
            return False
        self._talks[bot].overhear(bot, speaker, text, at)
        return True

    @contextmanager
    def thinking_elsewhere(self, bot: str) -> Iterator[None]:
        """For as long as the block lasts, the bot has no mind free for its talk."""
        self._count(bot, 1)
        try:
            yield
        finally:
            self._count(bot, -1)

    def _count(self, bot: str, by: int) -> None:
        before = self.is_elsewhere(bot)
        self._elsewhere[bot] += by
        after, talk = self.is_elsewhere(bot), self._talks.get(bot)
        if after != before and talk is not None:
            talk.busy(bot, after)
