"""`python -m benchmarks.foreign` as people start it: on our own server, where all of it must hold,
and where nobody gets in."""

from __future__ import annotations

import asyncio
import socket
import sys
from pathlib import Path

import pytest
from versions.bench import VersionServer
from versions.stage import HOST

from benchmarks.foreign.scenes import SCENES
from bridge.server.launcher import EmbeddedServer

pytestmark = [pytest.mark.anyio, pytest.mark.real, pytest.mark.slow]

WITHIN_S = 110.0
NOT_TRIED = "comes back after a restart"


async def tried(port: int, *options: str) -> tuple[int | None, str, str]:
    """Its exit code, stdout and stderr."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "benchmarks.foreign", "--server", f"{HOST}:{port}", *options),
        cwd=Path(__file__).parents[2],
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(WITHIN_S):
        out, err = await process.communicate()
    return process.returncode, out.decode(), err.decode()


async def test_every_scene_holds_on_our_own_server(node_binary: Path, node_dir: Path) -> None:
    server = await EmbeddedServer.start(node_binary, node_dir)
    try:
        code, out, _ = await tried(server.port)
    finally:
        await server.aclose()
    _, *table = out.splitlines()
    held = [scene for scene in SCENES if scene != NOT_TRIED]
    assert [line[:27].strip() for line in table if line[27:].startswith("held")] == held, out
    assert f"1 not tried: {NOT_TRIED}" in table
    assert code == 0


async def test_where_nothing_listens_it_says_so(node_dir: Path) -> None:
    with socket.create_server((HOST, 0)) as free:
        port = free.getsockname()[1]
    code, _, err = await tried(port)
    assert (code, err.count("\n")) == (2, 1)
    assert f"nothing answers at {HOST}:{port}" in err


async def test_who_is_not_let_in_hears_why(node_binary: Path, node_dir: Path) -> None:
    async with VersionServer.of(node_binary, node_dir, "1.16.5") as game:
        await game.do("deny", component={"translate": "multiplayer.disconnect.not_whitelisted"})
        code, _, err = await tried(game.port)
        assert (code, "Run `whitelist add Alice` on the server." in err) == (2, True), err


async def test_a_version_nobody_speaks_is_refused(node_binary: Path, node_dir: Path) -> None:
    async with VersionServer.of(node_binary, node_dir, "1.16.5") as game:
        code, _, err = await tried(game.port, "--version", "1.7.10")
        assert (code, "1.7.10" in err, "1.8.8" in err) == (2, True, True), err
