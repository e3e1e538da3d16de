"""Reflexes take the body of a bot for a moment; what it was at goes on."""

import asyncio
import math
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from support.acting import actions_begun
from support.rig import Rig, run_json, until

from bots.access.permissions import Permissions
from bots.bot.bot import Bot
from bots.bot.jobs import Job, JobSpec
from bots.bot.result import Result
from bots.reflexes.surroundings import is_in_sight
from bots.registry.render import failure_of
from bots.settings.world import SurvivalSettings
from bots.skills.reckoning import STRUCK_BACK
from bridge.actions import Action, CollectDrops, Hunt, MoveTo, Toss, Wait
from bridge.causes import Cause
from bridge.events import BotEndangered, Harm
from bridge.fake import endanger
from bridge.world import MobSighting, PlayerName, Position

HERE = Position(8.5, 64, 8.5)
FAR = Position(40.5, 64, 8.5)
STEP_S = 0.25


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    found = await Rig.found(tmp_path)
    found.shared = replace(found.shared, survival=SurvivalSettings())
    found.world.set_time_of_day(18_000)
    yield found
    await found.aclose()


@pytest.fixture
async def alice(rig: Rig) -> Bot:
    return await rig.bot("Alice", HERE)


def noted(rig: Rig, name: str) -> list[dict[str, Any]]:
    return [dict(entry.facts) for entry in rig.trace.recent(name)]


async def passes_until(rig: Rig, met: Any, most_s: float = 120.0) -> None:
    """Let the world's time pass until it is so; fails when that takes too long."""
    for _ in range(int(most_s / STEP_S)):
        if met():
            return
        await rig.pass_time(STEP_S)
    raise AssertionError("it did not happen")


async def test_an_idle_bot_with_a_sword_strikes_back(rig: Rig, alice: Bot) -> None:
    rig.world.give("Alice", "stone_sword")
    rig.world.summon("zombie", replace(HERE, x=HERE.x + 5))
    await passes_until(rig, lambda: not rig.world.mobs)
    assert rig.world.body("Alice").held.name == "stone_sword"  # type: ignore[union-attr]


async def test_an_idle_bot_with_nothing_runs_far_enough_and_comes_back(
    rig: Rig, alice: Bot
) -> None:
    zombie = rig.world.summon("zombie", replace(HERE, x=HERE.x + 4))
    away = rig.world.body("Alice")
    await passes_until(rig, lambda: away.position.distance_to(zombie.position) > 8)
    assert rig.world.mobs == [zombie]
    await passes_until(rig, lambda: alice.actions.is_calm)
    rig.world.banish(zombie)
    await passes_until(rig, lambda: away.position.distance_to(HERE) <= 4)


async def test_with_nothing_in_hand_a_zombie_that_hunts_it_never_gets_to_strike_it(
    rig: Rig, alice: Bot
) -> None:
    rig.world.set_time_of_day(0)
    endanger(rig.world, "hard")
    rig.world.summon("zombie", replace(HERE, x=HERE.x + 7), hunts=True)
    await rig.pass_time(600)
    body, (zombie,) = rig.world.body("Alice"), rig.world.mobs
    assert not noted(rig, "bot.hurt")
    assert (body.position.y, zombie.position.y) == (61, 64), "it dug in, below the zombie"


async def test_a_creeper_over_the_edge_of_a_pit_is_seen(rig: Rig, alice: Bot) -> None:
    pit = replace(HERE, y=HERE.y - 2)
    rig.world.set_block(pit.block, "air")
    rig.world.set_block(replace(pit, y=pit.y + 1).block, "air")
    assert await is_in_sight(alice, pit, replace(HERE, x=HERE.x + 4)), "its head"
    assert not await is_in_sight(alice, pit, replace(HERE, x=HERE.x + 6))


async def test_a_walk_goes_on_from_where_it_stood(rig: Rig, alice: Bot) -> None:
    rig.world.give("Alice", "iron_sword")
    walking = asyncio.create_task(
        run_json(alice, f"!navigation gotoCoords {FAR.x:g} {FAR.y:g} {FAR.z:g}")
    )
    body = rig.world.body("Alice")
    await passes_until(rig, lambda: body.position.x > HERE.x + 3)
    job = alice.jobs.current
    assert job is not None
    rig.world.summon("zombie", replace(body.position, z=body.position.z + 5))
    await passes_until(rig, lambda: not rig.world.mobs)
    assert alice.jobs.current is job
    await passes_until(rig, walking.done)
    assert (await walking)["success"] is True
    assert body.position.distance_to(FAR) < 2
    assert len(noted(rig, "job.paused")) == len(noted(rig, "job.resumed")) == 1


@pytest.mark.parametrize("prey", ["cow", "zombie"])
async def test_a_hunt_is_broken_off_for_a_monster_unless_it_is_at_one(
    rig: Rig, alice: Bot, prey: str
) -> None:
    rig.world.give("Alice", "iron_sword")
    far = rig.world.summon(prey, FAR, hostile=prey == "zombie")

    async def hunt(job: Job) -> Result:
        await job.act(Hunt(far.id), deadline_s=100)
        return Result()

    job = alice.jobs.begin(JobSpec("!hunt", hunt, failure_of, deadline_s=100))
    await until(lambda: alice.actions.current)
    foe = rig.world.summon("zombie", replace(HERE, x=HERE.x + 5))
    await passes_until(rig, lambda: job.is_over)
    assert far not in rig.world.mobs
    assert [row["kind"] for row in noted(rig, "reflex.began")][:1] == ["fight"] * (prey == "cow")
    assert (foe in rig.world.mobs) == (prey == "zombie")


async def test_it_runs_from_a_wolf_that_bit_it_and_goes_on_with_its_work(
    rig: Rig, alice: Bot
) -> None:
    rig.world.give("Alice", "diamond_sword")
    wolf = rig.world.summon("wolf", replace(HERE, x=HERE.x + 2), hostile=False)
    walking = asyncio.create_task(run_json(alice, "!navigation gotoCoords 8 64 40"))
    await rig.pass_time(0.1)
    rig.world.set_health("Alice", 16, cause=Cause("creature", "wolf", "seen"))
    await passes_until(rig, walking.done)
    assert (await walking)["success"] is True
    assert [row["kind"] for row in noted(rig, "reflex.began")][:1] == ["flee"]
    assert rig.world.mobs == [wolf]


async def test_after_two_minutes_of_blows_that_do_nothing_its_work_goes_on(rig: Rig) -> None:
    rig.shared = replace(rig.shared, survival=SurvivalSettings(flee=False))
    alice = await rig.bot("Alice", HERE)
    zombie = rig.world.summon("zombie", replace(HERE, x=HERE.x + 3))
    rig.world.wounds[zombie.id] = -1_000
    await passes_until(rig, lambda: not alice.actions.is_calm)
    walking = asyncio.create_task(run_json(alice, "!navigation gotoCoords 8 64 14"))
    await rig.pass_time(110)
    assert not walking.done()
    await passes_until(rig, walking.done, 20)
    assert (await walking)["success"] is True
    assert alice.actions.is_calm
    rig.world.set_health("Alice", 17, cause=Cause("creature", "zombie", "seen"))
    await passes_until(rig, lambda: not alice.actions.is_calm, 5)


async def test_stop_ends_the_work_but_no_reflex(rig: Rig, alice: Bot) -> None:
    rig.world.give("Alice", "wooden_sword")
    walking = asyncio.create_task(run_json(alice, "!navigation gotoCoords 40 64 8"))
    await passes_until(rig, lambda: rig.world.body("Alice").position.x > HERE.x + 2)
    rig.world.summon("zombie", replace(rig.world.body("Alice").position, z=HERE.z + 6))
    await passes_until(rig, lambda: not alice.actions.is_calm)
    stopped = await run_json(alice, "!stop")
    assert stopped["success"] is True
    assert (await walking)["reason"] == "stopped"
    assert not alice.actions.is_calm
    await passes_until(rig, lambda: not rig.world.mobs)


async def test_what_cannot_be_begun_anew_may_end_before_a_reflex_takes_over(
    rig: Rig, alice: Bot
) -> None:
    rig.world.give("Alice", "bread", 3)
    running = await alice.begin(Toss("bread", 1, watch_s=0.2))
    ended = asyncio.create_task(alice.actions.wait(running))
    async with asyncio.TaskGroup() as group:
        group.create_task(_hold_for_a_moment(alice))
        await until(lambda: not alice.actions.is_calm)
        await rig.pass_time(1)
    assert (await ended).outcome == "done"
    assert not alice.actions.was_interrupted(running)
    assert rig.world.body("Alice").inventory.count("bread") == 2


async def test_what_was_cut_off_half_way_is_not_begun_anew(rig: Rig, alice: Bot) -> None:
    rig.world.give("Alice", "bread", 3)

    async def throw(job: Job) -> Result:
        await job.act(Toss("bread", 1, watch_s=60))
        return Result()

    spec = JobSpec("!throw", throw, failure_of, deadline_s=100)
    job = alice.jobs.begin(spec)
    await until(lambda: alice.actions.current)
    await rig.pass_time(1)
    await _hold_for_a_moment(alice)
    await job.wait()
    assert job.result().as_json()["reason"] == "unconfirmed"
    assert rig.world.body("Alice").inventory.count("bread") == 2


async def _hold_for_a_moment(bot: Bot) -> None:
    async with bot.actions.held():
        assert bot.actions.under_way == ()


async def test_a_creeper_is_backed_away_from_and_told_of_once(rig: Rig, alice: Bot) -> None:
    steve = rig.world.person("Steve", replace(HERE, z=HERE.z - 3))
    creeper = rig.world.summon("creeper", replace(HERE, x=HERE.x + 3))
    body = rig.world.body("Alice")
    await passes_until(rig, lambda: body.position.distance_to(creeper.position) > 7)
    await until(lambda: steve.inbox)
    rig.world.teleport("Alice", HERE)
    await passes_until(rig, lambda: body.position.distance_to(creeper.position) > 7)
    assert [line.text for line in steve.inbox] == ["A creeper, run!"]
    assert rig.world.mobs == [creeper]


async def test_a_creeper_alone_is_struck_at_arms_length_with_a_sword(
    rig: Rig, alice: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = actions_begun(rig, monkeypatch)
    rig.world.give("Alice", "iron_sword")
    creeper = rig.world.summon("creeper", replace(HERE, x=HERE.x + 6))
    await passes_until(rig, lambda: not rig.world.mobs)
    assert Hunt(creeper.id, keeps_off=True) in begun


async def test_it_shoots_a_creeper_from_afar_until_its_arrows_are_gone(
    rig: Rig, alice: Bot
) -> None:
    rig.world.give("Alice", "bow")
    rig.world.give("Alice", "arrow", 4)
    rig.world.summon("creeper", replace(HERE, x=HERE.x + 12))
    await passes_until(rig, lambda: not rig.world.mobs)
    assert rig.world.body("Alice").inventory.counts() == {"bow": 1, "arrow": 1}
    creeper = rig.world.summon("creeper", replace(HERE, x=HERE.x + 12))
    await rig.pass_time(10)
    assert rig.world.mobs == [creeper]
    assert rig.world.body("Alice").inventory.counts() == {"bow": 1}


async def test_it_eats_when_it_is_hungry(rig: Rig, alice: Bot) -> None:
    rig.world.give("Alice", "bread", 3)
    rig.world.set_health("Alice", 20, 9)
    body = rig.world.body("Alice")
    await passes_until(rig, lambda: body.food > 14)
    await passes_until(rig, lambda: alice.actions.is_calm)
    assert body.inventory.count("bread") == 1


async def test_it_does_nothing_about_hunger_without_food(rig: Rig, alice: Bot) -> None:
    rig.world.set_health("Alice", 20, 2)
    await until(lambda: noted(rig, "health.changed"))
    await rig.pass_time(10)
    assert not noted(rig, "reflex.began")


async def test_starving_it_says_so_once_and_eats_what_it_is_given(rig: Rig, alice: Bot) -> None:
    steve = rig.world.person("Steve", replace(HERE, x=10.5))
    await rig.pass_time(1)
    rig.world.set_health("Alice", 5, 0)
    await passes_until(rig, lambda: steve.inbox)
    await rig.pass_time(60)
    assert [line.text for line in steve.inbox] == ["I starve, and have nothing to eat."]
    rig.world.give("Alice", "bread", 3)
    body = rig.world.body("Alice")
    await passes_until(rig, lambda: body.food > 14, 30)


async def test_it_leaves_a_fire(rig: Rig, alice: Bot) -> None:
    rig.world.set_block(HERE.block, "fire")
    body = rig.world.body("Alice")
    await passes_until(rig, lambda: body.position.block != HERE.block)
    await passes_until(rig, lambda: alice.actions.is_calm)
    assert rig.world.block(body.position.block) == "air"


async def test_held_back_in_a_fire_it_tries_one_way_out_after_the_other(
    rig: Rig, alice: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = actions_begun(rig, monkeypatch)
    rig.world.held.add(PlayerName("Alice"))
    rig.world.set_block(HERE.block, "fire")
    await rig.pass_time(4)
    ways = [action.position for action in begun if isinstance(action, MoveTo)]
    assert len(ways) == len(set(ways)) > 3
    rig.world.held.clear()
    await passes_until(rig, lambda: alice.actions.is_calm, 5)
    assert rig.world.body("Alice").position.block != HERE.block


async def test_one_who_burns_goes_to_water_but_runs_about_for_none(rig: Rig, alice: Bot) -> None:
    body, pool = rig.world.body("Alice"), Position(14, 63, 8)
    rig.world.set_time_of_day(0)
    endanger(rig.world, "easy")
    body.condition.burning = 300  # ticks, as after lava
    await rig.pass_time(5)
    assert len(noted(rig, "bot.hurt")) == 5
    assert body.position == HERE
    assert len(noted(rig, "reflex.began")) == 1, "its work is not broken off again and again"
    rig.world.set_block(pool, "water")
    await passes_until(rig, lambda: body.position.block == pool, 5)
    await passes_until(rig, lambda: not body.condition.burning, 1)


async def test_buried_where_it_may_not_dig_it_still_flees(rig: Rig, alice: Bot) -> None:
    await alice.areas.refused("overworld", HERE, "You may not build here.")
    rig.world.set_block(replace(HERE, y=HERE.y + 1).block, "sand")
    zombie = rig.world.summon("zombie", replace(HERE, x=HERE.x + 2))
    rig.world.set_health("Alice", 17, cause=Cause("creature", "zombie", "seen"))
    body = rig.world.body("Alice")
    await passes_until(rig, lambda: body.position.distance_to(zombie.position) > 8, 20)


@pytest.mark.parametrize("cause", [Cause("thing", "cactus", "told"), None])
@pytest.mark.parametrize("block", ["cactus", "stone"])
async def test_it_leaves_a_cactus_that_pricks_it(
    rig: Rig, alice: Bot, cause: Cause | None, block: str
) -> None:
    rig.world.set_block(replace(HERE, x=HERE.x + 1).block, block)
    body = rig.world.body("Alice")
    await rig.pass_time(5)
    assert body.position == HERE
    rig.world.set_health("Alice", 19, cause=cause)
    await rig.pass_time(5)
    assert (body.position != HERE) == (block == "cactus")
    assert alice.actions.is_calm


async def feels(rig: Rig, *harms: Harm) -> None:
    """Told by itself, whatever the simulated world does."""
    [session] = rig.roster.sessions
    session.take(BotEndangered(session.name, frozenset(harms), rig.world.clock.now()))
    await rig.pass_time(0)


async def test_under_water_it_rises_until_it_has_air(
    rig: Rig, alice: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, body = actions_begun(rig, monkeypatch), rig.world.body("Alice")
    await feels(rig, "airless")
    for _ in range(6):
        await rig.pass_time(2)
        assert not alice.actions.is_calm
        rig.world.teleport("Alice", replace(body.position, y=body.position.y + 2))
    assert {type(action) for action in begun} == {Wait}
    await feels(rig)
    await passes_until(rig, lambda: alice.actions.is_calm, 5)


async def test_where_it_does_not_rise_it_goes_where_its_head_is_out_of_the_water(
    rig: Rig, alice: Bot
) -> None:
    body = rig.world.body("Alice")
    for x, z, y in product(range(3, 14), range(3, 14), (64, 65)):
        rig.world.set_block(Position(x, y, z), "water")
    rig.world.set_time_of_day(0)
    endanger(rig.world)
    await passes_until(rig, lambda: noted(rig, "reflex.began"), 8)

    def is_out() -> bool:
        return rig.world.block(replace(body.position, y=body.position.y + 1)) == "air"

    await passes_until(rig, is_out, 12)
    assert body.died is None


async def test_it_puts_armour_on_when_a_monster_comes(rig: Rig, alice: Bot) -> None:
    for item in ("leather_helmet", "iron_helmet", "iron_boots", "iron_sword"):
        rig.world.give("Alice", item)
    rig.world.summon("zombie", replace(HERE, x=HERE.x + 14))
    body = rig.world.body("Alice")
    await passes_until(rig, lambda: {"iron_helmet", "iron_boots"} <= set(body.worn.values()))


async def test_a_player_who_strikes_is_stepped_back_from_and_asked_once(
    rig: Rig, alice: Bot
) -> None:
    rig.world.give("Alice", "diamond_sword")
    steve = rig.world.person("Steve", replace(HERE, x=HERE.x + 1))
    body = rig.world.body("Alice")
    for health in (19, 18):
        rig.world.teleport("Alice", HERE)
        rig.world.set_health("Alice", health, cause=Cause("player", steve.name, "seen"))
        await passes_until(rig, lambda: body.position.distance_to(steve.body.position) > 3)
        await passes_until(rig, lambda: alice.actions.is_calm)
    await until(lambda: steve.inbox)
    assert steve.body.health == 20
    asked = "Ouch! Please do not hit me, Steve. I do not hit back."
    assert [line.text for line in steve.inbox] == [asked]


async def test_whom_it_was_told_to_attack_it_does_not_step_back_from(rig: Rig, alice: Bot) -> None:
    alice.permissions = replace(alice.permissions, pvp=True)
    steve = rig.world.person("Steve", replace(HERE, x=HERE.x + 1))
    attacking = asyncio.create_task(run_json(alice, "!attack Steve"))
    await passes_until(rig, lambda: steve.body.health < 20)
    rig.world.set_health("Alice", 15, cause=Cause("player", steve.name, "seen"))
    await passes_until(rig, attacking.done)
    assert (await attacking)["success"] is True
    assert not noted(rig, "reflex.began")


@pytest.mark.parametrize("whose", ["fellow", "person beside a monster"])
async def test_a_blow_that_is_meant_for_a_monster_is_not_resented(
    rig: Rig, alice: Bot, whose: str
) -> None:
    person = rig.world.person("Bob", replace(HERE, x=HERE.x + 1))
    if whose == "fellow":
        rig.shared.known_bots.ours.add("Bob")
    else:
        rig.world.summon("zombie", replace(HERE, x=HERE.x + 14))
        await rig.pass_time(1)
    rig.world.set_health("Alice", 17, cause=Cause("player", person.name, "seen"))
    await until(lambda: noted(rig, "bot.hurt"))
    await rig.pass_time(5)
    assert not noted(rig, "reflex.began")
    assert person.inbox == []


@pytest.mark.parametrize("whom", ["owner", "fellow", "stranger", "turned off"])
async def test_whoever_it_stands_by_is_helped(rig: Rig, whom: str) -> None:
    rig.shared = replace(
        rig.shared,
        survival=SurvivalSettings(help=whom != "turned off"),
        permissions=Permissions(owners=frozenset({"Steve"})),
    )
    rig.world.set_time_of_day(6_000)
    alice, there = await rig.bot("Alice", HERE), replace(HERE, x=HERE.x + 12)
    name = {"fellow": "Bob", "stranger": "Mallory"}.get(whom, "Steve")
    if whom == "fellow":
        rig.shared.known_bots.ours.add("Bob")
    person = rig.world.person(name, there)
    rig.world.give("Alice", "iron_sword")
    rig.world.summon("zombie", replace(there, x=there.x + 2))
    rig.world.set_health(name, 17)
    if whom in ("owner", "fellow"):
        await passes_until(rig, lambda: not rig.world.mobs)
        await passes_until(rig, lambda: alice.actions.is_calm)
    else:
        await rig.pass_time(20)
        assert len(rig.world.mobs) == 1
    said = ["I am with you: that zombie is mine!"] if whom == "owner" else []
    assert [line.text for line in person.inbox] == said


async def test_the_owner_is_told_of_a_death_once(rig: Rig, alice: Bot) -> None:
    steve = rig.world.person("Steve", replace(HERE, x=HERE.x + 30))
    rig.world.give("Alice", "bread", 3)
    await rig.pass_time(5)
    rig.world.set_health("Alice", 0, cause=Cause("creature", "zombie", "told"))
    await until(lambda: steve.inbox)
    told = "I died at 8 64 8: a zombie killed me. 3 bread lay there."
    assert [line.text for line in steve.inbox] == [told]
    (died,) = noted(rig, "bot.died")
    assert (died["lived_s"], died["cause"]["by"]) == (5, "zombie")
    status = await run_json(alice, "!status")
    assert status["lastDeath"]["sentence"] == "I died at 8 64 8: a zombie killed me."
    assert status["lastDeath"]["livedSeconds"] == 5


async def test_an_owner_who_was_away_is_told_of_a_death_as_they_come(rig: Rig, alice: Bot) -> None:
    rig.world.give("Alice", "bread", 3)
    rig.world.set_health("Alice", 0, cause=Cause("creature", "zombie", "told"))
    await until(lambda: noted(rig, "bot.died"))
    await rig.world.clock.advance(400.0)
    steve = rig.world.person("Steve", replace(HERE, x=HERE.x + 30))
    await until(lambda: steve.inbox)
    told = "I died today at 8 64 8: a zombie killed me."
    assert [line.text for line in steve.inbox] == [told]


@pytest.mark.parametrize("lies_there", [True, False])
async def test_what_it_lost_at_nothing_it_fetches_and_tells(
    rig: Rig, alice: Bot, lies_there: bool
) -> None:
    rig.world.set_time_of_day(6_000)
    steve = rig.world.person("Steve", replace(HERE, x=HERE.x + 30))
    rig.world.give("Alice", "bread", 3)
    rig.world.teleport("Alice", replace(HERE, x=HERE.x + 20))
    rig.world.kill("Alice")
    if not lies_there:
        rig.world.terrain().drops.clear()
    await passes_until(rig, lambda: len(steve.inbox) > 1)
    came = "I have my things back." if lies_there else "I did not get 3 bread back."
    assert steve.inbox[-1].text == came
    assert (rig.world.body("Alice").inventory.count("bread") == 3) is lies_there


async def falls_night(rig: Rig) -> None:
    """A whole night, with monsters."""
    rig.world.difficulty = "normal"
    rig.world.set_time_of_day(14_000)
    await rig.pass_time(1)


async def goes_by(rig: Rig, seconds: int) -> None:
    for _ in range(seconds):
        await rig.pass_time(1)


@pytest.mark.parametrize("is_near", [True, False])
async def test_at_night_it_fetches_what_lies_near_and_tells_of_the_rest_once_it_has_vanished(
    rig: Rig, alice: Bot, is_near: bool
) -> None:
    steve = rig.world.person("Steve", replace(HERE, x=HERE.x + 30))
    body, spawn = rig.world.body("Alice"), rig.world.spawn_point
    await falls_night(rig)
    rig.world.give("Alice", "bread", 3)
    rig.world.teleport("Alice", replace(spawn, x=spawn.x + (12 if is_near else 40)))
    await rig.pass_time(1)
    rig.world.kill("Alice")
    came = "I have my things back." if is_near else "I did not get 3 bread back."
    await goes_by(rig, 280)
    assert len(steve.inbox) == 1 + is_near
    await goes_by(rig, 40)
    assert [line.text for line in steve.inbox[1:]] == [came]
    assert (body.inventory.count("bread") == 3) is is_near


async def test_an_owner_who_was_away_is_told_of_what_was_lost_as_well(rig: Rig, alice: Bot) -> None:
    await falls_night(rig)
    rig.world.give("Alice", "bread", 3)
    rig.world.teleport("Alice", replace(HERE, x=HERE.x + 40))
    rig.world.kill("Alice")
    await goes_by(rig, 310)
    steve = rig.world.person("Steve", HERE)
    await until(lambda: len(steve.inbox) == 2)
    assert steve.inbox[1].text == "I did not get 3 bread back."


async def test_whoever_died_again_before_it_fetched_does_not_say_it_has_its_things_back(
    rig: Rig, alice: Bot
) -> None:
    steve = rig.world.person("Steve", replace(HERE, x=HERE.x + 30))
    await falls_night(rig)
    rig.world.give("Alice", "bread", 3)
    rig.world.teleport("Alice", replace(HERE, x=HERE.x + 40))
    for _ in range(2):
        rig.world.kill("Alice")
        await goes_by(rig, 5)
    rig.world.set_time_of_day(6_000)
    await goes_by(rig, 320)
    assert [line.text for line in steve.inbox][2:] == ["I did not get 3 bread back."]


@pytest.mark.parametrize("shuns", [True, False])
@pytest.mark.parametrize(
    "action", [MoveTo(HERE), Hunt(1), CollectDrops()], ids=lambda one: one.kind
)
async def test_at_night_it_walks_around_where_it_died_or_nearly_died(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, action: Action, shuns: bool
) -> None:
    rig.shared = replace(rig.shared, survival=SurvivalSettings(shun=shuns, shelter=False))
    rig.world.difficulty, begin, ways = "normal", rig.bridge.begin, list[tuple[Position, ...]]()
    alice = await rig.bot("Alice", HERE)
    zombie, there = Cause("creature", "zombie", "told"), replace(HERE, x=HERE.x + 20)

    async def watched(*what: Any, shunned: tuple[Position, ...], **how: Any) -> None:
        ways.append(shunned)
        await begin(*what, shunned=shunned, **how)

    async def sent(hour: int) -> tuple[Position, ...]:
        rig.world.set_time_of_day(hour)
        await passes_until(rig, lambda: alice.actions.is_calm)
        await passes_until(rig, asyncio.create_task(alice.act(action)).done)
        return ways[-1]

    monkeypatch.setattr(rig.bridge, "begin", watched)
    assert await sent(18_000) == ()
    rig.world.teleport("Alice", FAR)
    rig.world.set_health("Alice", 5, cause=zombie)
    rig.world.set_health("Alice", 20)
    rig.world.set_health("Alice", 5, cause=Cause("thing", "fall", "told"))
    rig.world.teleport("Alice", there)
    rig.world.set_health("Alice", 8, cause=zombie)
    rig.world.set_health("Alice", 0, cause=zombie)
    await rig.pass_time(5)
    rig.world.set_health("Alice", 20)
    assert await sent(18_000) == ((FAR, there) if shuns else ())
    assert await sent(6_000) == ()
    assert await sent(18_000) == ((FAR, there) if shuns else ())
    for far in range(20):
        await alice.perils.add("overworld", replace(FAR, z=8.0 * far))
    assert len(await sent(18_000)) == 16
    await rig.world.clock.advance(2_400)
    assert await sent(18_000) == ()


async def test_where_it_nearly_died_it_shuns_after_a_restart(tmp_path: Path) -> None:
    for is_new_to_it in (True, False):
        rig = await Rig.found(tmp_path)
        rig.shared = replace(rig.shared, survival=SurvivalSettings(shelter=False))
        rig.world.difficulty = "normal"
        rig.world.set_time_of_day(18_000)
        alice = await rig.bot("Alice", HERE)
        if is_new_to_it:
            rig.world.set_health("Alice", 5, cause=Cause("creature", "zombie", "told"))
            await until(partial(bool, alice.perils))
            rig.world.set_health("Alice", 20)
        assert alice.perils.shunned(await alice.snapshot()) == (HERE,)
        await rig.aclose()


async def test_what_it_was_called_from_it_fetches_afterwards(rig: Rig, alice: Bot) -> None:
    rig.world.set_time_of_day(6_000)
    rig.world.give("Alice", "bread", 3)
    rig.world.teleport("Alice", replace(HERE, x=HERE.x + 20))
    rig.world.kill("Alice")
    await passes_until(rig, lambda: alice.jobs.idle is not None)
    walking = asyncio.create_task(run_json(alice, "!navigation gotoCoords 2 64 8"))
    await passes_until(rig, walking.done)
    await passes_until(rig, lambda: rig.world.body("Alice").inventory.count("bread") == 3)


async def test_of_two_hundred_around_only_the_zombies_are_struck(
    rig: Rig, alice: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = actions_begun(rig, monkeypatch)
    rig.world.give("Alice", "diamond_sword")
    rig.world.give("Alice", "bread", 64)
    endanger(rig.world, "normal")
    wrong = _two_hundred_around(rig)
    zombies = set[int]()
    for place in range(6):  # an hour
        rig.world.set_time_of_day(0)  # at night it would dig in
        at = replace(HERE, x=HERE.x + 3 - place, z=HERE.z + 6)
        zombie = rig.world.summon("zombie", at, hunts=True)
        zombies.add(zombie.id)
        for kind in sorted({mob.name for mob in wrong} - STRUCK_BACK):
            cause = Cause("creature", kind, "told")
            rig.world.set_health("Alice", 20 - place % 2, cause=cause)
        await passes_until(rig, lambda: not rig.world.hunting)
        await rig.pass_time(600)
    assert rig.world.mobs == wrong
    assert {action.mob for action in begun if isinstance(action, Hunt)} == zombies


def _two_hundred_around(rig: Rig) -> list[MobSighting]:
    """Players among creatures that no bot strikes, in ten rings from two blocks on."""
    kinds = ("villager", "iron_golem", "snow_golem", "wolf", "cat", "parrot", "horse", "bee")
    for ring in range(10):
        for spoke in range(20):
            angle = 2 * math.pi * spoke / 20
            away = 2 + ring
            east, south = away * math.cos(angle), away * math.sin(angle)
            at = replace(HERE, x=HERE.x + east, z=HERE.z + south)
            if spoke % 10 == 0:
                rig.world.person(f"Guest{ring}{spoke}", at)
            else:
                kind = kinds[(ring + spoke) % len(kinds)]
                rig.world.summon(kind, at, hostile=False, young=spoke % 3 == 0)
    return list(rig.world.mobs)


@pytest.mark.parametrize(("kind", "strikes"), [("spider", True), ("enderman", False)])
async def test_a_guess_who_struck_it_is_enough_for_a_monster_that_is_a_foe(
    rig: Rig, alice: Bot, kind: str, strikes: bool
) -> None:
    rig.world.set_time_of_day(6_000)
    rig.world.give("Alice", "diamond_sword")
    rig.world.summon(kind, replace(HERE, x=HERE.x + 3))
    await rig.pass_time(10)
    assert not noted(rig, "reflex.began")
    rig.world.set_health("Alice", 18, cause=Cause("creature", kind, "guessed"))
    await rig.pass_time(10)
    assert [row["kind"] for row in noted(rig, "reflex.began")][:1] == ["fight"] * strikes


async def test_told_not_to_fetch_it_lets_its_things_lie_and_says_so_once_they_have_vanished(
    rig: Rig,
) -> None:
    rig.shared = replace(rig.shared, survival=SurvivalSettings(fetch=False))
    await rig.bot("Alice", HERE)
    steve = rig.world.person("Steve", replace(HERE, x=HERE.x + 30))
    rig.world.give("Alice", "bread", 3)
    rig.world.teleport("Alice", replace(HERE, x=HERE.x + 20))
    rig.world.kill("Alice")
    await goes_by(rig, 290)
    assert len(steve.inbox) == 1
    await goes_by(rig, 15)
    assert [line.text for line in steve.inbox[1:]] == ["I did not get 3 bread back."]
    assert rig.world.body("Alice").inventory.count("bread") == 0


async def test_told_not_to_speak_it_runs_without_a_word(rig: Rig) -> None:
    rig.shared = replace(rig.shared, survival=SurvivalSettings(speak=False))
    await rig.bot("Alice", HERE)
    steve = rig.world.person("Steve", replace(HERE, z=HERE.z - 3))
    creeper, body = (
        rig.world.summon("creeper", replace(HERE, x=HERE.x + 3)),
        rig.world.body("Alice"),
    )
    await passes_until(rig, lambda: body.position.distance_to(creeper.position) > 7)
    rig.world.banish(creeper)
    rig.world.set_health("Alice", 19, cause=Cause("player", steve.name, "seen"))
    await goes_by(rig, 10)
    assert {one["kind"] for one in noted(rig, "reflex.began")} >= {"back_away", "step_back"}
    assert steve.inbox == []


async def test_told_not_to_tell_of_deaths_it_tells_of_neither_death_nor_loss(rig: Rig) -> None:
    rig.shared = replace(rig.shared, survival=SurvivalSettings(tell_deaths=False))
    alice = await rig.bot("Alice", HERE)
    steve = rig.world.person("Steve", replace(HERE, x=HERE.x + 30))
    rig.world.give("Alice", "bread", 3)
    rig.world.teleport("Alice", replace(HERE, x=HERE.x + 20))
    rig.world.kill("Alice")
    await passes_until(rig, lambda: rig.world.body("Alice").inventory.count("bread") == 3)
    await goes_by(rig, 10)
    assert steve.inbox == []
    assert (await run_json(alice, "!status"))["lastDeath"]["position"] == [28, 64, 8]


async def test_without_reflexes_it_stands_there(rig: Rig) -> None:
    rig.shared = replace(rig.shared, survival=SurvivalSettings(enabled=False))
    await rig.bot("Alice", HERE)
    rig.world.give("Alice", "stone_sword")
    zombie = rig.world.summon("zombie", replace(HERE, x=HERE.x + 3))
    await rig.pass_time(30)
    assert (rig.world.mobs, rig.world.body("Alice").position) == ([zombie], HERE)
