"""`townsfolk bots`: characters, and who is among the bots."""

import json
from pathlib import Path

from typer.testing import CliRunner, Result

from bots.cli.main import app


def run(data_dir: Path, *words: str) -> Result:
    return CliRunner().invoke(app, ["bots", *words, "--data-dir", str(data_dir)])


def test_a_bot_is_given_a_character_and_shows_it(tmp_path: Path) -> None:
    given = run(tmp_path, "character", "Gustav", "iris")
    assert given.exit_code == 0
    assert str(tmp_path / "bots/Gustav/persona.md") in given.stdout
    assert "kept" not in given.stdout
    assert "Gustav studies flowers" in run(tmp_path, "character", "Gustav").stdout
    assert "The one before is kept:" in run(tmp_path, "character", "Gustav", "otto").stdout


def test_what_of_a_card_is_left_out_is_told(tmp_path: Path) -> None:
    card = tmp_path / "card.json"
    card.write_text(json.dumps({"name": "Eve", "description": "Spies.", "system_prompt": "x"}))
    given = run(tmp_path, "character", "Alice", str(card))
    assert "Of the card was left out: its system prompt." in given.stdout


def test_a_file_that_is_no_character_changes_nothing(tmp_path: Path) -> None:
    run(tmp_path, "character", "Alice", "mira")
    before = (tmp_path / "bots/Alice/persona.md").read_text()
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8\xff")
    refused = run(tmp_path, "character", "Alice", str(tmp_path / "photo.jpg"))
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "neither text in UTF-8 nor a card" in refused.stderr
    assert (tmp_path / "bots/Alice/persona.md").read_text() == before


def test_a_bot_without_a_character_and_a_bad_name_are_told(tmp_path: Path) -> None:
    assert "a bot's first start makes it" in run(tmp_path, "character", "Zoe").stderr
    assert run(tmp_path, "character", "../x", "otto").exit_code == 2
