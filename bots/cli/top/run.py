"""`townsfolk top`: follows a daemon until whoever looks leaves, or the daemon ends.

The main thread alone draws and decides; others read keys, events and figures, and put what it is
to do into its queue."""

from __future__ import annotations

import codecs
import io
import json
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import SimpleQueue

from rich.console import Console, Group
from rich.live import Live

from bots.access.origin import called
from bots.cli.chat import name_at_machine
from bots.cli.client import DaemonClient, Json
from bots.cli.output import complain, print_line, told
from bots.cli.top.screen import ASCII, Signs, View, arrow, follow, frame, lines_of
from bots.cli.top.snapshot import Line, Snapshot, spoken, time_now
from bots.daemon import daemon_file
from bots.daemon.daemon_file import DaemonSilent
from bots.observability.terminal_log import may_colour, speaks_unicode
from bots.text.lines import graphemes
from bots.text.printable import printable

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
            # Ctrl-Z would leave the terminal as we need it, not as it was.
            mode = termios.tcgetattr(self._input)
            mode[6][termios.VSUSP] = b"\0"
            termios.tcsetattr(self._input, termios.TCSANOW, mode)
        threading.Thread(target=self._read, name="keyboard", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            with suppress(termios.error):  # the terminal may be gone
                termios.tcsetattr(self._input, termios.TCSAFLUSH, self._before)

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


LOOKS_EVERY_S = 1.0
SOONEST_S = 0.25  # after the last look, when something has changed
ENDS_WITHIN_S = 0.5
LINES_KEPT = 500
LONGEST_TYPED = 2_000  # letters
KILLED = 128  # and the signal's number, as shells count
ENDING = ("SIGTERM", "SIGHUP")
_NO_WRAP_AND_MARKED_PASTES, _AS_BEFORE = "\x1b[?7l\x1b[?2004h", "\x1b[?2004l\x1b[?7h"

Todo = Callable[[], None]


def watch(data_dir: Path, *, once: bool, as_json: bool) -> int:
    """Show the daemon of a data folder; the exit code. Raises NoDaemon, DaemonSilent."""
    with DaemonClient.of(data_dir) as daemon:
        if as_json:
            print_line(json.dumps(Snapshot.of(daemon).as_json(), ensure_ascii=False))
            return 0
        if once:
            for line in lines_of(Snapshot.of(daemon)):
                print_line(line)
            return 0
        if not is_interactive():
            follow(daemon)
            complain("the daemon has ended")
            return 1
        server = daemon_file.read(data_dir).server
        code = Top(daemon, f"Minecraft {server.version} at {server.host}:{server.port}").run()
    if code == 1:
        complain("the daemon has ended")
    return code


def is_interactive() -> bool:
    """Whether a person sits at a terminal that can be drawn on."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


class Top:
    """The screen of one daemon."""

    def __init__(self, daemon: DaemonClient, server: str) -> None:
        signs = Signs() if speaks_unicode(sys.stdout) else ASCII
        first = Snapshot.of(daemon)
        chosen = next(iter(first.names), "")
        self._view = View(first, server=printable(server), chosen=chosen, signs=signs)
        self._daemon = daemon
        self._todo: SimpleQueue[Todo] = SimpleQueue()
        self._code: int | None = None
        self._changed, self._is_over = threading.Event(), threading.Event()
        self._speaker = called(name_at_machine())

    def run(self) -> int:
        """Show it until it ends; the exit code."""
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")
        console = Console(color_system="auto" if may_colour(sys.stdout) else None, highlight=False)
        with ExitStack() as stack:
            events = stack.enter_context(self._daemon.batches())
            stack.enter_context(_signals(self._leave, lambda: self._put(console.clear)))
            stack.enter_context(Keyboard(lambda key: self._put(self._press, key)))
            live = stack.enter_context(
                Live(
                    console=console,
                    screen=True,
                    auto_refresh=False,
                    redirect_stdout=False,
                    redirect_stderr=False,
                )
            )
            stack.enter_context(_modes(console))
            looking = self._start(self._look)
            self._start(self._listen, events)
            while self._code is None:
                live.update(Group(*frame(self._view, *console.size)), refresh=True)
                self._todo.get()()  # waits for something to do
                while not self._todo.empty():
                    self._todo.get()()
            self._is_over.set()
            self._changed.set()
            looking.join(ENDS_WITHIN_S)
        return self._code

    def _put(self, work: Callable[..., None], *given: object) -> None:
        """Have the main thread do it; may be called from any thread, and by a signal."""
        self._todo.put(partial(work, *given))

    def _leave(self, code: int) -> None:
        self._put(self._end, code)

    def _end(self, code: int) -> None:
        if self._code is None:
            self._code = code

    @staticmethod
    def _start(work: Callable[..., None], *given: object) -> threading.Thread:
        thread = threading.Thread(target=work, args=given, daemon=True)
        thread.start()
        return thread

    # --- what other threads do --------------------------------------------------

    def _listen(self, batches: Iterable[list[Json]]) -> None:
        try:
            for events in batches:
                self._put(self._take_events, events)
                self._changed.set()
        finally:
            self._leave(1)

    def _look(self) -> None:
        """Ask for the figures, again and again."""
        while not self._is_over.wait(SOONEST_S):
            try:
                self._put(self._view.take, Snapshot.of(self._daemon))
            except DaemonSilent as silent:
                self._put(self._tell_trouble, str(silent))
            except RuntimeError:  # the client was closed meanwhile
                if not self._is_over.is_set():
                    raise
            self._changed.clear()
            self._changed.wait(LOOKS_EVERY_S)

    def _send(self, ask: Callable[[], Iterable[str]]) -> None:
        try:
            lines = list(ask())
        except DaemonSilent as silent:
            lines = [str(silent)]
        self._put(self._add, [Line(time_now(), "", printable(line)) for line in lines])
        self._changed.set()

    # --- what the main thread does ------------------------------------------------

    def _take_events(self, events: list[Json]) -> None:
        found = (spoken(event, self._view.newest.names, arrow()) for event in events)
        self._add(line for line in found if line is not None)

    def _add(self, lines: Iterable[Line]) -> None:
        self._view.lines.extend(lines)
        del self._view.lines[:-LINES_KEPT]

    def _tell_trouble(self, why: str) -> None:
        self._view.trouble = why

    def _press(self, key: Key) -> None:
        if self._view.typed is not None:
            self._type(key, self._view.typed)
        elif not key.is_pasted:
            self._choose(key.name or key.text)

    def _choose(self, key: str) -> None:
        """What a key does while nobody types."""
        view, was_helping = self._view, self._view.is_helping
        view.is_helping = False
        match key:
            case "q" | "quit":
                self._end(0)
            case "?" | "h":
                view.is_helping = not was_helping
            case "down" | "j":
                view.choose(1)
            case "up" | "k":
                view.choose(-1)
            case "t" | "enter" if view.chosen:
                view.typed = ""
            case "s" if view.chosen:
                self._start(self._send, partial(self._stopped, view.chosen))
            case "S":
                self._start(self._send, partial(self._stopped, None))
            case _ if key.isascii() and key.isdecimal() and 0 < int(key) <= len(view.newest.names):
                view.chosen = view.newest.names[int(key) - 1]

    def _type(self, key: Key, typed: str) -> None:
        """What a key does to the line that is being typed."""
        view = self._view
        match key.name:
            case "escape" | "quit":
                view.typed = None
            case "enter":
                view.typed = None
                if words := typed.strip():
                    self._start(self._send, partial(self._said, view.chosen, words))
            case "erase":
                view.typed = "".join(list(graphemes(typed))[:-1])
            case "erase word":
                view.typed = typed.rstrip().rpartition(" ")[0]
            case "erase all":
                view.typed = ""
            case _:
                view.typed = (typed + printable(key.text))[:LONGEST_TYPED]

    # --- what the daemon is asked -------------------------------------------------

    def _stopped(self, bot: str | None) -> list[str]:
        if bot is None:
            result = self._daemon.stop_all()
            return ["All bots have stopped."] if result.get("success") is True else told(result)
        result = self._daemon.command(bot, "!stop", plain=True)
        return [f"{bot}: {line}" for line in told(result)]

    def _said(self, bot: str, words: str) -> list[str]:
        """What comes of a line; what the bot answers comes as an event too."""
        if words.startswith("!"):
            return [f"{bot}: {line}" for line in told(self._daemon.command(bot, words, plain=True))]
        heard = self._daemon.message(bot, words, self._speaker)
        if heard.get("success") is not True:
            return told(heard)
        return [] if heard.get("answer") else [f"({bot} heard you, but has not answered.)"]


@contextmanager
def _signals(leave: Callable[[int], None], redraw: Callable[[], None]) -> Iterator[None]:
    """Have signals end it in order, and a new size draw it anew."""
    before = {}

    def take(number: int, work: Callable[[], None]) -> None:
        before[number] = signal.signal(number, lambda *_: work())

    take(signal.SIGINT, partial(leave, 0))
    for number in (getattr(signal, name) for name in ENDING if hasattr(signal, name)):
        take(number, partial(leave, KILLED + number))
    if hasattr(signal, "SIGWINCH"):
        take(signal.SIGWINCH, redraw)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _modes(console: Console) -> Iterator[None]:
    """While the block lasts no row wraps, however wide the terminal's letters are, and what is
    pasted comes marked as such."""
    console.file.write(_NO_WRAP_AND_MARKED_PASTES)
    try:
        yield
    finally:
        console.file.write(_AS_BEFORE)
        console.file.flush()
