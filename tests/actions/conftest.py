"""One server and one Node for all tests of a module; a fresh bot on a fresh platform for each."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from actions.commanded import Commanded
from actions.crew import Crew, crew
from actions.stage import Scene, Stage


@pytest.fixture(scope="module")
async def stage(
    node_binary: Path, node_dir: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Stage]:
    async with Stage.open(node_binary, node_dir, tmp_path_factory.mktemp("stage")) as stage:
        yield stage


@pytest.fixture
async def scene(stage: Stage) -> AsyncIterator[Scene]:
    async with stage.scene() as scene:
        yield scene


@pytest.fixture
async def alice(scene: Scene, tmp_path: Path) -> AsyncIterator[Commanded]:
    """The bot of the scene, which obeys commands."""
    async with Commanded.on(scene, tmp_path) as commanded:
        yield commanded


@pytest.fixture
async def worker(node_binary: Path, node_dir: Path, tmp_path: Path) -> AsyncIterator[Crew]:
    """A bot of a daemon on a server of its own."""
    async with crew(node_binary, node_dir, tmp_path) as crew_:
        yield crew_
