"""The pictures of runs: as SVG within a page, or as files for a paper. matplotlib is imported when
the first is drawn."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from bots.clock import MS_PER_S
from bots.experiments.log import SEEN_EVERY_MS
from bots.experiments.metrics import latencies_by_line, repetitions
from bots.experiments.report.statistics import estimate
from bots.experiments.runs import Run
from bots.private_files import FILE_MODE, make_private, refuse_other

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, GREY, LIGHT = "#222831", "#8a8f98", "#e4e6ea"
COLOURS = (  # apart for the colour-blind too: Okabe and Ito's, and darker ones
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#7b3294",
    "#b58900",
    "#5c4033",
    "#2f7f8f",
)
CELL_INK = "#101418"  # on the blue of a matrix, in a dark page too
WIDTH_INCHES = 5.8  # on the page; on a phone its letters can still be read
PAPER_INCHES = 6.5  # between the margins of a paper
DOTS_PER_INCH = 300
FILES: dict[str, tuple[bytes, dict[str, None]]] = {
    "svg": (b"<?xml", {"Date": None}),
    "pdf": (b"%PDF", {"CreationDate": None}),
    "png": (b"\x89PNG", {}),
}
"""Formats of files: what each begins with, and what would differ from day to day."""
LONGEST_TICK = 40  # characters
GOLDEN = 0.618  # of a step: dots that follow one another lie apart
MOST_VECTORS = 1_500  # more shapes than these are drawn as pixels, to keep the page small
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",  # letters stay letters: readable by screen readers, and small
    "svg.hashsalt": "townsfolk",  # the same run gives the same bytes
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.formatter.useoffset": False,
    "axes.formatter.limits": (-9, 9),  # no powers of ten
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}

PAPER: dict[Any, Any] = {
    **STYLE,
    "svg.fonttype": "path",  # letters look the same where the font is not installed
    "pdf.fonttype": 42,  # the font is within, as letters
    "savefig.facecolor": "white",
    "savefig.dpi": DOTS_PER_INCH,
}
_THEMED = {INK: "var(--ink)", LIGHT: "var(--line)"}
"""Colours that follow the scheme of the page."""
_GROUP_NAME = re.compile(r'<g id="[^"]*"')

Draw: TypeAlias = "Callable[[Axes], None]"


@dataclass(frozen=True, slots=True)
class Picture:
    name: str
    """Text for screen readers; with hyphens the name of its files."""
    caption: str
    draw: Draw
    height_inches: float

    def on_page(self) -> str:
        """An SVG element."""
        import matplotlib as mpl

        text = io.StringIO()
        with mpl.rc_context(STYLE):
            figure = self._drawn(WIDTH_INCHES)
            figure.savefig(text, format="svg", metadata={"Date": None}, transparent=True)
        svg = text.getvalue()
        for colour, themed in _THEMED.items():
            svg = svg.replace(f": {colour}", f": {themed}")
        named = f'<svg role="img" aria-label="{escape(self.name)}"'
        # Every picture names its groups figure_1 and so on; on a page ids must be unique.
        return _GROUP_NAME.sub("<g", svg[svg.index("<svg") :]).replace("<svg", named, 1)

    def into(self, folder: Path) -> None:
        """Write it as SVG, PDF and PNG. Raises OSError."""
        import matplotlib as mpl

        with mpl.rc_context(PAPER):
            figure = self._drawn(PAPER_INCHES)
            for kind, (start, undated) in FILES.items():
                file = folder / f"{self.stem}.{kind}"
                refuse_other(file, start)
                file.touch(FILE_MODE)
                make_private(file)
                figure.savefig(file, format=kind, metadata=undated)

    @property
    def stem(self) -> str:
        return self.name.replace(" ", "-")

    def _drawn(self, width_inches: float) -> Figure:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(width_inches, self.height_inches), layout="constrained")
        self.draw(figure.add_subplot())
        return figure


def picture(name: str, run: Run) -> Picture:
    caption, draw, (height_inches, row_inches) = OF_RUN[name]
    height_inches += row_inches * len(run.scenario.roster)
    return Picture(name, caption, lambda axes: draw(axes, run), height_inches)


def of_run(run: Run) -> list[Picture]:
    spent = run.metrics.tokens or run.metrics.cost_usd
    return [picture(name, run) for name in OF_RUN if spent or name != SPENDING]


def colours(names: Sequence[str]) -> dict[str, str]:
    """A colour for each name, in order; they repeat if there are many."""
    return {name: COLOURS[place % len(COLOURS)] for place, name in enumerate(names)}


def runs_by_condition(
    name: str, axis: str, caption: str, values: Mapping[str, Sequence[float]]
) -> Picture:
    """A dot for each run and a bar from end to end of the mean's interval, by condition."""
    height = 0.9 + 0.42 * len(values)
    return Picture(name, caption, lambda axes: _draw_conditions(axes, axis, values), height)


def _draw_timeline(axes: Axes, run: Run) -> None:
    names = [who.name for who in run.scenario.roster]
    colour = colours(names)
    pixels = len(run.timeline.turns) > MOST_VECTORS
    for row, name in enumerate(names):
        turns = [t for t in run.timeline.turns if t.speaker == name]
        kept = [_span(t.from_ms, t.until_ms) for t in turns if not t.dropped]
        lost = [_span(t.from_ms, t.until_ms) for t in turns if t.dropped]
        own = [line for line in run.timeline.lines if line.speaker == name]
        said = [_span(line.at_ms, line.done_ms) for line in own if line.turn is not None]
        alone = [line.at_ms / MS_PER_S for line in own if line.turn is None]
        thin, thick = (row - 0.14, 0.28), (row - 0.32, 0.64)
        hatched: dict[str, Any] = {"facecolor": "none", "edgecolor": colour[name], "hatch": "////"}
        axes.broken_barh(kept, thin, color=colour[name], alpha=0.3, rasterized=pixels)
        axes.broken_barh(lost, thin, rasterized=pixels, **hatched)
        axes.broken_barh(said, thick, color=colour[name], rasterized=pixels)
        axes.scatter(alone, [row] * len(alone), marker="D", s=42, color=colour[name], zorder=3)
    _rows(axes, names)
    axes.set_xlim(0, max(1.0, run.timeline.ended_ms / MS_PER_S))
    axes.set_xlabel("seconds")


def _rows(axes: Axes, names: Sequence[str]) -> None:
    """One below the other, from the top."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(axis="x", color=LIGHT)
    axes.set_axisbelow(True)


def _over_time(axes: Axes, what: str, *, legend: bool) -> None:
    axes.set_ylim(bottom=0)
    axes.set_xlabel("seconds")
    axes.set_ylabel(what)
    axes.grid(color=LIGHT)
    if legend:
        axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)


def _draw_conditions(axes: Axes, axis: str, values: Mapping[str, Sequence[float]]) -> None:
    for place, own in enumerate(values.values()):
        colour = COLOURS[place % len(COLOURS)]
        heights = [place + 0.32 * ((number * GOLDEN) % 1 - 0.5) for number in range(len(own))]
        pixels = len(own) > MOST_VECTORS
        axes.scatter(own, heights, color=colour, alpha=0.5, s=22, linewidths=0, rasterized=pixels)
        if (mean := estimate(own)) is not None:
            ends = [mean.mean if end is None else end for end in (mean.low, mean.high)]
            axes.plot(ends, [place, place], color=INK, linewidth=2.4, solid_capstyle="butt")
            axes.plot([mean.mean], [place], "o", color=INK, markersize=7)
    axes.set_xlabel(axis)
    short = (one if len(one) <= LONGEST_TICK else f"{one[: LONGEST_TICK - 1]}…" for one in values)
    # matplotlib would set what is between two dollars as a formula.
    _rows(axes, [name.replace("$", r"\$") for name in short])


def _draw_matrix(axes: Axes, run: Run) -> None:
    names, after = [who.name for who in run.scenario.roster], run.metrics.after
    counts = [[after.get(first, {}).get(then, 0) for then in names] for first in names]
    most = max((count for row in counts for count in row), default=0) or 1
    axes.imshow(counts, cmap="Blues", vmin=-most * 0.05, vmax=most * 1.3, aspect="auto")
    for row, line in enumerate(counts):
        for column, count in enumerate(line):
            shade = "white" if count > 0.8 * most else CELL_INK
            axes.text(column, row, str(count or "·"), ha="center", va="center", color=shade)
    axes.set_xticks(range(len(names)), names)
    axes.set_yticks(range(len(names)), names)
    axes.set_xlabel("spoke next")
    axes.set_ylabel("after")
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


def _draw_distances(axes: Axes, run: Run) -> None:
    series = distances(run)
    shades = colours(list(series))
    reach = run.scenario.talk.hearing_range
    for name, points in series.items():
        seconds = [at_ms / MS_PER_S for at_ms, _ in points]
        blocks = [distance for _, distance in points]
        axes.plot(seconds, blocks, color=shades[name], label=name, linewidth=1.8)
    axes.axhline(reach, color=INK, linestyle="--", linewidth=1)
    at_end: Any = ("axes fraction", "data")
    axes.annotate("hearing range", (0.99, reach), xycoords=at_end, ha="right", va="bottom")
    axes.set_xlim(0, max(1.0, run.timeline.ended_ms / MS_PER_S))
    _over_time(axes, "blocks", legend=bool(series))


def _draw_latency(axes: Axes, run: Run) -> None:
    colour = colours([who.name for who in run.scenario.roster])
    points = latencies_by_line(run.timeline.lines)
    pixels = len(points) > MOST_VECTORS
    for name in (who.name for who in run.scenario.roster if who.kind == "bot"):
        own = [(at_ms / MS_PER_S, wait_s) for at_ms, speaker, wait_s in points if speaker == name]
        seconds, waits = [at for at, _ in own], [wait for _, wait in own]
        axes.scatter(seconds, waits, color=colour[name], label=name, s=26, rasterized=pixels)
    _over_time(axes, "seconds of waiting", legend=bool(points))


def _draw_spending(axes: Axes, run: Run) -> None:
    spent = run.timeline.spent
    seconds = [at_ms / MS_PER_S for at_ms, _, _ in spent]
    axes.step(seconds, [tokens for _, tokens, _ in spent], where="post", color=INK)
    _over_time(axes, "tokens so far", legend=False)
    money = axes.twinx()
    money.step(seconds, [dollars for _, _, dollars in spent], where="post", color=COLOURS[0])
    money.set_ylabel("US dollars so far", color=COLOURS[0])
    money.set_ylim(bottom=0)


def _draw_repetition(axes: Axes, run: Run) -> None:
    lines, colour = run.timeline.lines, colours([who.name for who in run.scenario.roster])
    again = repetitions([line.text for line in lines])
    shades = [colour.get(line.speaker, GREY) for line in lines]
    numbers = range(1, len(lines) + 1)
    if len(lines) > MOST_VECTORS:  # thousands of bars take half a minute
        axes.vlines(numbers, 0, again, colors=shades, rasterized=True)
    else:
        axes.bar(numbers, again, color=shades)
    axes.set_ylim(0, 1)
    axes.set_xlabel("line")
    axes.set_ylabel("said before")
    axes.grid(axis="y", color=LIGHT)
    axes.set_axisbelow(True)


SPENDING = "tokens and cost"
OF_RUN: dict[str, tuple[str, Callable[[Axes, Run], None], tuple[float, float]]] = {
    "who spoke when": (
        "Pale: thinking; nothing was said if nothing full follows. Hatched: a turn that was cut "
        "off. Full: speaking. Diamond: a line outside any turn.",
        _draw_timeline,
        (0.9, 0.42),
    ),
    "who spoke after whom": (
        "How often the speaker on the left was followed by the one below.",
        _draw_matrix,
        (1.2, 0.42),
    ),
    "distances over time": (
        "Between each pair, in blocks; below the dashed line they hear each other.",
        _draw_distances,
        (2.8, 0.0),
    ),
    "waiting for each line": (
        "From the end of a line to the beginning of the next, for each bot's turn.",
        _draw_latency,
        (2.5, 0.0),
    ),
    "repetition by line": (
        "How much of each line was in one of the twelve lines before it.",
        _draw_repetition,
        (2.2, 0.0),
    ),
    SPENDING: (
        "What the model used, including turns that were cut off.",
        _draw_spending,
        (2.2, 0.0),
    ),
}
"""Caption, how it is drawn, its height in inches, and how much more for each participant."""


def _span(from_ms: int, until_ms: int) -> tuple[float, float]:
    return from_ms / MS_PER_S, max(0, until_ms - from_ms) / MS_PER_S


MOST_PAIRS = 6  # with more pairs, only each one's distance to the nearest other


def distances(run: Run) -> dict[str, list[tuple[int, float]]]:
    """For each pair, (milliseconds, blocks); none while one is absent or in another dimension."""
    names = [who.name for who in run.scenario.roster]
    series = {f"{a}, {b}": (a, [b]) for a, b in combinations(names, 2)}
    if len(series) > MOST_PAIRS:
        others = {name: [other for other in names if other != name] for name in names}
        series = {f"{name} to the nearest": (name, others[name]) for name in names}
    steps: list[tuple[int, Any]] = []
    for line in run.log.of_kind("positions"):
        # They are logged when they change; before that, everybody stood still.
        if steps and line["at_ms"] - steps[-1][0] > SEEN_EVERY_MS:
            steps.append((line["at_ms"] - SEEN_EVERY_MS, steps[-1][1]))
        steps.append((line["at_ms"], line["positions"]))
    if steps:
        steps.append((max(run.timeline.ended_ms, steps[-1][0]), steps[-1][1]))
    found: dict[str, list[tuple[int, float]]] = {}
    for label, (name, near) in series.items():
        for at_ms, where in steps:
            apart = [_blocks(where, name, other) for other in near]
            if known := [blocks for blocks in apart if blocks is not None]:
                found.setdefault(label, []).append((at_ms, min(known)))
    return found


def _blocks(where: Mapping[str, Any], one: str, other: str) -> float | None:
    if one not in where or other not in where or where[one][3] != where[other][3]:
        return None
    return math.dist(where[one][:3], where[other][:3])
