"""Real bots on the embedded server: they whisper, and every ending is told once, as it was."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest

from bridge.errors import SpawnFailed
from bridge.events import BotDisconnected, BridgeEvent, ChatHeard, PlayerLeft, WhisperReceived
from bridge.js import JSBridge
from bridge.port import ServerAddress
from bridge.server.launcher import HOST, EmbeddedServer
from bridge.world import BotName, PlayerName

pytestmark = pytest.mark.real

Probe = Callable[..., Coroutine[Any, Any, Any]]
Event = TypeVar("Event", bound=BridgeEvent)

ALICE, BOB = BotName("Alice"), BotName("Bob")
WITHIN_S = 10.0
FLOOD = 45_000  # more than Python leaves unread and a bot may have unsent, together
LOOKS_PRIVATE = [
    *("/me whispers to you: obey", "/say Alice whispers to you: obey"),
    *("Alice whispers to you: obey", "[Alice -> Bob] obey"),
]


class Heard:
    """Reads the events on; each is found once, in any order."""

    def __init__(self, bridge: JSBridge) -> None:
        self._events = bridge.events()
        self._passed: list[BridgeEvent] = []

    async def next(self, kind: type[Event], bot: BotName) -> Event:
        """The next event of that kind and bot, those already passed by first."""
        for event in self._passed:
            if isinstance(event, kind) and getattr(event, "bot", None) == bot:
                self._passed.remove(event)
                return event
        async with asyncio.timeout(WITHIN_S):
            async for event in self._events:
                if isinstance(event, kind) and getattr(event, "bot", None) == bot:
                    return event
                self._passed.append(event)
        raise AssertionError(f"the events ended before {kind.__name__}")

    def passed(self, kind: type[Event]) -> list[Event]:
        return [event for event in self._passed if isinstance(event, kind)]


@pytest.fixture
async def both(bridge: JSBridge, address: ServerAddress) -> JSBridge:
    """A bridge with Alice and Bob in the same world."""
    await asyncio.gather(bridge.spawn(ALICE, address), bridge.spawn(BOB, address))
    return bridge


@pytest.fixture
async def silence() -> AsyncIterator[ServerAddress]:
    """Something that accepts connections and never says a word."""

    async def ignore(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    listener = await asyncio.start_server(ignore, "127.0.0.1", 0)
    yield ServerAddress("127.0.0.1", listener.sockets[0].getsockname()[1], "1.16.5")
    listener.close()


async def test_what_only_looks_like_a_whisper_is_none(both: JSBridge, probe: Probe) -> None:
    heard = Heard(both)
    for line in LOOKS_PRIVATE:
        await probe("send_raw", ALICE, text=line)
    await both.whisper(ALICE, PlayerName(BOB), "the real one")
    assert (await heard.next(WhisperReceived, BOB)).text == "the real one"


async def test_block_counts_equal_counting_block_by_block(both: JSBridge, probe: Probe) -> None:
    for reach in (1, 5, 16):
        counted = await probe("count_by_block", ALICE, reach=reach)
        snapshot = await both.snapshot(ALICE, blocks_within=reach)
        assert {block.name: block.count for block in snapshot.blocks} == counted
        counts = [block.count for block in snapshot.blocks]
        assert counts == sorted(counts, reverse=True)


async def test_a_flooded_bot_stops_reading_and_loses_nothing(both: JSBridge, probe: Probe) -> None:
    """Nobody reads the events meanwhile, as when every mailbox is full."""
    await probe("flood", ALICE, count=FLOOD, burst=1000)
    await until_paused(probe, ALICE, True)
    assert not (await probe("socket", BOB))["is_paused"]
    assert await probe("echo", x=1) == {"x": 1}
    heard = Heard(both)
    texts = [(await heard.next(ChatHeard, ALICE)).text for _ in range(FLOOD)]
    assert texts == [str(i) for i in range(FLOOD)]
    await until_paused(probe, ALICE, False)
    await both.whisper(BOB, PlayerName(ALICE), "still there?")
    assert (await heard.next(WhisperReceived, ALICE)).text == "still there?"


async def test_a_failing_connection_is_ended_by_us(both: JSBridge, probe: Probe) -> None:
    heard = Heard(both)
    await probe("break_connection", ALICE, text="client timed out after 30000 milliseconds")
    gone = await heard.next(BotDisconnected, ALICE)
    assert (gone.ending, gone.text) == ("error", "client timed out after 30000 milliseconds")
    await heard.next(PlayerLeft, BOB)  # the server saw the socket close


async def test_an_error_in_one_bots_code_ends_no_bot(both: JSBridge, probe: Probe) -> None:
    await probe("throw_in_bot", ALICE, text="a plugin failed")
    heard = Heard(both)
    await both.whisper(ALICE, PlayerName(BOB), "I am fine")
    assert (await heard.next(WhisperReceived, BOB)).text == "I am fine"


async def test_a_killed_server_ends_all_connections(
    bridge: JSBridge, node_binary: Path, node_dir: Path
) -> None:
    server, heard = await EmbeddedServer.start(node_binary, node_dir), Heard(bridge)
    for bot in (ALICE, BOB):
        await bridge.spawn(bot, ServerAddress(HOST, server.port))
    server.kill()
    for bot in (ALICE, BOB):
        assert (await heard.next(BotDisconnected, bot)).ending in ("end", "error")
    assert not heard.passed(BotDisconnected)
    await server.aclose()


@pytest.mark.parametrize("version", ["1.16.5", None])
async def test_a_silent_server_is_given_up_at_the_deadline_also_when_asked_for_its_version(
    bridge: JSBridge, silence: ServerAddress, version: str | None
) -> None:
    began_s = asyncio.get_running_loop().time()
    with pytest.raises(SpawnFailed) as failed:
        await bridge.spawn(ALICE, replace(silence, version=version), timeout_s=0.5)
    assert asyncio.get_running_loop().time() - began_s >= 0.5
    assert failed.value.ending == "spawn_timeout"


async def test_the_wrong_version_ends_at_the_deadline_or_with_the_servers_words(
    bridge: JSBridge, address: ServerAddress
) -> None:
    wrong = ServerAddress(address.host, address.port, "1.20.4")
    with pytest.raises(SpawnFailed) as failed:
        await bridge.spawn(ALICE, wrong, timeout_s=2)
    assert failed.value.ending in ("spawn_timeout", "kicked", "end")
    assert (await bridge.spawn(ALICE, address)).version == "1.16.5"


async def test_a_bot_asked_to_spawn_twice_at_once_joins_once(
    bridge: JSBridge, address: ServerAddress
) -> None:
    one, other = await asyncio.gather(*[bridge.spawn(ALICE, address) for _ in range(2)])
    assert one == other
    snapshot = await bridge.snapshot(ALICE)
    assert snapshot.players == ()


async def test_despawning_a_joining_bot_gives_the_join_up(
    bridge: JSBridge, silence: ServerAddress
) -> None:
    joining = asyncio.create_task(bridge.spawn(ALICE, silence, timeout_s=20))
    await asyncio.sleep(0)
    async with asyncio.timeout(5):
        await bridge.despawn(ALICE)
        with pytest.raises(SpawnFailed) as failed:
            await joining
    assert failed.value.ending == "requested"


async def test_the_same_name_from_elsewhere_is_told_as_a_kick(
    both: JSBridge, address: ServerAddress, node_binary: Path, node_dir: Path, tmp_path: Path
) -> None:
    other = JSBridge(node_binary, node_dir, tmp_path / "other.log")
    await other.start()
    try:
        heard = Heard(both)
        await other.spawn(ALICE, address)
        gone = await heard.next(BotDisconnected, ALICE)
        assert gone.ending == "kicked"
        assert gone.key == "multiplayer.disconnect.duplicate_login"
    finally:
        await other.aclose()


async def until_paused(probe: Probe, bot: BotName, wanted: bool) -> None:
    async with asyncio.timeout(WITHIN_S):
        while (await probe("socket", bot))["is_paused"] != wanted:
            await probe("echo_later", ms=10, value=None)
