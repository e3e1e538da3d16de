"""Node scripts beside the tests that print facts as JSON."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

WITHIN_S = 60.0


def printed_by(name: str, node: Path, node_dir: Path, *arguments: int) -> Any:
    """What the script of that name prints."""
    done = subprocess.run(
        [str(node), str(Path(__file__).with_name(name)), *map(str, arguments)],
        env={**os.environ, "TOWNSFOLK_NODE_DIR": str(node_dir)},
        capture_output=True,
        check=True,
        timeout=WITHIN_S,
    )
    return json.loads(done.stdout)
