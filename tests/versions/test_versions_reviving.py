"""Who respawns lives, also where the server does not send the new health."""

from pathlib import Path

import pytest
from contract.arena import CENTRE, EventLog
from versions.bench import VersionServer
from versions.stage import VersionArena
from versions.supported import tried

from bridge.actions import MoveTo, Wait
from bridge.events import BotDied, BotDisconnected
from bridge.js import JSBridge
from bridge.world import Position, WorldSnapshot

pytestmark = [pytest.mark.real, pytest.mark.slow]

AWAY = Position(CENTRE.x + 5, CENTRE.y, CENTRE.z)


@pytest.mark.parametrize("version", tried())
async def test_a_bot_walks_in_the_eyes_of_others_after_a_death_without_a_health_packet(
    version: str, listening: tuple[JSBridge, EventLog], node_binary: Path, node_dir: Path
) -> None:
    bridge, log = listening
    async with VersionServer.of(node_binary, node_dir, version, revivesSilently=True) as game:
        arena = VersionArena(bridge, game, log)
        alice, bob = await arena.bot("Alice"), await arena.bot("Bob")
        await game.do("health", player=alice, health=0)
        await arena.sees(alice, lambda seen: seen.died is not None and seen.health == 20)
        action_id = await arena.begin(alice, MoveTo(AWAY))
        assert (await arena.finished(action_id)).outcome == "done"
        await arena.sees(bob, lambda seen: stands_at(seen, alice, AWAY))


@pytest.mark.parametrize("version", tried())
async def test_a_bot_that_the_server_leaves_dead_does_nothing_and_leaves(
    version: str, listening: tuple[JSBridge, EventLog], node_binary: Path, node_dir: Path
) -> None:
    bridge, log = listening
    async with VersionServer.of(node_binary, node_dir, version, leavesDead=True) as game:
        arena = VersionArena(bridge, game, log)
        alice = await arena.bot("Alice")
        await game.do("health", player=alice, health=0)
        await arena.sees(alice, lambda seen: seen.died is not None)
        action_id = await arena.begin(alice, MoveTo(AWAY))
        assert (await log.first(BotDisconnected, bot=alice)).key == "left_dead"
        assert (await arena.finished(action_id)).outcome != "done"


@pytest.mark.parametrize("version", tried())
async def test_a_death_right_after_a_change_of_worlds_is_one(
    version: str, listening: tuple[JSBridge, EventLog], node_binary: Path, node_dir: Path
) -> None:
    bridge, log = listening
    async with VersionServer.of(node_binary, node_dir, version) as game:
        arena = VersionArena(bridge, game, log)
        alice = await arena.bot("Alice")
        action_id = await arena.begin(alice, Wait(3600))
        await game.do("dimension", player=alice, name="overworld")
        await game.do("health", player=alice, health=0)
        finished = await arena.finished(action_id)
        assert (finished.outcome, finished.reason) == ("failed", "died")
        seen = await arena.sees(alice, lambda seen: seen.health == 20)
        assert seen.died is not None
        assert seen.died.number == 1
        assert (await log.first(BotDied, bot=alice)).death == seen.died
        assert len(log.all(BotDied, bot=alice)) == 1


def stands_at(seen: WorldSnapshot, name: str, place: Position) -> bool:
    player = seen.player(name)
    at = None if player is None else player.position
    return at is not None and at.distance_to(place) < 2
