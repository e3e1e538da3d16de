"""Compares several runs: one row of numbers each, and a picture of every number that differs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bots.experiments.analysis.answers import counted
from bots.experiments.analysis.metrics import Metrics
from bots.experiments.report.figures import COLOURS, LIGHT, drawn
from bots.experiments.report.page import document, percent, seconds, table
from bots.experiments.report.tables import as_csv
from bots.experiments.runs.folder import Run

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PLOTTED = (
    ("lines", "lines"),
    ("seconds", "length in seconds"),
    ("gini_bots", "Gini of the bots' lines"),
    ("latency_p50_s", "median waiting in seconds"),
    ("overlap", "lines that cut in"),
    ("repetition", "repetition"),
    ("addressed_rate", "named ones that answered"),
    ("heard_share", "share that was heard"),
    ("without_model", "answers that a model owed"),
    ("tokens", "tokens"),
    ("cost_usd", "cost in US dollars"),
)
"""Column and caption."""


def row(run: Run) -> dict[str, Any]:
    """The numbers of one run."""
    metrics = run.metrics
    return {
        "run": run.label,
        "title": run.scenario.title,
        "order": run.scenario.talk.order,
        "seed": run.scenario.seed,
        "ended": metrics.ended,
        "seconds": metrics.seconds,
        "lines": metrics.lines,
        "turns": metrics.turns,
        "gini_bots": metrics.gini_bots,
        "latency_p50_s": metrics.latency_s.p50,
        "latency_p95_s": metrics.latency_s.p95,
        "overlap": metrics.overlap,
        "repetition": metrics.repetition,
        "addressed_rate": metrics.addressed.rate,
        "heard_share": metrics.heard_share,
        "thoughts_dropped": metrics.thoughts_dropped,
        "answers_failed": metrics.answers_failed,
        **{f"nominated_{reason}": metrics.reasons.get(reason, 0) for reason in REASONS},
        "answers": counted(metrics.answers),
        "without_model": sum(metrics.faults.values()),
        "tokens": metrics.tokens,
        "cost_usd": metrics.cost_usd,
        "charged_usd": run.charged_usd,
    }


REASONS = ("tag", "fuzzy", "round_robin", "random", "none")


def comparison_csv(runs: Sequence[Run]) -> str:
    rows = [row(run) for run in runs]
    return as_csv(tuple(rows[0]), [tuple(entry.values()) for entry in rows])


def comparison_json(runs: Sequence[Run]) -> str:
    return json.dumps([row(run) for run in runs], ensure_ascii=False, indent=2) + "\n"


def comparison_page(runs: Sequence[Run]) -> str:
    rows = [row(run) for run in runs]
    pictures = "".join(
        f"<section><h2>{name}</h2>\n{_bars(rows, column)}</section>\n"
        for column, name in PLOTTED
        if len({entry[column] for entry in rows}) > 1
    )
    same = ", ".join(
        name for column, name in PLOTTED if len({entry[column] for entry in rows}) == 1
    )
    alike = f'<p class="small">The same in all: {same}.</p>\n' if same else ""
    head = f"<h1>{len(runs)} runs compared</h1>\n"
    return document("Runs compared", head, _overview(runs), alike, pictures)


def _overview(runs: Sequence[Run]) -> str:
    heads = (
        *("run", "order", "seed", "ended", "lines", "waiting", "Gini", "heard", "named answered"),
        "answers",
    )
    rows = [_overview_row(run, run.metrics) for run in runs]
    return f"<section>{table(heads, rows)}</section>\n"


def _overview_row(run: Run, metrics: Metrics) -> tuple[str, ...]:
    return (
        run.label,
        run.scenario.talk.order,
        str(run.scenario.seed),
        metrics.ended,
        str(metrics.lines),
        seconds(metrics.latency_s),
        f"{metrics.gini_bots:.2f}",
        percent(metrics.heard_share),
        percent(metrics.addressed.rate),
        counted(metrics.answers),
    )


def _bars(rows: Sequence[dict[str, Any]], column: str) -> str:
    labels = [str(entry["run"]) for entry in rows]
    values = [float(entry[column] or 0) for entry in rows]

    def draw(axes: Axes) -> None:
        axes.barh(range(len(values)), values, color=COLOURS[0])
        axes.set_yticks(range(len(labels)), labels)
        axes.invert_yaxis()
        axes.grid(axis="x", color=LIGHT)
        axes.set_axisbelow(True)

    return drawn(column, draw, 0.6 + 0.28 * len(rows))
