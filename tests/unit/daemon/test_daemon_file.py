"""daemon.json: found by commands, private, removed at the end; one daemon per folder."""

import fcntl
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from bots.daemon import daemon_file
from bots.daemon.daemon_file import (
    DaemonFile,
    DaemonRunning,
    DashboardAddress,
    NoDaemon,
    ServerAddress,
    alone_on,
)
from bots.errors import SettingsError


def a_daemon(pid: int | None = None) -> DaemonFile:
    return DaemonFile(
        pid=os.getpid() if pid is None else pid,
        server=ServerAddress(host="127.0.0.1", port=25565, version="1.16.5"),
        dashboard=DashboardAddress(url="http://127.0.0.1:1/", token="tf_secret"),
        bots=("Alice", "Bob"),
    )


def test_what_was_written_is_read_by_its_owner_alone(tmp_path: Path) -> None:
    daemon_file.write(tmp_path, a_daemon())
    assert daemon_file.read(tmp_path) == a_daemon()
    assert "tf_secret" not in repr(a_daemon())
    assert stat.S_IMODE((tmp_path / "daemon.json").stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["daemon.json"]


@pytest.mark.parametrize("content", ["", "{", "{}", "[]", '{"pid": "x"}', "\x00"])
def test_a_damaged_file_is_no_daemon(tmp_path: Path, content: str) -> None:
    (tmp_path / "daemon.json").write_text(content)
    with pytest.raises(NoDaemon, match="damaged"):
        daemon_file.read(tmp_path)


def test_a_file_whose_process_has_ended_is_no_daemon(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    daemon_file.write(tmp_path, a_daemon(ended.pid))
    with pytest.raises(NoDaemon, match="has ended"):
        daemon_file.read(tmp_path)


def test_a_file_older_than_its_process_belongs_to_another(tmp_path: Path) -> None:
    daemon_file.write(tmp_path, a_daemon())
    os.utime(tmp_path / "daemon.json", (1_000, 1_000))
    with pytest.raises(NoDaemon, match="has ended"):
        daemon_file.read(tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process has its time by itself")
@pytest.mark.parametrize("jump_s", [86_400, -3_600])
def test_a_daemon_is_found_after_the_clock_was_set(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, jump_s: float
) -> None:
    """After each step forward of the clock, also that of a machine that finds out the time late,
    `townsfolk status` and `stop` said that the daemon had ended."""
    born_s = daemon_file.born_s(os.getpid())
    daemon_file.write(tmp_path, a_daemon().model_copy(update={"born_s": born_s}))
    booted = psutil.boot_time() + jump_s
    monkeypatch.setattr("psutil._pslinux.boot_time", lambda: booted)
    assert daemon_file.read(tmp_path).pid == os.getpid()


def test_no_file_and_no_folder_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(NoDaemon, match="no daemon runs on"):
        daemon_file.read(tmp_path)
    with pytest.raises(NoDaemon, match="there is no data folder"):
        daemon_file.read(tmp_path / "elsewhere")


def test_a_second_daemon_on_the_folder_is_refused_by_name(tmp_path: Path) -> None:
    with alone_on(tmp_path):
        with pytest.raises(DaemonRunning, match="another daemon is starting"), alone_on(tmp_path):
            pass
        daemon_file.write(tmp_path, a_daemon())
        with pytest.raises(DaemonRunning, match=f"process {os.getpid()}"), alone_on(tmp_path):
            pass
        assert daemon_file.read(tmp_path) == a_daemon()


def test_the_file_goes_with_the_daemon_and_the_folder_is_free_again(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    with alone_on(folder):
        daemon_file.write(folder, a_daemon())
    with alone_on(folder), pytest.raises(NoDaemon):
        daemon_file.read(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingsError, match="cannot use data folder"), alone_on(tmp_path / "file"):
        pass


def test_a_file_that_cannot_be_written_is_told_and_leaves_no_draft(tmp_path: Path) -> None:
    (tmp_path / "daemon.json").mkdir()
    with pytest.raises(SettingsError, match="cannot write"):
        daemon_file.write(tmp_path, a_daemon())
    assert [file.name for file in tmp_path.iterdir()] == ["daemon.json"]


def modes(folder: Path) -> dict[str, int]:
    """The rights of a folder and of all in it."""
    found = [folder, *folder.rglob("*")]
    return {str(path.relative_to(folder)): stat.S_IMODE(path.stat().st_mode) for path in found}


@pytest.fixture
def open_umask() -> Iterator[None]:
    """As careless as a user's may be."""
    before = os.umask(0o000)
    yield
    os.umask(before)


@pytest.mark.usefixtures("open_umask")
def test_a_folder_of_ours_that_others_could_read_is_closed(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    for folder in (data_dir, data_dir / "log", data_dir / "bots"):
        folder.mkdir(mode=0o755)
    (data_dir / "townsfolk.sqlite").touch(mode=0o644)
    with alone_on(data_dir):
        open_to_others = {name: mode for name, mode in modes(data_dir).items() if mode & 0o077}
    assert open_to_others == {}


@pytest.mark.usefixtures("open_umask")
def test_a_folder_with_files_of_others_is_left_as_it_is(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "letter.txt").touch(mode=0o644)
    with alone_on(tmp_path):
        found = modes(tmp_path)
    assert (found["."], found["letter.txt"], found["daemon.lock"]) == (0o755, 0o644, 0o600)


def test_a_lock_that_others_could_open_keeps_nobody_from_starting(tmp_path: Path) -> None:
    """In a data folder that others may read, any user could hold the lock and block the start."""
    lock = tmp_path / "daemon.lock"
    lock.touch()
    lock.chmod(0o644)
    tmp_path.chmod(0o755)
    with lock.open() as stranger:  # to read is enough to hold it
        fcntl.flock(stranger, fcntl.LOCK_EX)
        with alone_on(tmp_path):
            assert stat.S_IMODE(lock.stat().st_mode) == 0o600
            with pytest.raises(DaemonRunning), alone_on(tmp_path):
                pass


def test_a_daemon_with_a_lock_as_they_were_is_still_known(tmp_path: Path) -> None:
    (tmp_path / "daemon.lock").touch(mode=0o644)
    daemon_file.write(tmp_path, a_daemon())
    with pytest.raises(DaemonRunning, match=str(os.getpid())), alone_on(tmp_path):
        pass
