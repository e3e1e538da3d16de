"""Each bot's mailbox: in order, bounded, ended by no bug; ends of actions pass it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from support.held_commits import commits_held
from support.rig import SERVER, Rig, rig_with_alice, run_json, until

from bots.bot.events import BotEvent
from bots.daemon.session import Mailbox
from bridge.errors import NotConnected
from bridge.events import BotHurt, BotSpawned, BridgeEvent, HealthChanged, WhisperReceived
from bridge.fake import FakeBridge, FakeWorld, Person
from bridge.world import BotName, PlayerName, Position

ALICE = BotName("Alice")
NOW = datetime(2026, 11, 21, tzinfo=UTC)


class SwitchedBridge(FakeBridge):
    """Keeps what was asked of its socket."""

    def __init__(self) -> None:
        super().__init__(FakeWorld())
        self.switches: list[str] = []

    async def pause(self, bot: BotName) -> None:
        await super().pause(bot)
        self.switches.append("pause")

    async def resume(self, bot: BotName) -> None:
        await super().resume(bot)
        self.switches.append("resume")


class Reader:
    """Takes events up, one for each permit."""

    def __init__(self) -> None:
        self.permits = asyncio.Semaphore(0)
        self.handled: list[str] = []
        self.apologised: list[str] = []

    async def handle(self, event: BridgeEvent) -> None:
        await self.permits.acquire()
        assert isinstance(event, WhisperReceived)
        if event.text == "bug":
            raise KeyError(event.text)
        self.handled.append(event.text)

    async def apologise(self, event: BridgeEvent) -> None:
        assert isinstance(event, WhisperReceived)
        self.apologised.append(event.text)

    def allow(self, events: int) -> None:
        for _ in range(events):
            self.permits.release()


@pytest.fixture
async def bridge() -> AsyncIterator[SwitchedBridge]:
    bridge = SwitchedBridge()
    await bridge.spawn(ALICE, SERVER)
    yield bridge
    await bridge.aclose()


@pytest.fixture
def reader() -> Reader:
    return Reader()


@pytest.fixture
async def mailbox(bridge: SwitchedBridge, reader: Reader) -> AsyncIterator[Mailbox]:
    mailbox = Mailbox(ALICE, bridge, reader.handle, reader.apologise, mark=10)
    running = asyncio.create_task(mailbox.run())
    yield mailbox
    running.cancel()
    await asyncio.wait({running})


def whisper(text: str) -> WhisperReceived:
    return WhisperReceived(ALICE, PlayerName("Steve"), text, NOW)


def fill(mailbox: Mailbox, events: int) -> list[str]:
    texts = [f"line {number}" for number in range(events)]
    for text in texts:
        mailbox.put(whisper(text))
    return texts


async def test_events_are_handled_in_order(mailbox: Mailbox, reader: Reader) -> None:
    reader.allow(5)
    texts = fill(mailbox, 5)
    await until(lambda: reader.handled == texts)


async def test_a_bug_is_apologised_for_and_events_go_on(mailbox: Mailbox, reader: Reader) -> None:
    reader.allow(2)
    mailbox.put(whisper("bug"))
    mailbox.put(whisper("fine"))
    await until(lambda: reader.handled == ["fine"])
    assert reader.apologised == ["bug"]


async def test_below_the_mark_the_socket_is_left_alone(
    mailbox: Mailbox, reader: Reader, bridge: SwitchedBridge
) -> None:
    fill(mailbox, 9)
    reader.allow(9)
    await until(lambda: len(reader.handled) == 9)
    assert bridge.switches == []


async def test_at_the_mark_the_socket_is_paused_and_at_half_of_it_read_again(
    mailbox: Mailbox, reader: Reader, bridge: SwitchedBridge
) -> None:
    texts = fill(mailbox, 12)
    await until(lambda: bridge.switches == ["pause"])
    reader.allow(6)
    await until(lambda: len(mailbox) == 5)
    await until(lambda: bridge.switches == ["pause", "resume"])
    reader.allow(6)
    await until(lambda: reader.handled == texts)
    assert bridge.switches == ["pause", "resume"]


async def test_what_was_on_its_way_at_a_pause_is_kept(mailbox: Mailbox, reader: Reader) -> None:
    texts = fill(mailbox, 200)
    reader.allow(200)
    await until(lambda: reader.handled == texts)


async def test_a_new_socket_of_a_full_mailbox_is_paused_again(
    mailbox: Mailbox, bridge: SwitchedBridge
) -> None:
    fill(mailbox, 12)
    await until(lambda: bridge.switches == ["pause"])
    mailbox.put(BotSpawned(ALICE, "1.16.5", Position(0, 64, 0), NOW))
    await until(lambda: bridge.switches == ["pause", "pause"])


async def test_a_pause_the_bridge_cannot_take_is_tried_again(
    mailbox: Mailbox, bridge: SwitchedBridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bots.daemon.session.RETRY_S", 0.01)
    bridge.faults.fail_next("pause", NotConnected("Alice"))
    fill(mailbox, 12)
    await until(lambda: bridge.switches == ["pause"])


# --- ends of actions ------------------------------------------------------------------


GO = "!navigation gotoCoords 6 64 0"
WITHIN_S = 3.0  # less than the store waits for a lock
rig = rig_with_alice(Position(0.5, 64, 0.5))


@pytest.fixture
def steve(rig: Rig) -> Person:
    return rig.world.person("Steve", Position(3.5, 64, 0.5))


def heard(rig: Rig) -> list[str | None]:
    return [message.text for message in rig.bots["Alice"].get_conversation_history()]


@asynccontextmanager
async def walking_while_a_whisper_is_stored(
    rig: Rig, steve: Person, folder: Path
) -> AsyncIterator[asyncio.Task[dict[str, Any]]]:
    """Two whispers: the first is held in the store, so the second waits."""
    alice = rig.roster.sessions[0]
    running = asyncio.create_task(run_json(alice.bot, GO))
    await until(lambda: rig.bridge.action_of("Alice"))
    with commits_held(folder):
        steve.whisper("Alice", "one")
        steve.whisper("Alice", "two")
        await until(lambda: len(alice.mailbox) == 1)
        yield running
        assert heard(rig) == []
    await until(lambda: heard(rig) == ["one", "two"])


async def test_a_job_ends_while_a_whisper_before_it_is_not_stored_yet(
    rig: Rig, steve: Person, tmp_path: Path
) -> None:
    async with walking_while_a_whisper_is_stored(rig, steve, tmp_path) as running:
        await rig.world.clock.advance(60.0)
        async with asyncio.timeout(WITHIN_S):
            assert (await running)["success"] is True


async def test_a_lost_connection_ends_a_job_while_a_whisper_is_not_stored_yet(
    rig: Rig, steve: Person, tmp_path: Path
) -> None:
    async with walking_while_a_whisper_is_stored(rig, steve, tmp_path) as running:
        rig.bridge.drop_connection("Alice")
        async with asyncio.timeout(WITHIN_S):
            result = await running
        assert (result["success"], result["reason"]) == (False, "disconnected")


async def test_a_blow_is_felt_while_a_whisper_before_it_is_not_stored_yet(
    rig: Rig, steve: Person, tmp_path: Path
) -> None:
    felt: list[BotEvent] = []
    rig.bots["Alice"].events.subscribe(felt.append)
    async with walking_while_a_whisper_is_stored(rig, steve, tmp_path) as running:
        rig.world.set_health("Alice", 12.0)
        async with asyncio.timeout(WITHIN_S):
            await until(lambda: {BotHurt, HealthChanged} <= set(map(type, felt)))
        await rig.world.clock.advance(60.0)
        await running
