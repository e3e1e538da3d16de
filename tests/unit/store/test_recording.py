"""What a change did is recorded, and does the same to a copy."""

import math
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from enum import IntEnum, StrEnum
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.errors import StoreError
from bots.store.recording import RecordingConnection, packed, replay

TABLE = "CREATE TABLE kept (id INTEGER PRIMARY KEY, value ANY) STRICT"


class Word(StrEnum):
    ONE = "one"


class Number(IntEnum):
    SEVEN = 7


@pytest.fixture
def database() -> Iterator[RecordingConnection]:
    with closing(made(RecordingConnection)) as connection:
        assert isinstance(connection, RecordingConnection)
        yield connection


def made(factory: type[sqlite3.Connection] = sqlite3.Connection) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None, factory=factory)
    connection.execute(TABLE)
    return connection


def rows(connection: sqlite3.Connection) -> list[Any]:
    return connection.execute("SELECT id, value, typeof(value) FROM kept ORDER BY id").fetchall()


def copy_of(*groups: bytes) -> list[Any]:
    with closing(made()) as copy:
        copy.execute("BEGIN")
        for group in groups:
            replay(copy, group)
        return rows(copy)


def recorded(connection: RecordingConnection, change: Callable[[Any], object]) -> bytes:
    with connection.recorded() as statements:
        change(connection)
    return packed([statements])


def insert(*values: Any) -> Callable[[sqlite3.Connection], object]:
    return lambda c: c.executemany("INSERT INTO kept (value) VALUES (?)", ((v,) for v in values))


VALUES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats()
    | st.text(st.characters(exclude_categories=["Cs"]))
    | st.binary()
    | st.just('\0 it\'s "so" 町 🏠')
)


@given(st.lists(VALUES, max_size=30))
def test_every_value_comes_out_the_same_in_the_copy(values: list[Any]) -> None:
    with closing(made(RecordingConnection)) as database:
        assert isinstance(database, RecordingConnection)
        group = recorded(database, insert(*values))
        assert copy_of(group) == rows(database)


@pytest.mark.parametrize(
    "value",
    [Word.ONE, Number.SEVEN, bytearray(b"\0\xff"), memoryview(b"ab"), -0.0, math.inf, 5e-324],
    ids=lambda value: type(value).__name__ + str(value)[:4],
)
def test_unusual_values_come_out_as_taken(database: RecordingConnection, value: Any) -> None:
    group = recorded(database, insert(value))
    assert [repr(row) for row in copy_of(group)] == [repr(row) for row in rows(database)]


def test_a_text_that_the_database_refuses_is_not_recorded(database: RecordingConnection) -> None:
    def change(connection: sqlite3.Connection) -> None:
        with pytest.raises(UnicodeEncodeError):
            connection.execute("INSERT INTO kept (value) VALUES (?)", ("\ud800",))
        insert("after")(connection)

    assert copy_of(recorded(database, change)) == [(1, "after", "text")]


def test_named_values_and_bytes_under_any_name_are_recorded(database: RecordingConnection) -> None:
    sql = "INSERT INTO kept (value) VALUES (:b64)"
    group = recorded(database, lambda c: c.execute(sql, {"b64": b"raw"}))
    more = recorded(database, lambda c: c.executemany(sql, [{"b64": "text"}, {"b64": None}]))
    assert copy_of(group, more) == rows(database)


def test_reading_is_not_recorded(database: RecordingConnection) -> None:
    insert(1)(database)
    with database.recorded() as statements:
        database.execute("SELECT * FROM kept").fetchall()
        database.execute(" -- of all\n WITH one AS (SELECT 1) SELECT * FROM one").fetchall()
        database.execute("PRAGMA user_version").fetchall()
    assert [sql for sql, *_ in statements if "WITH" not in sql] == []


def test_the_rows_that_a_change_returns_are_its_callers(database: RecordingConnection) -> None:
    with database.recorded() as statements:
        added = database.execute("INSERT INTO kept (value) VALUES (1) RETURNING id").fetchone()
        changed = database.execute("UPDATE kept SET value = 2").rowcount
        last = database.execute("INSERT INTO kept (value) VALUES (3)").lastrowid
    assert (added, changed, last) == ((1,), 1, 2)
    assert copy_of(packed([statements])) == rows(database)


def test_a_cursor_records_as_its_connection_does(database: RecordingConnection) -> None:
    group = recorded(database, lambda c: c.cursor().execute("INSERT INTO kept VALUES (7, 8)"))
    assert copy_of(group) == [(7, 8, "integer")]


def test_what_failed_alone_is_not_recorded(database: RecordingConnection) -> None:
    def change(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO kept VALUES (1, 'first')")
        with pytest.raises(sqlite3.IntegrityError):
            connection.execute("INSERT INTO kept VALUES (1, 'again')")

    assert copy_of(recorded(database, change)) == [(1, "first", "text")]


def test_a_change_after_rows_that_failed_half_way_is_refused(database: RecordingConnection) -> None:
    def change(connection: sqlite3.Connection) -> None:
        with pytest.raises(sqlite3.IntegrityError):
            connection.executemany("INSERT INTO kept VALUES (?, 0)", [(1,), (1,)])

    with pytest.raises(StoreError, match="half-way"):
        recorded(database, change)


@pytest.mark.parametrize(
    ("sql", "why"),
    [
        ("INSERT INTO kept (value) VALUES (random())", "random"),
        ("INSERT INTO kept (value) VALUES (hex(RANDOMBLOB (4)))", "RANDOMBLOB"),
        ("UPDATE kept SET value = CURRENT_TIMESTAMP", "CURRENT_TIMESTAMP"),
        ("UPDATE kept SET value = unixepoch('now')", "unixepoch"),
        ("INSERT INTO kept (value) SELECT last_insert_rowid()", "last_insert_rowid"),
        ("DELETE FROM kept WHERE value = twice(1)", "twice"),
        ("PRAGMA user_version = 3", "not recorded"),
        ("VACUUM", "not recorded"),
        ("ATTACH 'x' AS y", "not recorded"),
    ],
)
def test_what_a_copy_could_not_repeat_is_refused(
    database: RecordingConnection, sql: str, why: str
) -> None:
    database.create_function("twice", 1, lambda one: 2 * one)
    with pytest.raises(StoreError, match=why):
        recorded(database, lambda c: c.execute(sql))


def test_ways_round_the_recording_are_refused(database: RecordingConnection) -> None:
    ways: list[Callable[[Any], object]] = [
        lambda c: c.executescript("INSERT INTO kept VALUES (1, 1)"),
        lambda c: c.cursor().executescript("INSERT INTO kept VALUES (1, 1)"),
        lambda c: c.cursor(sqlite3.Cursor),
        lambda c: sqlite3.Connection.execute(c, "INSERT INTO kept VALUES (1, 1)"),
        lambda c: c.blobopen("kept", "value", 1),
        lambda c: c.execute("INSERT INTO kept (value) VALUES (?)", (object(),)),
    ]
    for way in ways:
        with pytest.raises(StoreError, match="record"):
            recorded(database, way)


def test_what_is_no_group_is_refused() -> None:
    with pytest.raises(ValueError, match="no group"):
        copy_of(b"?")


@pytest.mark.parametrize(
    "sql", ["ATTACH DATABASE ? AS other", "VACUUM INTO ?", "PRAGMA writable_schema = 1", "COMMIT"]
)
def test_a_copy_does_nothing_that_is_never_recorded(sql: str, tmp_path: Path) -> None:
    values = [str(tmp_path / "other")] * sql.count("?")
    with pytest.raises((ValueError, StoreError), match="recorded"):
        copy_of(packed([[(sql, values)]]))
    assert list(tmp_path.iterdir()) == []
