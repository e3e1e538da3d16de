"""What happens at all daemons, for those who watch the page of one.

While somebody watches, its daemon says so every few seconds, and the others publish their traces
in batches, each with the sequence it comes after. What was lost, or happened before, is asked for.
The log that is filled here is apart from the daemon's own: nothing is counted or recorded twice.
"""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Iterator
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast
from uuid import uuid4

import structlog
from pydantic import AwareDatetime, ConfigDict, TypeAdapter, with_config
from pydantic_core import to_jsonable_python
from starlette.types import ASGIApp
from typing_extensions import TypedDict

from bots.clock import utc_now
from bots.cluster.bus import Bus, BusError
from bots.cluster.heartbeats import Name
from bots.daemon.shapes import Positions
from bots.http.carrier import DOOR, Carrier, MemberDoor, MembersPort, at_daemon
from bots.http.merging import PLACES, together
from bots.observability.redaction import Redactor
from bots.observability.trace import Trace, TraceLog, TraceReader
from bots.owned_tasks import OnEnd, OwnedTasks, not_told, until_first
from bots.store.table import UNREADABLE
from bridge.foreign_json import read_object

log = structlog.get_logger()

TRACES, POSITIONS, WISHES = "traces", "positions", "watching"
"""Names on the bus; a daemon is asked for its traces as `traces.NAME`."""
GATHER_S = 0.08
WISH_EVERY_S = 5.0
WISH_HOLDS_S = 12.0
CATCHES_UP_WITHIN_S = 1.0
POSITIONS_HOLD_S = 2.0
MOST_AT_ONCE = 500  # traces of a batch, and of what happened before
BATCH_BYTES = 384 * 1024
_COUNTED_THERE = ("decision", "talk")
"""Facts that are numbers of the daemon where it happened."""

Json: TypeAlias = dict[str, Any]


@with_config(ConfigDict(extra="allow"))
class _TraceTold(TypedDict):
    """A trace of another daemon; its facts stand beside."""

    sequence: int
    at: AwareDatetime
    name: str
    bot: str | None


class _Kept(TypedDict):
    """What a daemon answers that is asked for its traces."""

    run: str
    traces: list[_TraceTold]


class _Batch(_Kept):
    after: int


class _Wish(TypedDict):
    positions: bool


class _Asked(TypedDict):
    run: str
    after: int


_SENDER = TypeAdapter(Name)
_KEPT, _BATCH, _ASKED = TypeAdapter(_Kept), TypeAdapter(_Batch), TypeAdapter(_Asked)
_WISH = TypeAdapter(_Wish)


@dataclass(slots=True)
class _Source:
    """Another daemon, as far as its traces are known here."""

    run: str = ""
    seen: int = 0
    busy: asyncio.Lock = field(default_factory=asyncio.Lock)


class SharedTraces:
    """The traces and positions of all daemons of a cluster, shared within `sharing`."""

    def __init__(
        self,
        bus: Bus,
        name: str,
        own: TraceLog,
        moving: Callable[[], AsyncGenerator[Positions]],
        others: Callable[[], tuple[str, ...]],
        secrets: Iterable[str] = (),
        on_end: OnEnd = not_told,
    ) -> None:
        """Nothing that is sent holds one of these secrets. `on_end` hears of each part that
        fails."""
        self.log = TraceLog(utc_now)
        self._bus, self._name, self._own, self._moving = bus, name, own, moving
        self._others, self._redactor = others, Redactor(tuple(secrets))
        self._run = uuid4().hex
        self._sources: defaultdict[str, _Source] = defaultdict(_Source)
        self._watchers, self._position_watchers = 0, 0
        self._wished_until_s = self._positions_until_s = float("-inf")
        self._newest: dict[str, tuple[float, Positions]] = {}
        self._merged: tuple[Positions, Positions] | None = None
        self._tasks = OwnedTasks(on_end)
        self._publishing: asyncio.Task[None] | None = None
        self._publishing_positions: asyncio.Task[None] | None = None
        self._begun = asyncio.Event()

    @asynccontextmanager
    async def sharing(self) -> AsyncIterator[None]:
        """Share while the block lasts. Raises BusUnavailable."""
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self._tasks.aclose)
            listened = [
                (await stack.enter_async_context(self._bus.listen(subject)), take, subject)
                for subject, take in (
                    (TRACES, self._take_batch),
                    (POSITIONS, self._take_positions),
                    (WISHES, self._take_wish),
                )
            ]
            ours = self._bus.answering(f"{TRACES}.{self._name}", self._answer)
            await stack.enter_async_context(ours)
            reader = stack.enter_context(self._own.reading())
            for trace in self._own.recent():
                self._add_own(trace)
            self._tasks.start(self._keep_own(reader), "own traces")
            self._tasks.start(self._keep_wishing(), "wishes for traces")
            for messages, take, subject in listened:
                self._tasks.start(self._listen(messages, take), f"{subject} of others")
            yield

    async def catch_up(self) -> None:
        """Ask the others for what they keep and was not heard of here, for a second at most."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CATCHES_UP_WITHIN_S):
                await asyncio.gather(*map(self._catch_up_with, self._others()))

    @contextmanager
    def watching(self, positions: bool) -> Iterator[None]:
        """While the block lasts somebody reads here."""
        self._watchers += 1
        self._position_watchers += positions
        self._begun.set()
        try:
            yield
        finally:
            self._watchers -= 1
            self._position_watchers -= positions

    async def moving(self) -> AsyncGenerator[Positions]:
        """Where everybody is, as often as our own bots tell."""
        async with aclosing(self._moving()) as moments:
            async for own in moments:
                # The same object for all who read the same moment.
                if self._merged is None or self._merged[0] is not own:
                    after_s = self._now() - POSITIONS_HOLD_S
                    others = [found for at_s, found in self._newest.values() if at_s > after_s]
                    self._merged = own, together(own, others)
                yield self._merged[1]

    # --- what happens here --------------------------------------------------------

    async def _keep_own(self, reader: TraceReader) -> None:
        async for trace in reader:
            self._add_own(trace)

    def _add_own(self, trace: Trace) -> None:
        number = {"id": trace.sequence} if trace.name == "decision.made" else {}
        self.log.add(trace.at, trace.name, trace.bot, {**trace.facts, **number})

    async def _publish_traces(self) -> None:
        """Until nobody wishes for them any more."""
        with self._own.reading() as reader:
            seen = max((trace.sequence for trace in self._own.recent()), default=0)
            # Whoever wished asks for what has happened since.
            await self._send(TRACES, {"run": self._run, "after": seen})
            while self._is_wished:
                traces = await reader.drain()
                if not self._is_wished:  # nothing had happened for long
                    return
                await asyncio.sleep(GATHER_S)
                traces = [*traces, *reader.taken()]
                while traces:
                    batch = self._batch(traces)
                    await self._send(TRACES, {"run": self._run, "after": seen}, batch)
                    seen, traces = traces[len(batch) - 1].sequence, traces[len(batch) :]

    def _batch(self, traces: Iterable[Trace]) -> list[str]:
        """The first of them as JSON, as many as one message takes."""
        batch, size = list[str](), 0
        for trace in traces:
            plain = to_jsonable_python(trace.as_json(), inf_nan_mode="null", fallback=str)
            text = self._redactor.text(json.dumps(plain))
            size += len(text)
            if batch and (size > BATCH_BYTES or len(batch) == MOST_AT_ONCE):
                break
            batch.append(text)
        return batch

    async def _publish_positions(self) -> None:
        async with aclosing(self._moving()) as moments:
            async for newest in moments:
                if self._now() >= self._positions_until_s:
                    return
                await self._send(POSITIONS, {"positions": newest})

    async def _answer(self, raw: bytes) -> bytes:
        """The newest of our traces after the one that is named; all, if it is of another run.

        Raises ValueError for what is no question."""
        asked = _ASKED.validate_python(read_object(raw))
        after = asked["after"] if asked["run"] == self._run else 0
        kept = [trace for trace in self._own.recent() if trace.sequence > after]
        batch = self._batch(reversed(kept[-MOST_AT_ONCE:]))[::-1]
        return _joined({"run": self._run}, batch)

    # --- what happens elsewhere ---------------------------------------------------

    async def _listen(
        self, messages: AsyncIterator[bytes], take: Callable[[str, Json], Any]
    ) -> None:
        """Hear the others; what is no message of theirs is left out, and told once."""
        is_told = False
        async for raw in messages:
            try:
                told = read_object(raw)
                daemon = _SENDER.validate_python(told.get("from"))
                if daemon != self._name:
                    await take(daemon, told)
            except UNREADABLE as error:  # NotJson, or of another shape: another version's
                if not is_told:
                    log.warning("shared.unreadable", why=str(error)[:200])
                is_told = True

    async def _take_batch(self, daemon: str, told: Json) -> None:
        if not self._watchers:
            return
        batch, source = _BATCH.validate_python(told), self._sources[daemon]
        if source.run != batch["run"] or source.seen < batch["after"]:
            await self._catch_up_with(daemon)
        async with source.busy:
            self._merge(daemon, batch)

    async def _catch_up_with(self, daemon: str) -> None:
        source = self._sources[daemon]
        async with source.busy:
            asked = json.dumps({"run": source.run, "after": source.seen}).encode()
            with suppress(BusError, ValueError):  # what it keeps comes later, or never
                raw = await self._bus.request(f"{TRACES}.{daemon}", asked, CATCHES_UP_WITHIN_S)
                self._merge(daemon, _KEPT.validate_python(read_object(raw)))

    def _merge(self, daemon: str, told: _Kept) -> None:
        source = self._sources[daemon]
        if source.run != told["run"]:
            source.run, source.seen = told["run"], 0
        for trace in told["traces"]:
            if trace["sequence"] <= source.seen:
                continue
            source.seen, facts = trace["sequence"], dict[str, Any](trace)
            sequence, at, name, bot = (facts.pop(key) for key in ("sequence", "at", "name", "bot"))
            for key in _COUNTED_THERE:
                if facts.get(key) is not None:
                    facts[key] = at_daemon(facts[key], daemon)
            if name == "decision.made":
                facts["id"] = at_daemon(sequence, daemon)
            self.log.add(at, name, bot, {**facts, "daemon": daemon})

    async def _take_positions(self, daemon: str, told: Json) -> None:
        found = PLACES.validate_python(told.get("positions"))
        self._newest[daemon] = self._now(), cast(Positions, found)

    # --- who watches --------------------------------------------------------------

    async def _keep_wishing(self) -> None:
        while True:
            self._begun.clear()
            if self._watchers:
                await self._send(WISHES, {"positions": self._position_watchers > 0})
            await until_first(asyncio.sleep(WISH_EVERY_S), self._begun.wait())

    async def _take_wish(self, _daemon: str, told: Json) -> None:
        wish = _WISH.validate_python(told)
        until_s = self._now() + WISH_HOLDS_S
        self._wished_until_s = until_s
        if self._publishing is None or self._publishing.done():
            self._publishing = self._tasks.start(self._publish_traces(), "traces for others")
        if not wish["positions"]:
            return
        self._positions_until_s = until_s
        if self._publishing_positions is None or self._publishing_positions.done():
            work = self._publish_positions()
            self._publishing_positions = self._tasks.start(work, "positions for others")

    @property
    def _is_wished(self) -> bool:
        return self._now() < self._wished_until_s

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()

    async def _send(self, name: str, facts: Json, traces: Iterable[str] = ()) -> None:
        with suppress(BusError):  # what is lost is asked for later
            await self._bus.publish(name, _joined({"from": self._name, **facts}, traces))


def _joined(facts: Json, traces: Iterable[str]) -> bytes:
    """A message with these traces, each of them JSON already."""
    return f'{json.dumps(facts)[:-1]}, "traces": [{",".join(traces)}]}}'.encode()


@dataclass(frozen=True, slots=True)
class Cluster:
    """What an app needs to show the bots of other daemons beside ours."""

    carrier: Carrier
    traces: SharedTraces


@asynccontextmanager
async def shared_web(
    bus: Bus,
    members: MembersPort,
    own: TraceLog,
    moving: Callable[[], AsyncGenerator[Positions]],
    secrets: Iterable[str],
    on_end: OnEnd = not_told,
) -> AsyncIterator[Cluster]:
    """What `create_app` needs to show the bots of all daemons; our traces go to the others while
    somebody watches there. `on_end` hears of each part that fails. Raises BusUnavailable."""
    carrier = Carrier(bus, members)
    shared = SharedTraces(bus, members.name, own, moving, members.others, secrets, on_end)
    async with shared.sharing():
        try:
            yield Cluster(carrier, shared)
        finally:
            await carrier.aclose()


@asynccontextmanager
async def open_door(
    bus: Bus, name: str, app: ASGIApp, closing: asyncio.Event
) -> AsyncIterator[None]:
    """Answer the other daemons with `app`, of `create_member_app`, which has the same `closing`.

    Raises BusUnavailable."""
    door = MemberDoor(app, closing)
    async with bus.answering(f"{DOOR}.{name}", door.answer):
        try:
            yield
        finally:
            await door.aclose()
