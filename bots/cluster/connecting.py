"""Connects to the broker that the settings name. The client is an extra and loaded only here."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from bots.cluster.bus import Bus
from bots.errors import SettingsError
from bots.settings.secrets import SecretUrl

CLUSTER = "townsfolk"  # names what we make in the broker
LEASE_S = 6.0
INSTALL = '.venv/bin/pip install -q -c constraints.txt -e ".[cluster]"'


@asynccontextmanager
async def connected_bus(
    addresses: Sequence[SecretUrl], replicas: int | None = None
) -> AsyncIterator[Bus]:
    """The bus over a NATS broker while the block lasts; so many of its servers hold each thing,
    or as many as do now.

    Raises BusUnavailable; SettingsError when the broker is no use, or the extra is missing."""
    try:
        from bots.cluster.nats_bus import NatsBus
    except ImportError as error:
        raise SettingsError(
            f"a NATS broker needs a package that is not installed ({error}); install it with: "
            f"{INSTALL}"
        ) from None
    urls = [one.get_secret_value() for one in addresses]
    bus = await NatsBus.connect(urls, CLUSTER, LEASE_S, replicas)
    try:
        yield bus
    finally:
        await bus.aclose()
