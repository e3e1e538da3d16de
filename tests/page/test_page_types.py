"""The page's modules say what they take and give; the compiler believes them."""

import subprocess
from pathlib import Path

import pytest

pytestmark = [pytest.mark.real, pytest.mark.timeout(300)]

PROJECT = Path(__file__).parent / "tsconfig.json"


def test_the_types_of_the_page_hold(node_binary: Path, checkers: Path) -> None:
    compiler = checkers / "typescript" / "bin" / "tsc"
    done = subprocess.run(
        [node_binary, compiler, "--project", PROJECT], capture_output=True, text=True, check=False
    )
    assert done.stdout == ""
    assert done.returncode == 0
