"""The port between daemons: messages, requests, durable streams, and leases.

Names are words of letters, digits, `_` and `-`, joined by dots, as `history.Alice`; others are a
ValueError. Every call ends within `WITHIN_S` unless it says otherwise.

BotError
└── BusError
    ├── BusUnavailable    the broker does not answer in time; what was asked may have happened
    ├── NobodyAnswers     no daemon answers requests of this name, or not in time
    ├── StreamMoved       somebody else has appended to the stream
    ├── NoEntry           an entry of a home's stream cannot be read (journal.py)
    └── LeaseLost         the lease ran out, and somebody else may hold it
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol, TypeAlias

import structlog

from bridge.errors import BotError

log = structlog.get_logger()

WITHIN_S = 2.0
PAGE = 500  # entries of a stream that are read at once
LARGEST = 512 * 1024  # bytes; brokers take 1 MiB unless told otherwise
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}(\.[A-Za-z0-9_-]{1,64}){0,7}")

Answer: TypeAlias = Callable[[bytes], Awaitable[bytes]]


class BusError(BotError):
    """Something between the daemons failed."""


BusCause: TypeAlias = Literal["silent", "refused", "full", "no_majority", "other"]


class BusUnavailable(BusError):
    """The broker did not answer in time, or cannot do it now. What was asked may have happened all
    the same."""

    def __init__(self, text: str, cause: BusCause = "silent") -> None:
        super().__init__(text)
        self.cause: BusCause = cause

    @property
    def lasts(self) -> bool:
        """Whether it stays so until a person does something."""
        return self.cause in ("refused", "full")


class NobodyAnswers(BusError):
    """No daemon answers requests of this name, or not in time."""


class StreamMoved(BusError):
    """Somebody else has appended to the stream since it was read."""


class LeaseLost(BusError):
    """The lease ran out or was taken by somebody else."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a durable stream."""

    position: int
    """Grows within a stream, with gaps."""
    body: bytes


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to something, until it runs out."""

    name: str
    holder: str
    token: int
    """Greater than that of every earlier lease of this name: who has a smaller one is late."""
    revision: int
    """Of the last renewal; the broker compares it."""


class Bus(Protocol):
    """What carries between daemons; all of one cluster see the same."""

    lease_s: float
    """How long a lease lasts after it was taken or renewed."""

    @property
    def is_up(self) -> bool:
        """Whether the broker is connected, as far as is known; calls wait for it else."""
        ...

    @property
    def trouble(self) -> str | None:
        """Why nothing can be stored there now, as far as is known; None while all is well."""
        ...

    async def publish(self, name: str, body: bytes) -> None:
        """Send to whoever listens now; a message may be lost. Raises BusUnavailable."""
        ...

    def listen(self, name: str) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        """Messages of this name from now on, while the block lasts; a slow reader loses
        some. Raises BusUnavailable."""
        ...

    async def request(self, name: str, body: bytes, within_s: float = WITHIN_S) -> bytes:
        """Ask whoever answers this name. Raises NobodyAnswers."""
        ...

    def answering(self, name: str, answer: Answer) -> AbstractAsyncContextManager[None]:
        """Answer requests of this name while the block lasts, several at a time.

        A ValueError of `answer` says that what was asked is no question: it is logged in a line,
        and the asker gets no bytes. What else it raises is a mistake of ours, and its asker waits
        in vain. Raises BusUnavailable."""
        ...

    async def append(self, stream: str, body: bytes, after: int | None = None) -> int:
        """Append to a durable stream; returns the position once the broker has stored it.

        With `after` only if that is the position of the last entry, 0 for none: else StreamMoved.
        Raises BusUnavailable."""
        ...

    async def read(self, stream: str, after: int = 0, most: int = PAGE) -> tuple[Entry, ...]:
        """The next entries after a position, `PAGE` at most; none at the end.

        Raises BusUnavailable."""
        ...

    async def last(self, stream: str) -> Entry | None:
        """The last entry; None when there is none. Raises BusUnavailable."""
        ...

    async def drop(self, stream: str, before: int) -> None:
        """Drop the entries before a position for good. Raises BusUnavailable."""
        ...

    async def before(self, stream: str, at: datetime) -> int:
        """A position before all entries that the broker has stored since then, as late as
        possible. Raises BusUnavailable."""
        ...

    async def take(self, name: str, holder: str) -> Lease | None:
        """Take a lease; None while somebody holds it. Raises BusUnavailable."""
        ...

    async def renew(self, lease: Lease) -> Lease:
        """Hold it for `lease_s` more, counted from the call. Raises LeaseLost, BusUnavailable."""
        ...

    async def give_back(self, lease: Lease) -> None:
        """Let others take it at once; nothing happens when it is lost already.

        Raises BusUnavailable."""
        ...

    async def holder(self, name: str) -> str | None:
        """Who holds the lease now. Raises BusUnavailable."""
        ...

    async def aclose(self) -> None:
        """Leave; the leases that were not given back run out."""
        ...


def checked(name: str) -> str:
    """The name as it is. Raises ValueError with what would be right."""
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name on the bus; write words joined by dots")
    return name


async def answered(answer: Answer, name: str, asked: bytes) -> bytes:
    """What a bus sends back: no bytes where what was asked is no question."""
    try:
        return await answer(asked)
    except ValueError as error:
        log.warning("request.unreadable", name=name, why=str(error)[:200])
        return b""


def checked_body(body: bytes) -> bytes:
    """The body as it is. Raises ValueError when it is too large for a broker."""
    if len(body) > LARGEST:
        raise ValueError(f"{len(body)} bytes are more than the {LARGEST} that a message may have")
    return body
