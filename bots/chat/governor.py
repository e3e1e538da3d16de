"""Paces what one bot says below the server's spam limit; drops nothing, mixes no two texts.

Owners come first, then trusted players, other players and our own bots.
Speakers of one rank take turns. Inside a rank, results of commands wait behind all answers and
leave room for them, so that a person gets an answer in time, however many commands somebody gives.

The limit (vanilla server, players who are not operators): each chat message or command adds 20 to
a counter, each tick of 50 ms takes 1 away, above 200 the player is kicked. We keep a counter of
our own, stricter and slower, to allow for lines that the network bunches together, for commands
that did not come through here, and for a server below 20 ticks a second.

If the bot loses its connection, it says the waiting line after its return, as long as the text may
wait: the asker gets the answer.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from bots.access.permissions import Precedence, Rank
from bots.clock import Sleep, Stopwatch
from bots.errors import SpeechRefused
from bots.text.lines import Border, room_for, split, utf16_length
from bots.text.sanitise import sanitise
from bridge.errors import BridgeDown, NotConnected
from bridge.port import WHISPER_COMMAND
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
        texts = of_rank.setdefault(text.speaker, deque())
        texts.append(text)
        try:
            yield
        finally:  # said or not; its speaker is the last of the rank now
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

    def _wake_first(self) -> None:
        if self._speaking is None and (first := self._first()) is not None:
            first.woken.set()


COST = 20.0  # what the server adds for each message
CEILING = 140.0  # the server kicks above 200: three messages in reserve
GIVING_WAY_CEILING = CEILING - 2 * COST  # two messages in reserve for answers
DRAIN_PER_S = 16.0  # the server takes 20 away in a second of full speed
SHORTEST_WAIT_S = 0.001  # shorter waits are rounding errors of the clock

LONGEST_ANSWER = 4  # lines
LONGEST_QUEUE = 200  # unsent lines of a rank; at the bucket's pace about four minutes
MOST_LISTENERS = 200  # we keep the time of the last line to each of these
FEW_LINES = 20  # unsent lines that a speaker may have even if the rank's queue is full

Listener: TypeAlias = PlayerName | None
"""The listener of a line; None means public chat."""
Send: TypeAlias = Callable[[Listener, str], Awaitable[None]]


class Governor:
    """Sends texts by whisper or public chat, at the pace the server allows.

    `version` is asked for each text: a bot may change servers. `rank` is that of whoever a text
    is said for. `back` waits until the bot has come into the world anew, False if it has not.
    `whisper_command` is the longest that whispers may go by."""

    def __init__(
        self,
        send: Send,
        *,
        version: Callable[[], str | None],
        rank: Callable[[str | None], Rank],
        back: Callable[[], Awaitable[bool]],
        stopwatch: Stopwatch,
        sleep: Sleep,
        pace: bool = True,
        whisper_command: str = WHISPER_COMMAND,
    ) -> None:
        self._send = send
        self._version = version
        self._stopwatch = stopwatch
        self._pace = pace
        self._whisper_command = whisper_command
        self._rank, self._back = rank, back
        self._turns = FairTurns(self._wait_s, sleep)
        self._level = 0.0
        self._level_at = stopwatch()
        self._last_s: dict[Listener, float] = {}

    async def say(
        self,
        to: Listener,
        text: str,
        *,
        max_wait_s: float | None = None,
        may_order: bool = False,
        gives_way: bool = False,
        on_behalf_of: str | None = None,
    ) -> tuple[str, ...]:
        """Say a text; returns the lines as sent, in order, with no other line to
        the same listener between.

        Raises SpeechRefused before anything is sent: see `lines` and `tell`.
        """
        lines = self.lines(to, text, may_order=may_order)
        return await self.tell(
            to, lines, max_wait_s=max_wait_s, gives_way=gives_way, on_behalf_of=on_behalf_of
        )

    def lines(self, to: Listener, text: str, *, may_order: bool = False) -> tuple[str, ...]:
        """The lines `say` would send.

        `may_order` lets a leading `!` or `/` through: only for what an operator typed.
        Raises SpeechRefused: `empty` when nothing sayable is left, `too_long` above 4 lines.
        """
        plain = sanitise(text)
        if not plain:
            raise SpeechRefused("empty", "there is nothing to say in this text")
        room = room_for(to, self._version(), self._whisper_command)
        if utf16_length(plain) <= LONGEST_ANSWER * room:
            for best in (Border.SENTENCE, Border.WORD, Border.GRAPHEME):
                lines = split(plain, room, best, may_order=may_order)
                if len(lines) <= LONGEST_ANSWER:
                    return lines
        raise SpeechRefused(
            "too_long",
            f"the text does not fit {LONGEST_ANSWER} chat lines of {room} characters",
        )

    def fits(self, to: Listener, text: str) -> bool:
        """Whether a text is short enough to say."""
        try:
            self.lines(to, text)
        except SpeechRefused as refusal:
            return refusal.reason != "too_long"
        return True

    async def tell(
        self,
        to: Listener,
        lines: tuple[str, ...],
        *,
        max_wait_s: float | None = None,
        gives_way: bool = False,
        on_behalf_of: str | None = None,
    ) -> tuple[str, ...]:
        """Say lines made by `lines`. A failing or cancelled call leaves the rest unsaid; one that
        may take any time outlasts a loss of the connection.

        `on_behalf_of` had it said; None: it is said for the listener. Raises SpeechRefused
        `rate_limited`, before anything is sent, when the last line would leave later than in
        `max_wait_s` (None: any wait), or too many lines wait already.
        """
        text = self._text(to, len(lines), gives_way, on_behalf_of)
        wait_s = self._wait_of(text)
        late = max_wait_s is not None and wait_s > max_wait_s
        if late or (self._pace and self._is_full(text)):
            raise SpeechRefused("rate_limited", f"too much to say: it would take {wait_s:.1f} s")
        with self._turns.queued(text):
            for line in lines:
                await self._turns.turn(text)
                try:
                    await self._send_at_last(to, line, is_patient=max_wait_s is None)
                finally:
                    self._turns.said(text)
        return lines

    def last_said_s(self, to: Listener) -> float:
        """Stopwatch time of the last line to a listener; now, when none is known."""
        return self._last_s.get(to, self._stopwatch())

    def spoke_s(self, to: Listener) -> float | None:
        """The same; None when none is known."""
        return self._last_s.get(to)

    def wait_for(self, lines: int, to: Listener = None, *, gives_way: bool = False) -> float:
        """Seconds until the last of this many further lines would leave."""
        return self._wait_of(self._text(to, lines, gives_way, None))

    def _text(self, to: Listener, lines: int, gives_way: bool, on_behalf_of: str | None) -> Text:
        speaker = on_behalf_of or to
        rank = 2 * self._rank(speaker) + (0 if gives_way else 1)
        return Text(to, speaker or "", rank, lines, gives_way)

    def _wait_of(self, text: Text) -> float:
        if not self._pace:
            return 0.0
        lines = self._turns.lines(at_least=text.rank) + text.unsent
        return max(0.0, (self._level_now() + COST * lines - _ceiling(text)) / DRAIN_PER_S)

    def _is_full(self, text: Text) -> bool:
        of_rank = self._turns.lines_of(text.rank) + text.unsent
        own = self._turns.lines_of(text.rank, text.speaker) + text.unsent
        return of_rank > LONGEST_QUEUE and own > FEW_LINES

    def _wait_s(self, text: Text) -> float:
        """Seconds until one more line stays below the ceiling."""
        if not self._pace:
            return 0.0
        wait_s = (self._level_now() + COST - _ceiling(text)) / DRAIN_PER_S
        return wait_s if wait_s > SHORTEST_WAIT_S else 0.0

    async def _send_at_last(self, to: Listener, line: str, *, is_patient: bool) -> None:
        """Send a line; if it is patient and the bot out of the world, when that is back."""
        while True:
            try:
                return await self._send_counted(to, line)
            except (BridgeDown, NotConnected):
                if not is_patient or not await self._back():
                    raise

    async def _send_counted(self, to: Listener, line: str) -> None:
        self._last_s.pop(to, None)
        self._last_s[to] = self._stopwatch()
        if len(self._last_s) > MOST_LISTENERS:
            del self._last_s[next(iter(self._last_s))]
        try:
            await self._send(to, line)
        finally:
            # Counted after the attempt, whether it worked or not: the server may have seen it now.
            self._level, self._level_at = self._level_now() + COST, self._stopwatch()

    def _level_now(self) -> float:
        drained = (self._stopwatch() - self._level_at) * DRAIN_PER_S
        return max(0.0, self._level - drained)


def _ceiling(text: Text) -> float:
    """A text that gives way leaves room before it begins; then it counts as an answer."""
    return GIVING_WAY_CEILING if text.gives_way and not text.begun else CEILING
