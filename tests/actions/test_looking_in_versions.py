"""Scans, views and recipes in other versions' formats: the checks are in JavaScript."""

import os
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.real


def test_every_chunk_format_is_read_alike(node_binary: Path, node_dir: Path) -> None:
    checks = Path(__file__).with_name("looking_checks.cjs")
    run = subprocess.run(
        [node_binary, "--test", checks],
        env={**os.environ, "TOWNSFOLK_NODE_DIR": str(node_dir)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stdout
