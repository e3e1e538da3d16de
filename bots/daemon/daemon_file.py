"""How commands find the running daemon: DATA/daemon.json, and the lock that keeps it alone.

The file holds the token, so only its owner may read it. It goes with the daemon; one that a
killed daemon left behind is known by its process being gone.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated

import psutil
import structlog
from filelock import FileLock, Timeout
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bots.daemon.data_folder import DAEMON_NAME, LOCK_NAME, OURS, refuse_foreign
from bots.errors import SettingsError
from bots.private_files import (
    FILE_MODE,
    OTHERS,
    for_owner_alone,
    make_private,
    make_private_folder,
)
from bridge.errors import UserError
from bridge.foreign_json import NotJson, read_object
from bridge.port import ServerAddress as Joined

log = structlog.get_logger()

FILE_NAME = DAEMON_NAME
WRITABLE_BY_OTHERS = 0o022
SAME_S = 0.05
CLOCK_SLACK_S = 2.0  # a file's time and a process's start are taken from different clocks


class NoDaemon(UserError):
    """No daemon runs on this data folder; the text says what to do."""


class DaemonSilent(UserError):
    """A daemon should be there, but it does not answer."""


class DaemonRunning(UserError):
    """Another daemon has this data folder."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class ServerAddress(_Part):
    host: str
    port: Annotated[int, Field(ge=1, le=65535)]
    version: str

    @classmethod
    def of(cls, at: Joined, versions: Iterable[str | None]) -> ServerAddress:
        """With the first version that is known, its own or one that bots were told."""
        version = next(filter(None, [at.version, *versions]), "")
        return cls(host=at.host, port=at.port, version=version)


class DashboardAddress(_Part):
    url: str
    """With its closing slash."""
    token: str = Field(repr=False)

    @property
    def bearer(self) -> dict[str, str]:
        """The header that shows the token."""
        return {"Authorization": f"Bearer {self.token}"}

    @property
    def stream(self) -> str:
        """The address of the WebSocket."""
        return f"{self.url.replace('http', 'ws', 1)}ws"


class DaemonFile(_Part):
    pid: Annotated[int, Field(ge=1)]
    server: ServerAddress
    dashboard: DashboardAddress
    bots: tuple[str, ...]
    born_s: float | None = None
    """When the process was started; see `born_s`."""
    member: str | None = None
    """Its name in a cluster, whose other daemons have bots too; None alone."""

    def silent(self) -> DaemonSilent:
        """The error to raise if it does not answer."""
        return DaemonSilent(
            f"the daemon (process {self.pid}) does not answer at {self.dashboard.url}; "
            "see `townsfolk doctor`, or end it and start anew"
        )

    def foreign(self) -> DaemonSilent:
        """The error to raise if something else answers."""
        return DaemonSilent(f"something else answers at {self.dashboard.url}")


@contextmanager
def alone_on(data_dir: Path) -> Iterator[None]:
    """Hold the data folder, and make it if missing. The file is removed when the block ends.

    Raises DaemonRunning when another process holds it, SettingsError when it is unusable or not
    ours.
    """
    refuse_foreign(data_dir)
    lock = FileLock(data_dir / LOCK_NAME, timeout=0, mode=FILE_MODE)
    try:
        make_private_folder(data_dir)
        _close_to_others(data_dir)
        _replace_open_lock(data_dir)
        lock.acquire()
    except Timeout:
        raise DaemonRunning(_already_running(data_dir)) from None
    except OSError as error:
        raise SettingsError(f"cannot use data folder {data_dir}: {error.strerror}") from error
    try:
        yield
    finally:
        remove(data_dir)
        lock.release()


def _close_to_others(data_dir: Path) -> None:
    """Make our files in the folder private, and the folder too if it holds nothing else."""
    found = {entry.name: entry for entry in data_dir.iterdir()}
    for name in OURS & found.keys() - {LOCK_NAME}:
        if not found[name].is_symlink():  # what lies elsewhere is not ours to close
            make_private(found[name])
    if found.keys() <= OURS:
        make_private(data_dir)
    if os.name == "posix" and data_dir.stat().st_mode & WRITABLE_BY_OTHERS:
        advice = f"others may replace its files: chmod 700 {data_dir}"
        log.warning("data_dir.open", folder=str(data_dir), advice=advice)


def _replace_open_lock(data_dir: Path) -> None:
    """Replace a lock that other users could open: they may hold it and keep us from starting."""
    lock = data_dir / LOCK_NAME
    if os.name != "posix" or not lock.exists() or lock.stat().st_mode & OTHERS == 0:
        return
    with suppress(NoDaemon):  # a running one whose files somebody has opened to others
        read(data_dir)
        raise DaemonRunning(_already_running(data_dir))
    lock.unlink()


def write(data_dir: Path, daemon: DaemonFile) -> None:
    """Put the file in place in one step: a reader sees all of it or none.

    Raises SettingsError when it cannot be written; an earlier one stays as it was."""
    draft, file = data_dir / f"{FILE_NAME}.{os.getpid()}", data_dir / FILE_NAME
    try:
        draft.unlink(missing_ok=True)
        with open(draft, "x", encoding="utf-8", opener=for_owner_alone) as out:
            out.write(daemon.model_dump_json(indent=2, exclude_none=True) + "\n")
        draft.replace(file)
    except OSError as error:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise SettingsError(f"cannot write {file}: {error.strerror}") from error


def read(data_dir: Path) -> DaemonFile:
    """The running daemon of this folder; raises NoDaemon, also when only its file is left."""
    file = data_dir / FILE_NAME
    try:
        daemon = DaemonFile.model_validate_json(file.read_bytes())
    except FileNotFoundError:
        is_there = data_dir.exists()
        on = f" on {data_dir}" if is_there else f": there is no data folder {data_dir}"
        raise NoDaemon(
            f"no daemon runs{on}; start one with `townsfolk up`, or name its folder with --data-dir"
        ) from None
    except OSError as error:
        raise NoDaemon(f"cannot read {file}: {error.strerror}") from error
    except ValidationError:
        raise NoDaemon(f"{file} is damaged; start the daemon anew with `townsfolk up`") from None
    if not writer_runs(daemon.pid, file, daemon.born_s):
        raise NoDaemon(f"the daemon of {data_dir} has ended; start it with `townsfolk up`")
    return daemon


def remove(data_dir: Path) -> None:
    """Remove the file if there is one."""
    with suppress(OSError):  # readers also notice that its process is gone
        (data_dir / FILE_NAME).unlink(missing_ok=True)


def born_s(pid: int) -> float:
    """The start of a process in seconds since boot, on a clock that nobody can set."""
    return round(float(psutil.Process(pid).create_time() - psutil.boot_time()), 2)


def writer_runs(pid: int, file: Path, born: float | None = None) -> bool:
    """Whether the process that wrote the file lives: its number may have been given anew.

    `born` is its `born_s`; where that is not known, the time of the file tells, unless the
    machine's clock was set meanwhile."""
    try:
        process = psutil.Process(pid)
        started, status = process.create_time(), process.status()
        is_the_same = born is not None and abs(born_s(pid) - born) < SAME_S
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True
    written = file.stat().st_mtime
    is_older = started <= written + CLOCK_SLACK_S
    return bool(status != psutil.STATUS_ZOMBIE and (is_the_same or is_older))


def _already_running(data_dir: Path) -> str:
    try:
        pid = read_object((data_dir / FILE_NAME).read_bytes())["pid"]
    except (OSError, NotJson, KeyError):
        return f"another daemon is starting on {data_dir}"
    ways = "`townsfolk stop` ends it; or use another folder: --data-dir, or Settings(data_dir=…)"
    return f"a daemon (process {pid}) already runs on {data_dir}. {ways}"
