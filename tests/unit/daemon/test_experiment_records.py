"""What the daemon tells of experiments, read from the files that `experiment run` writes."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bots.daemon.experiment_records import (
    Cast,
    ExperimentFile,
    ExperimentRecord,
    ExperimentRecords,
    PlayedRun,
)
from bots.daemon.shapes import ExperimentShape

BEGAN = datetime(2026, 11, 23, 9, 30, tzinfo=UTC)
NO_PROCESS = 2**22 + 1  # above what Linux gives


def record_of(folder: Path, planned: int = 1, pid: int | None = None) -> ExperimentRecord:
    return ExperimentRecord(
        title="Bridge",
        about="Two meet a third.",
        world="simulated",
        folder=folder,
        started_at=BEGAN,
        pid=os.getpid() if pid is None else pid,
        participants=(Cast(name="Rosa", kind="bot"), Cast(name="Ann", kind="person")),
        planned=planned,
    )


def run_called(name: str) -> PlayedRun:
    return PlayedRun(name=name, ended="goodbye", lines=12, cost_usd=0.25)


async def listed(data_dir: Path) -> list[ExperimentShape]:
    return (await ExperimentRecords(data_dir).experiments())["experiments"]


async def only(data_dir: Path) -> ExperimentShape:
    (one,) = await listed(data_dir)
    return one


async def test_without_a_folder_there_are_none(tmp_path: Path) -> None:
    assert await listed(tmp_path) == []


async def test_an_experiment_is_listed_while_it_runs_and_after(tmp_path: Path) -> None:
    file = ExperimentFile(tmp_path, record_of(tmp_path / "out", planned=2))
    one = await only(tmp_path)
    assert (one["title"], one["state"], one["planned"], one["runs"]) == ("Bridge", "running", 2, [])
    assert one["participants"][1] == {"name": "Ann", "kind": "person"}
    file.played(run_called("seed-1"))
    file.played(run_called("seed-2"))
    assert (await only(tmp_path))["costUsd"] == 0.5
    file.end(BEGAN + timedelta(minutes=2))
    one = await only(tmp_path)
    assert (one["state"], one["endedAt"]) == ("ended", "2026-11-23T09:32:00+00:00")


async def test_one_that_was_stopped_says_why(tmp_path: Path) -> None:
    ExperimentFile(tmp_path, record_of(tmp_path)).end(BEGAN, "interrupted")
    one = await only(tmp_path)
    assert (one["state"], one["why"]) == ("stopped", "interrupted")


async def test_one_whose_process_is_gone_was_stopped(tmp_path: Path) -> None:
    ExperimentFile(tmp_path, record_of(tmp_path, pid=NO_PROCESS))
    one = await only(tmp_path)
    assert (one["state"], one["why"]) == ("stopped", "its process is gone")


async def test_the_newest_comes_first_and_what_is_no_record_is_left_out(tmp_path: Path) -> None:
    ExperimentFile(tmp_path, record_of(tmp_path))
    later = record_of(tmp_path).model_copy(update={"started_at": BEGAN + timedelta(days=1)})
    ExperimentFile(tmp_path, later)
    (tmp_path / "experiments" / "20261124-000000-abcdef.json").write_text("{")
    (tmp_path / "experiments" / "notes.json").write_text("{}")
    began = [one["startedAt"][:10] for one in await listed(tmp_path)]
    assert began == ["2026-11-24", "2026-11-23"]


async def test_a_report_has_an_address_once_it_is_written(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    ExperimentFile(tmp_path, record_of(out)).played(run_called("out"))
    assert (await only(tmp_path))["report"] is None
    (out / "report.html").write_text("the talk")
    one = await only(tmp_path)
    assert one["report"] == f"/api/experiments/{one['id']}/report"
    assert await ExperimentRecords(tmp_path).report(one["id"], None) == b"the talk"


async def test_several_runs_have_a_comparison_and_a_report_each(tmp_path: Path) -> None:
    (tmp_path / "out" / "seed-1").mkdir(parents=True)
    (tmp_path / "out" / "comparison.html").write_text("all")
    (tmp_path / "out" / "seed-1" / "report.html").write_text("one")
    ExperimentFile(tmp_path, record_of(tmp_path / "out", planned=2)).played(run_called("seed-1"))
    one, records = await only(tmp_path), ExperimentRecords(tmp_path)
    assert one["runs"][0]["report"] == f"/api/experiments/{one['id']}/runs/seed-1/report"
    assert await records.report(one["id"], None) == b"all"
    assert await records.report(one["id"], "seed-1") == b"one"


@pytest.mark.parametrize("run", ["..", "../out", "seed-2", "/etc", "seed-1/../..", ""])
async def test_only_a_run_that_was_played_has_a_report(tmp_path: Path, run: str) -> None:
    (tmp_path / "report.html").write_text("not of a run")
    (tmp_path / "out").mkdir()
    ExperimentFile(tmp_path, record_of(tmp_path / "out", planned=2)).played(run_called("seed-1"))
    one = await only(tmp_path)
    assert await ExperimentRecords(tmp_path).report(one["id"], run) is None


@pytest.mark.parametrize("name", ["..", "../../etc/passwd", "20261123-093000-abcdef", ""])
async def test_an_experiment_that_is_none_has_no_report(tmp_path: Path, name: str) -> None:
    assert await ExperimentRecords(tmp_path).report(name, None) is None


async def test_a_report_that_is_a_link_to_elsewhere_is_none(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "secret").write_text("the token")
    (tmp_path / "out" / "report.html").symlink_to(tmp_path / "secret")
    ExperimentFile(tmp_path, record_of(tmp_path / "out")).played(run_called("out"))
    one = await only(tmp_path)
    assert one["report"] is None
    assert await ExperimentRecords(tmp_path).report(one["id"], None) is None


async def test_a_run_adds_a_line_and_one_that_was_cut_changes_nothing(tmp_path: Path) -> None:
    """The whole record anew for each of a thousand runs took longer than the short talks did."""
    file = ExperimentFile(tmp_path, record_of(tmp_path / "out", planned=3))
    (written,) = (tmp_path / "experiments").iterdir()
    grown = [written.stat().st_size]
    for name in ("seed-1", "seed-2"):
        file.played(run_called(name))
        grown.append(written.stat().st_size)
    assert grown[2] - grown[1] == grown[1] - grown[0]
    with written.open("a") as out:
        out.write('\n{"runs":[{"na')
    file.played(run_called("seed-3"))
    assert [one["run"] for one in (await only(tmp_path))["runs"]] == ["seed-1", "seed-2", "seed-3"]


async def test_a_disk_that_is_full_does_not_end_the_experiment(tmp_path: Path) -> None:
    file = ExperimentFile(tmp_path, record_of(tmp_path))
    (tmp_path / "experiments").rename(tmp_path / "gone")
    file.played(run_called("out"))
    file.end(BEGAN)
    (tmp_path / "gone").rename(tmp_path / "experiments")
    assert (await only(tmp_path))["runs"] == []
