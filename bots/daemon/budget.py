"""The one budget of a data folder: the ledger in its database pays for every model call.

With `llm.budget_bus`, or in a cluster, the ledger is in a broker. A daemon and
experiments may use it at the same time: see `llm.engine.budget`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from bots.clock import Sleep, Times, steady
from bots.cluster.bus import Bus, BusUnavailable
from bots.cluster.connecting import connected_bus
from bots.cluster.ledger import BusLedger
from bots.daemon import daemon_file
from bots.daemon.data_folder import refuse_foreign
from bots.daemon.models import caps_of
from bots.errors import SettingsError, StoreError
from bots.private_files import make_private_folder
from bots.settings.settings import Settings
from bots.store.database import FILE_NAME, Store, steps_ahead
from bots.store.ledger import SqliteLedger
from llm.engine.budget import Budget
from llm.model import LedgerUnavailable

LOOK_EVERY_S = 5.0


async def budget_on(store: Store, settings: Settings, times: Times) -> Budget:
    """The budget in this database, as earlier runs left it. Raises LedgerUnavailable."""
    ledger = SqliteLedger(store)
    caps = caps_of(settings.llm, has_owners=bool(settings.permissions.owners))
    clock = steady(await ledger.now(times.clock()), times.stopwatch)
    return await Budget.load(ledger, caps, clock)


async def budget_over(bus: Bus, settings: Settings, times: Times) -> Budget:
    """The budget of all daemons on this bus. Raises BusUnavailable."""
    caps = caps_of(settings.llm, has_owners=bool(settings.permissions.owners))
    try:
        return await Budget.load(BusLedger(bus), caps, steady(times.clock(), times.stopwatch))
    except LedgerUnavailable as fault:
        raise BusUnavailable(str(fault)) from fault


@asynccontextmanager
async def shared_budget(settings: Settings, times: Times) -> AsyncIterator[Budget]:
    """The budget of a broker or of a data folder, which others may be using at the same time; a
    missing one is made.

    Raises SettingsError, StoreError and BusUnavailable."""
    if settings.budget_brokers:
        async with connected_bus(settings.budget_brokers) as bus:
            yield await budget_over(bus, settings, times)
        return
    folder = settings.llm.budget_dir or settings.data_dir
    refuse_foreign(folder)
    try:
        make_private_folder(folder)
    except OSError as error:
        raise SettingsError(f"cannot use data folder {folder}: {error.strerror}") from error
    _refuse_older_daemon(folder)
    store = await Store.open(folder / FILE_NAME)
    try:
        yield await _loaded(store, settings, times)
    finally:
        await store.aclose()


async def _loaded(store: Store, settings: Settings, times: Times) -> Budget:
    try:
        return await budget_on(store, settings, times)
    except LedgerUnavailable as fault:
        raise StoreError(f"{store.path}: {fault}") from fault


async def follow(budget: Budget, sleep: Sleep) -> None:
    """Read what others spend, until cancelled, so that we show the right sum between calls."""
    while True:
        await sleep(LOOK_EVERY_S)
        with suppress(LedgerUnavailable):  # the next call says so
            await budget.look()


def _refuse_older_daemon(folder: Path) -> None:
    """A migration of the database would break a running daemon of an older version."""
    with suppress(daemon_file.NoDaemon):
        daemon = daemon_file.read(folder)
        if steps_ahead(folder / FILE_NAME):
            raise SettingsError(
                f"the daemon on {folder} (process {daemon.pid}) is of an older townsfolk: "
                "start it anew, or use another --data-dir"
            )
