"""`townsfolk up`: run a daemon, say when it is ready and how to join, end it on a signal."""

from __future__ import annotations

import asyncio
import faulthandler
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import structlog

from bots.app import Daemon
from bots.cli import ready
from bots.cli.process import (
    allow_descriptors,
    collect_everything,
    giving_back_memory,
    on_ending_signal,
    short_collections,
    tell_when_exhausted,
)
from bots.cli.systemd import still_starting, supervised
from bots.cluster.bus import BusUnavailable
from bots.daemon.data_folder import refuse_foreign
from bots.daemon.residence import HomeLost
from bots.errors import SettingsError, StoreUnwritable
from bots.observability.logs import logging_to
from bots.owned_tasks import until_first
from bots.settings.loading import load_settings
from bots.settings.secrets import SecretUrl
from bots.settings.settings import Settings
from bots.text.reading import NotText, read_text

log = structlog.get_logger()

AGAIN_AFTER_S = 1.0  # after a home was lost
MOST_AFTER_S = 30.0  # where only a person can help


def serve(
    config: Path | None,
    flags: Mapping[str, Any],
    announce: Callable[[str], None],
    fake_llm: Path | None = None,
) -> int:
    """Run a daemon until it is told to end; the exit code.

    `announce` gets the ready line; `fake_llm` is the script of an API that stands in for the
    real one. Raises BotError subclasses when it cannot start.
    """
    settings = load_settings(config, flags)
    refuse_foreign(settings.data_dir)
    _show_where_it_hangs()
    with logging_to(settings.data_dir, settings.log, settings.secrets):
        try:
            return asyncio.run(_run(settings, announce, fake_llm))
        except asyncio.CancelledError:
            return 0  # told to end before it was ready


async def run(settings: Settings, *, announce: Callable[[str], None]) -> int:
    """Run a daemon until it is told to end; the exit code. `announce` gets the ready line.

    One that has lost its home to another daemon of its cluster starts anew: it gets it back,
    however long the broker is away."""
    has_lost, pause_s = False, AGAIN_AFTER_S
    while True:
        try:
            return await _run_once(settings, announce)
        except (HomeLost, BusUnavailable, StoreUnwritable) as lost:
            has_lost = has_lost or isinstance(lost, HomeLost)
            if not has_lost:
                raise
            log.warning("daemon.starts_anew", why=str(lost))
            lasts = isinstance(lost, BusUnavailable) and lost.lasts
            pause_s = min(2 * pause_s, MOST_AFTER_S) if lasts else AGAIN_AFTER_S
        _end_start_on_signal()
        await asyncio.sleep(pause_s)


async def _run_once(settings: Settings, announce: Callable[[str], None]) -> int:
    async with (
        giving_back_memory(),
        short_collections(),
        Daemon(settings, progress=_log_progress) as daemon,
    ):
        await daemon.all_joined()
        collect_everything()
        ending = _told_to_end(daemon.failure)
        if await _becomes_ready(daemon, ending, settings.run_for_s):
            announce(ready.line(daemon))
            ready.tell(daemon, sys.stderr)
            async with supervised(daemon, os.environ):
                await _at_most(settings.run_for_s, ending.wait())
        if daemon.failure.done():
            await daemon.failure
        log.info("daemon.ending")
    return 0


async def _becomes_ready(daemon: Daemon, ending: asyncio.Event, run_for_s: float) -> bool:
    """Say why no bot is in the world, if so, and wait until one is; False at the end before."""
    if why := ready.why_not(daemon.roster.sessions):
        log.warning("daemon.not_ready", why=why)
        patience = _at_most(run_for_s, ending.wait())
        await until_first(daemon.first_joined(), patience, still_starting(daemon, os.environ))
    return not ready.why_not(daemon.roster.sessions)


def _show_where_it_hangs() -> None:
    """A watchdog ends what hangs by SIGABRT: stderr then tells what each thread was at."""
    if sys.__stderr__ is not None and not faulthandler.is_enabled():
        faulthandler.enable(sys.__stderr__)


async def _run(settings: Settings, announce: Callable[[str], None], fake_llm: Path | None) -> int:
    _end_start_on_signal()
    allow_descriptors()
    tell_when_exhausted(asyncio.get_running_loop())
    async with _scripted_model(fake_llm, settings) as scripted:
        return await run(scripted, announce=announce)


def _end_start_on_signal() -> None:
    """As asyncio.run does for Ctrl-C only; a start can take minutes."""
    me = asyncio.current_task()
    assert me is not None
    on_ending_signal(me.cancel)


@asynccontextmanager
async def _scripted_model(script: Path | None, settings: Settings) -> AsyncIterator[Settings]:
    """The settings, changed to use a scripted API on loopback while the block lasts.

    Without a script they stay as they are. Raises SettingsError for an unusable script."""
    if script is None:
        yield settings
        return
    from llm.fake_api import FakeClaude
    from llm.fake_api.script import RuleScript, ScriptError

    try:
        rules = RuleScript.of(read_text(script))
    except (OSError, NotText, ScriptError) as error:
        raise SettingsError(f"{script}: {error}") from error
    async with FakeClaude(decide=rules).serving() as api:
        log.warning("model.scripted", script=str(script), meaning="no model is asked")
        changed = {
            "enabled": "on",
            "base_url": SecretUrl(api.url),
            "api_key": None,
            "auth_token": None,
        }
        yield settings.model_copy(update={"llm": settings.llm.model_copy(update=changed)})


def _told_to_end(failure: asyncio.Future[None]) -> asyncio.Event:
    """Set on Ctrl-C, SIGTERM, a closed terminal, and when the daemon has failed."""
    told = asyncio.Event()
    on_ending_signal(told.set)
    failure.add_done_callback(lambda _: told.set())
    return told


async def _at_most(run_for_s: float, work: Awaitable[object]) -> None:
    """Wait for it; with a time, no longer than that."""
    try:
        async with asyncio.timeout(run_for_s or None):
            await work
    except TimeoutError:
        pass


def _log_progress(line: str) -> None:
    log.info("node.preparing", progress=line)
