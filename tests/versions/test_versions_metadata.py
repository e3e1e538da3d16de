"""What numbers of the protocol mean: ours against packets of vanilla and what others say.

Neither the checks in Node nor the recordings use our table; the bench writes by that of others."""

import json
import os
import subprocess
import tarfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from contract.arena import eventually
from versions.bench import VersionServer
from versions.stage import HOST, VersionArena, listening_bridge
from versions.supported import SUPPORTED, tried

from bridge.actions import CollectDrops, LyingItems
from bridge.port import ServerAddress
from bridge.world import BotName, PlayerName, WorldSnapshot

pytestmark = [pytest.mark.real, pytest.mark.slow]

ALICE, STEVE = BotName("Alice"), PlayerName("Steve")
POST = 900  # the number of a knot on a fence
CHECKS = Path(__file__).with_name("metadata_checks.cjs")
PACKETS = Path(__file__).parent / "recorded" / "packets.tar.xz"


def test_every_number_is_what_vanilla_and_others_take_it_for(
    node_binary: Path, node_dir: Path, tmp_path: Path
) -> None:
    with tarfile.open(PACKETS) as packets:
        packets.extractall(tmp_path, filter="data")
    told = {
        "TOWNSFOLK_NODE_DIR": str(node_dir),
        "RECORDED": str(tmp_path),
        "VERSIONS": json.dumps(list(SUPPORTED)),
    }
    run = subprocess.run(
        [node_binary, "--test", CHECKS],
        env={**os.environ, **told},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stdout


@pytest.fixture(scope="module", params=tried())
async def arena(
    request: pytest.FixtureRequest,
    node_binary: Path,
    node_dir: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[VersionArena]:
    """With a bot beside Steve, a sheep and two things that lie about."""
    folder = tmp_path_factory.mktemp("metadata")
    async with (
        VersionServer.of(node_binary, node_dir, request.param, cast=True) as game,
        listening_bridge(node_binary, node_dir, folder) as (bridge, log),
    ):
        await bridge.spawn(ALICE, ServerAddress(HOST, game.port))
        yield VersionArena(bridge, game, log)


async def test_what_is_told_of_a_player_and_an_animal_is_seen(arena: VersionArena) -> None:
    def is_told(seen: WorldSnapshot) -> bool:
        steve = seen.player(STEVE)
        return steve is not None and steve.health == 17 and bool(seen.mobs)

    seen = await arena.sees(ALICE, is_told)
    traits = {mob.name: (mob.young, mob.coat) for mob in seen.mobs}
    assert traits == {"sheep": (True, "black"), "cow": (False, None), "zombie": (False, None)}


async def test_an_animal_on_a_lead_is_seen_to_be_somebodys(arena: VersionArena) -> None:
    (sheep,) = [mob for mob in (await arena.bridge.snapshot(ALICE)).mobs if mob.name == "sheep"]
    await arena.order("leash", player=ALICE, id=sheep.id, to=POST)
    await arena.sees(ALICE, lambda seen: [m.name for m in seen.mobs if m.is_somebodys] == ["sheep"])
    await arena.order("leash", player=ALICE, id=sheep.id)
    await arena.sees(ALICE, lambda seen: not any(mob.is_somebodys for mob in seen.mobs))


async def test_what_lies_there_is_told_by_name_or_as_unknown(arena: VersionArena) -> None:
    async def look() -> set[tuple[str | None, int]] | None:
        lying = await arena.bridge.query(ALICE, LyingItems(32))
        return {(one.name, one.count) for one in lying} if len(lying) == 2 else None

    assert await eventually(look) == {("dirt", 5), (None, 1)}


async def test_what_is_not_recognised_may_be_what_is_looked_for(arena: VersionArena) -> None:
    await eventually(lambda: arena.bridge.query(ALICE, LyingItems(32)))
    finished = await arena.perform(ALICE, CollectDrops(32, "stick"))
    assert (finished.outcome, finished.reason) == ("failed", "not_recognised")
