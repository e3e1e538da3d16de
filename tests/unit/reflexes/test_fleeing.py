"""Where a bot flees to: the distance counts first, then what is about a place."""

from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from support.acting import actions_begun
from support.rig import Rig

from bots.access.permissions import Permissions
from bots.bot.bot import Bot
from bots.reflexes.surroundings import Refuge, away_from, out_of_harm, worth
from bots.settings.world import SurvivalSettings
from bridge.actions import MoveTo
from bridge.world import MobSighting, PlayerName, Position

HERE = Position(8.5, 64, 8.5)
FLEE = 14.0


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    found = await Rig.found(tmp_path, Permissions(owners=frozenset({"Olga"})))
    yield found
    await found.aclose()


@pytest.fixture
async def alice(rig: Rig) -> Bot:
    return await rig.bot("Alice", HERE)


def foe(kind: str, east: float = 4, south: float = 0, up: float = 0) -> MobSighting:
    return MobSighting(
        kind, Position(HERE.x + east, HERE.y + up, HERE.z + south), hostile=True, id=1
    )


def at(west: float, south: float = 0, up: float = 0) -> Refuge:
    return Refuge(Position(HERE.x - west, HERE.y + up, HERE.z + south))


ZOMBIE, SPIDER, SKELETON, CREEPER = map(foe, ("zombie", "spider", "skeleton", "creeper"))


@pytest.mark.parametrize(
    ("better", "worse", "foes"),
    [
        (at(14), at(7), [ZOMBIE]),
        (at(14), at(0, 14), [ZOMBIE]),
        (at(0, 14), at(-14), [ZOMBIE]),  # not past it
        (at(7), at(-14), [foe("zombie", 2)]),
        (replace(at(0, 10), has_company=True), at(14), [ZOMBIE]),
        (at(14), replace(at(2), has_company=True), [ZOMBIE]),
        (at(14), replace(at(-14), has_company=True), [ZOMBIE]),
        (at(24), replace(at(12), has_company=True), [CREEPER]),  # it would go off among them
        (replace(at(0, 10), is_indoors=True), at(14), [ZOMBIE]),
        (replace(at(12), is_lit=True), at(14), [ZOMBIE]),
        (at(14), replace(at(7), is_lit=True), [ZOMBIE]),
        (replace(at(12), has_company=True), replace(at(12), is_lit=True), [ZOMBIE]),
        (replace(at(12), is_indoors=True), replace(at(12), is_lit=True), [ZOMBIE]),
        (replace(at(12), is_lit=True), at(14), [SPIDER]),
        (at(14, 0, 3), at(14), [ZOMBIE]),
        (at(14), at(13, 0, 3), [SPIDER]),
        (at(14), at(13, 0, 3), [SKELETON]),
        (replace(at(7), is_hidden=True), at(14), [SKELETON]),
        (at(14), replace(at(7), is_hidden=True), [ZOMBIE]),
        (replace(at(14), water="deep"), at(14), [ZOMBIE, foe("husk", 6)]),
        (at(7), replace(at(14), water="deep"), [ZOMBIE, foe("drowned", 6)]),
        (at(7), replace(at(14), water="deep"), [SKELETON]),
        (at(7), replace(at(14), water="shallow"), [ZOMBIE]),
    ],
)
def test_of_two_places_it_flees_to_the_better(
    better: Refuge, worse: Refuge, foes: list[MobSighting]
) -> None:
    assert worth(better, HERE, foes) > worth(worse, HERE, foes)


async def flees_to(bot: Bot, *foes: MobSighting) -> Position:
    to = await away_from(bot, await bot.snapshot(), foes, FLEE)
    assert to is not None
    return to


@pytest.mark.parametrize(("name", "is_sought"), [("Olga", True), ("Mallory", False)])
async def test_it_runs_to_whom_it_stands_by(
    rig: Rig, alice: Bot, name: str, is_sought: bool
) -> None:
    person = rig.world.person(name, replace(HERE, z=HERE.z + 13)).body.position
    to = await flees_to(alice, ZOMBIE)
    assert (to.distance_to(person) <= 8) == is_sought
    far = await flees_to(alice, replace(ZOMBIE, position=replace(HERE, z=HERE.z + 4)))
    assert far.distance_to(person) > 8, "the zombie is in between"


async def test_it_runs_into_a_house_with_a_door(rig: Rig, alice: Bot) -> None:
    house = list(product(range(6, 12), range(16, 22)))
    for x, z in house:
        rig.world.set_block(Position(x, 67, z), "oak_planks")
    for y, half in product((64, 65), house):
        if half[0] in (6, 11) or half[1] in (16, 21):
            rig.world.set_block(Position(half[0], y, half[1]), "oak_planks")
    for door in ("iron_door", "oak_door"):
        for y in (64, 65):
            rig.world.set_block(Position(8, y, 16), door)
        to = (await flees_to(alice, ZOMBIE)).block
        assert ((int(to.x), int(to.z)) in house) == (door == "oak_door")


@pytest.mark.parametrize("light", ["torch", "lantern", "campfire"])
async def test_it_runs_to_where_somebodys_light_is(rig: Rig, alice: Bot, light: str) -> None:
    lit = Position(HERE.x - 9, 64, HERE.z + 12)
    rig.world.set_block(lit.block, light)
    to = await flees_to(alice, ZOMBIE)
    assert (to.distance_to(lit) <= 6) == (light != "campfire")


async def test_behind_a_wall_it_is_out_of_a_skeletons_line(rig: Rig, alice: Bot) -> None:
    skeleton = foe("skeleton", 8)
    assert (await flees_to(alice, skeleton)).x < HERE.x - 12
    for x, y in product(range(3, 15), (64, 65, 66)):
        rig.world.set_block(Position(x, y, 14), "stone")
    assert (await flees_to(alice, skeleton)).z > 14


async def test_it_swims_from_what_does_not(rig: Rig, alice: Bot) -> None:
    for x, z, y in product(range(-8, 3), range(0, 18), (61, 62, 63)):
        rig.world.set_block(Position(x, y, z), "water")
    assert (await flees_to(alice, ZOMBIE)).y == 63
    assert (await flees_to(alice, foe("drowned"))).y == 64


async def test_far_from_any_shore_it_swims_out_of_a_shooters_range(rig: Rig, alice: Bot) -> None:
    for x, z, y in product(range(-20, 38), range(-20, 38), range(56, 64)):
        rig.world.set_block(Position(x, y, z), "water")
    rig.world.teleport("Alice", replace(HERE, y=62.4))
    skeleton = foe("skeleton", 10)
    to = await flees_to(alice, skeleton)
    assert (to.y, to.distance_to(skeleton.position) > 20) == (63, True)


async def test_it_climbs_no_tree(rig: Rig, alice: Bot) -> None:
    for x, z in product(range(-12, 2), range(0, 18)):
        rig.world.set_block(Position(x, 66, z), "oak_leaves")
    assert (await flees_to(alice, ZOMBIE)).y == 64


async def test_out_of_lava_it_takes_the_nearest_ground(rig: Rig, alice: Bot) -> None:
    for x, z, y in product(range(6, 11), range(6, 11), range(64, 69)):
        rig.world.set_block(Position(x, y, z), "lava")
    places = await out_of_harm(alice, await alice.snapshot(), {"lava"})
    assert places[0].distance_to(HERE) == 3


async def test_where_one_way_leads_nowhere_it_runs_the_next(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = actions_begun(rig, monkeypatch)
    rig.shared = replace(rig.shared, survival=SurvivalSettings(fight=False))
    await rig.bot("Alice", HERE)
    rig.world.held.add(PlayerName("Alice"))
    rig.world.summon("zombie", ZOMBIE.position)
    await rig.pass_time(20)
    assert len({action.position for action in begun if isinstance(action, MoveTo)}) > 3
