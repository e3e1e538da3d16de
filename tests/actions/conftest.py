"""One server and one Node for all tests of a module; a fresh bot on a fresh platform for each."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from actions.stage import Scene, Stage


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


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
