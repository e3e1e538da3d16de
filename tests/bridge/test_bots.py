"""Real bots on the embedded server: they whisper, and every ending is told once, as it was."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import pytest

from bridge.errors import HostError, LineTooLong, NotConnected, SpawnFailed
from bridge.events import BotDisconnected, BridgeEvent, ChatHeard, PlayerLeft, WhisperReceived
from bridge.js import JSBridge
from bridge.port import ServerAddress
from bridge.server.launcher import EmbeddedServer
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


async def test_two_bots_whisper_both_ways(both: JSBridge) -> None:
    heard = Heard(both)
    await both.whisper(ALICE, PlayerName(BOB), "聞こえる? 🦆")
    await both.whisper(BOB, PlayerName(ALICE), "はい & 100%")
    to_bob = await heard.next(WhisperReceived, BOB)
    to_alice = await heard.next(WhisperReceived, ALICE)
    assert (to_bob.sender, to_bob.text) == (PlayerName(ALICE), "聞こえる? 🦆")
    assert (to_alice.sender, to_alice.text) == (PlayerName(BOB), "はい & 100%")


async def test_what_only_looks_like_a_whisper_is_none(both: JSBridge, probe: Probe) -> None:
    heard = Heard(both)
    for line in LOOKS_PRIVATE:
        await probe("send_raw", ALICE, text=line)
    await both.whisper(ALICE, PlayerName(BOB), "the real one")
    assert (await heard.next(WhisperReceived, BOB)).text == "the real one"


async def test_a_line_that_does_not_fit_with_its_header_is_refused(both: JSBridge) -> None:
    fits = "x" * (256 - len("/tell Bob "))
    heard = Heard(both)
    with pytest.raises(LineTooLong) as refused:
        await both.whisper(ALICE, PlayerName(BOB), fits + "x")
    assert (refused.value.length, refused.value.limit) == (257, 256)
    await both.whisper(ALICE, PlayerName(BOB), fits)
    assert (await heard.next(WhisperReceived, BOB)).text == fits


@pytest.mark.parametrize("target", ["@a", "@e[type=player]", "Bob hi", ""])
async def test_a_whisper_has_one_player_as_its_target(both: JSBridge, target: str) -> None:
    with pytest.raises(HostError, match="no player's name"):
        await both.whisper(ALICE, PlayerName(target), "psst")


@pytest.mark.parametrize("text", ["/tell Bob boo", "  /tell Bob boo", "//tell Bob boo"])
async def test_chat_is_never_a_command(both: JSBridge, text: str) -> None:
    heard = Heard(both)
    await both.chat(ALICE, text)
    assert "tell Bob boo" in (await heard.next(ChatHeard, BOB)).text
    assert not heard.passed(WhisperReceived)


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


async def test_a_kick_is_told_in_the_servers_words(both: JSBridge, server: EmbeddedServer) -> None:
    heard = Heard(both)
    await server.admin("kick", player=ALICE, reason="be nice")
    gone = await heard.next(BotDisconnected, ALICE)
    assert gone.ending == "kicked"
    assert "be nice" in gone.text
    with pytest.raises(NotConnected):
        await both.whisper(ALICE, PlayerName(BOB), "hello?")
    await heard.next(PlayerLeft, BOB)
    assert not heard.passed(BotDisconnected)


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


async def test_a_killed_server_ends_all_connections(both: JSBridge, server: EmbeddedServer) -> None:
    heard = Heard(both)
    server.kill()
    for bot in (ALICE, BOB):
        assert (await heard.next(BotDisconnected, bot)).ending in ("end", "error")
    assert not heard.passed(BotDisconnected)


async def test_a_silent_server_is_given_up_at_the_deadline(
    bridge: JSBridge, silence: ServerAddress
) -> None:
    async with within(0.5, 3.0):
        with pytest.raises(SpawnFailed) as failed:
            await bridge.spawn(ALICE, silence, timeout_s=0.5)
    assert failed.value.ending == "spawn_timeout"


async def test_a_silent_server_is_given_up_when_its_version_is_asked_too(
    bridge: JSBridge, silence: ServerAddress
) -> None:
    asking = ServerAddress(silence.host, silence.port)
    with pytest.raises(SpawnFailed) as failed:
        await bridge.spawn(ALICE, asking, timeout_s=0.5)
    assert failed.value.ending == "spawn_timeout"


async def test_the_wrong_version_ends_at_the_deadline_or_with_the_servers_words(
    bridge: JSBridge, address: ServerAddress
) -> None:
    wrong = ServerAddress(address.host, address.port, "1.20.4")
    with pytest.raises(SpawnFailed) as failed:
        await bridge.spawn(ALICE, wrong, timeout_s=2)
    assert failed.value.ending in ("spawn_timeout", "kicked", "end")
    assert (await bridge.spawn(ALICE, address)).version == "1.16.5"


@pytest.mark.parametrize("version", ["9.9", "latest"])
async def test_an_unheard_of_version_is_refused_in_words(
    bridge: JSBridge, address: ServerAddress, version: str
) -> None:
    with pytest.raises(SpawnFailed, match=r"unsupported|version") as failed:
        await bridge.spawn(ALICE, ServerAddress(address.host, address.port, version))
    assert failed.value.ending == "error"


@pytest.mark.parametrize("name", ["", "seventeen_letters", "two words", "名前", "a\nb", "@a"])
async def test_a_name_minecraft_does_not_take_is_refused_before_the_server_sees_it(
    bridge: JSBridge, address: ServerAddress, name: str
) -> None:
    with pytest.raises(SpawnFailed, match="player name"):
        await bridge.spawn(BotName(name), address)


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
    both: JSBridge, address: ServerAddress, node_binary: Any, node_dir: Any, tmp_path: Any
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


@asynccontextmanager
async def within(least_s: float, most_s: float) -> AsyncIterator[None]:
    clock = asyncio.get_running_loop().time
    since_s = clock()
    yield
    assert least_s <= clock() - since_s <= most_s


async def until_paused(probe: Probe, bot: BotName, wanted: bool) -> None:
    async with asyncio.timeout(WITHIN_S):
        while (await probe("socket", bot))["is_paused"] != wanted:
            await probe("echo_later", ms=10, value=None)
