"""What `townsfolk up` tells once its bots are in the world: one line for programs, a box for
a person."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import structlog

from bots.app import Daemon
from bots.daemon.session import BotSession
from bots.observability.terminal_log import may_colour, speaks_unicode
from bots.responder.case.persona import PersonaFiles
from bots.settings.loading import data_folder
from bots.text.columns import padded, width_of, wrapped
from bots.text.program import as_typed

log = structlog.get_logger()

LABELS = 12  # columns
NARROW = 60  # columns of the terminal; below, what stands behind a label goes below it
WIDEST = 100
SHOWN = 3  # causes
_LINES = {True: ("╭", "│", "╰", "─"), False: ("+", "|", "+", "-")}


@dataclass(frozen=True, slots=True)
class Item:
    """A line of the box: a label, and what stands behind it."""

    label: str
    value: str


def line(daemon: Daemon) -> str:
    """For programs that start a daemon."""
    bots = ",".join(session.name for session in daemon.roster.sessions)
    dashboard = daemon.http.url if daemon.http else "off"
    return f"ready server={daemon.address} bots={bots} dashboard={dashboard}"


def why_not(sessions: Sequence[BotSession]) -> str:
    """Why no bot is in the world; empty when one is, or where there are none."""
    if not sessions or any(session.online for session in sessions):
        return ""
    alike: dict[str, list[str]] = {}
    for session in sessions:
        found = session.connection.diagnosis
        alike.setdefault(str(found or "The server has not let it in yet."), []).append(session.name)
    causes = [f"{_listed(names)}: {why}" for why, names in alike.items()]
    return f"no bot is in the world yet. {' '.join(causes[:SHOWN])} They go on trying."


def tell(daemon: Daemon, out: TextIO) -> None:
    """Log how to join, and show it where a person sits."""
    bot = _first(daemon.roster.sessions)
    lan = daemon.lan_address
    log.info(
        "daemon.ready",
        join=f"Minecraft Java {_version(daemon)}, direct connection {daemon.address}",
        **({"join_from_network": str(lan)} if lan else {}),
        whisper=f"/tell {bot} hello",
        without_minecraft=_chat(bot, daemon.settings.data_dir),
    )
    if out.isatty():
        rows = box(_title(daemon.roster.sessions), list(_items(daemon)), _columns(), out)
        out.write("".join(f"{row}\n" for row in rows))
        out.flush()


def box(title: str, items: Sequence[Item], columns: int, out: TextIO) -> Iterator[str]:
    """The rows of a box, open at its right: what is copied from it ends where it ends.

    A link is never broken by us."""
    top, side, bottom, across = _LINES[speaks_unicode(out)]
    bold, plain = ("\x1b[1m", "\x1b[0m") if may_colour(out) else ("", "")
    first, *more = wrapped(title, columns - 6)
    rule = across * (min(columns, WIDEST) - width_of(first) - 6)
    yield f"{top}{across * 2} {bold}{first}{plain} {rule}"
    for row in more:
        yield f"{side}    {bold}{row}{plain}"
    for item in items:
        for row in _rows(item, columns - 2):
            yield f"{side} {row}"
    yield f"{bottom}{across * (min(columns, WIDEST) - 2)}"


def _rows(item: Item, columns: int) -> Iterator[str]:
    label = padded(item.label, LABELS)
    behind = wrapped(item.value, columns - LABELS)
    if columns >= NARROW and max(map(width_of, behind)) <= columns - LABELS:
        yield f"{label}{behind[0]}"
        yield from (" " * LABELS + row for row in behind[1:])
    else:
        if item.label:
            yield item.label
        yield from (f"  {row}" for row in wrapped(item.value, columns - 2))


def _title(sessions: Sequence[BotSession]) -> str:
    here = [session.name for session in sessions if session.online]
    away = [session.name for session in sessions if not session.online]
    if not here:
        return f"{_listed(away)} {_is(away)} not in the world yet" if away else "No bots"
    told = f"{_listed(here)} {_is(here)} in the world"
    return f"{told}; {_listed(away)} not yet" if away else told


def _is(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _items(daemon: Daemon) -> Iterator[Item]:
    folder = daemon.settings.data_dir
    bot = _first(daemon.roster.sessions)
    game = f"Minecraft Java {_version(daemon)}"
    yield Item("Join", f"{game}: Multiplayer, Direct Connection, {daemon.address}")
    if (lan := daemon.lan_address) is not None:
        yield Item("", f"From other devices in your network: {lan}")
    yield Item("Whisper", f"/tell {bot} hello")
    where = _option(folder)
    yield Item("Talk here", _chat(bot, folder))
    if (link := daemon.new_link()) is not None:
        yield Item("Page", link)
        again = as_typed(f"townsfolk status --link{where}")
        yield Item("", f"It opens once; {again} makes another.")
    yield Item("Data", str(folder))
    yield Item("Characters", str(PersonaFiles.of(folder).path("NAME")))
    yield Item("End", "Ctrl-C")


def _chat(bot: str, folder: Path) -> str:
    return as_typed(f"townsfolk chat {bot}{_option(folder)}")


def _option(folder: Path) -> str:
    """What a command needs to find the daemon of this folder."""
    return "" if folder == data_folder(None) else f" --data-dir {shlex.quote(str(folder))}"


def _version(daemon: Daemon) -> str:
    """What is set may have been corrected by the server."""
    joined = next((session.connection.version for session in daemon.roster.sessions), None)
    return joined or daemon.address.version or "of that server"


def _first(sessions: Sequence[BotSession]) -> str:
    return next((session.name for session in sessions), "BOT")


def _listed(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _columns() -> int:
    return shutil.get_terminal_size().columns
