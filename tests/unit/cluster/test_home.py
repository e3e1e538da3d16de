"""A home is at one daemon at a time, and nobody acts for it who may have lost it."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from support.local_bus import LocalBus
from support.rig import until

from bots.clock import Times, utc_now
from bots.cluster.bus import BusUnavailable, Lease
from bots.cluster.home import MARGIN_S, Home, home_of
from bots.daemon.residence import kept

LEASE_S = 6.0


class HandMoved:
    """Time that passes as somebody sleeps."""

    def __init__(self) -> None:
        self.s = 1_000.0

    def __call__(self) -> float:
        return self.s

    async def sleep(self, seconds: float) -> None:
        self.s += seconds
        await asyncio.sleep(0)


class Flaky(LocalBus):
    """A broker that is away for so many renewals, each of which takes its time."""

    def __init__(self, time: HandMoved) -> None:
        super().__init__(utc_now, time, LEASE_S)
        self.time, self.away, self.renewals = time, 0, 0
        self.on_renewal: Callable[[], Awaitable[None]] | None = None

    async def renew(self, lease: Lease) -> Lease:
        self.renewals += 1
        if self.on_renewal is not None:
            await self.on_renewal()
        if self.away > 0:
            self.away -= 1
            self.time.s += 1.0
            raise BusUnavailable("the broker is away")
        return await super().renew(lease)


@pytest.fixture
def bus() -> Flaky:
    return Flaky(HandMoved())


async def taken(bus: Flaky, by: str = "one") -> Home:
    home = await Home.take(bus, "h1", by, bus.time)
    assert home is not None
    return home


@pytest.fixture
async def home(bus: Flaky) -> Home:
    return await taken(bus)


async def test_a_home_is_at_one_daemon_at_a_time(bus: Flaky) -> None:
    await taken(bus)
    assert await Home.take(bus, "h1", "two", bus.time) is None


async def test_a_home_given_back_can_be_taken_at_once(bus: Flaky) -> None:
    first = await taken(bus)
    await first.give_back()
    assert not first.is_held
    assert (await taken(bus, "two")).token > first.token


@pytest.mark.parametrize("away", [0, 2], ids=["the broker is there", "it is away for a moment"])
async def test_whoever_keeps_a_home_has_it_for_longer_than_a_lease(
    bus: Flaky, home: Home, away: int
) -> None:
    bus.away = away
    keeping = asyncio.create_task(home.keep(bus.time.sleep))
    await until(lambda: bus.renewals >= 10)
    assert bus.time() > 1_000 + 2 * LEASE_S
    assert home.is_held
    assert await Home.take(bus, "h1", "two", bus.time) is None
    keeping.cancel()


async def test_a_home_counts_as_lost_before_the_broker_gives_it_away(
    bus: Flaky, home: Home
) -> None:
    bus.away = 1_000
    await home.keep(bus.time.sleep)
    assert home.lost.is_set()
    assert bus.time() <= 1_000 + LEASE_S + 1.0  # the last try began in time
    bus.time.s = 1_000 + LEASE_S - MARGIN_S
    assert not home.is_held


async def test_who_was_stopped_for_longer_than_a_lease_does_not_hold_the_home(
    bus: Flaky, home: Home
) -> None:
    bus.time.s += LEASE_S
    assert not home.is_held  # before anything else has run
    await home.keep(bus.time.sleep)
    assert home.lost.is_set()
    assert bus.renewals == 0


@pytest.mark.skipif(not hasattr(time, "CLOCK_BOOTTIME"), reason="this system does not tell")
def test_a_lease_runs_out_also_while_the_machine_sleeps() -> None:
    def passed_s() -> float:
        return time.clock_gettime(time.CLOCK_BOOTTIME)

    before_s = passed_s()
    assert before_s <= Times.real().stopwatch() <= passed_s()


async def test_a_home_that_another_daemon_took_is_lost(bus: Flaky, home: Home) -> None:

    async def stolen() -> None:
        await bus.give_back(home._lease)
        assert await Home.take(bus, "h1", "two", bus.time) is not None

    bus.on_renewal = stolen
    await home.keep(bus.time.sleep)
    assert home.lost.is_set()


async def test_a_home_whose_lease_cannot_be_kept_for_any_reason_is_lost(bus: Flaky) -> None:

    async def broken() -> None:
        raise ValueError("the lease says nothing that is understood")

    home = await taken(bus)
    bus.on_renewal = broken
    async with kept(home, bus.time.sleep):
        async with asyncio.timeout(30):
            await home.lost.wait()


def test_a_data_folder_keeps_its_home(tmp_path: Path) -> None:
    home = home_of(tmp_path)
    assert home_of(tmp_path) == home
    assert (tmp_path / "home").stat().st_mode & 0o077 == 0
    (tmp_path / "other").mkdir()
    assert home_of(tmp_path / "other") != home
