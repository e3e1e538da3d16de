"""Keys as they are pressed, one by one, without waiting for Enter."""

from __future__ import annotations

import codecs
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

try:
    import termios
    import tty
except ImportError:  # Windows
    has_termios = False
else:
    has_termios = True

AT_ONCE = 4096  # bytes
ESCAPE = "\x1b"
_NAMES = {
    **{"\x1b[A": "up", "\x1bOA": "up", "\x1b[B": "down", "\x1bOB": "down"},
    **{"\r": "enter", "\n": "enter", "\t": "down", "\x1b[Z": "up"},
    **{"\x7f": "erase", "\x08": "erase", "\x15": "erase all", "\x17": "erase word"},
    **{"\x03": "quit", "\x04": "quit", "\x0c": "redraw", ESCAPE: "escape"},
}
_PASTE = re.compile(r"\x1b\[200~(.*?)(?:\x1b\[201~|\Z)", re.DOTALL)
_KEYS = re.compile(r"\x1b\[200~.*?(?:\x1b\[201~|\Z)|\x1b[\[O][0-9;]*[A-Za-z~]|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Key:
    """A named key, or text that was typed or pasted."""

    name: str = ""
    text: str = ""
    is_pasted: bool = False


class Keyboard:
    """The keyboard of the terminal, read for as long as the block lasts."""

    def __init__(self, pressed: Callable[[Key], None]) -> None:
        """`pressed` is called from a thread."""
        self._pressed = pressed
        self._input = sys.stdin.fileno()
        self._before: list[int | list[bytes | int]] | None = None

    def __enter__(self) -> Keyboard:
        if has_termios:
            self._before = termios.tcgetattr(self._input)
            tty.setcbreak(self._input)
            self._let_nothing_suspend_it()
        threading.Thread(target=self._read, name="keyboard", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            with suppress(termios.error):  # the terminal may be gone
                termios.tcsetattr(self._input, termios.TCSAFLUSH, self._before)

    def _let_nothing_suspend_it(self) -> None:
        """Ctrl-Z would leave the terminal as we need it, not as it was."""
        mode = termios.tcgetattr(self._input)
        mode[6][termios.VSUSP] = b"\0"
        termios.tcsetattr(self._input, termios.TCSANOW, mode)

    def _read(self) -> None:
        if sys.platform == "win32":
            import msvcrt

            while True:
                self._press(msvcrt.getwch())
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        with suppress(OSError):  # it is gone; who runs us hears that by a signal
            while read := os.read(self._input, AT_ONCE):
                self._press(decoder.decode(read))

    def _press(self, read: str) -> None:
        for key in keys_of(read):
            self._pressed(key)


def keys_of(read: str) -> Iterator[Key]:
    """What a terminal sends for keys, as keys. Keys that mean nothing here are left out."""
    for found in _KEYS.findall(read):
        if paste := _PASTE.match(found):
            yield Key(text=" ".join(paste[1].split()), is_pasted=True)
        elif found in _NAMES:
            yield Key(_NAMES[found])
        elif found.isprintable():
            yield Key(text=found)
