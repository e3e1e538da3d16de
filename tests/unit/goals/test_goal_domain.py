"""A version's recipes, blocks and fuels become the activities of a bot, with their costs."""

import copy
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rig import Rig

from bots.catalogue.entries import folded
from bots.errors import GameDataError
from bots.goals.activity import Activity, Domain
from bots.goals.domain import GameData, costs, domain_of
from bridge.catalogue import BlockFacts, CraftingRecipe, Shape
from bridge.world import ItemStack, Position

PICKAXES = frozenset({"wooden_pickaxe", "stone_pickaxe", "iron_pickaxe"})
WOODS = ("acacia", "birch", "oak")
PLANKS = tuple(f"{wood}_planks" for wood in WOODS)
ITEMS = frozenset(
    {
        *PLANKS,
        *PICKAXES,
        *("stick", "chest", "cake", "milk_bucket", "bucket", "egg", "cobblestone", "stone"),
        *("shears", "oak_leaves", "oak_sapling", "cobweb", "string", "wooden_sword", "redstone"),
        *("gravel", "flint", "oak_log", "wooden_axe", "coal", "white_carpet", "wheat"),
        *("wheat_seeds", "grass", "glass", "honey_bottle", "glass_bottle", "sugar", "sand"),
    }
)


def recipe(
    makes: str,
    shape: Shape | None = None,
    *,
    loose: Mapping[str, int] | None = None,
    count: int = 1,
) -> CraftingRecipe:
    """At a table if it is shaped and wide."""
    cells = [cell for line in shape or () for cell in line if cell]
    inputs = loose or {cell: cells.count(cell) for cell in cells}
    return CraftingRecipe(
        makes=ItemStack(makes, count),
        inputs=tuple(ItemStack(name, n) for name, n in inputs.items()),
        returns=(),
        at_table=bool(shape) and max(len(shape or ()), len((shape or ((),))[0])) > 2,
        shape=shape,
    )


def block(name: str, **facts: Any) -> BlockFacts:
    usual: dict[str, Any] = {"hardness": 1.0, "needs": None, "speeds": {}, "drops": (name,)}
    return BlockFacts(name=name, **{**usual, **facts})


def data(
    *recipes: CraftingRecipe,
    blocks: tuple[BlockFacts, ...] = (),
    fuels: Mapping[str, float] | None = None,
    cooks_to: Mapping[str, str] | None = None,
) -> GameData:
    by_name = {one.name: one for one in blocks}
    return GameData("test", by_name, ITEMS, recipes, fuels or {}, cooks_to or {})


def making(domain: Domain, item: str) -> Activity:
    (found,) = (activity for activity in domain.making if activity.target == item)
    return found


def drops(facts: BlockFacts) -> dict[str | None, Mapping[str, int]]:
    ways = domain_of(data(blocks=(facts,))).digging.get(facts.name, ())
    return {way.tool: way.produces for way in ways}


def chests() -> list[CraftingRecipe]:
    return [
        recipe("chest", ((plank, plank, plank), (plank, None, plank), (plank, plank, plank)))
        for plank in PLANKS
    ]


def test_variants_of_one_tag_become_one_recipe_that_takes_any_mixture() -> None:
    chest = making(domain_of(data(*chests())), "chest")
    assert (chest.consumes, chest.pools) == ({}, {PLANKS: 8})
    assert chest.station == "crafting_table"


def test_what_fits_two_by_two_needs_no_table() -> None:
    sticks = [recipe("stick", ((plank,), (plank,)), count=4) for plank in PLANKS]
    stick = making(domain_of(data(*sticks)), "stick")
    assert (stick.pools, stick.produces, stick.station) == ({PLANKS: 2}, {"stick": 4}, None)


def test_two_tags_in_one_recipe_are_two_pools() -> None:
    other = {"oak_planks": "coal", "birch_planks": "stone"}
    both = [recipe("stick", ((a, b),)) for a in other for b in other.values()]
    stick = making(domain_of(data(*both)), "stick")
    assert stick.pools == {("birch_planks", "oak_planks"): 1, ("coal", "stone"): 1}


def test_two_tags_listed_side_by_side_are_two_pools_as_well() -> None:
    side_by_side = [("oak_planks", "coal"), ("birch_planks", "stone"), ("acacia_planks", "coal")]
    stick = making(domain_of(data(*(recipe("stick", (pair,)) for pair in side_by_side))), "stick")
    assert stick.pools == {PLANKS: 1, ("coal", "stone"): 1}


def test_recipes_without_a_shape_that_do_not_combine_stay_apart() -> None:
    pairs = [{"coal": 1, "egg": 1}, {"sand": 1, "stick": 1}]
    found = folded([recipe("stone", loose=pair) for pair in pairs])
    assert [[pool for pool, _ in one.choices] for one in found] == [
        [("coal",), ("egg",)],
        [("sand",), ("stick",)],
    ]


@given(st.permutations(chests()))
def test_the_order_of_variants_does_not_matter(variants: list[CraftingRecipe]) -> None:
    assert {one.choices for one in folded(variants)} == {((PLANKS, 8),)}


def test_what_stays_of_an_ingredient_comes_back() -> None:
    cake = recipe("cake", (("milk_bucket",) * 3, ("sugar", "egg", "sugar"), ("wheat",) * 3))
    sugar = recipe("sugar", loose={"honey_bottle": 1}, count=3)
    domain = domain_of(data(cake, sugar))
    assert making(domain, "cake").produces == {"cake": 1, "bucket": 3}
    assert making(domain, "sugar").produces == {"sugar": 3, "glass_bottle": 1}
    assert domain.remainders["milk_bucket"] == "bucket"


def test_a_recipe_of_unknown_things_is_left_out() -> None:
    assert domain_of(data(recipe("air", loose={"sand": 1}))).making == ()


def test_any_raw_thing_will_do_for_what_a_furnace_makes() -> None:
    domain = domain_of(data(cooks_to={"sand": "glass", "gravel": "glass", "cobblestone": "stone"}))
    glass, stone = making(domain, "glass"), making(domain, "stone")
    assert (glass.kind, glass.station, glass.pools) == ("smelt", "furnace", {("gravel", "sand"): 1})
    assert (stone.consumes, stone.produces) == ({"cobblestone": 1}, {"stone": 1})


def test_fuel_counts_in_whole_quarters_of_an_item() -> None:
    domain = domain_of(
        data(fuels={"coal": 8, "oak_planks": 1.5, "white_carpet": 0.335, "egg": 0.2})
    )
    assert domain.fuels == {"coal": 32, "oak_planks": 6, "white_carpet": 1}


@pytest.mark.parametrize(
    ("name", "listed", "falls"),
    [
        ("stone", ("cobblestone",), {"cobblestone": 1}),
        ("gravel", ("gravel", "flint"), {"gravel": 1}),
        ("glass", ("glass",), {}),
        ("infested_stone", ("stone",), {}),
        ("lapis_ore", ("lapis_lazuli",), {}),  # not an item of this version
        ("sand", ("flint", "sand"), {"sand": 1}),
        ("potted_grass", ("glass", "grass"), {"glass": 1, "grass": 1}),
        ("wall_sand", (), {"sand": 1}),
        ("egg", (), {}),
    ],
)
def test_only_what_is_sure_to_fall_counts(
    name: str, listed: tuple[str, ...], falls: dict[str, int]
) -> None:
    assert drops(block(name, drops=listed)) == ({None: falls} if falls else {})


AXE_AND_SWORD = {"wooden_axe": 2.0, "wooden_sword": 1.5}


@pytest.mark.parametrize(
    ("dug", "ways"),
    [
        (block("redstone_ore", needs=frozenset({"iron_pickaxe"}), drops=("redstone",)),
         {"iron_pickaxe": {"redstone": 4}}),
        (block("oak_log", speeds=AXE_AND_SWORD),
         {None: {"oak_log": 1}, "wooden_axe": {"oak_log": 1}}),
        (block("wheat", hardness=0.0, speeds={"wooden_axe": 2.0}, drops=("wheat_seeds",)),
         {None: {"wheat": 1, "wheat_seeds": 1}}),
        (block("oak_leaves", drops=("oak_sapling",)), {"shears": {"oak_leaves": 1}}),
        (block("tall_grass", hardness=0.0, drops=("wheat_seeds",)), {"shears": {"grass": 2}}),
        (block("cobweb", needs=frozenset({"wooden_sword", "shears"})),
         {"wooden_sword": {"string": 1}, "shears": {"cobweb": 1}}),
        (block("stone", hardness=None, drops=("cobblestone",)), {}),
    ],
    ids=["only with the tool it needs", "a tool that helps beside the hand",
         "no tool where the hand needs no time", "shears bring down what nothing else does",
         "and of tall grass two", "each tool gives its own", "what nothing breaks is not dug"],
)  # fmt: skip
def test_a_block_is_dug_by_hand_or_by_the_tools_that_pay(
    dug: BlockFacts, ways: dict[str | None, dict[str, int]]
) -> None:
    assert drops(dug) == ways


def test_tools_go_from_worst_to_best_and_stations_are_put_down() -> None:
    domain = domain_of(data())
    kinds = ("wooden_pickaxe", "stone_pickaxe", "iron_pickaxe")
    assert [tool for tool in domain.tool_order if tool in PICKAXES] == list(kinds)
    assert domain.placing["furnace"].consumes == {"furnace": 1}
    assert domain.placing["furnace"].produces == {}


@pytest.mark.parametrize(
    ("hardness", "speed", "takes"),
    [(1.5, 2.0, 23), (1.5, 6.0, 8), (3.0, 6.0, 15), (2.0, 1.0, 60), (0.0, 1.0, 0), (0.2, 15.0, 0)],
)
def test_digging_takes_the_ticks_vanilla_counts(hardness: float, speed: float, takes: int) -> None:
    assert costs.dig_ticks(hardness, speed) == takes


@given(st.floats(0, 100), st.floats(1, 12), st.floats(0, 12))
def test_a_faster_tool_never_takes_longer(hardness: float, speed: float, more: float) -> None:
    assert costs.dig_ticks(hardness, speed + more) <= costs.dig_ticks(hardness, speed)


def test_what_lies_scattered_in_stone_takes_longer_to_come_to() -> None:
    assert costs.gather_ticks("iron_ore", 3.0, 4.0) > costs.gather_ticks("stone", 3.0, 4.0)


def test_every_cost_is_at_least_a_tick() -> None:
    domain = domain_of(data(*chests(), blocks=(block("stone", hardness=0.0),)))
    digs = [way for ways in domain.digging.values() for way in ways]
    every = [*domain.making, *digs, *domain.placing.values()]
    assert min(activity.unit_ticks for activity in every) >= 1


def test_the_same_data_gives_the_same_domain() -> None:
    once = data(*chests())
    assert domain_of(once) is domain_of(once)


async def test_a_bot_in_a_world_tells_enough_for_a_domain(rig: Rig) -> None:
    bot = await rig.bot("Alice", Position(0.5, 64, 0.5))
    catalogue, book = await bot.catalogue(), await bot.recipes()
    told = GameData.from_bridge(catalogue, book)
    domain = domain_of(told)
    assert GameData.from_bridge(catalogue, book) is told
    assert GameData.from_bridge(*copy.deepcopy((catalogue, book))) is told, "another bot's answers"
    planks = tuple(sorted(item for item in told.items if item.endswith("_planks")))
    assert making(domain, "chest").pools == {planks: 8}
    assert making(domain, "glass").consumes == {"sand": 1}
    assert {way.tool for way in domain.digging["stone"]} >= {"wooden_pickaxe", "iron_pickaxe"}


def test_an_unknown_version_is_refused_with_those_there_are(tmp_path: Path) -> None:
    folder = tmp_path / "node_modules/minecraft-data/minecraft-data/data"
    folder.mkdir(parents=True)
    whole, part = {"recipes": "pc/1.16.2"}, {"blocks": "pc/1.8"}
    paths = {"pc": {"1.16.5": whole, "20w13b": whole, "1.8.9": part}}
    (folder / "dataPaths.json").write_text(json.dumps(paths))
    (folder / "pc/common").mkdir(parents=True)
    rows = [
        {"minecraftVersion": "1.16.5", "version": 754},
        {"minecraftVersion": "1.8.9", "version": 47},
    ]
    (folder / "pc/common/protocolVersions.json").write_text(json.dumps(rows))
    for version in ("1.99", "1.8.9", ""):
        with pytest.raises(GameDataError, match=rf"'{version}'.*Known: 1\.16\.5\.$"):
            GameData.from_folder(tmp_path, version)


def test_data_that_is_not_installed_is_named(tmp_path: Path) -> None:
    with pytest.raises(GameDataError, match=r"not installed .*minecraft-data"):
        GameData.from_folder(tmp_path, "1.16.5")
