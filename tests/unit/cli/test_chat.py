"""'townsfolk chat': talking with a bot line by line, and what the terminal shows meanwhile."""

import getpass
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from support.http_stub import StubDaemon
from support.screen import Seen, in_terminal
from support.served import SILENT, place_daemon_file, serving
from typer.testing import CliRunner, Result

from bots.access.origin import Origin
from bots.cli.chat import completions, name_at_machine
from bots.cli.main import app
from bots.daemon.shapes import Json
from bots.private_files import OTHERS

PROGRAM = Path(sys.executable).with_name("townsfolk")
STARTS_WITHIN_S = 60.0  # on a busy machine
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


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        (None, "  (Alice heard you, but has not answered.)"),
        ("red \x1b[31m \u202e", r"Alice: red \u001b[31m \u202e"),
    ],
)
def test_an_answer_is_shown_without_orders_to_the_terminal_and_none_is_said_to_be(
    daemon: Answering, tmp_path: Path, answer: str | None, shown: str
) -> None:
    daemon.answer = answer
    assert shown in chat(tmp_path, typed="hi\n").stdout


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


def test_a_silent_daemon_is_told_with_the_next_step(tmp_path: Path) -> None:
    place_daemon_file(tmp_path, SILENT)
    done = chat(tmp_path)
    assert (done.exit_code, done.stdout) == (1, "")
    assert "townsfolk doctor" in done.stderr


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


TYPING = """
import sys, threading
from pathlib import Path
from bots.cli.terminal import Terminal

def complete(typed):
    return [word for word in ("!info all", "!info block", "!stop") if word.startswith(typed)]

with Terminal(Path(sys.argv[1]), complete, lambda line: "!pin" in line) as terminal:
    def tell():
        for line in open(sys.argv[2]):
            terminal.show(line[:-1])

    threading.Thread(target=tell, daemon=True).start()
    while True:
        try:
            line = terminal.read("me> ")
        except KeyboardInterrupt:
            terminal.show("", "(given up)")
            continue
        if line is None:
            break
        terminal.show(f"= {line}")
"""


@contextmanager
def talking(folder: Path, columns: int = 40) -> Iterator[tuple[Seen, int]]:
    """The program, and where to write what it is to show."""
    pipe = folder / "pipe"
    if not pipe.exists():
        os.mkfifo(pipe)
    words = (sys.executable, "-c", TYPING, folder / "history", pipe)
    with in_terminal(words, {"LANG": "C.UTF-8", "PATH": os.environ["PATH"]}, columns) as seen:
        telling = os.open(pipe, os.O_WRONLY)
        try:
            seen.shows("me>", STARTS_WITHIN_S)
            yield seen, telling
        finally:
            os.close(telling)


def test_a_line_that_comes_in_stands_above_the_one_that_is_typed(tmp_path: Path) -> None:
    with talking(tmp_path) as (seen, telling):
        seen.types("good mor")
        seen.shows("me> good mor")
        os.write(telling, b"Alice: Hello!\n")
        seen.becomes(lambda: seen.lines == ["Alice: Hello!", "me> good mor"], "the answer")
        seen.types("ning\n")
        seen.shows("= good morning")
        assert seen.lines[:3] == ["Alice: Hello!", "me> good morning", "= good morning"]


@pytest.mark.parametrize("columns", [10, 13, 20])
def test_a_long_line_with_wide_letters_is_never_torn(tmp_path: Path, columns: int) -> None:
    typed = "here-あいうえお-and-かきくけこ"
    with talking(tmp_path, columns) as (seen, telling):
        seen.types(typed)
        seen.becomes(lambda: f"me> {typed}" in "".join(seen.lines), "what is typed")
        for number in range(5):
            os.write(telling, f"no {number}\n".encode())
            seen.shows(f"no {number}")
        seen.becomes(lambda: f"no 4me> {typed}" in "".join(seen.lines), "the line again")
        told = [f"no {number}" for number in range(5)]
        assert "".join(seen.lines) == "".join([*told, f"me> {typed}"])


def test_the_cursor_stays_where_it_was(tmp_path: Path) -> None:
    with talking(tmp_path, 20) as (seen, telling):
        seen.types("0123456789012345678901234567\x01X")  # at the beginning of two rows
        seen.shows("me> X0123")
        os.write(telling, b"Bob: Hm.\n")
        seen.shows("Bob: Hm.")
        seen.types("Y")
        seen.shows("me> XY0123")
        assert "".join(seen.lines) == "Bob: Hm.me> XY0123456789012345678901234567"


@pytest.mark.slow
def test_many_lines_at_once_all_come_in_order(tmp_path: Path) -> None:
    told = [f"line {number}" for number in range(200)]
    with talking(tmp_path) as (seen, telling):
        seen.types("typ")
        os.write(telling, "".join(f"{line}\n" for line in told).encode())
        seen.types("ing\n")
        seen.shows("= typing")
        seen.shows(told[-1])
        seen.becomes(lambda: seen.lines[-1].strip() == "me>", "the next prompt")
        assert [line for line in seen.lines if line.startswith("line ")] == told
        assert [line for line in seen.lines if "me>" in line] == ["me> typing", "me>"]


def leaves(seen: Seen) -> None:
    """Type Ctrl-D once there is a prompt: before, no editor is there to read it."""
    seen.becomes(lambda: seen.lines[-1].rstrip() == "me>", "the prompt")
    seen.types("\x04")


def gives_up(seen: Seen) -> None:
    """Press Ctrl-C, and again where nothing comes of it.

    Python misses a signal that comes while readline still handles the key before."""
    seen.becomes(lambda: _pressed(seen, "\x03", "(given up)"), "(given up)")


def _pressed(seen: Seen, key: str, shows: str) -> bool:
    seen.types(key)
    with suppress(AssertionError):
        seen.shows(shows, within_s=2.0)
    return shows in seen.text


def test_typed_lines_come_back_in_the_next_conversation_but_for_secrets(tmp_path: Path) -> None:
    with talking(tmp_path) as (seen, _):
        for line in ("first", "!pin 1234"):
            seen.types(f"{line}\n")
            seen.shows(f"= {line}")
        leaves(seen)
        assert seen.ended() == 0
    with talking(tmp_path) as (seen, _):
        seen.types("\x1b[A")
        seen.shows("me> first")
        seen.types("\x1b[A")
    assert (tmp_path / "history").read_text() == "first\n"
    assert (tmp_path / "history").stat().st_mode & OTHERS == 0


def test_tab_completes_commands(tmp_path: Path) -> None:
    with talking(tmp_path) as (seen, _):
        seen.types("!s\t\n")
        seen.shows("= !stop")
        seen.types("!i\t")
        seen.shows("!info all    !info block")


@pytest.mark.slow
def test_ctrl_c_gives_up_the_line_and_ctrl_d_leaves(tmp_path: Path) -> None:
    with talking(tmp_path) as (seen, _):
        seen.types("oh no")
        seen.shows("oh no")
        gives_up(seen)
        seen.types("yes\n")
        seen.shows("= yes")
        assert "= oh no" not in seen.text
        leaves(seen)
        assert seen.ended() == 0
