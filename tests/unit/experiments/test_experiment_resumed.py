"""An experiment goes on after it was killed: no run is lost, doubled or different."""

import json
import os
import pickle
import random
import subprocess
import sys
from multiprocessing import active_children
from pathlib import Path

import psutil
import pytest
from support.experiments import THREE, experiment, prepared_run, say_by

from bots.experiments import playing
from bots.experiments.paid_models import Means
from bots.experiments.playing import Planned, alone_in
from bots.experiments.report.writing import write_reports
from bots.experiments.runs import LOG_NAME, TRANSCRIPT_NAME, replay
from bots.experiments.scenario import LogError
from bridge.errors import BotError, BridgeDown, UserError

pytestmark = pytest.mark.slow

PROGRAM = (sys.executable, "-c", "from bots.cli.main import app; app()")
LONG = THREE.replace("turns = 9", "turns = 24").replace("[1, 1]", "[1, 3]")
RUNS, KILLS, WITHIN_S = 150, 5, 60


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    file = tmp_path / "long.toml"
    file.write_text(LONG)
    return file


def logs(home: Path) -> dict[str, bytes]:
    names = (LOG_NAME, TRANSCRIPT_NAME)
    return {str(file.relative_to(home)): file.read_bytes() for n in names for file in home.rglob(n)}


def killed(lines: int, seconds: float, *words: str | Path) -> None:
    """Start it, and kill it so long after it told of so many runs. Its processes end with it."""
    with subprocess.Popen(
        [*PROGRAM, "experiment", *map(str, words)], stdout=subprocess.PIPE, env=os.environ
    ) as program:
        assert program.stdout is not None
        told = [program.stdout.readline() for _ in range(lines)]
        assert all(told)
        with pytest.raises(subprocess.TimeoutExpired):
            program.wait(seconds)
        of_it = psutil.Process(program.pid).children(recursive=True)
        program.kill()
    _, alive = psutil.wait_procs(of_it, timeout=WITHIN_S)
    assert alive == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_killed_at_random_moments_it_comes_to_the_same(
    scenario: Path, tmp_path: Path, jobs: int
) -> None:
    words = ("run", scenario, "--runs", str(RUNS), "--jobs", str(jobs))
    experiment(*words, "--out", tmp_path / "whole")
    out, chance = tmp_path / "out", random.Random(jobs)
    for _ in range(KILLS):
        killed(chance.randrange(20), chance.uniform(0.0, 0.05), *words, "--out", out)
    experiment(*words, "--out", out)
    assert logs(out) == logs(tmp_path / "whole")
    assert len(list(out.iterdir())) == RUNS
    again = experiment(*words, "--out", out)
    assert (again.exit_code, again.stdout) == (0, "")  # all are kept
    assert f"{RUNS} of {RUNS} are played already and kept" in again.stderr
    assert all(replay(folder).identical for folder in list(out.iterdir())[:: RUNS // 8])


@pytest.mark.parametrize("bytes_kept", [0, 30, 5_000])
def test_a_run_that_was_cut_is_played_anew_and_whole_ones_are_kept(
    scenario: Path, tmp_path: Path, bytes_kept: int
) -> None:
    words = ("run", scenario, "--out", tmp_path / "out", "--runs", "3")
    experiment(*words)
    before = logs(tmp_path / "out")
    cut = tmp_path / "out/seed-8" / LOG_NAME
    cut.write_bytes(cut.read_bytes()[:bytes_kept])
    times = {name: (tmp_path / "out" / name).stat().st_mtime_ns for name in before}
    again = experiment(*words, said="2 of 3 are played already and kept")
    assert [line.partition(":")[0][-6:] for line in again.stdout.splitlines()] == ["seed-8"]
    assert "(3 of 3)" in again.stdout
    assert logs(tmp_path / "out") == before
    changed = {n for n in before if (tmp_path / "out" / n).stat().st_mtime_ns != times[n]}
    assert changed == {f"seed-8/{LOG_NAME}", f"seed-8/{TRANSCRIPT_NAME}"}


def test_a_log_that_was_changed_is_not_played_over(scenario: Path, tmp_path: Path) -> None:
    words = ("run", scenario, "--out", tmp_path / "out", "--runs", "2")
    experiment(*words)
    log = tmp_path / "out/seed-7" / LOG_NAME
    log.write_text(changed := log.read_text().replace("look", "loom"))
    experiment(*words, code=1, said="it was changed after the experiment")
    assert log.read_text() == changed


def test_a_run_that_failed_is_played_anew_and_put_aside(scenario: Path, tmp_path: Path) -> None:
    """What the code reads may have come back; what failed before stays to be counted."""
    code = (
        "from pathlib import Path\n"
        "def say(asked): return (Path(__file__).parent / 'words').read_text()\n"
    )
    scenario.write_text(say_by(code, tmp_path))
    words = ("run", scenario, "--out", tmp_path / "out", "--runs", "2")
    experiment(*words, code=1)
    (tmp_path / "words").write_text("Hm.")
    experiment(*words)
    aside = sorted(folder.name for folder in (tmp_path / "out/failed").iterdir())
    assert aside == ["seed-7", "seed-8"]
    remarks = write_reports([tmp_path / "out"], with_pages=False).remarks
    assert remarks == ["2 runs that failed were played anew; they lie in failed."]


@pytest.mark.parametrize("error", [BridgeDown("spawn", "Node ended"), LogError("no room")])
def test_why_a_run_could_not_be_played_comes_from_its_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BotError
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(playing, "play", fail)
    with pytest.raises(UserError) as raised:
        playing.play_apart(Planned(prepared_run(THREE), tmp_path), Means())
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(error)


def test_a_scenario_that_cannot_be_played_ends_all_of_its_processes(
    scenario: Path, tmp_path: Path
) -> None:
    scenario.write_text(say_by("", tmp_path))
    words = ("run", scenario, "--out", tmp_path / "out", "--runs", "4", "--jobs", "2")
    experiment(*words, code=2, said="has no function 'say'")
    assert active_children() == []


@pytest.mark.parametrize("has_links", [True, False])
def test_two_programs_do_not_play_into_one_folder(
    scenario: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_links: bool
) -> None:
    def refuse(_src: Path, _dst: Path) -> None:
        raise PermissionError("no links on this disk")

    if not has_links:
        monkeypatch.setattr(os, "link", refuse)
    with alone_in(tmp_path / "out"):
        told = f"is being played into by process {os.getpid()}"
        experiment("run", scenario, "--out", tmp_path / "out", "--runs", "2", code=1, said=told)
    assert not (tmp_path / "out").exists()


def test_what_a_program_that_was_killed_left_behind_stops_nobody(tmp_path: Path) -> None:
    file = tmp_path / "out/.playing"
    file.parent.mkdir()
    for left in ("", json.dumps({"pid": os.getpid(), "born_s": 1.0}), "[]"):
        file.write_text(left)
        os.utime(file, (1, 1))  # written before this process was started
        with alone_in(tmp_path / "out"), pytest.raises(LogError), alone_in(tmp_path / "out"):
            pass
        assert not file.exists()
