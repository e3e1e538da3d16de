"""Paces what one bot says below the server's spam limit; drops nothing, mixes no two texts.

Results of commands give way: they wait behind all answers and leave room for them, so a person
who asks something is answered in time however many commands somebody gives.

The limit (vanilla server, players who are not operators): each chat message or command adds 20 to
a counter, each tick of 50 ms takes 1 away, above 200 the player is kicked. We keep a counter of
our own, stricter and slower, to allow for lines that the network bunches together, for commands
that did not come through here, and for a server below 20 ticks a second.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeAlias

from bots.clock import Sleep, Stopwatch
from bots.errors import SpeechRefused
from bots.text.graphemes import utf16_length
from bots.text.lines import Border, room_for, split
from bots.text.sanitise import sanitise
from bridge.world import PlayerName

COST = 20.0  # of one message; the server's
CEILING = 140.0  # the server kicks above 200: three messages in reserve
GIVING_WAY_CEILING = CEILING - 2 * COST  # two messages in reserve for answers
DRAIN_PER_S = 16.0  # the server takes 20 away in a second of full speed
SHORTEST_WAIT_S = 0.001  # below this the clock's own rounding would be waited for

LONGEST_ANSWER = 4  # lines
LONGEST_QUEUE = 200  # lines of either kind not yet sent; at the bucket's pace about four minutes

Listener: TypeAlias = PlayerName | None
"""Whom a line is for; None: everybody, through public chat."""
Send: TypeAlias = Callable[[Listener, str], Awaitable[None]]


class Governor:
    """Sends texts by whisper or public chat, at the pace the server allows.

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
        self._giving_way = asyncio.Lock()  # of those that give way, one at a time wants the turn
        self._queued = {False: 0, True: 0}  # lines not yet sent, by whether they give way
        self._level = 0.0
        self._level_at = stopwatch()

    async def say(
        self,
        to: Listener,
        text: str,
        *,
        max_wait_s: float | None = None,
        may_order: bool = False,
        gives_way: bool = False,
    ) -> tuple[str, ...]:
        """Say a text; returns the lines as sent, in order and with no other line between.

        Raises SpeechRefused before anything is sent: see `lines` and `tell`.
        """
        lines = self.lines(to, text, may_order=may_order)
        return await self.tell(to, lines, max_wait_s=max_wait_s, gives_way=gives_way)

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
        self,
        to: Listener,
        lines: tuple[str, ...],
        *,
        max_wait_s: float | None = None,
        gives_way: bool = False,
    ) -> tuple[str, ...]:
        """Say lines made by `lines`. A failing or cancelled call leaves the rest unsaid.

        Raises SpeechRefused `rate_limited`, before anything is sent, when the last line would
        leave later than in `max_wait_s` (None: any wait), or too many lines wait already.
        """
        self._refuse_if_late(len(lines), max_wait_s, gives_way)
        unsent = len(lines)
        self._queued[gives_way] += unsent
        try:
            async with self._turn_of(gives_way):
                for line in lines:
                    await self._send_paced(to, line)
                    self._queued[gives_way], unsent = self._queued[gives_way] - 1, unsent - 1
        finally:
            self._queued[gives_way] -= unsent
        return lines

    def wait_for(self, lines: int, *, gives_way: bool = False) -> float:
        """Seconds until the last of this many further lines would leave."""
        if not self._pace:
            return 0.0
        before = self._queued[False] + (self._queued[True] if gives_way else 0)
        ceiling = GIVING_WAY_CEILING if gives_way else CEILING
        return max(0.0, (self._level_now() + COST * (before + lines) - ceiling) / DRAIN_PER_S)

    def _refuse_if_late(self, lines: int, max_wait_s: float | None, gives_way: bool) -> None:
        wait_s = self.wait_for(lines, gives_way=gives_way)
        late = max_wait_s is not None and wait_s > max_wait_s
        if late or (self._pace and self._queued[gives_way] + lines > LONGEST_QUEUE):
            raise SpeechRefused("rate_limited", f"too much to say: it would take {wait_s:.1f} s")

    @asynccontextmanager
    async def _turn_of(self, gives_way: bool) -> AsyncIterator[None]:
        if not gives_way:
            async with self._turn:
                yield
            return
        async with self._giving_way:
            await self._until_room(GIVING_WAY_CEILING)  # not in the turn: answers overtake
            async with self._turn:
                yield

    async def _until_room(self, ceiling: float) -> None:
        """Wait until one more line stays below the ceiling."""
        while self._pace:
            wait_s = (self._level_now() + COST - ceiling) / DRAIN_PER_S
            if wait_s <= SHORTEST_WAIT_S:
                return
            await self._sleep(wait_s)

    async def _send_paced(self, to: Listener, line: str) -> None:
        await self._until_room(CEILING)
        try:
            await self._send(to, line)
        finally:
            # Counted when it has left, sent or not: the server may have seen it this late.
            self._level, self._level_at = self._level_now() + COST, self._stopwatch()

    def _level_now(self) -> float:
        drained = (self._stopwatch() - self._level_at) * DRAIN_PER_S
        return max(0.0, self._level - drained)
