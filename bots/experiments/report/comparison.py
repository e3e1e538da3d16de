"""Compares several runs: a row of numbers for each, means by condition, and a picture of each
number that differs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any, TypeAlias

from bots.experiments.analysis.answers import counted
from bots.experiments.report.conditions import (
    Compared,
    Comparison,
    among,
    few_runs,
    shown_difference,
    shown_estimate,
)
from bots.experiments.report.figures import runs_by_condition
from bots.experiments.report.own import OwnMetric
from bots.experiments.report.page import document, percent, table
from bots.experiments.report.tables import as_csv
from bots.experiments.runs.folder import Run
from bots.experiments.scenario.conditions import label_of

Row: TypeAlias = dict[str, Any]

REASONS = ("tag", "fuzzy", "round_robin", "random", "none")
CAPTIONS = {
    "lines": "lines",
    "seconds": "length in seconds",
    "gini_bots": "Gini of the bots' lines",
    "latency_p50_s": "median waiting in seconds",
    "latency_p95_s": "longest waiting but for 5 %, in seconds",
    "overlap": "lines that cut in",
    "repetition": "repetition",
    "addressed_rate": "named ones that answered",
    "heard_share": "share that was heard",
    "thoughts_dropped": "turns that were cut off",
    "answers_failed": "turns that failed",
    **{f"nominated_{reason}": f"nominations: {reason.replace('_', ' ')}" for reason in REASONS},
    "without_model": "answers that a model owed",
    "tokens": "tokens",
    "cost_usd": "cost in US dollars",
}
"""Of each column that is compared."""
OTHERS = ("run", "title", "place", "condition", "order", "seed", "ended", "turns", "answers")
TAKEN = frozenset({*CAPTIONS, *OTHERS, "charged_usd"})
"""Columns that a metric of one's own cannot be called by."""
MOST_ROWS = 100  # on the page; comparison.csv has all


def row(run: Run, own: Sequence[OwnMetric] = ()) -> Row:
    """The numbers of one run; what its condition changed has a column for each key.

    Raises LogError where a metric of the user's own fails."""
    metrics = run.metrics
    return {
        "run": run.label,
        "title": run.scenario.title,
        "place": run.place,
        "condition": label_of(run.condition),
        **{f"set {key}": value for key, value in run.condition.items()},
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
        **{metric.name: metric.of(run) for metric in own},
    }


def in_order(rows: Iterable[Row]) -> list[Row]:
    """As the conditions were given, each by its seeds."""
    return sorted(rows, key=lambda entry: (entry["title"], entry["place"], entry["seed"]))


def compared(rows: Sequence[Row], own: Sequence[OwnMetric]) -> Comparison:
    """Means by condition, and their differences; of the user's own metrics too."""
    captions = {**{metric.name: metric.name for metric in own}, **CAPTIONS}
    return Comparison.of([(_group(entry, rows), entry) for entry in rows], captions)


def comparison_csv(rows: Sequence[Row]) -> str:
    columns = list(dict.fromkeys(column for entry in rows for column in entry))
    return as_csv(columns, [[entry.get(column) for column in columns] for entry in rows])


def comparison_json(rows: Sequence[Row]) -> str:
    return json.dumps(rows, ensure_ascii=False, indent=2) + "\n"


def comparison_page(rows: Sequence[Row], comparison: Comparison) -> str:
    varied = [one for one in comparison.metrics if one.varies]
    same = ", ".join(one.caption for one in comparison.metrics if not one.varies)
    alike = f'<p class="small">The same in all: {same}.</p>\n' if same else ""
    pictures = "".join(
        f"<section><h2>{one.caption}</h2>\n{runs_by_condition(one.name, one.values)}</section>\n"
        for one in varied
    )
    head = f"<h1>{len(rows)} runs compared</h1>\n"
    return document("Runs compared", head, _means(comparison, varied), alike, pictures, _runs(rows))


def _group(entry: Row, rows: Sequence[Row]) -> str:
    """What its condition is called among these: titles are told where they differ."""
    if len({each["title"] for each in rows}) == 1:
        return str(entry["condition"])
    return f"{entry['title'] or entry['run']}: {entry['condition']}"


def _means(comparison: Comparison, varied: Sequence[Compared]) -> str:
    others = comparison.conditions[1:]
    differs = [f"{other}, difference" for other in others] if len(others) > 1 else ["difference"]
    heads = ["", *comparison.conditions, *(differs if others else [])]
    rows = (
        (one.caption, *map(shown_estimate, one.estimates), *map(shown_difference, one.differences))
        for one in varied
    )
    said = "".join(f'<p class="small">{line}</p>\n' for line in _about(comparison))
    return f"<section><h2>Means</h2>\n{said}{table(heads, rows)}</section>\n"


def _about(comparison: Comparison) -> Iterator[str]:
    yield "In brackets: where the mean lies, with 95 % certainty, by drawing the runs anew."
    if len(comparison.conditions) > 1:
        yield (
            f"Differences are to {escape(comparison.conditions[0])}. p: how often chance alone "
            "makes one as large, by dealing the runs anew; corrected (Holm) for the "
            f"{among(comparison)} that are tested here."
        )
    if few := few_runs(comparison):
        yield few


def _runs(rows: Sequence[Row]) -> str:
    heads = ("run", "order", "seed", "ended", "lines", "waiting", "Gini", "heard", "named answered")
    shown = [_run_row(entry) for entry in rows[:MOST_ROWS]]
    left = len(rows) - len(shown)
    more = f'<p class="small">{left} more: comparison.csv has all.</p>\n' if left else ""
    cells = table((*heads, "answers"), shown)
    return f"<section><h2>Runs</h2>\n{cells}{more}</section>\n"


def _run_row(entry: Row) -> tuple[str, ...]:
    waiting = entry["latency_p50_s"]
    return (
        entry["run"],
        entry["order"],
        str(entry["seed"]),
        entry["ended"],
        str(entry["lines"]),
        "–" if waiting is None else f"{waiting:.1f} s",
        f"{entry['gini_bots']:.2f}",
        percent(entry["heard_share"]),
        percent(entry["addressed_rate"]),
        entry["answers"],
    )
