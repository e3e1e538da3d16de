"""Whether a fight is taken on."""

import pytest

from bots.skills.reckoning import (
    MONSTERS,
    Fighter,
    Verdict,
    armour_of,
    best_weapon,
    blow,
    hits_and_runs,
    loss,
    points,
    reckon,
)
from bridge.vanilla import Blow
from bridge.world import Difficulty

IRON = ("iron_helmet", "iron_chestplate", "iron_leggings", "iron_boots")
Z, SK, SP = "zombie", "skeleton", "spider"


@pytest.mark.parametrize(
    ("health", "weapon", "worn", "foes", "verdict"),
    [
        (20, "wooden_sword", (), [Z], "fight"),
        (20, "iron_sword", (), [Z, Z], "fight"),
        (20, None, (), [Z], "flee"),
        (20, None, (), ["silverfish"], "fight"),
        (10, "stone_sword", (), [SP], "fight"),
        (6, "stone_sword", (), [SP], "flee"),
        (20, "wooden_sword", (), [Z, Z, Z], "flee"),
        (20, "diamond_sword", IRON, [Z, Z, Z], "fight"),
        (20, "stone_axe", (), [Z], "fight"),
        (20, "stone_pickaxe", (), [Z], "fight"),
        (18, "wooden_pickaxe", (), [Z], "flee"),
        (20, "stone_hoe", (), [Z], "flee"),  # deals what the hand does
        (20, "stone_sword", (), [SK], "fight"),
        (20, "stone_sword", (), [SK, SK], "flee"),
        (20, "iron_sword", IRON, [SK, SK], "fight"),
        (16, "bow", (), [SK], "fight"),  # it shoots from where it stands: 3.6 s
        (12, "bow", (), [SK], "flee"),
        (20, "bow", (), [SK, SK], "flee"),
        (20, "stone_sword", ("shield",), [SK, SK], "fight"),
        (20, "iron_sword", IRON, ["creeper"], "flee"),
        (20, "iron_sword", IRON, ["warden"], "flee"),
        (20, "iron_sword", (), ["enderman"], "flee"),
        (20, "iron_sword", IRON, ["a_monster_of_a_mod"], "flee"),
        (20, "wooden_sword", (), [], "fight"),
    ],
)
def test_a_fight_is_taken_on_where_enough_health_is_left(
    health: float, weapon: str | None, worn: tuple[str, ...], foes: list[str], verdict: Verdict
) -> None:
    assert reckon(Fighter(health, worn, weapon), foes) == verdict


@pytest.mark.parametrize(
    ("health", "weapon", "worn", "dares"),
    [
        (20, "wooden_sword", (), True),
        (15, "iron_sword", (), True),
        (14, "iron_sword", (), False),
        (12, "iron_sword", IRON, True),
        (20, "diamond_axe", IRON, False),
        (20, None, IRON, False),
    ],
)
def test_a_creeper_is_struck_with_a_sword_and_health_for_a_blast(
    health: float, weapon: str | None, worn: tuple[str, ...], dares: bool
) -> None:
    assert hits_and_runs(Fighter(health, worn, weapon)) is dares


@pytest.mark.parametrize(
    ("health", "weapon", "foes", "easy", "normal", "hard"),
    [
        (20, "stone_sword", [Z], "fight", "fight", "fight"),
        (20, "iron_sword", [Z, Z], "fight", "fight", "flee"),
        (10, "stone_sword", [Z], "fight", "fight", "flee"),
        (8.5, "stone_sword", [Z], "fight", "flee", "flee"),
        (20, None, [Z], "fight", "flee", "flee"),
        (20, "diamond_sword", [SK, SK], "fight", "flee", "flee"),
        (5.8, "stone_sword", ["silverfish"], "fight", "fight", "flee"),  # easy: no more than normal
    ],
)
def test_the_difficulty_of_the_world_is_reckoned_with(
    health: float, weapon: str | None, foes: list[str], easy: str, normal: str, hard: str
) -> None:
    levels: tuple[Difficulty, ...] = ("easy", "normal", "hard")
    found = [reckon(Fighter(health, (), weapon, level), foes) for level in levels]
    assert found == [easy, normal, hard]


@pytest.mark.parametrize(("level", "least"), [("easy", 11), ("normal", 15), ("hard", 20)])
def test_a_creeper_is_struck_with_health_for_a_blast_of_the_difficulty(
    level: Difficulty, least: float
) -> None:
    for health, dares in ((least, True), (least - 1, False)):
        assert hits_and_runs(Fighter(health, (), "iron_sword", level)) is dares


def test_without_a_way_out_it_fights() -> None:
    assert reckon(Fighter(2), ["warden"], way_out=False) == "fight"


@pytest.mark.parametrize("foe", sorted(MONSTERS))
def test_armour_shield_weapon_and_fewer_foes_never_cost_more(foe: str) -> None:
    bare = loss(Fighter(20), [foe])
    assert loss(Fighter(20, IRON), [foe]) < bare
    assert loss(Fighter(20, ("shield",)), [foe]) < bare
    assert loss(Fighter(20, weapon="stone_sword"), [foe]) < bare
    assert bare < loss(Fighter(20), [foe, foe])


def test_armour_counts_by_material_and_piece() -> None:
    assert points(IRON) == 15
    assert points((*IRON, "shield", "carved_pumpkin")) == 15
    assert [armour_of(name) for name in ("turtle_helmet", "leather_boots", "bread")] == [2, 1, 0]


def test_the_best_weapon_deals_most_in_the_same_time() -> None:
    assert best_weapon(["stone_sword", "stone_axe", "wooden_sword"]) == "stone_sword"
    assert best_weapon(["stone_sword", "iron_axe"]) == "iron_axe"
    assert best_weapon(["iron_axe", "iron_pickaxe", "bread"]) == "iron_axe"
    assert best_weapon(["wooden_axe", "diamond_shovel", "trident"]) == "trident"
    assert best_weapon(["stone_pickaxe", "wooden_shovel"]) == "stone_pickaxe"
    assert best_weapon(["stone_pickaxe", "wooden_shovel"], spares_tools=True) is None
    assert best_weapon(["stick", "diamond_hoe"]) is None


# Damage and blows a second: github.com/kernitus/BukkitOldCombatMechanics (ToolDamage) and
# minecraft.wiki/w/Melee_attack. A creature is hurt again after 10 ticks at the soonest.
@pytest.mark.parametrize(
    ("item", "damage", "pause_s"),
    [
        (None, 1, 0.55),
        ("stick", 1, 0.55),
        ("iron_sword", 6, 0.65),
        ("stone_axe", 9, 1.3),
        ("golden_axe", 7, 1.05),
        ("iron_pickaxe", 4, 0.9),
        ("netherite_shovel", 6.5, 1.05),
        ("diamond_hoe", 1, 0.55),
        ("trident", 9, 0.95),
    ],
)
def test_a_blow_is_that_of_vanilla(item: str | None, damage: float, pause_s: float) -> None:
    assert blow(item) == Blow(damage, pause_s)
