"""At night a bot of which nobody wants anything sleeps or digs in, and comes out by day."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from support.rig import Rig, run_json

from bots.bot.bot import Bot
from bots.bot.events import StepDone
from bots.bot.jobs import Job, JobSpec
from bots.bot.result import Result
from bots.bot.stage import Stage
from bots.registry.render import failure_of
from bots.settings.world import SurvivalSettings
from bots.skills.sheltering import shelter_around
from bots.skills.sleeping import bed_of_ours
from bridge.actions import MoveTo, Wait
from bridge.causes import Cause
from bridge.events import BotEndangered, BotSpawned
from bridge.world import Position

HERE = Position(8.5, 64, 8.5)
NIGHT, MORNING = 14_000, 23_900
STEP_S = 0.5
DEEP = HERE.y - 3


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    found = await Rig.found(tmp_path)
    found.shared = replace(found.shared, survival=SurvivalSettings())
    found.world.difficulty = "normal"
    pave(found, "dirt")
    yield found
    await found.aclose()


@pytest.fixture
async def alice(rig: Rig) -> Bot:
    return await rig.bot("Alice", HERE)


def pave(rig: Rig, block: str, west: int = -10, east: int = 27) -> None:
    """Ground of one kind, five blocks deep, so far as a bot looks for a place."""
    ground = rig.world.terrain()
    for x, z, y in product(range(west, east), range(-10, 27), range(59, 64)):
        ground.set_block(Position(x, y, z), block)


async def passes_until(rig: Rig, met: Callable[[], bool], most_s: float = 120.0) -> None:
    """Let the world's time pass until it is so; fails when that takes too long."""
    for _ in range(int(most_s / STEP_S)):
        if met():
            return
        await rig.pass_time(STEP_S)
    raise AssertionError("it did not happen")


async def digs_in(rig: Rig) -> None:
    rig.world.set_time_of_day(NIGHT)
    body = rig.world.body("Alice")
    await passes_until(rig, lambda: body.position.y == DEEP and lid(rig) == "dirt")


def lid(rig: Rig) -> str:
    at = rig.world.body("Alice").position.block
    return rig.world.block(replace(at, y=at.y + 2))


async def test_it_digs_in_at_night_and_fills_the_hole_by_day(rig: Rig, alice: Bot) -> None:
    await digs_in(rig)
    zombie = rig.world.summon("zombie", replace(HERE, x=HERE.x + 1))
    await rig.pass_time(60)
    assert rig.world.body("Alice").position.y == DEEP
    rig.world.set_time_of_day(MORNING)
    await rig.pass_time(20)
    assert rig.world.body("Alice").position.y == DEEP, "the zombie waits above"
    rig.world.banish(zombie)
    await passes_until(rig, lambda: alice.actions.is_calm)
    assert rig.world.body("Alice").position == HERE
    assert {rig.world.block(Position(8, y, 8)) for y in (61, 62, 63)} == {"dirt"}


async def test_what_does_not_let_it_out_at_first_it_tries_again(rig: Rig, alice: Bot) -> None:
    await digs_in(rig)
    rig.world.protect(replace(HERE, y=HERE.y - 1), "Not now.")
    rig.world.set_time_of_day(MORNING)
    await rig.pass_time(40)
    assert rig.world.body("Alice").position.y == DEEP
    rig.world.protected.clear()
    await passes_until(rig, lambda: rig.world.body("Alice").position == HERE, 30)


async def test_at_dawn_it_waits_for_the_sun_to_burn_what_stands_around(
    rig: Rig, alice: Bot
) -> None:
    await digs_in(rig)
    rig.world.summon("skeleton", replace(HERE, x=HERE.x + 12))
    rig.world.set_time_of_day(MORNING)
    await rig.pass_time(20)
    assert rig.world.body("Alice").position.y == DEEP
    rig.world.set_time_of_day(1_000)
    await passes_until(rig, lambda: rig.world.body("Alice").position.y > DEEP)


async def test_dug_in_it_minds_only_monsters_that_get_to_it(rig: Rig, alice: Bot) -> None:
    await digs_in(rig)
    await rig.pass_time(2)
    snapshots = rig.bridge.snapshots
    for away in (14, 10, 7, 4, 7, 10):
        zombie = rig.world.summon("zombie", replace(HERE, x=HERE.x + away))
        await rig.pass_time(1)
        rig.world.banish(zombie)
    assert rig.bridge.snapshots == snapshots
    rig.world.set_block(replace(HERE, y=HERE.y - 1).block, "air")
    rig.world.summon("zombie", replace(HERE, x=HERE.x + 7))
    await rig.pass_time(1)
    assert rig.bridge.snapshots > snapshots, "its hole is open"


async def test_put_elsewhere_out_of_its_hole_it_minds_what_is_there(rig: Rig, alice: Bot) -> None:
    await digs_in(rig)
    await rig.pass_time(2)
    snapshots = rig.bridge.snapshots
    there = replace(HERE, x=HERE.x + 40)
    rig.world.teleport("Alice", there)
    rig.world.summon("zombie", replace(there, x=there.x + 12))
    await rig.pass_time(1)
    assert rig.bridge.snapshots > snapshots


async def test_struck_at_arms_length_while_it_digs_in_it_does_not_dig_on(
    rig: Rig, alice: Bot
) -> None:
    rig.world.give("Alice", "diamond_sword")
    rig.world.set_time_of_day(NIGHT)
    await passes_until(rig, lambda: rig.world.block(Position(8, 63, 8)) == "air")
    zombie = rig.world.summon("zombie", replace(HERE, x=HERE.x + 1))
    rig.world.set_health("Alice", 17, cause=Cause("creature", "zombie", "seen"))
    await passes_until(rig, lambda: zombie not in rig.world.mobs)
    began = [entry.facts["kind"] for entry in rig.trace.recent("reflex.began")]
    assert began[:2] == ["shelter", "fight"]
    assert lid(rig) != "dirt"
    await passes_until(rig, lambda: rig.world.body("Alice").position.y <= DEEP)


async def test_of_two_beds_it_takes_the_one_in_which_nobody_lies(rig: Rig, alice: Bot) -> None:
    for x in (13, 14):
        for z in (8, 9):  # two side by side, the pillows in the east
            rig.world.set_block(Position(x, 64, z), "red_bed")
            await alice.placements.add("red_bed", "red_bed", Position(x, 64, z), "overworld")
    rig.world.person("Steve", Position(14.5, 64.6875, 8.5))
    world = await alice.snapshot()
    assert await bed_of_ours(alice, world) == Position(13, 64, 9)
    rig.world.set_block(Position(13, 64, 9), "air")
    assert await bed_of_ours(alice, world) is None


async def test_back_to_life_it_digs_in_in_the_same_night(rig: Rig, alice: Bot) -> None:
    rig.world.set_time_of_day(NIGHT)
    await rig.pass_time(1)
    rig.world.kill("Alice")
    await digs_in(rig)


async def test_a_night_told_right_after_it_joined_is_not_forgotten(rig: Rig, alice: Bot) -> None:
    rig.world.set_time_of_day(NIGHT)
    await rig.pass_time(1)
    now = rig.world.clock.now()
    [session] = rig.roster.sessions
    session.take(BotSpawned(session.name, "1.16.5", HERE, now))
    session.take(BotEndangered(session.name, frozenset({"night"}), now))
    await digs_in(rig)


async def test_a_daemon_that_starts_anew_knows_the_hole_it_finds_its_bot_in(
    rig: Rig, alice: Bot, tmp_path: Path
) -> None:
    await digs_in(rig)
    await passes_until(rig, lambda: bool(alice.placements.ours(None)))
    await rig.aclose()
    found = await Rig.found(tmp_path)
    found.shared = replace(found.shared, survival=SurvivalSettings())
    pave(found, "dirt")
    for y in (61, 62):
        found.world.set_block(replace(HERE, y=y).block, "air")
    found.world.set_time_of_day(MORNING)
    again = await found.bot("Alice", replace(HERE, y=DEEP))
    found.world.give("Alice", "dirt", 2)
    body = found.world.body("Alice")
    await passes_until(found, lambda: body.position == HERE and again.actions.is_calm)
    assert {found.world.block(Position(8, y, 8)) for y in (61, 62, 63)} == {"dirt"}
    assert not again.placements.ours(None)
    await found.aclose()


async def test_it_comes_out_when_somebody_wants_something(rig: Rig, alice: Bot) -> None:
    await digs_in(rig)
    going = asyncio.create_task(run_json(alice, "!navigation gotoCoords 12 64 8"))
    await passes_until(rig, going.done)
    assert (await going)["success"] is True


async def test_a_word_alone_does_not_call_it_out(rig: Rig, alice: Bot) -> None:
    await digs_in(rig)
    alice.leisure.disturbed()
    await rig.pass_time(20)
    assert rig.world.body("Alice").position.y == DEEP


async def test_what_it_does_unasked_does_not_call_it_out(rig: Rig, alice: Bot) -> None:
    await digs_in(rig)

    async def watch(job: Job) -> Result:
        await job.act(Wait(5), deadline_s=30)
        return Result()

    alice.jobs.begin(JobSpec("watching a squid", watch, failure_of, 60, is_idle=True))
    zombie = rig.world.summon("zombie", replace(HERE, x=HERE.x + 12))
    await rig.pass_time(1)
    rig.world.banish(zombie)
    await rig.pass_time(20)
    began = [entry.facts["kind"] for entry in rig.trace.recent("reflex.began")]
    assert began == ["shelter", "stay"]


async def test_who_calls_it_is_told_that_monsters_wait(rig: Rig, alice: Bot) -> None:
    await digs_in(rig)
    steve = rig.world.person("Steve", replace(HERE, z=HERE.z + 4))
    zombie = rig.world.summon("zombie", replace(HERE, x=HERE.x + 1))
    await rig.pass_time(40)
    going = asyncio.create_task(run_json(alice, "!navigation gotoCoords 12 64 8"))
    await passes_until(rig, lambda: bool(steve.inbox))
    told = "That zombie waits above me. I come out when it is gone."
    assert [line.text for line in steve.inbox] == [told]
    rig.world.banish(zombie)
    await passes_until(rig, going.done)
    assert (await going)["success"] is True


async def test_work_that_a_monster_breaks_into_goes_on_after_a_shelter(
    rig: Rig, alice: Bot
) -> None:
    rig.world.set_time_of_day(NIGHT)
    going = asyncio.create_task(run_json(alice, "!navigation gotoCoords 60 64 8"))
    body = rig.world.body("Alice")
    await passes_until(rig, lambda: body.position.x > HERE.x + 1)
    zombie = rig.world.summon("zombie", replace(body.position, x=body.position.x + 6))
    job = alice.jobs.current
    await passes_until(rig, lambda: not alice.actions.is_calm)
    await rig.pass_time(4)
    rig.world.banish(zombie)
    await passes_until(rig, going.done)
    assert (await going)["success"] is True
    assert job is not None
    assert job.early is None


@pytest.mark.parametrize(
    ("outdoors_s", "is_outdoors", "time", "weapon", "is_below", "waits"),
    [
        (60, True, 14_000, None, False, True),
        (60, False, 14_000, None, False, True),
        (60, False, 14_000, None, True, False),
        (30, True, 14_000, None, False, False),  # wood for what is mined then
        (0, False, 14_000, None, False, False),
        (60, True, 14_000, "stone_sword", False, False),
        (60, True, 22_000, "stone_sword", False, True),
        (60, False, 22_000, "stone_sword", False, False),
    ],
)
async def test_work_in_the_open_waits_for_day_where_that_costs_less(
    rig: Rig,
    alice: Bot,
    outdoors_s: float,
    is_outdoors: bool,
    time: int,
    weapon: str | None,
    is_below: bool,
    waits: bool,
) -> None:
    async def work(job: Job) -> Result:
        job.stage = Stage(1, 1, "log", "gather", "oak_log", 9, 0, 60, 0, outdoors_s, is_outdoors)
        await job.act(MoveTo(replace(HERE, x=HERE.x + 200), 1), deadline_s=100)
        return Result()

    if weapon:
        rig.world.give("Alice", weapon)
    if is_below:
        for x, z in product(range(-10, 100), (7, 8, 9)):
            rig.world.set_block(Position(x, 67, z), "stone")
    rig.world.set_time_of_day(time)
    job = alice.jobs.begin(JobSpec("!goal", work, failure_of, deadline_s=60))
    body = rig.world.body("Alice")
    await rig.pass_time(20)
    assert (body.position.y == DEEP, job.is_over) == (waits, False)
    assert ("which waits for day" in str(alice.stage)) == waits
    rig.world.set_time_of_day(MORNING)
    await passes_until(rig, lambda: job.is_over)
    assert job.result().success
    assert not job.waits_for_day
    assert (job.paused_s > 10) == waits, job.paused_s


async def test_a_reflex_counts_for_no_estimate(rig: Rig, alice: Bot) -> None:
    steps: list[StepDone] = []
    alice.events.subscribe(
        lambda event: steps.append(event) if isinstance(event, StepDone) else None
    )
    going = asyncio.create_task(run_json(alice, "!goal inventory.dirt:3"))
    await passes_until(rig, lambda: alice.stage is not None)
    async with alice.actions.held():
        await rig.pass_time(5)
        left = [alice.stage and alice.stage.left_s]
        await rig.pass_time(50)
        left.append(alice.stage and alice.stage.left_s)
    await passes_until(rig, going.done)
    assert left[0] == left[1]
    assert (await going)["success"] is True
    assert sum(step.took_s for step in steps) < 50
    assert "paused for my safety" in (await going)["message"]


async def test_once_driven_off_it_leaves_work_in_the_open_until_day(rig: Rig, alice: Bot) -> None:
    async def work(job: Job) -> Result:
        job.stage = Stage(1, 1, "log", "gather", "oak_log", 9, 0, 60, 0, 30, is_outdoors=True)
        await job.act(MoveTo(replace(HERE, x=HERE.x + 200), 1), deadline_s=100)
        return Result()

    rig.world.set_time_of_day(NIGHT)
    alice.jobs.begin(JobSpec("!goal", work, failure_of, deadline_s=60))
    await rig.pass_time(1)
    zombie = rig.world.summon("zombie", replace(HERE, x=HERE.x + 7))
    await passes_until(rig, lambda: not alice.actions.is_calm)
    rig.world.banish(zombie)
    await rig.pass_time(30)
    began = [entry.facts["kind"] for entry in rig.trace.recent("reflex.began")]
    assert began == ["flee", "shelter", "stay"]


async def test_dug_in_it_goes_on_below_ground(rig: Rig, alice: Bot) -> None:
    ground = rig.world.terrain()
    for x, z, y in product(range(-10, 27), range(-10, 27), range(48, 59)):
        ground.set_block(Position(x, y, z), "stone")
    rig.world.set_block(Position(26, 64, 26), "birch_log")
    rig.world.give("Alice", "oak_log", 3)
    rig.world.set_time_of_day(NIGHT)
    going = asyncio.create_task(run_json(alice, "!goal inventory.birch_log:1"))
    await rig.pass_time(1)
    zombie = rig.world.summon("zombie", replace(HERE, x=HERE.x + 7))
    await passes_until(rig, lambda: not alice.actions.is_calm)
    rig.world.banish(zombie)
    body = rig.world.body("Alice")
    await passes_until(rig, lambda: body.position.y == DEEP and lid(rig) == "dirt")
    above = []

    def has_sword() -> bool:
        above.append(body.position.y > DEEP)
        return "stone_sword" in body.inventory.counts()

    await passes_until(rig, has_sword)
    assert not any(above)
    await passes_until(rig, going.done)
    assert (await going)["success"] is True


@pytest.mark.parametrize(("time", "stays"), [(NIGHT, True), (MORNING, False)])
async def test_with_its_goal_reached_in_a_mine_by_night_it_stays_there(
    rig: Rig, alice: Bot, time: int, stays: bool
) -> None:
    ground = rig.world.terrain()
    for x, z, y in product(range(-10, 27), range(-10, 27), range(40, 59)):
        ground.set_block(Position(x, y, z), "stone")
    rig.world.set_block(Position(9, 45, 9), "iron_ore")
    rig.world.give("Alice", "stone_pickaxe")
    rig.world.set_time_of_day(time)
    going = asyncio.create_task(run_json(alice, "!goal inventory.iron_ore:1"))
    await passes_until(rig, going.done)
    assert (await going)["success"] is True
    assert (rig.world.body("Alice").position.y < 50) == stays


async def test_a_busy_bot_and_one_in_a_peaceful_world_do_not_dig_in(rig: Rig, alice: Bot) -> None:
    rig.world.difficulty = "peaceful"
    rig.world.set_time_of_day(NIGHT)
    await rig.pass_time(90)
    assert rig.world.body("Alice").position == HERE


@pytest.mark.parametrize("ground", ["sand", "oak_planks", "stone"])
async def test_it_stays_where_it_cannot_dig_in(rig: Rig, alice: Bot, ground: str) -> None:
    pave(rig, ground)
    rig.world.set_time_of_day(NIGHT)
    await rig.pass_time(90)
    assert rig.world.body("Alice").position == HERE
    assert alice.actions.is_calm


async def walls_in(rig: Rig) -> None:
    pave(rig, "packed_ice")
    rig.world.give("Alice", "cobblestone", 9)
    rig.world.give("Alice", "oak_planks", 6)
    rig.world.give("Alice", "stone_pickaxe")
    rig.world.set_time_of_day(NIGHT)
    await passes_until(rig, lambda: lid(rig) in ("cobblestone", "oak_planks"))


async def test_on_ice_it_puts_blocks_around_itself_and_takes_them_back_by_day(
    rig: Rig, alice: Bot
) -> None:
    await walls_in(rig)
    await rig.pass_time(5)
    body = rig.world.body("Alice")
    assert body.position == HERE
    around = [(dx, dz) for dx, dz in product((-1, 0, 1), repeat=2) if (dx, dz) != (0, 0)]
    places = [replace(HERE, x=HERE.x + dx, z=HERE.z + dz).block for dx, dz in around]
    assert "air" not in {rig.world.block(place) for place in places}
    zombie = rig.world.summon("zombie", replace(HERE, x=HERE.x + 1.8))
    await rig.pass_time(20)
    assert body.position == HERE
    assert "fight" not in {entry.facts["kind"] for entry in rig.trace.recent("reflex.began")}
    rig.world.banish(zombie)
    rig.world.set_time_of_day(MORNING)
    await passes_until(rig, lambda: alice.actions.is_calm and lid(rig) == "air")
    assert {rig.world.block(place) for place in places} == {"air"}
    assert body.inventory.count("cobblestone") + body.inventory.count("oak_planks") == 15


@pytest.mark.parametrize("is_lid_noted", [True, False])
async def test_a_daemon_that_starts_anew_knows_the_walls_around_its_bot(
    rig: Rig, alice: Bot, is_lid_noted: bool
) -> None:
    await walls_in(rig)
    await rig.pass_time(5)
    if not is_lid_noted:  # the one before was killed in between
        await alice.placements.gone(replace(HERE, y=HERE.y + 2), "overworld")
    anew = await shelter_around(alice, await alice.snapshot())
    assert anew is not None
    assert len(anew.walls) == 13


@pytest.mark.parametrize("why", ["few", "roofed", "spared"])
async def test_it_puts_no_blocks_around_itself_where_it_may_not_or_has_too_few(
    rig: Rig, alice: Bot, why: str
) -> None:
    pave(rig, "packed_ice")
    rig.world.give("Alice", "cobblestone", 13 if why == "few" else 32)
    if why == "roofed":
        for dx, dz in product(range(-3, 4), repeat=2):
            rig.world.set_block(Position(8 + dx, 68, 8 + dz), "stone")
    elif why == "spared":
        await alice.areas.refused("overworld", HERE, "You may not build here.")
    rig.world.set_time_of_day(NIGHT)
    body = rig.world.body("Alice")
    before = body.inventory.count("cobblestone")
    for _ in range(60):
        await rig.pass_time(1)
        assert body.inventory.count("cobblestone") == before


async def test_it_goes_to_ground_in_which_it_can_dig(rig: Rig, alice: Bot) -> None:
    pave(rig, "sand")
    pave(rig, "dirt", west=16)
    await digs_in(rig)
    assert rig.world.body("Alice").position.x > 16


async def test_it_goes_down_to_ground_in_which_it_can_dig(rig: Rig, alice: Bot) -> None:
    pave(rig, "stone")
    ground = rig.world.terrain()
    for x, z, y in product(range(16, 27), range(-10, 27), range(50, 64)):
        top = max(57, 78 - x) if z == 8 else 57  # a stair down a cliff
        ground.set_block(Position(x, y, z), "dirt" if y < 57 else "stone" if y < top else "air")
    rig.world.set_time_of_day(NIGHT)
    await passes_until(rig, lambda: lid(rig) == "dirt")
    assert rig.world.body("Alice").position.y == 54


async def test_it_goes_to_the_next_place_where_no_way_leads_to_the_first(
    rig: Rig, alice: Bot
) -> None:
    pave(rig, "stone")
    pave(rig, "dirt", west=16)
    ground = rig.world.terrain()
    for x, z, y in product(range(-8, 1), range(-8, 1), range(59, 72)):
        ground.set_block(Position(x, y, z), "dirt")
    rig.world.set_time_of_day(NIGHT)
    await passes_until(rig, lambda: lid(rig) == "dirt")
    assert rig.world.body("Alice").position.x > 16


async def test_where_it_came_to_elsewhere_it_digs_in_soon(rig: Rig, alice: Bot) -> None:
    pave(rig, "stone")
    pave(rig, "dirt", west=40, east=60)
    rig.world.set_time_of_day(NIGHT)
    await passes_until(rig, lambda: any(rig.trace.recent("reflex.ended")))
    rig.world.teleport("Alice", Position(50.5, 64, 8.5))
    await passes_until(rig, lambda: lid(rig) == "dirt", most_s=40)


async def test_it_digs_no_hole_beside_what_somebody_built(rig: Rig, alice: Bot) -> None:
    rig.world.set_block(Position(10, 64, 10), "oak_planks")
    await digs_in(rig)
    assert rig.world.body("Alice").position.distance_to(Position(10, 64, 10)) > 6


async def test_it_sleeps_in_a_bed_that_a_bot_placed_and_in_no_other(rig: Rig, alice: Bot) -> None:
    bed = Position(30, 64, 8)
    rig.world.set_block(bed, "red_bed")
    await digs_in(rig)
    rig.world.set_time_of_day(MORNING)
    await passes_until(rig, lambda: alice.actions.is_calm)
    await alice.placements.add("red_bed", "red_bed", bed, "overworld")
    rig.world.set_time_of_day(NIGHT)
    body = rig.world.body("Alice")
    await passes_until(rig, lambda: body.position.distance_to(bed) < 3)
    assert {rig.world.block(Position(8, y, 8)) for y in (61, 62, 63)} == {"dirt"}
