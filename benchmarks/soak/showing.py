"""The verdict of a soak as a table, and its measures as a figure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.soak.judging import (
    HOUR_S,
    Judged,
    broken,
    exits,
    grown,
    judge,
    lasted_s,
    late_share,
)
from benchmarks.soak.readings import Reading
from benchmarks.soak.slopes import Life, Verdict

INK, GREY, BLUE, RED = "#222831", "#8a8f98", "#0072b2", "#d55e00"
COLUMNS, PANEL_INCHES = 3, (3.6, 2.0)
MOST_SHOWN = 20  # broken promises


def verdict_of(readings: Sequence[Reading]) -> tuple[bool, str]:
    """Whether the daemon lasted and nothing grew, and the text that says so."""
    judged = judge(readings)
    lasted = not (grown(judged) or exits(readings) or broken(readings))
    return lasted, "\n".join(_lines(readings, judged))


def _lines(readings: Sequence[Reading], judged: Sequence[Judged]) -> Iterator[str]:
    yield "| measure | at the end | growth an hour | 95 % between | at most | verdict |"
    yield "|---|---|---|---|---|---|"
    yield from map(_row, judged)
    yield ""
    lasted_min, lines = lasted_s(readings) / 60, readings[-1]["lines"]
    warm_up_min = readings[-1]["at_s"] / 60 - lasted_min
    yield (
        f"{lasted_min:.0f} minutes after {warm_up_min:.0f} of warm-up, "
        f"{len(readings)} readings, {lines:,} lines heard"
    )
    yield f"looks at the event loop later than 20 ms: {late_share(readings):.2%}"
    yield f"exits: {exits(readings)}; broken promises: {len(broken(readings))}"
    yield from (f"- {promise}" for promise in broken(readings)[:MOST_SHOWN])
    unsure = [one.measure.name for one in judged if one.verdict is Verdict.UNSURE]
    yield f"grows: {', '.join(grown(judged)) or 'nothing'}"
    if unsure:
        yield f"too short a run to say: {', '.join(unsure)}"


def _row(one: Judged) -> str:
    measure, slope = one.measure, one.slope
    unit = f" {measure.unit}" if measure.unit else ""
    last = "" if one.last is None else f"{_figure(one.last)}{unit}"
    growth = f"{_figure(slope.rate)}{unit}" if slope else ""
    between = f"{_figure(slope.low)} to {_figure(slope.high)}" if slope else ""
    most = "kept" if measure.most is None else f"{measure.most:,g}{unit}"
    says = "" if one.verdict is None else one.verdict.value
    return f"| {measure.name} | {last} | {growth} | {between} | {most} | {says} |"


def _figure(value: float) -> str:
    """Three digits."""
    digits = 0 if value == 0 else max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:,.{min(digits, 2)}f}"


def draw(readings: Sequence[Reading], path: Path) -> None:
    """One small picture for each measure: all readings, and the slope of the warm ones."""
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    judged = judge(readings)
    rows = math.ceil(len(judged) / COLUMNS)
    size = (PANEL_INCHES[0] * COLUMNS, PANEL_INCHES[1] * rows)
    with mpl.rc_context({"font.size": 8, "axes.spines.top": False, "axes.spines.right": False}):
        figure = Figure(figsize=size)
        FigureCanvasAgg(figure)
        for place, one in enumerate(judged, start=1):
            _panel(figure.add_subplot(rows, COLUMNS, place), one, readings)
        figure.subplots_adjust(0.06, 0.05, 0.98, 0.97, wspace=0.25, hspace=0.7)
        figure.savefig(path, dpi=110)


def _panel(axes: Any, one: Judged, readings: Sequence[Reading]) -> None:
    points = list(one.measure.points(readings))
    minutes = [at_s / 60 for _, at_s, _ in points]
    axes.plot(minutes, [value for *_, value in points], ".", color=GREY, markersize=2.5)
    if one.slope is not None:
        colour = RED if one.verdict is Verdict.GROWS else BLUE
        for life in one.lives:
            axes.plot(*_line(life, one.slope.rate), color=colour, linewidth=1.4)
    unit = f", {one.measure.unit}" if one.measure.unit else ""
    axes.set_title(f"{one.measure.name}{unit}", loc="left", color=INK)
    top = max((value for *_, value in points), default=1.0)
    axes.set_ylim(0, max(top * 1.15, 1e-3))
    axes.set_xlim(0, max(minutes, default=1.0))
    axes.set_xlabel("minutes")


def _line(life: Life, rate: float) -> tuple[list[float], list[float]]:
    """From the first to the last point of a life, by minutes: half of the points lie below."""
    base = median(v - rate * t for t, v in zip(life.times, life.values, strict=True))
    ends = life.times[0], life.times[-1]
    return [time * HOUR_S / 60 for time in ends], [base + rate * time for time in ends]
