"""A bot with its reflexes meets each monster that the embedded server has, by day."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from itertools import pairwise, product
from pathlib import Path

import pytest
from actions.crew import NAME, Crew, crew
from support.rig import run_json

from bots.bot.events import BotEvent
from bots.settings.world import SurvivalSettings
from bridge.events import BotEndangered, Harm
from bridge.world import Position, WorldSnapshot

pytestmark = pytest.mark.real

HERE = Position(8.5, 64, 8.5)
WITHIN_S = 60.0
BLOW = 3  # half-hearts, of a zombie at normal difficulty
SUIT = ("iron_helmet", "iron_chestplate", "iron_leggings", "iron_boots")


@pytest.fixture
async def alert(node_binary: Path, node_dir: Path, tmp_path: Path) -> AsyncIterator[Crew]:
    """A bot on open ground in the forenoon, at normal difficulty, with nothing to do."""
    async with crew(node_binary, node_dir, tmp_path, survival=SurvivalSettings()) as one:
        await one.server.admin("time", value=1000)
        await one.server.admin("teleport", player=NAME, x=HERE.x, y=HERE.y, z=HERE.z)
        await one.server.admin("difficulty", level="normal")
        yield one


async def meets(alert: Crew, kind: str, away: float) -> None:
    await alert.server.admin("summon", kind=kind, x=HERE.x, y=HERE.y, z=HERE.z + away, young=False)


async def left(alert: Crew, kind: str, within: float = 24) -> list[Position]:
    """Where those of a kind are that live, as the server knows."""
    monsters = await alert.server.admin("monsters")
    places = [Position(*at) for name, at, _ in monsters if name == kind]
    return [at for at in places if at.distance_to(HERE) <= within]


async def comes_through(
    alert: Crew, *, away_from: str = "", far: float = 16, gone: str = ""
) -> WorldSnapshot:
    """Watch the bot until no such monster is near it, or left; it must not die."""
    async with asyncio.timeout(WITHIN_S):
        while True:
            world = await alert.session.bot.snapshot()
            assert world.health > 0
            assert world.died is None
            if gone and not await left(alert, gone):
                return world
            places = await left(alert, away_from, 64) if away_from else []
            if places and min(map(world.position.distance_to, places)) > far:
                return world
            await asyncio.sleep(0.1)


def reacted(alert: Crew) -> set[str]:
    return {entry.facts["kind"] for entry in alert.trace.recent("reflex.began")}


async def test_with_a_sword_it_closes_in_on_a_skeleton_and_kills_it(alert: Crew) -> None:
    await alert.give(iron_sword=1)
    await meets(alert, "skeleton", 9)
    world = await comes_through(alert, gone="skeleton")
    assert "fight" in reacted(alert)
    assert world.health >= 5


@pytest.mark.parametrize(("kind", "away"), [("skeleton", 14), ("creeper", 15)])
async def test_with_a_bow_it_shoots_from_afar(alert: Crew, kind: str, away: float) -> None:
    await alert.give(bow=1, arrow=16, iron_sword=1, **dict.fromkeys(SUIT, 1))
    for piece in SUIT:  # else it may be shot until it flees
        await alert.done(f"!skill equip {piece}")
    await meets(alert, kind, away)
    world = await comes_through(alert, gone=kind)
    assert "shoot" in reacted(alert)
    assert kind == "skeleton" or world.count("arrow") < 16  # skeletons leave arrows


async def test_behind_its_shield_it_takes_no_arrow(alert: Crew) -> None:
    await alert.give(iron_sword=1, shield=1)
    await alert.done("!skill equip shield")
    await meets(alert, "skeleton", 9)
    world = await comes_through(alert, gone="skeleton")
    assert reacted(alert) == {"fight"}
    assert world.health >= 14  # without, three arrows of 3 to 4 half-hearts hit on the way


async def test_with_nothing_it_runs_out_of_a_skeletons_range(alert: Crew) -> None:
    await meets(alert, "skeleton", 9)
    await comes_through(alert, away_from="skeleton")
    assert reacted(alert) >= {"flee"}


async def test_it_guards_a_place_on_its_round_and_stays_there(alert: Crew) -> None:
    await alert.give(iron_sword=1)
    bot = alert.session.bot
    guarding = asyncio.create_task(run_json(bot, "!skill guard"))
    await meets(alert, "zombie", 12)
    await comes_through(alert, gone="zombie")
    corners = [(await bot.snapshot()).position]
    async with asyncio.timeout(2 * WITHIN_S):
        while max(map(HERE.distance_to, corners)) < 5:
            corners.append((await bot.snapshot()).position)
            await asyncio.sleep(0.1)
    assert max(map(HERE.distance_to, corners)) <= 12
    assert (await run_json(bot, "!skill stopFight"))["stoppedActions"] == ["!skill guard"]
    assert (await guarding)["reason"] == "stopped"


async def test_without_a_sword_it_runs_from_a_creeper_unhurt(alert: Crew) -> None:
    await meets(alert, "creeper", 5)
    world = await comes_through(alert, away_from="creeper")
    assert world.health == 20
    assert reacted(alert) == {"back_away"}


async def test_with_a_sword_it_hits_a_creeper_and_backs_out_until_it_is_dead(alert: Crew) -> None:
    await alert.give(iron_sword=1)
    await meets(alert, "creeper", 7)
    world = await comes_through(alert, gone="creeper")
    assert "fight" in reacted(alert)
    assert world.health >= 10  # a blast at the place where it is struck takes 16


async def test_its_sword_grazes_no_tamed_wolf_beside_a_zombie(alert: Crew) -> None:
    await alert.give(iron_sword=1)
    for dx, dz in product((-1.5, 0, 1.5), (1.5, 3)):
        await alert.server.admin("animal", kind="wolf", x=HERE.x + dx, y=HERE.y, z=HERE.z + dz)
    for away in (6, 9, 12):
        await meets(alert, "zombie", away)
    world = await comes_through(alert, gone="zombie")
    assert {mob.name for mob in world.mobs if mob.is_somebodys} == {"wolf"}
    wolves = [health for kind, _, health in await alert.server.admin("animals") if kind == "wolf"]
    assert wolves == [20] * 6


async def test_the_armour_that_it_puts_on_softens_blows(alert: Crew) -> None:
    await alert.give(iron_sword=1, **dict.fromkeys(SUIT, 1))
    await meets(alert, "zombie", 12)
    await meets(alert, "zombie", 14)
    lows = [20.0]
    watched = alert.session.bot.events.subscribe(
        lambda event: lows.append(getattr(event, "health", lows[-1]))
    )
    world = await comes_through(alert, gone="zombie")
    watched()
    assert reacted(alert) >= {"wear", "fight"}
    assert set(SUIT) <= set(world.worn)
    blows = [before - after for before, after in pairwise(lows)]
    assert max(blows) < BLOW


async def comes_to(is_so: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(WITHIN_S):
        while not await is_so():  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.1)


@pytest.fixture
async def at_a_pool(alert: Crew) -> Crew:
    """With a sword, beside water four deep."""
    for x, y, z in product(range(4, 9), range(60, 64), range(12, 19)):
        await alert.set_block(Position(x, y, z), "water")
    await alert.give(iron_sword=1)
    return alert


async def is_wet(alert: Crew) -> bool:
    bot = alert.session.bot
    return await bot.block((await bot.snapshot()).position.block) == "water"


async def test_it_gets_out_of_the_water_before_a_drowned(at_a_pool: Crew) -> None:
    server, trace = at_a_pool.server, at_a_pool.trace
    await server.admin("teleport", player=NAME, x=6.5, y=63, z=15.5)
    await comes_to(lambda: is_wet(at_a_pool))
    await server.admin("summon", kind="drowned", x=6.5, y=60, z=17.5, young=False)
    await comes_through(at_a_pool, away_from="drowned", far=6)

    async def is_over() -> bool:
        return bool(trace.recent("reflex.ended"))

    await comes_to(is_over)
    assert not await is_wet(at_a_pool)
    assert reacted(at_a_pool) == {"flee"}
    assert (await at_a_pool.session.bot.snapshot()).health > 10


async def test_it_meets_a_drowned_on_land_at_night_alone(at_a_pool: Crew) -> None:
    bot, server = at_a_pool.session.bot, at_a_pool.server
    await server.admin("summon", kind="drowned", x=6.5, y=62, z=13.5, young=False)

    async def is_there() -> bool:
        return bool((await bot.snapshot()).mobs)

    await comes_to(is_there)
    await at_a_pool.done("!skill equip iron_sword")
    assert reacted(at_a_pool) == set()
    await server.admin("time", value=18000)
    was_wet: list[bool] = []

    async def is_dead() -> bool:
        assert (await bot.snapshot()).died is None
        was_wet.append(await is_wet(at_a_pool))
        return not await left(at_a_pool, "drowned")

    await comes_to(is_dead)
    assert "fight" in reacted(at_a_pool)
    assert not any(was_wet)


@pytest.mark.parametrize("high", [1, 6])
async def test_buried_in_sand_it_digs_itself_out_and_goes_on(alert: Crew, high: int) -> None:
    """In a hole one deep; sand at its feet alone hurts nobody."""
    for dx, dz in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        await alert.set_block(Position(8 + dx, 64, 8 + dz), "stone")
    for y in range(high):
        await alert.set_block(Position(8, 70 + y, 8), "sand")

    async def has_fallen() -> bool:
        return await alert.session.bot.block(HERE.block) == "sand"

    await comes_to(has_fallen)
    await alert.done("!skill moveTo 12 64 12 1")
    assert reacted(alert) == ({"dig_out"} if high > 1 else set())
    assert (await alert.session.bot.snapshot()).health >= 10


async def test_it_lets_no_sand_fall_on_itself(alert: Crew) -> None:
    for y, block in ((66, "dirt"), (67, "sand"), (68, "sand")):
        await alert.set_block(Position(8, y, 8), block)
    await alert.sees("sand")
    refused = await alert.run("!primitive digBlock 8 66 8")
    assert "sand" in refused["message"]
    await alert.done("!skill moveTo 8 64 11 0")
    await alert.done("!primitive digBlock 8 66 8")
    assert not reacted(alert)


async def is_clear_of(alert: Crew, block: str, up: int = 0) -> bool:
    bot = alert.session.bot
    at = (await bot.snapshot()).position
    return await bot.block(Position(at.x, at.y + up, at.z).block) != block


async def has_begun(alert: Crew, kind: str) -> bool:
    return kind in reacted(alert)


@pytest.mark.parametrize("carried", ["cobblestone", "water_bucket"])
async def test_with_a_block_or_water_it_gets_out_of_lava_alive(alert: Crew, carried: str) -> None:
    """Amid five by five; to swim to the edge takes longer than to die."""
    await alert.give(**{carried: 1})
    for x, z in product(range(6, 11), range(19, 24)):
        await alert.set_block(Position(x, 63, z), "lava")
    await alert.server.admin("teleport", player=NAME, x=8.5, y=63, z=21.5)
    harms = list[frozenset[Harm]]()

    def take(event: BotEvent) -> None:
        if isinstance(event, BotEndangered):
            harms.append(event.by)

    async def is_over() -> bool:
        return bool(harms) and not harms[-1]

    alert.session.bot.events.subscribe(take)
    await comes_to(is_over)
    await alert.session.bot.actions.until_calm()
    world = await alert.session.bot.snapshot()
    assert world.died is None
    assert harms[0] == {"lava"}
    assert world.count(carried) == (carried == "water_bucket"), "it takes its water back"


async def test_below_a_lid_in_the_water_it_gets_to_the_air(alert: Crew) -> None:
    for x, y, z in product(range(4, 13), range(60, 64), range(16, 22)):
        await alert.set_block(Position(x, y, z), "water")
    for x, z in product(range(4, 10), range(16, 22)):
        await alert.set_block(Position(x, 63, z), "stone")
    await alert.server.admin("teleport", player=NAME, x=5.5, y=60, z=18.5)
    await comes_to(lambda: has_begun(alert, "breathe"))
    await comes_to(lambda: is_clear_of(alert, "water", 1))
    world = await alert.session.bot.snapshot()
    assert world.died is None
    assert world.health > 10


async def test_it_runs_into_a_house_and_the_zombie_stays_outside(alert: Crew) -> None:
    house, door = range(16, 22), Position(8, 64, 16)
    for x, z, y in product(range(6, 12), house, range(64, 68)):
        is_wall = x in (6, 11) or z in (house[0], house[-1])
        is_doorway = (x, z) == (door.x, door.z) and y < 66
        if (is_wall and not is_doorway) or y == 67:
            await alert.set_block(Position(x, y, z), "oak_planks")
    await alert.give(oak_door=1)
    for order in ("skill moveTo 8 64 13 1", "skill equip oak_door", "primitive placeBlock 8 64 16"):
        await alert.done(f"!{order}")
    await alert.done("!skill moveTo 8 64 8 1")
    await alert.server.admin("time", value=13_800)  # else it burns
    await alert.server.admin("summon", kind="zombie", x=14.5, y=64, z=8.5, young=False)
    bot = alert.session.bot

    async def is_inside() -> bool:
        return (await bot.snapshot()).position.z > door.z + 1

    await comes_to(is_inside)
    await comes_to(lambda: is_calm(alert))
    until = (await bot.snapshot()).time_of_day + 100  # ticks for the zombie to come in
    await comes_to(lambda: is_so_late(alert, until))
    assert await is_inside()
    assert (await bot.snapshot()).health == 20


async def is_so_late(alert: Crew, tick: int) -> bool:
    return (await alert.session.bot.snapshot()).time_of_day >= tick


async def is_calm(alert: Crew) -> bool:
    return alert.session.bot.actions.is_calm
