"""The bus as two daemons see it, in one process and over a NATS broker."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from support.broker import LONG_LEASE_S, running_broker
from support.local_bus import LocalBus

from bots.clock import utc_now
from bots.cluster.bus import Bus
from bots.cluster.nats_bus import NatsBus

KINDS = ["local", pytest.param("nats", marks=pytest.mark.slow)]


@asynccontextmanager
async def two_buses(
    kind: str, folder: Path, lease_s: float = LONG_LEASE_S
) -> AsyncIterator[tuple[Bus, Bus]]:
    """One bus for both where it is local; over a broker each has its own."""
    if kind == "local":
        bus = LocalBus(utc_now, time.monotonic, lease_s)
        yield bus, bus
        await bus.aclose()
        return
    async with running_broker(folder) as broker:
        mine = await NatsBus.connect([broker.url], "test", lease_s)
        yours = await NatsBus.connect([broker.url], "test", lease_s)
        try:
            yield mine, yours
        finally:
            await mine.aclose()
            await yours.aclose()
