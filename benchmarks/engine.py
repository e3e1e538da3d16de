"""What we add to a turn that a model answers: `python -m benchmarks.engine [--json] [--turns N]`.

A turn goes the whole way: a person whispers to a bot on the simulated world, the line is recorded
on disk, the prompt is put together, the worst case is held and settled in the ledger, the SDK asks
an API in another process, the answer is whispered and recorded. Measured is the time from the
whisper to the answer less the time in which that API had the question, turn by turn; `cpu` is our
processor time of the same turn, which other programs on the machine do not lengthen.

- `words`: one question; `tool`: two, with a tool of the bot's between them.

Each turn is another person's, with a history that is full: gathering the lines of one who speaks
on at once is a pause we make, no overhead. A write to disk is as slow as the disk.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import SecretStr

from benchmarks.child import Child
from benchmarks.figures import flat, percentile, rounded
from bots.app import Daemon
from bots.experiments.quiet import quietly
from bots.settings import (
    BotsSettings,
    ChatSettings,
    DashboardSettings,
    LlmSettings,
    Settings,
    TalkSettings,
)
from bridge import FakeBridge

TURNS = 200
WARM_UP = 30  # turns that fill the history and are not counted
TARGET_MS = 10.0
WITHIN_S = 20.0
SAID = {"words": "How is it over there?", "tool": "Please use a tool."}

Turn: TypeAlias = tuple[float, float, float]
"""When it began and when it was answered, in seconds of the machine's monotonic clock, and what
it took of our processor's time."""


async def measure(turns: int) -> dict[str, Any]:
    """Overhead of each series in milliseconds, beside the API's own time."""
    command = (sys.executable, "-m", "benchmarks.fake_api")
    async with Child.running(*command, environment={}) as api:
        with tempfile.TemporaryDirectory() as folder:
            bridge = FakeBridge()
            settings = _settings(Path(folder), (await api.ask({}, WITHIN_S))["url"])
            async with Daemon(settings, bridge=bridge) as daemon:
                await daemon.all_joined()
                await _turns(bridge, "words", WARM_UP, "Warm")
                taken = {
                    series: await _turns(bridge, series, turns, series.title()) for series in SAID
                }
                times = (await api.ask({}, WITHIN_S))["times"]
    report = {series: _figures(each, times) for series, each in taken.items()}
    worst = max(figures["overhead_ms"]["p95"] for figures in report.values())
    return {**report, "target_p95_ms": TARGET_MS, "met": worst <= TARGET_MS}


def _settings(folder: Path, url: str) -> Settings:
    return Settings(
        data_dir=folder,
        bots=BotsSettings(names=("Alice",)),
        chat=ChatSettings(pace=False),
        talk=TalkSettings(small_talk=False),
        dashboard=DashboardSettings(enabled=False),
        llm=LlmSettings(
            enabled="on",
            api_key=SecretStr("none"),
            base_url=url,
            cost_limit_usd=1_000.0,
            briefing=False,
        ),
    )


async def _turns(bridge: FakeBridge, series: str, turns: int, names: str) -> list[Turn]:
    taken = []
    for number in range(turns):
        person = bridge.world.person(f"{names}{number}")
        begun, used = time.monotonic(), time.process_time()
        person.whisper("Alice", SAID[series])
        await person.hears(WITHIN_S)
        taken.append((begun, time.monotonic(), time.process_time() - used))
        person.leave()
    return taken


def _figures(turns: Sequence[Turn], asked: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """Of each turn what the API did not have; questions of the background are nobody's turn."""
    sonnet = [(begun, ended) for model, begun, ended in asked if "sonnet" in model]
    overheads, api = [], []
    for began, answered, _used in turns:
        within = [ended - begun for begun, ended in sonnet if began <= begun <= answered]
        if not within:
            raise RuntimeError("the rules answered a turn")
        api.append(sum(within) * 1000)
        overheads.append((answered - began) * 1000 - api[-1])
    cpu = [used * 1000 for _began, _answered, used in turns]
    spreads = {"api_ms": api, "overhead_ms": overheads, "cpu_ms": cpu}
    return {"turns": len(turns), **{name: _spread(each) for name, each in spreads.items()}}


def _spread(values: Sequence[float]) -> dict[str, float]:
    return {f"p{percent}": rounded(percentile(values, percent)) for percent in (50, 95)}


def main() -> None:
    summary = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engine", description=summary)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--turns", type=int, default=TURNS, help="of each series")
    wanted = parser.parse_args()
    with quietly():
        report = asyncio.run(measure(wanted.turns))
    if wanted.json:
        print(json.dumps(report))
        return
    for name, value in flat(report):
        print(f"{name:<32}{value:>12,}")


if __name__ == "__main__":
    main()
