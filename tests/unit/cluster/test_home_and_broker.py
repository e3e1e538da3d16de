"""A home whose broker is killed, and comes back or does not."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from support.broker import LONG_LEASE_S, Broker, running_broker
from support.homes import HOME, contents, home_of, numbers_in, put
from support.rig import until

from bots.cluster import journal, nats_bus
from bots.cluster.bus import BusUnavailable, Entry, StreamMoved
from bots.cluster.history import HomeHistory
from bots.cluster.journal import read_entry
from bots.cluster.nats_bus import NatsBus
from bots.errors import StoreUnwritable

pytestmark = pytest.mark.slow

WITHIN_S = 60.0


@pytest.fixture
async def broker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Broker]:
    monkeypatch.setattr(nats_bus, "WITHIN_S", 1.0)
    async with running_broker(tmp_path / "broker") as found:
        yield found


@pytest.fixture
async def bus(broker: Broker) -> AsyncIterator[NatsBus]:
    found = await NatsBus.connect([broker.url], "test", LONG_LEASE_S)
    yield found
    await found.aclose()


async def caught_up(bus: NatsBus, path: Path) -> None:
    async with asyncio.timeout(WITHIN_S):
        while True:
            try:
                await HomeHistory(bus, HOME).catch_up(path)
                return
            except BusUnavailable:
                await asyncio.sleep(0)


async def are_alike(bus: NatsBus, copy: Path, own: Path, numbers: list[int]) -> None:
    """The copy, once it has caught up, has these as the file has."""
    await caught_up(bus, copy)
    assert numbers_in(copy) == numbers
    assert contents(copy) == contents(own)


async def test_what_returned_is_stored_once_however_often_the_broker_is_killed(
    broker: Broker, bus: NatsBus, own: Path, copy: Path
) -> None:
    numbers, enough = itertools.count(), asyncio.Event()
    written: list[int] = []

    async def write() -> None:
        while not enough.is_set():
            number = next(numbers)
            await put(home, number)
            written.append(number)

    async def until_more() -> None:
        so_many = len(written) + 40
        await until(lambda: len(written) >= so_many)

    async with asyncio.timeout(WITHIN_S), home_of(bus, own) as home:
        writers = [asyncio.ensure_future(write()) for _ in range(5)]
        for _ in range(3):
            await until_more()
            await broker.kill()
            await broker.start()
        await until_more()
        enough.set()
        await asyncio.gather(*writers)
    await are_alike(bus, copy, own, sorted(written))


async def test_a_write_waits_while_the_broker_is_away(
    broker: Broker, bus: NatsBus, own: Path
) -> None:
    async with asyncio.timeout(WITHIN_S), home_of(bus, own) as home:
        await broker.kill()
        writing = asyncio.ensure_future(put(home, 1))
        await until(lambda: home.store.is_at_work)
        assert await home.store.read(lambda c: c.execute("SELECT * FROM talks").fetchall()) == []
        assert not writing.done()
        await broker.start()
        await writing
    assert numbers_in(own) == [1]


async def test_a_home_that_is_lost_meanwhile_waits_no_longer(
    broker: Broker, bus: NatsBus, own: Path, copy: Path
) -> None:
    async with asyncio.timeout(WITHIN_S), home_of(bus, own) as home:
        await put(home, 1)
        await broker.kill()
        writes = [asyncio.ensure_future(put(home, n)) for n in (2, 3)]
        await until(lambda: home.store.is_at_work)
        home.journal.lose("the lease ran out")
        outcomes = await asyncio.gather(*writes, return_exceptions=True)
        assert [str(one) for one in outcomes] == ["the lease ran out"] * 2
        assert {type(one) for one in outcomes} == {StoreUnwritable}
    assert numbers_in(own) == [1]
    await broker.start()
    await caught_up(bus, copy)
    assert numbers_in(copy) == [1]


async def test_closing_without_a_broker_ends(
    broker: Broker, bus: NatsBus, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "END_WITHIN_S", 0.1)
    async with asyncio.timeout(WITHIN_S), home_of(bus, own) as home:
        await put(home, 1)
        await broker.kill()
        writing = asyncio.ensure_future(put(home, 2))
        await until(lambda: home.store.is_at_work)
        await home.store.aclose()
        with pytest.raises(StoreUnwritable, match="broker does not answer"):
            await writing
    assert numbers_in(own) == [1]


class ForgetfulBus(NatsBus):
    """Appends, and does not hear that it did, as when the connection breaks before the answer."""

    forgets = 0

    async def append(self, stream: str, body: bytes, after: int | None = None) -> int:
        position = await super().append(stream, body, after)
        if self.forgets > 0:
            self.forgets -= 1
            raise BusUnavailable("no answer in time")
        return position


async def test_an_append_whose_answer_did_not_come_is_found_and_not_repeated(
    broker: Broker, own: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "RETRY_S", 0.0)
    bus = await ForgetfulBus.connect([broker.url], "test", LONG_LEASE_S)
    assert isinstance(bus, ForgetfulBus)
    try:
        async with home_of(bus, own) as home:
            for number in range(5):
                bus.forgets = number % 2
                await put(home, number)
        await are_alike(bus, copy, own, list(range(5)))
        stream = await bus.read(f"home.{HOME}")
        assert [read_entry(entry)[0].kind for entry in stream].count("changes") == 5
    finally:
        await bus.aclose()


async def test_a_broker_that_lost_its_disk_gets_the_home_from_the_file(
    broker: Broker, bus: NatsBus, own: Path, copy: Path, tmp_path: Path
) -> None:
    async with home_of(bus, own) as home:
        await put(home, 1)
    await caught_up(bus, copy)
    async with running_broker(tmp_path / "another") as other:
        fresh = await NatsBus.connect([other.url], "test", LONG_LEASE_S)
        try:
            async with home_of(fresh, own) as home:
                await put(home, 2)
            await are_alike(fresh, copy, own, [1, 2])
        finally:
            await fresh.aclose()


async def test_what_the_broker_lost_is_told_anew(bus: NatsBus, own: Path, copy: Path) -> None:
    """The end of the stream is gone, as the broker does not write each entry to the disk."""
    async with home_of(bus, own) as home:
        for number in range(6):
            await put(home, number)
    await caught_up(bus, copy)
    name = f"home.{HOME}"
    for entry in (await bus.read(name))[-3:]:
        await bus._streams.delete_msg("test", entry.position)
    async with home_of(bus, own) as home:
        await put(home, 6)
    await are_alike(bus, copy, own, list(range(7)))


async def test_who_finds_the_stream_moved_all_the_time_gives_up(
    bus: NatsBus, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def behind(_: str) -> Entry | None:
        return None

    await bus.append(f"home.{HOME}", b"another's")
    monkeypatch.setattr(bus, "last", behind)
    with pytest.raises(StreamMoved, match="all the time"):
        await HomeHistory(bus, HOME).open(own, "one", 1)
