"""Backups of a data folder. A daemon may run during a backup, but not during a restore.

    DIR/manifest.json       what made it, and the checksum of each file below
    DIR/townsfolk.sqlite    the database as it was at one moment
    DIR/…                   settings, characters, records, experiments, as in the data folder

A backup is complete or absent: we write it under another name and then rename it.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from math import inf
from pathlib import Path, PurePosixPath
from typing import Annotated, BinaryIO

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from bots.cluster.home import FILE_NAME as HOME
from bots.daemon.daemon_file import alone_on
from bots.daemon.data_folder import BESIDE_DATABASE, CHAT_HISTORY_NAME, EXPERIMENTS_FOLDER, OURS
from bots.errors import StoreError, StoreUnwritable
from bots.observability.logs import LOG_FOLDER
from bots.private_files import for_owner_alone, make_private_folder
from bots.responder.case.persona import PERSONA_FOLDER
from bots.responder.records.keeper import FILE_NAME as DECISIONS
from bots.responder.records.keeper import PROMPTS_NAME as PROMPTS
from bots.settings.loading import FILE_NAME as CONFIG_NAME
from bots.settings.settings import ACCOUNTS_FOLDER
from bots.store.database import FILE_NAME as DATABASE
from bots.store.migrations import newest
from bots.store.replica import check_copy, copy_database
from bots.text.printable import printable
from bridge.errors import UserError

KB, MB, GB = 1_000, 1_000_000, 1_000_000_000
_ONE = r"[^./\\:][^/\\:]{0,254}"  # a name that is not hidden
_BELOW = rf"{_ONE}(?:/{_ONE}){{0,9}}"

KEPT = {
    re.escape(CONFIG_NAME): MB,
    re.escape(CHAT_HISTORY_NAME): 100 * MB,
    re.escape(HOME): KB,
    f"{PERSONA_FOLDER}/{_BELOW}": 100 * MB,
    f"{ACCOUNTS_FOLDER}/{_ONE}": MB,
    f"{EXPERIMENTS_FOLDER}/{_BELOW}": 4 * GB,
    rf"{LOG_FOLDER}/(?:{re.escape(DECISIONS)}|{re.escape(PROMPTS)})[.\d]*": 4 * GB,
}
"""Paths in the data folder, and how many bytes each file may have; the other logs are not kept, nor
what others put there."""
FOLDERS = (PERSONA_FOLDER, ACCOUNTS_FOLDER, EXPERIMENTS_FOLDER)
_PATTERNS = {re.compile(pattern): most for pattern, most in KEPT.items()}


def is_kept(name: str, size: int) -> bool:
    """Whether a backup may hold a file of this path and size."""
    fits = (most for pattern, most in _PATTERNS.items() if pattern.fullmatch(name))
    return name.isprintable() and size <= next(fits, -1)


def is_setting(name: str) -> bool:
    """Whether it says what a daemon does, or as whom its bots join."""
    return name == CONFIG_NAME or name.startswith(f"{ACCOUNTS_FOLDER}/")


def files_in(source: Path) -> Iterator[tuple[str, Path]]:
    """What is kept of a data folder: its path in the backup, and where it lies."""
    for path in _candidates(source):
        name = path.relative_to(source).as_posix()
        if is_kept(name, path.stat().st_size):
            yield name, path


def _left_out(source: Path) -> Iterator[str]:
    """What is not ours; and among what is kept, what is hidden or larger than anything of ours."""
    ours = OURS | {ACCOUNTS_FOLDER, DRAFT}
    yield from sorted(entry.name for entry in source.iterdir() if entry.name not in ours)
    kept = {path for _, path in files_in(source)}
    for path in _candidates(source):
        if path not in kept and path.parent != source / LOG_FOLDER:
            yield path.relative_to(source).as_posix()


def _candidates(source: Path) -> Iterator[Path]:
    top = [source / name for name in (CONFIG_NAME, CHAT_HISTORY_NAME, HOME)]
    # Of records the newest come first: one that is renamed meanwhile comes twice, not never.
    below = [path for name in FOLDERS for path in sorted((source / name).glob("**/*"))]
    for path in (*top, *below, *sorted((source / LOG_FOLDER).glob("*"))):
        if path.is_file():
            yield path


def is_plain(folder: Path, name: str) -> bool:
    """Whether this is a file itself, and its folders are: no link, no pipe, no device.

    Raises OSError when it is not there."""
    *folders, _ = (folder / name).relative_to(folder).parts
    at = folder
    for part in folders:
        at /= part
        if not stat.S_ISDIR(at.lstat().st_mode):
            return False
    return stat.S_ISREG((folder / name).lstat().st_mode)


MANIFEST = "manifest.json"
DRAFT = ".restore.part"
"""In the data folder, while a backup is put back."""
FORMAT = 2
"""Of the manifest; a higher one is of a newer townsfolk, and 1 of one before 1.0."""
CHUNK_BYTES = MB
MOST_MANIFEST_BYTES = 64 * MB
MOST_BYTES = 2**53
FIRST_YEAR, LAST_YEAR = 2000, 9000
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT})


class BackupRefused(UserError):
    """We cannot make or restore a backup; the text says why and what to do."""


class Kept(BaseModel):
    """One file of a backup."""

    model_config = ConfigDict(frozen=True)

    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    size: Annotated[int, Field(ge=0, le=MOST_BYTES)]


def _in_our_times(moment: datetime) -> datetime:
    """Others cannot be told in this place's hours."""
    if not FIRST_YEAR < moment.year < LAST_YEAR:
        raise ValueError("not of our times")
    return moment


class Manifest(BaseModel):
    """What a backup holds."""

    model_config = ConfigDict(frozen=True)

    format: int
    townsfolk: str
    """The version that made it."""
    database: Annotated[int, Field(ge=0)]
    """The schema version of its database."""
    made_at: Annotated[AwareDatetime, AfterValidator(_in_our_times)]
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
    """Files in the data folder that do not belong to townsfolk."""


@dataclass(frozen=True, slots=True)
class Brought:
    """Settings that a backup brings along."""

    settings: bytes | None
    """Its settings file."""
    accounts: tuple[str, ...]
    """Of which it has tokens."""


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
    files = [source / DATABASE, *(path for _, path in files_in(source))]
    needed = sum(path.stat().st_size for path in files if path.exists())
    with _drafted(draft, needed):
        manifest = _copied(source, draft, config)
        with _new(draft / MANIFEST) as out:
            out.write(manifest.model_dump_json(indent=2).encode() + b"\n")
        _settle(draft, *(path for path in draft.rglob("*") if path.is_dir()))
        draft.rename(target)
        _settle(target.parent)
    return Backup(folder, manifest, tuple(_left_out(source)))


def put_back(
    folder: Path, data_dir: Path, agree: Callable[[Brought], bool] = lambda _: True
) -> Backup:
    """Put a backup into a data folder that has none of its files yet, all of it or nothing.

    `agree` is asked whether settings that come along are to be put back, before anything changes.
    Raises BackupRefused, and DaemonRunning when a daemon has that folder."""
    manifest = _read(folder)
    _refuse_unless_whole(folder, manifest, data_dir)
    if (brought := _brought(folder, manifest)) and not agree(brought):
        without = {name: one for name, one in manifest.files.items() if not is_setting(name)}
        manifest = manifest.model_copy(update={"files": without})
    _refuse_taken(data_dir, manifest)
    with alone_on(data_dir):
        _refuse_taken(data_dir, manifest)  # by a daemon that has ended meanwhile
        draft = data_dir / DRAFT
        shutil.rmtree(draft, ignore_errors=True)  # of one that was killed
        with _drafted(draft, manifest.size):
            for name, kept in manifest.files.items():
                if _copy(folder / name, draft / name) != kept:
                    raise BackupRefused(_changed(folder, name))
            copy = draft / DATABASE
            try:
                check_copy(copy, manifest.database)
            except StoreError as error:
                raise BackupRefused(f"{folder} is damaged: its database {error}") from error
            _move(draft, data_dir, [*manifest.files])
    return Backup(folder, manifest)


# --- making one ----------------------------------------------------------------------


def _copied(source: Path, draft: Path, config: Path | None) -> Manifest:
    steps = copy_database(source / DATABASE, draft / DATABASE)
    files = {DATABASE: _kept(draft / DATABASE)}
    kept = dict(files_in(source)) | ({CONFIG_NAME: config} if config else {})
    for name, path in kept.items():
        with suppress(FileNotFoundError):  # removed, or renamed as it grew too long
            files[name] = _copy(path, draft / name)
    return Manifest(
        format=FORMAT,
        townsfolk=version("townsfolk"),
        database=steps,
        made_at=datetime.now(UTC),
        files=files,
    )


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
        manifest = Manifest.model_validate_json(_bytes_of(folder, MANIFEST, MOST_MANIFEST_BYTES))
    except OSError as error:
        raise BackupRefused(f"{folder} is no backup: {MANIFEST}: {error.strerror}") from error
    except (ValidationError, ValueError):
        raise BackupRefused(
            f"{folder} is no backup of townsfolk, or is damaged: its {MANIFEST} cannot be read"
        ) from None
    if manifest.format < FORMAT:
        raise BackupRefused(
            f"{folder} is a backup of a townsfolk before 1.0, which this one cannot read; "
            "begin anew: townsfolk up --data-dir DIR"
        )
    if manifest.format > FORMAT or manifest.database > newest():
        raise BackupRefused(
            f"{folder} was made by a newer townsfolk ({printable(manifest.townsfolk[:40])}; its "
            f"database has version {manifest.database}, known here: {newest()}): "
            "install that one"
        )
    if DATABASE not in manifest.files:
        raise BackupRefused(f"{folder} is damaged: it has no {DATABASE}")
    for name, kept in manifest.files.items():
        if name != DATABASE and not is_kept(name, kept.size):
            raise BackupRefused(
                f"{folder} is damaged or not made by townsfolk: it names "
                f"{printable(name[:100])!r} of {kept.size:,} bytes, which no backup holds"
            )
    return manifest


def _bytes_of(folder: Path, name: str, most: int) -> bytes:
    """All of a small file of the backup. Raises OSError and BackupRefused."""
    _refuse_link(folder, name)
    if (size := (folder / name).stat().st_size) > most:
        raise BackupRefused(f"{folder} is damaged: its {name} has {size:,} bytes")
    return (folder / name).read_bytes()


def _refuse_link(folder: Path, name: str) -> None:
    """Raises OSError when it is not there."""
    if not is_plain(folder, name):
        raise BackupRefused(f"{folder} is damaged: {name} is no file of its own, but a link")


def _refuse_unless_whole(folder: Path, manifest: Manifest, data_dir: Path) -> None:
    """Sizes first: nothing is read that cannot be put back."""
    for name, kept in manifest.files.items():
        try:
            _refuse_link(folder, name)
            is_whole = (folder / name).stat().st_size == kept.size
        except OSError:
            raise BackupRefused(_missing(folder, name)) from None
        if not is_whole:
            raise BackupRefused(_changed(folder, name))
    if manifest.size > _free(data_dir):
        raise BackupRefused(_why(StoreUnwritable(), data_dir, manifest.size))
    for name, kept in manifest.files.items():
        try:
            found = _kept(folder / name)
        except OSError:
            raise BackupRefused(_missing(folder, name)) from None
        if found != kept:
            raise BackupRefused(_changed(folder, name))


def _free(folder: Path) -> float:
    """How many bytes the disk of a folder takes, which need not be there yet."""
    there = next(one for one in (folder.absolute(), *folder.absolute().parents) if one.exists())
    with suppress(OSError):
        return shutil.disk_usage(there).free
    return inf


def _brought(folder: Path, manifest: Manifest) -> Brought | None:
    names = [*filter(is_setting, manifest.files)]
    text = _bytes_of(folder, CONFIG_NAME, MB) if CONFIG_NAME in names else None
    accounts = tuple(PurePosixPath(name).stem for name in names if name != CONFIG_NAME)
    return Brought(text, accounts) if names else None


def _refuse_taken(data_dir: Path, manifest: Manifest) -> None:
    if taken := {*_taken(data_dir, [*manifest.files, *BESIDE_DATABASE])}:
        raise BackupRefused(
            f"{data_dir} has {', '.join(sorted(taken)[:3])} already: move it away, "
            "or use another --data-dir"
        )


def _taken(data_dir: Path, names: Iterable[str]) -> Iterator[str]:
    """What is there already, and links in the place of folders, which would lead elsewhere."""
    if os.path.lexists(draft := data_dir / DRAFT) and not _is_folder(draft):
        yield DRAFT
    for name in names:
        if os.path.lexists(data_dir / name):
            yield name
        for parent in PurePosixPath(name).parents:
            at = data_dir / parent
            if at != data_dir and os.path.lexists(at) and not _is_folder(at):
                yield str(parent)


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _missing(folder: Path, name: str) -> str:
    return f"{folder} is damaged: {name} is missing or cannot be read"


def _changed(folder: Path, name: str) -> str:
    return f"{folder} is damaged: {name} is not as it was kept"


def _move(draft: Path, data_dir: Path, files: Sequence[str]) -> None:
    """Restore everything or nothing. The database comes last: only with it is a restore done."""
    with ExitStack() as unless_whole:
        for name in sorted(files, key=lambda name: name == DATABASE):
            for folder in reversed((data_dir / name).relative_to(data_dir).parents[:-1]):
                if not (data_dir / folder).exists():
                    make_private_folder(data_dir / folder)
                    unless_whole.callback((data_dir / folder).rmdir)
            (draft / name).rename(data_dir / name)
            unless_whole.callback((data_dir / name).unlink)
        _settle(data_dir)
        unless_whole.pop_all()
    shutil.rmtree(draft, ignore_errors=True)


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
    free = _free(folder)
    told = "" if free == inf else f", {free / MB:.1f} MB are free"
    return f"the disk of {folder} is full: about {needed / MB:.1f} MB are needed{told}"


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
