"""A store in a folder of the test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bots.store.database import FILE_NAME, Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / FILE_NAME


@pytest.fixture
async def store(path: Path) -> AsyncIterator[Store]:
    store = await Store.open(path)
    yield store
    await store.aclose()
