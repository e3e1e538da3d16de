"""Sites to start daemons on, and people to meet the bots."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from e2e.daemon_process import DaemonProcess, Site
from e2e.people import People, Player

from bridge import node
from bridge.port import ServerAddress


@pytest.fixture(scope="session")
def cache_home() -> Path:
    """Where daemons find the Node packages: installed once, as the first start does it."""
    packages = asyncio.run(node.ready(lambda line: None)).packages_dir
    return packages.parents[2]  # CACHE/townsfolk/node/HASH


@pytest.fixture(scope="module")
def new_site(tmp_path_factory: pytest.TempPathFactory, cache_home: Path) -> Callable[[], Site]:
    """Makes sites, each with folders of its own."""
    return lambda: Site(tmp_path_factory.mktemp("site"), cache_home)


@pytest.fixture
def site(new_site: Callable[[], Site]) -> Site:
    return new_site()


@pytest.fixture(scope="module")
async def people(
    node_binary: Path, node_dir: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[People]:
    async with People.open(node_binary, node_dir, tmp_path_factory.mktemp("people")) as people:
        yield people


@pytest.fixture
def minecraft(daemon: DaemonProcess) -> ServerAddress:
    """Where people meet the bots: the server of the module's `daemon`, unless it says otherwise."""
    return daemon.minecraft


@pytest.fixture
async def steve(people: People, minecraft: ServerAddress) -> AsyncIterator[Player]:
    async with people.player(minecraft) as steve:
        yield steve
