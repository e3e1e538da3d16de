"""What is most urgent, and whom a bot never strikes."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bots.reflexes.choosing import Reaction, Senses, choose
from bots.settings.world import SurvivalSettings
from bridge.world import (
    BotName,
    ItemStack,
    MobSighting,
    PlayerName,
    PlayerSighting,
    Position,
    WorldSnapshot,
)

ALL = SurvivalSettings()
HERE = Position(0.5, 64, 0.5)
NIGHT, DAY = 18_000, 6_000


def mob(kind: str, away: float = 4, number: int = 1, *, hostile: bool = True) -> MobSighting:
    return MobSighting(kind, replace(HERE, x=HERE.x + away), hostile, number)


def senses(
    *mobs: MobSighting,
    items: Iterable[str] = (),
    time: int = NIGHT,
    health: float = 20,
    food_points: float = 20,
    **facts: object,
) -> Senses:
    world = WorldSnapshot(
        bot=BotName("Alice"),
        version="1.16.5",
        position=HERE,
        yaw=0,
        pitch=0,
        dimension="overworld",
        game_mode="survival",
        health=health,
        food=food_points,
        time_of_day=time,
        spawn_point=HERE,
        held=None,
        items=tuple(ItemStack(name, 1) for name in items),
        free_slots=30,
        players=(),
        blocks=(),
        taken_at=datetime(2026, 1, 1, tzinfo=UTC),
        mobs=mobs,
    )
    return replace(Senses(world, frozenset(one.id for one in mobs)), **facts)  # type: ignore[arg-type]


SWORD = ("stone_sword",)
DARK = frozenset({"night"})
BOW = ("bow", "arrow")
FLED = frozenset({Reaction("flee", thing="zombie")})
STRUCK = frozenset({Reaction("fight", 1, "zombie")})
BACKED = frozenset({Reaction("back_away", thing="creeper"), Reaction("flee", thing="creeper")})
AFAR, NEAR_BY = replace(HERE, x=HERE.x + 30), replace(HERE, x=HERE.x + 15)


@pytest.mark.parametrize(
    ("felt", "kind"),
    [
        (senses(), None),
        (senses(harms=frozenset({"airless", "lava"})), "breathe"),
        (senses(mob("creeper"), harms=frozenset({"fire"})), "leave"),
        (senses(mob("zombie"), mob("creeper", 6, 2), items=SWORD), "back_away"),
        (senses(mob("zombie"), items=SWORD), "fight"),
        (senses(mob("zombie")), "flee"),
        (senses(mob("zombie"), way_out=False), "fight"),
        (senses(mob("zombie"), items=SWORD, food="bread", food_points=3), "fight"),
        (senses(mob("zombie"), food="bread", food_points=3), "flee"),
        (senses(mob("zombie"), food="bread", food_points=3, way_out=False, tried=STRUCK), "eat"),
        (senses(mob("zombie"), food="bread", food_points=3, tried=FLED | STRUCK), "eat"),
        (senses(mob("creeper"), food="bread", food_points=3, tried=BACKED), "eat"),
        (senses(food="bread", food_points=13), "eat"),
        (senses(food="bread", food_points=17), None),
        (senses(food="bread", food_points=17, health=12), "eat"),
        (senses(food="bread", food_points=18, health=12), None),
        (senses(food_points=3), None),
        (senses(mob("zombie", 14), items=("iron_helmet",)), "wear"),
        (senses(items=("iron_helmet",)), None),
        (senses(mob("zombie", 14)), None),
        (senses(mob("skeleton", 15)), "flee"),
        (senses(mob("skeleton", 20)), None),
        (senses(mob("skeleton", 20), struck_by=frozenset({"skeleton"})), "flee"),
        (senses(mob("zombie", 20), struck_by=frozenset({"zombie"})), None),
        (senses(mob("skeleton", 15), items=BOW), "shoot"),
        (senses(mob("skeleton", 11), items=BOW), "shoot"),
        (senses(mob("skeleton", 5), items=(*BOW, *SWORD)), "fight"),
        (senses(mob("skeleton", 11), items=BOW, health=14), "shoot"),
        (senses(mob("skeleton", 11), items=BOW, health=12), "flee"),
        (senses(mob("skeleton", 11), items=BOW, seen=frozenset()), None),
        (senses(mob("skeleton", 11), items=("bow",)), "flee"),
        (senses(mob("skeleton", 11), items=("arrow",)), "flee"),
        (senses(replace(mob("skeleton", 15), is_somebodys=True), items=BOW), "flee"),
        (senses(mob("creeper", 15), items=BOW), "shoot"),
        (senses(mob("creeper", 7), items=BOW), "back_away"),
        (senses(mob("creeper", 17), items=BOW), None),
        (senses(mob("creeper", 7), items=SWORD), "fight"),
        (senses(mob("creeper", 7), items=SWORD, health=14), "back_away"),
        (senses(mob("creeper", 7), items=("stone_axe",)), "back_away"),
        (senses(mob("creeper", 7), items=SWORD, way_out=False), "back_away"),
        (senses(mob("creeper", 7), mob("creeper", 8, 2), items=SWORD), "back_away"),
        (senses(replace(mob("creeper", 7), is_somebodys=True), items=SWORD), "back_away"),
        (senses(mob("zombie", 7), mob("skeleton", 11, 2), items=(*BOW, *SWORD)), "flee"),
        (senses(mob("zombie", 15), items=BOW), None),
        (senses(mob("zombie"), tried=FLED), "fight"),
        (senses(mob("zombie", 13), was_chased=True), "shelter"),
        (senses(mob("zombie", 9), was_chased=True), "flee"),
        (senses(mob("zombie", 13), mob("skeleton", 15, 2), was_chased=True), "flee"),
        (senses(mob("zombie", 3), was_chased=True), "flee"),
        (senses(mob("zombie", 7), was_chased=True, items=("iron_sword",)), "fight"),
        (senses(mob("zombie", 13), harms=DARK, may_rest=True), "flee"),
        (senses(mob("zombie", 13), harms=DARK, may_rest=True, items=("iron_sword",)), "fight"),
        (senses(harms=DARK, may_rest=True), "shelter"),
        (senses(harms=DARK, may_rest=True, bed=HERE), "sleep"),
        (senses(harms=DARK, may_rest=True, tried=frozenset({Reaction("shelter")})), None),
        (senses(harms=DARK), None),
        (senses(may_rest=True), None),
        (senses(mob("zombie"), harms=DARK, may_rest=True, items=SWORD), "fight"),
        (senses(harms=DARK, may_rest=True, is_sheltered=True), "stay"),
        (senses(harms=DARK, health=12, is_sheltered=True), "stay"),
        (senses(harms=DARK, health=18, is_sheltered=True), "come_out"),
        (senses(harms=DARK, health=12, is_sheltered=True, is_called=True), "come_out"),
        (senses(mob("zombie", 12), harms=DARK, is_sheltered=True), "stay"),
        (senses(mob("zombie", 12), is_sheltered=True, time=DAY), "come_out"),
        (senses(mob("skeleton", 12), is_sheltered=True, time=23_500), "stay"),
        (senses(mob("skeleton", 12), is_sheltered=True, time=500), "stay"),
        (senses(mob("skeleton", 12), is_sheltered=True, time=1_000), "come_out"),
        (senses(mob("skeleton", 12), is_sheltered=True, time=500, is_called=True), "come_out"),
        (senses(is_sheltered=True, time=500), "come_out"),
        (senses(mob("zombie", 3), is_sheltered=True, is_called=True), "stay"),
        (senses(mob("zombie", 3), is_sheltered=True, items=("iron_sword",)), "come_out"),
        (senses(may_rest=True, is_sheltered=True, time=DAY), "come_out"),
        (senses(may_rest=True, is_sheltered=True), "stay"),  # a night that was not told yet
        (senses(mob("zombie", 1), is_sheltered=True), "fight"),
        (senses(mob("zombie", 3), is_sheltered=True, food="bread", food_points=13), "eat"),
        (senses(mob("zombie", 1), is_sheltered=True, food="bread", food_points=13), "fight"),
        (senses(is_sheltered=True, works_below=True, food="bread", food_points=13), "eat"),
        (senses(harms=frozenset({"airless"}), is_sheltered=True), "breathe"),
        (senses(home=AFAR), "return"),
        (senses(lost_at=AFAR), "fetch"),
        (senses(mob("zombie", 14), lost_at=AFAR), None),
        (senses(harms=DARK, lost_at=AFAR), None),
        (senses(harms=DARK, lost_at=AFAR, may_rest=True), "shelter"),
        (senses(harms=DARK, lost_at=AFAR, may_rest=True, items=SWORD), "fetch"),
        (senses(harms=DARK, lost_at=AFAR, may_rest=True, items=SWORD, health=8), "shelter"),
        (senses(mob("zombie", -20), harms=DARK, lost_at=NEAR_BY), "fetch"),
        (senses(mob("zombie", 14), harms=DARK, lost_at=NEAR_BY, seen=frozenset()), None),
        (senses(mob("zombie", 28), harms=DARK, lost_at=NEAR_BY), None),
        (senses(harms=DARK, lost_at=NEAR_BY, may_rest=True, is_fetching=True), None),
        (senses(harms=DARK, lost_at=AFAR, may_rest=True, is_fetching=True), "shelter"),
        (senses(mob("skeleton", 40), home=AFAR), None),
    ],
)
def test_the_most_urgent_comes_first(felt: Senses, kind: str | None) -> None:
    reaction = choose(felt, ALL)
    assert (reaction and reaction.kind) == kind


def test_what_was_of_no_use_is_not_tried_again_at_once() -> None:
    felt = senses(mob("zombie"), mob("zombie", 5, 2), items=("diamond_sword",))
    first = choose(felt, ALL)
    assert first == Reaction("fight", 1, "zombie")
    assert choose(replace(felt, tried=frozenset({first})), ALL) == Reaction("fight", 2, "zombie")


BOB = PlayerName("Bob")


def with_bob(felt: Senses, away: float, *, in_need: bool = True) -> Senses:
    bob = PlayerSighting(BOB, replace(HERE, x=HERE.x + away))
    need = frozenset({BOB}) if in_need else frozenset[PlayerName]()
    return replace(felt, world=replace(felt.world, players=(bob,)), in_need=need)


HELPED = Reaction("help", 1, "zombie")


@pytest.mark.parametrize(
    ("felt", "reaction"),
    [
        (with_bob(senses(mob("zombie", 12), items=SWORD), 11), HELPED),
        (with_bob(senses(mob("zombie", 12)), 11), HELPED),  # he draws half of the blows
        (with_bob(senses(mob("zombie", 12), health=12), 11), None),
        (with_bob(senses(mob("zombie", 12), items=SWORD), 11, in_need=False), None),
        (with_bob(senses(mob("zombie", 18), items=SWORD), 15), None),
        (with_bob(senses(mob("zombie", 14), items=SWORD), 2), None),
        (with_bob(senses(mob("zombie", 12), mob("creeper", 13, 2), items=SWORD), 11), None),
        (with_bob(senses(mob("zombie", 12), *map(mob, ["spider"] * 5, [13] * 5)), 11), None),
        (with_bob(senses(mob("enderman", 12), items=("netherite_sword",)), 11), None),
        (with_bob(senses(mob("wolf", 12, hostile=False), items=SWORD), 11), None),
        (with_bob(senses(replace(mob("zombie", 12), is_somebodys=True), items=SWORD), 11), None),
        (
            with_bob(senses(mob("zombie", 12), items=SWORD, food="bread", food_points=3), 11),
            Reaction("eat", thing="bread"),
        ),
        (
            with_bob(senses(mob("zombie", 12), mob("creeper", 5, 2), items=SWORD), 11),
            Reaction("fight", 2, "creeper"),
        ),
    ],
)
def test_a_fellow_who_is_hurt_is_helped_if_together_they_win(
    felt: Senses, reaction: Reaction | None
) -> None:
    assert choose(felt, ALL) == reaction


def test_with_a_fellow_beside_it_stands_its_ground() -> None:
    alone = senses(mob("zombie"))
    assert choose(alone, ALL) == Reaction("flee", thing="zombie")
    assert choose(replace(alone, beside=1), ALL) == Reaction("fight", 1, "zombie")


@pytest.mark.parametrize(
    ("kind", "time", "struck", "is_struck_back"),
    [
        ("enderman", NIGHT, False, False),
        ("enderman", NIGHT, True, True),
        ("zombified_piglin", NIGHT, False, False),
        ("piglin", NIGHT, False, False),
        ("spider", DAY, False, False),
        ("spider", NIGHT, False, True),
        ("spider", DAY, True, True),
        ("zombie", DAY, False, True),
    ],
)
def test_neutral_ones_are_struck_only_when_they_struck(
    kind: str, time: int, struck: bool, is_struck_back: bool
) -> None:
    by = frozenset({kind}) if struck else frozenset[str]()
    felt = senses(mob(kind), items=("netherite_sword",), time=time, struck_by=by)
    reaction = choose(felt, SurvivalSettings(flee=False))
    assert (reaction is not None and reaction.kind == "fight") == is_struck_back


@pytest.mark.parametrize("kind", ["villager", "snow_golem", "cat", "horse", "cow", "parrot"])
def test_what_strikes_nobody_is_never_struck(kind: str) -> None:
    felt = senses(mob(kind, 2, hostile=False), items=SWORD, struck_by=frozenset({kind}))
    assert choose(felt, ALL) is None


def beast(kind: str, *, is_somebodys: bool = False, young: bool = False) -> MobSighting:
    at = mob(kind, 2, hostile=False)
    return replace(at, is_somebodys=is_somebodys, young=young)


@pytest.mark.parametrize(
    ("beasts", "reaction"),
    [
        ([beast("wolf")], "flee"),  # it may be tamed
        ([beast("llama")], "flee"),
        ([beast("iron_golem")], "flee"),
        ([beast("bee")], "fight"),
        ([beast("bee")] * 5, "flee"),
        ([beast("polar_bear")], "fight"),
        ([beast("bee", is_somebodys=True)], "flee"),
        ([beast("polar_bear", young=True)], None),
    ],
)
def test_a_beast_is_minded_once_it_struck(beasts: list[MobSighting], reaction: str | None) -> None:
    felt = senses(*beasts, items=("diamond_sword",))
    assert choose(felt, ALL) is None
    struck = choose(replace(felt, struck_by=frozenset({beasts[0].name})), ALL)
    assert (struck and struck.kind) == reaction


@pytest.mark.parametrize("kind", ["wolf", "llama", "iron_golem"])
def test_a_beast_that_may_be_somebodys_is_not_struck_without_a_way_out_either(kind: str) -> None:
    by = frozenset({kind})
    assert choose(senses(beast(kind), items=SWORD, struck_by=by, way_out=False), ALL) is None


def test_a_monster_with_a_name_is_fled_from_but_not_struck() -> None:
    pet = replace(mob("zombie"), is_somebodys=True)
    assert choose(senses(pet, items=SWORD), ALL) == Reaction("flee", thing="zombie")
    wild = mob("zombie", 6, 2)
    assert choose(senses(pet, wild, items=("netherite_sword",)), ALL) == Reaction(
        "fight", 2, "zombie"
    )


@pytest.mark.parametrize(
    "spared",
    [
        replace(mob("zombie", 1), is_somebodys=True),
        mob("enderman", 1),
        mob("zombified_piglin", 1),
    ],
)
def test_what_is_spared_outside_is_spared_in_its_hole(spared: MobSighting) -> None:
    hole = senses(spared, items=SWORD, is_sheltered=True, time=DAY)
    reaction = choose(hole, ALL)
    assert reaction is None or reaction.kind != "fight"
    if not spared.is_somebodys:
        struck = replace(hole, struck_by=frozenset({spared.name}))
        assert choose(struck, ALL) == Reaction("fight", spared.id, spared.name)


def test_without_a_way_out_what_is_somebodys_is_not_struck_either() -> None:
    pet = replace(mob("zombie"), is_somebodys=True)
    assert choose(senses(pet, items=SWORD, way_out=False), ALL) is None


def test_a_player_is_never_struck_but_stepped_back_from() -> None:
    assert choose(senses(items=SWORD, player="Steve"), ALL) == Reaction("step_back", thing="Steve")


def test_what_is_behind_a_wall_or_in_a_cave_is_left_alone() -> None:
    zombie = mob("zombie")
    assert choose(replace(senses(zombie, items=SWORD), seen=frozenset()), ALL) is None
    below = replace(zombie, position=replace(zombie.position, y=58))
    assert choose(senses(below, items=SWORD), ALL) is None


def test_what_stands_up_or_down_a_slope_is_minded() -> None:
    for up in (5, -5):
        above = replace(mob("zombie"), position=replace(HERE, x=HERE.x + 6, y=HERE.y + up))
        assert choose(senses(above, items=SWORD), ALL) == Reaction("fight", above.id, "zombie")


@pytest.mark.parametrize(
    ("setting", "felt"),
    [
        ("escape", senses(harms=frozenset({"lava"}))),
        ("fight", senses(mob("zombie"), items=SWORD, way_out=False)),
        ("help", with_bob(senses(mob("zombie", 12), items=SWORD), 11)),
        ("flee", senses(mob("creeper"))),
        ("step_back", senses(player="Steve")),
        ("eat", senses(food="bread", food_points=2)),
        ("wear", senses(mob("zombie", 14), items=("iron_boots",))),
        ("shelter", senses(harms=DARK, may_rest=True)),
    ],
)
def test_each_reflex_can_be_turned_off(setting: str, felt: Senses) -> None:
    assert choose(felt, ALL) is not None
    assert choose(felt, SurvivalSettings.model_validate({setting: False})) is None


def test_who_may_not_sleep_digs_in() -> None:
    felt = senses(harms=DARK, may_rest=True, bed=HERE)
    assert choose(felt, SurvivalSettings(sleep=False)) == Reaction("shelter")


def test_worse_armour_is_not_worn() -> None:
    felt = senses(mob("zombie", 14), items=("leather_helmet", "diamond_helmet", "shield"))
    assert choose(felt, ALL) == Reaction("wear", thing="diamond_helmet")
    worn = replace(felt, world=replace(felt.world, worn=("diamond_helmet",)))
    assert choose(worn, ALL) == Reaction("wear", thing="shield")
    all_on = replace(felt, world=replace(felt.world, worn=("diamond_helmet", "shield")))
    assert choose(all_on, ALL) is None


WATER = frozenset({1})


@pytest.mark.parametrize(
    ("felt", "kind"),
    [
        (senses(mob("drowned", 6), items=SWORD), "fight"),
        (senses(mob("drowned", 6), items=SWORD, swimming=WATER), "flee"),
        (senses(mob("drowned", 6), items=SWORD, swimming=WATER, is_wet=True), "flee"),
        (senses(mob("drowned", 6), items=SWORD, swimming=WATER, is_wet=True, time=DAY), "flee"),
        (senses(mob("drowned", 6), items=SWORD, swimming=WATER, time=DAY), None),
        (senses(mob("drowned", 6), items=SWORD, swimming=WATER, way_out=False), "fight"),
        (
            senses(
                mob("drowned", 6),
                items=SWORD,
                swimming=WATER,
                time=DAY,
                struck_by=frozenset({"drowned"}),
            ),
            "flee",
        ),
        (senses(mob("zombie"), harms=frozenset({"buried", "airless"})), "dig_out"),
    ],
)
def test_a_drowned_is_met_on_land_alone(felt: Senses, kind: str | None) -> None:
    reaction = choose(felt, ALL)
    assert (reaction and reaction.kind) == kind
