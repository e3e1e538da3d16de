"""The bridge's contract in every version's own packets.

Making, keeping, digging, pursuing need a server with rules of its own: the embedded one."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from contract.arena import Arena, EventLog
from contract.contract_fishing import FishingContract
from contract.contract_joining import JoiningContract
from contract.contract_looking import LookingContract
from contract.contract_moving import MovingContract
from contract.contract_sensing import SensingContract
from contract.contract_talking import TalkingContract
from versions.bench import VersionServer
from versions.stage import VersionArena, listening_bridge
from versions.supported import since, tried

from bridge.js import JSBridge

pytestmark = [pytest.mark.real, pytest.mark.slow]


@pytest.fixture(scope="module", params=tried())
async def stage(
    request: pytest.FixtureRequest,
    node_binary: Path,
    node_dir: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[tuple[JSBridge, VersionServer, EventLog]]:
    folder = tmp_path_factory.mktemp("versions")
    async with (
        VersionServer.of(node_binary, node_dir, request.param) as game,
        listening_bridge(node_binary, node_dir, folder) as (bridge, log),
    ):
        yield bridge, game, log
        assert not game.all("fault")


BEFORE_1_9 = {
    "test_a_scan_reads_the_sections_that_hold_what_is_wanted": (
        "its sections have no palette: each block has to be read"
    ),
    "test_the_off_hand_takes_a_stack_and_gives_back_its_own": "the game has no off hand",
}
OF_PREY = {
    "test_to_its_prey_and_its_drops_a_bot_rather_walks_around_places_to_shun": (
        "animals of this bench neither die nor leave anything"
    )
}
IN_1_20_6 = {
    "test_recipes_tell_every_variant_and_where_it_is_made": "its data has chests of oak alone"
}


@pytest.fixture(autouse=True)
def _what_the_version_has(
    request: pytest.FixtureRequest, stage: tuple[JSBridge, VersionServer, EventLog]
) -> None:
    name = request.node.originalname
    if name in OF_PREY:
        pytest.skip(OF_PREY[name])
    if name in BEFORE_1_9 and not since(stage[1].version, "1.9"):
        pytest.skip(BEFORE_1_9[name])
    if name in IN_1_20_6 and stage[1].version == "1.20.6":
        pytest.skip(IN_1_20_6[name])


@pytest.fixture
async def arena(stage: tuple[JSBridge, VersionServer, EventLog]) -> AsyncIterator[Arena]:
    arena = VersionArena(*stage)
    yield arena
    await arena.clear()


class TestVersions(
    JoiningContract,
    TalkingContract,
    SensingContract,
    LookingContract,
    MovingContract,
    FishingContract,
):
    pass
