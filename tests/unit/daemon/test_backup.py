"""A backup is whole, holds all that was acknowledged before it, and is put back or refused."""

import asyncio
import errno
import json
import shutil
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.data_folders import data_folder, refused

from bots.daemon import backup
from bots.daemon.backup import DRAFT, MANIFEST, BackupRefused, back_up, put_back
from bots.daemon.daemon_file import DaemonRunning, alone_on
from bots.errors import StoreError, StoreUnwritable
from bots.store.database import FILE_NAME, Store
from bots.store.migrations import newest
from bots.store.replica import copy_database

BEFORE, MOST = 500, 100_000
KEPT = {
    "townsfolk.toml": "run_for_s = 5\n",
    "chat_history": "Hello\n",
    "bots/Alice/persona.md": "# Alice 町\n",
    "accounts/Alice.json": "{}\n",
    "experiments/20261123-101500-0a1b2c.json": "{}\n",
    "experiments/bridges/run-1/report.html": "<p>\n",
    "log/decisions.jsonl": '{"name": "x"}\n',
    "log/decisions.jsonl.1": '{"name": "w"}\n',
}
NOT_KEPT = {"daemon.json": "{}", "daemon.lock": "", "mcp.json": "{}", "log/townsfolk.jsonl": "{}\n"}


@dataclass(frozen=True, slots=True)
class Site:
    data: Path
    copy: Path
    """Where a backup goes."""


@pytest.fixture
def site(tmp_path: Path) -> Site:
    data = data_folder(tmp_path / "data")
    for name, text in (KEPT | NOT_KEPT).items():
        (data / name).parent.mkdir(parents=True, exist_ok=True)
        (data / name).write_text(text)
    return Site(data, tmp_path / "backups" / "monday")


@pytest.fixture
def made(site: Site) -> Path:
    """A backup that was made."""
    return back_up(site.data, site.copy).folder


def lines(path: Path) -> list[int]:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return [n for (n,) in connection.execute("SELECT x FROM placements ORDER BY id")]


def add_line(number: int) -> Callable[[sqlite3.Connection], None]:
    def change(connection: sqlite3.Connection) -> None:
        connection.execute(
            "INSERT INTO placements (bot, item, block, dimension, x, y, z)"
            " VALUES ('A', 'torch', 'torch', 'overworld', ?, 0, 0)",
            (number,),
        )

    return change


async def test_a_copy_under_load_has_all_acknowledged_and_no_hole(tmp_path: Path) -> None:
    """Writes go on without a pause while the copy is made."""
    store, acknowledged = await Store.open(tmp_path / FILE_NAME), 0
    under_way = asyncio.Event()

    async def write() -> None:
        nonlocal acknowledged
        while acknowledged < MOST:
            await store.write(add_line(acknowledged))
            acknowledged += 1
            if acknowledged == BEFORE:
                under_way.set()

    writing = asyncio.create_task(write())
    await under_way.wait()
    for number in range(3):
        before, copy = acknowledged, tmp_path / f"copy{number}"
        steps = await asyncio.to_thread(copy_database, store.path, copy)
        kept = lines(copy)
        assert steps == newest()
        assert kept == list(range(len(kept)))
        assert before <= len(kept) <= acknowledged + 1
    async with asyncio.timeout(10):
        while acknowledged <= len(kept) and not writing.done():  # noqa: ASYNC110
            await asyncio.sleep(0.001)
    writing.cancel()
    await store.aclose()
    assert acknowledged > len(kept)  # they went on


def test_a_backup_is_put_back_as_it_was(site: Site, made: Path, again: Path) -> None:
    back = put_back(made, again)
    for name, text in KEPT.items():
        assert (again / name).read_text() == text
    assert {name for name in NOT_KEPT if (again / name).exists()} == {"daemon.lock"}
    assert back.manifest.database == newest()
    with (
        closing(sqlite3.connect(site.data / FILE_NAME)) as one,
        closing(sqlite3.connect(again / FILE_NAME)) as other,
    ):
        assert rows_of(one) == rows_of(other)


def rows_of(database: sqlite3.Connection) -> dict[str, list[Any]]:
    """All that every table holds, but for the indices of words, which none can list."""
    found = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    names = [name for (name,) in found if "_index" not in name]
    assert "utterances" in names
    return {name: database.execute(f"SELECT * FROM {name}").fetchall() for name in names}


def test_nothing_of_it_is_open_to_others_and_no_draft_stays(made: Path, again: Path) -> None:
    put_back(made, again)
    for folder in (made, again):
        found = [folder, *folder.rglob("*")]
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) & 0o077 for path in found}
        assert {name for name, open_ in modes.items() if open_} == set()
    assert [path.name for path in made.parent.iterdir()] == [made.name]
    assert not (again / DRAFT).exists()


def test_what_is_not_ours_is_left_out_and_told(site: Site) -> None:
    (site.data / "my world").mkdir()
    assert back_up(site.data, site.copy).left_out == ("my world",)


def test_settings_that_lie_elsewhere_come_along(site: Site, tmp_path: Path) -> None:
    (tmp_path / "etc.toml").write_text("offline = true\n")
    back_up(site.data, site.copy, tmp_path / "etc.toml")
    assert (site.copy / "townsfolk.toml").read_text() == "offline = true\n"
    with pytest.raises(BackupRefused, match=r"no settings file .*nowhere\.toml"):
        back_up(site.data, tmp_path / "other", tmp_path / "nowhere.toml")


@pytest.mark.parametrize(
    ("to", "told"), [("data/copy", "outside of it"), ("data", "there already"), (".", "already")]
)
def test_a_backup_replaces_nothing_and_does_not_hold_itself(
    site: Site, tmp_path: Path, to: str, told: str
) -> None:
    before = contents(tmp_path)
    with pytest.raises(BackupRefused, match=told):
        back_up(site.data, tmp_path / to)
    assert contents(tmp_path) == before


def test_a_folder_without_a_database_has_nothing_to_keep(tmp_path: Path) -> None:
    with pytest.raises(BackupRefused, match="nothing to keep"):
        back_up(tmp_path, tmp_path.parent / "copy")


def test_a_damaged_database_is_told_and_leaves_no_backup(site: Site) -> None:
    (site.data / FILE_NAME).write_bytes(b"no database at all" * 500)
    with pytest.raises(StoreError, match="cannot be copied"):
        back_up(site.data, site.copy)
    assert list(site.copy.parent.iterdir()) == []


FULL = OSError(errno.ENOSPC, "full")


@pytest.mark.parametrize("failure", [FULL, StoreUnwritable("full")])
@pytest.mark.parametrize("at", ["_copy", "copy_database"])
def test_a_full_disk_is_told_with_what_is_needed_and_leaves_nothing(
    site: Site, monkeypatch: pytest.MonkeyPatch, failure: Exception, at: str
) -> None:
    monkeypatch.setattr(backup, at, Mock(side_effect=failure))
    with pytest.raises(BackupRefused, match=r"is full: about 0\.2 MB are needed, .* MB are free"):
        back_up(site.data, site.copy)
    assert list(site.copy.parent.iterdir()) == []


def test_a_disk_that_is_full_when_it_is_put_back_leaves_the_folder_as_it_was(
    made: Path, again: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "_copy", Mock(side_effect=FULL))
    assert "is full" in refused(made, again)


def test_under_a_running_daemon_nothing_is_put_back(made: Path, again: Path) -> None:
    with alone_on(again), pytest.raises(DaemonRunning):
        put_back(made, again)


@pytest.mark.parametrize("there", [FILE_NAME, f"{FILE_NAME}-wal", "bots/Alice/persona.md"])
def test_nothing_that_is_there_is_replaced(made: Path, again: Path, there: str) -> None:
    """A left-over log of SQLite's would be taken for one of the database that is put back."""
    (again / there).parent.mkdir(parents=True)
    (again / there).write_text("mine")
    with pytest.raises(BackupRefused, match=f"has {there} already: move it away"):
        put_back(made, again)
    assert (again / there).read_text() == "mine"


def test_what_a_killed_one_left_is_cleared_away(made: Path, again: Path) -> None:
    (again / DRAFT).mkdir(parents=True)
    (again / DRAFT / FILE_NAME).write_text("half")
    put_back(made, again)
    assert (again / FILE_NAME).read_bytes() == (made / FILE_NAME).read_bytes()


def change_manifest(folder: Path, **facts: object) -> None:
    manifest = json.loads((folder / MANIFEST).read_text())
    (folder / MANIFEST).write_text(json.dumps(manifest | facts))


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({"townsfolk": "9.0", "format": 3}, "made by a newer townsfolk (9.0"),
        ({"townsfolk": "9.0", "database": 999}, "made by a newer townsfolk (9.0"),
        (
            {"townsfolk": "0.1.0", "format": 1, "database": 27},
            "before 1.0, which this one cannot read; begin anew",
        ),
        (None, "is no backup: manifest.json: No such file"),
    ],
)
def test_what_this_version_cannot_read_is_refused_and_left_as_it_is(
    made: Path, again: Path, facts: dict[str, object] | None, told: str
) -> None:
    if facts is None:
        (made / MANIFEST).unlink()
    else:
        change_manifest(made, **facts)
    before = contents(made)
    assert told in refused(made, again)
    assert contents(made) == before
    assert not again.exists()


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.integers(0, 2**20), byte=st.integers(1, 255), cut=st.booleans(), which=st.integers(0))
def test_whatever_is_changed_or_missing_is_noticed(
    made: Path, again: Path, tmp_path: Path, at: int, byte: int, cut: bool, which: int
) -> None:
    """One byte of one file, or what comes after it: nothing is put back."""
    broken = tmp_path / "broken"
    shutil.rmtree(broken, ignore_errors=True)
    shutil.copytree(made, broken)
    files = sorted(json.loads((made / MANIFEST).read_text())["files"])
    path = broken / files[which % len(files)]
    content = bytearray(path.read_bytes())
    content[at % len(content)] ^= byte
    path.write_bytes(content[: at % len(content)] if cut else content)
    assert "is not as it was kept" in refused(broken, again)
    path.unlink()
    assert "is missing" in refused(broken, again)
    assert not (again).exists()
