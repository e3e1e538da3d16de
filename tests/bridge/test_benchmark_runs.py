"""The benchmark runs and says what it should; how fast things were is for people to judge."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from benchmarks.stages import SEAMS

pytestmark = [pytest.mark.real, pytest.mark.slow]

ROOT = Path(__file__).parents[2]
WITHIN_S = 90.0
QUICK = "--seconds", "3", "--warm-up", "10"
CALLERS = {"1", "10", "50"}
IN_MEMORY = {"without_disk"} if Path("/dev/shm").is_dir() else set()
PERCENTILES = {"p50", "p95", "p99"}
KEYS: dict[str, set[str]] = {
    "info_all_speedup": set(),
    "crossings_per_info_all": set(),
    "info_all_ms": {"ours", "property_by_property"},
    "commands_per_s": CALLERS,
    "crossings_per_command": CALLERS,
    "whisper_roundtrip_ratio": set(),
    "whisper_added_ms": set(),
    "whisper_ms": {"ours", "plain"},
    "whisper_parts_ms": {"ours", "plain", "bridge_alone", "only_recorded"} | IN_MEMORY,
    "rss_mb": {"python", "node"},
}


STAGES_STARTED = 4


@asynccontextmanager
async def benchmark(
    node_dir: Path, *arguments: str, name: str = "bridge", starts: int = 6 + len(IN_MEMORY)
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A running benchmark; none of the processes it had started is left after the block."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        f"benchmarks.{name}",
        *arguments,
        cwd=ROOT,
        env={**os.environ, "TOWNSFOLK_NODE_DIR": str(node_dir)},
        stdout=asyncio.subprocess.PIPE,
    )
    started = await descendants(process.pid, starts)
    yield process
    assert [each for each in started if each.is_running()] == []


async def descendants(pid: int, count: int) -> list[psutil.Process]:
    """The server, the Nodes of our bridges, the plain bot and the client, once they are there."""
    found: list[psutil.Process] = []
    async with asyncio.timeout(WITHIN_S):
        while len(found) < count:
            await asyncio.sleep(0.05)
            found = psutil.Process(pid).children(recursive=True)
    return found


async def ended(process: asyncio.subprocess.Process) -> bytes:
    async with asyncio.timeout(WITHIN_S):
        printed, _ = await process.communicate()
    return printed


@pytest.mark.timeout(200)
async def test_the_benchmark_prints_every_figure(node_dir: Path) -> None:
    async with benchmark(node_dir, *QUICK, "--json") as process:
        report: dict[str, Any] = json.loads(await ended(process))
    details = report.pop("details")
    parts = {key: set(value) if isinstance(value, dict) else set() for key, value in report.items()}
    assert parts == KEYS
    taken = [*report["whisper_ms"].values(), *report["whisper_parts_ms"].values()]
    assert all(set(each) == PERCENTILES for each in taken)
    assert all(isinstance(figure, int | float) and figure > 0 for figure in figures(report))
    assert details["whispers_each"] > 0
    assert report["crossings_per_info_all"] == 1


@pytest.mark.timeout(200)
async def test_an_interrupted_benchmark_leaves_no_process(node_dir: Path) -> None:
    async with benchmark(node_dir, "--seconds", "60") as process:
        process.send_signal(signal.SIGINT)
        await ended(process)


@pytest.mark.timeout(200)
async def test_every_stage_of_a_whisper_is_passed_and_takes_its_time(node_dir: Path) -> None:
    arguments = node_dir, "--seconds", "3"
    async with benchmark(*arguments, name="stages", starts=STAGES_STARTED) as process:
        printed = (await ended(process)).decode()
    took_us = [int(line.split()[-2]) for line in printed.splitlines() if line.endswith(" us")]
    assert len(took_us) == len(SEAMS)
    assert all(each > 0 for each in took_us[:-1])


def figures(report: dict[str, Any]) -> list[Any]:
    found: list[Any] = []
    for value in report.values():
        found += figures(value) if isinstance(value, dict) else [value]
    return found


@pytest.mark.timeout(200)
async def test_daemons_that_answer_each_other_fall_silent_within_a_minute(node_dir: Path) -> None:
    """Rules without a model, and a model that has something to say to every line."""
    bots = "Alice:rules,Carl:model"
    async with benchmark(
        node_dir, "--minutes", "1", "--bots", bots, "--json", name="machines", starts=3
    ) as process:
        (minute,) = json.loads(await ended(process))
    assert 2 <= minute["lines"] <= 8
    assert minute["last_after_s"] < 45
