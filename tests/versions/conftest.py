"""A bot on the protocol bench, for each version in a module's `TRIED`."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from versions.stage import Scene, Stage, staged


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    tried = getattr(metafunc.module, "TRIED", None)
    if tried and "stage" in metafunc.fixturenames:
        metafunc.parametrize("stage", tried, indirect=True, scope="module")


@pytest.fixture(scope="module")
async def stage(
    request: pytest.FixtureRequest,
    node_binary: Path,
    node_dir: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[Stage]:
    folder = tmp_path_factory.mktemp("stage")
    async with staged(node_binary, node_dir, request.param, folder) as stage:
        yield stage


@pytest.fixture
async def scene(stage: Stage) -> AsyncIterator[Scene]:
    scene = Scene(stage)
    await scene.begins()
    yield scene
    await scene.arena.clear()
