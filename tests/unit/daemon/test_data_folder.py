"""A data folder that others made, or a name of ours that they use: refused, and left as it is."""

import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeAlias

import pytest
from support.data_folders import data_folder, make_before_1_0
from typer.testing import CliRunner

from bots.cli.main import app
from bots.daemon.backup import back_up
from bots.daemon.daemon_file import alone_on
from bots.daemon.data_folder import refuse_foreign
from bots.daemon.experiment_records import ExperimentFile
from bots.errors import SettingsError, StoreError
from bots.mcp.serving import over_http
from bots.store.database import FILE_NAME, bring_to_newest, steps_ahead

Made: TypeAlias = dict[str, bytes | Path | None]
"""Files by their path; None: a folder; a path: a link to it."""


def browser(path: Path) -> None:
    with closing(sqlite3.connect(path)) as others:
        for name in ("moz_places", "moz_bookmarks", "moz_\x1b[2J", "z"):
            others.execute(f'CREATE TABLE "{name}" (id INTEGER)')
        others.execute("PRAGMA user_version = 74")


@pytest.fixture
def there(tmp_path: Path) -> Path:
    (tmp_path / "there").mkdir()
    return tmp_path / "there"


def make(folder: Path, made: Made) -> None:
    for name, content in made.items():
        at = folder / name
        at.parent.mkdir(parents=True, exist_ok=True)
        if content is None:
            at.mkdir()
        elif isinstance(content, Path):
            at.symlink_to(content)
        else:
            at.write_bytes(content)
            at.chmod(0o644)


def state(folder: Path) -> dict[str, tuple[int, bytes]]:
    """All that lies there: its kind and rights, and what it holds."""
    found: dict[str, tuple[int, bytes]] = {}
    for path in (folder, *folder.rglob("*")):
        mode = path.lstat().st_mode
        content = path.read_bytes() if stat.S_ISREG(mode) else b""
        found[str(path)] = (mode, content)
    return found


@contextmanager
def left_as_it_is(folder: Path, made: Made) -> Iterator[None]:
    """What is made there before is the same after."""
    make(folder, made)
    before = state(folder)
    yield
    assert state(folder) == before


NOWHERE = Path("/nowhere/at/all")
FOREIGN: list[tuple[Made, str]] = [
    ({"level.dat": b"x", "region": None}, "is a world of Minecraft"),
    ({"server.properties": b"", "world": None}, "is the folder of a Minecraft server"),
    ({"options.txt": b"", "saves": None}, "is the folder of Minecraft itself"),
    ({".git": None, "bots/app.py": b""}, "bots is a folder that holds app.py"),
    ({".git": None, "README.md": b""}, "is a repository"),
    ({".bashrc": b"", "letter.txt": b""}, "is somebody's home"),
    ({"bots/lib/x.js": b"", "bots/index.js": b""}, "bots is a folder that holds index.js, lib"),
    ({"bots": b"x"}, "bots is a file"),
    ({"log/production.log": b""}, "log is a folder that holds production.log"),
    ({"log": b""}, "log is a file"),
    ({"log": NOWHERE}, "log is a link to nothing"),
    ({"accounts/ledger.csv": b""}, "accounts is a folder that holds ledger.csv"),
    ({"daemon.json": b'{"data-root": "/var/lib/docker"}'}, "is a file about data-root"),
    ({"daemon.json": None}, "daemon.json is a folder"),
    ({"mcp.json": b'{"mcpServers": {}}'}, "is a file about mcpServers"),
    ({"mcp.json": NOWHERE}, "mcp.json is a link"),
    ({"daemon.lock": b"pid 17 of my own daemon"}, "daemon.lock is a file of another kind"),
    ({"daemon.lock": NOWHERE}, "daemon.lock is a link"),
    ({"home": b"1 Main Street\n"}, "home is a file of another kind"),
    ({"home/me/letter": b""}, "home is a folder"),
    ({"chat_history": NOWHERE}, "chat_history is a link"),
    ({"townsfolk.toml": None}, "townsfolk.toml is a folder"),
    ({"townsfolk.toml": NOWHERE}, "townsfolk.toml is a link to nothing"),
    ({FILE_NAME: None}, f"{FILE_NAME} is a folder"),
    ({FILE_NAME: NOWHERE}, f"{FILE_NAME} is a link to nothing"),
    ({f"{FILE_NAME}-wal": b"7"}, "is a part of another database"),
    ({f"{FILE_NAME}-journal": b"7"}, "is a part of another database"),
]


@pytest.mark.parametrize(("made", "told"), FOREIGN, ids=[told for _, told in FOREIGN])
def test_what_others_made_is_named_and_left(there: Path, made: Made, told: str) -> None:
    with left_as_it_is(there, made), pytest.raises(SettingsError) as refusal, alone_on(there):
        pass
    assert told in str(refusal.value)
    assert "left as it is" in str(refusal.value)
    assert "--data-dir" in str(refusal.value)
    assert str(refusal.value).isprintable()


OURS: list[Made] = [
    {},
    {"lost+found": None, "letter.txt": b""},
    {"node.log": b"", "server.log": b"", "world/level.dat": b""},
    {"townsfolk.toml": b"", ".git": None, ".bashrc": b""},
    {"level.dat": b"", "townsfolk_world.json": b"{}"},
    {"bots/Alice/persona.md": b"", "bots/notes.txt": b""},
    {"bots/Alice": None},
    {"bots": None, "log": None, "accounts": None, "experiments": None, "homes": None},
    {"log/node.log.1": b"", "log/other": b""},
    {"log/townsfolk.jsonl": b""},
    {"accounts/Alice.json": b"{}"},
    {"experiments/mine.toml": b""},
    {"daemon.json": b'{"pid": 1, "bots"'},
    {"daemon.json": b""},
    {"daemon.lock": b""},
    {"home": b"0a1b2c3d\n"},
    {FILE_NAME: b""},
    {f"{FILE_NAME}-wal": b"", f"{FILE_NAME}-shm": b"7"},
]


@pytest.mark.parametrize("made", OURS, ids=[" ".join(made) for made in OURS])
def test_what_is_ours_or_lies_beside_it_is_taken(there: Path, made: Made) -> None:
    make(there, made)
    with alone_on(there):
        pass


def test_an_old_data_folder_is_known(tmp_path: Path) -> None:
    data = data_folder(tmp_path / "data")
    (data / ".bashrc").touch()
    refuse_foreign(data)


def test_a_pipe_is_not_waited_for(there: Path) -> None:
    os.mkfifo(there / "townsfolk.toml")
    with pytest.raises(SettingsError, match="a pipe or a device"):
        refuse_foreign(there)


def in_write_ahead(path: Path) -> None:
    """All of it lies beside the file, as after a crash."""
    writing = sqlite3.connect(path)
    writing.execute("PRAGMA journal_mode = WAL")
    writing.execute("CREATE TABLE moz_places (id)")
    for end in ("", "-wal"):
        copy = path.with_name(f"copy{end}")
        copy.write_bytes(path.with_name(f"{path.name}{end}").read_bytes())
    writing.close()
    for end in ("", "-wal"):
        path.with_name(f"copy{end}").rename(path.with_name(f"{path.name}{end}"))


def refuse_beside(database: Path) -> None:
    refuse_foreign(database.parent)


OTHERS = [
    (make_before_1_0, r"of a townsfolk before 1\.0, which this one cannot read"),
    (browser, "the database of another program.*moz_bookmarks, moz_places"),
]
of_others = pytest.mark.parametrize(("made", "told"), OTHERS, ids=["before 1.0", "a browser's"])


@of_others
@pytest.mark.parametrize("opened", [refuse_beside, bring_to_newest, steps_ahead])
def test_a_database_that_is_not_ours_to_read_is_named_and_not_touched(
    there: Path, made: Callable[[Path], None], told: str, opened: Callable[[Path], object]
) -> None:
    made(there / FILE_NAME)
    before = state(there)
    with pytest.raises((SettingsError, StoreError), match=told) as no:
        opened(there / FILE_NAME)
    assert str(no.value).isprintable()
    assert "data folder" in str(no.value)
    assert made is browser or "townsfolk did not make" not in str(no.value)
    assert state(there) == before


@of_others
def test_no_backup_is_made_of_a_database_that_is_not_ours_to_read(
    there: Path, tmp_path: Path, made: Callable[[Path], None], told: str
) -> None:
    made(there / FILE_NAME)
    with pytest.raises(StoreError, match=told):
        back_up(there, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_a_database_that_lies_in_its_log_is_not_taken_either(there: Path) -> None:
    in_write_ahead(there / FILE_NAME)
    with pytest.raises(StoreError, match="the database of another program"):
        bring_to_newest(there / FILE_NAME)
    with closing(sqlite3.connect(there / FILE_NAME)) as others:
        assert [*others.execute("SELECT name FROM sqlite_master")] == [("moz_places",)]


COMMANDS = [
    ["up"],
    ["init", "--server", "127.0.0.1:1"],
    ["bots", "add", "Cora"],
    ["bots", "character", "Alice", "otto"],
    ["doctor"],
    ["login", "Alice"],
]


@pytest.mark.parametrize("words", COMMANDS, ids=[words[0] + words[-1] for words in COMMANDS])
def test_no_command_writes_into_what_others_made(there: Path, words: list[str]) -> None:
    with left_as_it_is(there, {"level.dat": b"x", "region": None, "bots/app.js": b""}):
        done = CliRunner().invoke(app, [*words, "--data-dir", str(there)])
    assert done.exit_code != 0
    assert "which townsfolk did not make" in done.output


async def test_no_tools_are_served_and_no_experiment_is_listed_from_what_others_made(
    there: Path,
) -> None:
    with left_as_it_is(there, {"mcp.json": b'{"mcpServers": {}}'}):
        with pytest.raises(SettingsError, match="a file about mcpServers"):
            await over_http(there, 0, pytest.fail)
        with pytest.raises(SettingsError, match="a file about mcpServers"):
            ExperimentFile(there, None)  # type: ignore[arg-type]
