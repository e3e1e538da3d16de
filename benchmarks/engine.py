"""What we add to a turn that a model answers: `python -m benchmarks.engine [--json] [--turns N]`.

A turn goes the whole way: a person whispers to a bot on the simulated world, the line is recorded
on disk, the prompt is put together, the worst case is held and settled in the ledger, the SDK asks
an API in another process, the answer is whispered. Measured is the time from the whisper until the
person hears the answer, less the time in which that API or the world had a question, turn by turn:
the simulated world answers in our process, a real one in Node. `cpu` is our processor time from
one turn to the next, what comes after the answer included (its record, the summary of the talk),
which other programs on the machine do not lengthen.

- `words`: one question, and what the target is for; `tool`: two questions, with a tool of the
  bot's between them that looks about.
- `sdk`: the question of `words` again, by the SDK's own `messages.stream` and nothing else of
  us. `ratio` is our `words` to that, medians, in the same run: what holds on any machine.

Where the time of `words` goes, of about 6.5 ms on two cores: 1.6 until the whisper's line is on the
disk and a mind has it; 0.4 to look and write that down; 0.3 for the prompt; 0.2 for tools and the
tier; 0.5 until the worst case is on the disk; 1.4 until the API has the request and 1 from its last
byte to a completion, nearly all of both in the SDK and HTTP; 1.1 to record the decision and say it.
Much of it is waking: of a thread that writes, of the other process. The cost reaches the disk with
the record of the answer.

Each turn is another person's, of a few, with a history that is full: gathering the lines of one
who speaks on at once is a pause we make, no overhead. A write to disk is as slow as the disk.
Between turns there is a pause in which the end of the one before cannot be in the way; a summary
of the talk is begun half a second after an answer, and some later turn meets it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any, TypeAlias

from anthropic import AsyncAnthropic
from pydantic import SecretStr

from benchmarks.child import Child
from benchmarks.fake_api import PERSONS_TIER
from benchmarks.figures import flat, percentile, rounded
from benchmarks.timed_world import Span, TimedWorld, covered
from bots.app import Daemon
from bots.cli.process import collect_everything, short_collections
from bots.observability.logs import quietly
from bots.settings.secrets import SecretUrl
from bots.settings.settings import (
    BotsSettings,
    ChatSettings,
    DashboardSettings,
    IdleSettings,
    LlmSettings,
    Settings,
    TalkSettings,
)

TURNS = 200
WARM_UP = 30  # turns that fill the history and are not counted
TARGET_MS = 10.0
PERSONS = 8  # of each series
WITHIN_S = 20.0
PAUSE_S = 0.05  # for what follows an answer; only its summary begins later
SAID = {"words": "How is it over there?", "tool": "Please use a tool."}

Asking: TypeAlias = Callable[[], Awaitable[None]]
"""One turn, from its beginning to its answer."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Moments in seconds: of the machine's monotonic clock, and of processor time."""

    began: float
    answered: float
    cpu_began: float
    """Of this thread."""
    cpu_ended: float
    used: float
    """Of all our threads."""


async def measure(turns: int) -> dict[str, Any]:
    """Overhead of each series in milliseconds, beside the API's own time."""
    command = (sys.executable, "-m", "benchmarks.fake_api")
    async with Child.running(*command, environment={}) as api:
        url = (await api.ask({}, WITHIN_S))["url"]
        async with short_collections(), _world_of_daemon(url) as world:  # as `townsfolk up`
            await _taken({"words": _whispering(world, "words", "Warm")}, WARM_UP)
            collect_everything()
            question = (await api.ask({}, WITHIN_S))["question"]
            async with _asked_plainly(url, question) as plainly:
                ours = {name: _whispering(world, name, name.title()) for name in SAID}
                taken = await _taken({**ours, "sdk": plainly}, turns)
        times = (await api.ask({}, WITHIN_S))["times"]
    # What is asked in the background is nobody's turn.
    spans = [(begun, ended) for model, begun, ended in times if PERSONS_TIER in model]
    return _report({series: _figures(each, spans, world) for series, each in taken.items()})


def _report(figures: dict[str, dict[str, Any]]) -> dict[str, Any]:
    overheads = {series: each["overhead_ms"] for series, each in figures.items()}
    ratio = rounded(overheads["words"]["p50"] / overheads["sdk"]["p50"])
    met = overheads["words"]["p95"] <= TARGET_MS
    return {**figures, "ratio": ratio, "target_p95_ms": TARGET_MS, "met": met}


@asynccontextmanager
async def _world_of_daemon(url: str) -> AsyncIterator[TimedWorld]:
    with tempfile.TemporaryDirectory() as folder:
        world = TimedWorld()
        async with Daemon(_settings(Path(folder), url), bridge=world) as daemon:
            await daemon.all_joined()
            yield world


def _settings(folder: Path, url: str) -> Settings:
    return Settings(
        data_dir=folder,
        bots=BotsSettings(names=("Alice",)),
        chat=ChatSettings(pace=False),
        idle=IdleSettings(enabled=False),
        talk=TalkSettings(small_talk=False, max_turns_without_person=100),  # persons who type fast
        dashboard=DashboardSettings(enabled=False),
        llm=LlmSettings(
            enabled="on",
            api_key=SecretStr("none"),
            base_url=SecretUrl(url),
            cost_limit_usd=1_000.0,
            briefing=False,
        ),
    )


def _whispering(bridge: TimedWorld, series: str, names: str) -> Asking:
    """Each time by another person than the last."""
    numbers = cycle(range(PERSONS))

    async def ask() -> None:
        person = bridge.world.person(f"{names}{next(numbers)}")
        person.whisper("Alice", SAID[series])
        await person.hears(WITHIN_S)
        person.leave()

    return ask


@asynccontextmanager
async def _asked_plainly(url: str, question: dict[str, Any]) -> AsyncIterator[Asking]:
    body = {key: value for key, value in question.items() if key != "stream"}
    async with AsyncAnthropic(api_key="none", base_url=url) as client:

        async def ask() -> None:
            async with client.messages.stream(**body) as stream:
                await stream.get_final_message()

        await ask()  # connects
        yield ask


async def _taken(askings: dict[str, Asking], turns: int) -> dict[str, list[Turn]]:
    """One turn of each series after the other, so that all meet the same machine."""
    taken: dict[str, list[Turn]] = {series: [] for series in askings}
    for _ in range(turns):
        for series, ask in askings.items():
            taken[series].append(await _timed(ask))
    return taken


async def _timed(ask: Asking) -> Turn:
    began, cpu_began, used = time.monotonic(), time.thread_time(), time.process_time()
    await ask()
    answered = time.monotonic()
    await asyncio.sleep(PAUSE_S)
    return Turn(began, answered, cpu_began, time.thread_time(), time.process_time() - used)


def _figures(turns: Sequence[Turn], api: Sequence[Span], world: TimedWorld) -> dict[str, Any]:
    rows = [_milliseconds(turn, api, world) for turn in turns]
    spreads = {name: _spread([row[name] for row in rows]) for name in rows[0]}
    return {"turns": len(turns), **spreads}


def _milliseconds(turn: Turn, api: Sequence[Span], world: TimedWorld) -> dict[str, float]:
    asked = covered(api, turn.began, turn.answered)
    if not asked:
        raise RuntimeError("the rules answered a turn")
    looked = covered(world.spans, turn.began, turn.answered)
    cpu_looked = covered(world.cpu_spans, turn.cpu_began, turn.cpu_ended)
    seconds = {
        "api_ms": asked,
        "world_ms": looked,
        "overhead_ms": turn.answered - turn.began - asked - looked,
        "cpu_ms": turn.used - cpu_looked,
    }
    return {name: value * 1000 for name, value in seconds.items()}


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
