"""Writes the report of each run into its folder, and a comparison of several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from bots.experiments.report.comparison import (
    Row,
    compared,
    comparison_csv,
    comparison_json,
    comparison_page,
    in_order,
    row,
)
from bots.experiments.report.conditions import conditions_csv
from bots.experiments.report.own import OwnMetric
from bots.experiments.report.page import page
from bots.experiments.report.tables import lines_csv, metrics_json, participants_csv
from bots.experiments.runs.folder import Run, read_run, runs_in
from bots.experiments.scenario.errors import LogError
from bots.private_files import make_private_folder, refuse_other, write_private

PAGE = "report.html"
COMPARISON_PAGE = "comparison.html"
ALIKE = 12  # characters of a table: the names of its first columns
MOST_PAGES = 50  # unless more are asked for: each takes half a second


def write_reports(
    folders: Sequence[Path],
    out: Path | None = None,
    own: Sequence[OwnMetric] = (),
    *,
    with_pages: bool | None = None,
) -> list[Path]:
    """Write the reports; returns the pages. Several runs are also compared, in `out`, by default
    the folder that was given or the one above the first run.

    A page for each run comes with at most fifty of them, or as `with_pages` says; tables always.
    Raises LogError."""
    found = runs_in(folders)
    pages_too = len(found) <= MOST_PAGES if with_pages is None else with_pages
    pages: list[Path] = []
    rows = in_order(_reported(found, own, pages if pages_too else None))
    if len(rows) > 1:
        home = out or (folders[0] if len(folders) == 1 else folders[0].resolve().parent)
        pages.append(_write_comparison(home, rows, own))
    return pages


def write_report(run: Run, *, with_page: bool = True) -> Path | None:
    """Write the tables of one run and its page; returns the page."""
    _write(run.folder / "metrics.json", metrics_json(run))
    _write(run.folder / "lines.csv", lines_csv(run))
    _write(run.folder / "participants.csv", participants_csv(run))
    return _write(run.folder / PAGE, page(run)) if with_page else None


def _reported(
    found: Sequence[Path], own: Sequence[OwnMetric], pages: list[Path] | None
) -> Iterator[Row]:
    """The row of each run; one run at a time is in memory."""
    for folder in found:
        run = read_run(folder)
        written = write_report(run, with_page=pages is not None)
        if pages is not None and written is not None:
            pages.append(written)
        yield row(run, own)


def _write_comparison(home: Path, rows: Sequence[Row], own: Sequence[OwnMetric]) -> Path:
    comparison = compared(rows, own)
    _write(home / "comparison.csv", comparison_csv(rows))
    _write(home / "comparison.json", comparison_json(rows))
    _write(home / "conditions.csv", conditions_csv(comparison))
    return _write(home / COMPARISON_PAGE, comparison_page(rows, comparison))


def _write(file: Path, text: str) -> Path:
    try:
        make_private_folder(file.parent)
        refuse_other(file, _start(text).encode())
        write_private(file, text)
    except OSError as error:
        raise LogError(f"cannot write {file}: {error.strerror}") from error
    return file


def _start(text: str) -> str:
    """What all reports of a kind begin with."""
    head, title, _ = text.partition("<title>")
    return head if title else text[:ALIKE]
