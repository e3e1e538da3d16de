"""However Python ends, Node ends."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest

pytestmark = pytest.mark.real

REPOSITORY = Path(__file__).parents[2]
PROGRAM = Path(__file__).with_name("orphan_program.py")
GONE_WITHIN_S = 3.0


@asynccontextmanager
async def program(
    node: Path, node_dir: Path, tmp_path: Path
) -> AsyncIterator[tuple[asyncio.subprocess.Process, psutil.Process]]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, PROGRAM, node, node_dir, tmp_path / "node.log"),
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(30):
            line = b"."
            while not line.strip().isdigit():  # the log shares stdout
                line = await process.stdout.readline()
                assert line, "the program ended early"
        yield process, psutil.Process(int(line))
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def gone(process: psutil.Process) -> bool:
    _, alive = await asyncio.to_thread(psutil.wait_procs, [process], GONE_WITHIN_S)
    return not alive


async def test_ctrl_c_for_the_whole_group_ends_both_in_order(
    node_binary: Path, node_dir: Path, tmp_path: Path
) -> None:
    async with program(node_binary, node_dir, tmp_path) as (python, node):
        os.killpg(python.pid, signal.SIGINT)
        async with asyncio.timeout(GONE_WITHIN_S):
            _, errors = await python.communicate()
        assert await gone(node)
        assert b"KeyboardInterrupt" in errors
        assert b"outcome unknown" not in errors


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGABRT])
async def test_a_killed_python_leaves_no_node(
    node_binary: Path, node_dir: Path, tmp_path: Path, number: signal.Signals
) -> None:
    async with program(node_binary, node_dir, tmp_path) as (python, node):
        python.send_signal(number)
        assert await gone(node)


async def test_a_forked_child_that_ends_leaves_node_alone(
    node_binary: Path, node_dir: Path, tmp_path: Path
) -> None:
    script = (
        "import asyncio, atexit, os, sys\n"
        "from pathlib import Path\n"
        "from bridge.js import JSBridge\n"
        "async def main():\n"
        "    bridge = JSBridge(*map(Path, sys.argv[1:4])); await bridge.start()\n"
        "    child = os.fork()\n"
        "    if not child: atexit._run_exitfuncs(); os._exit(0)\n"
        "    os.waitpid(child, 0)\n"
        "    os.kill(bridge.node_pid, 0); pid = bridge.node_pid\n"
        "    await asyncio.sleep(0.5); assert bridge.node_pid == pid\n"
        "    await bridge.aclose()\n"
        "asyncio.run(main())\n"
    )
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", script, node_binary, node_dir, tmp_path / "node.log"),
        cwd=REPOSITORY,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(20):
            _, errors = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    assert process.returncode == 0, errors.decode()


async def test_importing_the_bridge_starts_nothing_and_changes_nothing(tmp_path: Path) -> None:
    script = (
        "import json, os, sys, threading\n"
        "before = (dict(os.environ), sys.excepthook, json.JSONEncoder.default)\n"
        "import bridge.js.jspybridge as j; j._library()\n"
        "assert before == (dict(os.environ), sys.excepthook, json.JSONEncoder.default)\n"
        "assert threading.active_count() == 1\n"
        "import psutil; assert not psutil.Process().children()\n"
    )
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", script), cwd=REPOSITORY, stderr=asyncio.subprocess.PIPE
    )
    _, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()
