"""Writes the report of each run into its folder, and a comparison of several."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bots.experiments.report.comparison import comparison_csv, comparison_json, comparison_page
from bots.experiments.report.page import page
from bots.experiments.report.tables import lines_csv, metrics_json, participants_csv
from bots.experiments.runs.folder import Run, read_run, runs_in
from bots.experiments.scenario.errors import LogError

PAGE = "report.html"
COMPARISON_PAGE = "comparison.html"


def write_reports(folders: Sequence[Path], out: Path | None = None) -> list[Path]:
    """Write the reports; returns the pages. Several runs are also compared, in `out`, by default
    the folder that was given or the one above the first run. Raises LogError."""
    runs = [read_run(folder) for folder in runs_in(folders)]
    pages = [write_report(run) for run in runs]
    if len(runs) > 1:
        home = out or (folders[0] if len(folders) == 1 else folders[0].resolve().parent)
        _write(home / "comparison.csv", comparison_csv(runs))
        _write(home / "comparison.json", comparison_json(runs))
        pages.append(_write(home / COMPARISON_PAGE, comparison_page(runs)))
    return pages


def write_report(run: Run) -> Path:
    """Write the page of one run and its tables; returns the page."""
    _write(run.folder / "metrics.json", metrics_json(run))
    _write(run.folder / "lines.csv", lines_csv(run))
    _write(run.folder / "participants.csv", participants_csv(run))
    return _write(run.folder / PAGE, page(run))


def _write(file: Path, text: str) -> Path:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise LogError(f"cannot write {file}: {error.strerror}") from error
    return file
