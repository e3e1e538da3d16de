"""The journal of a home's owner appends what the store writes to the home's stream.

Each entry is appended after the one before it. Where another one stands there, somebody else has
taken the home over: it is lost, and nothing more is written. While the broker is away it is asked
again and again, as only it knows whether an entry is stored. An entry is one line of JSON, then
what it carries:

    owner       who writes from here on; whoever wrote before is refused
    changes     a group of changes, or a part of one
    base        a part of the whole file as it was at a place
    base_end    the base is complete; older entries may be dropped

A group or a base that is not complete counts as never written.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from itertools import count
from pathlib import Path
from secrets import token_hex
from typing import Any, Literal, TypeAlias, TypeVar

import structlog

from bots.clock import Sleep, real_sleep
from bots.cluster.bus import LARGEST, Bus, BusError, BusUnavailable, Entry, StreamMoved
from bots.errors import StoreError, StoreUnwritable
from bots.owned_tasks import OwnedTasks, in_thread
from bots.store.migrations import newest
from bots.store.recording import Place
from bots.store.replica import Step, base_of, prepare, state_of
from bridge.foreign_json import read_object

Kind: TypeAlias = Literal["owner", "changes", "base", "base_end"]
PART = LARGEST - 4 * 1024  # bytes; the line before it has less
log = structlog.get_logger()
T = TypeVar("T")
RETRY_S = 0.2
END_WITHIN_S = 5.0
TRIES = 20  # to be the newest owner, while others write
MOST_ENTRIES = 20_000  # since the newest base
MOST_TIMES_BASE = 4  # as large as the base
LEAST_BYTES = 4 * 1024 * 1024  # a small base is not made anew for less
TAKEN_OVER = "another daemon has taken this home over; nothing more is written here"
UNKNOWN = "the daemon ends; it is not known whether this was written"
NO_BROKER = "the daemon ends while the broker does not answer; this was not written"


class NoEntry(BusError):
    """What stands in a home's stream is no entry of one."""


@dataclass(frozen=True, slots=True)
class Head:
    """The line of an entry."""

    kind: Kind
    history: str
    """Of the newest complete base; another one when the file came from elsewhere."""
    run: str
    number: int
    """Of the entries of this writer."""
    after: int
    """The position of the entry before."""
    version: int
    """The shape of the database, see bots/store/migrations.py."""
    base_at: int
    """Where the newest complete base begins; 0: there is none."""
    base_size: int
    entries_since: int
    bytes_since: int
    """Of what was written after that base."""
    part: int = 0
    parts: int = 1
    base: str = ""
    """Which base a part is of, or the end."""
    holds: tuple[int, str, int] | None = None
    """The place that a base was made at: position, run, number."""
    member: str = ""
    token: int = 0

    def place(self, position: int) -> Place:
        return Place(self.history, position, self.run, self.number)

    def with_body(self, body: bytes) -> bytes:
        facts = {name: value for name, value in asdict(self).items() if value is not None}
        return json.dumps(facts, separators=(",", ":")).encode() + b"\n" + body


_NAMES = {field.name for field in fields(Head)}


def read_entry(entry: Entry) -> tuple[Head, bytes]:
    """Raises NoEntry."""
    line, _, body = entry.body.partition(b"\n")
    try:
        told = read_object(line)
        facts = {name: told[name] for name in told.keys() & _NAMES}  # newer ones may tell more
        if facts.get("holds") is not None:
            facts["holds"] = tuple(facts["holds"])
        return Head(**facts), body
    except (ValueError, TypeError, AttributeError) as error:
        raise NoEntry(f"the entry at {entry.position} is none of a home: {error}") from error


def in_parts(body: bytes) -> Sequence[bytes]:
    return [body[start : start + PART] for start in range(0, len(body), PART)] or [b""]


class Steps:
    """Joins the parts of groups, and makes steps of entries for a copy of a history."""

    def __init__(self, history: str) -> None:
        self._history = history
        self._parts: list[bytes] = []
        self._run = ""

    def next(self, position: int, head: Head, body: bytes) -> Step | None:
        """The step to this entry; None where a group is not complete yet."""
        if head.kind != "changes":
            self._parts = []
            return self._step(position, head, None)
        if head.part == 0 or head.run != self._run or head.part != len(self._parts):
            self._parts, self._run = [], head.run
        if head.part == len(self._parts):
            self._parts.append(body)
        if len(self._parts) < head.parts:
            return None
        group, self._parts = b"".join(self._parts), []
        return self._step(position, head, group)

    def _step(self, position: int, head: Head, group: bytes | None) -> Step:
        # Not the history of the entry: a base that begins one still names the one before.
        return Step(replace(head.place(position), history=self._history), head.version, group)


class HomeJournal:
    """Of one home, from when it was taken over until it is lost or closed."""

    def __init__(self, bus: Bus, stream: str, path: Path, fence: Place, head: Head) -> None:
        self._bus, self._stream, self._path = bus, stream, path
        self._sleep: Sleep = real_sleep
        self._place, self._fence = fence, fence
        self._head, self._last = head, fence.position
        self._turn, self._works = asyncio.Lock(), OwnedTasks()
        self._loss: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._ending: asyncio.TimerHandle | None = None
        self._has_base_under_way = False

    @classmethod
    async def take_over(
        cls, bus: Bus, stream: str, path: Path, member: str, token: int
    ) -> HomeJournal:
        """Append an entry of its own: from then on no earlier owner can. Raises BusError."""
        for _ in range(TRIES):
            last = await bus.last(stream)
            head = _first_head(last, member, token)
            try:
                position = await bus.append(stream, head.with_body(b""), head.after)
            except StreamMoved:
                continue
            return cls(bus, stream, path, head.place(position), head)
        raise StreamMoved(f"others write to {stream} all the time")

    @property
    def place(self) -> Place:
        return self._place

    @property
    def lost(self) -> str | None:
        """Why nothing is written any more; None while the home is ours."""
        return self._loss.result() if self._loss.done() else None

    def lose(self, why: str) -> None:
        """Refuse all writes from now on, also those that wait; `why` is what callers are told."""
        if not self._loss.done():
            self._loss.set_result(why)

    async def until_lost(self) -> str:
        """Wait until the home is lost; why."""
        return await asyncio.shield(self._loss)

    async def append(self, group: bytes) -> Place:
        place = await self._unless_lost(self._append(group))
        head = self._head
        most = max(MOST_TIMES_BASE * head.base_size, LEAST_BYTES)
        is_base_due = head.entries_since > MOST_ENTRIES or head.bytes_since > most
        if is_base_due and not self._has_base_under_way:
            self._has_base_under_way = True
            self._works.start(self._make_base_aside(), f"base of {self._stream}")
        return place

    def end_soon(self) -> None:
        loop = asyncio.get_running_loop()
        self._ending = loop.call_later(END_WITHIN_S, self.lose, NO_BROKER)

    async def aclose(self) -> None:
        if self._ending is not None:
            self._ending.cancel()
        await self._works.aclose()
        self.lose("the home is closed")

    async def make_base(self) -> None:
        """Append the file as it is now, then drop what is older. Writers go on meanwhile.

        Raises StoreError."""
        await self._unless_lost(self._make_base(self._head.history, None))

    async def begin_anew(self) -> None:
        """Make the file as it is the home's, with a history of its own. Raises StoreError.

        The store must not be open."""
        history = token_hex(8)
        await in_thread(prepare, self._path, history)
        await self._unless_lost(self._make_base(history, self._fence))
        self._place = replace(self._fence, history=history)

    async def _append(self, group: bytes) -> Place:
        async with self._turn:
            parts = in_parts(group)
            for number, part in enumerate(parts):
                await self._add(part, kind="changes", part=number, parts=len(parts))
            self._place = self._head.place(self._last)
            return self._place

    async def _add(self, body: bytes, **facts: Any) -> None:
        """Append one entry; the turn must be ours."""
        head = _following(self._head, self._last, **facts)
        entry = head.with_body(body)
        try:
            self._last = await self._stored(entry, head)
        except asyncio.CancelledError:
            self.lose(UNKNOWN)  # whether it is stored; what comes next could be taken for it
            raise
        since = head.entries_since + 1, head.bytes_since + len(entry)
        self._head = replace(head, entries_since=since[0], bytes_since=since[1])

    async def _stored(self, entry: bytes, head: Head) -> int:
        """Its position, once it is known to be stored."""
        while True:
            try:
                return await self._bus.append(self._stream, entry, head.after)
            except BusUnavailable:
                await self._sleep(RETRY_S)
            except StreamMoved:
                # It may be our own: stored by an earlier try whose answer did not come.
                if (position := await self._position_of(head)) is not None:
                    return position
                log.warning("home.taken_over", stream=self._stream)
                self.lose(TAKEN_OVER)
                raise

    async def _position_of(self, head: Head) -> int | None:
        """Where this entry is, if it is the last one."""
        while True:
            try:
                last = await self._bus.last(self._stream)
            except BusUnavailable:
                await self._sleep(RETRY_S)
                continue
            with suppress(NoEntry):
                found = None if last is None else read_entry(last)[0]
                if last and found and (found.run, found.number) == (head.run, head.number):
                    return last.position
            return None

    async def _unless_lost(self, work: Coroutine[Any, Any, T]) -> T:
        """What it returns. Raises StoreUnwritable when the home is lost meanwhile, or before."""
        doing = asyncio.ensure_future(work)
        try:
            await asyncio.wait((doing, self._loss), return_when=asyncio.FIRST_COMPLETED)
        finally:
            if self._loss.done() or not doing.done():
                doing.cancel()
                await asyncio.gather(doing, return_exceptions=True)
        if self._loss.done():
            raise StoreUnwritable(self._loss.result())
        return doing.result()

    async def _make_base_aside(self) -> None:
        try:
            await self.make_base()
        except (StoreError, OSError) as error:
            if self.lost is None:
                log.warning("home.base_failed", stream=self._stream, why=str(error))
        finally:
            self._has_base_under_way = False

    async def _make_base(self, history: str, holds: Place | None) -> None:
        """`holds` is its place; None: the one that the file names."""
        copy = self._path.with_name(f"{self._path.name}.base-sent")
        try:
            parts = await in_thread(base_of, self._path, copy, PART)
            place = await in_thread(_place_in, copy) if holds is None else holds
            base, began_at, size = token_hex(8), 0, 0
            for number in count():
                part = await in_thread(next, parts, None)
                if part is None:
                    break
                async with self._turn:
                    await self._add(part, kind="base", base=base, part=number)
                    began_at, size = began_at or self._last, size + len(part)
            end: dict[str, Any] = {
                "history": history,
                "base_at": began_at,
                "base_size": size,
                "parts": number,
            }
            async with self._turn:
                await self._end_base(base, place, end)
        finally:
            await in_thread(partial(copy.unlink, missing_ok=True))
        await self._drop(place.position)

    async def _end_base(self, base: str, place: Place, end: dict[str, Any]) -> None:
        holds = place.position, place.run, place.number
        none_since = {"entries_since": 0, "bytes_since": 0}
        await self._add(b"", kind="base_end", base=base, holds=holds, **end, **none_since)

    async def _drop(self, before: int) -> None:
        try:
            await self._bus.drop(self._stream, before)
        except BusError as error:
            log.info("home.drop_failed", stream=self._stream, why=str(error))


def _first_head(last: Entry | None, member: str, token: int) -> Head:
    """Of an owner that appends after that entry."""
    run = token_hex(8)
    if last is None:
        return Head("owner", "", run, 0, 0, newest(), 0, 0, 0, 0, member=member, token=token)
    before, _ = read_entry(last)
    head = _following(before, last.position, kind="owner", member=member, token=token)
    return replace(head, run=run, number=0, version=newest())


def _following(head: Head, position: int, **facts: Any) -> Head:
    """The head after one at a position, with nothing that is of one entry alone."""
    own = {"part": 0, "parts": 1, "base": "", "holds": None, "member": "", "token": 0}
    return replace(head, number=head.number + 1, after=position, **{**own, **facts})


def _place_in(copy: Path) -> Place:
    found = state_of(copy)
    if found is None:
        raise StoreError(f"{copy}: the copy does not say where it is in the home's history")
    return found.place
