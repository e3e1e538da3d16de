"""The fake bridge: what it tells and sends, the work it does, and its plugin for pytest."""

import asyncio
import subprocess
import sys
from dataclasses import replace
from typing import TypeVar, get_args

import pytest

from bridge.actions import (
    Action,
    Approach,
    Hunt,
    MoveTo,
    Wait,
)
from bridge.causes import Cause
from bridge.errors import BridgeDown, BridgeTimeout, NotConnected, SpawnFailed
from bridge.events import (
    ActionFinished,
    ActionId,
    ActionProgress,
    BotDied,
    BotDisconnected,
    BotHurt,
    BotSpawned,
    BridgeEvent,
    BridgeLost,
    BridgeRestored,
    HealthChanged,
    MonstersNear,
    WhisperReceived,
)
from bridge.fake import FakeBridge, FakeWorld, VirtualClock
from bridge.fake.actions import ACTIONS
from bridge.fake.sessions import EventStream, TooManyUnread
from bridge.port import ServerAddress
from bridge.world import BotName, MobSighting, PlayerName, Position

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


async def test_a_scripted_error_strikes_once_and_nothing_happens(fake_bridge: FakeBridge) -> None:
    await fake_bridge.spawn(ALICE, SERVER)
    fake_bridge.faults.fail_next("whisper", BridgeTimeout("whisper", 10))
    with pytest.raises(BridgeTimeout):
        await fake_bridge.whisper(ALICE, STEVE, "lost")
    await fake_bridge.whisper(ALICE, STEVE, "one")
    await fake_bridge.chat(ALICE, "two")
    assert [(line.to, line.text) for line in fake_bridge.sent] == [(STEVE, "one"), (None, "two")]


async def test_a_refused_spawn_fails_as_often_as_scripted(fake_bridge: FakeBridge) -> None:
    fake_bridge.faults.refuse_spawn(ALICE, "kicked", '{"text":"banned"}', times=2)
    for _ in range(2):
        with pytest.raises(SpawnFailed) as refused:
            await fake_bridge.spawn(ALICE, SERVER)
        assert (refused.value.ending, refused.value.text) == ("kicked", '{"text":"banned"}')
    assert (await fake_bridge.spawn(ALICE, SERVER)).bot == ALICE


async def test_a_silent_server_and_one_of_another_version_cost_the_whole_spawn_timeout(
    fake_bridge: FakeBridge, virtual_clock: VirtualClock
) -> None:
    fake_bridge.faults.refuse_spawn(ALICE, "spawn_timeout", "")
    for server in (SERVER, ServerAddress("anywhere", 25565, "1.20.4")):
        with pytest.raises(SpawnFailed) as refused:
            await fake_bridge.spawn(ALICE, server, timeout_s=7)
        assert refused.value.ending == "spawn_timeout"
    assert virtual_clock.monotonic() == 14


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


@pytest.mark.parametrize(
    ("lines", "every_s", "kicked"), [(10, 0, False), (11, 0, True), (100, 1, False)]
)
async def test_talking_too_fast_ends_in_the_vanilla_kick(
    virtual_clock: VirtualClock, lines: int, every_s: float, kicked: bool
) -> None:
    bridge = FakeBridge(FakeWorld(virtual_clock), vanilla_spam_rule=True)
    await bridge.spawn(ALICE, SERVER)
    for number in range(lines):
        await bridge.whisper(ALICE, STEVE, str(number))
        await virtual_clock.advance(every_s)
    gone = _of(BotDisconnected, await _events(bridge))[0]
    assert (gone.ending == "kicked") is kicked


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


async def test_events_have_one_reader_at_a_time(fake_bridge: FakeBridge) -> None:
    first = asyncio.create_task(_end_of(fake_bridge, "walk"))
    await asyncio.sleep(0)
    with pytest.raises(RuntimeError):
        await _end_of(fake_bridge, "walk")
    await fake_bridge.spawn(ALICE, SERVER)
    await fake_bridge.begin(ALICE, ActionId("walk"), Wait(1))
    assert (await first).outcome == "done"
    await fake_bridge.begin(ALICE, ActionId("again"), Wait(1))
    assert (await _end_of(fake_bridge, "again")).action_id == "again"


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


pytest_plugins = ("pytester",)

USERS_TEST = """
import pytest
from townsfolk import ServerAddress

@pytest.fixture
def anyio_backend():
    return "asyncio"

@pytest.mark.anyio
async def test_alice_whispers_to_steve(fake_bridge, fake_world, virtual_clock):
    await fake_bridge.spawn("Alice", ServerAddress("localhost", 25565))
    steve = fake_world.person("Steve")
    await fake_bridge.whisper("Alice", "Steve", "good morning")
    assert (await steve.hears()).text == "good morning"
    assert fake_bridge.world is fake_world
    assert fake_world.clock is virtual_clock

@pytest.mark.anyio
async def test_each_test_has_a_world_of_its_own(fake_bridge, fake_world):
    assert fake_world.bodies == {}
    assert fake_bridge.sent == []
"""


def test_a_users_test_gets_the_fixtures(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(USERS_TEST)
    pytester.runpytest("-p", "no:randomly").assert_outcomes(passed=2)


def test_the_fixtures_are_listed_with_their_meaning(pytester: pytest.Pytester) -> None:
    listed = pytester.runpytest("-p", "no:randomly", "--fixtures")
    listed.stdout.fnmatch_lines(["fake_bridge*", "*A bridge into `fake_world`.*"])


OTHERS_BRIDGE = """
import bridge
from bridge.cards import DECK

def test_the_projects_own_packages_are_used():
    assert DECK == 52
    assert bridge.__file__.startswith({folder!r})
"""


def test_a_project_with_a_bridge_of_its_own_is_left_alone(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # ours is named below
    own = pytester.mkpydir("bridge")
    (own / "cards.py").write_text("DECK = 52\n")
    pytester.makepyfile(OTHERS_BRIDGE.format(folder=str(pytester.path)))
    pytester.runpytest_subprocess("-p", "townsfolk.testing").assert_outcomes(passed=1)


ASYNCIO_ALONE = """
import asyncio
import pytest
from townsfolk import ServerAddress

def test_alice_joins(fake_bridge, fake_world):
    asyncio.run(fake_bridge.spawn("Alice", ServerAddress("localhost", 25565)))
    assert list(fake_world.bodies) == ["Alice"]
"""


def test_the_fixtures_need_no_plugin_for_asyncio(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(ASYNCIO_ALONE)
    done = pytester.runpytest("-p", "no:randomly", "-p", "no:anyio", "-W", "error")
    done.assert_outcomes(passed=1)


def test_the_plugin_loads_nothing_of_ours() -> None:
    code = "import townsfolk.testing as _, sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60
    )
    ours = ("bots", "bridge", "llm")
    assert [name for name in done.stdout.split() if name.partition(".")[0] in ours] == []


async def test_monsters_are_told_as_they_come_ring_by_ring_and_as_they_go(
    fake_bridge: FakeBridge, fake_world: FakeWorld
) -> None:
    at = (await fake_bridge.spawn(ALICE, SERVER)).position
    events = fake_bridge.events()

    async def told() -> list[str]:
        while not isinstance(event := await anext(events), MonstersNear):
            pass
        return [mob.name for mob in event.monsters]

    fake_world.summon("cow", at, hostile=False)
    zombie = fake_world.summon("zombie", replace(at, x=at.x + 10))
    assert await told() == ["zombie"]
    fake_world.teleport(ALICE, replace(at, x=at.x + 1))  # no ring nearer
    fake_world.summon("creeper", replace(at, x=at.x + 17.5))
    fake_world.teleport(ALICE, replace(at, x=at.x + 5))
    assert await told() == ["zombie", "creeper"]
    fake_world.banish(zombie)
    assert await told() == ["creeper"]


async def test_a_monster_on_the_edge_of_a_ring_is_told_of_once(
    fake_bridge: FakeBridge, fake_world: FakeWorld
) -> None:
    at = (await fake_bridge.spawn(ALICE, SERVER)).position
    events = fake_bridge.events()
    zombie, told = fake_world.summon("zombie", replace(at, x=at.x + 30)), 0
    counts = []
    for health, away in enumerate((11.9, 12.1, 11.8, 12.9, 13.1, 12.5, 11.9, 17.5), start=1):
        zombie = fake_world.walk(zombie, replace(at, x=at.x + away))
        fake_world.set_health(ALICE, health)
        while not isinstance(event := await anext(events), HealthChanged):
            told += isinstance(event, MonstersNear)
        counts.append(told)
    assert counts == [1, 1, 1, 1, 2, 2, 3, 4]
