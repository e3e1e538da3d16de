"""`townsfolk init`: five questions, a server that is asked, and a configuration of the answers."""

import os
import socket
import sys
from pathlib import Path

import pytest
from support.screen import Seen, in_terminal
from typer.testing import CliRunner, Result

from bots.cli import init as init_module
from bots.cli.main import app
from bots.settings.loading import load_settings
from bots.settings.settings import Settings
from bridge.diagnosis import WAY_TO_NEWER
from bridge.server_ping import ServerStatus

PROGRAM = Path(sys.executable).with_name("townsfolk")


@pytest.fixture
def nobody() -> str:
    """An address where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return f"127.0.0.1:{taken.getsockname()[1]}"


def init(folder: Path, *options: str) -> Result:
    return CliRunner().invoke(app, ["init", "--data-dir", str(folder), *options])


def settings(folder: Path) -> Settings:
    return load_settings(None, {"data_dir": folder})


def is_asked(seen: Seen, question: str) -> None:
    """Wait until the last line asks this."""
    seen.becomes(lambda: question in str(seen.lines[-1:]), question)


def test_options_answer_the_questions(tmp_path: Path, nobody: str) -> None:
    options = (
        *("--owner", "Papa", "--bots", "Alice:otto, Bob", "--brain", "qwen3", "--public", "off"),
    )
    done = init(tmp_path, "--server", nobody, *options)
    assert done.exit_code == 0, done.stderr
    assert f"nothing answers at {nobody}: Connection refused." in done.stderr
    found = settings(tmp_path)
    assert f"{found.server.host}:{found.server.port}" == nobody
    assert (found.permissions.owners, found.bots.names) == (("Papa",), ("Alice", "Bob"))
    assert (found.llm.model, str(found.llm.base_url)) == ("qwen3", "http://127.0.0.1:11434")
    assert found.chat.public == "off"
    assert "Alice" in (tmp_path / "bots/Alice/persona.md").read_text()
    assert not (tmp_path / "bots/Bob").exists()


def test_what_is_left_out_is_as_by_default(tmp_path: Path, nobody: str) -> None:
    assert init(tmp_path, "--server", nobody).exit_code == 0
    found = settings(tmp_path)
    assert (found.permissions.owners, found.bots.names) == ((), ("Alice", "Bob"))
    assert (found.llm.enabled, found.chat.public) == ("off", "addressed")
    assert init(tmp_path, "--server", nobody, "--brain", "claude", "--force").exit_code == 0
    assert (settings(tmp_path).llm.enabled, str(settings(tmp_path).llm.base_url)) == ("auto", "")


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (
            ServerStatus("Paper 1.20.4\x1b[2J", 765, 3, 20),
            r"mc.example:25565 is Minecraft Paper 1.20.4\u001b[2J; 3 of 20 players are there.",
        ),
        (ServerStatus("26.3", 777, 3, 20), WAY_TO_NEWER),
    ],
)
def test_a_server_that_answers_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: ServerStatus, told: str
) -> None:
    async def ping(host: str, port: int) -> ServerStatus:
        return status

    monkeypatch.setattr(init_module, "ping", ping)
    assert told in init(tmp_path, "--server", "mc.example").stderr


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--owner", "Pa pa"), "'Pa pa' is no name"),
        (("--bots", "Alice,no-name"), "'no-name' is no name"),
        (("--bots", "Alice,alice"), "bots.names"),
        (("--bots", "Alice:nobody.txt"), "nobody.txt"),
        (("--public", "loud"), "none of off, addressed, all"),
        (("--server", "mc example"), "no server address"),
    ],
)
def test_wrong_answers_are_told_and_write_nothing(
    tmp_path: Path, nobody: str, options: tuple[str, ...], told: str
) -> None:
    refused = init(tmp_path, "--server", nobody, *options)
    assert refused.exit_code != 0
    assert told in refused.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_replaced_only_when_told_and_kept(tmp_path: Path, nobody: str) -> None:
    (tmp_path / "townsfolk.toml").write_text("# mine\n")
    refused = init(tmp_path, "--server", nobody)
    assert refused.exit_code == 2
    assert "--force" in refused.stderr
    assert (tmp_path / "townsfolk.toml").read_text() == "# mine\n"
    assert init(tmp_path, "--server", nobody, "--force").exit_code == 0
    assert (tmp_path / "townsfolk.toml.before").read_text() == "# mine\n"
    assert init(tmp_path, "--server", nobody, "--force").exit_code == 0
    assert (tmp_path / "townsfolk.toml.before").read_text() == "# mine\n"
    assert (tmp_path / "townsfolk.toml.before.2").exists()


def test_an_answer_that_cannot_be_used_is_asked_for_again(tmp_path: Path, nobody: str) -> None:
    answers = iter(["Papa Bear", "Papa", "Alice:no-such-character", "Alice", "", "of", "off"])
    told: list[str] = []
    init_module.init(
        tmp_path,
        init_module.Answers(server=nobody),
        lambda _question, default: next(answers) or default,
        told.append,
        force=False,
    )
    heard = " ".join(told)
    assert all(wrong in heard for wrong in ("Papa Bear", "no-such-character", "'of'"))
    found = settings(tmp_path)
    assert (found.permissions.owners, found.bots.names) == (("Papa",), ("Alice",))
    assert found.chat.public == "off"


def test_a_person_is_asked_five_questions(tmp_path: Path, nobody: str) -> None:
    answers = ["not an address!", nobody, "y", "Papa", "Alice", "", "off"]
    environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    words = (PROGRAM, "init", "--data-dir", tmp_path)
    questions = ["address", "address", "Keep it", "Your name", "The bots", "What answers", "Public"]
    with in_terminal(words, environment, 100) as seen:
        for question, answer in zip(questions, answers, strict=True):
            is_asked(seen, question)
            seen.types(f"{answer}\n")
        assert seen.ended() == 0
        assert "Written:" in seen.text
    found = settings(tmp_path)
    assert (found.permissions.owners, found.bots.names) == (("Papa",), ("Alice",))
    assert (found.llm.enabled, found.chat.public) == ("off", "off")
