"""The health of the daemon for a supervisor outside: no names, no secrets.

Not live means that the supervisor should restart it. Ready means that people can talk with the
bots.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import psutil

from bots.cluster.bus import Bus
from bots.daemon.session import BotRoster
from bots.daemon.shapes import LoadShape, ProcessShape
from bots.observability.stalls import STALLED_S, LoopLag

NODE_BACK_WITHIN_S = 30.0
"""Node is started again in a second or two; one that is away for longer will not come."""


class Health:
    """Of one daemon. Each `why_not` is empty while all is well."""

    def __init__(
        self,
        roster: BotRoster,
        lag: LoopLag,
        *,
        is_whole: Callable[[], bool],
        trouble: Callable[[], str | None],
        guests_trouble: Callable[[], Mapping[str, str]],
        ended: Callable[[], Mapping[str, str]],
        broker: Bus | None = None,
    ) -> None:
        """`is_whole`: no part failed that the daemon cannot do without. `trouble`: why the
        database cannot be written. `guests_trouble`: the same by home, of those of other daemons
        that it lives with. `ended`: parts that failed and are missed, with why. `broker`: of its
        cluster."""
        self._roster, self._lag = roster, lag
        self._is_whole, self._trouble = is_whole, trouble
        self._guests_trouble, self._ended, self._broker = guests_trouble, ended, broker

    def facts(self) -> dict[str, Any]:
        """Whether daemon and database are well, and how many bots are in the world."""
        trouble, broker = self._trouble(), self._broker and self._broker.trouble
        return {
            "ok": self._is_whole() and not (trouble or broker or self._ended()),
            "database": trouble or "ok",
            "bots": len(self._roster.sessions),
            "online": len(self._roster.bots_online),
            "ended": self.ended(),
            **({"broker": broker or "ok"} if self._broker is not None else {}),
        }

    def ended(self) -> list[str]:
        """The parts that failed while the rest goes on, each with why: a start brings them back."""
        return [f"{name}: {why}" for name, why in self._ended().items()]

    @property
    def database_trouble(self) -> str | None:
        """Why the database cannot be written; None while it can."""
        return self._trouble()

    def why_not_live(self) -> list[str]:
        """Why a supervisor should restart it. A blocked event loop gives no answer at all."""
        return list(self._broken(NODE_BACK_WITHIN_S))

    def why_not_ready(self) -> list[str]:
        """Why it cannot work now."""
        return [*self._broken(0.0), *self._hindered()]

    def status(self) -> str:
        """One line for a person."""
        why, roster = self.why_not_ready(), self._roster
        bots = f"{len(roster.bots_online)} of {len(roster.sessions)} bots are in the world"
        return f"not ready: {'; '.join(why)}" if why else bots

    def _broken(self, patience_s: float) -> Iterator[str]:
        if not self._is_whole():
            yield "a part failed that the daemon cannot do without"
        down_s = self._roster.node_down_s
        if down_s is not None and down_s >= patience_s:
            yield "Node is down" if not patience_s else f"Node is down for {down_s:.0f} s"

    def _hindered(self) -> Iterator[str]:
        if trouble := self._trouble():
            yield f"database: {trouble}"
        for home, trouble in self._guests_trouble().items():
            yield f"database of home {home}: {trouble}"
        if self._broker is not None and self._broker.trouble:
            yield f"broker: {self._broker.trouble}"
        for part in self.ended():
            yield f"a part has ended: {part}"
        if (late_s := self._lag.worst_s) >= STALLED_S:
            yield f"the event loop stood still for {late_s:.1f} s"
        if self._roster.sessions and not self._roster.bots_online:
            yield "no bot is in the world"


LOOKS_FOR_NEW_EVERY_S = 5.0  # to look through all processes of the machine takes a while
SERVER_MARK = "server/main.cjs"
UNREADABLE = (psutil.Error, OSError)
"""Of a process that has ended, or where no descriptor is left to ask the system."""


class Load:
    """Of one daemon; read in a thread, so that bots do not wait for it."""

    def __init__(
        self,
        worst_lag_s: Callable[[], float],
        stopwatch: Callable[[], float] = time.monotonic,
        daemon: psutil.Process | None = None,
        *,
        ended: Callable[[], list[str]] = list,
    ) -> None:
        """`ended` names the parts that failed. The daemon is this process unless told otherwise."""
        self._worst_lag_s, self._ended, self._stopwatch = worst_lag_s, ended, stopwatch
        self._daemon = daemon or psutil.Process()
        self._below: list[psutil.Process] = []
        self._looked_at_s = float("-inf")

    async def now(self) -> LoadShape:
        return await asyncio.to_thread(self._read)

    def _read(self) -> LoadShape:
        if self._stopwatch() - self._looked_at_s >= LOOKS_FOR_NEW_EVERY_S:
            with suppress(*UNREADABLE):
                self._below = self._daemon.children(recursive=True)
            self._looked_at_s = self._stopwatch()
        servers = [process for process in self._below if _is_server(process)]
        others = [process for process in self._below if process not in servers]
        return {
            "success": True,
            "daemon": _together([self._daemon]),
            "node": _together(others),
            "nodes": sum(bool(process.is_running()) for process in others),
            "server": _together(servers) if servers else None,
            "loopLagS": self._worst_lag_s(),
            "ended": self._ended(),
        }


def _is_server(process: psutil.Process) -> bool:
    with suppress(*UNREADABLE):
        return any(word.replace("\\", "/").endswith(SERVER_MARK) for word in process.cmdline())
    return False


def _together(processes: Iterable[psutil.Process]) -> ProcessShape:
    """The sum of those that run."""
    memory, cpu_s = 0, 0.0
    for process in processes:
        with suppress(*UNREADABLE), process.oneshot():
            times = process.cpu_times()
            memory += process.memory_info().rss
            cpu_s += times.user + times.system
    return {"memoryBytes": memory, "cpuSeconds": round(cpu_s, 2)}
