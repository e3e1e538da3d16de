"""Choosing names, tools, fuel and food."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.moments import carrying, catalogue

from bots.catalogue.names import block_names, item_name, item_names
from bots.errors import ActionFailed, CommandError
from bots.skills.belongings import best_food
from bots.skills.gathering import gather_target
from bots.skills.making import plan_fuel
from bots.skills.placing import is_room
from bots.skills.reach import unless
from bots.skills.tools import best_tool, can_break, finest
from bridge.catalogue import BlockFacts

KNOWN = catalogue()


# --- names ---------------------------------------------------------------------


@pytest.mark.parametrize("word", ["oak_log", "Oak Log", "minecraft:oak_log", " OAK-LOG "])
def test_a_name_is_known_in_every_spelling(word: str) -> None:
    assert block_names(KNOWN, word) == ("oak_log",)
    assert item_name(KNOWN, word) == "oak_log"


@pytest.mark.parametrize(
    ("words", "kind"),
    [("log logs wood tree trees", "log"), ("plank planks", "planks"), ("leaf leaves", "leaves")],
)
def test_a_category_means_all_its_blocks(words: str, kind: str) -> None:
    for word in words.split():
        assert {f"oak_{kind}", f"birch_{kind}"} <= {*block_names(KNOWN, word)}
        assert not [name for name in block_names(KNOWN, word) if not name.endswith(f"_{kind}")]


def test_a_kind_of_gear_is_a_category_of_items_alone() -> None:
    assert "iron_pickaxe" in item_names(KNOWN, "pickaxes")
    with pytest.raises(CommandError) as refused:
        block_names(KNOWN, "pickaxe")
    assert refused.value.reason == "unknown_block"


@given(st.text(max_size=60))
def test_no_word_breaks_the_search_for_names(word: str) -> None:
    with suppress(CommandError):
        assert block_names(KNOWN, word)


# --- what is wanted ------------------------------------------------------------


def test_of_a_block_its_drop_counts() -> None:
    stone = gather_target(KNOWN, "stone")
    assert stone.blocks == ("stone",)
    assert stone.items == {"stone", "cobblestone"}


def test_an_item_that_is_a_block_is_also_sought_where_it_surely_drops() -> None:
    assert set(gather_target(KNOWN, "cobblestone").blocks) == {"cobblestone", "stone"}
    assert gather_target(KNOWN, "cobblestone").items == {"cobblestone"}


def test_an_item_that_only_drops_is_sought_in_its_blocks() -> None:
    assert gather_target(KNOWN, "diamond").blocks == ("diamond_ore",)


@pytest.mark.parametrize(
    ("block", "gives_way"),
    [
        *((name, True) for name in ("grass", "short_grass", "air", "water")),
        *((name, False) for name in ("grass_block", "stone")),
    ],
)
def test_grass_makes_room_and_the_ground_it_grows_on_does_not(block: str, gives_way: bool) -> None:
    assert is_room(block) is gives_way


# --- tools ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("items", "block", "tool"),
    [
        (("wooden_pickaxe", "iron_pickaxe", "stone_pickaxe"), "stone", "iron_pickaxe"),
        (("wooden_axe", "diamond_pickaxe"), "oak_log", "wooden_axe"),
        (("diamond_pickaxe",), "oak_log", None),
        ((), "dirt", None),
        (("golden_pickaxe", "stone_pickaxe"), "iron_ore", "stone_pickaxe"),
    ],
)
def test_the_fastest_fit_tool_is_chosen(
    items: tuple[str, ...], block: str, tool: str | None
) -> None:
    world = carrying(**dict.fromkeys(items, 1))
    assert best_tool(world, KNOWN.blocks[block]) == tool
    assert can_break(world, KNOWN.blocks[block])


def test_of_equals_the_poorest_is_worn_out() -> None:
    web = BlockFacts("web", 4.0, None, {"iron_sword": 15.0, "wooden_sword": 15.0}, ("string",))
    assert best_tool(carrying(apple=1, iron_sword=1, wooden_sword=1), web) == "wooden_sword"


@pytest.mark.parametrize(("block", "reason"), [("iron_ore", "no_tool"), ("bedrock", "unbreakable")])
def test_no_tool_is_refused_with_what_would_do(block: str, reason: str) -> None:
    world = carrying(wooden_pickaxe=1)
    with pytest.raises(CommandError) as refused:
        best_tool(world, KNOWN.blocks[block])
    assert refused.value.reason == reason
    assert not can_break(world, KNOWN.blocks[block])


def test_the_best_material_is_the_finest() -> None:
    assert finest(["golden_boots", "iron_boots", "leather_boots"]) == "iron_boots"


# --- fuel ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("items", "count", "loads"),
    [
        ({"coal": 2, "oak_planks": 64}, 8, [("coal", 8)]),
        ({"oak_planks": 6, "stick": 64}, 9, [("oak_planks", 9)]),
        ({"coal": 1, "oak_planks": 2}, 10, [("coal", 8), ("oak_planks", 2)]),
        ({"lava_bucket": 1, "wooden_pickaxe": 1, "stick": 2}, 1, [("stick", 1)]),
    ],
)
def test_the_cheapest_fuel_is_burnt_first(
    items: dict[str, int], count: int, loads: list[tuple[str, int]]
) -> None:
    plan = plan_fuel(KNOWN, carrying(iron_ore=64, **items), "iron_ore", count, None)
    assert [(load.fuel, load.items) for load in plan] == loads


@given(coal=st.integers(0, 3), planks=st.integers(0, 9), count=st.integers(1, 40))
def test_a_plan_is_for_all_or_there_is_none(coal: int, planks: int, count: int) -> None:
    world = carrying(iron_ore=64, coal=coal, oak_planks=planks)
    enough = coal * 8 + int(planks * 1.5) >= count
    if enough:
        plan = plan_fuel(KNOWN, world, "iron_ore", count, None)
        assert sum(load.items for load in plan) == count
        return
    with pytest.raises(CommandError) as refused:
        plan_fuel(KNOWN, world, "iron_ore", count, None)
    assert refused.value.reason == "missing_fuel"


# --- food ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("food", "eaten"), [(10, "cooked_beef"), (15, "bread"), (19, "potato"), (20, "potato")]
)
def test_the_food_that_fits_is_eaten(food: float, eaten: str) -> None:
    world = carrying(food, cooked_beef=1, bread=1, potato=1, chicken=1)
    assert best_food(KNOWN, world) == eaten


# --- failures ------------------------------------------------------------------


def test_work_goes_on_behind_a_failure_but_not_behind_a_death() -> None:
    with unless("died"):
        raise ActionFailed("no_path", "No way leads there.")
    with pytest.raises(ActionFailed), unless("died"):
        raise ActionFailed("died", "I died.")
