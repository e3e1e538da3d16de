"""Commands out, replies and events in, for one life of Node.

One sender thread carries whatever commands arrived while its last crossing was under way
(so batches grow with the load by themselves); replies of what was done at once come back
with the crossing, all else by one push callback. Pipes neither lose nor reorder, so nothing
is sent twice; pushes are numbered, and a gap means that this Node cannot be trusted."""

from __future__ import annotations

import asyncio
import itertools
import json
import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import structlog

from bridge import wire
from bridge.errors import BridgeDown, BridgeError, BridgeTimeout
from bridge.js.crossing import CrossingFailed

log = structlog.get_logger(__name__)

BATCH_COMMANDS = 512
BATCH_CHARS = 256 * 1024  # Node reads its input character by character: 1 MB takes 0.2 s

_NO_EVENTS = {"reply", "heartbeat"}  # a heartbeat only has to come: every push is a sign of life


class Host(Protocol):
    def submit(self, batch: str) -> str:
        """Carry a batch over and bring its replies. Raises CrossingFailed."""
        ...


@dataclass(frozen=True, slots=True)
class _Waiting:
    operation: str
    answer: asyncio.Future[Any]


class Link:
    """All methods belong to the event loop's thread, but `receive` and `exited`."""

    def __init__(
        self, deliver: Callable[[Sequence[wire.Wire]], None], unread: Callable[[], int]
    ) -> None:
        """`deliver` takes events in their order; `unread` says, in any thread, how many of
        them still wait for their reader."""
        self._loop = asyncio.get_running_loop()
        self._deliver, self._unread = deliver, unread
        self.ended: asyncio.Future[str] = self._loop.create_future()
        """Why this Node is of no more use."""
        self.pushes = 0
        """How many came in."""
        self.crossings = 0
        """How many batches were carried over or are under way."""
        self.is_crossing = False
        self._received = self._taken = 0  # messages; the difference is on its way to the loop
        self._ids = itertools.count(1)
        self._waiting: dict[int, _Waiting] = {}
        self._outgoing = Outgoing()
        self._sender: threading.Thread | None = None

    @property
    def pending(self) -> int:
        """Commands without an answer yet."""
        return len(self._waiting)

    def open(self, host: Host) -> None:
        """Begin to carry commands."""
        self._sender = threading.Thread(
            target=self._send_all, args=(host,), name="node-sender", daemon=True
        )
        self._sender.start()

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

    def close(self) -> None:
        """Wait for the sender to end; Node must be gone. Blocks."""
        self._outgoing.end()
        if self._sender is not None:
            self._sender.join()

    # --- in the reader thread ----------------------------------------------------

    def receive(self, text: str) -> int:
        """Take one push; returns how many events wait unread, by which Node holds back."""
        push = json.loads(text)
        self.pushes += 1
        self._received += len(push["messages"])
        if push["seq"] == self.pushes:
            self._call(self._take_push, push["messages"])
        else:
            self._call(self.fail, f"push {push['seq']} came in place of {self.pushes}")
        return self._unread() + self._received - self._taken

    def exited(self, why: str) -> None:
        self._call(self.fail, why)

    # --- in the sender thread ----------------------------------------------------

    def _send_all(self, host: Host) -> None:
        while batch := self._outgoing.next_batch():
            self.crossings, self.is_crossing = self.crossings + 1, True
            try:
                replies = json.loads(host.submit(batch))
            except CrossingFailed as error:
                self._call(self.fail, str(error))
                return
            self.is_crossing = False
            self._call(self._take_replies, replies)

    # -----------------------------------------------------------------------------

    def _call(self, function: Callable[..., None], *args: Any) -> None:
        try:
            self._loop.call_soon_threadsafe(function, *args)
        except RuntimeError:
            log.debug("link.loop_closed")  # nobody is left to tell

    def _take_push(self, messages: Sequence[wire.Wire]) -> None:
        self._taken += len(messages)
        self._take_replies([message for message in messages if message["t"] == "reply"])
        self._deliver([message for message in messages if message["t"] not in _NO_EVENTS])

    def _take_replies(self, replies: Sequence[wire.Wire]) -> None:
        for reply in replies:
            self._reply(reply)

    def _reply(self, message: wire.Wire) -> None:
        waiting = self._waiting.get(message["id"])
        if waiting is None:
            log.info("command.answered_late", id=message["id"])
        elif "error" in message:
            _settle(waiting.answer, wire.parse_error(waiting.operation, message["error"]))
        elif not waiting.answer.done():
            waiting.answer.set_result(message.get("ok"))

    def _expire(self, number: int, after_s: float) -> None:
        waiting = self._waiting[number]
        _settle(waiting.answer, BridgeTimeout(waiting.operation, after_s))


class Outgoing:
    """Commands that wait for a crossing; put in one thread, taken in another."""

    def __init__(self) -> None:
        self._texts: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._left_over: str | None = None

    def put(self, text: str) -> None:
        self._texts.put(text)

    def end(self) -> None:
        """The next batch, after what was put before, is empty."""
        self._texts.put("")

    def next_batch(self) -> str:
        """Wait for a command and take those that came with it, as a JSON list; '' at the end."""
        first = self._left_over or self._texts.get()
        self._left_over = None
        return f"[{','.join(self._joined_by(first))}]" if first else ""

    def _joined_by(self, first: str) -> list[str]:
        texts, room = [first], BATCH_CHARS - len(first)
        while len(texts) < BATCH_COMMANDS and not self._texts.empty():
            text = self._texts.get()
            if not text or len(text) > room:
                self._set_aside(text)
                break
            texts.append(text)
            room -= len(text)
        return texts

    def _set_aside(self, text: str) -> None:
        if text:
            self._left_over = text
        else:
            self.end()


def _settle(answer: asyncio.Future[Any], error: BridgeError) -> None:
    if not answer.done():
        answer.set_exception(error)
