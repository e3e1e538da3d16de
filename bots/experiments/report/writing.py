"""Writes the reports of runs into files: pages, tables and films."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from bots.clock import MS_PER_S
from bots.experiments.judges import Judged
from bots.experiments.measures import Measure, OwnMetric
from bots.experiments.report.comparison import (
    TAKEN,
    Comparison,
    Row,
    as_csv,
    compared,
    comparison_csv,
    comparison_json,
    comparison_page,
    conditions_csv,
    in_order,
    lines_csv,
    metrics_json,
    once,
    participants_csv,
    pictures_of,
    row,
    shown_number,
    told_apart,
)
from bots.experiments.report.figures import Picture, of_run
from bots.experiments.report.page import page
from bots.experiments.runs import (
    FAILED_FOLDER,
    GROUND_NAME,
    LOG_NAME,
    Run,
    names_of,
    read_run,
    runs_in,
)
from bots.experiments.scenario import CutOff, LogError
from bots.experiments.study import Exclusion, Study, declared_in
from bots.private_files import (
    FILE_MODE,
    make_private,
    make_private_folder,
    refuse_other,
    write_private,
)
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
    refuse_other(file, FILM)
    file.touch(FILE_MODE)
    make_private(file)
    write_film(frames, file, FRAME_S)
    return len(frames)


def course_of(run: Run) -> Course:
    people = {who.name for who in run.scenario.roster if who.kind == "person"}
    return Course(list(_moments(run)), people, list(_grounds(run.folder)))


def _moments(run: Run) -> Iterator[Moment]:
    """One for each time when somebody has moved or speaks, and each second between."""
    standing = {line["at_ms"]: line["positions"] for line in run.log.of_kind("positions")}
    said = {line.at_ms: f"{line.speaker}: {line.text}" for line in run.timeline.lines}
    ended_ms = max([run.timeline.ended_ms, *standing, *said])
    here: dict[str, Standing] = {}
    caption = ""
    for at_ms in sorted({*standing, *said, *range(0, ended_ms + 1, EVERY_MS)}):
        found = standing.get(at_ms)
        if found is not None:
            here = {name: (x, z, str(world)) for name, (x, _, z, world) in found.items()}
        caption = said.get(at_ms, caption)
        yield Moment(at_ms / MS_PER_S, here, printable(caption))


def _grounds(folder: Path) -> Iterator[Ground]:
    """What was kept of the world; a simulated one has none."""
    try:
        kept = read_object(read_bytes(folder / GROUND_NAME))
        yield Ground(base64.b64decode(kept["png"]), int(kept["west"]), int(kept["north"]))
    except FileNotFoundError:
        return
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LogError(f"{folder / GROUND_NAME}: cannot be read: {error}") from error


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
    found = runs_in(folders)
    declared = declared_in(folders[0]) if len(folders) == 1 else None
    judged = Judged.read(folders[0]) if len(folders) == 1 else Judged()
    own = [*own, *judged.measures]
    measures = [*own, *judged.seconds]
    names = [*TAKEN, *(one.name for one in measures)]
    if twice := [name for name, count in Counter(names).items() if count > 1]:
        raise LogError(f"there are two numbers called {twice[0]}")
    if declared is not None:
        _refuse_unmeasured(declared.study, own)
    pages_too = len(found) <= MOST_PAGES if with_pages is None else with_pages
    reports = Reports()
    rows, remarks = told_apart(in_order(_reported(found, measures, reports, pages_too)), pool=pool)
    rows, copies = once(rows)
    if len(reports.cut) == len(found):
        raise CutOff(reports.cut[0])
    scored, of_judges = judged.told(rows)
    if declared is not None:
        reports.remarks.append(declared.said)
        others = [
            one.named
            for one in own
            if isinstance(one, OwnMetric)
            and one.name in declared.code
            and one.code != declared.code[one.name]
        ]
        if others:
            reports.remarks.append(
                f"Changed since it was declared: the code of {', '.join(others)}."
            )
        missing = declared.planned - len(found)
        if missing > 0:
            reports.remarks.append(f"Of {declared.planned} planned runs {missing} are missing.")
        elif missing < 0:
            surplus = f"{len(found)} runs are here, {declared.planned} were declared."
            reports.remarks.append(surplus)
        rows, excluded = _without(rows, declared.study.exclude)
        reports.remarks.extend(excluded)
    reports.remarks.extend((*remarks, *copies, *_left_out(reports, folders), *scored))
    home = out or (folders[0] if len(folders) == 1 else folders[0].resolve().parent)
    if of_study:
        told = (f"{name} {shown_number(value)}" for name, value in of_study.items())
        reports.remarks.append(f"Of the whole study: {', '.join(told)}.")
    if numbers := {**of_study, **of_judges}:
        write_table(home / "study.csv", as_csv(("metric", "value"), numbers.items()))
    if len(found) > 1 and rows:
        comparison = compared(rows, own, declared.study if declared else None)
        reports.pages.append(_write_comparison(home, rows, comparison, reports.remarks))
        pictures = pictures_of(comparison)
    else:
        pictures = of_run(read_run(found[0])) if len(found) == 1 else []
    if figures is not None:
        _write_figures(figures, pictures, reports.remarks)
    return reports


def _write_figures(folder: Path, pictures: Sequence[Picture], remarks: Sequence[str]) -> None:
    """Each picture as files, and what to write below them."""
    parts = (f"## {one.stem}\n\n{one.caption}\n" for one in pictures)
    write_table(folder / CAPTIONS, "\n".join((CAPTIONS_HEAD, *remarks, "", *parts)))
    try:
        for picture in pictures:
            picture.into(folder)
    except OSError as error:
        raise LogError(f"cannot write into {folder}: {error.strerror}") from error


@dataclass(frozen=True, slots=True)
class Reports:
    """What was written, and what has to be said of it."""

    pages: list[Path] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    """Sentences for the head of the comparison."""
    cut: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    """For each run that is no data a sentence."""


def _refuse_unmeasured(study: Study, own: Sequence[Measure]) -> None:
    """Raises LogError where a declared number would be missing."""
    measured = {*TAKEN, *(one.name for one in own)}
    for each in study.declared_metrics:
        if each.rpartition(":")[2] not in measured:
            raise LogError(f"the study declares {each}: report it with --metric {each}")


def _without(rows: Sequence[Row], exclusions: Sequence[Exclusion]) -> tuple[list[Row], list[str]]:
    """The rows that no exclusion takes, and how many each took."""
    left, said = list(rows), []
    for exclusion in exclusions:
        kept = [each for each in left if not exclusion.takes(each)]
        if taken := len(left) - len(kept):
            said.append(f"Excluded as declared: {taken} with {exclusion}.")
        left = kept
    return left, said


def _left_out(reports: Reports, folders: Sequence[Path]) -> Iterator[str]:
    aside = [log for home in folders for log in home.glob(f"{FAILED_FOLDER}/*/{LOG_NAME}")]
    if aside:
        yield f"{len(aside)} runs that failed were played anew; they lie in {FAILED_FOLDER}."
    if reports.cut:
        yield f"Left out: {len(reports.cut)} cut off before their end."
    if reports.failed:
        first = reports.failed[0]
        yield f"Left out: {len(reports.failed)} failed; the first, {first}."


def _reported(
    found: Sequence[Path], own: Sequence[Measure], reports: Reports, with_pages: bool
) -> Iterator[Row]:
    """The row of each run that is data, once its tables and its page are written; one run at a time
    is in memory."""
    for name, folder in zip(names_of(found), found, strict=True):
        try:
            run = read_run(folder)
        except CutOff as cut:
            reports.cut.append(str(cut))
            continue
        write_table(folder / "metrics.json", metrics_json(run))
        write_table(folder / "lines.csv", lines_csv(run))
        write_table(folder / "participants.csv", participants_csv(run))
        if with_pages:
            reports.pages.append(write_table(folder / PAGE, page(run)))
        if run.status == "failed":
            reports.failed.append(f"{name}: {run.cause}")
        else:
            yield {**row(run, own), "run": name}


def _write_comparison(
    home: Path, rows: Sequence[Row], comparison: Comparison, remarks: Sequence[str]
) -> Path:
    write_table(home / "comparison.csv", comparison_csv(rows))
    write_table(home / "comparison.json", comparison_json(rows))
    write_table(home / "conditions.csv", conditions_csv(comparison))
    return write_table(home / COMPARISON_PAGE, comparison_page(rows, comparison, remarks))


def write_table(file: Path, text: str) -> Path:
    """Write a report or a table, also over one of ours. Raises LogError."""
    head, title, _ = text.partition("<title>")
    start = head if title else text[:ALIKE]  # what all reports of a kind begin with
    try:
        make_private_folder(file.parent)
        refuse_other(file, start.encode())
        write_private(file, text)
    except OSError as error:
        raise LogError(f"cannot write {file}: {error.strerror}") from error
    return file
