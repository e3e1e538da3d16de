"""Processor time and memory of the daemon and its Node processes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

import psutil

from bots.daemon.shapes import LoadShape, ProcessShape

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
        self._look_for_new()
        servers = [process for process in self._below if _is_server(process)]
        others = [process for process in self._below if process not in servers]
        return {
            "success": True,
            "daemon": _together([self._daemon]),
            "node": _together(others),
            "nodes": sum(map(_runs, others)),
            "server": _together(servers) if servers else None,
            "loopLagS": self._worst_lag_s(),
            "ended": self._ended(),
        }

    def _look_for_new(self) -> None:
        if self._stopwatch() - self._looked_at_s >= LOOKS_FOR_NEW_EVERY_S:
            with suppress(*UNREADABLE):
                self._below = self._daemon.children(recursive=True)
            self._looked_at_s = self._stopwatch()


def _is_server(process: psutil.Process) -> bool:
    with suppress(*UNREADABLE):
        return any(word.replace("\\", "/").endswith(SERVER_MARK) for word in process.cmdline())
    return False


def _runs(process: psutil.Process) -> bool:
    return bool(process.is_running())


def _together(processes: Iterable[psutil.Process]) -> ProcessShape:
    """The sum of those that run."""
    memory, cpu_s = 0, 0.0
    for process in processes:
        with suppress(*UNREADABLE), process.oneshot():
            times = process.cpu_times()
            memory += process.memory_info().rss
            cpu_s += times.user + times.system
    return {"memoryBytes": memory, "cpuSeconds": round(cpu_s, 2)}
