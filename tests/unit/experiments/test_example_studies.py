"""Each study in examples/studies is played with few seeds, and finds what it asks for."""

import asyncio
import csv
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from bots.cli.main import app
from llm.fake_api import FakeClaude, Reply

pytestmark = pytest.mark.slow

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
    run("run", str(file), "--out", str(home / "out"))
    if "[[study.judges]]" in text:
        run("judge", str(home / "out"))
    run("report", str(home / "out"), "--no-pages", *metric)
    with (home / "out/conditions.csv").open() as rows:
        found = [row for row in csv.DictReader(rows) if row["metric"] == primary.rpartition(":")[2]]
    assert len(found) == 2
    return found[1]


def run(*words: str) -> None:
    done = CliRunner().invoke(app, ["experiment", *words])
    assert done.exit_code == 0, done.output


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


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOWNSFOLK_DATA_DIR", str(tmp_path / "data"))


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
