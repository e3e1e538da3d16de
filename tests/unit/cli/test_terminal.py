"""The terminal of `townsfolk chat`, in a real pseudo-terminal."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from support.screen import Seen, in_terminal

from bots.private_files import OTHERS

PROGRAM = """
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
    words = (sys.executable, "-c", PROGRAM, folder / "history", pipe)
    with in_terminal(words, {"LANG": "C.UTF-8", "PATH": os.environ["PATH"]}, columns) as seen:
        telling = os.open(pipe, os.O_WRONLY)
        try:
            seen.shows("me>")
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
        seen.types(
            "0123456789012345678901234567\x01X"
        )  # at the beginning, on the first of two rows
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
