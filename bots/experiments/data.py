"""Reads a whole study as tables of typed rows, for other programs, and writes them as files.

Runs that failed or were cut off have a row without numbers in `runs` and none elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from bots.experiments import tables
from bots.experiments.judges import Judged
from bots.experiments.report.comparison import TAKEN, Row, as_csv, in_order, once, row, told_apart
from bots.experiments.report.writing import write_table
from bots.experiments.runs import names_of, read_run, runs_in
from bots.experiments.scenario import CutOff, LogError
from bots.experiments.study import declared_in
from bots.experiments.tables import TABLES, Measure, OwnMetric, RunRow, StudyData, TurnRow, scoped
from bots.private_files import FILE_MODE, make_private, make_private_folder, refuse_other

PARQUET = b"PAR1"  # what such a file begins with


def load_study(*folders: str | Path, metrics: Sequence[str] = ()) -> StudyData:
    """What `experiment run` wrote into these folders, with numbers of one's own, as `FILE.py:NAME`
    or by the name of an entry point. Raises LogError and ScenarioError."""
    homes = [Path(folder) for folder in folders]
    return read_study(homes, tables.own_metrics(metrics, TAKEN, "metrics"))


def read_study(homes: Sequence[Path], own: Sequence[OwnMetric]) -> StudyData:
    """Of what these folders hold. Raises LogError."""
    found = runs_in(homes)
    of_turns = scoped(own, "turn")
    alone = homes[0] if len(homes) == 1 else None
    judged, declared = (Judged.read(alone), declared_in(alone)) if alone else (Judged(), None)
    of_runs: list[Measure] = [*scoped(own, "talk", "turn"), *judged.measures, *judged.seconds]
    run_row = tables.widened(RunRow, {one.name: one.meaning for one in of_runs})
    turn_row = tables.widened(TurnRow, {one.name: one.meaning for one in of_turns})
    data = StudyData(kinds={**TABLES, "runs": run_row, "turns": turn_row})
    numbers, no_data = list[Row](), list[RunRow]()
    for name, folder in zip(names_of(found), found, strict=True):
        try:
            run = read_run(folder)
        except CutOff as cut:
            no_data.append(run_row(run=name, status="cut", cause=str(cut)))
            continue
        changed = json.dumps(run.condition, ensure_ascii=False, sort_keys=True)
        facts: Row = {
            "run": name,
            "status": run.status,
            "cause": run.cause,
            "title": run.scenario.title,
            "condition": run.condition_label,
            "changed": changed if run.condition else "",
            "seed": run.scenario.seed,
            "world": run.scenario.world,
        }
        if run.status == "failed":
            no_data.append(run_row(**facts))
            continue
        numbers.append({**row(run, of_runs), **facts})
        data.participants.extend(tables.participants_of(run, name))
        data.lines.extend(tables.lines_of(run, name))
        data.decisions.extend(
            tables.DecisionRow(
                name, at_ms, one.after, one.next, one.rule, one.reason, one.extracted_raw
            )
            for at_ms, one in run.timeline.decisions
        )
        data.tasks.extend(
            tables.TaskRow(run=name, done=one.done, **asdict(one)) for one in run.tasks
        )
        own_of_turns = {one.name: one.by_turn(run) for one in of_turns}
        for place, turn in enumerate(tables.turns_of(run, name)):
            values: Row = {metric: each[place] for metric, each in own_of_turns.items()}
            data.turns.append(turn_row(**asdict(turn), **values) if values else turn)
    told, _ = told_apart(in_order(numbers), pool=False)
    counted = {id(one) for one in once(told)[0]}
    left_out = declared.study.exclude if declared else ()
    columns = tables.columns_of(run_row)
    for one in told:
        is_left_out = id(one) not in counted or any(each.takes(one) for each in left_out)
        one |= {"model_settings": one["settings of the model"], "excluded": is_left_out}
        data.runs.append(run_row(**{name: one[name] for name in columns}))
    data.runs.extend(no_data)
    return data


def export(data: StudyData, out: Path, *, parquet: bool) -> list[Path]:
    """Write every table into a folder, as CSV or as Parquet, and what their columns mean. Raises
    LogError."""
    written: list[Path] = []
    for name in TABLES:
        if parquet:
            written.append(_write_parquet(data, name, out))
            continue
        rows = (
            [str(value).lower() if isinstance(value, bool) else value for value in row]
            for row in data.values(name)
        )
        written.append(write_table(out / f"{name}.csv", as_csv([*data.columns(name)], rows)))
    meanings = [
        (table, column, tables.in_words(kind), meaning)
        for table in TABLES
        for column, (kind, meaning) in data.columns(table).items()
    ]
    columns = as_csv(("table", "column", "type", "meaning"), meanings)
    return [*written, write_table(out / "columns.csv", columns)]


def _write_parquet(data: StudyData, name: str, out: Path) -> Path:
    table, file = data.to_arrow(name), out / f"{name}.parquet"
    from pyarrow import ArrowException, parquet

    try:
        make_private_folder(out)
        refuse_other(file, PARQUET)
        file.touch(FILE_MODE)
        make_private(file)
        parquet.write_table(table, file)
    except (OSError, ArrowException) as error:
        raise LogError(f"cannot write {file}: {error}") from error
    return file
