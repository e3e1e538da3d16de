"""Starting and ending the embedded server from Python."""

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest
from server.players import Players

from bridge.errors import ServerFailed
from bridge.server.launcher import EmbeddedServer

pytestmark = pytest.mark.real

REPOSITORY = Path(__file__).parents[2]
ORPHAN_PARENT = Path(__file__).with_name("orphan_parent.py")
GONE_WITHIN_S = 3.0


@pytest.fixture
async def server(node_binary: Path, node_dir: Path) -> AsyncIterator[EmbeddedServer]:
    server = await EmbeddedServer.start(node_binary, node_dir)
    yield server
    await server.aclose()


def silent_node(folder: Path, script: str) -> Path:
    """A program in Node's place."""
    fake = folder / "node"
    fake.write_text(f"#!/bin/sh\n{script}\n")
    fake.chmod(0o755)
    return fake


async def test_it_is_ready_on_a_free_port_of_loopback_only(server: EmbeddedServer) -> None:
    sockets = psutil.Process(server.pid).net_connections("tcp")
    listening = [(s.laddr.ip, s.laddr.port) for s in sockets if s.status == psutil.CONN_LISTEN]
    assert listening == [("127.0.0.1", server.port)]


async def test_it_listens_where_it_is_told(node_binary: Path, node_dir: Path) -> None:
    server = await EmbeddedServer.start(node_binary, node_dir, host="0.0.0.0", operators=("Olga",))
    try:
        sockets = psutil.Process(server.pid).net_connections("tcp")
        assert [s.laddr.ip for s in sockets if s.status == psutil.CONN_LISTEN] == ["0.0.0.0"]
    finally:
        await server.aclose()


async def test_an_address_of_another_machine_is_named(node_binary: Path, node_dir: Path) -> None:
    with pytest.raises(ServerFailed, match=r"no address 203\.0\.113\.7"):
        await EmbeddedServer.start(node_binary, node_dir, host="203.0.113.7")


async def test_it_ends_cleanly_within_two_seconds(server: EmbeddedServer) -> None:
    began = time.monotonic()
    await server.aclose()
    assert time.monotonic() - began < 2.0
    assert await server.exited() == 0
    assert not psutil.pid_exists(server.pid)


async def test_closing_twice_is_harmless(server: EmbeddedServer) -> None:
    await server.aclose()
    await server.aclose()


async def test_sigterm_ends_it_in_order(server: EmbeddedServer) -> None:
    os.kill(server.pid, signal.SIGTERM)
    async with asyncio.timeout(GONE_WITHIN_S):
        assert await server.exited() == 0


async def test_a_killed_server_is_noticed(server: EmbeddedServer) -> None:
    os.kill(server.pid, signal.SIGKILL)
    async with asyncio.timeout(GONE_WITHIN_S):
        assert await server.exited() == -signal.SIGKILL
    with pytest.raises(ServerFailed, match="has ended"):
        await server.admin("players")


async def test_it_has_a_process_group_of_its_own(server: EmbeddedServer) -> None:
    assert os.getpgid(server.pid) != os.getpgid(0)


async def test_a_taken_port_is_named(
    server: EmbeddedServer, node_binary: Path, node_dir: Path
) -> None:
    with pytest.raises(ServerFailed, match=f"port {server.port} .* is taken"):
        await EmbeddedServer.start(node_binary, node_dir, port=server.port)


async def test_missing_packages_fail_with_a_reason(node_binary: Path, tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text("{}")
    log_path = tmp_path / "server.log"
    with pytest.raises(ServerFailed, match="Cannot find module"):
        await EmbeddedServer.start(node_binary, tmp_path, log_path=log_path)


async def test_a_missing_node_is_a_failure_with_a_reason(tmp_path: Path) -> None:
    with pytest.raises(ServerFailed, match="could not be started"):
        await EmbeddedServer.start(tmp_path / "nowhere", tmp_path)


async def test_a_crash_before_readiness_is_a_failure_with_its_code(tmp_path: Path) -> None:
    with pytest.raises(ServerFailed, match="ended with code 7"):
        await EmbeddedServer.start(silent_node(tmp_path, "exit 7"), tmp_path)


async def test_silence_is_a_failure_after_the_deadline(tmp_path: Path) -> None:
    silent = silent_node(tmp_path, "exec cat >/dev/null")
    with pytest.raises(ServerFailed, match=r"not ready after 0\.2 s"):
        await EmbeddedServer.start(silent, tmp_path, ready_within_s=0.2)


async def test_an_unknown_admin_operation_is_refused(server: EmbeddedServer) -> None:
    with pytest.raises(ServerFailed, match="unknown operation fly"):
        await server.admin("fly")


async def test_admin_sets_and_reads_blocks(server: EmbeddedServer) -> None:
    await server.admin("setblock", x=3, y=70, z=3, block="chest")
    assert await server.admin("block", x=3, y=70, z=3) == "chest"


async def test_a_world_folder_keeps_blocks_things_and_chests(
    node_binary: Path, node_dir: Path, tmp_path: Path
) -> None:
    async with Players.open(node_binary, node_dir, tmp_path / "log", tmp_path / "world") as first:
        await first.play("settleIn")
    async with Players.open(node_binary, node_dir, tmp_path / "log", tmp_path / "world") as second:
        assert await second.play("returnHome") == {
            "block": "gold_block",
            "owns": {"oak_log": 3, "bread": 1},
            "chest": [["diamond", 2]],
        }


async def test_no_orphan_is_left_when_python_is_killed(node_binary: Path, node_dir: Path) -> None:
    parent = await asyncio.create_subprocess_exec(
        *(sys.executable, ORPHAN_PARENT, node_binary, node_dir),
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        stdout=asyncio.subprocess.PIPE,
    )
    assert parent.stdout is not None
    async with asyncio.timeout(20):
        child = psutil.Process(int(await parent.stdout.readline()))
    parent.kill()
    await parent.communicate()
    assert await asyncio.to_thread(psutil.wait_procs, [child], GONE_WITHIN_S) == ([child], [])


async def test_what_it_prints_has_a_size(node_binary: Path, tmp_path: Path) -> None:
    """Each bad packet of a player is printed: logs are bounded in every state."""
    log = tmp_path / "server.log"
    terminal = REPOSITORY / "bridge" / "server" / "terminal.cjs"
    floods = f"require({json.dumps(str(terminal))}); const bad = 'x'.repeat(1e5) + '\\n'\n"
    floods += "for (let i = 0; i < 200; i++) console.error(bad)"
    with log.open("wb") as printed:
        process = await asyncio.create_subprocess_exec(node_binary, "-e", floods, stderr=printed)
        assert await process.wait() == 0
    assert 4_000_000 < log.stat().st_size < 5_200_000
    assert log.read_text().splitlines()[-1] == "log full: nothing more from this process"


async def test_a_warning_of_node_is_told_once(node_binary: Path, tmp_path: Path) -> None:
    """Node's own listener writes past every bound: weeks of loaded players filled the disk."""
    log = tmp_path / "server.log"
    terminal = REPOSITORY / "bridge" / "server" / "terminal.cjs"
    warns = f"require({json.dumps(str(terminal))}); const {{ promisify }} = require('node:util')\n"
    warns += "const load = promisify(async () => {}); for (let i = 0; i < 200; i++) load()\n"
    warns += "process.emitWarning('one of another kind', { code: 'OTHER' })"
    with log.open("wb") as printed:
        process = await asyncio.create_subprocess_exec(node_binary, "-e", warns, stderr=printed)
        assert await process.wait() == 0
    told = log.read_text().splitlines()
    assert [line.split(",")[0] for line in told] == ["(DEP0174", "(OTHER"]


async def test_a_log_that_has_its_size_makes_room_at_the_next_start(
    node_binary: Path, node_dir: Path, tmp_path: Path
) -> None:
    log = tmp_path / "server.log"
    log.write_bytes(b"x" * 5_000_001)
    server = await EmbeddedServer.start(node_binary, node_dir, log_path=log)
    await server.aclose()
    assert log.stat().st_size < 100_000
    assert (tmp_path / "server.log.1").stat().st_size == 5_000_001


async def test_a_line_that_cannot_be_read_ends_nothing(tmp_path: Path) -> None:
    """It ended the reading, and nobody got an answer any more."""
    script = "for line in '[' '7' '{\"id\": []}' '{\"ready\": true, \"port\": 5}'; do\n"
    node = silent_node(tmp_path, script + 'echo "@@$line"\ndone\nexec sleep 60')
    server = await EmbeddedServer.start(node, tmp_path)
    assert server.port == 5
    await server.aclose()
