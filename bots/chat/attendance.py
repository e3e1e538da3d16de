"""Which talk each bot and person takes part in, one at a time; shared by all bots.

A responder asks here first: lines between members of a talk belong to the talk.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Protocol, TypeAlias

from bots.chat.natural_message import NaturalMessage

GiveBack: TypeAlias = Callable[[], None]
"""Hands a line back to the bot's responder because the talk is over."""


class Attended(Protocol):
    """A talk that learns what its members hear and do; no call waits."""

    @property
    def number(self) -> int: ...

    def hear(self, message: NaturalMessage, give_back: GiveBack) -> bool:
        """Another member told a bot of the talk something; False: not for the talk."""
        ...

    def overhear(self, bot: str, speaker: str, text: str, at: datetime) -> None:
        """A bot of the talk saw another member's line in public chat."""
        ...

    def busy(self, bot: str, busy: bool) -> None:
        """A bot of the talk began, or ended, to think about something else."""
        ...


Begin: TypeAlias = Callable[[NaturalMessage, GiveBack], bool]
"""Begins a talk if a line asks for one; True when it did and took the line."""


def begins_no_talk(message: NaturalMessage, give_back: GiveBack) -> bool:
    """The `Begin` of bots whose talks begin by command alone."""
    return False


class Attendance:
    """Who is in which talk."""

    def __init__(self) -> None:
        self._talks: dict[str, Attended] = {}
        self._elsewhere: Counter[str] = Counter()

    def is_taken(self, name: str) -> bool:
        """Whether a bot or person is in a talk."""
        return name in self._talks

    def talk_of(self, name: str) -> int | None:
        """The number of the talk that a bot or person is in."""
        talk = self._talks.get(name)
        return None if talk is None else talk.number

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
        """Join a talk; False when the name is in another one."""
        return self._talks.setdefault(name, talk) is talk

    def leave(self, name: str, talk: Attended) -> None:
        """Leave a talk; nothing happens when the name is not in it."""
        if self._talks.get(name) is talk:
            del self._talks[name]

    def takes(self, message: NaturalMessage, give_back: GiveBack) -> bool:
        """Give a line to the bot's talk; True when the talk has it and nobody else may answer."""
        if message.relayed:
            return True
        if self.together(message.bot, message.from_):
            return self._talks[message.bot].hear(message, give_back)
        return False

    def takes_public(self, bot: str, speaker: str, text: str, at: datetime) -> bool:
        """The same for a line of public chat, before it is recorded."""
        if not self.together(bot, speaker):
            return False
        self._talks[bot].overhear(bot, speaker, text, at)
        return True

    @contextmanager
    def thinking_elsewhere(self, bot: str) -> Iterator[None]:
        """Let the bot's talk wait for it until the block ends."""
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
