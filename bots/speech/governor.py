"""One bot's mouth: paced below the server's spam rule, one answer at a time, nothing dropped.

The rule (vanilla server, players who are not operators): each chat message or command adds 20 to
a counter, each tick of 50 ms takes 1 away, above 200 the player is kicked. This bucket keeps its
own such counter, lower and slower: room for lines that the network bunches together, for commands
that did not come through here, and for a server that does not reach 20 ticks a second.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from bots.clock import Sleep, Stopwatch
from bots.errors import SpeechRefused
from bots.speech.graphemes import utf16_length
from bots.speech.sanitise import sanitise
from bots.speech.split import Border, room_for, split
from bridge.world import PlayerName

COST = 20.0  # of one message; the server's
CEILING = 140.0  # the server kicks above 200: three messages in reserve
DRAIN_PER_S = 16.0  # the server takes 20 away in a second of full speed
SHORTEST_WAIT_S = 0.001  # below this the clock's own rounding would be waited for

LONGEST_ANSWER = 4  # lines
LONGEST_QUEUE = 200  # lines not yet sent; at the bucket's pace about four minutes

Listener: TypeAlias = PlayerName | None
"""Whom a line is for; None: everybody, through public chat."""
Send: TypeAlias = Callable[[Listener, str], Awaitable[None]]


class Governor:
    """Says texts, whispered or in public.

    `version` is asked for each text: a bot may change servers."""

    def __init__(
        self,
        send: Send,
        *,
        version: Callable[[], str | None],
        stopwatch: Stopwatch,
        sleep: Sleep,
        pace: bool = True,
    ) -> None:
        self._send = send
        self._version = version
        self._stopwatch = stopwatch
        self._sleep = sleep
        self._pace = pace
        self._turn = asyncio.Lock()  # first come, first served
        self._queued = 0
        self._level = 0.0
        self._level_at = stopwatch()

    async def say(
        self,
        to: Listener,
        text: str,
        *,
        max_wait_s: float | None = None,
        may_order: bool = False,
    ) -> tuple[str, ...]:
        """Say a text; returns the lines as sent, in order and with no other line between.

        Raises SpeechRefused before anything is sent: see `lines` and `tell`.
        """
        return await self.tell(to, self.lines(to, text, may_order=may_order), max_wait_s=max_wait_s)

    def lines(self, to: Listener, text: str, *, may_order: bool = False) -> tuple[str, ...]:
        """The lines `say` would send.

        `may_order` lets a leading `!` or `/` through: only for what an operator typed.
        Raises SpeechRefused: `empty` when nothing sayable is left, `too_long` above 4 lines.
        """
        plain = sanitise(text)
        if not plain:
            raise SpeechRefused("empty", "there is nothing to say in this text")
        room = room_for(to, self._version())
        if utf16_length(plain) <= LONGEST_ANSWER * room:
            for best in (Border.SENTENCE, Border.WORD, Border.GRAPHEME):
                lines = split(plain, room, best, may_order=may_order)
                if len(lines) <= LONGEST_ANSWER:
                    return lines
        raise SpeechRefused(
            "too_long",
            f"the text does not fit {LONGEST_ANSWER} chat lines of {room} characters",
        )

    async def tell(
        self, to: Listener, lines: tuple[str, ...], *, max_wait_s: float | None = None
    ) -> tuple[str, ...]:
        """Say lines made by `lines`. A failing or cancelled call leaves the rest unsaid.

        Raises SpeechRefused `rate_limited`, before anything is sent, when the last line would
        leave later than in `max_wait_s` (None: any wait), or too many lines wait already.
        """
        self._refuse_if_late(len(lines), max_wait_s)
        unsent = len(lines)
        self._queued += unsent
        try:
            async with self._turn:
                for line in lines:
                    await self._send_paced(to, line)
                    self._queued, unsent = self._queued - 1, unsent - 1
        finally:
            self._queued -= unsent
        return lines

    def wait_for(self, lines: int) -> float:
        """Seconds until the last of so many lines would leave, after all that wait already."""
        if not self._pace:
            return 0.0
        over = self._level_now() + COST * (self._queued + lines) - CEILING
        return max(0.0, over / DRAIN_PER_S)

    def _refuse_if_late(self, lines: int, max_wait_s: float | None) -> None:
        wait_s = self.wait_for(lines)
        late = max_wait_s is not None and wait_s > max_wait_s
        if late or (self._pace and self._queued + lines > LONGEST_QUEUE):
            raise SpeechRefused("rate_limited", f"too much to say: it would take {wait_s:.1f} s")

    async def _send_paced(self, to: Listener, line: str) -> None:
        while (wait_s := self._wait_s()) > SHORTEST_WAIT_S:
            await self._sleep(wait_s)
        try:
            await self._send(to, line)
        finally:
            # Counted when it has left, sent or not: the server may have seen it this late.
            self._level, self._level_at = self._level_now() + COST, self._stopwatch()

    def _wait_s(self) -> float:
        return (self._level_now() + COST - CEILING) / DRAIN_PER_S if self._pace else 0.0

    def _level_now(self) -> float:
        drained = (self._stopwatch() - self._level_at) * DRAIN_PER_S
        return max(0.0, self._level - drained)
