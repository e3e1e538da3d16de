"""What every test shares: one async backend, and no road to a real model."""

import pytest


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
