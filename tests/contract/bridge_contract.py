"""What every `Bridge` must do: inherit the class, give an `arena` fixture, get the tests."""

import anyio
from contract.arena import WITHIN_S
from contract.contract_actions import ActionsContract
from contract.contract_digging import DiggingContract
from contract.contract_fishing import FishingContract
from contract.contract_foraging import ForagingContract
from contract.contract_joining import JoiningContract
from contract.contract_knowing import KnowingContract
from contract.contract_looking import LookingContract
from contract.contract_making import KeepingContract, MakingContract
from contract.contract_moving import MovingContract
from contract.contract_pursuing import (
    LyingContract,
    OpenedContract,
    PlacesContract,
    PursuingContract,
)
from contract.contract_sensing import SensingContract
from contract.contract_sparing import SparingContract
from contract.contract_talking import TalkingContract

from bridge.actions import Wait
from bridge.events import ActionFinished, ActionId, BotDisconnected, BridgeEvent
from bridge.port import Bridge, ServerAddress
from bridge.world import BotName


class BridgeContract(
    JoiningContract,
    TalkingContract,
    SensingContract,
    LookingContract,
    ActionsContract,
    MovingContract,
    KnowingContract,
    PursuingContract,
    PlacesContract,
    LyingContract,
    OpenedContract,
    DiggingContract,
    MakingContract,
    KeepingContract,
    ForagingContract,
    FishingContract,
    SparingContract,
):
    """Needs a fixture `arena` with a bridge that is open."""


class ClosingContract:
    """Needs fixtures `bridge`, opened for the test alone, and `server`."""

    async def test_closing_sends_the_bots_away_and_ends_the_events(
        self, bridge: Bridge, server: ServerAddress
    ) -> None:
        await bridge.spawn(BotName("Alice"), server)
        await bridge.begin(BotName("Alice"), ActionId("long"), Wait(3600), deadline_s=7200)
        await bridge.aclose()
        seen = await _rest(bridge)
        assert [e.ending for e in seen if isinstance(e, BotDisconnected)] == ["requested"]
        assert [e.outcome for e in seen if isinstance(e, ActionFinished)] == ["disconnected"]

    async def test_closing_twice_is_harmless(self, bridge: Bridge) -> None:
        await bridge.aclose()
        await bridge.aclose()
        assert await _rest(bridge) == []


async def _rest(bridge: Bridge) -> list[BridgeEvent]:
    with anyio.fail_after(WITHIN_S):
        return [event async for event in bridge.events()]
