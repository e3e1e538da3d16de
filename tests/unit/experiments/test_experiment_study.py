"""A study is declared in its file before the runs and told so; what it takes is estimated."""

import asyncio
import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from support.experiments import THREE, experiment, rows_in
from typer.testing import Result

from bots.experiments.report.writing import write_reports
from bots.experiments.runs import read_run
from bots.experiments.scenario import LogError, ScenarioError
from bots.experiments.scenario_file import tables_of
from bots.experiments.study import STUDY_NAME, Study, declared_in, study_of
from llm.fake_api import FakeClaude, Reply

pytestmark = pytest.mark.slow

STUDY = """
[study]
seeds = 3
primary = "latency_p50_s"
direction = "less"
metrics = ["turns"]
[study.factors]
talk.gap_s = [1, 0]
caps.turns = [9, 6]
"""


def studied(
    folder: Path, study: str, *words: str, scenario: str = THREE, code: int = 0, said: str = ""
) -> Result:
    file = folder / "study.toml"
    file.write_text(scenario + study)
    return experiment("run", file, "--out", folder / "out", *words, code=code, said=said)


def test_every_combination_is_played_with_every_seed_and_told_as_declared(tmp_path: Path) -> None:
    done = studied(tmp_path, STUDY)
    lines = done.stdout.splitlines()
    assert len(lines) == 12
    assert lines[0].startswith(f"{tmp_path}/out/talk.gap_s=1,caps.turns=9-seed-7: ")
    assert lines[-1].endswith("(12 of 12)")
    reports = write_reports([tmp_path / "out"], with_pages=False)
    (said,) = reports.remarks
    assert re.fullmatch(
        r"Declared before the runs, [-0-9]+ [0-9:]+ UTC: the primary number latency_p50_s, "
        r"expected to be less, by permutation test; also turns\.",
        said,
    )
    page = reports.pages[-1].read_text()
    assert said in page
    answer, _, rest = page.partition("<h2>Means</h2>")
    assert answer.count("<li>median waiting in seconds: ") == 3
    assert answer.count("<li>turns: ") == 3
    assert "<b>lines</b>" not in answer
    assert re.search(
        r'"row">lines</th><td>[^<]+</td><td>[^<]+</td><td>[^<]+</td><td>3</td><td>exploratory<',
        rest,
    )
    rows = (tmp_path / "out/conditions.csv").read_text().splitlines()
    assert rows[0].endswith(",p,pairs,effect,exploratory")
    assert {row.split(",")[-1] for row in rows if ",latency_p50_s," in row} == {"", "False"}


def test_conditions_may_be_listed_by_name_and_seeds_too(tmp_path: Path) -> None:
    listed = """
[study]
seeds = [11, 5]
[[study.conditions]]
name = "usual"
[[study.conditions]]
name = "hasty"
set = { "talk.thinking_s" = [0, 0], "cast.Bob.persona" = "Bob is in a hurry." }
"""
    done = studied(tmp_path, listed)
    names = [line.partition(":")[0].rpartition("/")[2] for line in done.stdout.splitlines()]
    assert names == ["usual-seed-11", "hasty-seed-11", "usual-seed-5", "hasty-seed-5"]
    run = read_run(tmp_path / "out/hasty-seed-5")
    assert (run.condition_label, run.scenario.cast[1].persona) == ("hasty", "Bob is in a hurry.")
    write_reports([tmp_path / "out"], with_pages=False)
    assert "hasty,lines,2," in (tmp_path / "out/conditions.csv").read_text()


def test_a_study_may_stand_in_a_file_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "three.toml").write_text(THREE)
    studied(tmp_path, '[study]\nscenario = "three.toml"\nseeds = 2\n', scenario="")
    assert (tmp_path / "out/seed-8/scenario.toml").read_text() == THREE
    told = "title: its scenario is in three.toml"
    with_title, study = 'title = "x"\n', '[study]\nscenario = "three.toml"\n'
    studied(tmp_path, study, scenario=with_title, code=2, said=told)


def test_what_was_declared_cannot_be_changed_after_the_first_run(tmp_path: Path) -> None:
    studied(tmp_path, STUDY)
    kept = (tmp_path / "out" / STUDY_NAME).read_bytes()
    studied(tmp_path, STUDY, said="12 of 12 are played already")
    for before, after in (("latency_p50_s", "lines"), ("seeds = 3", "seeds = 4")):
        changed = STUDY.replace(before, after)
        studied(tmp_path, changed, code=1, said="the study was declared on")
    assert (tmp_path / "out" / STUDY_NAME).read_bytes() == kept


def test_a_study_is_not_declared_after_its_runs(tmp_path: Path) -> None:
    file = tmp_path / "three.toml"
    file.write_text(THREE)
    experiment("run", file, "--out", tmp_path / "out", "--runs", "2")
    told = "runs were played before the study was declared"
    for seeds in ("2", "[50, 51]"):
        studied(tmp_path, f"[study]\nseeds = {seeds}\n", code=1, said=told)


def test_no_run_of_something_else_is_played_into_a_declared_study(tmp_path: Path) -> None:
    studied(tmp_path, STUDY)
    (tmp_path / "three.toml").write_text(THREE)
    for words in ((), ("--runs", "2")):
        run, told = ("run", tmp_path / "three.toml"), "holds a declared study, and this is none"
        experiment(*run, "--out", tmp_path / "out", *words, code=1, said=told)
    shutil.copytree(tmp_path / "out/talk.gap_s=1,caps.turns=9-seed-7", tmp_path / "out/further")
    remarks = write_reports([tmp_path / "out"], with_pages=False).remarks
    assert "13 runs are here, 12 were declared." in remarks


def test_runs_are_excluded_as_declared_and_counted(tmp_path: Path) -> None:
    excluding = STUDY + '[[study.exclude]]\nmetric = "turns"\nbelow = 7\n'
    studied(tmp_path, excluding)
    remarks = write_reports([tmp_path / "out"], with_pages=False).remarks
    assert remarks[1:] == ["Excluded as declared: 6 with turns below 7."]
    rows = json.loads((tmp_path / "out/comparison.json").read_text())
    assert {row["set caps.turns"] for row in rows} == {9}


def test_runs_that_are_missing_are_told(tmp_path: Path) -> None:
    studied(tmp_path, STUDY)
    (tmp_path / "out/talk.gap_s=1,caps.turns=9-seed-7").rename(tmp_path / "away")
    remarks = write_reports([tmp_path / "out"], with_pages=False).remarks
    assert "Of 12 planned runs 1 are missing." in remarks


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[study]\nseeds = 0", "study.seeds"),
        ("[study]\nseeds = [1, 1]", "study.seeds"),
        ("[study]\nprimry = 'x'", "study.primry"),
        ("[study]\n[study.factors]\ntalk.gap_s = []", "study.factors.talk.gap_s"),
        (
            "[study]\nfactors = {a = [1]}\n[[study.conditions]]\nname = 'x'",
            "write factors or conditions",
        ),
        ("[study]\n[[study.exclude]]\nmetric = 'lines'", "write below, above or equals"),
        ("study = 3", "study: "),
    ],
)
def test_mistakes_in_a_study_are_told_where_they_are(text: str, why: str) -> None:
    with pytest.raises(ScenarioError, match=re.escape(why)):
        study_of(tables_of(text, "x"), "x.toml")


@pytest.mark.parametrize(
    ("study", "words", "why"),
    [
        ('[study]\nprimary = "latency"\n', (), "there is no number 'latency'"),
        ("[study]\n", ("--runs", "3"), "its file declares a study"),
        ("[study]\n", ("--set", "caps.turns=3"), "its file declares a study"),
        ("[study]\n[study.factors]\ncaps.tuns = [1]\n", (), "caps.tuns: unknown key"),
    ],
)
def test_a_study_that_cannot_be_played_is_refused_at_once(
    tmp_path: Path, study: str, words: tuple[str, ...], why: str
) -> None:
    studied(tmp_path, study, *words, code=2, said=why)
    assert not (tmp_path / "out").exists()


def test_a_damaged_declaration_is_told(tmp_path: Path) -> None:
    assert declared_in(tmp_path) is None
    (tmp_path / STUDY_NAME).write_text("{}")
    with pytest.raises(LogError, match="is no declared study"):
        declared_in(tmp_path)


def test_a_dry_run_counts_and_leaves_nothing(tmp_path: Path) -> None:
    dry = studied(tmp_path, STUDY, "--dry-run", "--jobs", "2")
    found = re.fullmatch(r"12 runs: about (\d+) turns, [\d,]+ s with 2 jobs\n", dry.stdout)
    assert found, dry.stdout
    assert not (tmp_path / "out").exists()
    studied(tmp_path, STUDY)
    turns = [json.loads(log.read_text().splitlines()[-1])["turns"] for log in logs(tmp_path)]
    assert int(found[1]) == sum(turns)


def logs(folder: Path) -> list[Path]:
    return list((folder / "out").glob("*/log.jsonl"))


def test_a_dry_run_of_models_tells_tokens_and_money_and_asks_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    text = re.sub(r"^cues = .*$", 'answers = "model"', THREE, flags=re.MULTILINE)
    told = []
    for model in ("claude-haiku-4-5", "claude-opus-4-1"):
        study = f'[llm]\nmodel = "{model}"\n[study]\nseeds = 10\n'
        dry = studied(tmp_path, study, "--dry-run", scenario=text)
        said = r"10 runs: about 90 turns, ([\d,]+) tokens, \$([\d.]+), .*\n"
        told.append(re.fullmatch(said, dry.stdout))
    cheap, dear = (found.groups() for found in told if found)
    assert cheap[0] == dear[0]
    assert float(dear[1]) > 5 * float(cheap[1]) > 0
    assert not (tmp_path / "data").exists()


def test_seeds_count_up_from_the_scenarios_own() -> None:
    assert list(Study(seeds=3).seeds_from(40)) == [40, 41, 42]
    assert list(Study(seeds=(4, 2)).seeds_from(40)) == [4, 2]


OWN = """
[study]
seeds = 2
primary = "own.py:words"
[study.factors]
talk.gap_s = [1, 0]
[[study.exclude]]
metric = "words"
above = 1000
"""


def test_the_number_that_decides_may_be_a_function_beside_the_study(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("def words(run): return len(run.timeline.lines)")
    done = studied(tmp_path, OWN)
    assert f"this runs the code in {tmp_path}/own.py" in done.stderr
    assert done.stderr.endswith(f"report {tmp_path}/out --metric {tmp_path}/own.py:words\n")
    told = "report it with --metric own.py:words"
    experiment("report", tmp_path / "out", code=1, said=told)
    assert not (tmp_path / "out/conditions.csv").exists()
    reported = experiment("report", tmp_path / "out", "--metric", f"{tmp_path}/own.py:words")
    rows = (tmp_path / "out/conditions.csv").read_text().splitlines()
    assert [row.split(",")[-1] for row in rows if ",words," in row] == ["", "False"]
    assert "Changed since" not in reported.stderr
    (tmp_path / "own.py").write_text("def words(run): return run.scenario.talk.gap_s")
    told = f"Changed since it was declared: the code of {tmp_path}/own.py:words."
    experiment("report", tmp_path / "out", "--metric", f"{tmp_path}/own.py:words", said=told)
    assert told in (tmp_path / "out/comparison.html").read_text()


@pytest.mark.parametrize(
    ("primary", "why"),
    [
        ("own.py:wrds", "has no function 'wrds'"),
        ("none.py:words", "there is no file"),
        ("../own.py:words", "is outside the folder of the scenario"),
        ("wrds", "there is no number 'wrds'"),
    ],
)
def test_a_number_that_is_not_there_is_refused_before_the_runs(
    tmp_path: Path, primary: str, why: str
) -> None:
    (tmp_path / "own.py").write_text("def words(run): return len(run.timeline.lines)")
    studied(tmp_path, STUDY.replace("latency_p50_s", primary), code=2, said=why)
    assert not (tmp_path / "out").exists()


# Each study in examples/studies is played with few seeds, and finds what it asks for.


STUDIES = Path(__file__).parents[3] / "examples/studies"
SEEDS = 6
BY_FUNCTION = {
    "hearing": "greater",
    "order": "greater",
    "memory": "less",
    "group": "less",
    "floor": "less",
}
BY_MODEL = {"persona": "less", "models": "less", "warmth": "greater"}
"""What each number that decides does under the second condition; of models, under this test's."""


def difference(name: str, home: Path) -> dict[str, str]:
    """The row of the number that decides, of the second condition."""
    shutil.copytree(STUDIES, home / "studies", ignore=shutil.ignore_patterns("__pycache__"))
    file = home / f"studies/{name}.toml"
    text, changed = re.subn(r"(?m)^seeds = \d+$", f"seeds = {SEEDS}", file.read_text())
    assert changed == 1
    file.write_text(text)
    primary = re.findall(r'^primary = "(.+)"$', text, re.MULTILINE)[0]
    metric = ["--metric", str(home / "studies" / primary)] if ":" in primary else []
    experiment("run", file, "--out", home / "out")
    if "[[study.judges]]" in text:
        experiment("judge", home / "out")
    experiment("report", home / "out", "--no-pages", *metric)
    found = rows_in(home / "out/conditions.csv", metric=primary.rpartition(":")[2])
    assert len(found) == 2
    return found[1]


def asserted(row: Mapping[str, str], direction: str) -> None:
    assert int(row["pairs"]) == SEEDS
    assert (float(row["difference"]) > 0) is (direction == "greater"), row
    assert (float(row["difference_low"]) > 0) is (float(row["difference_high"]) > 0), row


def by_what_it_is(question: Mapping[str, Any]) -> Reply:
    """A shy persona says little, one of the two models only asks back, and a kind persona says so,
    at which a judge finds a talk warm."""
    if "You judge one conversation" in str(question["system"]):
        score = 5 if "dear" in str(question["messages"]) else 2
        return Reply(f'{{"why": "So it sounds.", "score": {score}}}')
    if "is kind" in str(question["system"]):
        return Reply("With joy, my dear.")
    if "is shy" in str(question["system"]):
        return Reply("Read.")
    if "sonnet" in question["model"]:
        return Reply("What do you mean?")
    return Reply("I would build a raft, I think, and wait for the wind. And you?")


def test_all_are_played_here() -> None:
    assert {path.stem for path in STUDIES.glob("*.toml")} == {*BY_FUNCTION, *BY_MODEL}


@pytest.mark.parametrize("name", BY_FUNCTION)
def test_a_study_of_functions_finds_what_it_asks_for(name: str, tmp_path: Path) -> None:
    asserted(difference(name, tmp_path), BY_FUNCTION[name])


@pytest.mark.parametrize("name", BY_MODEL)
async def test_a_study_of_models_finds_how_they_differ(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with FakeClaude(decide=by_what_it_is).serving() as claude:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", claude.url)
        row = await asyncio.to_thread(difference, name, tmp_path)
    asserted(row, BY_MODEL[name])
