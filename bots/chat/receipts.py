"""Receipts: matches lines that a bot hears from our other bots with their utterances.

We store a line between two of our bots when one says it. When it reaches the other bot, it is not a
new line but a receipt:

    expect ── first line ── … ── last line ──> whole: heard, delivered
       └───────── time is up, or the block ends ──> lapsed: undelivered; what came is in `heard`

A line that matches no expectation was typed by somebody else: record it as heard. Where a plugin
shows whispers in a form of its own, the awaited words at the end of its line are the receipt.
"""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from types import TracebackType
from typing import Final

from bridge.versions import place_of

IN_FLIGHT = 64  # utterances awaited between one pair of bots; the oldest lapses for a new one
RECEIPT_WITHIN_S = 2.0  # after the last line was sent


@dataclass(frozen=True, slots=True)
class Partial:
    """A line of an awaited utterance that is still incomplete."""

    utterance_id: int


class Receipt:
    """The awaited arrival of one utterance; as a context manager it lapses with the block."""

    def __init__(self, receipts: Receipts, pair: _Pair, utterance_id: int, lines: _Lines) -> None:
        self.utterance_id: Final = utterance_id
        self._receipts = receipts
        self._pair = pair
        self._lines = lines
        self._heard: list[str] = []
        self._next = 0
        self._over = asyncio.Event()
        self._recorded = asyncio.Event()

    @property
    def listener(self) -> str:
        return self._pair[1]

    @property
    def heard(self) -> tuple[str, ...]:
        """The lines that arrived so far. After a lapse the listener knows only these."""
        return tuple(self._heard)

    @property
    def delivered(self) -> bool:
        """Note that every line arrived."""
        return len(self._heard) == len(self._lines)

    async def wait(self, timeout_s: float = RECEIPT_WITHIN_S) -> bool:
        """Wait until it is delivered; False when that takes too long, and then it has lapsed.

        Count the time from when the last line was sent, not from when it was queued.
        """
        try:
            async with asyncio.timeout(timeout_s):
                await self._over.wait()
        except TimeoutError:
            self.lapse()
        return self.delivered

    async def wait_recorded(self, timeout_s: float = RECEIPT_WITHIN_S) -> bool:
        """After `wait`: wait until the listener's history has it too; False when too late."""
        try:
            async with asyncio.timeout(timeout_s):
                await self._recorded.wait()
        except TimeoutError:
            return False
        return True

    async def wait_both(self) -> bool:
        """Wait until it is delivered and recorded; False when it does not come."""
        if not await self.wait(RECEIPT_WITHIN_S):
            return False
        await self.wait_recorded()
        return True

    @property
    def next_line(self) -> str:
        """The next expected line."""
        return self._lines[self._next]

    def record(self) -> None:
        """Let `wait_recorded` go on."""
        self._recorded.set()

    def lapse(self) -> None:
        """Stop expecting it: later lines match nothing."""
        self._over.set()
        self._receipts.forget(self._pair, self)

    def position_of(self, line: str, *, skipping: bool) -> int | None:
        """Where among the lines still to come this is: the next, or with `skipping` any later."""
        end = len(self._lines) if skipping else self._next + 1
        try:
            return self._lines.index(line, self._next, end)
        except ValueError:
            return None

    def take(self, position: int) -> None:
        """Note the line at `position` as heard; those before it were lost."""
        self._heard.append(self._lines[position])
        self._next = position + 1
        if self.delivered:
            self._receipts.arrived(self)
        if self._next == len(self._lines):
            self.lapse()

    def __enter__(self) -> Receipt:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.lapse()


_Pair = tuple[str, str, bool]  # speaker, listener, in public
_Lines = tuple[str, ...]


class Receipts:
    """All utterances on their way between our own bots."""

    def __init__(self) -> None:
        self._awaited: defaultdict[_Pair, deque[Receipt]] = defaultdict(deque)
        self._unrecorded: dict[tuple[int, str], Receipt] = {}  # utterance, listener

    def expect(
        self,
        speaker: str,
        listener: str,
        utterance_id: int,
        lines: Sequence[str],
        *,
        public: bool = False,
    ) -> Receipt:
        """Await an utterance, told as `lines`. Call it before the first line is sent."""
        pair = (speaker, listener, public)
        receipt = Receipt(self, pair, utterance_id, tuple(map(_plain, lines)))
        awaited = self._awaited[pair]
        awaited.append(receipt)
        if len(awaited) > IN_FLIGHT:
            awaited[0].lapse()
        return receipt

    def match(
        self, listener: str, speaker: str, line: str, *, public: bool = False
    ) -> int | Partial | None:
        """The utterance of `speaker` that a line to `listener` belongs to.

        The utterance's id when it is whole now, Partial when it is not, None when nothing like
        it is awaited. Whoever gets an id calls `recorded` in the end.
        """
        awaited, plain = self._awaited.get((speaker, listener, public), ()), _plain(line)
        # Begun ones first, as the lines of one utterance come together; a lost line last.
        likely = sorted(awaited, key=lambda receipt: not receipt.heard)
        for skipping, receipt in product((False, True), likely):
            position = receipt.position_of(plain, skipping=skipping)
            if position is not None:
                receipt.take(position)
                number = receipt.utterance_id
                return number if receipt.delivered else Partial(number)
        return None

    def awaited_in(
        self, listener: str, whole: str, *, by: str | None = None, public: bool = False
    ) -> tuple[str, str] | None:
        """Speaker and words of an awaited line which stands at the end of a line of the server,
        whose speaker seems to be `by`."""
        plain = _plain(whole)
        for (speaker, hearer, is_public), awaited in self._awaited.items():
            if (hearer, is_public) != (listener, public) or by not in (None, speaker):
                continue
            for receipt in awaited:
                # A name comes first and then these words as a whole: `look` shows no `ok`.
                head = plain.removesuffix(receipt.next_line)
                is_cut = re.search(r"\w$", head, re.ASCII) is not None
                if head != plain and not is_cut and place_of(speaker, head) is not None:
                    return speaker, receipt.next_line
        return None

    def arrived(self, receipt: Receipt) -> None:
        """Every line of it came; the listener is about to record it."""
        self._unrecorded[receipt.utterance_id, receipt.listener] = receipt

    def recorded(self, utterance_id: int, listener: str) -> None:
        """The listener recorded what `match` returned, or never will."""
        receipt = self._unrecorded.pop((utterance_id, listener), None)
        if receipt is not None:
            receipt.record()

    def forget(self, pair: _Pair, receipt: Receipt) -> None:
        awaited = self._awaited.get(pair)
        if awaited is None or receipt not in awaited:
            return
        awaited.remove(receipt)
        if not awaited:
            del self._awaited[pair]


def _plain(line: str) -> str:
    """Normalise white space, which servers may fold."""
    return " ".join(line.split())
