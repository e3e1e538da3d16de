"""Begins a little talk between two bots now and then, never while a person is talking.

Only the first line is said here. The rest is each bot answering what it heard, until the limit on
turns without a person ends it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from itertools import permutations

from bots.bot.bot import Bot
from bots.chat.turn_taking import PersonTalk, TurnLimit
from bots.clock import Times
from bots.observability.trace import TraceLog
from bridge.errors import BotError

FIRST_AFTER_S = 2.0  # after two have joined: soon, while somebody is watching

Opener = Callable[[Bot, Bot], Awaitable[str]]
"""Finds the first bot's line to the second."""


class SmallTalk:
    """Begins talks between two bots. `run` is owned by the daemon."""

    def __init__(
        self,
        bots: Callable[[], Sequence[Bot]],
        opener: Opener,
        *,
        every_s: float,
        hearing_range: float,
        persons: PersonTalk,
        turns: TurnLimit,
        trace: TraceLog,
        times: Times,
    ) -> None:
        self._bots, self._opener = bots, opener
        self._every_s, self._range = every_s, hearing_range
        self._persons, self._turns = persons, turns
        self._trace, self._times = trace, times

    async def run(self) -> None:
        """Begin a talk soon, then every `every_s` on average, until cancelled."""
        while len(self._bots()) < 2:  # a server may let them in late, one by one
            await self._times.sleep(FIRST_AFTER_S)
        await self._times.sleep(FIRST_AFTER_S)  # they see each other
        while True:
            await self._begin()
            await self._times.sleep(self._every_s * (0.75 + self._times.rng.random() / 2))

    async def _begin(self) -> None:
        bots = self._bots()
        pairs = list(permutations(bots, 2))
        if not pairs or self._persons.going_on(*(bot.name for bot in bots)):
            return
        first, second = self._times.rng.choice(pairs)
        try:
            text = await self._opener(first, second)
            self._turns.begin_talk(first.name, second.name)
            sent = await first.tell(second.name, text, self._range)
        except BotError as error:  # e.g. a bot just left the world; try again next time
            self._trace.note("smalltalk.failed", first.name, to=second.name, why=str(error))
        else:
            self._trace.note("smalltalk.begun", first.name, to=second.name, heard=sent.success)
