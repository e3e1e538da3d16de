"""The benchmark of take-overs runs, and finds nothing lost or doubled in a few."""

import asyncio
import json
import os
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.real, pytest.mark.slow]

ROOT = Path(__file__).parents[2]
WITHIN_S = 240.0


@pytest.mark.timeout(WITHIN_S)
async def test_two_killed_daemons_lose_and_double_nothing(node_dir: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "benchmarks.takeovers", "--json", "--times", "2", "--bots", "2"),
        cwd=ROOT,
        env={**os.environ, "TOWNSFOLK_NODE_DIR": str(node_dir)},
        stdout=asyncio.subprocess.PIPE,
    )
    printed, _ = await process.communicate()
    report = json.loads(printed)
    assert report["killed"] == 2
    assert report["acknowledged"] > 0
    assert report["wrong"] == dict.fromkeys(report["wrong"], 0)
    assert process.returncode == 0
