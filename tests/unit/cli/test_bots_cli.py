"""`townsfolk bots`: characters, and who is among the bots."""

import json
import os
from pathlib import Path

import pytest
from support.http_stub import StubDaemon
from support.served import serving
from typer.testing import CliRunner, Result

from bots.cli.main import app
from bots.responder.case.persona import PersonaFiles
from bots.settings.loading import load_settings


def run(data_dir: Path, *words: str) -> Result:
    return CliRunner().invoke(app, ["bots", *words, "--data-dir", str(data_dir)])


def test_a_bot_is_given_a_character_and_shows_it(tmp_path: Path) -> None:
    given = run(tmp_path, "character", "Gustav", "iris")
    assert given.exit_code == 0
    assert str(tmp_path / "bots/Gustav/persona.md") in given.stdout
    assert "kept" not in given.stdout
    assert "Gustav studies flowers" in run(tmp_path, "character", "Gustav").stdout
    assert "The one before is kept:" in run(tmp_path, "character", "Gustav", "otto").stdout


def test_no_character_that_a_bot_had_is_lost(tmp_path: Path) -> None:
    home = tmp_path / "bots" / "Alice"
    home.mkdir(parents=True)
    for name in ("persona.md", "persona.md.old", "persona.new"):
        (home / name).write_text(f"mine, {name}")
    for name in ("otto", "iris"):
        assert run(tmp_path, "character", "Alice", name).exit_code == 0
    kept = {file.name: file.read_text() for file in home.iterdir()}
    assert kept["persona.md.old"] == "mine, persona.md.old"
    assert kept["persona.md.old.2"] == "mine, persona.md"
    assert "Otto" not in kept["persona.md.old.3"]
    assert kept["persona.new"] == "mine, persona.new"
    assert "studies flowers" in kept["persona.md"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_in_place_of_a_character_is_refused_at_once(tmp_path: Path) -> None:
    pipe, home = tmp_path / "pipe", tmp_path / "bots/Gustav"
    os.mkfifo(pipe)
    given = run(tmp_path, "character", "Gustav", str(pipe))
    assert (given.exit_code, given.stdout) == (1, "")
    assert f"cannot read {pipe}: it is no regular file" in given.stderr
    home.mkdir(parents=True)
    os.mkfifo(home / "persona.md")
    shown = run(tmp_path, "character", "Gustav")
    assert "it is no regular file" in shown.stderr
    assert PersonaFiles.of(tmp_path).read("Gustav").text  # a default, in no time


def test_a_character_shows_no_orders_to_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "bots/Gustav").mkdir(parents=True)
    (tmp_path / "bots/Gustav/persona.md").write_text("Likes\ttea.\n\x1b]0;x\x07\x9b2J \u202e!\n")
    shown = run(tmp_path, "character", "Gustav").stdout
    assert shown.endswith("Likes\ttea.\n\\u001b]0;x\\u0007\\u009b2J \\u202e!\n")


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


def test_a_bot_is_added_with_its_character_and_removed_again(tmp_path: Path) -> None:
    (tmp_path / "townsfolk.toml").write_text("# ours\n")
    added = run(tmp_path, "add", "Cora", "--character", "otto")
    assert "Cora is among the bots, from the next start on" in added.stdout
    assert "Cora" in (tmp_path / "bots/Cora/persona.md").read_text()
    assert load_settings(None, {"data_dir": tmp_path}).bots.names == ("Alice", "Bob", "Cora")
    assert "kept" in run(tmp_path, "remove", "Alice").stdout
    assert load_settings(None, {"data_dir": tmp_path}).bots.names == ("Bob", "Cora")
    assert (tmp_path / "townsfolk.toml").read_text().startswith("# ours\n")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("add", "bob"), "called bob already"),
        (("add", "no good"), "no name"),
        (("remove", "Alise"), "did you mean Alice?"),
        (("remove", "Zed"), "there are Alice, Bob"),
    ],
)
def test_who_cannot_be_added_or_removed_is_told(
    tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    refused = run(tmp_path, *words)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert told in refused.stderr
    assert not (tmp_path / "townsfolk.toml").exists()


def test_a_character_that_is_none_adds_nobody(tmp_path: Path) -> None:
    assert run(tmp_path, "add", "Cora", "--character", "nowhere.txt").exit_code != 0
    assert not (tmp_path / "townsfolk.toml").exists()


def test_the_last_bot_is_not_removed(tmp_path: Path) -> None:
    run(tmp_path, "remove", "Alice")
    refused = run(tmp_path, "remove", "Bob")
    assert refused.exit_code == 2
    assert "only bot" in refused.stderr


def test_names_that_the_environment_holds_are_left_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOWNSFOLK_BOTS__NAMES", "Alice")
    refused = run(tmp_path, "add", "Cora")
    assert refused.exit_code == 2
    assert "TOWNSFOLK_BOTS__NAMES" in refused.stderr


def test_the_list_tells_who_is_there_and_who_comes(tmp_path: Path) -> None:
    run(tmp_path, "add", "Cora")
    assert run(tmp_path, "list").stdout.splitlines() == [
        f"{name:<16} no daemon runs" for name in ("Alice", "Bob", "Cora")
    ]
    with serving(StubDaemon(), tmp_path):
        assert run(tmp_path, "list").stdout.splitlines() == [
            "Alice            online",
            "Bob              waiting",
            "Cora             comes with the next start",
        ]
