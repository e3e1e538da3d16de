"""The bus over a NATS broker with JetStream: the only file that imports `nats`.

One JetStream stream holds the durable streams, each a subject of its own. A bucket of keys that
expire holds the leases; the revision of a key is the token.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from uuid import uuid4

import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error, NoRespondersError
from nats.js import JetStreamContext, api
from nats.js.errors import (
    APIError,
    FetchTimeoutError,
    KeyNotFoundError,
    KeyWrongLastSequenceError,
    NotFoundError,
    ServiceUnavailableError,
)
from nats.js.kv import KeyValue

from bots.cluster import connecting
from bots.cluster.bus import (
    PAGE,
    WITHIN_S,
    Answer,
    BusUnavailable,
    Entry,
    Lease,
    LeaseLost,
    NobodyAnswers,
    StreamMoved,
    answered,
    checked,
    checked_body,
)
from bots.cluster.connecting import ADVICE, Storing, named
from bots.errors import SettingsError
from bots.owned_tasks import OwnedTasks

log = structlog.get_logger()

CONNECT_WITHIN_S = 5.0
RECONNECT_EVERY_S = 0.25
WRONG_LAST_SEQUENCE = 10071
ANOTHER_IN_PROCESS = 10164  # an append to the same stream of which several servers do not know yet
IN_PROCESS_S = 0.02
BEHIND_S = 0.02
TOO_FEW_SERVERS = frozenset({10005, 10023, 10074})
"""No suitable peers; insufficient resources; replicas without a cluster of servers."""
TOO_FEW = (
    "the broker has fewer than {} servers with JetStream that are one NATS cluster: start more of "
    "them, or set cluster.replicas lower"
)
ONE_WRITES_FROM = 2, 11
"""Before, several servers that hold a stream may let two write where only the first may
(nats-io/nats-server: issue 4320, pull requests 6194 and 6485)."""
OLD_SERVERS = (
    "where several servers hold what is stored (cluster.replicas), each must be nats-server 2.11 "
    "or newer: older ones may let two daemons have one home"
)
PING_EVERY_S = 1
UNANSWERED_PINGS = 2  # then another server is tried: a machine that is gone closes nothing
CLOSE_WITHIN_S = 2.0
WITHOUT_JETSTREAM = "the broker has no JetStream: start it with `nats-server -js -sd FOLDER`"


class NatsBus:
    """One daemon's connection to the broker; after a loss it connects again by itself."""

    def __init__(
        self,
        link: _Link,
        streams: JetStreamContext,
        leases: KeyValue,
        cluster: str,
        lease_s: float,
    ) -> None:
        self.lease_s = lease_s
        self._link, self._client = link, link.client
        self._streams, self._leases, self._cluster = streams, leases, cluster
        self._works = OwnedTasks()
        self._storing = Storing(time.monotonic)

    @classmethod
    async def connect(
        cls, urls: Sequence[str], cluster: str, lease_s: float, replicas: int | None = None
    ) -> NatsBus:
        """Connect, and make what this cluster needs in the broker if it is not there.

        `replicas` says how many of the broker's servers hold it; None: as many as do now, or one.
        Raises BusUnavailable; SettingsError when the broker is no use."""
        async with AsyncExitStack() as on_failure:
            link = await _Link.open(urls)
            on_failure.push_async_callback(link.aclose)
            streams = link.client.jetstream(timeout=WITHIN_S)
            leases = await _prepared(streams, cluster, lease_s, replicas)
            on_failure.pop_all()
        return cls(link, streams, leases, cluster, lease_s)

    @property
    def is_up(self) -> bool:
        return self._link.is_up.is_set()

    @property
    def trouble(self) -> str | None:
        fault = self._storing.trouble if self.is_up else self._link.fault
        return None if fault is None else str(fault)

    async def publish(self, name: str, body: bytes) -> None:
        async with self._in_time():
            await self._client.publish(self._subject("message", name), checked_body(body))

    @asynccontextmanager
    async def listen(self, name: str) -> AsyncIterator[AsyncIterator[bytes]]:
        async with self._in_time():
            heard = await self._client.subscribe(self._subject("message", name))
            await self._until_known()
        try:
            yield (message.data async for message in heard.messages)
        finally:
            await _unsubscribe(heard)

    async def request(self, name: str, body: bytes, within_s: float = WITHIN_S) -> bytes:
        subject = self._subject("request", name)
        try:
            reply = await self._client.request(subject, checked_body(body), timeout=within_s)
        except NoRespondersError:
            raise NobodyAnswers(f"nobody answers {name}") from None
        except (Error, TimeoutError) as error:
            raise NobodyAnswers(f"nobody answered {name} within {within_s:g} s") from error
        return reply.data

    @asynccontextmanager
    async def answering(self, name: str, answer: Answer) -> AsyncIterator[None]:
        async def begin(asked: Msg) -> None:
            self._works.start(_answer(answer, name, asked), f"answer to {name}")

        async with self._in_time():
            asked = await self._client.subscribe(self._subject("request", name), cb=begin)
            await self._until_known()
        try:
            yield
        finally:
            await _unsubscribe(asked)

    async def append(self, stream: str, body: bytes, after: int | None = None) -> int:
        headers = {"Nats-Msg-Id": uuid4().hex}
        if after is not None:
            headers["Nats-Expected-Last-Subject-Sequence"] = str(after)
        subject = self._subject("stream", stream)
        checked_body(body)
        try:
            return await self._append(subject, body, headers)
        except BusUnavailable:  # it may be stored all the same: the broker knows by the id
            return await self._append(subject, body, headers)

    async def read(self, stream: str, after: int = 0, most: int = PAGE) -> tuple[Entry, ...]:
        start = api.ConsumerConfig(
            deliver_policy=api.DeliverPolicy.BY_START_SEQUENCE, opt_start_seq=after + 1
        )
        async with self._in_time():
            last = await self._newest(stream)
            if last is None or not last.seq or last.seq <= after:
                return ()
            return await self._page(stream, start, min(most, PAGE), last.seq)

    async def last(self, stream: str) -> Entry | None:
        async with self._in_time():
            found = await self._newest(stream)
        return None if found is None else Entry(found.seq or 0, found.data or b"")

    async def drop(self, stream: str, before: int) -> None:
        if before <= 1:
            return  # the broker would take 0 for all there is
        subject = self._subject("stream", stream)
        async with self._in_time():
            await self._streams.purge_stream(self._cluster, seq=before, subject=subject)

    async def before(self, stream: str, at: datetime) -> int:
        start = api.ConsumerConfig(
            deliver_policy=api.DeliverPolicy.BY_START_TIME, opt_start_time=at
        )
        async with self._in_time():
            last = await self._newest(stream)
            if last is None or not last.seq or not last.time:
                return 0
            if last.time < at:
                return last.seq
            return (await self._page(stream, start, 1, last.seq))[0].position - 1

    async def take(self, name: str, holder: str) -> Lease | None:
        async with self._to_store():
            try:
                number = await self._leases.create(checked(name), _value(holder, 0))
            except (KeyWrongLastSequenceError, KeyNotFoundError):
                return None  # held; or it ran out while the client looked whose it is
        self._storing.done()
        return Lease(name, holder, token=number, revision=number)

    async def renew(self, lease: Lease) -> Lease:
        async with self._to_store():
            try:
                renewed = await self._renew(lease)
            except KeyWrongLastSequenceError:
                # An earlier renewal may have reached the broker without our knowing.
                ours = await self._ours(lease)
                try:
                    renewed = await self._renew(ours)
                except KeyWrongLastSequenceError:
                    raise BusUnavailable("the lease is being renewed at this moment") from None
        self._storing.done()
        return renewed

    async def give_back(self, lease: Lease) -> None:
        async with self._in_time():
            with suppress(LeaseLost, APIError):
                found = await self._ours(lease)
                await self._leases.delete(lease.name, last=found.revision)

    async def holder(self, name: str) -> str | None:
        async with self._in_time():
            lease = await self._found(checked(name))
        return lease.holder if lease else None

    async def aclose(self) -> None:
        await self._works.aclose()
        await self._link.aclose()

    def _subject(self, kind: str, name: str) -> str:
        return f"{self._cluster}.{kind}.{checked(name)}"

    @asynccontextmanager
    async def _in_time(self) -> AsyncIterator[None]:
        """Wait for the broker where it is gone; raise BusUnavailable when all took too long."""
        try:
            with _plainly():
                async with asyncio.timeout(WITHIN_S):
                    await self._link.is_up.wait()
                    yield
        except BusUnavailable:
            if self.is_up or not self._link.fault.lasts:
                raise
            raise named(self._link.fault.cause) from None

    @asynccontextmanager
    async def _to_store(self) -> AsyncIterator[None]:
        """The same; one that has no room is not asked each time."""
        self._storing.check()
        try:
            async with self._in_time():
                yield
        except BusUnavailable as fault:
            self._storing.failed(fault)
            raise

    async def _until_known(self) -> None:
        """Wait until the broker knows what we subscribed to.

        A request goes the way of the subscription; the ping of `flush` overtakes it (nats-py
        2.16 writes it past what waits to be sent)."""
        await self._streams.account_info()

    async def _append(self, subject: str, body: bytes, headers: dict[str, str]) -> int:
        async with self._to_store():
            while True:
                try:
                    # A copy: the client writes into it.
                    stored = await self._streams.publish(subject, body, headers=dict(headers))
                    self._storing.done()
                    return stored.seq
                except APIError as error:
                    if error.err_code == WRONG_LAST_SEQUENCE:
                        raise StreamMoved(f"{subject} has moved on: {error.description}") from None
                    if error.err_code != ANOTHER_IN_PROCESS:
                        raise
                await asyncio.sleep(IN_PROCESS_S)

    async def _newest(self, stream: str) -> api.RawStreamMsg | None:
        """As the server has it that leads: of several only that one surely knows."""
        try:
            return await self._streams.get_last_msg(self._cluster, self._subject("stream", stream))
        except NotFoundError:
            return None

    async def _page(
        self, stream: str, start: api.ConsumerConfig, most: int, until: int
    ) -> tuple[Entry, ...]:
        """The first entries from there on, as many as there are up to a position."""
        while True:
            found = await self._sent(stream, start, most)
            if len(found) >= most or (found and found[-1].position >= until):
                return found
            await asyncio.sleep(BEHIND_S)

    async def _sent(self, stream: str, start: api.ConsumerConfig, most: int) -> tuple[Entry, ...]:
        """What a server sends; of several that hold the stream one may be behind."""
        config = start.evolve(ack_policy=api.AckPolicy.NONE, inactive_threshold=CONNECT_WITHIN_S)
        subject = self._subject("stream", stream)
        reader = await self._streams.pull_subscribe(subject, stream=self._cluster, config=config)
        try:
            left = (await reader.consumer_info()).num_pending or 0
            if not left:
                return ()
            try:
                found = await reader.fetch(min(left, most), timeout=WITHIN_S)
            except FetchTimeoutError:
                raise BusUnavailable("the broker did not send what it has") from None
            return tuple(Entry(one.metadata.sequence.stream, one.data) for one in found)
        finally:
            await reader.unsubscribe()

    async def _renew(self, lease: Lease) -> Lease:
        value = _value(lease.holder, lease.token)
        number = await self._leases.update(lease.name, value, last=lease.revision)
        return replace(lease, revision=number)

    async def _ours(self, lease: Lease) -> Lease:
        """The lease as the broker has it. Raises LeaseLost when it is somebody else's."""
        found = await self._found(lease.name)
        if found is None or (found.holder, found.token) != (lease.holder, lease.token):
            raise LeaseLost(f"the lease of {lease.name} is lost")
        return found

    async def _found(self, name: str) -> Lease | None:
        try:
            entry = await self._leases.get(name)
        except KeyNotFoundError:
            return None
        holder, _, token = (entry.value or b"").decode().rpartition(" ")
        revision = entry.revision or 0
        return Lease(name, holder, int(token) or revision, revision)


class _Link:
    """The connection to the broker. While that is gone nothing is kept for later: an order that
    arrives long after its caller has given up could undo what happened meanwhile."""

    def __init__(self) -> None:
        self.client = Client()
        self.is_up = asyncio.Event()
        self.fault = named("silent")
        """Why it is not up, while it is not."""

    @classmethod
    async def open(cls, urls: Sequence[str]) -> _Link:
        """Raises BusUnavailable."""
        link = cls()
        try:
            async with asyncio.timeout(CONNECT_WITHIN_S):
                await link.client.connect(
                    list(urls),
                    name="townsfolk",
                    pending_size=0,
                    ping_interval=PING_EVERY_S,
                    max_outstanding_pings=UNANSWERED_PINGS,
                    max_reconnect_attempts=-1,
                    reconnect_time_wait=RECONNECT_EVERY_S,  # type: ignore[arg-type]
                    error_cb=link._failed,
                    disconnected_cb=link._lost,
                    reconnected_cb=link._back,
                )
        except (Error, TimeoutError, OSError) as error:
            await link.aclose()
            if link.fault.cause == "refused":
                raise link.fault from error
            text = f"no NATS broker answers within {CONNECT_WITHIN_S:g} s"
            raise BusUnavailable(text) from error
        link.is_up.set()
        return link

    async def aclose(self) -> None:
        # The client wants to send what waits, also without a broker, and without end.
        with suppress(Error, OSError, TimeoutError):
            async with asyncio.timeout(CLOSE_WITHIN_S):
                await self.client.close()

    async def _lost(self) -> None:
        self.is_up.clear()
        if not self.client.is_closed:
            log.warning("bus.lost", advice="the broker does not answer; it is tried again")

    async def _back(self) -> None:
        self.is_up.set()
        self.fault = named("silent")
        self._try_every(RECONNECT_EVERY_S)
        log.info("bus.back")

    async def _failed(self, error: Exception) -> None:
        """What the client reports. One that refuses us is not knocked at four times a second."""
        log.debug("bus.error", why=str(error))
        said = str(error).lower()
        if isinstance(error, Error) and ("authorization" in said or "authentication" in said):
            if self.fault.cause != "refused":
                self.fault = named("refused")
                log.warning("bus.refuses", why=str(self.fault), advice=ADVICE["refused"])
            self._try_every(
                min(2 * self.client.options["reconnect_time_wait"], connecting.MOST_WAIT_S)
            )
        elif isinstance(error, ConnectionRefusedError):
            self.fault = named("silent")

    def _try_every(self, seconds: float) -> None:
        self.client.options["reconnect_time_wait"] = seconds


async def _prepared(
    streams: JetStreamContext, cluster: str, lease_s: float, replicas: int | None
) -> KeyValue:
    with _plainly(), _as_settings(replicas):
        _check_version(streams, replicas or 1)
        history = api.StreamConfig(
            name=cluster,
            subjects=[f"{cluster}.stream.>"],
            storage=api.StorageType.FILE,
            discard=api.DiscardPolicy.NEW,  # a full broker refuses: nothing that was stored goes
            num_replicas=replicas or 1,
        )
        await _held(streams, cluster, replicas, partial(streams.add_stream, history))
        bucket = api.KeyValueConfig(
            f"{cluster}_leases", ttl=lease_s, storage=api.StorageType.FILE, replicas=replicas or 1
        )
        make = partial(streams.create_key_value, bucket)
        found = await _held(streams, f"KV_{bucket.bucket}", replicas, make)
        if found.max_age != lease_s:
            raise SettingsError(f"the broker has leases of {found.max_age} s: another's cluster")
        return await streams.key_value(bucket.bucket)


async def _held(
    streams: JetStreamContext,
    name: str,
    replicas: int | None,
    make: Callable[[], Awaitable[object]],
) -> api.StreamConfig:
    """What a stream is now: made where it is missing, and by as many servers as wanted.

    One that is there stays as it is otherwise: a newer broker would make it another way."""
    try:
        found = (await streams.stream_info(name)).config
    except NotFoundError:
        await make()
        found = (await streams.stream_info(name)).config
    wanted = replicas or found.num_replicas or 1
    _check_version(streams, wanted)
    if wanted != found.num_replicas:
        await streams.update_stream(found.evolve(num_replicas=wanted))
    return found


def _check_version(streams: JetStreamContext, replicas: int) -> None:
    """Raises SettingsError where so many servers would not be safe."""
    version = streams._nc.connected_server_version
    if replicas > 1 and (version.major, version.minor) < ONE_WRITES_FROM:
        raise SettingsError(OLD_SERVERS)


@contextmanager
def _as_settings(replicas: int | None) -> Iterator[None]:
    """Raise what the broker will never do as SettingsError."""
    try:
        yield
    except ServiceUnavailableError as error:
        if error.err_code == connecting.NO_MAJORITY or error.err_code in connecting.FULL:
            raise
        raise SettingsError(WITHOUT_JETSTREAM) from None
    except APIError as error:
        if replicas and error.err_code in TOO_FEW_SERVERS:
            raise SettingsError(TOO_FEW.format(replicas)) from None
        if error.err_code in connecting.FULL:
            raise
        raise SettingsError(f"the broker refuses the cluster: {error.description}") from error


async def _answer(answer: Answer, name: str, asked: Msg) -> None:
    told = await answered(answer, name, asked.data)
    if asked.reply:  # else nobody waits for it
        await asked.respond(told)


async def _unsubscribe(from_: Subscription) -> None:
    with suppress(Error):  # the connection is gone, and with it the subscription
        await from_.unsubscribe()


@contextmanager
def _plainly() -> Iterator[None]:
    """Raise what the client raises when the broker is silent, or refuses, as BusUnavailable."""
    try:
        yield
    except KeyWrongLastSequenceError:
        raise LeaseLost("the lease is lost") from None
    except APIError as error:
        raise named(
            connecting.cause_of(error.err_code), f"the broker: {error.description}"
        ) from error
    except (Error, OSError, TimeoutError) as error:
        why = str(error) or "no answer in time"  # a TimeoutError says nothing
        raise BusUnavailable(f"the broker: {why}") from error


def _value(holder: str, token: int) -> bytes:
    """Of a lease's key; the token is 0 until the first renewal, as the revision is not known."""
    return f"{holder} {token}".encode()
