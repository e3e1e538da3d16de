"""The arena of a real server keeps the contract on the bench, by vanilla's commands alone."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from contract.arena import Arena
from contract.contract_joining import JoiningContract
from contract.contract_moving import MovingContract
from contract.contract_sensing import SensingContract
from versions.bench import VersionServer
from versions.console import PASSWORD, Console
from versions.rcon import Rcon, WrongPassword
from versions.real_server import Refused, Spelling, real_arena
from versions.stage import HOST, listening_bridge
from versions.supported import SUPPORTED, tried

from bridge.port import ServerAddress

pytestmark = [pytest.mark.real, pytest.mark.slow]

SPELLINGS = [version for version in (SUPPORTED[0], SUPPORTED[-1]) if version in tried()]
"""The oldest and the newest way to spell commands."""


@pytest.fixture(scope="module", params=SPELLINGS)
async def stage(
    request: pytest.FixtureRequest,
    node_binary: Path,
    node_dir: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[Arena]:
    async with (
        VersionServer.of(node_binary, node_dir, request.param) as game,
        Console.of(game) as (console, port),
        Rcon.of(HOST, port, PASSWORD) as rcon,
        listening_bridge(node_binary, node_dir, tmp_path_factory.mktemp("rcon")) as (bridge, log),
        real_arena(bridge, log, ServerAddress(HOST, game.port), rcon) as arena,
    ):
        with pytest.raises(Refused, match=r"frobnicate.*Unknown"):
            await arena.order("frobnicate")
        console.refused.clear()
        yield arena
        assert console.refused == []


@pytest.fixture
async def arena(stage: Arena) -> AsyncIterator[Arena]:
    yield stage
    await stage.clear()


class TestByCommands(SensingContract):
    """With the scenes that order what these do not."""

    test_a_kick = JoiningContract.test_a_kick_ends_the_connection_with_the_servers_words
    test_a_meal = MovingContract.test_a_hungry_bot_eats_what_it_has_of_food


async def test_a_wrong_password_is_refused(node_binary: Path, node_dir: Path) -> None:
    async with (
        VersionServer.of(node_binary, node_dir, "1.16.5") as game,
        Console.of(game) as (_console, port),
    ):
        with pytest.raises(WrongPassword):
            async with Rcon.of(HOST, port, "guess"):
                pass


@pytest.mark.parametrize("version", SUPPORTED)
async def test_an_order_that_vanilla_has_a_limit_for_is_split(version: str) -> None:
    given = list(Spelling(version).give("Alice1", "dirt", 36 * 64))
    assert sum(int(command.split()[-1]) for command in given) == 36 * 64
    assert len(given) in (1, 36)
