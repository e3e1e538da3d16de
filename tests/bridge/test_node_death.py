"""Node killed, stopped, blocked or not startable: noticed, told, started again, nothing left."""

import asyncio
import os
import signal
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import psutil
import pytest

from bridge.errors import BridgeDown, NodeSetupError, NotConnected
from bridge.events import BotDisconnected, BotSpawned, BridgeEvent, BridgeLost, BridgeRestored
from bridge.js import JSBridge
from bridge.js.link import LASTING_S, LONGEST_DELAY_S, RestartPace
from bridge.port import ServerAddress
from bridge.versions import LineShapes
from bridge.world import BotName

pytestmark = pytest.mark.real

Probe = Callable[..., Coroutine[Any, Any, Any]]
Event = TypeVar("Event", bound=BridgeEvent)

NOTICED_WITHIN_S = 3.0


async def first(events: AsyncIterator[BridgeEvent], kind: type[Event], within_s: float) -> Event:
    async with asyncio.timeout(within_s):
        async for event in events:
            if isinstance(event, kind):
                return event
    raise AssertionError(f"the events ended before {kind.__name__}")


def signal_node(bridge: JSBridge, number: signal.Signals) -> None:
    assert bridge.node_pid is not None
    os.kill(bridge.node_pid, number)


async def test_a_killed_node_fails_its_work_and_comes_back(bridge: JSBridge, probe: Probe) -> None:
    events, pid = bridge.events(), bridge.node_pid
    under_way = [asyncio.create_task(probe("echo_later", ms=60_000)) for _ in range(20)]
    await probe("echo")
    signal_node(bridge, signal.SIGKILL)
    outcomes = await asyncio.gather(*under_way, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [BridgeDown] * 20
    assert "outcome unknown" in str(outcomes[0])
    assert "code -9" in (await first(events, BridgeLost, NOTICED_WITHIN_S)).why
    await first(events, BridgeRestored, 10)
    assert bridge.node_pid != pid
    assert await probe("echo", x=1) == {"x": 1}


async def test_a_stopped_node_is_noticed_within_3_s(bridge: JSBridge, probe: Probe) -> None:
    events = bridge.events()
    waiting = asyncio.create_task(probe("echo_later", ms=60_000))
    await probe("echo")
    signal_node(bridge, signal.SIGSTOP)
    since_s = time.monotonic()
    with pytest.raises(BridgeDown):
        await waiting
    assert time.monotonic() - since_s <= NOTICED_WITHIN_S
    assert "silent" in (await first(events, BridgeLost, 1)).why
    await first(events, BridgeRestored, 10)
    assert await probe("echo", x=1) == {"x": 1}


async def test_a_stopped_node_does_not_stop_python(bridge: JSBridge, probe: Probe) -> None:
    events, before = bridge.events(), held()
    signal_node(bridge, signal.SIGSTOP)
    since_s = time.monotonic()
    with pytest.raises(BridgeDown):
        await probe("echo", text="x" * 3_000_000)
    assert time.monotonic() - since_s <= NOTICED_WITHIN_S
    await first(events, BridgeRestored, 10)
    assert await probe("echo", x=1) == {"x": 1}
    assert_no_more_than(before)


async def test_a_blocked_node_is_noticed_within_3_s(bridge: JSBridge, probe: Probe) -> None:
    events = bridge.events()
    since_s = time.monotonic()
    with pytest.raises(BridgeDown):
        await probe("block", ms=60_000)
    assert time.monotonic() - since_s <= NOTICED_WITHIN_S
    await first(events, BridgeRestored, 10)


async def test_a_node_busy_for_a_second_is_left_alone(bridge: JSBridge, probe: Probe) -> None:
    pid = bridge.node_pid
    await probe("block", ms=1500)
    assert await probe("echo", x=1) == {"x": 1}
    assert bridge.node_pid == pid


async def test_without_node_no_bot_is_connected_or_spawned(bridge: JSBridge, probe: Probe) -> None:
    events = bridge.events()
    signal_node(bridge, signal.SIGKILL)
    await first(events, BridgeLost, NOTICED_WITHIN_S)
    with pytest.raises(NotConnected):
        await bridge.snapshot(BotName("Alice"))
    with pytest.raises(BridgeDown):
        await bridge.spawn(BotName("Alice"), ServerAddress("127.0.0.1", 1))
    await first(events, BridgeRestored, 10)


async def test_each_bot_is_told_gone_before_the_bridge_is_restored(
    bridge: JSBridge, address: ServerAddress
) -> None:
    bots = [BotName("Alice"), BotName("Bob")]
    for bot in bots:
        await bridge.spawn(bot, address)
    events = bridge.events()
    signal_node(bridge, signal.SIGKILL)
    await first(events, BridgeLost, NOTICED_WITHIN_S)
    gone = [await first(events, BotDisconnected, 1) for _ in bots]
    assert [(event.bot, event.ending) for event in gone] == [(bot, "node_died") for bot in bots]
    await first(events, BridgeRestored, 10)
    again = await bridge.spawn(bots[0], address)
    assert (await first(events, BotSpawned, 5)) == again


@pytest.mark.slow
async def test_ten_kills_under_load_leave_nothing_behind(bridge: JSBridge, probe: Probe) -> None:
    events = bridge.events()
    await probe("echo")
    before = held()
    stop, answered, unknown = asyncio.Event(), 0, 0

    async def caller() -> None:
        nonlocal answered, unknown
        while not stop.is_set():
            try:
                assert await probe("echo", x=answered, timeout_s=10) is not None
                answered += 1
            except BridgeDown:
                unknown += 1
            except NotConnected:
                await asyncio.sleep(0.01)

    callers = [asyncio.create_task(caller()) for _ in range(50)]
    for _ in range(10):
        await asyncio.wait(callers, timeout=0.3)
        signal_node(bridge, signal.SIGKILL)
        await first(events, BridgeLost, NOTICED_WITHIN_S)
        await first(events, BridgeRestored, 20)
    stop.set()
    await asyncio.gather(*callers)
    assert answered > 1000
    assert unknown >= 10
    assert await probe("echo", x=1) == {"x": 1}
    assert_no_more_than(before)


async def test_closing_ends_node_and_every_thread(
    node_binary: Path, node_dir: Path, log_path: Path
) -> None:
    before, watching = threading.active_count(), watching_threads()
    bridge = JSBridge(node_binary, node_dir, log_path)
    await bridge.start()
    pid = bridge.node_pid
    since_s = time.monotonic()
    await bridge.aclose()
    assert time.monotonic() - since_s < 1.5
    assert pid is not None
    assert not psutil.pid_exists(pid)
    assert still_alive(watching_threads() - watching) == []
    assert threading.active_count() <= before + 1  # asyncio's own pool may have grown


async def test_closing_a_stopped_node_does_not_hang(bridge: JSBridge) -> None:
    signal_node(bridge, signal.SIGSTOP)
    async with asyncio.timeout(3):
        await bridge.aclose()


async def test_closing_while_node_starts_again_leaves_none(bridge: JSBridge) -> None:
    events = bridge.events()
    signal_node(bridge, signal.SIGKILL)
    await first(events, BridgeLost, NOTICED_WITHIN_S)
    await bridge.aclose()
    assert [
        child for child in psutil.Process().children() if "bridge.js" in child.cmdline()[-1]
    ] == []


async def test_a_missing_node_is_a_setup_error_at_once(node_dir: Path, tmp_path: Path) -> None:
    bridge = JSBridge(tmp_path / "no-node", node_dir, tmp_path / "node.log")
    with pytest.raises(NodeSetupError, match="no-node"):
        await bridge.start()
    await bridge.aclose()


async def test_missing_packages_are_told_without_a_node(node_binary: Path, tmp_path: Path) -> None:
    watching = watching_threads()
    bridge = JSBridge(node_binary, tmp_path, tmp_path / "node.log")
    with pytest.raises(NodeSetupError, match="Cannot find module"):
        await bridge.start()
    assert bridge.node_pid is None
    assert still_alive(watching_threads() - watching) == []


async def test_a_malformed_whisper_pattern_is_a_setup_error(
    node_binary: Path, node_dir: Path, log_path: Path
) -> None:
    bridge = JSBridge(node_binary, node_dir, log_path, LineShapes(whispers=("(unclosed",)))
    with pytest.raises(NodeSetupError, match="unclosed"):
        await bridge.start()


def held() -> tuple[int, int, int]:
    """Reflections, file descriptors and child processes of this process."""
    process = psutil.Process()
    return threading.active_count(), process.num_fds(), len(process.children())


def assert_no_more_than(before: tuple[int, int, int]) -> None:
    """Fewer may be held: what an earlier test of this process left is collected at any time."""
    now = held()
    assert all(one <= was for one, was in zip(now, before, strict=True)), (now, before)


def watching_threads() -> set[threading.Thread]:
    """Python 3.11 waits for the end of each child in a thread, newer ones in none."""
    return {thread for thread in threading.enumerate() if "waitpid" in thread.name}


def still_alive(threads: set[threading.Thread]) -> list[threading.Thread]:
    """Those that do not end at once."""
    for thread in threads:
        thread.join(1)
    return [thread for thread in threads if thread.is_alive()]


def test_the_first_restart_is_at_once_and_a_node_that_keeps_dying_waits_ever_longer() -> None:
    pace = RestartPace()
    delays = [pace.delay_s(lived_s=0.1) for _ in range(12)]
    assert delays[0] == 0
    assert delays == sorted(delays)
    assert delays[-1] == LONGEST_DELAY_S


def test_a_node_that_lasted_is_started_again_at_once() -> None:
    pace = RestartPace()
    for _ in range(5):
        pace.delay_s(lived_s=0.1)
    assert pace.delay_s(lived_s=LASTING_S) == 0
