"""A backup that somebody else wrote: only what `backup` makes is put back, or nothing."""

import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.data_folders import data_folder, refused

from bots.daemon import backup
from bots.daemon.backup import KB, MANIFEST, MB, BackupRefused, back_up, is_kept, put_back
from bots.store.database import FILE_NAME

CONFIG = "townsfolk.toml"
NOT_OURS = [
    *("mcp.json", "daemon.json", "daemon.lock"),
    *(f"{FILE_NAME}{end}" for end in ("-wal", "-shm", "-journal")),
    *(".git/hooks/post-checkout", "bots/.git/hooks/post-checkout", "bots/Alice/.profile", "bots"),
    *("Bots/Alice/persona.md", "accounts/Alice/token.json", "log/townsfolk.jsonl"),
    *("log/decisions.sh", "log/decisions.jsonl/x", "homes/0a1b2c3d/townsfolk.sqlite"),
    *("world/level.dat", "../evil", "/etc/evil", "bots/../../evil", "bots//Alice", "bots/Alice/"),
    *("./townsfolk.toml", "C:\\evil", "bots/C:evil", "bots/Alice/persona.md\0"),
    *("bots/\x1b[2J/persona.md", "bots/\u202egnp.md", "bots/\ud800"),
    *("bots/" + "x" * 300, "bots" + "/a" * 50, "", "."),
]


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A backup that was made."""
    return back_up(data_folder(tmp_path / "data"), tmp_path / "backups" / "monday").folder


def facts_of(content: bytes) -> dict[str, object]:
    return {"sha256": sha256(content).hexdigest(), "size": len(content)}


def claim(made: Path, name: str, facts: dict[str, object]) -> None:
    """Add a file to the manifest."""
    manifest = json.loads((made / MANIFEST).read_bytes())
    manifest["files"][name] = facts
    (made / MANIFEST).write_text(json.dumps(manifest))


def plant(made: Path, name: str, content: bytes) -> None:
    """Add a file as if `backup` had made it."""
    (made / name).parent.mkdir(parents=True, exist_ok=True)
    (made / name).write_bytes(content)
    claim(made, name, facts_of(content))


@pytest.mark.parametrize("name", NOT_OURS)
def test_a_file_that_backup_never_makes_is_refused(made: Path, again: Path, name: str) -> None:
    try:
        plant(made, name, b"x")
    except (OSError, ValueError):  # no file can be called so, but a manifest may say it
        claim(made, name, facts_of(b"x"))
    refused(made, again)
    assert not (again.parent / "evil").exists()


@settings(max_examples=300)
@given(
    parts=st.lists(st.text(max_size=8) | st.sampled_from(["..", ".", "bots", "log"]), max_size=5)
)
def test_what_is_kept_lies_below_the_folder_whatever_it_is_called(parts: list[str]) -> None:
    name = "/".join(parts)
    if is_kept(name, 1):
        assert os.path.normpath(f"/data/{name}") == f"/data/{name}"
        assert not any(part.startswith(".") for part in parts)


MANIFESTS: list[tuple[str, Callable[[dict[str, object]], object]]] = [
    ("no JSON", lambda _: "{"),
    ("a zero byte", lambda _: "\0"),
    ("a list", lambda _: "[]"),
    ("deep", lambda _: "[" * 100_000),
    ("no files", lambda kept: kept | {"files": {}}),
    ("a negative size", lambda kept: kept | {"files": {FILE_NAME: facts_of(b"") | {"size": -1}}}),
    ("a time before time", lambda kept: kept | {"made_at": "0001-01-01T00:00:00Z"}),
    ("a time after time", lambda kept: kept | {"made_at": "9999-12-31T23:59:59Z"}),
    ("a newer one that paints", lambda kept: kept | {"format": 9, "townsfolk": "9\x1b[2J\0"}),
]


@pytest.mark.parametrize(("what", "change"), MANIFESTS)
def test_a_manifest_of_any_kind_is_refused_in_words(
    made: Path, again: Path, what: str, change: Callable[[dict[str, object]], object]
) -> None:
    changed = change(json.loads((made / MANIFEST).read_bytes()))
    (made / MANIFEST).write_text(changed if isinstance(changed, str) else json.dumps(changed))
    refused(made, again)


@pytest.mark.parametrize(
    "name", ["bots/Alice/persona.md", "bots/Alice", "bots", FILE_NAME, MANIFEST, "a pipe"]
)
def test_a_link_or_a_pipe_in_a_backup_is_refused_and_not_waited_for(
    made: Path, again: Path, tmp_path: Path, name: str
) -> None:
    at = made / ("bots/Alice/persona.md" if name == "a pipe" else name)
    at.rename(tmp_path / "elsewhere")
    if name == "a pipe":
        os.mkfifo(at)
    else:
        at.symlink_to(tmp_path / "elsewhere")
    assert "no file of its own" in refused(made, again)


@pytest.mark.parametrize("name", ["bots", "bots/Alice", "log", CONFIG, FILE_NAME])
@pytest.mark.parametrize("is_dangling", [False, True])
def test_nothing_is_put_back_through_a_link(
    made: Path, again: Path, tmp_path: Path, name: str, is_dangling: bool
) -> None:
    elsewhere = tmp_path / "elsewhere"
    if not is_dangling:
        elsewhere.mkdir()
    (again / name).parent.mkdir(parents=True)
    (again / name).symlink_to(elsewhere)
    with pytest.raises(BackupRefused, match="move it away"):
        put_back(made, again)
    assert (again / name).is_symlink()
    assert elsewhere.exists() is not is_dangling
    assert is_dangling or list(elsewhere.iterdir()) == []


def test_a_draft_that_is_a_link_is_left_alone(made: Path, again: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "mine").write_text("mine")
    again.mkdir()
    (again / backup.DRAFT).symlink_to(elsewhere)
    with pytest.raises(BackupRefused, match="move it away"):
        put_back(made, again)
    assert [one.name for one in elsewhere.iterdir()] == ["mine"]


@pytest.mark.parametrize(
    ("name", "size"), [(CONFIG, MB + 1), ("home", KB + 1), ("accounts/Alice.json", MB + 1)]
)
def test_a_file_larger_than_any_of_ours_is_refused_unread(
    made: Path, again: Path, name: str, size: int
) -> None:
    (made / name).parent.mkdir(exist_ok=True)
    with (made / name).open("wb") as file:
        file.truncate(size)
    claim(made, name, {"sha256": "0" * 64, "size": size})
    assert name in refused(made, again)


def test_more_than_the_disk_takes_is_refused_before_it_is_read(made: Path, again: Path) -> None:
    """A file of nothing but a hole: it has any size, and takes no room where it lies."""
    size = 2**43
    with (made / FILE_NAME).open("r+b") as file:
        try:
            file.truncate(size)
        except OSError:
            pytest.skip("this disk holds no file that large")
    claim(made, FILE_NAME, {"sha256": "0" * 64, "size": size})
    assert "is full" in refused(made, again)


def with_database(made: Path, *statements: str, steps: int | None = None) -> None:
    """Change the database of a backup as if it had been made so."""
    with closing(sqlite3.connect(made / FILE_NAME)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
    claim(made, FILE_NAME, facts_of((made / FILE_NAME).read_bytes()))


DATABASES: list[list[str]] = [
    ["DROP TABLE hearings"],
    ["CREATE TRIGGER t AFTER INSERT ON utterances BEGIN DELETE FROM utterances; END"],
    ["CREATE VIEW v AS SELECT 1"],
    ["PRAGMA user_version = 3"],
    ["PRAGMA user_version = 0"],
    [],
]


@pytest.mark.parametrize("statements", DATABASES)
def test_a_database_that_is_not_as_ours_are_is_refused(
    made: Path, again: Path, statements: list[str]
) -> None:
    if statements:
        with_database(made, *statements)
    else:
        plant(made, FILE_NAME, b"no database at all" * 500)
    assert "its database" in refused(made, again)


def test_a_move_that_fails_half_way_is_undone(
    made: Path, again: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename, moved = Path.rename, []

    def fail_third(self: Path, to: Path) -> Path:
        moved.append(self)
        if len(moved) == 3:
            raise OSError(5, "Input/output error", str(to))
        return rename(self, to)

    monkeypatch.setattr(Path, "rename", fail_third)
    assert "Input/output error" in refused(made, again)
    assert len(moved) == 3


def test_settings_are_shown_and_stay_out_unless_they_are_wanted(made: Path, again: Path) -> None:
    asked: list[bytes | None] = []

    def decline(brought: backup.Brought) -> bool:
        asked.append(brought.settings)
        assert not again.exists()
        return False

    plant(made, "accounts/Alice.json", b"{}")
    found = put_back(made, again, decline)
    assert asked == [(made / CONFIG).read_bytes()]
    assert not (again / CONFIG).exists()
    assert not (again / "accounts").exists()
    persona = "bots/Alice/persona.md"
    assert (again / persona).read_bytes() == (made / persona).read_bytes()
    assert CONFIG not in found.manifest.files


def test_where_no_settings_come_along_nobody_is_asked(tmp_path: Path, again: Path) -> None:
    data = data_folder(tmp_path / "data")
    (data / CONFIG).unlink()
    made = back_up(data, tmp_path / "monday").folder
    put_back(made, again, lambda _: pytest.fail("asked"))
    assert (again / FILE_NAME).exists()


def test_what_is_hidden_is_left_out_of_a_backup_and_told(tmp_path: Path) -> None:
    """Else `restore` would refuse what `backup` made."""
    data = data_folder(tmp_path / "data")
    (data / "bots/Alice/.secret").write_text("x")
    with (data / "accounts").with_name("home").open("wb") as home:
        home.truncate(KB + 1)
    made = back_up(data, tmp_path / "monday")
    assert set(made.left_out) == {"bots/Alice/.secret", "home"}
    put_back(made.folder, tmp_path / "again")
