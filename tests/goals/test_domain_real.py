"""The domains of real versions: true to vanilla, to the host and to the embedded server."""

import asyncio
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from support.goal_domains import real_domain

from bots.goals.activity import Activity, Domain
from bots.goals.domain import GameData, domain_of
from bridge.catalogue import parse_catalogue, parse_recipes

pytestmark = pytest.mark.real

VERSIONS = ("1.16.5", "1.20.1", "1.21.4")
BY_CHANCE = {"gravel", "gilded_blackstone"}
"""They count as themselves, though now and then something else falls."""
HERE = Path(__file__).parent


@pytest.fixture(params=VERSIONS)
def domain(request: pytest.FixtureRequest, node_dir: Path) -> Domain:
    return real_domain(request.param, node_dir)


@pytest.fixture
def old(node_dir: Path) -> Domain:
    return real_domain("1.16.5", node_dir)


@pytest.fixture
def new(node_dir: Path) -> Domain:
    return real_domain("1.20.1", node_dir)


async def run_node(node: Path, packages: Path, script: str, *arguments: str) -> Any:
    process = await asyncio.create_subprocess_exec(
        *(str(node), str(HERE / script), *arguments),
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "TOWNSFOLK_NODE_DIR": str(packages)},
    )
    out, _ = await process.communicate()
    assert process.returncode == 0
    return json.loads(out)


def ways(domain: Domain, item: str) -> list[Activity]:
    return [activity for activity in domain.making if activity.target == item]


def falls(domain: Domain, block: str) -> Mapping[str, int]:
    """What falls to the first tool that does."""
    return domain.digging[block][0].produces


def tools(domain: Domain, block: str) -> list[str | None]:
    return [way.tool for way in domain.digging.get(block, ())]


def pickaxes(domain: Domain, *materials: str) -> list[str]:
    return [tool for tool in domain.tool_order if tool in {f"{m}_pickaxe" for m in materials}]


def as_values(activity: Activity) -> tuple[object, ...]:
    names = ("kind", "target", "station", "tool", "fixed_ticks", "unit_ticks")
    amounts = (activity.produces, activity.consumes, activity.pools)
    plain = (getattr(activity, name) for name in names)
    return (*plain, *(tuple(sorted(amount.items())) for amount in amounts))


@pytest.mark.parametrize("version", ["1.8.8", "1.12.2"])
def test_what_may_fall_by_chance_is_not_sure_up_to_1_12(version: str, node_dir: Path) -> None:
    folder = node_dir / "node_modules/minecraft-data/minecraft-data/data/pc" / version[:-2]
    rows = json.loads((folder / "blocks.json").read_text())
    by_chance = {row["name"] for row in rows if row.get("drops") and _all_by_chance(row["drops"])}
    assert by_chance >= {"leaves", "leaves2", "tallgrass", *BY_CHANCE} - {"gilded_blackstone"}
    domain = real_domain(version, node_dir)
    sure = {name for name, ways in domain.digging.items() if any(not way.tool for way in ways)}
    assert by_chance & sure == {"gravel"}
    assert falls(domain, "grass") == {"dirt": 1}


def _all_by_chance(drops: list[dict[str, Any]]) -> bool:
    return all(drop.get("minCount", 1) < 1 for drop in drops)


def test_everything_in_a_domain_is_an_item_of_its_version(domain: Domain) -> None:
    digs = [way for found in domain.digging.values() for way in found]
    for activity in (*domain.making, *digs, *domain.placing.values()):
        pooled = {item for pool in activity.pools for item in pool}
        tool = {activity.tool} - {None}
        named = {*activity.produces, *activity.consumes, *pooled, *tool}
        assert named <= domain.items, activity
        assert min((*activity.produces.values(), *activity.pools.values(), 1)) >= 1, activity
    assert {*domain.fuels, *domain.remainders, *domain.tool_order} <= domain.items
    assert set(domain.digging) <= domain.blocks


def test_a_chest_takes_planks_of_any_wood(domain: Domain) -> None:
    (chest,) = ways(domain, "chest")
    ((planks, count),) = chest.pools.items()
    assert (count, chest.station) == (8, "crafting_table")
    assert set(planks) == {item for item in domain.items if item.endswith("_planks")}


def test_two_tags_of_a_barrel_stay_two(domain: Domain) -> None:
    (barrel,) = ways(domain, "barrel")
    assert sorted(barrel.pools.values()) == [2, 6]


@pytest.mark.parametrize(
    ("item", "station"),
    [
        ("crafting_table", None),
        ("torch", None),
        ("shears", None),
        ("furnace", "crafting_table"),
        ("bucket", "crafting_table"),
        ("wooden_pickaxe", "crafting_table"),
        ("ladder", "crafting_table"),
    ],
)
def test_only_what_is_wider_than_two_needs_a_table(
    domain: Domain, item: str, station: str | None
) -> None:
    assert {way.station for way in ways(domain, item)} == {station}


def test_containers_come_back_out_of_the_grid(domain: Domain) -> None:
    (cake,) = ways(domain, "cake")
    (honey,) = ways(domain, "honey_block")
    assert cake.produces == {"cake": 1, "bucket": 3}
    assert honey.produces == {"honey_block": 1, "glass_bottle": 4}
    assert domain.remainders["lava_bucket"] == "bucket"


@pytest.mark.parametrize(
    ("block", "produces"),
    [
        ("stone", {"cobblestone": 1}),
        ("grass_block", {"dirt": 1}),
        ("coal_ore", {"coal": 1}),
        ("diamond_ore", {"diamond": 1}),
        ("redstone_ore", {"redstone": 4}),
        ("lapis_ore", {"lapis_lazuli": 4}),
        ("emerald_ore", {"emerald": 1}),
        ("nether_quartz_ore", {"quartz": 1}),
        ("nether_gold_ore", {"gold_nugget": 2}),
        ("gravel", {"gravel": 1}),
        ("clay", {"clay_ball": 4}),
        ("glowstone", {"glowstone_dust": 2}),
        ("melon", {"melon_slice": 3}),
        ("bookshelf", {"book": 3}),
        ("ender_chest", {"obsidian": 8}),
        ("wheat", {"wheat": 1, "wheat_seeds": 1}),
        ("carrots", {"carrot": 2}),
        ("potatoes", {"potato": 2}),
        ("cocoa", {"cocoa_beans": 3}),
        ("sea_lantern", {"prismarine_crystals": 2}),
        ("campfire", {"charcoal": 2}),
        ("farmland", {"dirt": 1}),
        ("wall_torch", {"torch": 1}),
        ("cobweb", {"string": 1}),
    ],
)
def test_blocks_give_the_least_that_vanilla_lets_fall(
    domain: Domain, block: str, produces: dict[str, int]
) -> None:
    assert falls(domain, block) == produces


@pytest.mark.parametrize(
    "block",
    ["glass", "ice", "packed_ice", "spawner", "infested_stone", "bee_nest", "cake", "bedrock"],
)
def test_what_only_silk_touch_lifts_is_not_to_be_had(domain: Domain, block: str) -> None:
    assert block not in domain.digging


def test_plants_that_give_nothing_for_sure_want_shears(domain: Domain) -> None:
    grass = "grass" if "grass" in domain.items else "short_grass"
    for block in ("oak_leaves", "vine", "fern", "dead_bush", grass):
        assert tools(domain, block) == ["shears"], block
    assert falls(domain, "tall_grass") == {grass: 2}


def test_ores_give_raw_metal_since_1_17(old: Domain, new: Domain) -> None:
    assert falls(old, "iron_ore") == {"iron_ore": 1}
    assert falls(new, "iron_ore") == {"raw_iron": 1}
    assert falls(new, "deepslate_gold_ore") == {"raw_gold": 1}
    assert falls(new, "copper_ore") == {"raw_copper": 2}
    assert falls(new, "deepslate") == {"cobbled_deepslate": 1}


def test_a_pickaxe_gets_more_out_of_a_crystal_than_the_hand(new: Domain) -> None:
    shards = {way.tool: way.produces["amethyst_shard"] for way in new.digging["amethyst_cluster"]}
    assert (shards[None], shards["wooden_pickaxe"]) == (2, 4)


def test_each_ore_wants_its_tier_of_pickaxe(old: Domain, new: Domain) -> None:
    all_tiers = ("wooden", "golden", "stone", "iron", "diamond", "netherite")
    for domain in (old, new):
        for block in ("stone", "coal_ore", "furnace", "stone_stairs", "bell"):
            assert tools(domain, block) == pickaxes(domain, *all_tiers), block
        for block in ("iron_ore", "lapis_ore"):
            above_wood = ("stone", "iron", "diamond", "netherite")
            assert tools(domain, block) == pickaxes(domain, *above_wood), block
        for block in ("gold_ore", "redstone_ore", "diamond_ore", "emerald_ore"):
            assert tools(domain, block) == pickaxes(domain, "iron", "diamond", "netherite"), block
        for block in ("obsidian", "ancient_debris"):
            assert tools(domain, block) == pickaxes(domain, "diamond", "netherite"), block
        for block in ("oak_slab", "oak_log", "dirt", "white_wool", "target", "peony"):
            assert tools(domain, block)[0] is None, block


def test_every_ore_is_dug_faster_with_a_better_pickaxe(domain: Domain) -> None:
    costs = {way.tool: way.unit_ticks for way in domain.digging["iron_ore"]}
    assert costs["stone_pickaxe"] > costs["iron_pickaxe"] > costs["diamond_pickaxe"]


def test_wool_falls_to_the_hand_and_faster_to_shears(domain: Domain) -> None:
    by_hand, shorn = domain.digging["white_wool"]
    assert (by_hand.tool, shorn.tool) == (None, "shears")
    assert by_hand.unit_ticks > shorn.unit_ticks


def test_a_furnace_makes_charcoal_of_any_wood_that_burns(old: Domain, new: Domain) -> None:
    for domain in (old, new):
        (charcoal,) = ways(domain, "charcoal")
        ((woods, count),) = charcoal.pools.items()
        ends = ("_log", "_wood")
        assert count == 1
        assert set(woods) == {item for item in domain.items if item.endswith(ends)}


@pytest.mark.parametrize(
    ("raw", "made"),
    [
        ("iron_ore", "iron_ingot"),
        ("ancient_debris", "netherite_scrap"),
        ("cobblestone", "stone"),
        ("stone", "smooth_stone"),
        ("clay_ball", "brick"),
        ("beef", "cooked_beef"),
        ("kelp", "dried_kelp"),
        ("cactus", "green_dye"),
        ("wet_sponge", "sponge"),
        ("netherrack", "nether_brick"),
        ("iron_sword", "iron_nugget"),
        ("chainmail_boots", "iron_nugget"),
        ("golden_horse_armor", "gold_nugget"),
        ("red_terracotta", "red_glazed_terracotta"),
    ],
)
def test_a_furnace_makes_what_vanilla_makes(domain: Domain, raw: str, made: str) -> None:
    smelts = [way for way in ways(domain, made) if way.kind == "smelt"]
    raws = {item for way in smelts for item in (*way.consumes, *(i for p in way.pools for i in p))}
    assert raw in raws


@pytest.mark.parametrize(
    ("fuel", "quarters"),
    [
        ("coal", 32),
        ("charcoal", 32),
        ("oak_planks", 6),
        ("coal_block", 320),
        ("stick", 2),
        ("lava_bucket", 400),
        ("dried_kelp_block", 80),
        ("blaze_rod", 48),
        ("bamboo", 1),
        ("wooden_pickaxe", 4),
        ("oak_slab", 3),
        ("oak_boat", 24),
    ],
)
def test_fuels_last_as_long_as_in_vanilla(domain: Domain, fuel: str, quarters: int) -> None:
    assert domain.fuels[fuel] == quarters


def test_wood_of_the_nether_does_not_burn(domain: Domain) -> None:
    assert [fuel for fuel in domain.fuels if "crimson" in fuel or "warped" in fuel] == []


@pytest.mark.parametrize(
    ("kind", "action", "gives"),
    [
        ("cow", "hunt", {"beef": 2, "leather": 1}),
        ("sheep", "hunt", {"mutton": 1, "white_wool": 1}),
        ("black_sheep", "shear", {"black_wool": 2}),
        ("shorn_sheep", "hunt", {"mutton": 1}),
        ("chicken", "hunt", {"chicken": 1, "feather": 1}),
    ],
)
def test_animals_give_what_vanilla_gives_on_average(
    domain: Domain, kind: str, action: str, gives: dict[str, int]
) -> None:
    (way,) = (way for way in domain.foraging[kind] if way.kind == action)
    assert (way.produces, way.is_mean) == (gives, True)


@pytest.mark.parametrize(
    ("block", "item", "uses"),
    [
        ("gravel", "flint", 10),
        ("oak_leaves", "apple", 200),
        ("oak_leaves", "oak_sapling", 20),
        ("jungle_leaves", "jungle_sapling", 40),
        ("fern", "wheat_seeds", 8),
        ("water", "water_bucket", 1),
        ("lava", "lava_bucket", 1),
        ("cow", "milk_bucket", 0),
        ("water", "cod", 0),
        ("chicken", "egg", 0),
        ("grass_block", "wheat", 1),
    ],
)
def test_what_chance_and_liquids_give_takes_as_much_as_in_vanilla(
    domain: Domain, block: str, item: str, uses: int
) -> None:
    assert {way.uses for way in domain.foraging[block] if item in way.produces} == {uses}


def test_nothing_dug_or_made_gives_what_only_creatures_and_smiths_do(domain: Domain) -> None:
    digs = [way for found in domain.digging.values() for way in found]
    given = {item for way in (*domain.making, *digs) for item in way.produces}
    assert given.isdisjoint({"feather", "ender_pearl", "netherite_pickaxe", "saddle", "flint"})
    assert {"leather", "bone_meal", "netherite_ingot", "bread", "piston", "rail"} <= given


@pytest.mark.parametrize("version", [*VERSIONS, "1.13.2", "1.18.2"])
async def test_the_host_tells_what_the_files_say(
    version: str, node_binary: Path, node_dir: Path
) -> None:
    told = await run_node(node_binary, node_dir, "told_by_host.cjs", version)
    catalogue, book = parse_catalogue(told["catalogue"]), parse_recipes(told["recipes"])
    assert catalogue
    assert book
    by_host = domain_of(GameData.from_bridge(catalogue, book))
    by_files = real_domain(version, node_dir)
    assert [*map(as_values, by_host.making)] == [*map(as_values, by_files.making)]
    assert by_host.items == by_files.items
    assert by_host.fuels == by_files.fuels
    assert _dug(by_host) == _dug(by_files)


async def test_the_embedded_server_lets_fall_what_a_plan_counts_on(
    old: Domain, node_binary: Path, node_dir: Path
) -> None:
    loot = await run_node(node_binary, node_dir, "server_loot.cjs", json.dumps(old.tool_order))
    differs = {
        (block, way.tool): (dict(way.produces), loot[block][way.tool or ""])
        for block, found in old.digging.items()
        for way in found
        if way.produces != loot[block][way.tool or ""] and block not in BY_CHANCE
    }
    assert differs == {}


async def test_the_embedded_server_wants_the_tools_a_plan_makes(
    old: Domain, node_binary: Path, node_dir: Path
) -> None:
    loot = await run_node(node_binary, node_dir, "server_loot.cjs", "[]")
    by_hand = {block for block, found in old.digging.items() if found[0].tool is None}
    falls_to_hand = {block for block in old.digging if loot[block][""]}
    assert falls_to_hand == by_hand - BY_CHANCE


def _dug(domain: Domain) -> dict[str, list[tuple[object, ...]]]:
    return {block: [*map(as_values, found)] for block, found in domain.digging.items()}
