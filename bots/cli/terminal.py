"""A terminal to talk in: a typed line that stays whole while other lines come in above it.

Editing, history and completion are readline's. Where there is none, as on Windows, lines are
typed without them; input that is no terminal is read line by line.
"""

from __future__ import annotations

import ctypes
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from bots.private_files import make_private
from bots.text.columns import rows_above, rows_of
from bots.text.printable import printable

try:
    import readline
except ImportError:  # Windows
    has_readline = False
else:
    has_readline = True

HISTORY_LINES = 500
ASKED_AGAIN_S = 0.1
_CLEAR_BELOW = "\r\x1b[J"

Complete = Callable[[str], Sequence[str]]
"""Whole lines that the line typed so far may become."""


class Terminal:
    """Reads lines from whoever sits at it, and shows lines from any thread.

    Made and read in the main thread, as readline wants it."""

    def __init__(self, history: Path, complete: Complete, is_secret: Callable[[str], bool]) -> None:
        """`history` keeps the typed lines, but for secret ones."""
        self._history, self._complete, self._is_secret = history, complete, is_secret
        self.is_interactive = sys.stdin.isatty() and sys.stdout.isatty()
        self._edits = self.is_interactive and has_readline
        self._completions: Sequence[str] = ()
        self._asking = ""  # the prompt of the line that is asked for; empty between lines
        self._prompt = ""  # the same, once it stands there
        self._waiting: list[str] = []
        self._printed = threading.Condition()

    def __enter__(self) -> Terminal:
        if self._edits:
            with suppress(OSError):
                readline.read_history_file(self._history)
            readline.set_history_length(HISTORY_LINES)
            readline.set_auto_history(False)
            readline.set_completer_delims("")  # commands have blanks
            readline.set_completer(self._completion)
            readline.set_pre_input_hook(self._typing_begins)
            readline.parse_and_bind("bind ^I rl_complete" if _is_libedit() else "tab: complete")
            readline.parse_and_bind("set show-all-if-ambiguous on")
            signal.signal(signal.SIGUSR1, self._print_above)
        return self

    def __exit__(self, *_: object) -> None:
        if self._edits:
            signal.signal(signal.SIGUSR1, signal.SIG_IGN)
            with suppress(OSError):
                readline.write_history_file(self._history)
                make_private(self._history)

    def read(self, prompt: str) -> str | None:
        """The next line; None at the end, as after Ctrl-D. Raises KeyboardInterrupt."""
        if not self.is_interactive:
            line = sys.stdin.readline()
            return line.rstrip("\n") if line else None
        try:
            with self._printed:
                self._asking = prompt
            line = input(prompt)
        except EOFError:
            return None
        finally:
            with self._printed:
                self._asking = self._prompt = ""
                self._printed.notify_all()
        if self._edits and line.strip() and not self._is_secret(line):
            readline.add_history(line)
        return line

    def show(self, *lines: str) -> None:
        """Print lines, above the one that is being typed. Returns when they are printed."""
        with self._printed:
            self._waiting.extend(map(printable, lines))
            while self._waiting and self._edits and self._asking:
                # Only the main thread may touch what readline shows. It may just be busy with a
                # key or the prompt, and not hear the signal before the next one: so once more.
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR1)
                self._printed.wait(ASKED_AGAIN_S)
            self._print()

    def _print_above(self, *_: object) -> None:
        """Handles the signal, in the main thread, while it waits for a key."""
        with self._printed:
            if not (self._waiting and self._prompt) or _is_done():
                return
            columns = shutil.get_terminal_size().columns
            rows = rows_above(self._prompt + _typed_before_cursor(), columns)
            _write((f"\x1b[{rows}A" if rows else "") + _CLEAR_BELOW)
            self._print()
            _draw_again(self._prompt)
            self._printed.notify_all()

    def _typing_begins(self) -> None:
        """What readline calls when its prompt stands there."""
        self._prompt = self._asking

    def _print(self) -> None:
        lines, self._waiting = self._waiting, []
        if self.is_interactive:
            lines = broken_at_words(lines)
        _write("".join(f"{line}\n" for line in lines))

    def _completion(self, typed: str, number: int) -> str | None:
        """What readline asks for, one after the other, until there is no more."""
        if number == 0:
            self._completions = self._complete(typed)
        return self._completions[number] if number < len(self._completions) else None


def broken_at_words(lines: Sequence[str]) -> list[str]:
    """The lines in rows of this terminal's width."""
    columns = shutil.get_terminal_size().columns
    return [row for line in lines for row in rows_of(line, columns)]


@cache
def _library() -> ctypes.CDLL:
    """The library behind readline, for what Python's module does not offer."""
    return ctypes.CDLL(getattr(readline, "__file__", None))


def _is_libedit() -> bool:
    return "libedit" in (readline.__doc__ or "")


def _is_done() -> bool:
    """Whether Enter was pressed: the line stands there, and readline has left it."""
    return not _is_libedit() and ctypes.c_int.in_dll(_library(), "rl_done").value != 0


def _typed_before_cursor() -> str:
    typed = readline.get_line_buffer()
    if _is_libedit():
        return typed
    cursor = ctypes.c_int.in_dll(_library(), "rl_point").value  # in bytes
    return typed.encode()[:cursor].decode(errors="ignore")


def _draw_again(prompt: str) -> None:
    """Draw prompt and typed line on this new line, the cursor where it was; at the end with
    libedit."""
    if _is_libedit():
        _write(prompt + readline.get_line_buffer())
        return
    _library().rl_on_new_line()
    _library().rl_forced_update_display()


def _write(text: str) -> None:
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
    sys.stdout.flush()
