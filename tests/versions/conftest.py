"""A bot on the protocol bench, for each version in a module's `TRIED`."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from contract.arena import EventLog
from versions.stage import Scene, Stage, listening_bridge, staged

from bridge.js import JSBridge


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


@pytest.fixture(scope="module")
async def listening(
    node_binary: Path, node_dir: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[tuple[JSBridge, EventLog]]:
    """One bridge for all servers of a module."""
    folder = tmp_path_factory.mktemp("listening")
    async with listening_bridge(node_binary, node_dir, folder) as (bridge, log):
        yield bridge, log
