"""The contents of a data folder, by name, and whether they are ours.

We leave other files in it alone. Before we change anything, we refuse a folder that plainly belongs
to another program, or in which somebody else's file has one of our names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from bots.cluster.home import FILE_NAME as HOME
from bots.cluster.home import FOLDER as HOMES
from bots.errors import SettingsError
from bots.observability.logs import LOG_FOLDER
from bots.settings.loading import FILE_NAME as CONFIG_NAME
from bots.settings.settings import ACCOUNTS_FOLDER
from bots.store.database import FILE_NAME as DATABASE
from bots.store.database import OF_OTHERS, what_else
from bots.text.printable import printable
from bridge.foreign_json import NotJson, read_json
from bridge.server.launcher import MARKER as OUR_WORLD
from bridge.server.launcher import world_in

DAEMON_NAME = "daemon.json"
LOCK_NAME = "daemon.lock"
MCP_NAME = "mcp.json"
"""Of `townsfolk mcp --http`: its address and its token."""
CHAT_HISTORY_NAME = "chat_history"
"""What was typed in `townsfolk chat`."""
EXPERIMENTS_FOLDER = "experiments"
BOTS_FOLDER = "bots"
BESIDE_DATABASE = tuple(f"{DATABASE}{end}" for end in ("-wal", "-shm", "-journal"))
"""Files of another database that SQLite would take for parts of ours."""
MOST_BYTES = 1_000_000  # size up to which we look into a file
SHOWN = 3  # names of what lies in a folder
_HOME_ID = re.compile(rb"[0-9A-Za-z._-]{0,100}\n?")
_LOCKED = re.compile(rb"(\d+\n.{0,200})?", re.DOTALL)  # filelock's, where a disk has no locks
_LOGS = re.compile(r"(townsfolk|decisions|prompts|node|server)\b.*")

What = Callable[[Path], str]
"""What it is in words, where it is not ours; else empty."""


def refuse_foreign(data_dir: Path) -> None:
    """Raises SettingsError, which tells what it is and what would be right."""
    try:
        found = next(_foreign(data_dir), None) if data_dir.is_dir() else None
    except OSError as error:
        raise SettingsError(f"cannot use data folder {data_dir}: {error.strerror}") from error
    if found is not None:
        where, what = found
        raise SettingsError(
            f"{where} is {what}; it is left as it is. Name an empty folder, or a data folder of "
            "townsfolk: --data-dir DIR"
        )


def _foreign(data_dir: Path) -> Iterator[tuple[Path, str]]:
    names = {one.name for one in data_dir.iterdir()}
    for name, what in _JUDGES.items():
        if name in names and (told := what(data_dir / name)):
            yield data_dir / name, f"{told}, {OF_OTHERS}"
    if DATABASE in names and (told := what_else(data_dir / DATABASE)):
        yield data_dir / DATABASE, told
    if not {DATABASE, CONFIG_NAME} & names:
        if "level.dat" in names and OUR_WORLD not in names:
            yield data_dir, f"{world_in(data_dir)}, {OF_OTHERS}"
        signs = (told for of_others, told in _SIGNS.items() if names.issuperset(of_others))
        yield from ((data_dir, f"{told}, {OF_OTHERS}") for told in signs)
        yield from (
            (data_dir / name, f"a part of another database, {OF_OTHERS}")
            for name in BESIDE_DATABASE
            if name in names - {f"{DATABASE}-shm"} and (data_dir / name).stat().st_size
        )


_SIGNS: Mapping[tuple[str, ...], str] = {
    ("server.properties",): "the folder of a Minecraft server",
    ("options.txt", "saves"): "the folder of Minecraft itself",
    (".git",): "a repository",
    (".bashrc",): "somebody's home",
    (".profile",): "somebody's home",
    (".zshrc",): "somebody's home",
}
"""What only folders of others hold."""


def _file(path: Path) -> str:
    if path.is_dir():
        return "a folder"
    if path.is_file():
        return ""
    return "a link to nothing" if path.is_symlink() else "no file, but a pipe or a device"


def _file_itself(path: Path) -> str:
    """One that is written anew without being read."""
    return "a link" if path.is_symlink() else _file(path)


def _json_with(key: str) -> What:
    """A damaged one may be ours, cut off as it was written."""

    def what(path: Path) -> str:
        if told := _file_itself(path):
            return told
        try:
            found = read_json(_start_of(path))
        except NotJson:
            return ""
        of_others = isinstance(found, dict) and found and key not in found
        return f"a file about {_listed(found)}" if of_others else ""

    return what


def _matching(pattern: re.Pattern[bytes]) -> What:
    def what(path: Path) -> str:
        if told := _file_itself(path):
            return told
        return "" if pattern.fullmatch(_start_of(path)) else "a file of another kind"

    return what


def _folder(is_ours: Callable[[Path], bool]) -> What:
    """A folder, in which something is ours unless it is empty."""

    def what(path: Path) -> str:
        if not path.is_dir():
            return _file(path) or "a file"
        found = sorted(one for one in path.iterdir() if not one.name.startswith("."))
        if not found or any(map(is_ours, found)):
            return ""
        return f"a folder that holds {_listed(one.name for one in found)}"

    return what


def _is_of_bot(folder: Path) -> bool:
    """Whether a bot has this folder, or may get it: empty, or with a text."""
    return folder.is_dir() and (not any(folder.iterdir()) or any(folder.glob("*.md")))


def _listed(names: Iterable[str]) -> str:
    shown = [printable(name[:60]) for name in names]
    return ", ".join(shown[:SHOWN]) + (", …" if len(shown) > SHOWN else "")


def _start_of(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MOST_BYTES)


_JUDGES: Mapping[str, What] = {
    DATABASE: _file,
    CONFIG_NAME: _file,
    DAEMON_NAME: _json_with("pid"),
    LOCK_NAME: _matching(_LOCKED),
    MCP_NAME: _json_with("token"),
    CHAT_HISTORY_NAME: _file_itself,
    HOME: _matching(_HOME_ID),
    LOG_FOLDER: _folder(lambda one: _LOGS.fullmatch(one.name) is not None),
    BOTS_FOLDER: _folder(_is_of_bot),
    ACCOUNTS_FOLDER: _folder(lambda one: one.suffix == ".json"),
    EXPERIMENTS_FOLDER: _folder(lambda one: True),
    HOMES: _folder(Path.is_dir),
}
OURS = frozenset(_JUDGES) - {ACCOUNTS_FOLDER} | {f"{DATABASE}-wal", f"{DATABASE}-shm"}
"""All that we put into a data folder, and close to others; accounts are closed as they are made."""
