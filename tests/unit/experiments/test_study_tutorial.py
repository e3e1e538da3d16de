"""The tutorial of studies is followed to the letter: its files, its commands, its result."""

import csv
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bots.cli.main import app
from bots.experiments.runs import LOG_NAME

pytestmark = pytest.mark.slow

PAGE = (Path(__file__).parents[3] / "docs/study.md").read_text()
FILES = dict(re.findall(r"^```\w+ (\S+)\n(.+?)^```$", PAGE, re.DOTALL | re.MULTILINE))
COMMANDS = "".join(re.findall(r"^```sh\n(.+?)^```$", PAGE, re.DOTALL | re.MULTILINE)).splitlines()


def kept(folder: Path) -> dict[str, dict[str, str]]:
    """The rows of the number that decides, by condition."""
    with (folder / "conditions.csv").open() as file:
        return {row["condition"]: row for row in csv.DictReader(file) if row["metric"] == "kept"}


def logs(folder: Path) -> dict[str, bytes]:
    return {path.parent.name: path.read_bytes() for path in folder.glob(f"*/{LOG_NAME}")}


def test_its_commands_give_its_result_and_somebody_else_repeats_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    assert len(COMMANDS) == 8
    for command in COMMANDS:
        program, *words = shlex.split(command)
        done = CliRunner().invoke(app, words)
        assert (program, done.exit_code) == ("townsfolk", 0), done.output
    found = kept(tmp_path / "ours")
    for name, row in found.items():
        mean, low, high = (float(row[key]) for key in ("mean", "low", "high"))
        assert f"| `{name}` | {mean:.2f} | {low:.2f} to {high:.2f} |" in PAGE
    told = found["talk.hearing_range=12"]
    less, least, most = (
        f"{-float(told[key]):.2f}" for key in ("difference", "difference_high", "difference_low")
    )
    said = f"kept {less} less of the story (95 % interval {least} to {most}, "
    assert f"{said}d = {float(told['effect']):.1f}, p < 0.001;" in PAGE.replace("\n", " ")
    assert float(told["p"]) < 0.001
    assert len(logs(tmp_path / "ours")) == 60
    assert logs(tmp_path / "theirs") == logs(tmp_path / "ours")
    again = kept(tmp_path / "again")["talk.hearing_range=12"]
    assert (again["pairs"], float(again["p"]) < 0.01) == ("12", True)
    assert "kept" in (tmp_path / "ours/comparison.html").read_text()
