"""What the catalogue knows of a thing, as it is told in both languages."""

from typing import Any

import pytest

from bots.catalogue.entries import (
    BlockEntry,
    Entry,
    ItemEntry,
    MobEntry,
    Need,
    Recipe,
    Source,
    Spoil,
)
from bots.catalogue.in_words import Aspect, told


def item(name: str, **known: Any) -> ItemEntry:
    nothing: dict[str, Any] = {
        **{"japanese": None, "stack_size": 64, "food": 0, "fuel": 0, "recipes": ()},
        **{"cooked_from": (), "cooks_to": None, "used_for": (), "dug_from": (), "left_by": ()},
        **{"otherwise": None, "heights": None},
    }
    return ItemEntry(name=name, **{**nothing, **known})


def block(name: str, **known: Any) -> BlockEntry:
    nothing: dict[str, Any] = {"japanese": None, "hardness": 1.0, "tool": None, "faster_with": ()}
    return BlockEntry(name=name, **{**nothing, "drops": (), "heights": None, **known})


def recipe(count: int, *needs: tuple[str, int], at_table: bool = True) -> Recipe:
    return Recipe(
        count=count,
        at_table=at_table,
        needs=tuple(Need(any_of=(name,), count=number) for name, number in needs),
    )


ZOMBIE = Spoil(mob="zombie", item="rotten_flesh", least=0, most=2)
TOLD: tuple[tuple[Entry, Aspect, str, str], ...] = (
    (
        item(
            "stick",
            recipes=(recipe(4, ("oak_planks", 2), at_table=False), recipe(1, ("bamboo", 2))),
        ),
        "making",
        "4 sticks take 2 oak planks, by hand; 1 can be had from 2 bamboo, at a crafting table.",
        "棒は、手元でオークの板材×2から4個、または作業台で竹×2から1個作れます。",
    ),
    (
        item("glass", cooked_from=("sand", "red_sand")),
        "cooking",
        "A furnace makes glass of sand or red sand.",
        "ガラスは、かまどで砂か赤い砂を焼くとできます。",
    ),
    (
        item("stone", dug_from=(Source(block="stone", tool="iron_pickaxe"),)),
        "digging",
        "Stone is dug with an iron pickaxe or better.",
        "石は、そのまま掘れます（鉄のツルハシ以上が必要）。",
    ),
    (
        item("dirt", dug_from=(Source(block="dirt", tool=None),)),
        "digging",
        "Dirt is dug by hand.",
        "土は、そのまま掘れます。",
    ),
    (
        item("coal", dug_from=(Source(block="coal_ore", tool="wooden_pickaxe"),), heights="96"),
        "digging",
        "Coal comes from coal ore, dug with any pickaxe. There is most of it at height 96.",
        "石炭は、石炭鉱石を掘ると出ます（ツルハシが必要）。高さ96あたりに多いです。",
    ),
    (
        item("wheat_seeds", dug_from=(Source(block="grass_block", tool=None),)),
        "digging",
        "Wheat seeds comes from grass block.",
        "小麦の種は、草ブロックを掘ると出ます。",
    ),
    (
        item("rotten_flesh", left_by=(ZOMBIE,)),
        "dropping",
        "Zombies (0-2) drop rotten flesh.",
        "腐った肉は、ゾンビ（0～2個）を倒すと落とします。",
    ),
    (
        item("apple", food=4),
        "eating",
        "Yes, apple restores 4 of 20 food points.",
        "はい、リンゴを食べると満腹度が20のうち4回復します。",
    ),
    (
        item("cake", food=2),
        "eating",
        "Yes, put the cake down and eat it there.",
        "はい、ケーキは置いてから食べます。",
    ),
    (
        item("stick"),
        "using",
        "Nothing is made of sticks, as far as I know.",
        "棒から作れるものは知りません。",
    ),
    (block("bedrock", hardness=None), "all", "Bedrock cannot be broken.", "岩盤は壊せません。"),
    (
        block("dirt", faster_with=("shovel",), drops=("dirt",)),
        "all",
        "Dirt can be dug by hand, faster with a shovel.",
        "土は素手で掘れます（シャベルだと速いです）。",
    ),
    (
        MobEntry(name="enderman", japanese=None, temper="neutral", half_hearts=40, drops=()),
        "all",
        "An enderman is peaceful until provoked and has 20 hearts. It drops nothing in particular.",
        "エンダーマンは手を出さなければおとなしく、体力はハート20個分です。倒しても特に何も落としません。",
    ),
    (
        MobEntry(name="zombie", japanese=None, temper="hostile", half_hearts=None, drops=(ZOMBIE,)),
        "all",
        "A zombie is hostile. It drops 0-2 rotten flesh.",
        "ゾンビは敵対的で、体力は不明です。倒すと腐った肉（0～2個）を落とします。",
    ),
)


@pytest.mark.parametrize(
    ("entry", "aspect", "english", "japanese"),
    TOLD,
    ids=[f"{entry.kind}-{entry.name}-{aspect}" for entry, aspect, _, _ in TOLD],
)
def test_a_thing_is_told_in_both_languages(
    entry: Entry, aspect: Aspect, english: str, japanese: str
) -> None:
    assert told(entry, aspect, "en") == english
    assert told(entry, aspect, "ja") == japanese
