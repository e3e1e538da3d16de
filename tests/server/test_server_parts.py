"""What parts of the embedded server do by themselves; the checks are in JavaScript."""

import os
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.real


@pytest.mark.parametrize(
    "of", ["departed", "harms", "lava", "monsters", "nights", "sending", "steps"]
)
def test_every_check_of_a_part_passes(node_binary: Path, node_dir: Path, of: str) -> None:
    checks = Path(__file__).with_name(f"{of}_checks.cjs")
    run = subprocess.run(
        [node_binary, "--test", checks],
        env={**os.environ, "TOWNSFOLK_NODE_DIR": str(node_dir)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert run.returncode == 0, run.stdout
