"""`townsfolk up`: run a daemon, say when it is ready and how to join, end it on a signal."""

from __future__ import annotations

import asyncio
import faulthandler
import os
import shlex
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TextIO, TypeAlias

import structlog

from bots.app import Daemon
from bots.cli.process import (
    allow_descriptors,
    collect_everything,
    giving_back_memory,
    on_ending_signal,
    short_collections,
    tell_when_exhausted,
)
from bots.clock import Sleep, real_sleep
from bots.cluster.bus import BusUnavailable
from bots.daemon.data_folder import refuse_foreign
from bots.daemon.models import scripted_model
from bots.daemon.residence import HomeLost
from bots.daemon.session import BotSession
from bots.errors import StoreUnwritable
from bots.observability.logs import logging_to
from bots.observability.terminal_log import may_colour, speaks_unicode
from bots.owned_tasks import OwnedTasks, until_first
from bots.responder.case.persona import PersonaFiles
from bots.settings.loading import data_folder, load_settings
from bots.settings.settings import Settings
from bots.text.columns import padded, terminal_columns, width_of, wrapped
from bots.text.program import as_typed

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
    # A watchdog ends what hangs by SIGABRT: stderr then tells what each thread was at.
    if sys.__stderr__ is not None and not faulthandler.is_enabled():
        faulthandler.enable(sys.__stderr__)
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
        Daemon(settings, progress=lambda line: log.info("node.preparing", progress=line)) as daemon,
    ):
        await daemon.all_joined()
        collect_everything()
        # Set on Ctrl-C, SIGTERM, a closed terminal, and when the daemon has failed.
        ending = asyncio.Event()
        on_ending_signal(ending.set)
        daemon.failure.add_done_callback(lambda _: ending.set())
        if await _becomes_ready(daemon, ending, settings.run_for_s):
            announce(ready_line(daemon))
            tell_ready(daemon, sys.stderr)
            async with supervised(daemon, os.environ):
                await _at_most(settings.run_for_s, ending.wait())
        if daemon.failure.done():
            await daemon.failure
        log.info("daemon.ending")
    return 0


async def _becomes_ready(daemon: Daemon, ending: asyncio.Event, run_for_s: float) -> bool:
    """Say why no bot is in the world, if so, and wait until one is; False at the end before."""
    if why := why_not_ready(daemon.roster.sessions):
        log.warning("daemon.not_ready", why=why)
        patience = _at_most(run_for_s, ending.wait())
        await until_first(daemon.first_joined(), patience, still_starting(daemon, os.environ))
    return not why_not_ready(daemon.roster.sessions)


async def _run(settings: Settings, announce: Callable[[str], None], fake_llm: Path | None) -> int:
    _end_start_on_signal()
    allow_descriptors()
    tell_when_exhausted(asyncio.get_running_loop())
    async with scripted_model(fake_llm, settings) as scripted:
        return await run(scripted, announce=announce)


def _end_start_on_signal() -> None:
    """As asyncio.run does for Ctrl-C only; a start can take minutes."""
    me = asyncio.current_task()
    assert me is not None
    on_ending_signal(me.cancel)


async def _at_most(run_for_s: float, work: Awaitable[object]) -> None:
    """Wait for it; with a time, no longer than that."""
    try:
        async with asyncio.timeout(run_for_s or None):
            await work
    except TimeoutError:
        pass


LABELS = 12  # columns
NARROW = 60  # columns of the terminal; below, what stands behind a label goes below it
WIDEST = 100
SHOWN = 3  # causes
_LINES = {True: ("╭", "│", "╰", "─"), False: ("+", "|", "+", "-")}


Item: TypeAlias = tuple[str, str]
"""A line of the box: a label, and what stands behind it."""


def ready_line(daemon: Daemon) -> str:
    """For programs that start a daemon."""
    bots = ",".join(session.name for session in daemon.roster.sessions)
    dashboard = daemon.http.url if daemon.http else "off"
    return f"ready server={daemon.address} bots={bots} dashboard={dashboard}"


def why_not_ready(sessions: Sequence[BotSession]) -> str:
    """Why no bot is in the world; empty when one is, or where there are none."""
    if not sessions or any(session.online for session in sessions):
        return ""
    alike: dict[str, list[str]] = {}
    for session in sessions:
        found = session.connection.diagnosis
        alike.setdefault(str(found or "The server has not let it in yet."), []).append(session.name)
    causes = [f"{_listed(names)}: {why}" for why, names in alike.items()]
    return f"no bot is in the world yet. {' '.join(causes[:SHOWN])} They go on trying."


def tell_ready(daemon: Daemon, out: TextIO) -> None:
    """Log how to join, and show it where a person sits."""
    bot = _first(daemon.roster.sessions)
    lan = daemon.lan_address
    log.info(
        "daemon.ready",
        join=f"Minecraft Java {_version(daemon)}, direct connection {daemon.address}",
        **({"join_from_network": str(lan)} if lan else {}),
        whisper=f"/tell {bot} hello",
        without_minecraft=_chat(bot, daemon.settings.data_dir),
    )
    if out.isatty():
        rows = box(_title(daemon.roster.sessions), list(_items(daemon)), terminal_columns(), out)
        out.write("".join(f"{row}\n" for row in rows))
        out.flush()


def box(title: str, items: Sequence[Item], columns: int, out: TextIO) -> Iterator[str]:
    """The rows of a box, open at its right: what is copied from it ends where it ends.

    A link is never broken by us."""
    top, side, bottom, across = _LINES[speaks_unicode(out)]
    bold, plain = ("\x1b[1m", "\x1b[0m") if may_colour(out) else ("", "")
    first, *more = wrapped(title, columns - 6)
    rule = across * (min(columns, WIDEST) - width_of(first) - 6)
    yield f"{top}{across * 2} {bold}{first}{plain} {rule}"
    for row in more:
        yield f"{side}    {bold}{row}{plain}"
    for item in items:
        for row in _rows(*item, columns - 2):
            yield f"{side} {row}"
    yield f"{bottom}{across * (min(columns, WIDEST) - 2)}"


def _rows(label: str, value: str, columns: int) -> Iterator[str]:
    behind = wrapped(value, columns - LABELS)
    if columns >= NARROW and max(map(width_of, behind)) <= columns - LABELS:
        yield f"{padded(label, LABELS)}{behind[0]}"
        yield from (" " * LABELS + row for row in behind[1:])
    else:
        if label:
            yield label
        yield from (f"  {row}" for row in wrapped(value, columns - 2))


def _title(sessions: Sequence[BotSession]) -> str:
    here = [session.name for session in sessions if session.online]
    away = [session.name for session in sessions if not session.online]
    if not here:
        return f"{_listed(away)} {_is(away)} not in the world yet" if away else "No bots"
    told = f"{_listed(here)} {_is(here)} in the world"
    return f"{told}; {_listed(away)} not yet" if away else told


def _is(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _items(daemon: Daemon) -> Iterator[Item]:
    folder = daemon.settings.data_dir
    bot = _first(daemon.roster.sessions)
    game = f"Minecraft Java {_version(daemon)}"
    yield ("Join", f"{game}: Multiplayer, Direct Connection, {daemon.address}")
    if (lan := daemon.lan_address) is not None:
        yield ("", f"From other devices in your network: {lan}")
    yield ("Whisper", f"/tell {bot} hello")
    where = _option(folder)
    yield ("Talk here", _chat(bot, folder))
    if (link := daemon.new_link()) is not None:
        yield ("Page", link)
        again = as_typed(f"townsfolk status --link{where}")
        yield ("", f"It opens once; {again} makes another.")
    yield ("Data", str(folder))
    yield ("Characters", str(PersonaFiles.of(folder).path("NAME")))
    yield ("End", "Ctrl-C")


def _chat(bot: str, folder: Path) -> str:
    return as_typed(f"townsfolk chat {bot}{_option(folder)}")


def _option(folder: Path) -> str:
    """What a command needs to find the daemon of this folder."""
    return "" if folder == data_folder(None) else f" --data-dir {shlex.quote(str(folder))}"


def _version(daemon: Daemon) -> str:
    """What is set may have been corrected by the server."""
    joined = next((session.connection.version for session in daemon.roster.sessions), None)
    return joined or daemon.address.version or "of that server"


def _first(sessions: Sequence[BotSession]) -> str:
    return next((session.name for session in sessions), "BOT")


def _listed(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


US_PER_S = 1_000_000
TOLD_EVERY_S = 5.0
STARTING_S = 30.0  # a start that is told of goes on for so long at least
FED_IN_TIME = 3
"""Meals in the time that the watchdog waits for one."""


class Living(Protocol):
    """`bots.daemon.health.Health`."""

    def why_not_live(self) -> list[str]: ...

    def status(self) -> str: ...


class Supervised(Protocol):
    @property
    def health(self) -> Living: ...


@dataclass(frozen=True, slots=True)
class Supervisor:
    """The systemd that started this process (`Type=notify`, `WatchdogSec`).

    Lines go to the datagram socket that NOTIFY_SOCKET names. The watchdog is fed only while the
    daemon is live; when it is not, systemd ends it and starts it anew."""

    address: str
    """Of its socket; an abstract one begins with @."""
    watchdog_s: float | None
    """It expects a sign of life in this time; None: it does not."""

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Supervisor | None:
        """None where this process was not started by systemd, or is not to tell it anything."""
        address = environment.get("NOTIFY_SOCKET", "")
        if not address.startswith(("/", "@")) or not hasattr(socket, "AF_UNIX"):
            return None
        # That of another process in the same unit is not ours to feed.
        is_ours = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        written = environment.get("WATCHDOG_USEC", "") if is_ours else ""
        is_set = written.isdecimal() and int(written) > 0
        return cls(address, int(written) / US_PER_S if is_set else None)

    @property
    def told_every_s(self) -> float:
        if self.watchdog_s is None:
            return TOLD_EVERY_S
        return min(TOLD_EVERY_S, self.watchdog_s / FED_IN_TIME)

    def tell(self, *lines: str) -> None:
        """Send lines, as READY=1. One that cannot be taken is lost: a later one will be."""
        address = f"\0{self.address[1:]}" if self.address.startswith("@") else self.address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
            out.setblocking(False)
            out.sendto("\n".join(lines).encode(), address)

    async def keep_told(self, health: Living, sleep: Sleep) -> None:
        """Tell how the daemon is and feed the watchdog while it lives, until cancelled."""
        told: list[str] = []
        while True:
            why = health.why_not_live()
            if why and not told:
                log.error("watchdog.not_fed", why="; ".join(why))
            told = why
            self.tell(f"STATUS={_in_one_line(health.status())}", *([] if why else ["WATCHDOG=1"]))
            await sleep(self.told_every_s)


@asynccontextmanager
async def supervised(
    daemon: Supervised, environment: Mapping[str, str], sleep: Sleep = real_sleep
) -> AsyncIterator[None]:
    """The daemon is ready while the block lasts, and ends with it; systemd is told."""
    supervisor = Supervisor.of(environment)
    if supervisor is None:
        yield
        return
    tasks = OwnedTasks()
    supervisor.tell("READY=1")
    tasks.start(supervisor.keep_told(daemon.health, sleep), "systemd")
    try:
        yield
    finally:
        await tasks.aclose()
        supervisor.tell("STOPPING=1", "STATUS=ending")


async def still_starting(
    daemon: Supervised, environment: Mapping[str, str], sleep: Sleep = real_sleep
) -> None:
    """Until cancelled, tell systemd that the start goes on: else it ends one that takes long."""
    supervisor = Supervisor.of(environment)
    while supervisor is not None:
        status = f"STATUS={_in_one_line(daemon.health.status())}"
        supervisor.tell(status, f"EXTEND_TIMEOUT_USEC={int(STARTING_S * US_PER_S)}")
        await sleep(TOLD_EVERY_S)
    await asyncio.Event().wait()


def _in_one_line(text: str) -> str:
    return " ".join(text.split())
