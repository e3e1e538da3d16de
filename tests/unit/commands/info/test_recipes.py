"""`!info recipesFor|recipesUsing`: every variant and where it is made; recipes are read once."""

import json
from typing import Any, TypeVar

import pytest
from support.rig import Rig, run_json

from bots.commands.catalogue import handle_chat_command
from bots.commands.info.things import RecipeInfo
from bots.registry.render import render
from bridge.actions import Query
from bridge.catalogue import CraftingRecipe, parse_recipes
from bridge.world import BotName, ItemStack

T = TypeVar("T")


async def ask(rig: Rig, text: str) -> dict[str, Any]:
    result = await run_json(rig.bots["Alice"], f"!info {text}")
    assert result["success"], result
    data: dict[str, Any] = result["data"]
    return data


async def test_every_variant_is_told_with_its_station(rig: Rig) -> None:
    data = await ask(rig, 'recipesFor {"item": "chest", "count": 2}')
    assert (data["item"], data["count"]) == ("chest", 2)
    assert data["recipes"][0] == {
        "station": "crafting_table",
        "shaped": False,
        "outputs": [{"name": "chest", "count": 1}],
        "inputs": [{"name": "oak_planks", "count": 8}],
        "shape": None,
        "crafts": 2,
    }
    woods = {recipe["inputs"][0]["name"] for recipe in data["recipes"]}
    assert len(woods) == len(data["recipes"]) == 6


@pytest.mark.parametrize(
    ("text", "crafts"),
    [
        ('recipesFor {"name": "stick"}', 1),
        ("recipesFor stick 9", 3),
        ("recipesfor minecraft:stick", 1),
    ],
)
async def test_an_item_is_named_in_several_ways_and_crafts_are_counted_up(
    rig: Rig, text: str, crafts: int
) -> None:
    data = await ask(rig, text)
    assert (data["item"], data["recipes"][0]["station"]) == ("stick", "hand")
    assert {recipe["crafts"] for recipe in data["recipes"]} == {crafts}


async def test_what_nothing_makes_has_no_recipes(rig: Rig) -> None:
    result = await handle_chat_command(rig.bots["Alice"], "Steve", "!info recipesFor dirt")
    assert result.as_json()["data"]["recipes"] == []
    assert render(result) == ["No recipe makes dirt."]


@pytest.mark.parametrize("text", ["recipesFor chset", 'recipesUsing {"ingredients": ["chset"]}'])
async def test_a_misspelt_item_is_refused_with_the_nearest_name(rig: Rig, text: str) -> None:
    result = await run_json(rig.bots["Alice"], f"!info {text}")
    assert (result["success"], result["reason"]) == (False, "unknown_item")
    assert "chest" in result["nearest"]


async def test_and_wants_all_ingredients_or_any_of_them(rig: Rig) -> None:
    both = await ask(rig, 'recipesUsing {"ingredients": ["stick", "coal"]}')
    any_of = await ask(rig, "recipesUsing stick,coal or")
    assert (both["ingredients"], both["mode"]) == (["stick", "coal"], "and")
    assert {recipe["outputs"][0]["name"] for recipe in both["results"]} == {"torch"}
    made = {recipe["outputs"][0]["name"] for recipe in any_of["results"]}
    assert {"torch", "ladder", "stone_pickaxe"} <= made


async def test_a_kind_of_ingredient_means_any_of_it(rig: Rig) -> None:
    data = await ask(rig, 'recipesUsing {"ingredients": "planks"}')
    inputs = {stack["name"] for recipe in data["results"] for stack in recipe["inputs"]}
    assert {"oak_planks", "birch_planks"} <= inputs


async def test_recipes_cross_once_for_each_version(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[object] = []
    plain = rig.bridge.query

    async def query(bot: BotName, query: Query[T]) -> T:
        answer = await plain(bot, query)
        if query.kind == "read_recipes":
            told.append(answer)
        return answer

    monkeypatch.setattr(rig.bridge, "query", query)
    for _ in range(3):
        await ask(rig, "recipesFor stick")
    rig.world.version = "1.20.1"
    await ask(rig, "recipesFor stick")
    assert [answer is not None for answer in told] == [True, False, False, True]


async def test_the_whisper_is_a_few_lines(rig: Rig) -> None:
    chest = await handle_chat_command(rig.bots["Alice"], "Steve", "!info recipesFor chest")
    lines = render(chest)
    assert lines[0] == "1 chest from 8 oak_planks at a crafting table."
    assert lines[3] == "And 3 more ways."
    using = await handle_chat_command(rig.bots["Alice"], "S", "!info recipesUsing stick,coal")
    assert render(using) == ["1 things: torch."]


def test_a_shape_and_what_stays_in_the_grid_are_told() -> None:
    wire = {
        "version": "1.16.5",
        "items": ["cake", "milk_bucket", "wheat", "bucket"],
        "recipes": [
            [[0, 1], [[1, 3], [2, 3]], [[3, 3]], True, [[1, 1, 1], [None, None, None], [2, 2, 2]]]
        ],
    }
    book = parse_recipes(wire)
    assert book is not None
    (cake,) = book.making("cake")
    assert cake == CraftingRecipe(
        makes=ItemStack("cake", 1),
        inputs=(ItemStack("milk_bucket", 3), ItemStack("wheat", 3)),
        returns=(ItemStack("bucket", 3),),
        at_table=True,
        shape=(("milk_bucket",) * 3, (None,) * 3, ("wheat",) * 3),
    )
    told = json.loads(RecipeInfo.of(cake).model_dump_json(by_alias=True))
    assert (told["shaped"], told["shape"][1]) == (True, [None, None, None])
    assert told["outputs"] == [{"name": "cake", "count": 1}, {"name": "bucket", "count": 3}]
