"""Experiments have a data folder of their own, in place of the user's."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOWNSFOLK_DATA_DIR", str(tmp_path / "data"))
