"""`townsfolk log`: what happened, as `up` tells it; or all events, with their facts or as JSON.

The story is read from the log file, which outlives the daemon; events come from the daemon.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO, TypeAlias

from bots.observability import logs, terminal_log
from bots.text.columns import terminal_columns
from bots.text.printable import printable
from bridge.errors import UserError
from bridge.foreign_json import NotJson, read_object

NEWEST = 200  # lines of the file that are shown
LOOKS_EVERY_S = 0.2  # for new lines of the file
UNBROKEN = 1_000_000  # columns: what another program reads is not broken into rows
_HEAD = frozenset({"sequence", "at", "timestamp", "name", "event", "bot", "level", "logger"})
_DIM, _BOLD, _PLAIN = "\x1b[2m", "\x1b[1m", "\x1b[0m"
Event: TypeAlias = dict[str, Any]


class NothingLogged(UserError):
    """There is no daemon and no log file to read."""


def from_file(data_dir: Path) -> Iterator[Event]:
    """The newest events of the log file; broken lines are skipped. Raises NothingLogged."""
    with closing(_LogTail(data_dir)) as tail:
        yield from deque(tail.new(), maxlen=NEWEST)


def story(data_dir: Path, bot: str | None, runs: Callable[[], bool] | None) -> Iterator[str]:
    """The lines that `up` shows on a terminal; with `bot` those that concern it.

    With `runs` also new ones, for as long as it says that the daemon runs. Raises NothingLogged.
    """
    columns = terminal_columns if sys.stdout.isatty() else lambda: UNBROKEN
    render, day = terminal_log.renderer(sys.stdout, columns), datetime.now().astimezone().date()
    for event in _told(data_dir, bot, runs):
        if (at := _moment(event)) is not None and at.date() != day:
            day = at.date()
            yield day.isoformat()
        try:
            line = render(None, "", event)
        except (KeyError, TypeError, ValueError):  # written by another version
            line = _line(event, colours=False)
        yield line


def rendered(
    events: Iterable[Event], *, bot: str | None, as_json: bool, colours: bool
) -> Iterator[str]:
    """One line for each event; with `bot` only the events of that bot."""
    for event in events:
        if skipped := event.get("skipped"):
            yield from [] if as_json else [f"… {skipped} more happened in between"]
        if bot is None or event.get("bot") == bot:
            yield json.dumps(event, ensure_ascii=False) if as_json else _line(event, colours)


class _LogTail:
    """The log file, read on where it was left; it may be rotated meanwhile."""

    def __init__(self, data_dir: Path) -> None:
        """Raises NothingLogged."""
        self._path = logs.log_file(data_dir)
        self._torn = ""  # a line whose end is not written yet
        try:
            self._file = self._opened()
        except OSError as error:
            message = f"no daemon runs on {data_dir}, and there is no {self._path}"
            raise NothingLogged(message) from error

    def close(self) -> None:
        self._file.close()

    def new(self) -> Iterator[Event]:
        """What was written since the last time."""
        yield from self._rest()
        if self._is_rotated():
            yield from self._rest()  # what came into it until just then
            self._file.close()
            self._file, self._torn = self._opened(), ""
            yield from self._rest()

    def _rest(self) -> Iterator[Event]:
        for piece in self._file:
            self._torn += piece
            if self._torn.endswith("\n"):
                line, self._torn = self._torn, ""
                with suppress(NotJson):
                    yield read_object(line)

    def _is_rotated(self) -> bool:
        try:
            return not os.path.samestat(self._path.stat(), os.fstat(self._file.fileno()))
        except OSError:
            return False  # the new one is not there yet

    def _opened(self) -> TextIO:
        return self._path.open(encoding="utf-8", errors="replace")


def _told(data_dir: Path, bot: str | None, runs: Callable[[], bool] | None) -> Iterator[Event]:
    with closing(_LogTail(data_dir)) as tail:
        yield from deque(_of_story(tail.new(), bot), maxlen=NEWEST)
        goes_on = runs is not None
        while runs is not None and goes_on:
            goes_on = runs()  # asked first: what was written until the end is read
            yield from _of_story(tail.new(), bot)
            time.sleep(LOOKS_EVERY_S if goes_on else 0)


def _of_story(events: Iterable[Event], bot: str | None) -> Iterator[Event]:
    for event in events:
        counts = event.get("event") == terminal_log.PROGRESS  # second by second
        concerned = (event.get("bot"), event.get("by"), *str(event.get("to", "")).split(", "))
        if terminal_log.is_told(event) and not counts and (bot is None or bot in concerned):
            yield event


def _line(event: Event, colours: bool) -> str:
    name = printable(str(event.get("name") or event.get("event") or "?"))
    bot = printable(str(event.get("bot") or "-"))
    facts = " ".join(
        f"{printable(key)}={_fact(value)}"
        for key, value in event.items()
        if key not in _HEAD and not (key == "skipped" and not value)
    )
    if colours:
        return f"{_DIM}{_time(event)}{_PLAIN} {bot:<16} {_BOLD}{name:<24}{_PLAIN} {facts}".rstrip()
    return f"{_time(event)} {bot:<16} {name:<24} {facts}".rstrip()


def _fact(value: object) -> str:
    if isinstance(value, str) and value and not any(c.isspace() or c == '"' for c in value):
        return printable(value)
    return printable(json.dumps(value, ensure_ascii=False))


def _time(event: Event) -> str:
    at = _moment(event)
    return at.strftime("%H:%M:%S") if at is not None else "--:--:--"


def _moment(event: Event) -> datetime | None:
    """When it happened, in the time of this place."""
    try:
        return datetime.fromisoformat(str(event.get("at") or event.get("timestamp"))).astimezone()
    except ValueError:
        return None
