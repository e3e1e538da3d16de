"""`townsfolk chat`, and results in words, against a stub of the daemon."""

import getpass
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.http_stub import StubDaemon
from support.screen import in_terminal
from support.served import SILENT, place_daemon_file, serving
from typer.testing import CliRunner, Result

from bots.access.origin import Origin
from bots.cli.chat import completions, name_at_machine
from bots.cli.main import app
from bots.daemon.shapes import Json

PROGRAM = Path(sys.executable).with_name("townsfolk")
COMMANDS = {"success": True, "commands": [{"name": "info all"}, {"name": "stop"}]}


class Answering(StubDaemon):
    """Its bots answer what is said to them, as the real ones do: by an event too."""

    def __init__(self) -> None:
        super().__init__()
        self.answer: str | None = "Hello to you!"
        self.extra: list[str] = []
        """What a bot says besides, before it answers."""

    async def command(
        self, bot: str, text: str, origin: Origin, wait: bool = True, plain: bool = False
    ) -> Json:
        if text == "!help":
            return COMMANDS
        found = await super().command(bot, text, origin, wait, plain)
        return {**found, "plain": ["one", "two"]} if plain else found

    async def message(self, bot: str, text: str, name: str | None = None) -> Json:
        self.asked.append(("message", bot, text, name))
        for words in self.extra:
            self.say(bot, name, words)
        if self.answer is not None:
            self.say(bot, name, self.answer, newest=7)
        source = "rules" if self.answer is not None else None
        return {"success": True, "sequence": 7, "answer": self.answer, "source": source}

    def say(self, bot: str, to: str | None, words: str, newest: int = 0) -> None:
        facts = {"speaker": f"@{to or 'operator'}", "newest": newest, "text": words}
        self.trace.note("reply.sent", bot, **facts, success=True)


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Answering]:
    stub = Answering()
    with serving(stub, tmp_path):
        yield stub


def chat(folder: Path, *words: str, typed: str = "") -> Result:
    return CliRunner().invoke(app, ["chat", "--data-dir", str(folder), *words], input=typed)


def test_what_is_said_is_answered_line_by_line(daemon: Answering, tmp_path: Path) -> None:
    done = chat(tmp_path, "bob", "--as", "Yuki", typed="good morning\n\n!stop\n")
    assert done.exit_code == 0
    assert done.stdout.splitlines()[1:] == [
        *("Bob is not in the world now.", "Bob: Hello to you!", "  one", "  two"),
    ]
    assert [asked[:4] for asked in daemon.asked[:1]] == [("message", "Bob", "good morning", "Yuki")]
    assert daemon.asked[1][1:3] == ("Bob", "!stop")


def test_without_a_name_it_is_the_first_bot_and_the_name_at_the_machine(
    daemon: Answering, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "yuki")
    done = chat(tmp_path, typed="hi\n")
    assert done.stdout.startswith("You talk with Alice as yuki. ")
    assert daemon.asked == [("message", "Alice", "hi", "yuki")]


@pytest.mark.parametrize(
    ("name", "recorded"),
    [
        ("yuki", "@yuki"),
        ("root", "@operator"),
        ("a b", "@operator"),
        ("Administrator", "@operator"),
    ],
)
def test_a_login_name_that_is_nobody_s_name_is_not_taken(
    name: str, recorded: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: name)
    assert name_at_machine() == recorded


def test_what_bots_say_to_others_is_not_shown(daemon: Answering, tmp_path: Path) -> None:
    daemon.extra = ["first", "and"]
    daemon.say("Alice", "Yuki", "before the conversation")
    daemon.trace.note("reply.sent", "Alice", speaker="Yuki", text="to the player", success=True)
    done = chat(tmp_path, "Alice", "--as", "Yuki", typed="hi\n")
    assert done.stdout.splitlines()[1:] == ["Alice: first", "Alice: and", "Alice: Hello to you!"]


def test_a_bot_that_does_not_answer_is_said_not_to(daemon: Answering, tmp_path: Path) -> None:
    daemon.answer = None
    assert "  (Alice heard you, but has not answered.)" in chat(tmp_path, typed="hi\n").stdout


def test_no_control_character_reaches_the_terminal(daemon: Answering, tmp_path: Path) -> None:
    daemon.answer = "red \x1b[31m \u202e"
    assert r"Alice: red \u001b[31m \u202e" in chat(tmp_path, typed="hi\n").stdout


@pytest.mark.slow
@pytest.mark.parametrize("typed", ["exit\nhi\n", " QUIT \nhi\n", ""])
def test_leaving_ends_it_in_order(daemon: Answering, tmp_path: Path, typed: str) -> None:
    assert chat(tmp_path, typed=typed).exit_code == 0
    assert daemon.asked == []


def test_an_unknown_bot_is_told_with_the_nearest_or_all(daemon: Answering, tmp_path: Path) -> None:
    near = chat(tmp_path, "Alise")
    assert (near.exit_code, near.stdout) == (2, "")
    assert "no bot is called 'Alise'" in near.stderr
    assert "Alice" in near.stderr
    assert "there are Alice, Bob" in chat(tmp_path, "Zed").stderr


def test_no_daemon_is_told_with_the_next_step(tmp_path: Path) -> None:
    done = chat(tmp_path)
    assert (done.exit_code, done.stdout) == (1, "")
    assert "townsfolk up" in done.stderr
    place_daemon_file(tmp_path, SILENT)
    assert "townsfolk doctor" in chat(tmp_path).stderr


@pytest.mark.parametrize("name", ["", "a b", "x" * 33, "@me"])
def test_a_name_that_nobody_can_have_is_refused(tmp_path: Path, name: str) -> None:
    done = chat(tmp_path, "--as", name)
    assert done.exit_code == 2
    assert "--as" in done.stderr


@pytest.mark.parametrize(
    ("typed", "lines"),
    [
        ("!in", ["!info all", "!info block"]),
        ("!chat al", ["!chat Alice"]),
        ("hey al", ["hey Alice"]),
        ("hey ", []),
        ("!x", []),
    ],
)
def test_commands_and_bots_are_completed(typed: str, lines: list[str]) -> None:
    words = ["!info all", "!info block", "!stop", "Alice", "Bob"]
    assert completions(words, typed) == lines


def words_in_terminal(folder: Path, *words: str) -> tuple[int, str]:
    environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    with in_terminal([PROGRAM, words[0], "--data-dir", folder, *words[1:]], environment) as seen:
        code = seen.ended()
        return code, seen.text


@pytest.mark.slow
def test_on_a_terminal_results_are_told_in_words(daemon: Answering, tmp_path: Path) -> None:
    assert words_in_terminal(tmp_path, "exec", "Alice", "!stop") == (0, "one\ntwo")
    assert words_in_terminal(tmp_path, "say", "Alice", "hi") == (0, "Alice: Hello to you!")
    code, text = words_in_terminal(tmp_path, "exec", "Alice", "!stop", "--json")
    assert (code, json.loads(text)["success"]) == (0, True)


@pytest.mark.slow
def test_on_a_terminal_a_missing_daemon_is_told_once(tmp_path: Path) -> None:
    code, text = words_in_terminal(tmp_path, "say", "Alice", "hi")
    assert code == 1
    assert text.replace("\n", "").count("no daemon runs") == 1
