"""`!idle on|off`: the bot looks around but never gets in the way."""

import itertools

from support.rig import SERVER, Rig, allowing, rig_with_alice, run_json, until

from bots.access.origin import Person
from bots.access.permissions import Permissions
from bots.skills.idle import Manner
from bridge.actions import Wait
from bridge.errors import BridgeDown
from bridge.world import PlayerName, Position

STRANGER, OWNER = Person(PlayerName("Steve")), Person(PlayerName("Olga"))
SOUTH = 180
permissions = allowing(Permissions(owners=frozenset({"Olga"})))
rig = rig_with_alice(Position(0.5, 64, 0.5))


def looks(rig: Rig) -> tuple[float, float]:
    body = rig.world.body("Alice")
    return body.yaw, body.pitch


async def looks_over(rig: Rig, ticks: int, interval_s: float = 4) -> list[tuple[float, float]]:
    seen = []
    for _ in range(ticks):
        await rig.world.clock.advance(interval_s)
        seen.append(looks(rig))
    return seen


def turn_between(one: float, other: float) -> float:
    return abs((other - one + 180) % 360 - 180)


async def test_an_idle_bot_looks_about_within_its_manner(rig: Rig) -> None:
    await run_json(rig.bots["Alice"], "!idle on")
    seen = [looks(rig), *await looks_over(rig, 40)]
    usual = Manner()
    turns = [turn_between(a[0], b[0]) for a, b in itertools.pairwise(seen)]
    assert 0 < max(turns) <= usual.yaw_jitter
    assert len(set(seen)) > 30
    assert all(usual.pitch_min <= pitch <= usual.pitch_max for _, pitch in seen)


async def test_it_looks_at_players_near_about_as_often_as_told(rig: Rig) -> None:
    rig.world.person("Steve", Position(0.5, 64, 4.5))
    rig.world.person("Zoe", Position(0.5, 64, 60.5))
    await run_json(rig.bots["Alice"], "!idle on")
    seen = await looks_over(rig, 100)
    at_steve = sum(look == (SOUTH, 0) for look in seen)
    assert 45 <= at_steve <= 75


async def test_nobody_beyond_the_range_is_looked_at(rig: Rig) -> None:
    rig.world.person("Steve", Position(0.5, 64, 20.5))
    await run_json(rig.bots["Alice"], '!idle on {"playerLookChance": 1, "playerRange": 8}')
    assert (SOUTH, 0) not in await looks_over(rig, 20)


async def test_the_interval_is_kept(rig: Rig) -> None:
    await run_json(rig.bots["Alice"], '!idle on {"intervalMs": 500}')
    await until(lambda: looks(rig) != (0, 0))
    seen = await looks_over(rig, 20, interval_s=0.5)
    assert len(set(seen)) == 20


async def test_it_never_fights_work(rig: Rig) -> None:
    alice = rig.bots["Alice"]
    await alice.begin(Wait(60))
    before = looks(rig)
    await run_json(alice, "!idle on")
    assert set(await looks_over(rig, 10)) == {before}
    assert rig.bridge.running_actions == 1
    await alice.stop(lambda origin: False)
    await rig.world.clock.advance(60)
    assert rig.bridge.running_actions == 0
    assert len(set(await looks_over(rig, 5))) == 5


async def test_a_watched_player_comes_first(rig: Rig) -> None:
    rig.world.person("Steve", Position(0.5, 64, 4.5))
    alice = rig.bots["Alice"]
    await run_json(alice, "!look watch Steve")
    await run_json(alice, "!idle on")
    assert set(await looks_over(rig, 10)) == {(SOUTH, 0)}


async def test_it_outlasts_a_lost_connection(rig: Rig) -> None:
    alice = rig.bots["Alice"]
    await run_json(alice, "!idle on")
    await rig.bridge.despawn(alice.name)
    await rig.world.clock.advance(20)
    rig.bridge.faults.fail_next("snapshot", BridgeDown("snapshot", "Node died"), times=2)
    await rig.bridge.spawn(alice.name, SERVER)
    assert len(set(await looks_over(rig, 10))) >= 7


async def test_off_ends_it(rig: Rig) -> None:
    alice = rig.bots["Alice"]
    await run_json(alice, "!idle_on", OWNER)
    assert alice.doing == ["idle"]
    off = await run_json(alice, "!idle off", OWNER)
    assert off == {"success": True, "message": "I look about no more."}
    await until(lambda: not alice.doing)
    assert len(set(await looks_over(rig, 5))) == 1
    again = await run_json(alice, "!idle off", OWNER)
    assert again == {"success": True, "message": "I was not looking about."}


async def test_stop_ends_it_and_names_it(rig: Rig) -> None:
    alice = rig.bots["Alice"]
    await run_json(alice, "!idle on")
    assert (await run_json(alice, "!stop"))["stoppedActions"] == ["idle"]
    await until(lambda: not alice.doing)


async def test_twice_on_is_one_idling_in_the_newer_manner(rig: Rig) -> None:
    alice = rig.bots["Alice"]
    await run_json(alice, '!idle on {"intervalMs": 500}')
    await run_json(alice, '!idle on {"intervalMs": 60000}')
    await until(lambda: alice.doing == ["idle"])
    seen = await looks_over(rig, 20, interval_s=0.5)
    assert len(set(seen)) == 1


async def test_a_player_may_not_order_it(rig: Rig) -> None:
    result = await run_json(rig.bots["Alice"], "!idle on", STRANGER)
    assert (result["reason"], result["level"]) == ("not_permitted", "trusted")
