"""A daemon on the simulated world, and the machine's own Chromium."""

import asyncio
import dataclasses
import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from page.visit import Visit
from playwright.async_api import Browser, async_playwright
from support.page_site import PageSite, page_site_on

from bridge import FakeBridge
from bridge.node import ensure, product_setup

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def checkers(node_binary: Path) -> Path:
    """The folder of node_modules with axe and the compiler that checks types."""
    setup = dataclasses.replace(
        product_setup(node_binary), manifest=HERE / "package.json", lock=HERE / "package-lock.json"
    )
    return asyncio.run(ensure(setup, lambda line: None)) / "node_modules"


@pytest.fixture(scope="module")
async def browser() -> AsyncIterator[Browser]:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no browser on this machine: apt-get install chromium")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        await browser.close()


@pytest.fixture
async def site(fake_bridge: FakeBridge, tmp_path: Path) -> AsyncIterator[PageSite]:
    async with page_site_on(fake_bridge, tmp_path) as site:
        yield site


@pytest.fixture
async def visit(browser: Browser, site: PageSite) -> AsyncIterator[Visit]:
    """The page, open on a desktop's screen."""
    async with AsyncExitStack() as stack:
        yield await stack.enter_async_context(Visit.of(browser, site))
