"""How Node runs actions, walks, loses windows, saves work and judges places; the checks are in
JavaScript."""

import os
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.real


@pytest.mark.parametrize(
    "of",
    [
        *("running", "walking", "closing", "blocks", "chunks", "clock", "confirming", "counting"),
        *(
            "drops",
            "recipes",
            "resting",
            "ground",
            "lean",
            "manners",
            "masonry",
            "names",
            "shield",
            "sight",
            "standing",
        ),
        "witnessing",
    ],
)
def test_every_check_in_node_passes(node_binary: Path, node_dir: Path, of: str) -> None:
    checks = Path(__file__).with_name(f"{of}_checks.cjs")
    run = subprocess.run(
        [node_binary, "--test", checks],
        env={**os.environ, "TOWNSFOLK_NODE_DIR": str(node_dir)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.returncode == 0, run.stdout
