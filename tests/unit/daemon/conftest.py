"""Where a backup is put back."""

from pathlib import Path

import pytest


@pytest.fixture
def again(tmp_path: Path) -> Path:
    return tmp_path / "again"
