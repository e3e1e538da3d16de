"""What `townsfolk up` does with a daemon: run it, say that it is ready and how to join, end it."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable

import structlog

from bots.app import Daemon
from bots.serving import on_ending_signal
from bots.settings import Settings

log = structlog.get_logger()


async def run(settings: Settings, *, announce: Callable[[str], None]) -> int:
    """Run a daemon until it is told to end; the exit code. `announce` gets the ready line."""
    async with Daemon(settings, progress=_log_progress) as daemon:
        await daemon.all_joined()
        keep_what_is_loaded()
        announce(_ready_line(daemon))
        _tell_how_to_join(daemon)
        await _told_to_end(settings.run_for_s, daemon.failure)
        log.info("daemon.ending")
    return 0


def keep_what_is_loaded() -> None:
    """Tell the garbage collector that what there is by now stays for good.

    It goes through everything now and then, and all bots stand still for that: 0.15 s with the
    modules that are loaded, next to nothing without."""
    gc.collect()
    gc.freeze()


def _log_progress(line: str) -> None:
    log.info("node.preparing", progress=line)


def _tell_how_to_join(daemon: Daemon) -> None:
    address = daemon.address
    someone = next((resident.name for resident in daemon.town.residents), "BOT")
    log.info(
        "daemon.ready",
        join=f"Minecraft Java {address.version or 'of that server'}, direct connection {address}",
        whisper=f"/tell {someone} hello",
        without_minecraft=f"townsfolk say {someone} 'Where are you?'",
    )


def _ready_line(daemon: Daemon) -> str:
    bots = ",".join(resident.name for resident in daemon.town.residents)
    dashboard = daemon.http.url if daemon.http else "off"
    return f"ready server={daemon.address} bots={bots} dashboard={dashboard}"


async def _told_to_end(run_for_s: float, failure: asyncio.Future[None]) -> None:
    """Return on Ctrl-C, SIGTERM, a closed terminal, or when the time set is over; raise on a
    failure."""
    told = asyncio.Event()
    on_ending_signal(told.set)
    failure.add_done_callback(lambda _: told.set())
    try:
        async with asyncio.timeout(run_for_s or None):
            await told.wait()
    except TimeoutError:
        pass
    if failure.done():
        await failure
