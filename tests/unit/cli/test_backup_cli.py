"""`townsfolk backup` and `restore`: what they print, and their exit codes."""

import sqlite3
from pathlib import Path

import pytest
from support.data_folders import data_folder
from typer.testing import CliRunner, Result

from bots.cli.backup import put_back
from bots.cli.main import app
from bots.store import migrations
from bots.store.database import FILE_NAME


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return data_folder(tmp_path / "data")


def names_of_dogs(_database: sqlite3.Connection) -> None:
    """A step that a newer townsfolk takes."""
    raise AssertionError("nobody opened it to write")


def test_a_backup_and_its_way_back_are_told_in_a_line(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (data / "world").mkdir()
    done = run("backup", tmp_path / "copy", "--data-dir", data)
    assert (done.exit_code, done.stdout) == (0, f"Backup: {tmp_path / 'copy'} (7 files, 0.2 MB)\n")
    assert done.stderr == "townsfolk: not in the backup, as it is not ours: world\n"
    monkeypatch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, names_of_dogs))
    back = run("restore", tmp_path / "copy", "--data-dir", tmp_path / "again", "--settings")
    assert back.exit_code == 0
    assert back.stdout.startswith(f"Restored: {tmp_path / 'again'} (7 files, 0.2 MB, made on 20")
    assert "the next start brings its database on by" in back.stdout
    assert back.stdout.endswith("Now start: townsfolk up\n")


SETTINGS = """
run_for_s = 5
[permissions]
owners = ["Mallory\\u001b[2J"]
pin = "13572468"
[llm]
api_key = "sk-ant-hidden"
base_url = "https://bob:geheim@example.com"
[elsewhere]
api_token = "geheim"
"""


@pytest.fixture
def copy(data: Path, tmp_path: Path) -> Path:
    """A backup that brings settings along."""
    (data / "townsfolk.toml").write_text(SETTINGS)
    (data / "accounts").mkdir()
    (data / "accounts" / "Alice.json").write_text("{}")
    assert run("backup", tmp_path / "copy", "--data-dir", data).exit_code == 0
    return tmp_path / "copy"


SETTINGS_TAKEN: list[tuple[list[str], int, bool]] = [
    (["--settings"], 0, True),
    (["--no-settings"], 0, False),
    ([], 1, False),
]


@pytest.mark.parametrize(("flags", "code", "are_taken"), SETTINGS_TAKEN)
def test_settings_of_a_backup_are_put_back_only_as_a_script_says(
    copy: Path, tmp_path: Path, flags: list[str], code: int, are_taken: bool
) -> None:
    again = tmp_path / "again"
    back = run("restore", copy, "--data-dir", again, *flags)
    assert back.exit_code == code
    assert (again / "townsfolk.toml").exists() is are_taken
    assert (again / "accounts").exists() is are_taken
    assert (again / FILE_NAME).exists() is (code == 0)
    assert ("--no-settings leaves them out" in back.stderr) is (code == 1)


def test_settings_of_a_backup_are_shown_without_what_is_secret(copy: Path, tmp_path: Path) -> None:
    told = run("restore", copy, "--data-dir", tmp_path / "again", "--settings").stderr
    assert "run_for_s = 5" in told
    assert r'permissions.owners = ["Mallory\u001b[2J"]' in told
    assert "an account of Microsoft for Alice" in told
    assert "permissions.pin = ***" in told
    for secret in ("13572468", "hidden", "geheim"):
        assert secret not in told


@pytest.mark.parametrize(("answer", "are_taken"), [("y", True), ("n", False)])
def test_who_sits_at_a_terminal_is_asked(
    copy: Path, tmp_path: Path, answer: str, are_taken: bool
) -> None:
    put_back(copy, tmp_path / "again", None, lambda _: answer == "y", lambda _: None)
    assert (tmp_path / "again" / "townsfolk.toml").exists() is are_taken
    assert (tmp_path / "again" / FILE_NAME).exists()


def test_settings_that_are_not_toml_can_be_left_out(copy: Path, tmp_path: Path, data: Path) -> None:
    (data / "townsfolk.toml").write_text("= broken")
    assert run("backup", tmp_path / "broken", "--data-dir", data).exit_code == 0
    words = ("restore", tmp_path / "broken", "--data-dir", tmp_path / "again")
    refused = run(*words, "--settings")
    assert (refused.exit_code, "--no-settings leaves it out" in refused.stderr) == (1, True)
    assert run(*words, "--no-settings").exit_code == 0


def test_a_refusal_is_one_sentence_and_exits_1(data: Path, tmp_path: Path) -> None:
    for words in (("backup", data, "--data-dir", data), ("restore", data, "--data-dir", data)):
        refused = run(*words)
        assert (refused.exit_code, refused.stdout) == (1, "")
        assert refused.stderr.startswith("townsfolk: ")
        assert refused.stderr.count("\n") == 1


def test_doctor_tells_what_the_next_start_changes_and_changes_nothing(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, names_of_dogs))
    before = (data / FILE_NAME).read_bytes()
    told = run("doctor", "--data-dir", data).stdout
    assert "is of an older version; the next start adds: names of dogs" in told
    assert "townsfolk backup DIR" in told
    assert (data / FILE_NAME).read_bytes() == before
