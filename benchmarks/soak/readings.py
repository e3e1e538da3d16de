"""What is read of a daemon and its processes every few seconds, and kept in a file line by line."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeAlias

import httpx2
import psutil
from faults.testbed import Testbed
from prometheus_client.parser import text_string_to_metric_families

EVERY_S = 10.0
DEEPLY_EVERY = 6  # readings: then garbage is collected, and what is left is counted
FILE_NAME = "readings.jsonl"
PROCESSES, NODES = ("daemon", "node", "server"), frozenset({"node", "server"})
SETTLED_S = 15.0
LAG, LATE_S = "townsfolk_event_loop_lag_seconds", "0.02"
"""The histogram of lag, and its bound beyond which a look is late."""
AWAY = (psutil.Error, TimeoutError, OSError, ValueError, httpx2.HTTPError)
"""In a fault, or just after it, a process may be gone or stand still: it is not read then."""

Reading: TypeAlias = dict[str, Any]


class Reader:
    """Takes readings of one testbed until its block ends."""

    def __init__(self, testbed: Testbed, folder: Path) -> None:
        self._town, self._path = testbed, folder / FILE_NAME
        self._begun_s = time.monotonic()
        self._told = 0  # of the broken promises

    @classmethod
    @asynccontextmanager
    async def reading(cls, testbed: Testbed, folder: Path) -> AsyncIterator[None]:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(cls(testbed, folder)._run())
            yield
            task.cancel()

    async def _run(self) -> None:
        number = 0
        while True:
            reading = await self._take(deeply=number % DEEPLY_EVERY == 0)
            with self._path.open("a") as file:
                file.write(json.dumps(reading) + "\n")
            number += 1
            await asyncio.sleep(EVERY_S)

    async def _take(self, deeply: bool) -> Reading:
        reading: Reading = {
            "at_s": time.monotonic() - self._begun_s,
            "daemon": self._town.number,
            "is_warm_up": self._town.is_warming_up,
            "lines": self._town.promises.counts["lines acknowledged"],
            "broken": self._town.promises.broken[self._told :],
            "processes": dict(self._processes()),
            "files_mb": self._files(),
        }
        self._told = len(self._town.promises.broken)
        with suppress(*AWAY):
            reading["lag"] = await self._lag()
            if deeply:
                await self._look_deeply(reading)
                reading["lag_from_here"] = await self._lag()
        return reading

    def _processes(self) -> Iterator[tuple[str, Reading]]:
        for name in PROCESSES:
            with suppress(*AWAY):
                yield name, _of_process(self._process(name))

    def _process(self, name: str) -> psutil.Process:
        """Raises ValueError or psutil.Error where it does not run."""
        daemon = self._town.daemon
        match name:
            case "daemon":
                return psutil.Process(daemon.pid)
            case "node":
                return daemon.bots_node
            case _:
                return daemon.server

    def _files(self) -> Mapping[str, float]:
        """The disk that the database and what is logged take."""
        data, database = self._town.site.data_dir, self._town.database
        return {
            "database": _size_mb(data.glob(database.name + "*")),
            "log": _size_mb((data / "log").rglob("*")),
        }

    async def _lag(self) -> Reading:
        """Of the event loop since the daemon's start."""
        reply = await self._town.daemon.http.get("/metrics")
        return lag_of(reply.raise_for_status().text)

    async def _look_deeply(self, reading: Reading) -> None:
        processes = reading["processes"]
        # the system counts threads too, of which Python knows its own alone
        processes["daemon"] = await self._town.held() | processes["daemon"]
        for name in NODES & set(processes):
            process = self._process(name)
            if time.time() - process.create_time() < SETTLED_S:
                continue  # it may not listen yet: the signal would end it
            of_node = await self._town.held_by_node(process)
            processes[name].update(
                data_mb=(of_node.in_use_bytes - of_node.compiled_bytes) / 1e6,
                compiled_mb=of_node.compiled_bytes / 1e6,
                handles=of_node.handles,
                ids=of_node.ids,
            )


def readings_of(folder: Path) -> list[Reading]:
    """What was read so far; the last line may be cut."""
    path, found = folder / FILE_NAME, []
    for line in path.read_text().splitlines() if path.exists() else ():
        with suppress(ValueError):
            found.append(json.loads(line))
    return found


def lag_of(metrics: str) -> Reading:
    """From the text for Prometheus: how many looks there were, what they sum up to, how many
    were late."""
    figures = {
        (sample.name.removeprefix(LAG), sample.labels.get("le")): sample.value
        for family in text_string_to_metric_families(metrics)
        for sample in family.samples
        if family.name == LAG
    }
    looks = figures["_count", None]
    late = looks - figures["_bucket", LATE_S]
    return {"looks": looks, "sum_s": figures["_sum", None], "late": late}


def _of_process(process: psutil.Process) -> Reading:
    with process.oneshot():
        times = process.cpu_times()
        return {
            "pid": process.pid,
            "rss_mb": process.memory_info().rss / 1e6,
            "descriptors": process.num_fds(),
            "threads": process.num_threads(),
            "cpu_s": times.user + times.system,
        }


def _size_mb(files: Iterator[Path]) -> float:
    size = 0
    for file in files:
        with suppress(OSError):
            size += file.stat().st_size
    return size / 1e6
