"""The numbers of a run as JSON and CSV, for other programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence

from bots.experiments.analysis.metrics import repetitions
from bots.experiments.runs.folder import Run

LINE_COLUMNS = (
    "line",
    "turn",
    "speaker",
    "at_ms",
    "asked_ms",
    "answered_ms",
    "done_ms",
    "rule",
    "reason",
    "heard_by",
    "missed_by",
    "repetition",
    "text",
)
PART_COLUMNS = (
    "name",
    "kind",
    "lines",
    "share",
    "characters",
    "heard",
    "missed",
    "latency_p50_s",
    "latency_p95_s",
    "repetition",
    "tokens",
    "cost_usd",
)


def metrics_json(run: Run) -> str:
    head = {"run": run.label, "title": run.scenario.title, "seed": run.scenario.seed}
    tail = {"charged_usd": run.charged_usd, "checks": run.checks}
    found = {**head, **run.metrics.as_json(), **tail}
    return json.dumps(found, ensure_ascii=False, indent=2) + "\n"


def lines_csv(run: Run) -> str:
    """One row for each line."""
    again = repetitions([line.text for line in run.timeline.lines])
    rows = (
        (
            number,
            line.turn,
            line.speaker,
            line.at_ms,
            line.asked_ms if line.turn is not None else None,
            line.answered_ms if line.turn is not None else None,
            line.done_ms,
            line.rule,
            line.reason,
            " ".join(line.heard_by),
            " ".join(f"{name}:{why}" for name, why in sorted(line.missed_by.items())),
            round(share, 4),
            line.text,
        )
        for number, (line, share) in enumerate(zip(run.timeline.lines, again, strict=True), 1)
    )
    return as_csv(LINE_COLUMNS, rows)


def participants_csv(run: Run) -> str:
    """One row for each participant."""
    rows = (
        (
            part.name,
            part.kind,
            part.lines,
            part.share,
            part.characters,
            part.heard,
            part.missed,
            part.latency_s.p50,
            part.latency_s.p95,
            part.repetition,
            part.tokens,
            part.cost_usd,
        )
        for part in run.metrics.participants
    )
    return as_csv(PART_COLUMNS, rows)


def as_csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """CSV; cells that a spreadsheet would take for a formula get a leading quote."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_harmless(cell) for cell in row] for row in rows)
    return text.getvalue()


def _harmless(cell: object) -> object:
    starts_formula = isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t"))
    return f"'{cell}" if starts_formula else cell
