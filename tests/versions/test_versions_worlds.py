"""Two worlds of one dimension on one server: who is in the other one is not seen, so not heard."""

from pathlib import Path

import pytest
from contract.arena import EventLog
from versions.bench import VersionServer
from versions.stage import VersionArena
from versions.supported import since, tried

from bridge.js import JSBridge
from bridge.world import BotName, WorldSnapshot

pytestmark = [pytest.mark.real, pytest.mark.slow]


async def in_view(arena: VersionArena, one: BotName, other: BotName) -> WorldSnapshot:
    return await arena.sees(one, lambda seen: _is_visible(seen, other))


async def out_of_view(arena: VersionArena, one: BotName, other: BotName) -> WorldSnapshot:
    return await arena.sees(one, lambda seen: not _is_visible(seen, other))


def _is_visible(seen: WorldSnapshot, other: BotName) -> bool:
    player = seen.player(other)
    return player is not None and player.position is not None


@pytest.mark.parametrize("version", [v for v in tried() if since(v, "1.16")])
async def test_who_is_in_another_world_is_not_in_view(
    version: str, listening: tuple[JSBridge, EventLog], node_binary: Path, node_dir: Path
) -> None:
    bridge, log = listening
    async with VersionServer.of(node_binary, node_dir, version) as game:
        arena = VersionArena(bridge, game, log)
        alice, bob = await arena.bot("Alice"), await arena.bot("Bob")
        before = await in_view(arena, alice, bob)
        await in_view(arena, bob, alice)
        await game.do("dimension", player=bob, name="overworld", world="mv_second")
        stayed = await out_of_view(arena, alice, bob)
        moved = await out_of_view(arena, bob, alice)
        assert (stayed.world, moved.world) == (before.world, "mv_second")
        assert before.world != "mv_second"
        assert (before.dimension, moved.dimension) == ("overworld", "overworld")
        await game.do("dimension", player=bob, name="overworld")
        await in_view(arena, alice, bob)
        await in_view(arena, bob, alice)
