"""`townsfolk backup` and `restore`: what they print, and their exit codes."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.version_0_1_0 import data_folder
from typer.testing import CliRunner, Result

from bots.cli.main import app
from bots.store.database import FILE_NAME


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return data_folder(tmp_path / "data")


def test_a_backup_and_its_way_back_are_told_in_a_line(data: Path, tmp_path: Path) -> None:
    (data / "world").mkdir()
    done = run("backup", tmp_path / "copy", "--data-dir", data)
    assert (done.exit_code, done.stdout) == (0, f"Backup: {tmp_path / 'copy'} (7 files, 0.1 MB)\n")
    assert done.stderr == "townsfolk: not in the backup, as it is not ours: world\n"
    back = run("restore", tmp_path / "copy", "--data-dir", tmp_path / "again")
    assert (back.exit_code, back.stderr) == (0, "")
    assert back.stdout.startswith(f"Restored: {tmp_path / 'again'} (7 files, 0.1 MB, made on 20")
    assert "the next start brings its database on by" in back.stdout
    assert back.stdout.endswith("Now start: townsfolk up\n")


def test_a_refusal_is_one_sentence_and_exits_1(data: Path, tmp_path: Path) -> None:
    for words in (("backup", data, "--data-dir", data), ("restore", data, "--data-dir", data)):
        refused = run(*words)
        assert (refused.exit_code, refused.stdout) == (1, "")
        assert refused.stderr.startswith("townsfolk: ")
        assert refused.stderr.count("\n") == 1


def test_doctor_tells_what_the_next_start_changes_and_changes_nothing(data: Path) -> None:
    before = (data / FILE_NAME).read_bytes()
    told = run("doctor", "--data-dir", data).stdout
    assert "is of an older version; the next start adds: where words come from" in told
    assert "townsfolk backup DIR" in told
    assert "embedded.version: the embedded server speaks 1.16.5 alone" in told
    assert (data / FILE_NAME).read_bytes() == before
