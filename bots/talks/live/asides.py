"""Requests to bots of a talk, which see to them outside of it.

"Bob, follow me" is carried out by Bob as if nobody talked: he leaves the floor, decides with his
tools, answers the one who asked, and comes back. Nobody answers such a line in the talk.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeAlias

from bots.chat.natural_message import NaturalMessage

SeesTo: TypeAlias = Callable[[NaturalMessage], Awaitable[bool]]
"""Has the bot of this line decide it outside of talks, if it plainly asks for something to be
done; returns whether it does."""

MOST_REMEMBERED = 50  # requests of one talk; a prompt shows fewer lines


class Asides:
    """The requests of one talk."""

    def __init__(self, sees_to: SeesTo) -> None:
        self._sees_to = sees_to
        self._by: dict[int, tuple[str, ...]] = {}

    @property
    def by(self) -> Mapping[int, tuple[str, ...]]:
        """Of each request's utterance, the bots that saw to it."""
        return self._by

    async def seen_to(
        self, meant_for: Sequence[str], heard: Mapping[str, NaturalMessage], utterance: int
    ) -> tuple[str, ...]:
        """Of the bots that a person's line is meant for, those that see to it.

        `heard` is the line in the history of each bot that heard it."""
        by = tuple([bot for bot in meant_for if await self._sees_to(heard[bot])])
        if by:
            self._by[utterance] = by
            if len(self._by) > MOST_REMEMBERED:
                del self._by[next(iter(self._by))]
        return by
