"""Faults that a test can ask the simulated world for."""

import asyncio
from typing import TypeVar

import pytest

from bridge.actions import Wait
from bridge.causes import Cause
from bridge.errors import BridgeDown, BridgeTimeout, NotConnected, SpawnFailed
from bridge.events import (
    ActionFinished,
    ActionId,
    BotDied,
    BotDisconnected,
    BotHurt,
    BotSpawned,
    BridgeEvent,
    BridgeLost,
    BridgeRestored,
    HealthChanged,
    WhisperReceived,
)
from bridge.fake import FakeBridge, FakeWorld, VirtualClock
from bridge.fake.sessions import EventStream, TooManyUnread
from bridge.port import Bridge, ServerAddress
from bridge.world import BotName, MobSighting, PlayerName

ALICE, STEVE = BotName("Alice"), PlayerName("Steve")
SERVER = ServerAddress("anywhere", 25565)
Event = TypeVar("Event", bound=BridgeEvent)


async def _events(bridge: FakeBridge) -> list[BridgeEvent]:
    """All that happened; closes the bridge."""
    await bridge.aclose()
    return [event async for event in bridge.events()]


def _of(kind: type[Event], events: list[BridgeEvent]) -> list[Event]:
    return [event for event in events if isinstance(event, kind)]


async def _end_of(bridge: FakeBridge, action_id: str) -> ActionFinished:
    async for event in bridge.events():
        if isinstance(event, ActionFinished) and event.action_id == action_id:
            return event
    raise AssertionError(f"{action_id} has not ended")


def test_the_fake_is_a_bridge() -> None:
    bridge: Bridge = FakeBridge()
    assert bridge is not None


async def test_what_bots_said_is_kept_in_order(fake_bridge: FakeBridge) -> None:
    await fake_bridge.spawn(ALICE, SERVER)
    await fake_bridge.whisper(ALICE, STEVE, "one")
    await fake_bridge.chat(ALICE, "two")
    assert [(line.to, line.text) for line in fake_bridge.sent] == [(STEVE, "one"), (None, "two")]


async def test_a_scripted_error_strikes_once_and_nothing_happens(fake_bridge: FakeBridge) -> None:
    await fake_bridge.spawn(ALICE, SERVER)
    fake_bridge.faults.fail_next("whisper", BridgeTimeout("whisper", 10))
    with pytest.raises(BridgeTimeout):
        await fake_bridge.whisper(ALICE, STEVE, "lost")
    await fake_bridge.whisper(ALICE, STEVE, "said")
    assert [line.text for line in fake_bridge.sent] == ["said"]


async def test_a_refused_spawn_fails_as_often_as_scripted(fake_bridge: FakeBridge) -> None:
    fake_bridge.faults.refuse_spawn(ALICE, "kicked", '{"text":"banned"}', times=2)
    for _ in range(2):
        with pytest.raises(SpawnFailed) as refused:
            await fake_bridge.spawn(ALICE, SERVER)
        assert (refused.value.ending, refused.value.text) == ("kicked", '{"text":"banned"}')
    assert (await fake_bridge.spawn(ALICE, SERVER)).bot == ALICE


async def test_a_silent_server_costs_the_whole_spawn_timeout(
    fake_bridge: FakeBridge, virtual_clock: VirtualClock
) -> None:
    fake_bridge.faults.refuse_spawn(ALICE, "spawn_timeout", "")
    with pytest.raises(SpawnFailed):
        await fake_bridge.spawn(ALICE, SERVER, timeout_s=7)
    assert virtual_clock.monotonic() == 7


async def test_a_server_of_another_version_stays_silent(fake_bridge: FakeBridge) -> None:
    with pytest.raises(SpawnFailed) as refused:
        await fake_bridge.spawn(ALICE, ServerAddress("anywhere", 25565, "1.20.4"))
    assert refused.value.ending == "spawn_timeout"


async def test_a_stopped_server_throws_out_all_and_refuses_until_started(
    fake_bridge: FakeBridge, fake_world: FakeWorld
) -> None:
    await fake_bridge.spawn(ALICE, SERVER)
    fake_world.stop_server()
    with pytest.raises(SpawnFailed, match="ECONNREFUSED"):
        await fake_bridge.spawn(ALICE, SERVER)
    fake_world.start_server()
    await fake_bridge.spawn(ALICE, SERVER)
    gone = _of(BotDisconnected, await _events(fake_bridge))
    assert [(event.ending, event.text) for event in gone[:1]] == [("kicked", "Server closed")]


async def test_a_dropped_connection_ends_without_words(fake_bridge: FakeBridge) -> None:
    await fake_bridge.spawn(ALICE, SERVER)
    fake_bridge.drop_connection(ALICE)
    with pytest.raises(NotConnected):
        await fake_bridge.snapshot(ALICE)
    (gone,) = _of(BotDisconnected, await _events(fake_bridge))
    assert (gone.ending, gone.text) == ("end", "socketClosed")


async def test_a_killed_node_takes_bots_and_actions_along_and_comes_back(
    fake_bridge: FakeBridge, virtual_clock: VirtualClock
) -> None:
    await fake_bridge.spawn(ALICE, SERVER)
    await fake_bridge.begin(ALICE, ActionId("long"), Wait(60))
    fake_bridge.kill_node("killed", back_after_s=2)
    with pytest.raises(NotConnected):
        await fake_bridge.snapshot(ALICE)
    with pytest.raises(BridgeDown):
        await fake_bridge.spawn(ALICE, SERVER)
    await virtual_clock.advance(2)
    await fake_bridge.spawn(ALICE, SERVER)
    events = await _events(fake_bridge)
    assert [type(event) for event in events[:6]] == [
        BotSpawned,
        BridgeLost,
        ActionFinished,
        BotDisconnected,
        BridgeRestored,
        BotSpawned,
    ]
    assert [e.ending for e in _of(BotDisconnected, events)] == ["node_died", "requested"]


async def test_when_node_dies_a_command_has_an_unknown_outcome(fake_bridge: FakeBridge) -> None:
    await fake_bridge.spawn(ALICE, SERVER)
    fake_bridge.faults.delay("snapshot", 5)
    asked = asyncio.create_task(fake_bridge.snapshot(ALICE))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    fake_bridge.kill_node("killed", back_after_s=None)
    with pytest.raises(BridgeDown, match="killed"):
        await asked


async def test_a_delayed_operation_takes_its_time(
    fake_bridge: FakeBridge, virtual_clock: VirtualClock
) -> None:
    await fake_bridge.spawn(ALICE, SERVER)
    fake_bridge.faults.delay("snapshot", 1.5)
    await fake_bridge.snapshot(ALICE)
    assert virtual_clock.monotonic() == 1.5


async def test_a_lost_whisper_was_said_and_not_heard(
    fake_bridge: FakeBridge, fake_world: FakeWorld
) -> None:
    await fake_bridge.spawn(ALICE, SERVER)
    steve = fake_world.person("Steve")
    fake_bridge.faults.lose_whispers(1, to="Steve")
    await fake_bridge.whisper(ALICE, STEVE, "lost")
    await fake_bridge.whisper(ALICE, STEVE, "found")
    assert [line.text for line in fake_bridge.sent] == ["lost", "found"]
    assert [heard.text for heard in steve.inbox] == ["found"]


@pytest.mark.parametrize(("lines", "kicked"), [(10, False), (11, True)])
async def test_talking_too_fast_ends_in_the_vanilla_kick(
    virtual_clock: VirtualClock, lines: int, kicked: bool
) -> None:
    bridge = FakeBridge(FakeWorld(virtual_clock), vanilla_spam_rule=True)
    await bridge.spawn(ALICE, SERVER)
    for number in range(lines):
        await bridge.whisper(ALICE, STEVE, str(number))
    gone = _of(BotDisconnected, await _events(bridge))[0]
    assert (gone.ending == "kicked") is kicked


async def test_a_line_a_second_is_never_too_fast(virtual_clock: VirtualClock) -> None:
    bridge = FakeBridge(FakeWorld(virtual_clock), vanilla_spam_rule=True)
    await bridge.spawn(ALICE, SERVER)
    for number in range(100):
        await bridge.whisper(ALICE, STEVE, str(number))
        await virtual_clock.advance(1)
    assert (await bridge.snapshot(ALICE)).bot == ALICE
    await bridge.aclose()


@pytest.mark.parametrize("text", ["§ared", "bell\x07"])
async def test_an_illegal_character_ends_in_a_kick(fake_bridge: FakeBridge, text: str) -> None:
    await fake_bridge.spawn(ALICE, SERVER)
    await fake_bridge.whisper(ALICE, STEVE, text)
    with pytest.raises(NotConnected):
        await fake_bridge.snapshot(ALICE)


async def test_of_unread_health_only_the_newest_and_each_death_remain(
    fake_bridge: FakeBridge, fake_world: FakeWorld
) -> None:
    await fake_bridge.spawn(ALICE, SERVER)
    for health in (18, 12, 0):
        fake_world.set_health(ALICE, health)
    fake_world.set_health(ALICE, 7)
    told = _of(HealthChanged, await _events(fake_bridge))
    assert [event.health for event in told] == [0, 7]


async def test_unread_events_beyond_the_bound_are_an_error() -> None:
    stream = EventStream(limit=2)
    event = BridgeLost("x", VirtualClock().now())
    stream.put(event)
    stream.put(event)
    with pytest.raises(TooManyUnread):
        stream.put(event)


async def test_a_second_reader_of_events_is_refused(fake_bridge: FakeBridge) -> None:
    first = asyncio.create_task(_end_of(fake_bridge, "walk"))
    await asyncio.sleep(0)
    with pytest.raises(RuntimeError):
        await _end_of(fake_bridge, "walk")
    await fake_bridge.spawn(ALICE, SERVER)
    await fake_bridge.begin(ALICE, ActionId("walk"), Wait(1))
    assert (await first).outcome == "done"


async def test_a_reader_that_stopped_is_followed_by_another(fake_bridge: FakeBridge) -> None:
    await fake_bridge.spawn(ALICE, SERVER)
    for name in ("first", "second"):
        await fake_bridge.begin(ALICE, ActionId(name), Wait(1))
        assert (await _end_of(fake_bridge, name)).action_id == name


async def test_what_a_paused_bot_was_told_is_delivered_before_its_end(
    fake_bridge: FakeBridge, fake_world: FakeWorld
) -> None:
    await fake_bridge.spawn(ALICE, SERVER)
    await fake_bridge.pause(ALICE)
    fake_world.person("Steve").whisper("Alice", "last words")
    fake_world.kick("Alice", "out")
    kinds = [type(event) for event in await _events(fake_bridge)]
    assert kinds.index(WhisperReceived) < kinds.index(BotDisconnected)


async def test_a_monster_that_stands_near_is_not_blamed(
    fake_bridge: FakeBridge, fake_world: FakeWorld
) -> None:
    here = (await fake_bridge.spawn(ALICE, SERVER)).position
    fake_world.mobs.append(MobSighting("zombie", here, hostile=True))
    fake_world.set_health(ALICE, 12)
    fake_world.kill(ALICE)
    events = await _events(fake_bridge)
    command = Cause("thing", "command", "told")
    assert [hurt.cause for hurt in _of(BotHurt, events)] == [None, command]
    assert [died.cause for died in _of(BotDied, events)] == [command]
