"""A daemon's stub that an MCP server speaks to."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from support.mcp_site import McpSite


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[McpSite]:
    site = McpSite(tmp_path)
    await site.start()
    yield site
    await site.end()
