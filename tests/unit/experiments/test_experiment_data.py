"""A study as tables: typed rows in Python, CSV and Parquet files, and the page of their columns."""

import csv
import json
import shutil
import tomllib
from dataclasses import astuple, fields
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet
from support.experiments import THREE, experiment, play_seeds, played, prepared_run, rows_in

import townsfolk
from bots.experiments.data import export, load_study
from bots.experiments.report.writing import write_reports
from bots.experiments.runs import LOG_NAME
from bots.experiments.simulation import simulate
from bots.experiments.study import Study, declare
from bots.experiments.tables import TABLES, StudyData, columns_of

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[3]
STEVE = '[[people]]\nname = "Steve"\nlines = [{ during_turn = 2, text = "=1+1, Carol?" }]\n'


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two conditions of two seeds, one run that failed, and one that was cut off."""
    home, orders = tmp_path_factory.mktemp("study"), ("talk.order=rounds", "talk.order=nominate")
    play_seeds(home, THREE + STEVE, (1, 2), *orders)
    play_seeds(home, THREE + STEVE, (8, 9))
    for seed, end in ((8, b'"failed","cause":"planted"'), (9, None)):
        log = home / f"seed-{seed}" / LOG_NAME
        *before, last = log.read_bytes().splitlines(keepends=True)
        log.write_bytes(b"".join([*before, last.replace(b'"whole"', end) if end else b""]))
    return home


@pytest.fixture(scope="module")
def data(study: Path) -> StudyData:
    return townsfolk.load_study(study)


def test_only_whole_runs_have_numbers_and_others_tell_why(data: StudyData) -> None:
    whole = [one for one in data.runs if one.status == "whole"]
    assert [(one.condition, one.seed) for one in whole] == [
        ("talk.order=rounds", 1),
        ("talk.order=rounds", 2),
        ("talk.order=nominate", 1),
        ("talk.order=nominate", 2),
    ]
    left = {one.status: one for one in data.runs if one.status != "whole"}
    assert left["failed"].cause == "planted"
    assert "cut off" in left["cut"].cause
    assert {one.lines for one in left.values()} == {None}
    assert {line.run for line in data.lines} == {one.run for one in whole}


def test_every_line_and_turn_is_there_and_leads_to_its_run(data: StudyData) -> None:
    for run in data.runs:
        own = [line for line in data.lines if line.run == run.run]
        assert len(own) == (run.lines or 0)
        said = [turn for turn in data.turns if turn.run == run.run and turn.outcome == "said"]
        assert [turn.turn for turn in said] == [line.turn for line in own if line.turn is not None]
        assert all(turn.source == "cues" and turn.thinking_s == 1.0 for turn in said)
    assert {(one.name, one.kind) for one in data.participants} >= {("Steve", "person")}
    assert len(data.decisions) >= len(data.turns) - len(data.runs)


def test_what_a_study_excludes_is_marked(study: Path, tmp_path: Path) -> None:
    home = tmp_path / "study"
    shutil.copytree(study, home)
    excluding = Study.model_validate({"exclude": [{"metric": "seed", "above": 1}]})
    declare(excluding, 4, home, was_played=False)
    found = {(one.seed, one.status): one.excluded for one in load_study(home).runs}
    assert found[1, "whole"] is False
    assert found[2, "whole"] is True


def test_words_of_real_players_alone_are_marked(tmp_path: Path) -> None:
    """A scripted person's words are the scenario's."""
    run = played(tmp_path, THREE + STEVE)
    assert not any(line.of_player for line in load_study(run.folder).lines)
    scenario = run.folder / "scenario.toml"
    live = scenario.read_text().replace('name = "Steve"', 'name = "Steve"\nlive = true')
    scenario.write_text('world = "embedded"\n' + live)
    marked = [line for line in load_study(run.folder).lines if line.of_player]
    assert {(line.speaker, line.kind) for line in marked} == {("Steve", "person")}


def test_csv_has_the_same_rows_and_no_formula(study: Path, tmp_path: Path) -> None:
    experiment("export", study, "--out", tmp_path)
    data = load_study(study)
    for name in TABLES:
        rows = rows_in(tmp_path / f"{name}.csv")
        assert [*rows[0]] == [*columns_of(TABLES[name])] if rows else name == "tasks"
        assert len(rows) == len(data.rows(name))
        assert not any(cell.startswith("=") for row in rows for cell in row.values())


def test_parquet_gives_back_every_value_with_its_type_and_meaning(
    study: Path, tmp_path: Path
) -> None:
    for _ in ("first", "over it"):
        experiment("export", study, "--out", tmp_path, "--parquet")
    data = load_study(study)
    for name, kind in TABLES.items():
        table = parquet.read_table(tmp_path / f"{name}.parquet")
        rows = [kind(**_tuples(row)) for row in table.to_pylist()]
        assert rows == list(data.rows(name))
        meanings = [field.metadata[b"meaning"].decode() for field in table.schema]
        assert meanings == [meaning for _, meaning in columns_of(kind).values()]


def _tuples(row: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(v) if isinstance(v, list) else v for name, v in row.items()}


def test_a_file_of_somebody_else_is_not_written_over(study: Path, tmp_path: Path) -> None:
    (tmp_path / "runs.parquet").write_text("mine")
    experiment("export", study, "--out", tmp_path, "--parquet", code=1)
    assert (tmp_path / "runs.parquet").read_text() == "mine"


def test_rows_are_of_the_types_that_their_columns_name(data: StudyData) -> None:
    for name, kind in TABLES.items():
        columns = columns_of(kind)
        assert [*columns] == [field.name for field in fields(kind)]
        for one in data.rows(name):
            for value, (column, (wanted, _)) in zip(astuple(one), columns.items(), strict=True):
                plain = tuple if wanted == tuple[str, ...] else wanted
                assert isinstance(value, plain), (name, column, value)


def test_an_export_tells_what_every_column_is(data: StudyData, tmp_path: Path) -> None:
    export(data, tmp_path, parquet=False)
    listed = rows_in(tmp_path / "columns.csv")
    for name in TABLES:
        of_table = [one for one in listed if one["table"] == name]
        header = next(csv.reader((tmp_path / f"{name}.csv").read_text().splitlines()))
        assert [one["column"] for one in of_table] == header
        assert all(one["meaning"] for one in of_table)
    types = {(one["table"], one["column"], one["type"]) for one in listed}
    assert types >= {
        ("runs", "seed", "integer or none"),
        ("lines", "heard_by", "list of text"),
        ("lines", "of_player", "true or false"),
        ("turns", "thinking_s", "number or none"),
        ("runs", "title", "text"),
    }


def test_the_citation_names_this_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = (ROOT / "CITATION.cff").read_text().splitlines()
    cited = dict(line.partition(": ")[::2] for line in lines if not line.startswith(" "))
    assert (cited["title"], cited["version"], cited["license"]) == (
        *(project["name"], project["version"], project["license"]),
    )
    assert {"cff-version", "message", "authors:", "type"} <= cited.keys()


WORK = """
[[tasks]]
who = "Bob"
goal = "inventory.stick:4"
at_s = 0
[[tasks]]
who = "Carol"
goal = "inventory.dirt:1"
ask = "dig some dirt"
after_turn = 3
"""


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of each condition a run, in which Bob's task was done in 5 s after one turn alone."""
    home = tmp_path_factory.mktemp("worked")
    for turns, took in ((9, "5.0"), (3, "null")):
        run = home / f"{turns}"
        simulate(prepared_run(THREE).under([{"caps.turns": turns}])[0], run)
        (run / "scenario.toml").write_text('world = "embedded"\n' + THREE + WORK)
        *lines, end = (run / LOG_NAME).read_text().splitlines()
        lines.append(
            f'{{"n":{len(lines)},"at_ms":9,"kind":"task","task":1,"who":"Bob","ask":"","deaths":2,'
            f'"goal":"inventory.stick:4","given_ms":0,"took_s":{took},"said":""}}'
        )
        text = "".join(f"{line}\n" for line in lines)
        seal = {"n": len(lines), "lines": len(lines), "sha256": sha256(text.encode()).hexdigest()}
        (run / LOG_NAME).write_text(text + json.dumps({**json.loads(end), **seal}) + "\n")
    return home


def test_tasks_have_a_table_and_numbers_that_conditions_are_compared_by(worked: Path) -> None:
    data = load_study(worked)
    assert [(one.run, one.who, one.done, one.took_s) for one in data.tasks] == [
        ("3", "Bob", False, None),
        ("3", "Carol", False, None),
        ("9", "Bob", True, 5.0),
        ("9", "Carol", False, None),
    ]
    assert {one.given_ms for one in data.tasks if one.who == "Carol"} == {None}
    found = [(one.tasks_done, one.tasks_s, one.tasks_deaths) for one in data.runs]
    assert sorted(found, key=str) == [(0.0, None, 2), (0.5, 5.0, 2)]
    experiment("report", worked)
    table = (worked / "conditions.csv").read_text()
    assert "caps.turns=9,tasks_done,1,0.5," in table
    assert "caps.turns=3,tasks_done,1,0.0," in table
    (worked / "own.py").write_text(
        "def given(study):\n    return sum(one.given_ms is not None for one in study.tasks)\n"
    )
    named = f"{worked / 'own.py'}:given"
    experiment("report", worked, "--metric", named)
    assert "given,2" in (worked / "study.csv").read_text()
    assert "dig some dirt</td><td>never given" in (worked / "9/report.html").read_text()


def test_a_number_that_no_run_has_is_not_told_as_the_same_in_all(study: Path) -> None:
    write_reports([study], with_pages=False)
    page = (study / "comparison.html").read_text()
    assert "The same in all: " in page
    assert "tasks that were done" not in page
