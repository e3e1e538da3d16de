"""`townsfolk log`: what happened, as readable lines or JSON, from the daemon or its log file."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from bots.observability import logs
from bots.text.printable import printable
from bridge.errors import UserError

NEWEST = 200  # lines of the file that are shown when no daemon runs
_HEAD = frozenset({"sequence", "at", "timestamp", "name", "event", "bot", "level", "logger"})
_DIM, _BOLD, _PLAIN = "\x1b[2m", "\x1b[1m", "\x1b[0m"


class NothingLogged(UserError):
    """There is no daemon and no log file to read."""


def from_file(data_dir: Path) -> Iterator[dict[str, Any]]:
    """The newest lines of the log file; broken lines are skipped."""
    file = logs.log_file(data_dir)
    try:
        with file.open(encoding="utf-8", errors="replace") as lines:
            newest = deque(lines, maxlen=NEWEST)
    except OSError as error:
        raise NothingLogged(f"no daemon runs on {data_dir}, and there is no {file}") from error
    for line in newest:
        if (event := _parsed(line)) is not None:
            yield event


def rendered(
    events: Iterable[dict[str, Any]], *, bot: str | None, as_json: bool, colours: bool
) -> Iterator[str]:
    """One line for each event; with `bot` only the events of that bot."""
    for event in events:
        if skipped := event.get("skipped"):
            yield from [] if as_json else [f"… {skipped} more happened in between"]
        if bot is None or event.get("bot") == bot:
            yield json.dumps(event, ensure_ascii=False) if as_json else _line(event, colours)


def _line(event: dict[str, Any], colours: bool) -> str:
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


def _time(event: dict[str, Any]) -> str:
    written = event.get("at") or event.get("timestamp")
    try:
        at = datetime.fromisoformat(str(written))
    except ValueError:
        return "--:--:--"
    return at.astimezone().strftime("%H:%M:%S")


def _parsed(line: str) -> dict[str, Any] | None:
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) else None
