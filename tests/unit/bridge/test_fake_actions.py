"""What bots do in the simulated world, in virtual time."""

import asyncio
import itertools
from typing import get_args

import pytest

from bridge.actions import (
    Action,
    Approach,
    CollectDrops,
    Craft,
    Dig,
    Equip,
    Hunt,
    MoveTo,
    Smelt,
    Wait,
)
from bridge.events import ActionFinished, ActionId, ActionProgress
from bridge.fake import FakeBridge, FakeWorld, VirtualClock
from bridge.fake.actions import ACTIONS
from bridge.port import ServerAddress
from bridge.world import BotName, MobSighting, PlayerName, Position

ALICE = BotName("Alice")
SERVER = ServerAddress("anywhere", 25565)

_numbers = itertools.count(1)


async def _end_of(bridge: FakeBridge, action_id: str) -> ActionFinished:
    async for event in bridge.events():
        if isinstance(event, ActionFinished) and event.action_id == action_id:
            return event
    raise AssertionError(f"{action_id} has not ended")


async def _do(bridge: FakeBridge, action: Action) -> None:
    action_id = ActionId(f"action {next(_numbers)}")
    await bridge.begin(ALICE, action_id, action)
    finished = await _end_of(bridge, action_id)
    assert finished.outcome == "done", finished.message


def test_every_action_can_be_done_in_the_simulated_world() -> None:
    assert set(ACTIONS) == {kind.kind for kind in get_args(Action)}


async def test_an_action_tells_how_far_it_is(
    fake_bridge: FakeBridge, fake_world: FakeWorld
) -> None:
    await fake_bridge.spawn(ALICE, SERVER)
    await fake_bridge.begin(ALICE, ActionId("walk"), MoveTo(Position(30.5, 64, 8.5)))
    steps = []
    async for event in fake_bridge.events():
        if isinstance(event, ActionFinished):
            break
        if isinstance(event, ActionProgress):
            steps.append((event.done, event.total))
    assert steps == sorted(steps)
    assert steps[-1][0] == steps[-1][1]


async def test_a_walk_takes_as_long_as_in_the_game(
    fake_bridge: FakeBridge, virtual_clock: VirtualClock
) -> None:
    await fake_bridge.spawn(ALICE, SERVER)
    await fake_bridge.begin(ALICE, ActionId("walk"), MoveTo(Position(51.67, 64, 8.5), 0.5))
    await _end_of(fake_bridge, "walk")
    assert virtual_clock.monotonic() == pytest.approx(43 / 4.317, rel=0.05)


async def test_a_cancelled_action_leaves_no_task_behind(fake_bridge: FakeBridge) -> None:
    await fake_bridge.spawn(ALICE, SERVER)
    await fake_bridge.begin(ALICE, ActionId("long"), Wait(60))
    assert fake_bridge.running_actions == 1
    assert await fake_bridge.cancel(ALICE) == "long"
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert fake_bridge.running_actions == 0


async def test_from_a_tree_to_an_iron_pickaxe(
    fake_bridge: FakeBridge, fake_world: FakeWorld
) -> None:
    await fake_bridge.spawn(ALICE, SERVER)
    table, furnace = Position(9, 64, 9), Position(7, 64, 7)
    fake_world.set_block(table, "crafting_table")
    fake_world.set_block(furnace, "furnace")
    fake_world.give("Alice", "oak_log", 4)
    fake_world.give("Alice", "stone_pickaxe")
    for dx in range(3):
        fake_world.set_block(Position(10, 64 + dx, 8), "iron_ore")
    await _do(fake_bridge, Equip("stone_pickaxe"))
    for dx in range(3):
        await _do(fake_bridge, Dig(Position(10, 64 + dx, 8)))
    await _do(fake_bridge, CollectDrops())
    await _do(fake_bridge, Craft("oak_planks", 12))
    await _do(fake_bridge, Craft("stick", 4))
    await _do(fake_bridge, Smelt("iron_ore", "oak_planks", furnace, 3))
    await _do(fake_bridge, Craft("iron_pickaxe", 1, table))
    assert (await fake_bridge.snapshot(ALICE)).count("iron_pickaxe") == 1


@pytest.mark.parametrize("action", [MoveTo(Position(30.5, 64, 8.5)), Approach(PlayerName("Steve"))])
async def test_whom_the_server_holds_arrives_nowhere(
    fake_bridge: FakeBridge, fake_world: FakeWorld, action: Action
) -> None:
    await fake_bridge.spawn(ALICE, SERVER)
    fake_world.person("Steve", Position(20.5, 64, 8.5))
    start = fake_world.body(ALICE).position
    fake_world.held.add(PlayerName(ALICE))
    await fake_bridge.begin(ALICE, ActionId("go"), action)
    finished = await _end_of(fake_bridge, "go")
    assert (finished.outcome, finished.reason) == ("failed", "unconfirmed")
    assert finished.message == "the server put me back to 8 64 8"
    assert fake_world.body(ALICE).position == start


async def test_prey_that_is_gone_while_it_is_struck_was_not_killed(
    fake_bridge: FakeBridge, fake_world: FakeWorld
) -> None:
    await fake_bridge.spawn(ALICE, SERVER)
    cow = MobSighting("cow", Position(9.5, 64, 8.5), hostile=False, id=1)
    fake_world.mobs.append(cow)
    await fake_bridge.begin(ALICE, ActionId("hunt"), Hunt(cow.id))
    await asyncio.sleep(0)  # it has seen the cow
    fake_world.mobs.clear()
    finished = await _end_of(fake_bridge, "hunt")
    assert (finished.reason, finished.message) == ("not_found", "the cow got away")
