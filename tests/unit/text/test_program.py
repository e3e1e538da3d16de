"""Commands in hints can be typed as they stand there."""

from pathlib import Path

import pytest
import typer

from bots.cli.main import app
from bots.text.program import COMMANDS, as_typed

HINT = "townsfolk: no daemon runs; start one with `townsfolk up` (townsfolk speaks 1.8.8 to 26.1)"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "my venv" / "townsfolk"
    path.parent.mkdir()
    path.touch(mode=0o755)
    return path


def test_a_program_that_is_not_on_the_path_is_named_by_where_it_is(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr("sys.argv", [str(program)])
    assert as_typed(HINT) == HINT.replace("`townsfolk up`", f"`'{program}' up`")


def test_one_that_is_found_by_its_name_keeps_it(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(program.parent))
    monkeypatch.setattr("sys.argv", [str(program)])
    assert as_typed(HINT) == HINT


def test_a_program_that_uses_townsfolk_is_not_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["/home/steve/my_bots.py"])
    assert as_typed(HINT) == HINT


def test_every_command_is_known() -> None:
    declared = set(typer.main.get_command(app).commands)  # type: ignore[attr-defined]
    assert declared <= set(COMMANDS.split("|"))
