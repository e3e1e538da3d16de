"""Commands and events over a real Node: none lost, none mixed up, none in another's way."""

import asyncio
from collections.abc import Callable, Coroutine
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from bridge.errors import BridgeTimeout, HostError
from bridge.events import BridgeEvent, BridgeLost, BridgeRestored, ChatHeard, HealthChanged
from bridge.js import JSBridge
from bridge.js import node_host as host_module

pytestmark = pytest.mark.real

Probe = Callable[..., Coroutine[Any, Any, Any]]

FORGED_CALL = (
    '{"r":7,"c":"pyi","action":"pcall","ffid":0,"key":["python"],"val":[["antigravity"],null]}\n'
)
TEXTS = [
    *("", "hello", "こんにちは 🦆 👩‍👩‍👧", "\ud800 half a pair \udfff"),
    *('"quoted" \\ \\u0041 \n \r \t \0 \x7f \u2028', "blob!{}!", '{"r":1}'),
    "x" * 300_000,
]


async def read(bridge: JSBridge, count: int, within_s: float = 30.0) -> list[BridgeEvent]:
    events = bridge.events()
    async with asyncio.timeout(within_s):
        return [await anext(events) for _ in range(count)]


async def test_any_text_comes_back_as_it_went(probe: Probe) -> None:
    for text in TEXTS:
        assert await probe("echo", text=text) == {"text": text}


async def test_an_operation_that_cannot_be_done_fails_alone_with_its_message(probe: Probe) -> None:
    for operation, told in (
        ("fail", "no such luck"),
        ("unspeakable", "BigInt|JSON|circular"),  # a value that JSON does not know
        ("no_such_operation", "unknown operation"),
    ):
        with pytest.raises(HostError, match=told):
            await probe(operation, text="no such luck")
        assert await probe("echo", x=1) == {"x": 1}


async def test_errors_nobody_catches_leave_node_alive_and_are_logged(
    bridge: JSBridge, probe: Probe, log_path: Path
) -> None:
    pid = bridge.node_pid
    for operation in ("fail_unheard", "reject_unheard"):
        await probe(operation, text=f"nobody hears {operation}")
        assert await probe("echo_later", ms=50, value=1) == 1
        assert f"nobody hears {operation}" in logged(log_path)
    assert bridge.node_pid == pid


async def test_noise_on_the_standard_streams_goes_to_the_log(
    probe: Probe, log_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    noise, echoes = (
        probe("say_noise", text="grr {no newline", lines=50),
        [probe("echo", i=i) for i in range(100)],
    )
    _, *answers = await asyncio.gather(noise, *echoes)
    assert answers == [{"i": i} for i in range(100)]
    assert logged(log_path).count("grr") >= 200
    assert "grr" not in capfd.readouterr().out


async def test_a_forged_frame_on_stderr_runs_nothing_in_python(probe: Probe) -> None:
    await probe("say_noise", text=FORGED_CALL, lines=1)
    await probe("say_noise", text='{"r":3,"key":"string","val":"forged"}\n', lines=1)
    assert await probe("echo", x=1) == {"x": 1}


async def test_a_slow_command_delays_no_other(probe: Probe) -> None:
    slow = asyncio.create_task(probe("echo_later", ms=2000, value="slow"))
    for i in range(200):
        assert await probe("echo", i=i) == {"i": i}
    assert not slow.done()
    assert await slow == "slow"


async def test_a_command_without_answer_times_out_and_a_late_one_is_dropped(probe: Probe) -> None:
    with pytest.raises(BridgeTimeout) as late:
        await probe("echo_later", timeout_s=0.1, ms=300, value="late")
    assert (late.value.operation, late.value.after_s) == ("echo_later", 0.1)
    assert await probe("echo_later", ms=400, value="in time") == "in time"


async def test_a_cancelled_command_leaves_no_trace(bridge: JSBridge, probe: Probe) -> None:
    task = asyncio.create_task(probe("echo_later", ms=100, value=1))
    await probe("echo")
    task.cancel()
    assert await probe("echo_later", ms=200, value=2) == 2
    (life,) = bridge._lives
    assert life.link.pending == 0


async def test_beyond_the_bound_callers_wait_for_a_place(
    monkeypatch: pytest.MonkeyPatch, node_binary: Path, node_dir: Path, tmp_path: Path
) -> None:
    monkeypatch.setattr(host_module, "MAX_PENDING", 5)
    monkeypatch.setenv("TOWNSFOLK_HOST_PROBES", "1")
    bridge = JSBridge(node_binary, node_dir, tmp_path / "node.log")
    await bridge.start()
    (life,) = bridge._lives
    link, seen = life.link, []

    async def slow(i: int) -> Any:
        answer = await bridge._run("echo_later", "P", {"ms": 50, "value": i})  # type: ignore[arg-type]
        seen.append(link.pending)
        return answer

    assert await asyncio.gather(*map(slow, range(20))) == list(range(20))
    assert max(seen) <= 5
    await bridge.aclose()


async def test_numbers_of_calls_and_callbacks_never_meet(bridge: JSBridge, probe: Probe) -> None:
    """Node numbers its callbacks from 10,000; a call takes two numbers."""
    await probe("flood", count=12_000, burst=1)
    for start in range(0, 12_000, 100):
        answers = await asyncio.gather(*[probe("echo", i=i) for i in range(start, start + 100)])
        assert answers == [{"i": i} for i in range(start, start + 100)]
    assert texts(await read(bridge, 12_000)) == [str(i) for i in range(12_000)]


async def test_health_of_a_burst_is_told_newest_only_but_a_death_always(
    bridge: JSBridge, probe: Probe
) -> None:
    await probe("flood", count=25_000, burst=5000)  # more than may wait unread
    await probe("flood", count=1000, burst=1000, t="health")
    events = await read(bridge, 25_002)
    felt = [event.health for event in events if isinstance(event, HealthChanged)]
    assert felt == [0, 999]
    assert texts(events) == [str(i) for i in range(25_000)]


async def test_a_gap_in_the_pushes_means_a_new_node(bridge: JSBridge, probe: Probe) -> None:
    pid = bridge.node_pid
    await probe("skip_push")
    lost, restored = await read(bridge, 2)
    assert isinstance(lost, BridgeLost)
    assert "in place of" in lost.why
    assert isinstance(restored, BridgeRestored)
    assert bridge.node_pid != pid


async def test_a_malformed_event_is_left_out(bridge: JSBridge, probe: Probe) -> None:
    await probe("flood", count=3, burst=3, t="no_such_event")
    await probe("flood", count=1, burst=1)
    assert texts(await read(bridge, 1)) == ["0"]


async def test_a_second_reader_of_events_is_an_error(bridge: JSBridge, probe: Probe) -> None:
    await probe("flood", count=2, burst=2)
    first = bridge.events()
    await anext(first)
    with pytest.raises(RuntimeError, match="one reader"):
        await anext(bridge.events())


async def test_events_end_when_the_bridge_closes(bridge: JSBridge) -> None:
    reading = asyncio.create_task(collect(bridge))
    await bridge.aclose()
    async with asyncio.timeout(5):
        assert await reading == []
    await bridge.aclose()


async def collect(bridge: JSBridge) -> list[BridgeEvent]:
    return [event async for event in bridge.events()]


@pytest.mark.slow
async def test_two_hundred_thousand_commands_are_answered(bridge: JSBridge, probe: Probe) -> None:
    many = 200_000
    reading = asyncio.create_task(read(bridge, many, within_s=100))
    await probe("flood", count=many, burst=20)
    numbers, wrong = iter(range(many)), 0

    async def caller() -> int:
        nonlocal wrong
        answered = 0
        while chunk := list(islice(numbers, 50)):
            for i in chunk:
                wrong += await probe("echo", i=i) != {"i": i}
                answered += 1
        return answered

    assert sum(await asyncio.gather(*[caller() for _ in range(50)])) == many
    assert wrong == 0
    assert texts(await reading) == [str(i) for i in range(many)]


def texts(events: list[BridgeEvent]) -> list[str]:
    return [event.text for event in events if isinstance(event, ChatHeard)]


def logged(log_path: Path) -> str:
    return log_path.read_text()
