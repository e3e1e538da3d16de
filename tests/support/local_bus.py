"""The bus within one process: the same promises without a broker."""

from __future__ import annotations

import asyncio
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime
from itertools import count
from operator import attrgetter

from bots.clock import Clock, Stopwatch
from bots.cluster.bus import (
    PAGE,
    WITHIN_S,
    Answer,
    Entry,
    Lease,
    LeaseLost,
    NobodyAnswers,
    StreamMoved,
    answered,
    checked,
    checked_body,
)
from bots.owned_tasks import OwnedTasks
from bots.queues import BoundedQueue

UNREAD = 10_000  # messages a listener may be behind
_position = attrgetter("position")


class LocalBus:
    """A bus for all who have this object. Nothing of it outlives the process."""

    def __init__(self, clock: Clock, stopwatch: Stopwatch, lease_s: float) -> None:
        self.lease_s = lease_s
        self._clock, self._stopwatch = clock, stopwatch
        self._listeners: defaultdict[str, list[BoundedQueue[bytes]]] = defaultdict(list)
        self._answers: defaultdict[str, list[Answer]] = defaultdict(list)
        self._streams: defaultdict[str, list[Entry]] = defaultdict(list)
        self._stored_at: dict[int, datetime] = {}
        self._leases: dict[str, tuple[Lease, float]] = {}
        self._numbers = count(1)
        self._works = OwnedTasks()

    @property
    def is_up(self) -> bool:
        return True

    @property
    def trouble(self) -> str | None:
        return None

    async def publish(self, name: str, body: bytes) -> None:
        for listener in self._listeners[checked(name)]:
            listener.put(checked_body(body))

    @asynccontextmanager
    async def listen(self, name: str) -> AsyncIterator[AsyncIterator[bytes]]:
        messages = BoundedQueue[bytes](UNREAD, "drop_oldest")
        self._listeners[checked(name)].append(messages)
        try:
            yield messages
        finally:
            self._listeners[name].remove(messages)
            messages.close()

    async def request(self, name: str, body: bytes, within_s: float = WITHIN_S) -> bytes:
        answers = self._answers[checked(name)]
        checked_body(body)
        if not answers:
            raise NobodyAnswers(f"nobody answers {name}")
        reply: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._works.start(_answer(answers[0], name, body, reply), f"answer to {name}")
        try:
            async with asyncio.timeout(within_s):
                return await reply
        except TimeoutError:
            raise NobodyAnswers(f"nobody answered {name} within {within_s:g} s") from None

    @asynccontextmanager
    async def answering(self, name: str, answer: Answer) -> AsyncIterator[None]:
        self._answers[checked(name)].append(answer)
        try:
            yield
        finally:
            self._answers[name].remove(answer)

    async def append(self, stream: str, body: bytes, after: int | None = None) -> int:
        entries = self._streams[checked(stream)]
        last = entries[-1].position if entries else 0
        if after is not None and after != last:
            raise StreamMoved(f"the stream {stream} is at {last}, not at {after}")
        entry = Entry(next(self._numbers), checked_body(body))
        entries.append(entry)
        self._stored_at[entry.position] = self._clock()
        return entry.position

    async def read(self, stream: str, after: int = 0, most: int = PAGE) -> tuple[Entry, ...]:
        entries = self._streams[checked(stream)]
        first = bisect_right(entries, after, key=_position)
        return tuple(entries[first : first + min(most, PAGE)])

    async def last(self, stream: str) -> Entry | None:
        entries = self._streams[checked(stream)]
        return entries[-1] if entries else None

    async def drop(self, stream: str, before: int) -> None:
        entries = self._streams[checked(stream)]
        for entry in entries[: bisect_left(entries, before, key=_position)]:
            del self._stored_at[entry.position]
        self._streams[stream] = [entry for entry in entries if entry.position >= before]

    async def before(self, stream: str, at: datetime) -> int:
        positions = [entry.position for entry in self._streams[checked(stream)]]
        earlier = (position for position in positions if self._stored_at[position] < at)
        return max(earlier, default=0)

    async def take(self, name: str, holder: str) -> Lease | None:
        if self._held(checked(name)) is not None:
            return None
        number = next(self._numbers)
        return self._hold(Lease(name, holder, token=number, revision=number))

    async def renew(self, lease: Lease) -> Lease:
        if self._held(lease.name) != lease:
            raise LeaseLost(f"the lease of {lease.name} is lost")
        return self._hold(replace(lease, revision=next(self._numbers)))

    async def give_back(self, lease: Lease) -> None:
        if self._held(lease.name) == lease:
            del self._leases[lease.name]

    async def holder(self, name: str) -> str | None:
        lease = self._held(checked(name))
        return lease.holder if lease else None

    async def aclose(self) -> None:
        await self._works.aclose()

    def _held(self, name: str) -> Lease | None:
        lease, until_s = self._leases.get(name, (None, 0.0))
        return lease if self._stopwatch() < until_s else None

    def _hold(self, lease: Lease) -> Lease:
        self._leases[lease.name] = lease, self._stopwatch() + self.lease_s
        return lease


async def _answer(answer: Answer, name: str, body: bytes, reply: asyncio.Future[bytes]) -> None:
    found = await answered(answer, name, body)
    if not reply.done():
        reply.set_result(found)
