"""`!skill fight` and `!skill guard` strike monsters and nothing else, `!attack` a player."""

import asyncio
from dataclasses import replace

import pytest
from support.acting import (
    Scene,
    carry_out,
    comes_to,
    in_hand,
    play,
    scenes,
    seconds_pass,
    under_way,
)
from support.rig import OPEN_HOUSE, Rig, run_json, until

from bots.access.origin import Person
from bots.access.permissions import Permissions
from bridge.world import MobSighting, PlayerName, Position

COW = MobSighting("cow", Position(9, 64, 8), hostile=False, id=1)
ZOMBIE = MobSighting("zombie", Position(14, 64, 8), hostile=True, id=2)
SPIDER = MobSighting("spider", Position(11, 64, 8), hostile=True, id=3)
CREEPER = MobSighting("creeper", Position(12, 64, 10), hostile=True, id=4)


PET = replace(SPIDER, is_somebodys=True)
NO_MONSTER = {"reason": "no_monster"}


@scenes(
    Scene("the nearest monster and no animal", "!skill fight",
          {"mob": "spider", "message": "The spider is dead."},
          mobs=[COW, ZOMBIE, SPIDER], alive=[COW, ZOMBIE]),
    Scene("a kind by its name", "!skill fight Zombie", {"mob": "zombie"},
          mobs=[ZOMBIE, SPIDER], alive=[SPIDER]),
    Scene("none that is somebody's", "!skill fight", NO_MONSTER, mobs=[PET], alive=[PET]),
    Scene("another than one that is somebody's", "!skill fight", {"mob": "zombie"},
          mobs=[PET, ZOMBIE], alive=[PET]),
    *(Scene(f"no animal and nothing that is not there: {kind}", f"!skill fight {kind}",
            NO_MONSTER, mobs=[COW], alive=[COW])
      for kind in ("cow", "zombie", "")),
)  # fmt: skip
async def test_a_monster_is_fought_and_nothing_else(rig: Rig, scene: Scene) -> None:
    rig.world.give("Alice", "stone_sword")
    await play(rig, scene)
    assert in_hand(rig) == "stone_sword"


async def test_a_guard_fights_what_comes_near_but_no_creeper(rig: Rig) -> None:
    rig.world.person("Steve", Position(12.5, 64, 8.5))
    rig.world.give("Alice", "iron_sword")
    rig.world.mobs += [COW, ZOMBIE, SPIDER, CREEPER]
    async with under_way(rig, "!skill guard Steve"):
        await comes_to(rig, lambda: rig.world.mobs == [COW, CREEPER])


async def test_a_guard_goes_along(rig: Rig) -> None:
    steve = rig.world.person("Steve", Position(12.5, 64, 8.5))
    async with under_way(rig, "!skill guard Steve"):
        await rig.pass_time(2)
        steve.move_to(Position(20.5, 64, 8.5))
        await seconds_pass(rig, 30)
        assert rig.world.body("Alice").position.distance_to(steve.body.position) <= 5


@pytest.mark.parametrize("where", ["", "here", "house", "mill"])
async def test_a_place_is_guarded_where_the_asker_stands_or_by_its_name(
    rig: Rig, where: str
) -> None:
    steve = rig.world.person("Steve", Position(12.5, 64, 8.5))
    place = steve.body.position
    if where == "mill":
        place = Position(20.5, 64, 8.5)
        await carry_out(rig, '!navigation register {"name": "mill", "coords": [20, 64, 8]}')
    steve.whisper("Alice", f"!skill guard {where}".strip())
    rig.world.give("Alice", "stone_sword")
    rig.world.mobs += [replace(ZOMBIE, position=replace(place, x=place.x + 5))]
    far = [0.0]
    for _ in range(400):
        await rig.pass_time(0.5)
        if not rig.world.mobs:
            far.append(rig.world.body("Alice").position.distance_to(place))
    assert rig.world.mobs == []
    assert 4 < max(far[len(far) // 2 :]) <= 12
    assert rig.bots["Alice"].jobs.current is not None


async def test_a_guard_waits_for_what_it_would_lose_to_to_go_away(rig: Rig) -> None:
    zombies = [replace(ZOMBIE, id=number) for number in (5, 6, 7)]
    rig.world.mobs += zombies
    rig.world.give("Alice", "wooden_sword")
    async with under_way(rig, "!skill guard"):
        await seconds_pass(rig, 30)
        assert rig.world.mobs == zombies
        del rig.world.mobs[:2]
        await seconds_pass(rig, 30)
        assert rig.world.mobs == []


async def test_an_unknown_place_is_refused(rig: Rig) -> None:
    assert (await carry_out(rig, "!skill guard Atlantis"))["reason"] == "unknown_location"


async def test_the_fight_ends_and_the_rest_goes_on(rig: Rig) -> None:
    alice = rig.bots["Alice"]
    assert (await run_json(alice, "!skill stopFight"))["reason"] == "not_fighting"
    guarding = asyncio.create_task(run_json(alice, "!skill guard"))
    await until(lambda: alice.jobs.current)
    assert (await run_json(alice, "!skill stopFight"))["stoppedActions"] == ["!skill guard"]
    assert (await guarding)["reason"] == "stopped"
    walking = asyncio.create_task(run_json(alice, "!navigation gotoCoords 20 64 8"))
    await until(lambda: alice.jobs.current)
    assert (await run_json(alice, "!skill stopFight"))["reason"] == "not_fighting"
    await seconds_pass(rig, 30)
    assert (await walking)["success"] is True


OWNED = Permissions(owners=frozenset({"Olga"}), trusted=frozenset({"Tom"}), pvp=True)


@pytest.mark.parametrize(
    ("permissions", "who", "reason"),
    [
        (replace(OWNED, pvp=False), "Olga", "pvp_off"),
        (OWNED, "Tom", "not_permitted"),
        (replace(OPEN_HOUSE, pvp=True), "Steve", "not_permitted"),
        (OWNED, "Olga", None),
    ],
)
async def test_a_player_is_struck_by_an_owners_word_alone_and_only_with_pvp(
    rig: Rig, permissions: Permissions, who: str, reason: str | None
) -> None:
    rig.bots["Alice"].permissions = permissions
    bob = rig.world.person("Bob", Position(12.5, 64, 8.5)).body
    rig.world.give("Alice", "iron_sword")
    result = await carry_out(rig, "!attack bob", origin=Person(PlayerName(who)))
    assert result.get("reason") == reason
    assert (bob.died is None) is (reason is not None)
    assert reason or result["message"] == "Bob is dead."
    assert "\n" not in result["message"]
