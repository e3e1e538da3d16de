"""From readings to a verdict: the slope of each measure, and whether it is too much."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from benchmarks.soak.readings import Reading
from benchmarks.soak.slopes import Life, Slope, Verdict, slope_of, verdict
from bots.clock import MS_PER_S

WARM_S, WARM_SHARE = 600.0, 1 / 3
"""At the start of each process caches fill: that is left out, but of a short run not more than a
share. Those that lived through the warm-up are warm after it."""
HOUR_S = 3_600.0

Point: TypeAlias = tuple[Hashable, float, float]
"""The process it is of, or that and what else begins a life; the time in s; the value."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One thing that must not grow."""

    name: str
    unit: str
    most: float | None
    """By how much it may grow in an hour; None: it is kept on purpose, and no slope is too much."""
    points: Callable[[Sequence[Reading]], Iterator[Point]]


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of one measure."""

    measure: Measure
    lives: Sequence[Life]
    """By hours since the beginning of the run; what is warm alone."""
    slope: Slope | None
    last: float | None

    @property
    def verdict(self) -> Verdict | None:
        """None for what may grow."""
        return None if self.measure.most is None else verdict(self.slope, self.measure.most)


def judge(readings: Sequence[Reading]) -> list[Judged]:
    return [_judged(measure, readings) for measure in MEASURES]


def grown(judged: Sequence[Judged]) -> list[str]:
    return [one.measure.name for one in judged if one.verdict is Verdict.GROWS]


def exits(readings: Sequence[Reading]) -> int:
    """How often the daemon ended: none of the faults played ends it."""
    return max((reading["daemon"] for reading in readings), default=1) - 1


def broken(readings: Sequence[Reading]) -> list[str]:
    return [promise for reading in readings for promise in reading["broken"]]


def _judged(measure: Measure, readings: Sequence[Reading]) -> Judged:
    lives = _warm_lives(list(measure.points(readings)), _warmed_at_s(readings), _warm_s(readings))
    last = [life.values[-1] for life in lives]
    return Judged(measure, lives, slope_of(lives), last[-1] if last else None)


def lasted_s(readings: Sequence[Reading]) -> float:
    """Without the warm-up."""
    return float(readings[-1]["at_s"]) - _warmed_at_s(readings) if readings else 0.0


def _warmed_at_s(readings: Sequence[Reading]) -> float:
    """The end of the warm-up; 0 where there was none."""
    return max((reading["at_s"] for reading in readings if reading["is_warm_up"]), default=0.0)


def _warm_s(readings: Sequence[Reading]) -> float:
    """How long each process that began later is not yet warm."""
    return min(WARM_S, lasted_s(readings) * WARM_SHARE)


def _warm_lives(points: Sequence[Point], warmed_at_s: float, warm_s: float) -> list[Life]:
    by_process: defaultdict[Hashable, list[tuple[float, float]]] = defaultdict(list)
    for process, at_s, value in points:
        by_process[process].append((at_s, value))
    lives = []
    for found in by_process.values():
        begun_s = found[0][0]
        warm_from_s = warmed_at_s if begun_s < warmed_at_s else begun_s + warm_s
        warm = [point for point in found if point[0] >= warm_from_s]
        if warm:
            lives.append(Life([at_s / HOUR_S for at_s, _ in warm], [value for _, value in warm]))
    return lives


# --- where the points of each measure lie ------------------------------------------


def _of(process: str, key: str) -> Callable[[Sequence[Reading]], Iterator[Point]]:
    def points(readings: Sequence[Reading]) -> Iterator[Point]:
        for reading in readings:
            read = reading["processes"].get(process, {})
            if key in read:
                yield read["pid"], reading["at_s"], float(read[key])

    return points


def _without_code(process: str) -> Callable[[Sequence[Reading]], Iterator[Point]]:
    """Of a Node, where what V8 has compiled was told.

    A new server has all bots load a world at once: the most that the Node of the bots ever held at
    a time is then another, which begins a life. Whether it holds on to any, its data tells."""

    def points(readings: Sequence[Reading]) -> Iterator[Point]:
        server = None
        for reading in readings:
            processes = reading["processes"]
            server = processes.get("server", {}).get("pid", server)
            if "compiled_mb" in (read := processes.get(process, {})):
                memory_mb = read["rss_mb"] - read["compiled_mb"]
                yield (read["pid"], server), reading["at_s"], float(memory_mb)

    return points


def _file(name: str) -> Callable[[Sequence[Reading]], Iterator[Point]]:
    def points(readings: Sequence[Reading]) -> Iterator[Point]:
        for reading in readings:
            yield reading["daemon"], reading["at_s"], reading["files_mb"][name]

    return points


def _mean_lag_ms(readings: Sequence[Reading]) -> Iterator[Point]:
    """Between readings; while garbage is collected for a reading, the loop stands still."""
    for before, after in _pairs_of_lag(readings):
        looks = after["lag"]["looks"] - before["looks"]
        late_s = after["lag"]["sum_s"] - before["sum_s"]
        yield after["daemon"], after["at_s"], MS_PER_S * late_s / looks


def late_share(readings: Sequence[Reading]) -> float:
    """Of all looks at the event loop after the warm-up, the share that was later than 20 ms."""
    looks = late = 0.0
    for before, after in _pairs_of_lag([one for one in readings if not one["is_warm_up"]]):
        looks += after["lag"]["looks"] - before["looks"]
        late += after["lag"]["late"] - before["late"]
    return late / looks if looks else 0.0


def _pairs_of_lag(readings: Sequence[Reading]) -> Iterator[tuple[Reading, Reading]]:
    for first, after in pairwise(readings):
        before = first.get("lag_from_here", first.get("lag"))
        is_same = first["daemon"] == after["daemon"]
        if before and "lag" in after and is_same and after["lag"]["looks"] > before["looks"]:
            yield before, after


MEASURES = (
    Measure("daemon memory", "MB", 2.0, _of("daemon", "rss_mb")),
    Measure("node memory", "MB", 2.0, _without_code("node")),
    Measure("server memory", "MB", 2.0, _without_code("server")),
    Measure("daemon blocks in use", "", 20_000.0, _of("daemon", "blocks")),
    Measure("node data", "MB", 1.0, _of("node", "data_mb")),
    Measure("server data", "MB", 1.0, _of("server", "data_mb")),
    Measure("node compiled code", "MB", None, _of("node", "compiled_mb")),
    Measure("server compiled code", "MB", None, _of("server", "compiled_mb")),
    Measure("asyncio tasks", "", 5.0, _of("daemon", "tasks")),
    Measure("daemon threads", "", 2.0, _of("daemon", "threads")),
    Measure("daemon descriptors", "", 3.0, _of("daemon", "descriptors")),
    Measure("node descriptors", "", 3.0, _of("node", "descriptors")),
    Measure("node handles", "", 5.0, _of("node", "handles")),
    Measure("server handles", "", 5.0, _of("server", "handles")),
    Measure("bridge ids in Node", "", 1.0, _of("node", "ids")),
    Measure("bridge ids in Python", "", 1.0, _of("daemon", "ids")),
    Measure("mean event loop lag", "ms", 2.0, _mean_lag_ms),
    Measure("database", "MB", None, _file("database")),
    Measure("log", "MB", None, _file("log")),
)
