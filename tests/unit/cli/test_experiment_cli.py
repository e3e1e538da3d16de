"""`townsfolk experiment`: output, files, exit codes."""

from pathlib import Path

import pytest
from support.experiments import THREE, experiment

from bots.daemon.experiment_records import ExperimentRecord
from bots.experiments import live

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder that the page reads, in place of the user's own."""
    folder = tmp_path / "data"
    monkeypatch.setenv("TOWNSFOLK_DATA_DIR", str(folder))
    return folder


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    file = tmp_path / "three.toml"
    file.write_text(THREE)
    return file


def test_a_run_shows_the_talk_and_leaves_a_folder_to_replay_and_report(
    scenario: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    done = experiment("run", scenario, "--out", out, "--set", "caps.turns=9")
    transcript = (out / "transcript.txt").read_text()
    assert done.stdout == transcript
    assert "00:01.000    1  Alice: Bob, look at that.\n" in done.stdout
    assert "next: townsfolk experiment report" in done.stderr
    replayed = experiment("replay", out)
    assert (replayed.exit_code, replayed.stdout.split(": ")[1][:9]) == (0, "identical")
    assert experiment("replay", out, "--transcript").stdout.startswith(transcript)
    reported = experiment("report", out)
    assert (reported.exit_code, reported.stdout) == (0, f"{out / 'report.html'}\n")


def test_a_replay_that_differs_fails_and_says_where(scenario: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    experiment("run", scenario, "--out", out)
    copy = out / "scenario.toml"
    assert copy.read_text() == THREE
    copy.write_text(THREE.replace("turns = 9", "turns = 7"))
    failed = experiment("replay", out, code=1)
    assert "the policy changed" in failed.stdout


def test_what_code_a_scenario_runs_is_said_before_it_is_run(scenario: Path, tmp_path: Path) -> None:
    mind = tmp_path / "mind.py"
    mind.write_text("raise SystemExit('it was run')\n")
    scenario.write_text(
        THREE.replace('cues = [{ say = "Bob, l', 'function = "mind.py:answer"\ncues = [{ say = "L')
    )
    done = experiment("run", scenario, "--out", tmp_path / "out", code=2)
    assert done.stderr.startswith(f"this runs the code in {mind}, with all that you may do here\n")
    assert "it was run" in str(done.exception or "") + done.output


def only_record(data_dir: Path) -> ExperimentRecord:
    (file,) = (data_dir / "experiments").iterdir()
    return ExperimentRecord.of(file.read_bytes())


def test_several_runs_get_seeds_and_a_line_each_and_are_listed_for_the_page(
    scenario: Path, tmp_path: Path, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "many"
    done = experiment("run", scenario, "--out", out, "--runs", "2", "--seed", "40")
    assert [line.partition(":")[0] for line in done.stdout.splitlines()] == [
        str(out / f"seed-{seed}") for seed in (40, 41)
    ]
    record = only_record(data_dir)
    assert (record.title, record.state, record.folder) == ("Three", "ended", out)
    assert [run.name for run in record.runs] == ["seed-40", "seed-41"]
    assert all(run.lines for run in record.runs)
    experiment("replay", out)
    # Of many runs no pages are written, and that is told.
    monkeypatch.setattr("bots.experiments.report.writing.MOST_PAGES", 1)
    reported = experiment("report", out)
    assert reported.stdout == f"{out / 'comparison.html'}\n"
    assert "no page of each; --pages writes them" in reported.stderr
    assert len(experiment("report", out, "--pages").stdout.splitlines()) == 3


def test_conditions_are_played_seed_by_seed_and_compared(scenario: Path, tmp_path: Path) -> None:
    out, metric = tmp_path / "many", tmp_path / "own.py"
    metric.write_text("def asked(run): return len(run.timeline.lines)\n")
    words = ("--runs", "2", "--set", "caps.turns=6", "--set", "caps.turns=3")
    done = experiment("run", scenario, "--out", out, *words)
    assert [line.partition(":")[0].rpartition("/")[2] for line in done.stdout.splitlines()] == [
        f"caps.turns={turns}-seed-{seed}" for seed in (7, 8) for turns in (6, 3)
    ]
    experiment("replay", out)
    reported = experiment("report", out, "--metric", f"{metric}:asked", "--no-pages")
    assert (reported.exit_code, reported.stdout) == (0, f"{out / 'comparison.html'}\n")
    assert "caps.turns=6,asked,2," in (out / "conditions.csv").read_text()


def test_a_folder_that_holds_another_experiment_is_left_alone(
    scenario: Path, tmp_path: Path
) -> None:
    experiment("run", scenario, "--out", tmp_path / "out")
    before = (tmp_path / "out/log.jsonl").read_bytes()
    same = experiment("run", scenario, "--out", tmp_path / "out")
    assert (same.exit_code, same.stdout) == (0, "")
    assert "1 of 1 are played already and kept" in same.stderr
    other = experiment("run", scenario, "--out", tmp_path / "out", "--set", "caps.turns=6", code=1)
    assert "holds an experiment with changed None, not {'caps.turns': 6};" in other.stderr
    scenario.write_text(THREE.replace("turns = 9", "turns = 8"))
    changed = experiment("run", scenario, "--out", tmp_path / "out", code=1)
    assert "holds an experiment of another scenario; name another folder" in changed.stderr
    assert (tmp_path / "out/log.jsonl").read_bytes() == before


def foreign(folder: Path, *names: str) -> None:
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).write_text("mine")


FOREIGN_OUTS = [
    (("scenario.toml", "transcript.txt"), "holds scenario.toml, transcript.txt; name a new folder"),
    (("a", "b", "c", "d"), "holds a, b, c, …; name a new folder"),
    ((".git",), "holds .git; name a new folder"),
]


@pytest.mark.parametrize(("names", "told"), FOREIGN_OUTS)
def test_a_folder_of_others_is_left_as_it_is(
    scenario: Path, tmp_path: Path, names: tuple[str, ...], told: str
) -> None:
    foreign(tmp_path / "out", *names)
    experiment("run", scenario, "--out", tmp_path / "out", code=1, said=told)
    there = {file.name: file.read_text() for file in (tmp_path / "out").iterdir()}
    assert there == dict.fromkeys(names, "mine")


def test_nothing_is_started_or_paid_where_the_folder_cannot_be_used(
    scenario: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenario.write_text(f'world = "embedded"\n{THREE}')
    monkeypatch.setattr(live, "play_live", lambda *_: pytest.fail("played"))
    foreign(tmp_path / "out", "notes.txt")
    experiment("run", scenario, "--out", tmp_path / "out", code=1, said="holds notes.txt")


@pytest.mark.parametrize("name", ["file", "link"])
def test_a_file_and_a_link_to_nothing_are_no_folder_and_listed_with_the_reason(
    scenario: Path, tmp_path: Path, data_dir: Path, name: str
) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "unmounted")
    experiment("run", scenario, "--out", tmp_path / name, code=1, said="cannot write into")
    assert not (tmp_path / "unmounted").exists()
    record = only_record(data_dir)
    assert (record.state, "cannot write" in str(record.why)) == ("stopped", True)


def test_several_runs_replace_nothing_of_others(scenario: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    foreign(out, "comparison.csv", "comparison.html")
    experiment("run", scenario, "--out", out, "--runs", "2")
    refused = experiment("report", out, "--no-pages", code=1)
    assert "comparison.csv: it is there already" in refused.stderr
    for name in ("comparison.csv", "comparison.html"):
        assert (out / name).read_text() == "mine"
        (out / name).unlink()
    for _ in range(2):  # a report of ours is written anew
        experiment("report", out, "--no-pages")


def test_a_film_replaces_films_alone(scenario: Path, tmp_path: Path) -> None:
    experiment("run", scenario, "--out", tmp_path / "out")
    (tmp_path / "notes").write_text("mine")
    experiment(
        "film", tmp_path / "out", "--out", tmp_path / "notes", code=1, said="is something else"
    )
    assert (tmp_path / "notes").read_text() == "mine"
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    experiment("film", tmp_path / "out", "--out", tmp_path / "link", code=1)
    assert not (tmp_path / "elsewhere").exists()
    for _ in range(2):
        experiment("film", tmp_path / "out", "--out", tmp_path / "film.gif")


def test_no_folder_no_replay_and_no_report(tmp_path: Path) -> None:
    for command in ("replay", "report"):
        failed = experiment(command, tmp_path / "none", code=1)
        assert "holds no experiment" in failed.stderr


def test_a_talk_can_be_watched_at_its_pace(
    scenario: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []
    monkeypatch.setattr("bots.cli.experiment.time.sleep", waited.append)
    experiment("run", scenario, "--out", tmp_path / "out", "--pace", "2")
    assert sum(waited) == pytest.approx(9.2 / 2, abs=0.2)
    assert max(waited) <= 5


def test_where_it_cannot_be_listed_it_is_played_all_the_same(
    scenario: Path, tmp_path: Path, data_dir: Path
) -> None:
    data_dir.write_text("a file")
    done = experiment("run", scenario, "--out", tmp_path / "out")
    assert "the page will not list it" in done.stderr


FAR_CODE = ('cues = [{ say = "Bob, l', 'function = "/tmp/x.py:f"\ncues = [{ say = "L')


@pytest.mark.parametrize(
    ("changed", "words", "said"),
    [
        (FAR_CODE, [], "cast.Alice.function"),
        (("turns", "tuns"), [], "caps.tuns: unknown key; did you mean turns?"),
        (
            None,
            ["--set", "caps.turns=3", "--set", "caps.turns=none"],
            "--set caps.turns=none: caps.turns",
        ),
        (
            *(None, ["--server", "nowhere"]),
            "world: write simulated, embedded, or a server as HOST:PORT",
        ),
        (None, ["--server", "mc.example:0"], "'0' is no port"),
        (None, ["--set", "world=embeded"], "write simulated, embedded, or"),
        (
            None,
            ["--server", "mc.example:1", "--runs", "2", "--jobs", "2"],
            "runs on a server go one by one",
        ),
    ],
)
def test_what_is_wrong_is_refused_before_anything_is_played(
    scenario: Path, tmp_path: Path, changed: tuple[str, str] | None, words: list[str], said: str
) -> None:
    if changed:
        scenario.write_text(THREE.replace(*changed))
    refused = experiment("run", scenario, "--out", tmp_path / "out", *words, code=2)
    assert refused.stdout == ""
    assert said in refused.stderr
    assert not (tmp_path / "out").exists()
