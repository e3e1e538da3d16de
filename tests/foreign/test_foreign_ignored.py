"""A server that takes no notice and says nothing: npm's flying-squid with a plugin of its kind."""

from __future__ import annotations

from pathlib import Path

import pytest
from contract.arena import EventLog, eventually, unique
from versions.bench import Equipment
from versions.stage import HOST, listening_bridge

from bridge.actions import Action, Dig, MoveTo
from bridge.events import ActionFinished, ActionId, ChatHeard
from bridge.port import Bridge, ServerAddress
from bridge.world import BotName, PlayerName, Position

pytestmark = [pytest.mark.anyio, pytest.mark.real, pytest.mark.slow]

ALICE, BOB = BotName("Alice"), BotName("Bob")
DEADLINE_S = 30.0
SQUID = Path(__file__).with_name("squid.cjs")


async def test_what_it_ignores_is_not_done_where_another_bot_looks_on(
    node_binary: Path, node_dir: Path, tmp_path: Path
) -> None:
    config = {"version": "1.8.8", "ignores": ALICE}
    async with (
        Equipment.started(node_binary, node_dir, str(SQUID), **config) as squid,
        listening_bridge(node_binary, node_dir, tmp_path) as (bridge, log),
    ):
        for name in (BOB, ALICE):  # it shows a newcomer nobody who is there
            await bridge.spawn(name, ServerAddress(HOST, squid.port))

        at = await seen_by_bob(bridge)
        walks = MoveTo(Position(at.x + 4, at.y, at.z))
        assert (await perform(bridge, log, walks)).outcome == "done"

        await bridge.chat(ALICE, "from now on")
        await log.first(ChatHeard, bot=BOB, sender=ALICE)
        at = await seen_by_bob(bridge)
        walked = await perform(bridge, log, MoveTo(Position(at.x - 4, at.y, at.z)))
        assert (walked.outcome, walked.reason) == ("failed", "unconfirmed")
        assert walked.message.startswith("the server took none of my steps: Bob sees me at")
        assert (await bridge.snapshot(ALICE)).position.distance_to(at) < 1

        dug = await perform(bridge, log, Dig(Position(at.x + 1, at.y - 1, at.z), pick_up=False))
        assert (dug.outcome, dug.reason) == ("failed", "unconfirmed")


async def seen_by_bob(bridge: Bridge) -> Position:
    async def look() -> Position | None:
        sighting = (await bridge.snapshot(BOB)).player(PlayerName(ALICE))
        return sighting.position if sighting else None

    return await eventually(look)


async def perform(bridge: Bridge, log: EventLog, action: Action) -> ActionFinished:
    action_id = ActionId(unique(action.kind))
    await bridge.begin(ALICE, action_id, action, deadline_s=DEADLINE_S)
    return await log.first(ActionFinished, action_id=action_id)
