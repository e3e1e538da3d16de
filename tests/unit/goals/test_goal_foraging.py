"""What animals give: planned as a mean, hunted until enough is carried, and explained."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from support.acting import GROUND, carried, put
from support.goal_runs import HERE, reach, traced
from support.plans_told import told
from support.rig import Rig

from bots.goals.activity import Activity, Domain
from bots.goals.domain.building import foraging
from bots.goals.explain.tree import sentence
from bots.goals.goal import EquipmentGoal, ItemGoal
from bots.goals.offline import OfflinePlanner
from bots.goals.plan import Plan, Step
from bots.goals.runner.recovery import due_of
from bots.skills.hunting import kind_of
from bridge.catalogue import BlockFacts
from bridge.world import MobSighting, Position

ITEMS = frozenset(
    {
        *("beef", "leather", "mutton", "white_wool", "black_wool", "chicken", "feather"),
        *("rabbit", "rabbit_hide", "shears", "bone", "arrow", "stone_sword", "coal"),
        *("bucket", "water_bucket", "milk_bucket", "flint", "gravel", "apple", "oak_sapling"),
        *("wooden_shovel", "wooden_hoe", "wheat_seeds", "wheat"),
        *("fishing_rod", "cod", "salmon", "egg"),
    }
)


def block(name: str, hardness: float, **speeds: float) -> BlockFacts:
    return BlockFacts(name, hardness, None, speeds, ())


BLOCKS = {
    "water": block("water", 100.0),
    "grass_block": block("grass_block", 0.6),
    "gravel": block("gravel", 0.6, wooden_shovel=2.0),
    "oak_leaves": block("oak_leaves", 0.2, wooden_hoe=2.0, shears=15.0),
}
WAYS = foraging(BLOCKS, ITEMS)
FARM = Domain("farm", ITEMS, frozenset(BLOCKS), (), {}, {}, {"coal": 32}, {}, foraging=WAYS)


def asked(goal: str, near: Mapping[str, Any], held: Mapping[str, int] | None = None) -> Plan:
    farmer = OfflinePlanner(lambda version: FARM)
    return farmer.answer(goal, {"nearby": near, "inventory": held or {}})


def counts(items: str) -> dict[str, int]:
    """`2 sheep, 1 cow` as a mapping."""
    words = (item.split() for item in items.split(", ") if item)
    return {name: int(count) for count, name in words}


# --- planning ---------------------------------------------------------------------------


NO_WAY = "none is held, and nothing that can be dug, crafted or smelted gives it"
NO_WATER = "fished with a fishing_rod, about 44 s for one; no water is near"


@pytest.mark.parametrize(
    ("goal", "near", "held", "plan"),
    [
        # As many animals as give enough on average.
        ("leather:3 inventory.beef:2", "5 cow", "", "hunt about 3 cow -> 6 beef, 3 leather"),
        ("rabbit_hide:2", "4 rabbit", "", "hunt about 4 rabbit -> 2 rabbit, 2 rabbit_hide"),
        ("rabbit_hide:2", "3 rabbit", "", "1 of 2 rabbit_hide: there is no more than 1 here"),
        # Who has shears shears, and only sheep of the colour give wool of it.
        ("white_wool:2", "2 sheep", "1 shears", "shear about 1 sheep with shears -> 2 white_wool"),
        ("black_wool:1", "2 sheep, 1 shorn_sheep", "",
         "0 of 1 black_wool: 1 per black_sheep, about 5 s; no black_sheep is near"),
        ("black_wool:1", "2 sheep, 1 black_sheep", "",
         "hunt about 1 black_sheep -> 1 black_wool, 1 mutton"),
        # An impossible goal names the animal and the work, and no tool that is not held.
        ("leather:2", "", "", "0 of 2 leather: 1 per cow, about 5 s; no cow is near"),
        ("flint:1", "4 gravel", "", "0 of 1 flint: 1 per 10 gravel, about 19 s; only 4 near"),
        ("flint:1", "4 gravel", "1 wooden_shovel",
         "0 of 1 flint: 1 per 10 gravel with wooden_shovel, about 14 s; only 4 near"),
        ("egg:2", "", "", "0 of 2 egg: 1 per chicken in some 8 min; no chicken is near"),
        # A monster is met with a sword alone.
        ("bone:1", "2 skeleton", "", f"0 of 1 stone_sword: {NO_WAY}"),
        ("bone:1", "2 skeleton", "1 stone_sword",
         "hunt about 1 skeleton with stone_sword -> 1 arrow, 1 bone"),
        # One cow fills any number of buckets; a bucket filled uses up the water.
        ("milk_bucket:3", "1 cow", "3 bucket", "milk 3 cow of 3 bucket -> 3 milk_bucket"),
        ("water_bucket:1", "1 water", "2 bucket", "fill 1 water of 1 bucket -> 1 water_bucket"),
        ("water_bucket:2", "1 water", "2 bucket",
         "1 of 2 water_bucket: there is no more than 1 here"),
        # What drops by chance takes as many blocks as on average; a tool is used where it pays.
        ("flint:2", "20 gravel", "", "search about 20 gravel -> 2 flint"),
        ("flint:3", "29 gravel", "", "2 of 3 flint: there is no more than 2 here"),
        ("flint:1", "20 gravel", "1 wooden_shovel",
         "search about 10 gravel with wooden_shovel -> 1 flint"),
        ("apple:1", "300 oak_leaves", "1 wooden_hoe", "search about 200 oak_leaves -> 1 apple"),
        # One pond gives any number of fish, to who has a rod and knows of it.
        ("cod:9", "1 water", "1 fishing_rod", "fish about 9 water with fishing_rod -> 9 cod"),
        ("cod:2", "9 water", "", f"0 of 1 fishing_rod: {NO_WAY}"),
        ("cod:2", "", "1 fishing_rod", f"0 of 2 cod: {NO_WATER}"),
    ],
)  # fmt: skip
def test_what_the_country_gives_is_planned_by_what_it_gives_on_average(
    goal: str, near: str, held: str, plan: str
) -> None:
    assert told(asked(f"inventory.{goal}", counts(near), counts(held))) == plan


def test_the_nearer_and_closer_herd_costs_less() -> None:
    near = asked("inventory.beef:4", {"cow": {"count": 3, "distance": 10, "apart": 2}})
    far = asked("inventory.beef:4", {"cow": {"count": 3, "distance": 50, "apart": 20}})
    assert near.cost_s < far.cost_s


def test_wool_and_beds_lack_sheep_rather_than_string() -> None:
    knitted = Activity("craft", "white_wool", {"white_wool": 1}, {"string": 4})
    bed = Activity("craft", "white_bed", {"white_bed": 1}, {"white_wool": 3})
    cobweb = (Activity("gather", "cobweb", {"string": 1}, tool="stone_sword"),)
    farm = replace(FARM, items=ITEMS | {"string", "white_bed"}, making=(knitted, bed))
    farm = replace(farm, blocks=farm.blocks | {"cobweb"}, digging={"cobweb": cobweb})
    answer = OfflinePlanner(lambda version: farm).answer("inventory.white_bed:1", {})
    (missing,) = answer.missing
    assert (missing.item, missing.need) == ("white_wool", 3)
    assert missing.why == "1 per sheep, about 5 s; no sheep is near"


def test_too_few_animals_are_told_and_what_they_would_give() -> None:
    plan = asked("inventory.leather:5", {"cow": 3})
    (missing,) = plan.missing
    assert (missing.item, missing.need, missing.have) == ("leather", 5, 3)
    assert plan.nearest == "inventory.leather:3"


def test_leaves_give_saplings_sooner_than_apples() -> None:
    plan = asked("inventory.oak_sapling:1", {"oak_leaves": 300})
    assert plan.steps[0].count == 20
    assert plan.cost_s < asked("inventory.apple:1", {"oak_leaves": 300}).cost_s


def test_what_is_sown_takes_a_hoe_and_the_time_to_grow_once() -> None:
    held = {"wooden_hoe": 1, "wheat_seeds": 9}
    one, nine = (asked(f"inventory.wheat:{n}", {"grass_block": 20}, held) for n in (1, 9))
    (step,) = nine.steps
    assert (step.action, step.count, step.tool) == ("grow", 9, "wooden_hoe")
    assert (step.consumes, step.produces) == ({"wheat_seeds": 9}, {"wheat": 9})
    assert one.cost_s > 1_800
    assert nine.cost_s < 1.1 * one.cost_s


def test_fish_take_as_many_catches_as_they_do_on_average() -> None:
    held = {"fishing_rod": 1}
    cod, salmon = (asked(f"inventory.{fish}:1", {"water": 1}, held) for fish in ("cod", "salmon"))
    (step,) = cod.steps
    assert (step.action, step.target, step.count, step.tool) == ("fish", "water", 1, "fishing_rod")
    assert (step.produces, step.about, sentence(step)) == (
        {"cod": 1},
        True,
        "fish about 1 cod with a fishing_rod",
    )
    assert 40 < cod.cost_s < 60 < 100 < salmon.cost_s < 130


def test_the_more_hens_the_sooner_there_are_eggs() -> None:
    one, three = (asked("inventory.egg:2", {"chicken": hens}) for hens in (1, 3))
    (step,) = one.steps
    assert (step.action, step.target, step.count, step.about) == ("await", "chicken", 2, True)
    assert sentence(step) == "wait beside a chicken for about 2 egg"
    assert 900 < one.cost_s < 920
    assert 300 < three.cost_s < 320


def test_eggs_that_lie_about_come_first() -> None:
    plan = asked("inventory.egg:3", {"chicken": 1, "lying_egg": 2})
    assert {(step.action, step.count) for step in plan.steps} == {("pick_up", 2), ("await", 1)}
    assert asked("inventory.egg:2", {"lying_egg": 2}).cost_s < 10


# --- what is due of a step --------------------------------------------------------------

HUNT = Step("hunt", "cow", 3, produces={"beef": 6, "leather": 3}, about=True)


def test_only_what_is_needed_at_the_end_and_not_carried_is_due() -> None:
    goals = (ItemGoal("leather", 3),)
    assert due_of(HUNT, (), goals, {"leather": 1, "stick": 2}) == {"leather": 2}


def test_what_later_steps_take_is_due_as_well() -> None:
    cook = Step("smelt", "cooked_beef", 2, consumes={"beef": 2, "coal": 1})
    sew = Step("craft", "leather_boots", 1, consumes={"leather": 3}, produces={"leather_boots": 1})
    goals = (EquipmentGoal("leather_boots"), ItemGoal("cooked_beef", 2))
    assert due_of(HUNT, (cook, sew), goals, {}) == {"beef": 2, "leather": 3}


# --- doing ------------------------------------------------------------------------------


def graze(rig: Rig, *kinds: str) -> None:
    for kind in kinds:
        number = len(rig.world.mobs) + 1
        coat = "white" if kind == "sheep" else None
        at = Position(HERE.x + 2.0 * number, GROUND, HERE.z)
        rig.world.mobs.append(MobSighting(kind, at, hostile=False, id=number, coat=coat))


@pytest.fixture
async def farm(rig: Rig) -> Rig:
    await rig.bot("Alice", HERE)
    return rig


async def test_animals_are_hunted_until_enough_is_carried(farm: Rig) -> None:
    graze(farm, "cow", "pig", "cow", "cow")
    result = await reach(farm, "inventory.leather:2")
    assert result["success"] is True, result
    assert carried(farm) == {"leather": 2, "beef": 4}
    assert [mob.name for mob in farm.world.mobs] == ["pig", "cow"]
    (planned,) = traced(farm, "goal.planned")
    assert planned["steps"] == ["hunt 2 cow"]


@pytest.mark.parametrize("spared", ["young", "is_somebodys"])
async def test_young_animals_and_those_of_others_are_left_alone(farm: Rig, spared: str) -> None:
    at = Position(11.5, GROUND, 8.5)
    cow = farm.world.summon("cow", at, hostile=False, **{spared: True})
    result = await reach(farm, "inventory.leather:1")
    assert (result["success"], farm.world.mobs) == (False, [cow])
    assert "no cow within 12 blocks" in result["message"]


def ring(number: int) -> list[tuple[int, int, int]]:
    """All around the animal of this number."""
    x, z = int(HERE.x) + 2 * number, int(HERE.z)
    return [(x + dx, GROUND, z + dz) for dx in (-1, 0, 1) for dz in (-1, 0, 1) if dx or dz]


def pen(rig: Rig, number: int, gap: int = 0) -> None:
    """Cobblestone around an animal, but for some of its blocks."""
    put(rig, "cobblestone", *ring(number)[gap:])


async def test_animals_in_a_pen_are_no_game(farm: Rig) -> None:
    graze(farm, "cow", "cow", "cow")
    pen(farm, 2)
    result = await reach(farm, "inventory.leather:3")
    assert (result["success"], len(farm.world.mobs)) == (False, 3)
    assert (await reach(farm, "inventory.leather:2"))["success"] is True
    assert [mob.id for mob in farm.world.mobs] == [2]


async def test_animals_behind_earth_that_somebody_heaped_up_are_no_game(farm: Rig) -> None:
    graze(farm, "cow", "cow")
    put(farm, "dirt", *ring(1))
    seen = farm.bots["Alice"].placements
    for cell in ring(1):
        await seen.seen("dirt", Position(*cell), "overworld")
    result = await reach(farm, "inventory.leather:2")
    assert (result["success"], len(farm.world.mobs)) == (False, 2)


async def test_an_egg_in_somebodys_pen_is_left(farm: Rig) -> None:
    pen(farm, 2)
    x = HERE.x + 4
    farm.world.terrain().drop("egg", 1, Position(x, GROUND, HERE.z))
    farm.world.terrain().drop("egg", 1, Position(4.5, GROUND, 12.5))
    assert (await reach(farm, "inventory.egg:2"))["success"] is False
    assert (await reach(farm, "inventory.egg:1"))["success"] is True
    (left,) = farm.world.terrain().drops
    assert left.position.x == x


async def test_a_fence_with_a_gap_makes_no_pen(farm: Rig) -> None:
    graze(farm, "cow", "cow")
    pen(farm, 2, gap=2)
    assert (await reach(farm, "inventory.leather:2"))["success"] is True


async def test_a_bucket_is_filled_from_open_water(farm: Rig) -> None:
    put(farm, "water", (14, GROUND - 1, 8), (10, GROUND - 3, 8))
    farm.world.give("Alice", "bucket", 2)
    result = await reach(farm, "inventory.water_bucket:1 inventory.bucket:1")
    assert result["success"] is True, result
    assert carried(farm) == {"bucket": 1, "water_bucket": 1}


def pond(rig: Rig) -> None:
    put(rig, "water", *((x, GROUND - 1, z) for x in range(12, 17) for z in range(6, 11)))


async def test_fish_are_caught_until_enough_is_carried(farm: Rig) -> None:
    pond(farm)
    farm.world.give("Alice", "fishing_rod")
    result = await reach(farm, "inventory.cod:2")
    assert result["success"] is True, result
    assert carried(farm) == {"fishing_rod": 1, "cod": 2, "salmon": 1}
    (planned,) = traced(farm, "goal.planned")
    assert planned["steps"] == ["fish 2 cod"]


async def test_a_rod_is_made_where_there_is_string(farm: Rig) -> None:
    pond(farm)
    for item, count in (("stick", 3), ("string", 2), ("crafting_table", 1)):
        farm.world.give("Alice", item, count)
    result = await reach(farm, "inventory.cod:1")
    assert result["success"] is True, result
    assert carried(farm)["cod"] == 1


async def test_nobody_fishes_under_a_roof_of_stone(farm: Rig) -> None:
    put(farm, "water", (12, GROUND - 2, 8), (13, GROUND - 2, 8))
    farm.world.give("Alice", "fishing_rod")
    result = await reach(farm, "inventory.cod:1")
    assert result["success"] is False
    assert "open water" in result["message"]


@pytest.mark.slow
async def test_eggs_are_picked_up_and_then_waited_for(farm: Rig) -> None:
    graze(farm, "chicken", "pig")
    farm.world.terrain().drop("egg", 1, Position(4.5, GROUND, 12.5))
    result = await reach(farm, "inventory.egg:2")
    assert result["success"] is True, result
    assert (carried(farm), len(farm.world.mobs)) == ({"egg": 2}, 2)
    (planned,) = traced(farm, "goal.planned")
    assert sorted(planned["steps"]) == ["await 1 egg", "pick_up 1 egg"]


@pytest.mark.slow
async def test_an_egg_behind_walls_is_left_where_it_is(farm: Rig) -> None:
    graze(farm, "chicken")
    put(farm, "stone", *((x, y, z) for x in (3, 4, 5) for y in (64, 65) for z in (11, 12, 13)))
    put(farm, "air", (4, GROUND, 12), (4, GROUND + 1, 12))
    put(farm, "stone", (4, GROUND + 2, 12))
    farm.world.terrain().drop("egg", 1, Position(4.5, GROUND, 12.5))
    result = await reach(farm, "inventory.egg:1")
    assert result["success"] is True, result
    assert carried(farm) == {"egg": 1}
    assert len(farm.world.terrain().drops_within(HERE, 12)) == 1


async def test_wheat_is_sown_beside_water_and_reaped(farm: Rig) -> None:
    put(farm, "water", (14, GROUND - 1, 8))
    farm.world.give("Alice", "wooden_hoe")
    farm.world.give("Alice", "wheat_seeds", 4)
    result = await reach(farm, "inventory.wheat:3")
    assert result["success"] is True, result
    assert carried(farm)["wheat"] == 3
    tilled = [at for at, name in farm.world.terrain().changes if name == "farmland"]
    assert len(tilled) == 3
    assert all(abs(at.x - 14) <= 4 and abs(at.z - 8) <= 4 for at in tilled)


async def test_milk_is_had_of_a_cow_that_lives(farm: Rig) -> None:
    graze(farm, "pig", "cow")
    farm.world.give("Alice", "bucket")
    result = await reach(farm, "inventory.milk_bucket:1")
    assert result["success"] is True, result
    assert (carried(farm), len(farm.world.mobs)) == ({"milk_bucket": 1}, 2)


async def test_a_shorn_sheep_lives(farm: Rig) -> None:
    graze(farm, "sheep", "sheep")
    farm.world.give("Alice", "shears")
    result = await reach(farm, "inventory.white_wool:3")
    assert result["success"] is True, result
    assert carried(farm) == {"shears": 1, "white_wool": 4}
    assert [mob.coat for mob in farm.world.mobs] == [None, None]


@pytest.mark.parametrize(
    ("coat", "kind"), [(None, "shorn_sheep"), ("white", "sheep"), ("black", "black_sheep")]
)
def test_a_sheep_is_called_by_the_wool_it_has(coat: str | None, kind: str) -> None:
    assert kind_of(MobSighting("sheep", HERE, hostile=False, coat=coat)) == kind


def test_seeds_are_in_the_plant_and_not_in_the_ground_that_has_its_name_up_to_1_12() -> None:
    old = {name: block(name, hardness=0.0) for name in ("grass", "tallgrass")}
    new = {name: block(name, hardness=0.0) for name in ("grass", "grass_block")}
    assert {*foraging(old, ITEMS)} & {*old} == {"tallgrass"}
    assert {*foraging(new, ITEMS)} & {*new} >= {"grass"}


def test_up_to_1_12_saplings_and_apples_fall_from_leaves_by_chance() -> None:
    old = {"leaves": block("leaves", hardness=0.2)}
    found = foraging(old, ITEMS | {"sapling", "apple"})["leaves"]
    assert {item for way in found for item in way.produces} == {"apple", "sapling"}
    assert {way.kind for way in found} == {"search"}
