"""How a connection ends when closing and reading race: the checks are in JavaScript."""

import os
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.real


def test_the_servers_reason_is_heard_however_it_closes(node_binary: Path, node_dir: Path) -> None:
    checks = Path(__file__).with_name("ending_checks.cjs")
    run = subprocess.run(
        [node_binary, "--test", checks],
        env={**os.environ, "TOWNSFOLK_NODE_DIR": str(node_dir)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.returncode == 0, run.stdout
