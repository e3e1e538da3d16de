"""Writes the reports of runs into files: pages, tables and films."""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from bots import private_files
from bots.clock import MS_PER_S
from bots.experiments import runs
from bots.experiments.judges import Judged
from bots.experiments.own_functions import digest_of_file
from bots.experiments.report import comparison
from bots.experiments.report.comparison import Row
from bots.experiments.report.figures import of_run
from bots.experiments.report.page import page
from bots.experiments.runs import LOG_NAME, Run
from bots.experiments.scenario import CutOff, LogError
from bots.experiments.study import Declared, declared_in
from bots.experiments.tables import Measure, OwnMetric
from bots.text.printable import printable
from bots.text.reading import read_bytes
from bots.vision.course import Course, Ground, Moment, Standing, frames_of
from bots.vision.picture import FILM, write_film
from bridge.foreign_json import read_object

MOST_FRAMES = 200
FRAME_S = 0.12
EVERY_MS = 1_000  # from moment to moment, when nobody walks and nothing is said
PAGE = "report.html"
COMPARISON_PAGE = "comparison.html"
CAPTIONS = "captions.md"
CAPTIONS_HEAD = "# Captions of figures"
ALIKE = 12  # characters of a table: the names of its first columns
MOST_PAGES = 50  # unless more are asked for: each takes half a second


def film_run(run: Run, file: Path) -> int:
    """Write the film; the number of its frames. Raises LogError, OSError."""
    frames = frames_of(course_of(run), MOST_FRAMES)
    if not frames:
        raise LogError(f"{run.folder}: it is not recorded where anybody stood")
    private_files.refuse_other(file, FILM)
    file.touch(private_files.FILE_MODE)
    private_files.make_private(file)
    write_film(frames, file, FRAME_S)
    return len(frames)


def course_of(run: Run) -> Course:
    """One moment for each time when somebody has moved or speaks, and each second between; and what
    was kept of the world, of which a simulated one has nothing."""
    standing = {line["at_ms"]: line["positions"] for line in run.log.of_kind("positions")}
    said = {line.at_ms: f"{line.speaker}: {line.text}" for line in run.timeline.lines}
    ended_ms = max([run.timeline.ended_ms, *standing, *said])
    here: dict[str, Standing] = {}
    caption, moments, grounds = "", list[Moment](), list[Ground]()
    for at_ms in sorted({*standing, *said, *range(0, ended_ms + 1, EVERY_MS)}):
        if (found := standing.get(at_ms)) is not None:
            here = {name: (x, z, str(world)) for name, (x, _, z, world) in found.items()}
        caption = said.get(at_ms, caption)
        moments.append(Moment(at_ms / MS_PER_S, here, printable(caption)))
    file = run.folder / runs.GROUND_NAME
    try:
        kept = read_object(read_bytes(file))
        png = base64.b64decode(kept["png"])
        grounds.append(Ground(png, int(kept["west"]), int(kept["north"])))
    except FileNotFoundError:
        pass
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LogError(f"{file}: cannot be read: {error}") from error
    people = {who.name for who in run.scenario.roster if who.kind == "person"}
    return Course(moments, people, grounds)


@dataclass(frozen=True, slots=True)
class Reports:
    pages: list[Path] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    """Sentences for the head of the comparison."""
    cut: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    """For each run that is no data a sentence."""


def write_reports(
    folders: Sequence[Path],
    out: Path | None = None,
    own: Sequence[Measure] = (),
    of_study: Mapping[str, float | None] = MappingProxyType({}),
    *,
    with_pages: bool | None = None,
    pool: bool = False,
    figures: Path | None = None,
) -> Reports:
    """Write the reports. Several runs are also compared, in `out`, by default the folder that was
    given or the one above the first run. Runs that were cut off or failed are no data.

    A page for each run comes with at most fifty of them, or as `with_pages` says; tables always.
    `of_study` has numbers of the whole study. With `pool` runs of one condition are taken together
    though other things differ. `figures` is a folder for files of what is compared, or of the only
    run. Raises LogError."""
    found, alone = runs.runs_in(folders), folders[0] if len(folders) == 1 else None
    judged, declared = (Judged.read(alone), declared_in(alone)) if alone else (Judged(), None)
    own = [*own, *judged.measures]
    measures = [*own, *judged.seconds]
    names = [*comparison.TAKEN, *(one.name for one in measures)]
    if twice := [name for name, count in Counter(names).items() if count > 1]:
        raise LogError(f"there are two numbers called {twice[0]}")
    for each in declared.study.declared_metrics if declared else ():
        if each.rpartition(":")[2] not in {*comparison.TAKEN, *(one.name for one in own)}:
            raise LogError(f"the study declares {each}: report it with --metric {each}")
    pages_too = len(found) <= MOST_PAGES if with_pages is None else with_pages
    reports = Reports()
    reported = comparison.in_order(_reported(found, measures, reports, pages_too))
    rows, apart = comparison.told_apart(reported, pool=pool)
    rows, copies = comparison.once(rows)
    if len(reports.cut) == len(found):
        raise CutOff(reports.cut[0])
    scored, of_judges = judged.told(rows)
    if declared is not None:
        rows, said = _as_declared(declared, rows, len(found), own)
        reports.remarks.extend(said)
    reports.remarks.extend((*apart, *copies, *_left_out(reports, folders), *scored))
    home = out or alone or folders[0].resolve().parent
    if of_study:
        told = (f"{name} {comparison.shown_number(value)}" for name, value in of_study.items())
        reports.remarks.append(f"Of the whole study: {', '.join(told)}.")
    if numbers := {**of_study, **of_judges}:
        write_table(home / "study.csv", comparison.as_csv(("metric", "value"), numbers.items()))
    pictures = of_run(runs.read_run(found[0])) if len(found) == 1 else []
    if len(found) > 1 and rows:
        found_by = comparison.compared(rows, own, declared.study if declared else None)
        write_table(home / "comparison.csv", comparison.comparison_csv(rows))
        write_table(home / "comparison.json", json.dumps(rows, ensure_ascii=False, indent=2) + "\n")
        write_table(home / "conditions.csv", comparison.conditions_csv(found_by))
        text = comparison.comparison_page(rows, found_by, reports.remarks)
        reports.pages.append(write_table(home / COMPARISON_PAGE, text))
        pictures = comparison.pictures_of(found_by)
    if figures is not None:
        parts = (f"## {one.stem}\n\n{one.caption}\n" for one in pictures)
        captions = "\n".join((CAPTIONS_HEAD, *reports.remarks, "", *parts))
        write_table(figures / CAPTIONS, captions)
        try:
            for picture in pictures:
                picture.into(figures)
        except OSError as error:
            raise LogError(f"cannot write into {figures}: {error.strerror}") from error
    return reports


def _as_declared(
    declared: Declared, rows: Sequence[Row], runs: int, own: Sequence[Measure]
) -> tuple[list[Row], list[str]]:
    """The rows that no exclusion takes, and how all of it differs from what was declared."""
    said, code, left = [declared.said], declared.code, [*rows]
    functions = [one for one in own if isinstance(one, OwnMetric) and one.name in code]
    if others := [one.named for one in functions if digest_of_file(one.function) != code[one.name]]:
        said.append(f"Changed since it was declared: the code of {', '.join(others)}.")
    if runs < declared.planned:
        missing = declared.planned - runs
        said.append(f"Of {declared.planned} planned runs {missing} are missing.")
    elif runs > declared.planned:
        said.append(f"{runs} runs are here, {declared.planned} were declared.")
    for exclusion in declared.study.exclude:
        kept = [each for each in left if not exclusion.takes(each)]
        if taken := len(left) - len(kept):
            said.append(f"Excluded as declared: {taken} with {exclusion}.")
        left = kept
    return left, said


def _left_out(reports: Reports, folders: Sequence[Path]) -> Iterator[str]:
    aside = [log for home in folders for log in home.glob(f"{runs.FAILED_FOLDER}/*/{LOG_NAME}")]
    if aside:
        yield f"{len(aside)} runs that failed were played anew; they lie in {runs.FAILED_FOLDER}."
    if reports.cut:
        yield f"Left out: {len(reports.cut)} cut off before their end."
    if reports.failed:
        yield f"Left out: {len(reports.failed)} failed; the first, {reports.failed[0]}."


def _reported(
    found: Sequence[Path], own: Sequence[Measure], reports: Reports, with_pages: bool
) -> Iterator[Row]:
    """The row of each run that is data, once its tables and its page are written; one run at a time
    is in memory."""
    for name, folder in zip(runs.names_of(found), found, strict=True):
        try:
            run = runs.read_run(folder)
        except CutOff as cut:
            reports.cut.append(str(cut))
            continue
        write_table(folder / "metrics.json", comparison.metrics_json(run))
        write_table(folder / "lines.csv", comparison.lines_csv(run))
        write_table(folder / "participants.csv", comparison.participants_csv(run))
        if with_pages:
            reports.pages.append(write_table(folder / PAGE, page(run)))
        if run.status == "failed":
            reports.failed.append(f"{name}: {run.cause}")
        else:
            yield {**comparison.row(run, own), "run": name}


def write_table(file: Path, text: str) -> Path:
    """Write a report or a table, also over one of ours. Raises LogError."""
    head, title, _ = text.partition("<title>")
    start = head if title else text[:ALIKE]  # what all reports of a kind begin with
    try:
        private_files.make_private_folder(file.parent)
        private_files.refuse_other(file, start.encode())
        private_files.write_private(file, text)
    except OSError as error:
        raise LogError(f"cannot write {file}: {error.strerror}") from error
    return file
