"""Turns to speak: one line at a time, higher ranks first, round-robin by speaker inside a rank.

A text keeps its turn until it is said, except that a higher rank may step in between two lines
for different listeners: so whispers to one listener are never mixed.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from bots.access.precedence import Precedence, Rank
from bots.clock import Sleep
from bridge.world import PlayerName


@dataclass(eq=False, slots=True)
class Text:
    """Waiting lines of one text."""

    to: PlayerName | None
    speaker: str
    """The speaker who gets the answer: speakers of a rank take turns."""
    rank: Rank
    unsent: int
    gives_way: bool
    begun: bool = False
    woken: asyncio.Event = field(default_factory=asyncio.Event)


class FairTurns:
    """Decides who says the next line. `wait_s` tells how long a text must wait for room."""

    def __init__(self, wait_s: Callable[[Text], float], sleep: Sleep) -> None:
        self._wait_s, self._sleep = wait_s, sleep
        self._precedence = Precedence()
        self._queues: dict[Rank, OrderedDict[str, deque[Text]]] = {}
        self._speaking: Text | None = None

    @contextmanager
    def queued(self, text: Text) -> Iterator[None]:
        """Let a text wait for its turns while the block lasts."""
        of_rank = self._queues.setdefault(text.rank, OrderedDict())
        of_rank.setdefault(text.speaker, deque()).append(text)
        try:
            yield
        finally:
            self._leave(text)

    async def turn(self, text: Text) -> None:
        """Wait until this text may say its next line; then nobody else may until `said`."""
        while (wait_s := self._wait_s(text)) > 0 or not self._is_next(text):
            if self._is_next(text):
                await self._sleep(wait_s)
            else:
                text.woken.clear()
                await text.woken.wait()
        self._speaking, text.begun = text, True
        self._precedence.served(text.rank, self._queues.keys())

    def said(self, text: Text) -> None:
        """Note that the line was sent or failed."""
        text.unsent -= 1
        self._speaking = None
        self._wake_first()

    def lines(self, *, at_least: Rank) -> int:
        """Unsent lines of these ranks."""
        ranks = [rank for rank in self._queues if rank >= at_least]
        return sum(self._count(rank).total() for rank in ranks)

    def lines_of(self, rank: Rank, speaker: str | None = None) -> int:
        """Unsent lines of a rank, or of one speaker in it."""
        counted = self._count(rank)
        return counted.total() if speaker is None else counted[speaker]

    def _is_next(self, text: Text) -> bool:
        return self._speaking is None and self._first() is text

    def _count(self, rank: Rank) -> Counter[str]:
        speakers = self._queues.get(rank, OrderedDict()).items()
        return Counter({name: sum(text.unsent for text in texts) for name, texts in speakers})

    def _first(self) -> Text | None:
        """Whose line is next: a text under way goes on unless a higher rank steps in."""
        if not self._queues:
            return None
        rank = self._precedence.first(self._queues.keys())
        newest = self._foremost(rank)
        under_way = [text for text in map(self._foremost, self._queues) if text.begun]
        going_on = [text for text in under_way if text.to == newest.to]
        return going_on[0] if going_on else newest

    def _foremost(self, rank: Rank) -> Text:
        speakers = self._queues[rank]
        return next(iter(speakers.values()))[0]

    def _leave(self, text: Text) -> None:
        """Take a text out, said or not; its speaker is the last of the rank now."""
        of_rank = self._queues[text.rank]
        texts = of_rank[text.speaker]
        texts.remove(text)
        if not texts:
            del of_rank[text.speaker]
        elif text.begun:
            of_rank.move_to_end(text.speaker)
        if not of_rank:
            del self._queues[text.rank]
        if self._speaking is text:
            self._speaking = None
        self._wake_first()

    def _wake_first(self) -> None:
        if self._speaking is None and (first := self._first()) is not None:
            first.woken.set()
