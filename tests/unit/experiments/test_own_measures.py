"""Numbers of the user's own: per turn, per talk, per study, from files and from packages."""

import asyncio
from pathlib import Path

import pytest
from support.experiments import THREE, experiment, package_in, play_seeds, prepared_run, rows_in

import townsfolk
from bots.experiments.runs import read_run
from bots.experiments.scenario import LogError, ScenarioError
from bots.experiments.simulation import simulate

pytestmark = pytest.mark.slow

OWN = """
def letters(run, turn):
    return len(turn.text) if turn.speaker == "Bob" else None

async def slowly(run, turn):
    return turn.turn * 2

def lines(run, least=1):
    return sum(len(line.text) >= least for line in run.timeline.lines)

def talk_lines(run):
    return lines(run)

def of_bob(study):
    return sum(turn.letters is not None for turn in study.turns) / len(study.turns)

def words(run, turn):
    return "many" if turn.turn == 2 else 1

def fault(run, turn):
    if turn.turn == 3:
        return [][turn.turn]

def three(run, turn, line):
    return 1
"""
BOB = "Carol, have you seen it too?"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two conditions of two seeds; Bob has every third turn, and always says the same."""
    settings = ("caps.turns=6", "caps.turns=9")
    home = play_seeds(tmp_path_factory.mktemp("measured"), THREE, (1, 2), *settings)
    (home / "own.py").write_text(OWN)
    return home


def test_a_number_of_each_turn_stands_in_the_table_of_turns(home: Path) -> None:
    names = ["letters", "slowly", "talk_lines"]
    study = townsfolk.load_study(home, metrics=[f"{home}/own.py:{name}" for name in names])
    for turn in study.turns:
        said = turn.speaker == "Bob"
        assert turn.letters == (len(turn.text) if said else None)  # type: ignore[attr-defined]
        assert turn.slowly == turn.turn * 2  # type: ignore[attr-defined]
    bobs = [one for one in study.turns if one.text == BOB]
    assert {one.letters for one in bobs} == {len(BOB)}  # type: ignore[attr-defined]
    assert [one.slowly for one in study.runs] == [7, 7, 10, 10]  # type: ignore[attr-defined]
    assert [one.talk_lines for one in study.runs] == [6, 6, 9, 9]  # type: ignore[attr-defined]
    table = study.to_arrow("turns")
    assert table.schema.field("slowly").metadata == {
        b"meaning": f"your own: {home}/own.py:slowly".encode()
    }


def test_export_writes_it_and_report_compares_the_mean(home: Path, tmp_path: Path) -> None:
    metric = f"--metric={home}/own.py:slowly"
    experiment("export", home, "--out", tmp_path / "tables", metric)
    rows = rows_in(tmp_path / "tables/turns.csv")
    assert [float(row["slowly"]) for row in rows] == [int(row["turn"]) * 2 for row in rows]
    experiment("report", home, "--no-pages", "--out", tmp_path, metric)
    six, nine = rows_in(tmp_path / "conditions.csv", metric="slowly")
    assert (float(six["mean"]), float(nine["difference"])) == (7, 3)


def test_a_number_of_the_study_is_told_in_the_report(home: Path, tmp_path: Path) -> None:
    words = [f"--metric={home}/own.py:{name}" for name in ("letters", "of_bob")]
    experiment("report", home, "--no-pages", "--out", tmp_path, *words)
    assert "Of the whole study: of_bob 0.333." in (tmp_path / "comparison.html").read_text()
    assert (tmp_path / "study.csv").read_text() == f"metric,value\nof_bob,{10 / 30}\n"


def test_inside_a_loop_that_runs_async_numbers_are_found_too(home: Path) -> None:
    async def in_a_notebook() -> list[float]:
        study = townsfolk.load_study(home, metrics=[f"{home}/own.py:slowly"])
        return [one.slowly for one in study.runs]  # type: ignore[attr-defined]

    assert asyncio.run(in_a_notebook()) == [7, 7, 10, 10]


@pytest.mark.parametrize(
    ("named", "why"),
    [
        ("fault", r"metric fault of .*0-seed-1: own\.py:22: IndexError: list index out of range"),
        ("words", r"metric words of .*0-seed-1: own\.py:17: 'many' is no number"),
    ],
)
def test_a_turn_that_cannot_be_measured_is_told_with_file_and_line(
    home: Path, named: str, why: str
) -> None:
    with pytest.raises(LogError, match=why):
        townsfolk.load_study(home, metrics=[f"{home}/own.py:{named}"])


@pytest.mark.parametrize(
    ("code", "named", "why"),
    [
        ("def f(run):\n    return (\n", "f", r"own\.py:2: SyntaxError: '\(' was never closed"),
        ("x = 1\nimport nowhere_at_all\n", "f", r"own\.py:2: ModuleNotFoundError: "),
        ("def text(run): ...\n", "text", "there is a metric text already"),
        ("def f(run, turn, line): ...\n", "f", r"own\.py:1: takes \(run, turn, line\); write"),
    ],
)
def test_code_that_is_no_metric_is_refused_with_file_and_line(
    home: Path, tmp_path: Path, code: str, named: str, why: str
) -> None:
    (tmp_path / "own.py").write_text(code)
    with pytest.raises(ScenarioError, match=why):
        townsfolk.load_study(home, metrics=[f"{tmp_path}/own.py:{named}"])


def test_a_study_cannot_compare_what_it_has_once(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    (tmp_path / "a.toml").write_text(THREE + '[study]\nprimary = "own.py:of_bob"\n')
    told = "study: own.py:of_bob is of all runs"
    experiment("run", tmp_path / "a.toml", "--out", tmp_path / "out", code=2, said=told)
    assert not (tmp_path / "out").exists()


def test_a_mind_of_an_installed_package_speaks_and_its_code_is_part_of_the_condition(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "def answer(asked):\n    return f'Kraa {asked.turn}'\n"
    package_in(tmp_path, "parrots-1.5", "[townsfolk.actors]\nparrot = parrots:answer\n", code)
    monkeypatch.syspath_prepend(tmp_path)
    text = THREE.replace('cues = [{ say = "Bob, look', 'function = "parrot"\ncues = [{ say = "')
    simulate(prepared_run(text), tmp_path / "run")
    run = read_run(tmp_path / "run")
    assert run.timeline.lines[0].text == "Kraa 1"
    assert [*run.log.run["identity"]["code"]] == ["parrots 1.5 parrots:answer"]
    with pytest.raises(ScenarioError, match=r"installed package has 'parot'.* mean parrot"):
        prepared_run(text.replace('"parrot"', '"parot"')).identity  # noqa: B018
