"""The daemon that HTTP asks."""

import pytest
from support.http_stub import StubDaemon


@pytest.fixture
def daemon() -> StubDaemon:
    return StubDaemon()
