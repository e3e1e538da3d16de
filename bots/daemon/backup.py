"""Backups of a data folder: made while its daemon runs, put back where none runs.

    DIR/manifest.json       what made it, and the checksum of each file below
    DIR/townsfolk.sqlite    the database as it was at one moment
    DIR/…                   settings, characters, records, experiments, as in the data folder

A backup is whole or not there: it is written under another name, then renamed.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from typing import Annotated, BinaryIO

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from bots.cluster.home import FILE_NAME as HOME
from bots.daemon.daemon_file import CHAT_HISTORY_NAME, EXPERIMENTS_FOLDER, OURS, alone_on
from bots.errors import StoreUnwritable
from bots.observability.logs import LOG_FOLDER
from bots.private_files import for_owner_alone, make_private_folder
from bots.responder.case.persona import PERSONA_FOLDER
from bots.responder.records.file import FILE_NAME as DECISIONS
from bots.responder.records.file import PROMPTS_NAME as PROMPTS
from bots.settings.loading import FILE_NAME as CONFIG_NAME
from bots.settings.settings import ACCOUNTS_FOLDER
from bots.store.copying import copy_database
from bots.store.database import FILE_NAME as DATABASE
from bots.store.migrations import MIGRATIONS
from bridge.errors import UserError

MANIFEST = "manifest.json"
DRAFT = ".restore.part"
"""In the data folder, while a backup is put back."""
FORMAT = 1
"""Of the manifest; a higher one is of a newer townsfolk."""
KEPT = (
    CONFIG_NAME,
    CHAT_HISTORY_NAME,
    HOME,
    f"{PERSONA_FOLDER}/**/*",
    f"{ACCOUNTS_FOLDER}/**/*",
    f"{EXPERIMENTS_FOLDER}/**/*",
    f"{LOG_FOLDER}/{DECISIONS}*",
    f"{LOG_FOLDER}/{PROMPTS}*",
)
"""What is kept besides the database; the other logs are not, and what others put there."""
BESIDE_DATABASE = tuple(f"{DATABASE}{end}" for end in ("-wal", "-shm", "-journal"))
"""Left by another database, SQLite would take them for parts of the one that is put back."""
MB = 1_000_000
CHUNK_BYTES = 1_000_000
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT})


class BackupRefused(UserError):
    """A backup is not made, or not put back; the text says why, and what to do."""


class Kept(BaseModel):
    """One file of a backup."""

    model_config = ConfigDict(frozen=True)

    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    size: Annotated[int, Field(ge=0)]


class Manifest(BaseModel):
    """What a backup holds."""

    model_config = ConfigDict(frozen=True)

    format: int
    townsfolk: str
    """The version that made it."""
    database: Annotated[int, Field(ge=0)]
    """The steps that the shape of its database has taken."""
    made_at: AwareDatetime
    files: dict[str, Kept]
    """By their path in the data folder."""

    @property
    def size(self) -> int:
        return sum(kept.size for kept in self.files.values())


@dataclass(frozen=True, slots=True)
class Backup:
    folder: Path
    manifest: Manifest
    left_out: tuple[str, ...] = ()
    """What lies in the data folder and is not ours."""


def back_up(data_dir: Path, folder: Path, config: Path | None = None) -> Backup:
    """Copy a data folder into a new folder, while its daemon runs or not.

    `config` is a settings file that lies elsewhere. Raises BackupRefused, StoreError."""
    source, target = data_dir.resolve(), folder.absolute()
    if config is not None and not config.is_file():
        raise BackupRefused(f"there is no settings file {config}")
    if not (source / DATABASE).is_file():
        raise BackupRefused(f"there is nothing to keep: {data_dir} has no {DATABASE}")
    if target.exists():
        raise BackupRefused(f"{folder} is there already: name a folder that is not")
    if target.resolve().is_relative_to(source):
        raise BackupRefused(f"{folder} lies in the data folder: name one outside of it")
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    with _drafted(draft, _size_of(source)):
        manifest = _copied(source, draft, config)
        with _new(draft / MANIFEST) as out:
            out.write(manifest.model_dump_json(indent=2).encode() + b"\n")
        _settle(*_folders_of(draft))
        draft.rename(target)
        _settle(target.parent)
    return Backup(folder, manifest, tuple(_left_out(source)))


def put_back(folder: Path, data_dir: Path) -> Backup:
    """Put a backup into a data folder that has none of its files yet.

    Raises BackupRefused, and DaemonRunning when a daemon has that folder."""
    manifest = _read(folder)
    _check(folder, manifest)
    with alone_on(data_dir):
        taken = [name for name in (*manifest.files, *BESIDE_DATABASE) if (data_dir / name).exists()]
        if taken:
            raise BackupRefused(
                f"{data_dir} has {', '.join(sorted(taken)[:3])} already: move it away, "
                "or use another --data-dir"
            )
        draft = data_dir / DRAFT
        shutil.rmtree(draft, ignore_errors=True)  # of one that was killed
        with _drafted(draft, manifest.size):
            for name, kept in manifest.files.items():
                _put(folder / name, draft / name, kept)
            _move(draft, data_dir, manifest.files)
    return Backup(folder, manifest)


# --- making one ----------------------------------------------------------------------


def _copied(source: Path, draft: Path, config: Path | None) -> Manifest:
    steps = copy_database(source / DATABASE, draft / DATABASE)
    files = {DATABASE: _kept(draft / DATABASE)}
    for name, path in _files(source, config):
        with suppress(FileNotFoundError):  # removed, or renamed as it grew too long
            files[name] = _copy(path, draft / name)
    return Manifest(
        format=FORMAT,
        townsfolk=version("townsfolk"),
        database=steps,
        made_at=datetime.now(UTC),
        files=files,
    )


def _files(source: Path, config: Path | None) -> Iterator[tuple[str, Path]]:
    """What is kept besides the database: its name in the backup, and where it lies."""
    found = {
        path.relative_to(source).as_posix(): path
        for pattern in KEPT
        # Of records the newest come first: one that is renamed meanwhile comes twice, not never.
        for path in sorted(source.glob(pattern))
        if path.is_file()
    }
    yield from (found | ({CONFIG_NAME: config} if config else {})).items()


def _left_out(source: Path) -> Iterator[str]:
    ours = OURS | {ACCOUNTS_FOLDER, DRAFT}
    yield from sorted(entry.name for entry in source.iterdir() if entry.name not in ours)


def _size_of(source: Path) -> int:
    files = [source / DATABASE, *(path for _, path in _files(source, None))]
    return sum(path.stat().st_size for path in files if path.exists())


def _kept(path: Path) -> Kept:
    with path.open("rb") as reading:
        return _tallied(reading, lambda chunk: None)


def _copy(path: Path, copy: Path) -> Kept:
    """What was read is what is written: the file may grow meanwhile."""
    with path.open("rb") as reading, _new(copy) as writing:
        return _tallied(reading, writing.write)


def _tallied(reading: BinaryIO, take: Callable[[bytes], object]) -> Kept:
    digest, size = hashlib.sha256(), 0
    while chunk := reading.read(CHUNK_BYTES):
        take(chunk)
        digest.update(chunk)
        size += len(chunk)
    return Kept(sha256=digest.hexdigest(), size=size)


# --- putting one back ----------------------------------------------------------------


def _read(folder: Path) -> Manifest:
    try:
        text = (folder / MANIFEST).read_bytes()
    except OSError as error:
        raise BackupRefused(f"{folder} is no backup: {MANIFEST}: {error.strerror}") from error
    try:
        manifest = Manifest.model_validate_json(text)
    except ValidationError:
        raise BackupRefused(f"{folder} is damaged: its {MANIFEST} cannot be read") from None
    if manifest.format > FORMAT or manifest.database > len(MIGRATIONS):
        raise BackupRefused(
            f"{folder} was made by a newer townsfolk ({manifest.townsfolk}; its database has "
            f"version {manifest.database}, known here: {len(MIGRATIONS)}): install that one"
        )
    if strange := [name for name in manifest.files if not _is_inside(name)]:
        raise BackupRefused(f"{folder} is damaged: it names a file outside of it, {strange[0]!r}")
    if DATABASE not in manifest.files:
        raise BackupRefused(f"{folder} is damaged: it has no {DATABASE}")
    return manifest


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    plain = "\\" not in name and ":" not in name and name == path.as_posix()
    return plain and not path.is_absolute() and path.parts != () and ".." not in path.parts


def _check(folder: Path, manifest: Manifest) -> None:
    for name, kept in manifest.files.items():
        _same(name, folder, _found(folder / name), kept)


def _found(path: Path) -> Kept | None:
    try:
        return _kept(path)
    except OSError:
        return None


def _put(path: Path, copy: Path, kept: Kept) -> None:
    _same(path.name, path.parent, _copy(path, copy), kept)


def _same(name: str, folder: Path, found: Kept | None, kept: Kept) -> None:
    if found is None:
        raise BackupRefused(f"{folder} is damaged: {name} is missing or cannot be read")
    if found != kept:
        raise BackupRefused(f"{folder} is damaged: {name} is not as it was kept")


def _move(draft: Path, data_dir: Path, files: Iterable[str]) -> None:
    """The database comes last: before it is there, nothing was put back."""
    for name in sorted(files, key=lambda name: name == DATABASE):
        make_private_folder((data_dir / name).parent)
        (draft / name).rename(data_dir / name)
    shutil.rmtree(draft)
    _settle(data_dir)


# --- files ---------------------------------------------------------------------------


@contextmanager
def _drafted(draft: Path, needed: int) -> Iterator[None]:
    """A new folder, gone again when the block fails; a failing disk is told in plain words."""
    with ExitStack() as unless_whole:
        unless_whole.callback(shutil.rmtree, draft, ignore_errors=True)
        try:
            make_private_folder(draft)
            yield
        except (OSError, StoreUnwritable) as error:
            raise BackupRefused(_why(error, draft.parent, needed)) from error
        unless_whole.pop_all()


def _why(error: OSError | StoreUnwritable, folder: Path, needed: int) -> str:
    if isinstance(error, OSError) and error.errno not in _NO_ROOM:
        return f"{error.filename or folder}: {error.strerror}"
    free = ""
    with suppress(OSError):
        free = f", {shutil.disk_usage(folder).free / MB:.1f} MB are free"
    return f"the disk of {folder} is full: about {needed / MB:.1f} MB are needed{free}"


@contextmanager
def _new(path: Path) -> Iterator[BinaryIO]:
    """A new file; when the block ends it is on the disk itself."""
    make_private_folder(path.parent)
    with open(path, "xb", opener=for_owner_alone) as out:
        yield out
        out.flush()
        os.fsync(out.fileno())


def _settle(*folders: Path) -> None:
    """Have the names in these folders on the disk itself."""
    if os.name != "posix":
        return
    for folder in folders:
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _folders_of(draft: Path) -> Iterator[Path]:
    yield draft
    yield from (path for path in draft.rglob("*") if path.is_dir())
