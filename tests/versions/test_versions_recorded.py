"""Packets that vanilla servers sent, byte for byte: neither end shares our idea of them."""

import tarfile
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from contract.arena import EventLog, eventually
from versions.bench import Equipment
from versions.stage import HOST, listening_bridge
from versions.supported import SUPPORTED, since, tried

from bridge.actions import BlockAt
from bridge.causes import Cause
from bridge.events import BotDied, BotHurt, ChatHeard, WhisperReceived
from bridge.js import JSBridge
from bridge.port import ServerAddress
from bridge.versions import VERSIONS
from bridge.world import BotName, Position

pytestmark = [pytest.mark.real, pytest.mark.slow]

ALICE = BotName("Alice")
ARCHIVES = Path(__file__).parent / "recorded"
KILLED = BotName("nmptestbot")
"""Whom the vanilla servers told that it was killed by /kill."""
RECORDED = [one.name for one in VERSIONS.joined if one.known == "bytes"]
SAID_ON_ALL_OF_THESE = "hi"
ANIMALS = {
    "1.8.8": {"cow": 5},
    "1.9.4": {"sheep": 5},
    "1.10.2": {"pig": 5},
    "1.11.2": {"sheep": 3, "pig": 2},
    "1.12.2": {"sheep": 5},
    "1.13.2": {"sheep": 4, "cow": 1},
    "1.14.4": {"chicken": 2, "sheep": 1, "wolf": 1, "fox": 1},
    "1.15.2": {"parrot": 5},
    "1.16.5": {"pig": 5},
    "1.17.1": {"sheep": 4, "wolf": 1},
    "1.18.2": {"rabbit": 5},
    "1.19": {"polar_bear": 5},
    "1.19.2": {"chicken": 5},
    "1.19.3": {"chicken": 4, "cow": 1},
    "1.19.4": {"pig": 5},
    "1.20.1": {"pig": 4, "chicken": 1},
}
"""Those that were recorded; their health tells the kinds apart (metadata_checks.cjs)."""
YOUNG = {"1.17.1": 1, "1.18.2": 2, "1.19": 3}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recorded")
    for name in ("packets.tar.xz", "deaths.tar.xz"):
        with tarfile.open(ARCHIVES / name) as packets:
            packets.extractall(folder, filter="data")
    return folder


@pytest.fixture(
    scope="module", params=[version for version in RECORDED if version in tried()] or RECORDED[-1:]
)
async def stage(
    request: pytest.FixtureRequest, node_binary: Path, node_dir: Path, folder: Path
) -> AsyncIterator[tuple[JSBridge, Equipment, EventLog, str]]:
    """A bot that joined on a vanilla server's words."""
    version, config = request.param, {"version": request.param, "folder": str(folder)}
    async with (
        Equipment.started(node_binary, node_dir, "recorded.cjs", **config) as game,
        listening_bridge(node_binary, node_dir, folder) as (bridge, log),
    ):
        await bridge.spawn(ALICE, ServerAddress(HOST, game.port, version))
        yield bridge, game, log, version


Stage = tuple[JSBridge, Equipment, EventLog, str]


def test_every_version_that_was_recorded_is_in_the_table(folder: Path) -> None:
    recorded = {path.name for path in folder.iterdir() if path.is_dir()}
    assert set(RECORDED) == recorded & set(SUPPORTED)


async def test_a_bot_joins_and_knows_where_it_is(stage: Stage) -> None:
    bridge, _game, _log, version = stage
    seen = await bridge.snapshot(ALICE)
    assert (seen.version, seen.dimension, seen.game_mode) == (version, "overworld", "survival")
    assert seen.position.x % 16 == 8.5


async def test_the_lowest_layer_of_a_real_chunk_is_read_as_bedrock(stage: Stage) -> None:
    bridge, _game, _log, version = stage
    at = (await bridge.snapshot(ALICE)).position
    corner = Position(at.x // 16 * 16, -64 if since(version, "1.18") else 0, at.z // 16 * 16)

    async def look() -> set[str] | None:
        lowest = {
            block.name
            for dx in range(0, 16, 3)
            for dz in range(0, 16, 3)
            for block in await bridge.query(
                ALICE, BlockAt(Position(corner.x + dx, corner.y, corner.z + dz))
            )
        }
        return lowest or None

    assert await eventually(look) == {"bedrock"}


async def test_the_animals_of_a_vanilla_server_are_known_with_their_young(stage: Stage) -> None:
    bridge, _game, _log, version = stage
    mobs = (await bridge.snapshot(ALICE)).mobs
    assert Counter(mob.name for mob in mobs) == ANIMALS[version]
    assert sum(mob.young for mob in mobs) == YOUNG.get(version, 0)


async def test_words_of_a_player_are_heard_and_the_servers_are_nobodys(stage: Stage) -> None:
    _bridge, game, log, version = stage
    await game.do("say", name="chat")
    await game.do("say", name="system_chat")
    await game.do("say", name="player_chat")
    if since(version, "1.19"):
        heard = await log.first(ChatHeard, bot=ALICE)
        assert (heard.sender, heard.text) == ("nmptestbot", SAID_ON_ALL_OF_THESE)
    assert not log.all(WhisperReceived)


TELL_THE_DEAD = [version for version in RECORDED if since(version, "1.9")]
"""1.8.8 tells them in words without a key."""


@pytest.mark.parametrize("version", [one for one in TELL_THE_DEAD if one in tried()])
@pytest.mark.parametrize("packet", ["combat_event", "death_combat_event", "damage_event"])
async def test_what_vanilla_says_of_a_kill_is_read_as_a_command(
    version: str, packet: str, node_binary: Path, node_dir: Path, folder: Path
) -> None:
    if not (folder / version / packet).exists():
        pytest.skip("another packet of that version tells it")
    config = {"version": version, "folder": str(folder)}
    async with (
        Equipment.started(node_binary, node_dir, "recorded.cjs", **config) as game,
        listening_bridge(node_binary, node_dir, folder) as (bridge, log),
    ):
        await bridge.spawn(KILLED, ServerAddress(HOST, game.port, version))
        await game.do("say", name=packet)
        await game.do("health", health=0)
        command = Cause("thing", "command", "told")
        assert (await log.first(BotDied, bot=KILLED)).cause == command
        hurt = await log.first(BotHurt, bot=KILLED)
        assert (hurt.lost, hurt.cause) == (20, command)
