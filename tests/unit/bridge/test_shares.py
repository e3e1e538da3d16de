"""Several users of one bridge: each has its own bots and hears of these alone."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from bridge import FakeBridge
from bridge.actions import Wait
from bridge.errors import NotConnected
from bridge.events import ActionId, BotDisconnected, BridgeEvent, WhisperReceived
from bridge.port import ServerAddress
from bridge.shares import BridgeShare, SharedBridge
from bridge.world import BotName, PlayerName

SERVER = ServerAddress("localhost", 25565)
ALICE, BOB = BotName("Alice"), BotName("Bob")
WITHIN_S = 5.0


def always() -> bool:
    return True


@asynccontextmanager
async def two_shares(bridge: FakeBridge) -> AsyncIterator[tuple[BridgeShare, BridgeShare]]:
    """Alice lives in the first, Bob in the second."""
    shared = SharedBridge(bridge)
    pump = asyncio.create_task(shared.run())
    one, two = shared.share(always), shared.share(always)
    await one.spawn(ALICE, SERVER)
    await two.spawn(BOB, SERVER)
    try:
        yield one, two
    finally:
        await bridge.aclose()
        await pump


async def until(events: AsyncIterator[BridgeEvent], kind: type[BridgeEvent]) -> BridgeEvent:
    async with asyncio.timeout(WITHIN_S):
        return await anext(event async for event in events if isinstance(event, kind))


async def all_of(share: BridgeShare) -> list[BridgeEvent]:
    await share.aclose()
    return [event async for event in share.events()]


async def test_each_share_gets_the_events_of_its_own_bots(fake_bridge: FakeBridge) -> None:
    async with two_shares(fake_bridge) as (one, two):
        await one.whisper(ALICE, PlayerName("Bob"), "Hello Bob")
        heard = await until(two.events(), WhisperReceived)
    assert isinstance(heard, WhisperReceived)
    assert heard.bot == BOB
    assert {getattr(event, "bot", None) for event in await all_of(one)} == {ALICE}


async def test_a_closed_share_takes_its_bots_along_alone(fake_bridge: FakeBridge) -> None:
    async with two_shares(fake_bridge) as (one, two):
        await one.aclose()
        with pytest.raises(NotConnected):
            await fake_bridge.snapshot(ALICE)
        assert (await two.snapshot(BOB)).bot == BOB


async def test_nobody_acts_through_a_share_that_is_shut(fake_bridge: FakeBridge) -> None:
    async with two_shares(fake_bridge) as (one, _):
        await one.shut()
        with pytest.raises(NotConnected):
            await one.spawn(ALICE, SERVER)
        with pytest.raises(NotConnected):
            await one.chat(ALICE, "Am I still here?")
        assert isinstance(await until(one.events(), BotDisconnected), BotDisconnected)


async def test_who_joins_while_the_share_is_shut_leaves_again(fake_bridge: FakeBridge) -> None:
    share = SharedBridge(fake_bridge).share(always)
    joining = asyncio.create_task(share.spawn(ALICE, SERVER))
    await asyncio.sleep(0)  # it is on its way
    await share.shut()
    with pytest.raises(NotConnected):
        await joining
    with pytest.raises(NotConnected):
        await fake_bridge.snapshot(ALICE)
    await fake_bridge.aclose()


async def test_who_may_not_act_any_more_is_refused_at_once(fake_bridge: FakeBridge) -> None:
    is_ours = True
    share = SharedBridge(fake_bridge).share(lambda: is_ours)
    await share.spawn(ALICE, SERVER)
    is_ours = False
    acts = (
        share.whisper(ALICE, PlayerName("Steve"), "This waited to be said."),
        share.chat(ALICE, "So did this."),
        share.begin(ALICE, ActionId("1"), Wait(1.0)),
        share.spawn(BOB, SERVER),
    )
    for act in acts:
        with pytest.raises(NotConnected):
            await act
    await share.aclose()
    with pytest.raises(NotConnected):
        await fake_bridge.snapshot(ALICE)
    await fake_bridge.aclose()


async def test_who_joins_as_its_right_runs_out_leaves_again(fake_bridge: FakeBridge) -> None:
    answers = iter([True, False])
    share = SharedBridge(fake_bridge).share(lambda: next(answers))
    with pytest.raises(NotConnected):
        await share.spawn(ALICE, SERVER)
    with pytest.raises(NotConnected):
        await fake_bridge.snapshot(ALICE)
    await fake_bridge.aclose()
