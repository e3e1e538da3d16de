"""Tells systemd how the daemon is, where systemd started it (`Type=notify`, `WatchdogSec`).

Lines go to the datagram socket that NOTIFY_SOCKET names. Without one nothing is told. The watchdog
is fed only while the daemon is live; when it is not, systemd ends it and starts it anew.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Protocol

import structlog

from bots.clock import Sleep, real_sleep
from bots.owned_tasks import OwnedTasks

log = structlog.get_logger()

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
    """The systemd that started this process."""

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
        return cls(address, _watchdog_s(environment))

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


def _watchdog_s(environment: Mapping[str, str]) -> float | None:
    """That of this process; one of another process in the same unit is not ours to feed."""
    if environment.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    written = environment.get("WATCHDOG_USEC", "")
    return int(written) / US_PER_S if written.isdecimal() and int(written) > 0 else None


def _in_one_line(text: str) -> str:
    return " ".join(text.split())
