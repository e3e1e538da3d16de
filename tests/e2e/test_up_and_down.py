"""How a daemon begins, how it ends, and how it says that it cannot begin."""

import re
import signal
import socket
import stat
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from e2e.daemon_client import Json
from e2e.daemon_process import Ended, Site, eventually

pytestmark = pytest.mark.real

QUIET = {"TOWNSFOLK_TALK__SMALL_TALK": "false"}
PROMISED_END_S = 2.0
WHILE_LOADING_S = 15.0  # to end, on a busy machine; a join is given up after 20
ORPHANS_GONE_S = 3.0


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        yield taken.getsockname()[1]


def assert_refused_plainly(ended: Ended, *words: str) -> None:
    """No success, nothing on stdout, one sentence of ours on stderr besides the log."""
    assert ended.code != 0
    assert ended.out == ""
    assert "Traceback" not in ended.err
    told = [line for line in ended.err.splitlines() if line.startswith("townsfolk: ")]
    assert len(told) == 1, ended.err
    for word in words:
        assert word in told[0]


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def test_stdout_has_the_ready_line_alone_as_daemon_json_says_it(site: Site) -> None:
    async with site.up("--for", "1", **QUIET) as daemon:
        file = daemon.file
        modes = [mode_of(path) for path in (site.data_dir, site.data_dir / "daemon.json")]
        at = f"{file['server']['host']}:{file['server']['port']}"
        dashboard = file["dashboard"]["url"]
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", dashboard)
        assert daemon.ready_line == f"ready server={at} bots=Alice,Bob dashboard={dashboard}\n"
        assert modes == [0o700, 0o600]
        assert (file["pid"], file["bots"]) == (daemon.pid, ["Alice", "Bob"])
        assert file["server"]["version"] == "1.16.5"
        assert len(file["dashboard"]["token"]) >= 24
        assert await daemon.ended() == 0
        assert await daemon.rest_of_stdout() == ""
        assert file["dashboard"]["token"] not in daemon.stderr


@pytest.fixture
def systemd() -> Iterator[socket.socket]:
    """Where systemd listens."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind("")  # an address of its own
        listening.setblocking(False)
        yield listening


async def test_for_one_second_ends_and_leaves_nothing(site: Site, systemd: socket.socket) -> None:
    at = systemd.getsockname().decode().replace("\0", "@", 1)
    told = {"NOTIFY_SOCKET": at, "WATCHDOG_USEC": "1500000"}  # an unread socket holds ten lines
    async with site.up("--for", "1", **QUIET, **told) as daemon:
        ready_s = time.monotonic()
        assert len(daemon.descendants()) >= 2
        assert await daemon.ended() == 0
        assert 0.9 < time.monotonic() - ready_s < 1 + PROMISED_END_S
        assert daemon.left_behind() == []
        assert not (site.data_dir / "daemon.json").exists()
        assert daemon.tracebacks == []
        signs = [systemd.recv(4096).decode().split("\n")]
        while signs[-1][0] != "STOPPING=1":
            signs.append(systemd.recv(4096).decode().split("\n"))
        assert signs[0] == ["READY=1"]
        assert ["STATUS=2 of 2 bots are in the world", "WATCHDOG=1"] in signs[1:-1]


def lines_of(history: list[Json]) -> list[tuple[str, str]]:
    """(speaker, words) of a history, in its order."""
    return [(line["speaker"], words_of(line["content"])) for line in history]


def words_of(content: str | Json) -> str:
    return content if isinstance(content, str) else str(content["message"])


async def test_two_bots_talk_by_themselves_and_both_remember_each_line_once(site: Site) -> None:
    shipped = {"TOWNSFOLK_TALK__SMALL_TALK": "true", "TOWNSFOLK_IDLE__ENABLED": "true"}
    async with site.up(**shipped) as daemon, daemon.watching(last=0) as watch:
        for _ in range(2):
            await watch.next("smalltalk.said", within_s=30)
        histories = {bot: await daemon.history(bot) for bot in ("Alice", "Bob")}
    said = lines_of(histories["Alice"])[:2]
    assert lines_of(histories["Bob"])[:2] == said
    assert {speaker for speaker, _ in said} == {"Alice", "Bob"}
    for bot, history in histories.items():
        assert [line["sequence"] for line in history] == list(range(1, len(history) + 1))
        for line in history[:2]:
            assert_told_or_heard(bot, line)


def assert_told_or_heard(bot: str, line: Json) -> None:
    """Its own lines with their delivery, its fellow's as plain words."""
    own = line["speaker"] == bot
    assert line["role"] == ("assistant" if own else "user")
    if own:
        facts = line["content"]
        (hearer,) = facts["hearers"]
        assert hearer["username"] == ("Bob" if bot == "Alice" else "Alice")
        assert facts["delivered"] is hearer["delivered"] is True
        assert 0 <= hearer["distance"] <= facts["maxDistance"] == 15
    else:
        assert isinstance(line["content"], str)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
async def test_a_signal_ends_all_of_it_within_2_s(site: Site, number: signal.Signals) -> None:
    async with site.up(**QUIET) as daemon:
        assert len(daemon.descendants()) >= 2
        told_s = time.monotonic()
        daemon.send_signal(number)
        assert await daemon.ended() == 0
        assert time.monotonic() - told_s < PROMISED_END_S
        assert daemon.left_behind() == []
        assert not (site.data_dir / "daemon.json").exists()
        assert daemon.tracebacks == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
async def test_a_signal_to_all_its_processes_however_often_ends_it_in_order(
    site: Site, number: signal.Signals
) -> None:
    async with site.up(**QUIET) as daemon:
        assert len(daemon.descendants()) >= 2
        told_s = time.monotonic()
        for _ in range(3):
            daemon.signal_group(number)
        assert await daemon.ended() == 0
        assert time.monotonic() - told_s < PROMISED_END_S
        assert daemon.left_behind() == []
        assert daemon.tracebacks == []
        assert "bridge.lost" not in daemon.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_during_the_start_ends_it_too(site: Site, number: signal.Signals) -> None:
    async with site.starting(**QUIET) as daemon:
        await eventually(lambda: len(daemon.descendants()) >= 1)
        daemon.send_signal(number)
        assert await daemon.ended() == 0
        await eventually(lambda: daemon.left_behind() == [], ORPHANS_GONE_S)
        assert await daemon.rest_of_stdout() == ""
        assert daemon.tracebacks == []


async def test_kill_minus_nine_leaves_no_node_and_no_server(site: Site) -> None:
    async with site.up(**QUIET) as daemon:
        assert len(daemon.descendants()) >= 2
        daemon.send_signal(signal.SIGKILL)
        await daemon.ended()
        await eventually(lambda: daemon.left_behind() == [], ORPHANS_GONE_S)
        ended = await site.townsfolk("exec", "Alice", "!help")
        assert (ended.code, ended.result["reason"]) == (1, "no_daemon")
        assert "has ended" in ended.err


async def test_while_bots_wait_for_a_server_it_ends_without_waiting_for_them(site: Site) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        async with site.starting("--server", f"127.0.0.1:{port}", **QUIET) as daemon:
            await daemon.announced()
            daemon.send_signal(signal.SIGTERM)
            assert await daemon.ended(WHILE_LOADING_S) == 0
            assert daemon.left_behind() == []
            assert daemon.tracebacks == []


async def test_a_second_daemon_on_a_folder_is_refused(site: Site) -> None:
    async with site.up(**QUIET) as daemon:
        file = daemon.file
        second = await site.townsfolk("up", "--for", "1")
        assert_refused_plainly(second, f"process {daemon.pid}", str(site.data_dir))
        assert daemon.file == file
        assert (await daemon.command("Alice", "!echo still here"))["message"] == "still here"


async def test_a_taken_minecraft_port_is_refused_plainly(site: Site, taken_port: int) -> None:
    ended = await site.townsfolk("up", "--minecraft-port", str(taken_port), "--for", "1")
    assert_refused_plainly(ended, f"port {taken_port}", "taken")


async def test_a_corrupt_database_is_told_plainly_and_left_as_it_is(site: Site) -> None:
    site.data_dir.mkdir(parents=True)
    database = site.data_dir / "townsfolk.sqlite"
    database.write_bytes(b"this is no database, but somebody may still want it\n" * 100)
    before = database.read_bytes()
    ended = await site.townsfolk("up", "--for", "1")
    assert_refused_plainly(ended, "townsfolk.sqlite")
    assert database.read_bytes() == before


async def test_offline_without_packages_says_what_is_missing(site: Site, tmp_path: Path) -> None:
    empty = Site(site.folder, tmp_path / "empty-cache")
    ended = await empty.townsfolk("up", "--offline", "--for", "1")
    assert_refused_plainly(ended, "Node packages", "--offline")


async def test_offline_with_the_packages_there_is_an_ordinary_start(site: Site) -> None:
    async with site.up("--offline", "--for", "1", ANTHROPIC_API_KEY="sk-none", **QUIET) as daemon:
        assert (await daemon.get("/healthz"))["online"] == 2
        assert await daemon.ended() == 0
