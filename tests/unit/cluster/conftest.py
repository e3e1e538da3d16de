"""Files of a home: its owner's, and a copy."""

from pathlib import Path

import pytest


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return tmp_path / "own.sqlite"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return tmp_path / "copy.sqlite"
