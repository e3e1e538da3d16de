"""`!look`: turns the head at once unless a job uses it; watching lasts until stopped."""

import pytest
from support.rig import Rig, allowing, in_words, rig_with_alice, run_json, until

from bots.access.origin import Person
from bots.access.permissions import Permissions
from bridge.actions import Wait
from bridge.errors import BridgeDown
from bridge.world import PlayerName, Position

STEVE, ALEX = Person(PlayerName("Steve")), Person(PlayerName("Alex"))
STRANGERS = Permissions(owners=frozenset({"Olga"}))
NORTH, WEST, SOUTH, EAST = 0, 90, 180, 270
permissions = allowing(STRANGERS)
rig = rig_with_alice(Position(0.5, 64, 0.5), Steve=Position(0.5, 64, 6.5))


def yaw(rig: Rig) -> float:
    return round(rig.world.body("Alice").yaw)


@pytest.mark.parametrize(
    "text", ["look direction 90 -10", "look dir 450 -10", 'look direction {"yaw":90,"pitch":-10}']
)
async def test_the_head_turns_to_a_direction(rig: Rig, text: str) -> None:
    result = await run_json(rig.bots["Alice"], f"!{text}", STEVE)
    assert result == {"success": True, "yaw": 90, "pitch": -10}
    told = await in_words(rig.bots["Alice"], f"!{text}", STEVE)
    assert told == ["Looking to yaw 90, pitch -10."]
    assert (yaw(rig), rig.world.body("Alice").pitch) == (WEST, -10)


@pytest.mark.parametrize("text", ["look player Steve", "look at steve"])
async def test_the_head_turns_to_a_player(rig: Rig, text: str) -> None:
    result = await run_json(rig.bots["Alice"], f"!{text}", STEVE)
    assert result == {"success": True, "target": "Steve", "distance": 6}
    assert yaw(rig) == SOUTH
    told = await in_words(rig.bots["Alice"], f"!{text}", STEVE)
    assert told == ["Looking at Steve, 6 blocks away."]


async def test_an_unknown_player_is_refused_with_the_nearest_name(rig: Rig) -> None:
    for action in ("player", "watch"):
        result = await run_json(rig.bots["Alice"], f"!look {action} Stvee")
        assert (result["success"], result["reason"]) == (False, "player_not_found")
        assert result["nearest"] == "Steve"


async def test_a_player_out_of_view_cannot_be_looked_at(rig: Rig) -> None:
    rig.world.person("Zoe", Position(900, 64, 0))
    result = await run_json(rig.bots["Alice"], "!look player Zoe")
    assert (result["reason"], result["username"]) == ("entity_not_available", "Zoe")


@pytest.mark.parametrize("text", ["look", "look up", "look toString"])
async def test_an_unknown_way_of_looking_names_those_there_are(rig: Rig, text: str) -> None:
    result = await run_json(rig.bots["Alice"], f"!{text}")
    assert result["reason"] == "unknown_command"
    assert {"direction", "player", "watch"} <= set(result["actions"])


async def test_work_keeps_the_head(rig: Rig) -> None:
    alice = rig.bots["Alice"]
    await alice.begin(Wait(60))
    for text in ("!look direction 90", "!look player Steve"):
        result = await run_json(alice, text)
        assert (result["reason"], result["doing"]) == ("busy", "wait")
    assert yaw(rig) == NORTH
    assert rig.bridge.running_actions == 1


async def test_a_watched_player_is_followed_with_the_eyes(rig: Rig) -> None:
    alice, steve = rig.bots["Alice"], rig.world.person("Steve")
    result = await run_json(alice, '!look watch {"username":"Steve","intervalMs":500}', STEVE)
    assert result == {"success": True, "target": "Steve", "intervalMs": 500}
    told = await in_words(alice, '!look watch {"username":"Steve","intervalMs":500}', STEVE)
    assert told == ["Watching Steve until !stop."]
    await until(lambda: yaw(rig) == SOUTH)
    steve.move_to(Position(6.5, 64, 0.5))
    await rig.world.clock.advance(0.4)
    assert yaw(rig) == SOUTH
    await rig.world.clock.advance(0.2)
    assert yaw(rig) == EAST


async def test_watching_waits_for_work_and_goes_on_after_it(rig: Rig) -> None:
    alice = rig.bots["Alice"]
    await alice.begin(Wait(10))
    await run_json(alice, "!look watch Steve")
    await rig.world.clock.advance(8)
    assert (yaw(rig), rig.bridge.running_actions) == (NORTH, 1)
    await rig.world.clock.advance(4)
    assert yaw(rig) == SOUTH


async def test_watching_outlasts_absence_and_a_broken_link(rig: Rig) -> None:
    alice, steve = rig.bots["Alice"], rig.world.person("Steve")
    await run_json(alice, "!look watch Steve")
    await until(lambda: yaw(rig) == SOUTH)
    steve.leave()
    await rig.world.clock.advance(3)
    rig.bridge.faults.fail_next("glance", BridgeDown("glance", "Node died"), times=2)
    rig.world.person("Steve", Position(6.5, 64, 0.5))
    await rig.world.clock.advance(4)
    assert yaw(rig) == EAST


async def test_stop_ends_watching_and_names_it(rig: Rig) -> None:
    alice = rig.bots["Alice"]
    await run_json(alice, "!look watch Steve", STEVE)
    assert alice.doing == ["watch (Steve)"]
    refused = await run_json(alice, "!stop", ALEX)
    assert refused["reason"] == "not_permitted"
    stopped = await run_json(alice, "!stop", STEVE)
    assert stopped["stoppedActions"] == ["watch (Steve)"]
    await until(lambda: not alice.doing)
    rig.world.body("Alice").yaw = WEST
    await rig.world.clock.advance(5)
    assert yaw(rig) == WEST


async def test_a_new_watch_takes_the_place_of_the_old(rig: Rig) -> None:
    alice = rig.bots["Alice"]
    rig.world.person("Zoe", Position(6.5, 64, 0.5))
    await run_json(alice, "!look watch Steve")
    await run_json(alice, "!look watch Zoe")
    await rig.world.clock.advance(5)
    assert (alice.doing, yaw(rig)) == (["watch (Zoe)"], EAST)


async def test_watching_neither_ends_work_nor_is_ended_by_it(rig: Rig) -> None:
    alice = rig.bots["Alice"]
    await run_json(alice, "!look watch Steve")
    await alice.begin(Wait(60))
    await run_json(alice, "!look watch Steve")
    await until(lambda: alice.doing == ["wait", "watch (Steve)"])
