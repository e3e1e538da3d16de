"""A terminal as a person sees it: a program in a pseudo-terminal, and what stands on the screen."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

LOOKS_EVERY_S = 0.05
ENDS_WITHIN_S = 5.0
_CONTROL = re.compile(r"\x1b\[([?0-9;]*)([@-~])")


class Screen:
    """Rows of cells, as a terminal of this size makes them of what a program writes.

    Knows what readline and we write; lines that scroll off the top stay readable."""

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self._rows: list[list[str]] = [[]]
        self._row = self._column = 0
        self._rest = ""

    @property
    def lines(self) -> list[str]:
        """Every row there ever was, without trailing blanks."""
        return ["".join(row).rstrip() for row in self._rows]

    @property
    def cursor(self) -> tuple[int, int]:
        return self._row, self._column

    def feed(self, written: str) -> None:
        text, self._rest = self._rest + written, ""
        at = 0
        while at < len(text):
            if text[at] != "\x1b":
                self._put(text[at])
                at += 1
            elif found := _CONTROL.match(text, at):
                self._control(found[1], found[2])
                at = found.end()
            elif re.fullmatch(r"\x1b(\[[?0-9;]*)?", text[at:]):
                self._rest = text[at:]  # the end of it comes with the next piece
                return
            else:
                at += 2  # an escape of two characters

    def _put(self, one: str) -> None:
        if one == "\n":
            self._row += 1
            self._grow()
        elif one == "\r":
            self._column = 0
        elif one == "\b":
            self._column = max(0, self._column - 1)
        elif one >= " ":
            self._print(one)

    def _print(self, one: str) -> None:
        width = 0 if unicodedata.combining(one) else width_of(one)
        if self._column + width > self.columns:
            self._row, self._column = self._row + 1, 0
        self._grow()
        row = self._rows[self._row]
        row.extend(" " * (self._column - len(row)))
        row[self._column : self._column + width] = [one, *[""] * (width - 1)]
        self._column += width

    def _control(self, given: str, what: str) -> None:
        number = int(given) if given.isdigit() else 0
        row = self._rows[self._row]
        match what:
            case "A":
                self._row = max(0, self._row - (number or 1))
            case "B":
                self._row += number or 1
            case "C":
                self._column += number or 1
            case "D":
                self._column = max(0, self._column - (number or 1))
            case "H":
                self._row, self._column = (max(0, int(one or 1) - 1) for one in _two(given))
            case "G":
                self._column = max(0, number - 1)
            case "K":
                del row[self._column :]
            case "J" if given == "2":
                self._rows = [[]]
            case "J":
                del row[self._column :]
                del self._rows[self._row + 1 :]
            case "P":
                del row[self._column : self._column + (number or 1)]
            case "@":
                row[self._column : self._column] = [" "] * (number or 1)
            case _:
                pass  # colours, bracketed paste
        self._grow()

    def _grow(self) -> None:
        self._rows.extend([] for _ in range(self._row + 1 - len(self._rows)))


def _two(given: str) -> list[str]:
    row, _, column = given.partition(";")
    return [row, column]


class Seen:
    """A program in a terminal of its own: type, and read what stands there."""

    def __init__(self, process: subprocess.Popen[bytes], terminal: int, columns: int) -> None:
        self.process, self.screen, self.raw = process, Screen(columns), b""
        self.terminal, self._undecoded = terminal, b""

    @property
    def lines(self) -> list[str]:
        self._read(0.0)
        return [line for line in self.screen.lines if line]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def types(self, keys: str) -> None:
        os.write(self.terminal, keys.encode())

    def shows(self, words: str, within_s: float = 20.0) -> None:
        """Wait until this stands on the screen. Raises AssertionError."""
        self.becomes(lambda: words in self.text, words, within_s)

    def becomes(self, is_so: Callable[[], bool], what: str, within_s: float = 20.0) -> None:
        until = time.monotonic() + within_s
        while not is_so():
            assert time.monotonic() < until, f"{what!r} did not come:\n{self.text}"
            self._read(LOOKS_EVERY_S)

    def ended(self, within_s: float = 20.0) -> int:
        """Its exit code, waited for while what it writes is read."""
        self.becomes(lambda: self.process.poll() is not None, "the end", within_s)
        self._read(0.0)
        assert self.process.returncode is not None
        return self.process.returncode

    def _read(self, within_s: float) -> None:
        while select.select([self.terminal], [], [], within_s)[0]:
            try:
                read = os.read(self.terminal, 65_536)
            except OSError:  # its other end is closed
                return
            if not read:
                return
            self.raw += read
            self.screen.feed(self._decoded(read))
            within_s = 0.0

    def _decoded(self, read: bytes) -> str:
        read, self._undecoded = self._undecoded + read, b""
        try:
            return read.decode()
        except UnicodeDecodeError as error:
            self._undecoded = read[error.start :]
            return read[: error.start].decode()


@contextmanager
def in_terminal(
    words: Sequence[str | Path],
    environment: Mapping[str, str],
    columns: int = 80,
    *,
    stdout: IO[bytes] | None = None,
) -> Iterator[Seen]:
    """Run a program in a terminal of this width; ended with the block.

    `stdout` may go elsewhere."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        list(map(str, words)),
        stdin=its,
        stdout=its if stdout is None else stdout,
        stderr=its,
        env={"TERM": "xterm", **environment},
        start_new_session=True,
        preexec_fn=_with_a_terminal,
    )
    os.close(its)
    try:
        yield Seen(process, ours, columns)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(ENDS_WITHIN_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        os.close(ours)


def _with_a_terminal() -> None:
    """Its keys reach the program as signals, whatever started the tests."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def width_of(text: str) -> int:
    """How many columns a text takes."""
    return sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text)
