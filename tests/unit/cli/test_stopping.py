"""`townsfolk stop`, `help` and the shell's completion."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.served import SILENT, place_daemon_file
from typer.testing import CliRunner, Result

from bots.cli.main import app
from bots.cli.process import NotEnded, stop

PROGRAM = Path(sys.executable).with_name("townsfolk")


@contextmanager
def process(script: str) -> Iterator[subprocess.Popen[bytes]]:
    """One that says when it runs."""
    words = [sys.executable, "-c", f"{script}; print(flush=True); signal.pause()"]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        running.stdout.readline()
        try:
            yield running
        finally:
            running.kill()


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def test_the_daemon_is_told_to_end_and_waited_for(tmp_path: Path) -> None:
    with process("import signal") as daemon:
        place_daemon_file(tmp_path, SILENT, pid=daemon.pid)
        done = run("stop", "--data-dir", str(tmp_path))
        told = f"The daemon (process {daemon.pid}) has ended.\n"
        assert (done.exit_code, done.stdout) == (0, told)
        assert daemon.poll() is not None


def test_one_that_does_not_end_is_told_with_the_way_to_force_it(tmp_path: Path) -> None:
    deaf = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)"
    with process(deaf) as daemon:
        place_daemon_file(tmp_path, SILENT, pid=daemon.pid)
        with pytest.raises(NotEnded, match=f"kill -9 {daemon.pid}"):
            stop(tmp_path, within_s=0.2)


def test_help_is_the_help_of_all_commands_or_of_one() -> None:
    assert "chat" in run("help").stdout
    assert "--character" in run("help", "bots", "add").stdout
    unknown = run("help", "stpo")
    assert (unknown.exit_code, unknown.stdout) == (2, "")
    assert "did you mean stop?" in unknown.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shell", "words", "found"),
    [
        ("bash", ("chat", "Al"), "Alice"),
        ("zsh", ("chat", "Al"), "Alice"),
        ("fish", ("sto",), "stop"),
    ],
)
def test_the_shell_completes_commands_and_bots(
    tmp_path: Path, shell: str, words: tuple[str, ...], found: str
) -> None:
    place_daemon_file(tmp_path, SILENT)
    assert found in completed(tmp_path, shell, "townsfolk", *words)


@pytest.mark.slow
def test_bots_of_the_named_folder_are_completed_wherever_one_is_named(tmp_path: Path) -> None:
    place_daemon_file(tmp_path, SILENT)
    assert "Alice" in completed(tmp_path, "bash", "townsfolk", "bots", "character", "A")
    named = ("--data-dir", str(tmp_path))
    assert "Alice" in completed(tmp_path / "other", "bash", "townsfolk", "chat", *named, "A")


def completed(data_dir: Path, shell: str, *words: str) -> str:
    """What the shell is offered for the last of these words."""
    environment = {
        **os.environ,
        "TOWNSFOLK_DATA_DIR": str(data_dir),
        "_TOWNSFOLK_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": " ".join(words),
        "COMP_CWORD": str(len(words) - 1),
        "_TYPER_COMPLETE_ARGS": " ".join(words),
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    ended = subprocess.run(
        [PROGRAM], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    return ended.stdout
