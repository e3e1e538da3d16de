"""The link to one Node: batches out, events in, and the watch that notices when it falls silent."""

from __future__ import annotations

import asyncio
import itertools
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import structlog

from bridge import wire
from bridge.errors import BridgeDown, BridgeError, BridgeTimeout
from bridge.foreign_json import read_json, read_object

log = structlog.get_logger(__name__)

BATCH_COMMANDS = 512
BATCH_CHARS = 256 * 1024  # Node reads its input character by character: 1 MB takes 0.2 s

_NO_EVENTS = {"reply", "heartbeat"}  # a heartbeat only has to come: every push is a sign of life

TICK_S: Final = 0.25
STILL_TICKS: Final = 9  # Node's beat comes every 0.5 s (host/heartbeat.cjs): 2.25 to 2.5 s
JOINING_TICKS: Final = 24  # 6 s: while a bot joins, Node stands still to load its version's data
LASTING_S: Final = 5.0
FIRST_DELAY_S: Final = 0.1
LONGEST_DELAY_S: Final = 3.0


class Host(Protocol):
    def submit(self, batch: str, answered: Callable[[str], None]) -> None:
        """Carry a batch over and return at once; `answered` gets its replies."""
        ...


@dataclass(frozen=True, slots=True)
class _Waiting:
    operation: str
    answer: asyncio.Future[Any]


class Link:
    """All of it belongs to the event loop's thread."""

    def __init__(
        self, deliver: Callable[[Sequence[wire.Wire]], None], unread: Callable[[], int]
    ) -> None:
        """`deliver` takes events in their order; `unread` says how many of them still wait for
        their reader."""
        self._loop = asyncio.get_running_loop()
        self._deliver, self._unread = deliver, unread
        self.ended: asyncio.Future[str] = self._loop.create_future()
        """Why this Node is of no more use."""
        self.pushes = 0
        """How many came in."""
        self.crossings = 0
        """How many batches were carried over or are under way."""
        self.is_crossing = False
        self._is_next_due = False
        self._ids = itertools.count(1)
        self._waiting: dict[int, _Waiting] = {}
        self._outgoing = Outgoing()
        self._host: Host | None = None

    @property
    def pending(self) -> int:
        """Commands without an answer yet."""
        return len(self._waiting)

    @property
    def is_joining(self) -> bool:
        """Whether a bot is on its way into a world."""
        return any(waiting.operation == "spawn" for waiting in self._waiting.values())

    def open(self, host: Host) -> None:
        """Begin to carry commands."""
        self._host = host
        self._cross()

    async def command(
        self, operation: str, bot: str | None, args: Mapping[str, Any], timeout_s: float
    ) -> Any:
        """Run one operation of the host and return its value.

        Raises BridgeDown, BridgeTimeout, or what the host's error stands for."""
        if self.ended.done():
            raise BridgeDown(operation, self.ended.result())
        number, answer = next(self._ids), self._loop.create_future()
        text = wire.command(number, operation, bot, args)
        self._waiting[number] = _Waiting(operation, answer)
        self._outgoing.put(text)
        if not self.is_crossing and not self._is_next_due:
            self._cross()
        deadline = self._loop.call_later(timeout_s, self._expire, number, timeout_s)
        try:
            return await answer
        finally:
            deadline.cancel()
            self._waiting.pop(number, None)

    def fail(self, why: str) -> None:
        """Node is gone: every command under way has an unknown outcome."""
        if self.ended.done():
            return
        self.ended.set_result(why)
        for waiting in self._waiting.values():
            _settle(waiting.answer, BridgeDown(waiting.operation, why))

    # --- what Node sends ---------------------------------------------------------

    def receive(self, text: str) -> int:
        """Take one push; returns how many events wait unread, by which Node holds back."""
        self.pushes += 1
        try:
            push = read_object(text)
            number, messages = push["seq"], push["messages"]
        except wire.BROKEN as error:
            self.fail(f"push {self.pushes} cannot be read: {error!r}")
            return self._unread()
        if number == self.pushes:
            self._take_push(messages)
        else:
            self.fail(f"push {number} came in place of {self.pushes}")
        return self._unread()

    def answered(self, replies: str) -> None:
        """Take the replies that a crossing brought."""
        try:
            self._take_replies(read_json(replies))
        except wire.BROKEN as error:
            self.fail(f"replies cannot be read: {error!r}")
        self.is_crossing = False
        # After those who got a reply: what they send next goes along.
        self._is_next_due = True
        self._loop.call_soon(self._cross)

    # -----------------------------------------------------------------------------

    def _cross(self) -> None:
        self._is_next_due = False
        if self._host is not None and (batch := self._outgoing.next_batch()):
            self.crossings, self.is_crossing = self.crossings + 1, True
            self._host.submit(batch, self.answered)

    def _take_push(self, messages: Sequence[wire.Wire]) -> None:
        try:
            replies = [message for message in messages if message["t"] == "reply"]
            events = [message for message in messages if message["t"] not in _NO_EVENTS]
        except wire.BROKEN as error:
            self.fail(f"push {self.pushes} holds what is no message: {error!r}")
            return
        self._take_replies(replies)
        self._deliver(events)

    def _take_replies(self, replies: Sequence[wire.Wire]) -> None:
        try:
            for reply in replies:
                waiting = self._waiting.get(reply["id"])
                if waiting is None:
                    log.info("command.answered_late", id=reply["id"])
                elif "error" in reply:
                    _settle(waiting.answer, wire.parse_error(waiting.operation, reply["error"]))
                elif not waiting.answer.done():
                    waiting.answer.set_result(reply.get("ok"))
        except wire.BROKEN as error:
            self.fail(f"a reply cannot be read: {error!r}")

    def _expire(self, number: int, after_s: float) -> None:
        waiting = self._waiting[number]
        _settle(waiting.answer, BridgeTimeout(waiting.operation, after_s))


class Outgoing:
    """Commands that wait for a crossing."""

    def __init__(self) -> None:
        self._texts: deque[str] = deque()

    def put(self, text: str) -> None:
        self._texts.append(text)

    def next_batch(self) -> str:
        """What waits and fits, as a JSON list; '' when nothing does."""
        texts: list[str] = []
        room = BATCH_CHARS
        while self._texts and len(texts) < BATCH_COMMANDS:
            room -= len(self._texts[0])
            if room < 0 and texts:
                break
            texts.append(self._texts.popleft())
        return f"[{','.join(texts)}]" if texts else ""


def _settle(answer: asyncio.Future[Any], error: BridgeError) -> None:
    if not answer.done():
        answer.set_exception(error)


async def watch(link: Link) -> None:
    """End the link when Node falls silent or keeps a batch; returns when the link has ended.

    Ticks are counted, not seconds: while this very process stands still, as in a suspended
    computer, nothing is held against Node."""
    pushes, batches = _Stillness(), _Stillness()
    while not link.ended.done():
        most = JOINING_TICKS if link.is_joining else STILL_TICKS
        if pushes.after(link.pushes) >= most:
            link.fail(f"Node has been silent for {most * TICK_S:g} s")
        if batches.after(link.crossings if link.is_crossing else None) >= most:
            link.fail(f"Node has kept a batch for {most * TICK_S:g} s")
        await asyncio.wait({link.ended}, timeout=TICK_S)


class RestartPace:
    """How long to wait before Node is started again: not at all, but for one that keeps
    dying twice as long each time."""

    def __init__(self) -> None:
        self._delay_s = 0.0

    def delay_s(self, lived_s: float) -> float:
        """The wait after a Node that lived so long; 0 s for one that did not start."""
        delay_s = 0.0 if lived_s >= LASTING_S else self._delay_s
        self._delay_s = min(max(2 * delay_s, FIRST_DELAY_S), LONGEST_DELAY_S)
        return delay_s


class _Stillness:
    """Counts how many looks in a row showed the same thing."""

    def __init__(self) -> None:
        self._seen: int | None = None
        self._looks = 0

    def after(self, seen: int | None) -> int:
        same = seen is not None and seen == self._seen
        self._looks, self._seen = self._looks + 1 if same else 0, seen
        return self._looks
