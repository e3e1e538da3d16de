"""`!stop`: ends what runs, for those who may."""

import pytest
from support.rig import STRANGERS, Rig, rig_with_alice, run_json, until

from bots.access.origin import Origin, Person
from bridge.actions import Wait
from bridge.errors import BridgeDown
from bridge.world import PlayerName, Position

STEVE, ALEX = Person(PlayerName("Steve")), Person(PlayerName("Alex"))
rig = rig_with_alice(Position(0.5, 64, 0.5), STRANGERS)


@pytest.mark.parametrize("is_bridge_gone", [False, True])
async def test_stop_ends_the_action_and_what_registered_also_without_a_bridge(
    rig: Rig, is_bridge_gone: bool
) -> None:
    alice, ended = rig.bots["Alice"], list[str]()
    await alice.begin(Wait(1_000_000))
    if is_bridge_gone:
        rig.bridge.faults.fail_next("cancel", BridgeDown("cancel", "Node died"))
    with alice.running("answering Steve", lambda: ended.append("answer")):
        result = await run_json(alice, "!stop")
    assert result["stoppedActions"] == ["wait", "answering Steve"]
    assert (result["success"], ended) == (True, ["answer"])
    await until(lambda: is_bridge_gone or rig.bridge.running_actions == 0)


async def test_words_behind_it_change_nothing(rig: Rig) -> None:
    alice = rig.bots["Alice"]
    await alice.begin(Wait(1_000_000))
    assert (await run_json(alice, "!stop it please"))["stoppedActions"] == ["wait"]


async def test_stop_with_nothing_to_stop_is_no_failure(rig: Rig) -> None:
    result = await run_json(rig.bots["Alice"], "!stop", STEVE)
    assert result == {"success": True, "stoppedActions": [], "message": "Nothing was running."}


@pytest.mark.parametrize(
    ("origin", "may"), [(STEVE, True), (ALEX, True), (Person(PlayerName("Eve")), False)]
)
async def test_a_player_stops_what_he_started_and_a_trusted_one_everything(
    rig: Rig, origin: Origin, may: bool
) -> None:
    alice = rig.bots["Alice"]
    await alice.begin(Wait(1_000_000), started_by=STEVE)
    result = await run_json(alice, "!stop", origin)
    assert result["success"] is may
    assert result.get("reason") == (None if may else "not_permitted")
    assert bool(alice.doing) is not may or rig.bridge.running_actions == 0
