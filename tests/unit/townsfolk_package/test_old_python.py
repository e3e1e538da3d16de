"""What installing with a Python that is too old says: the backend of pyproject.toml runs first."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[3]
AS_OLD = "import runpy, sys; sys.version_info = (3, 10, 4, 'final', 0); runpy.run_path(sys.argv[1])"


def test_it_names_both_versions_and_what_to_do() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]
    (folder,), module = build["backend-path"], build["build-backend"]
    file = ROOT / folder / f"{module}.py"
    ended = subprocess.run(
        [sys.executable, "-c", AS_OLD, file], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert ended.stderr.startswith(
        "townsfolk needs Python 3.11 or newer, and this is Python 3.10.4"
    )
    assert "python3.11 -m venv .venv" in ended.stderr


def test_an_old_python_needs_nothing_to_get_there() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]
    assert all("python_version >= '3.11'" in needed for needed in build["requires"])
    oldest = re.search(
        r"OLDEST = \((\d+), (\d+)\)", (ROOT / "deploy/build/checked_build.py").read_text()
    )
    assert oldest is not None
    assert oldest.groups() == ("3", "11")
