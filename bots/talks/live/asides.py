"""Requests to bots of a talk, which see to them outside of it.

"Bob, follow me" is carried out by Bob as if nobody talked: he leaves the floor, decides with his
tools, answers the one who asked, and comes back. Nobody answers such a line in the talk. Plain
requests are recognised as they are heard; what only a model understands, in that bot's turn. Who
sees to what is stored, so that no other bot takes it after a restart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Protocol

from bots.chat.natural_message import NaturalMessage
from bots.talks.live.storage import TalkRecord

MOST_REMEMBERED = 50  # requests of one talk; a prompt shows fewer lines


class Deciders(Protocol):
    """The bots as they decide outside of talks."""

    async def sees_to(self, message: NaturalMessage) -> bool:
        """Have the bot of this line decide it, if it plainly asks for something to be done; returns
        whether it does."""
        ...

    async def decide(self, message: NaturalMessage) -> None:
        """Have the bot of this line decide it."""
        ...


class Asides:
    """The requests of one talk. `seen_to` are those from before a restart."""

    def __init__(
        self, deciders: Deciders, record: TalkRecord, seen_to: Mapping[int, tuple[str, ...]]
    ) -> None:
        self._deciders, self._record = deciders, record
        self._by = dict(islice(seen_to.items(), max(0, len(seen_to) - MOST_REMEMBERED), None))

    @property
    def by(self) -> Mapping[int, tuple[str, ...]]:
        """Of each request's utterance, the bots that saw to it."""
        return self._by

    async def seen_to(
        self, meant_for: Sequence[str], heard: Mapping[str, NaturalMessage], utterance: int
    ) -> tuple[str, ...]:
        """Of the bots that a person's line is meant for, those that see to it.

        `heard` is the line in the history of each bot that heard it."""
        by = tuple([bot for bot in meant_for if await self._deciders.sees_to(heard[bot])])
        if by:
            await self._remember(utterance, by)
        return by

    async def see_to(self, heard: NaturalMessage, utterance: int) -> None:
        """Have a bot decide a line that it understood as a request in its turn."""
        await self._remember(utterance, (heard.bot,))
        await self._deciders.decide(heard)

    async def _remember(self, utterance: int, by: tuple[str, ...]) -> None:
        self._by[utterance] = by
        await self._record.sees_to(utterance, by)
        if len(self._by) > MOST_REMEMBERED:
            del self._by[next(iter(self._by))]
