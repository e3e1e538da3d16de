"""The bus when its broker is missing, wrong, killed, and started again."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from support.broker import running_broker

from bots.cluster import nats_bus
from bots.cluster.bus import BusUnavailable
from bots.cluster.nats_bus import NatsBus
from bots.errors import SettingsError

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

LEASE_S = 60.0
WITHIN_S = 30.0


async def test_what_was_stored_outlives_a_killed_broker(tmp_path: Path) -> None:
    async with running_broker(tmp_path) as broker:
        bus = await NatsBus.connect([broker.url], "test", LEASE_S)
        try:
            last = await bus.append("history.Alice", b"kept")
            lease = await bus.take("bot.Alice", "one")
            assert lease is not None
            await broker.kill()
            await broker.start()
            async with asyncio.timeout(WITHIN_S):
                while not (found := await _read(bus)):
                    pass
            assert found == [(last, b"kept")]
            assert await bus.append("history.Alice", b"more", last) > last
            assert await bus.take("bot.Alice", "two") is None
            assert (await bus.renew(lease)).token == lease.token
        finally:
            await bus.aclose()


async def _read(bus: NatsBus) -> list[tuple[int, bytes]]:
    try:
        return [(entry.position, entry.body) for entry in await bus.read("history.Alice")]
    except BusUnavailable:
        return []


async def test_each_call_ends_while_the_broker_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nats_bus, "WITHIN_S", 0.2)
    async with running_broker(tmp_path) as broker:
        bus = await NatsBus.connect([broker.url], "test", LEASE_S)
        try:
            lease = await bus.take("bot.Alice", "one")
            assert lease is not None
            await broker.kill()
            calls = (
                bus.append("s", b""),
                bus.read("s"),
                bus.last("s"),
                bus.drop("s", 2),
                bus.take("bot.Bob", "one"),
                bus.renew(lease),
                bus.holder("bot.Alice"),
                bus.give_back(lease),
            )
            async with asyncio.timeout(WITHIN_S):
                for call in calls:
                    with pytest.raises(BusUnavailable, match=r"the broker: \w"):
                        await call
        finally:
            await bus.aclose()


async def test_a_renewal_of_which_no_answer_came_does_not_lose_the_lease(tmp_path: Path) -> None:
    async with running_broker(tmp_path) as broker:
        bus = await NatsBus.connect([broker.url], "test", LEASE_S)
        try:
            lease = await bus.take("bot.Alice", "one")
            assert lease is not None
            await bus.renew(lease)  # its answer was lost: we go on from the older revision
            assert (await bus.renew(lease)).token == lease.token
        finally:
            await bus.aclose()


async def test_a_missing_broker_is_told_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nats_bus, "CONNECT_WITHIN_S", 0.3)
    with pytest.raises(BusUnavailable, match="no NATS broker answers"):
        await NatsBus.connect(["nats://127.0.0.1:1"], "test", LEASE_S)


async def test_a_broker_without_jetstream_is_told_with_what_to_do(tmp_path: Path) -> None:
    async with running_broker(tmp_path, jetstream=False) as broker:
        with pytest.raises(SettingsError, match="nats-server -js"):
            await NatsBus.connect([broker.url], "test", LEASE_S)


async def test_leases_of_another_length_are_refused(tmp_path: Path) -> None:
    async with running_broker(tmp_path) as broker:
        bus = await NatsBus.connect([broker.url], "test", LEASE_S)
        try:
            with pytest.raises(SettingsError, match="refuses the cluster"):
                await NatsBus.connect([broker.url], "test", LEASE_S + 1)
        finally:
            await bus.aclose()
