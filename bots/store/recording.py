"""Records what a change does to the database, as statements that do the same to a copy.

    change -> RecordingConnection: [statement, ...] -> packed(group) -> bytes -> replay(copy, bytes)

A statement is its SQL and the values that were bound. Reading is not recorded.
"""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol, TypeAlias

from bots.errors import StoreError, StoreUnwritable

LOOK_EVERY_S = 1.0  # how often the writer thread checks that the event loop still runs


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a history."""

    history: str
    position: int
    run: str
    """Its writer. The history gets a new writer id with each change of writer."""
    number: int
    """Of the entry among those of its writer."""


@dataclass(frozen=True, slots=True)
class Replicated:
    """The position of a file in its history."""

    place: Place
    outside: bool
    """Whether it was opened without its history, and may hold more."""
    becoming: str
    """The history that was being made of it; empty when none was."""


class Journal(Protocol):
    """Where each group of changes is stored before it is committed. Used on one event loop.

        writer thread: run a group -> Journal.append(group) -> note its place -> COMMIT

    So the file always holds a prefix of the history, and a write that has returned is in both."""

    @property
    def place(self) -> Place:
        """Where the file that is opened with it is."""
        ...

    def append(self, group: bytes) -> Coroutine[Any, Any, Place]:
        """Store a group of `bots.store.recording`; returns once it is safe.

        Waits while that cannot be known. Raises StoreUnwritable when the file may not be written
        any more; whether the group is stored is then not known."""
        ...

    def end_soon(self) -> None:
        """Wait no longer than a moment from now on."""
        ...

    async def aclose(self) -> None:
        """Called when the file is closed."""
        ...


def replicated(connection: sqlite3.Connection) -> Replicated | None:
    """How far the file is; None when it has no history. Raises sqlite3.Error."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'replicated'").fetchone():
        return None
    row = connection.execute(
        "SELECT history, position, run, number, outside, becoming FROM replicated"
    ).fetchone()
    return None if row is None else Replicated(Place(*row[:4]), bool(row[4]), row[5])


def set_place(connection: sqlite3.Connection, place: Place) -> None:
    """Note that the file is at this position and holds nothing more."""
    connection.execute(
        "INSERT OR REPLACE INTO replicated"
        " (id, history, position, run, number, outside, becoming) VALUES (1, ?, ?, ?, ?, 0, '')",
        (place.history, place.position, place.run, place.number),
    )


def set_outside(connection: sqlite3.Connection) -> None:
    """Note that no history holds later writes."""
    found = replicated(connection)
    if found is not None and (not found.outside or found.becoming):
        connection.execute("UPDATE replicated SET outside = 1, becoming = ''")


def set_becoming(connection: sqlite3.Connection, history: str) -> None:
    """Note which history is about to be made of the file as it is."""
    connection.execute("INSERT OR IGNORE INTO replicated VALUES (1, '', 0, '', 0, 1, '')")
    connection.execute("UPDATE replicated SET becoming = ?", (history,))


def appended(journal: Journal, group: bytes, loop: asyncio.AbstractEventLoop) -> Place:
    """Append from another thread than the loop's. Raises StoreUnwritable, whatever went wrong."""
    work = journal.append(group)
    try:
        storing = asyncio.run_coroutine_threadsafe(work, loop)
    except RuntimeError as error:
        work.close()
        raise StoreUnwritable(f"the program has ended: {error}") from error
    try:
        failure = _failure(storing, loop)
    except CancelledError:
        raise StoreUnwritable("the program ends: it is not known whether this is kept") from None
    if failure is None:
        return storing.result()
    if isinstance(failure, StoreUnwritable):
        raise failure
    raise StoreUnwritable(f"the home's history was not written: {failure!r}") from failure


def _failure(storing: Future[Place], loop: asyncio.AbstractEventLoop) -> BaseException | None:
    """Wait until it has ended, as long as the loop has not."""
    while True:
        with suppress(TimeoutError):
            return storing.exception(LOOK_EVERY_S)
        if loop.is_closed():
            return StoreUnwritable("the program has ended: it is not known whether this is kept")


Values: TypeAlias = list[Any] | dict[str, Any]
Statement: TypeAlias = tuple[str, Values] | tuple[str, list[Values], int]
"""SQL and its values; with a third part, the values of each of several runs."""
Recorded: TypeAlias = list[list[Statement]]
"""The statements of each change of a group, in their order."""

LARGE = 512  # bytes from which on compressing is worth it
_PLAIN, _COMPRESSED = b"j", b"z"
_BYTES = ""  # names what is base64; no value that is bound has an empty name
_COMMENTS = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
_READING = {"SELECT", "VALUES", "EXPLAIN", "PRAGMA"}
_CHANGING = {"INSERT", "REPLACE", "UPDATE", "DELETE", "CREATE", "DROP", "ALTER", "WITH"}
_OF_WRITER = {"BEGIN", "SAVEPOINT", "RELEASE", "ROLLBACK", "COMMIT"}
NOT_REPEATABLE = re.compile(
    r"\b(?:random|randomblob|changes|total_changes|last_insert_rowid|sqlite_version"
    r"|date|time|datetime|julianday|unixepoch|strftime|timediff)\s*\("
    r"|\bcurrent_(?:time|date|timestamp)\b|'now'",
    re.IGNORECASE,
)
"""What gives something else when it is run again."""


class RecordingConnection(sqlite3.Connection):
    """Notes the changing statements of one change after another, the others pass; see `Writer`."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._noted: list[Statement] | None = None
        self.torn: str | None = None
        """What failed half-way, and cannot be noted."""
        self._own_functions: set[str] = set()

    @contextmanager
    def recorded(self) -> Iterator[list[Statement]]:
        """Note what is done while the block lasts, complete at its end.

        Raises StoreError when something was done that could not be noted."""
        before, self.torn = self.total_changes, None
        noted: list[Statement] = []
        self._noted = noted
        try:
            yield noted
        finally:
            self._noted = None
        if self.torn is not None:
            raise StoreError(f"a change cannot go on after this failed half-way: {self.torn}")
        if not noted and self.total_changes != before:
            raise StoreError("a change was made past the recording")

    def cursor(self, factory: Any = None) -> Any:
        if factory is not None:
            raise StoreError("cursors of other kinds are not recorded")
        return super().cursor(_RecordingCursor)

    def execute(self, sql: str, parameters: Any = (), /) -> Any:
        return self.cursor().execute(sql, parameters)

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> Any:
        return self.cursor().executemany(sql, parameters)

    def executescript(self, sql_script: str, /) -> Any:
        raise StoreError("scripts are not recorded: execute their statements one by one")

    def create_function(
        self, name: str, narg: int, func: Callable[..., Any] | None, *, deterministic: bool = False
    ) -> None:
        self._own_functions.add(name.lower())
        super().create_function(name, narg, func, deterministic=deterministic)

    def blobopen(self, *_: Any, **__: Any) -> Any:
        raise StoreError("writing into a blob is not recorded: use UPDATE")

    def note(self, statement: Statement) -> None:
        if self._noted is not None:
            self._noted.append(statement)

    def checked(self, sql: str) -> bool:
        """Whether it is to be noted. Raises StoreError for what a copy could not repeat."""
        if self._noted is None or not _is_change(sql):
            return False
        if own := self._own_functions & _called(sql):
            raise StoreError(f"a copy has no {own.pop()}(): {sql.strip()}")
        return True


class _RecordingCursor(sqlite3.Cursor):
    connection: RecordingConnection

    def execute(self, sql: str, parameters: Any = (), /) -> _RecordingCursor:
        if not self.connection.checked(sql):
            return super().execute(sql, parameters)
        values = _values(parameters)
        super().execute(sql, parameters)
        self.connection.note((sql, values))
        return self

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> _RecordingCursor:
        rows = list(parameters)
        if not self.connection.checked(sql):
            return super().executemany(sql, rows)
        values = [_values(row) for row in rows]
        torn, self.connection.torn = self.connection.torn, sql  # some rows may be written
        super().executemany(sql, rows)
        self.connection.torn = torn
        if rows:
            self.connection.note((sql, values, len(rows)))
        return self

    def executescript(self, sql_script: str, /) -> Any:
        return self.connection.executescript(sql_script)


def packed(group: Recorded) -> bytes:
    """A group as it is stored."""
    text = json.dumps(
        group, separators=(",", ":"), default=lambda value: {_BYTES: b64encode(value).decode()}
    ).encode()
    return _COMPRESSED + zlib.compress(text) if len(text) > LARGE else _PLAIN + text


def replay(connection: sqlite3.Connection, group: bytes) -> None:
    """Do the same within the open transaction. Raises sqlite3.Error; ValueError for no group.

    Each change has a savepoint as it had before: indices of words are written at the same
    moments, and come out the same byte for byte."""
    kind, body = group[:1], group[1:]
    if kind not in (_PLAIN, _COMPRESSED):
        raise ValueError(f"{kind!r}: no group of changes")
    text = zlib.decompress(body) if kind == _COMPRESSED else body
    found: Recorded = json.loads(text, object_hook=_bytes_of_json)
    for change in found:
        connection.execute("SAVEPOINT change")
        for sql, values, *many in change:
            if not _is_change(sql):  # a history is followed no further than it is recorded
                raise ValueError(f"this is never recorded: {sql[:80]}")
            if many:
                connection.executemany(sql, values)
            else:
                connection.execute(sql, values)
        connection.execute("RELEASE change")


@lru_cache(maxsize=1_000)
def _is_change(sql: str) -> bool:
    """Raises StoreError for what is neither reading nor recorded."""
    plain = _COMMENTS.sub(" ", sql)
    first = re.split(r"[\s(;]+", plain.strip(), maxsplit=1)[0].upper()
    sets = first == "PRAGMA" and ("=" in plain or "(" in plain)
    if first in _OF_WRITER or (first in _READING and not sets):
        return False
    if first not in _CHANGING:
        raise StoreError(f"this is not recorded: {sql.strip()}")
    if found := NOT_REPEATABLE.search(plain):
        raise StoreError(f"{found[0]} gives a copy something else: {sql.strip()}")
    return True


@lru_cache(maxsize=1_000)
def _called(sql: str) -> frozenset[str]:
    return frozenset(name.lower() for name in re.findall(r"\b(\w+)\s*\(", _COMMENTS.sub(" ", sql)))


def _values(parameters: Any) -> Values:
    if isinstance(parameters, Mapping):
        return {str(name): _value(value) for name, value in parameters.items()}
    return [_value(value) for value in parameters]


def _value(value: Any) -> Any:
    """As SQLite takes it. Raises StoreError for what only an adapter could bind."""
    match value:
        case None:
            return None
        case int():
            return int(value)
        case float():
            return float(value)
        case str():
            return str.__str__(value)
        case bytes() | bytearray() | memoryview():
            return bytes(value)
    raise StoreError(f"a {type(value).__name__} is not recorded: bind a number, text or bytes")


def _bytes_of_json(found: dict[str, Any]) -> Any:
    return b64decode(found[_BYTES]) if found.keys() == {_BYTES} else found
