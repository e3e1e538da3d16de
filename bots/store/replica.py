"""A copy of a database that follows the original's history. For threads: every call blocks."""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bots.errors import StoreError, StoreUnwritable
from bots.private_files import for_owner_alone
from bots.store.database import bring_to_newest, connect, set_up, what_else
from bots.store.migrations import migrate, shape_after, shape_of
from bots.store.recording import Place, Replicated, replay, replicated, set_becoming, set_place
from bots.text.printable import printable


def copy_database(source: Path, copy: Path) -> int:
    """Copy everything committed so far into a new file; returns its schema version.

    Writers continue; their later commits are not in the copy. Raises StoreError if the database
    is damaged or locked, StoreUnwritable if there is no room for the copy.
    """
    if other := what_else(source):
        raise StoreError(f"{source} is {other}")
    with open(copy, "xb", opener=for_owner_alone):
        pass
    try:
        with closing(connect(source, mode="ro")) as reading, closing(connect(copy)) as writing:
            # All is read as it is now. Without a transaction `backup` would wait for a lock
            # without end, and begin anew after each commit of another program.
            reading.execute("BEGIN")
            steps: int = reading.execute("PRAGMA user_version").fetchone()[0]
            reading.backup(writing)
            # Find damage that came along, and make the copy one file.
            found = writing.execute("PRAGMA quick_check(1)").fetchone()[0]
            if found != "ok":
                raise sqlite3.DatabaseError(f"it is damaged ({found})")
            writing.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        code: int | None = getattr(error, "sqlite_errorcode", None)
        is_full = code is not None and code & 0xFF == sqlite3.SQLITE_FULL
        kind = StoreUnwritable if is_full else StoreError
        raise kind(f"{source}: the database cannot be copied: {error}") from error
    return steps


def check_copy(copy: Path, steps: int) -> None:
    """Check that the copy is intact and has the tables of this schema version.

    Raises StoreError, whose text goes on after its name."""
    try:
        with closing(connect(copy, mode="ro")) as reading:
            found = reading.execute("PRAGMA quick_check(1)").fetchone()[0]
            taken = reading.execute("PRAGMA user_version").fetchone()[0]
            shape = shape_of(reading)
    except sqlite3.Error as error:
        raise StoreError(f"cannot be read: {error}") from error
    if found != "ok" or taken != steps:
        raise StoreError("is not whole")
    ours = shape_after(steps)
    if missing := sorted(name for kind, name in ours - shape):
        raise StoreError(f"has no {missing[0]}")
    if strange := sorted(name for kind, name in shape - ours if kind in ("trigger", "view")):
        raise StoreError(f"has a trigger or view of its own, {printable(strange[0])!r}")


_CHUNK = 1 << 20  # bytes that are compressed at once


@dataclass(frozen=True, slots=True)
class Step:
    """What leads a copy to a place."""

    place: Place
    version: int
    """The shape of the database there."""
    group: bytes | None
    """What `recording.packed` made; None: nothing is changed."""


class Replica:
    """One open copy. Its commits do not wait for the disk: the history holds any lost ones."""

    def __init__(self, path: Path) -> None:
        """Raises StoreError."""
        self._path = path
        with _named(path):
            self._connection = connect(path)
            set_up(self._connection)
            self._connection.execute("PRAGMA synchronous = NORMAL")
            version: int = self._connection.execute("PRAGMA user_version").fetchone()[0]
            self._version = version

    def run(self, steps: Iterable[Step]) -> None:
        """Apply these steps, each in one commit with its position. Raises StoreError."""
        with _named(self._path):
            passed = None
            for step in steps:
                if step.version > self._version:
                    migrate(self._connection, step.version)
                    self._version = step.version
                passed = step if step.group is None else None
                if step.group is not None:
                    self._commit(step.group, step.place)
            if passed is not None:
                set_place(self._connection, passed.place)

    def close(self) -> None:
        self._connection.close()

    def _commit(self, group: bytes, place: Place) -> None:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            replay(self._connection, group)
            set_place(self._connection, place)
            self._connection.execute("COMMIT")
        finally:
            self._connection.rollback()


def state_of(path: Path) -> Replicated | None:
    """How far a file is; None when it has no history, or is missing. Raises StoreError."""
    if not path.exists():
        return None
    with _named(path), closing(connect(path, mode="ro")) as connection:
        return replicated(connection)


def prepare(path: Path, becoming: str) -> None:
    """Make or open a file that a history is about to be made of. Raises StoreError."""
    bring_to_newest(path)
    with _named(path), closing(connect(path)) as connection:
        set_becoming(connection, becoming)


def base_of(path: Path, copy: Path, size: int) -> Iterator[bytes]:
    """The file as it is now, compressed, in parts of a size; the place in `copy` beside it.

    Raises StoreError."""
    copy.unlink(missing_ok=True)
    copy_database(path, copy)
    return _parts(copy, size)


def _parts(file: Path, size: int) -> Iterator[bytes]:
    packer, waiting = zlib.compressobj(), bytearray()
    with file.open("rb") as content:
        while chunk := content.read(_CHUNK):
            waiting += packer.compress(chunk)
            while len(waiting) > size:
                yield bytes(waiting[:size])
                del waiting[:size]
    waiting += packer.flush()
    for start in range(0, len(waiting), size):
        yield bytes(waiting[start : start + size])


class BaseFile:
    """A base on its way in, beside the file that it will be."""

    def __init__(self, path: Path) -> None:
        self._path, self._arriving = path, path.with_name(f"{path.name}.base")
        self._unpacker = zlib.decompressobj()
        with _named(path):
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            self._file = os.fdopen(for_owner_alone(str(self._arriving), flags), "wb")

    def write(self, part: bytes) -> None:
        """Raises StoreError."""
        with _named(self._path):
            self._file.write(self._unpacker.decompress(part))

    def settle(self, place: Place) -> None:
        """Replace the present file with it. Raises StoreError."""
        with _named(self._path):
            self._file.write(self._unpacker.flush())
            self._file.close()
            with closing(connect(self._arriving)) as connection:
                set_place(connection, place)
            # The old one goes first: beside the new one its -wal would be taken for the new one's.
            for old in ("", "-wal", "-shm"):
                self._path.with_name(self._path.name + old).unlink(missing_ok=True)
            self._arriving.rename(self._path)

    def close(self) -> None:
        """Leave nothing behind."""
        self._file.close()
        self._arriving.unlink(missing_ok=True)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, ValueError, OSError, zlib.error) as error:
        raise StoreError(f"{path}: the copy of a home cannot be used: {error}") from error
