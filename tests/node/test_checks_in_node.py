"""Checks in JavaScript, each a `*_checks.cjs` beside the tests of its subject."""

import os
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.real

TESTS = Path(__file__).parents[1]
CHECKS = sorted(
    file for at in ("actions", "bridge", "server") for file in TESTS.glob(f"{at}/*_checks.cjs")
)


@pytest.mark.parametrize("checks", CHECKS, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_every_check_in_node_passes(node_binary: Path, node_dir: Path, checks: Path) -> None:
    run = subprocess.run(
        [node_binary, "--test", checks],
        env={**os.environ, "TOWNSFOLK_NODE_DIR": str(node_dir)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stdout
