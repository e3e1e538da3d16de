"""Requests for things become commands, in English and Japanese."""

from dataclasses import replace
from typing import Any

import pytest
from support.asking_alice import ITEMS, asked, goal, hand, reading_of
from support.moments import WORLD

from bots.catalogue.counted import told
from bots.catalogue.names import Things
from bots.responder.rules.requests import Ask, Unclear, read
from bots.responder.rules.requests.jobs import of_carried
from bridge.world import ItemStack


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("get 10 oak logs", "oak_log:+10"),
        ("get ten oak logs", "oak_log:+10"),
        ("Get 10 Oak Logs please", "oak_log:+10"),
        ("could you get 10 oak logs?", "oak_log:+10"),
        ("go get 3 oak logs", "oak_log:+3"),
        ("go and get 3 oak logs", "oak_log:+3"),
        ("get 3 oak_log", "oak_log:+3"),
        ("collect 64 cobblestone", "cobblestone:+64"),
        ("collect a stack of cobblestone", "cobblestone:+64"),
        ("mine two stacks of cobble", "cobblestone:+128"),
        ("mine 5 coal", "coal:+5"),
        ("mine some coal", "coal:+8"),
        ("gather a dozen birch logs", "birch_log:+12"),
        ("gather oak wood", "oak_log:+8"),
        ("chop 4 spruce logs", "spruce_log:+4"),
        ("dig 20 dirt", "dirt:+20"),
        ("dig some sand", "sand:+8"),
        ("get an apple", "apple:+1"),
        ("get 3 pieces of coal", "coal:+3"),
        ("find me a diamond", None),
        ("make an iron pickaxe", "iron_pickaxe:+1"),
        ("make a wooden pickaxe", "wooden_pickaxe:+1"),
        ("make a wood pickaxe", "wooden_pickaxe:+1"),
        ("make a gold sword", "golden_sword:+1"),
        ("can you make an iron pickaxe?", "iron_pickaxe:+1"),
        ("craft a stone sword", "stone_sword:+1"),
        ("craft 4 torches", "torch:+4"),
        ("craft sticks", "stick:+8"),
        ("build a furnace", "furnace:+1"),
        ("craft a workbench", "crafting_table:+1"),
        ("smelt 3 iron ingots", "iron_ingot:+3"),
        ("smelt 3 iron", "iron_ingot:+3"),
        ("cook two steaks", "cooked_beef:+2"),
        ("bake bread", "bread:+1"),
        ("make flint and steel", "flint_and_steel:+1"),
        ("craft a chest please alice", "chest:+1"),
        ("i need you to craft a bucket", "bucket:+1"),
        ("オークの原木を10個取って", "oak_log:+10"),
        ("オークの原木を１０個取ってください", "oak_log:+10"),
        ("オークの原木10個集めて", "oak_log:+10"),
        ("10個のオークの原木を集めて", "oak_log:+10"),
        ("オークの木を3本切って", "oak_log:+3"),
        ("シラカバの原木を五本切って", "birch_log:+5"),
        ("丸石を64個掘って", "cobblestone:+64"),
        ("丸石を1スタック集めて", "cobblestone:+64"),
        ("石炭を掘って", "coal:+8"),
        ("土を二十個掘って", "dirt:+20"),
        ("砂を三十二個集めて", "sand:+32"),
        ("松明を4本作って", "torch:+4"),
        ("たいまつを４本つくって", "torch:+4"),
        ("松明を4本作ってくれる？", "torch:+4"),
        ("鉄のツルハシを作って", "iron_pickaxe:+1"),
        ("鉄のつるはしを作ってください", "iron_pickaxe:+1"),
        ("石の剣を一つ作って", "stone_sword:+1"),
        ("ダイヤの剣を作って", "diamond_sword:+1"),
        ("木の斧をひとつ作って", "wooden_axe:+1"),
        ("作業台を作って", "crafting_table:+1"),
        ("かまどを作ってほしい", "furnace:+1"),
        ("チェストを2つ作ってくれませんか？", "chest:+2"),
        ("鉄インゴットを3個焼いて", "iron_ingot:+3"),
        ("棒を8本クラフトして", "stick:+8"),
        ("オークの板材を5枚作って", "oak_planks:+5"),
        ("Alice、松明を4本作って", "torch:+4"),
    ],
)
def test_getting_and_making(line: str, wanted: str | None) -> None:
    if wanted is None:
        assert asked(line) == [*goal("diamond:+1"), hand("diamond", 1)]
    else:
        assert asked(line) == goal(wanted)


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("get 10 logs", 10),
        ("get some wood", 8),
        ("gather wood", 8),
        ("chop down 3 trees", 3),
        ("chop a tree", 1),
        ("木を10個取って", 10),
        ("木を切って", 8),
        ("原木を5本集めて", 5),
    ],
)
def test_of_logs_any_kind_will_do(line: str, count: int) -> None:
    assert asked(line) == [("skill gather", {"itemName": "log", "count": count})]


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("get me 4 logs", 4),
        ("bring me 5 logs", 5),
        ("fetch me some wood", 8),
        ("bring 2 logs to me", 2),
        ("木を3本切ってきて", 3),
        ("原木を5本持ってきて", 5),
        ("木を5本取ってきてください", 5),
    ],
)
def test_logs_of_any_kind_are_brought_too(line: str, count: int) -> None:
    gathered, handed = reading_of(line).requests
    assert (gathered.command, gathered.fields["count"]) == ("skill gather", count)
    assert (handed.command, handed.fields) == (
        "navigation dropItem",
        {"count": count, "targetPlayer": "Steve"},
    )
    assert {"oak_log", "birch_log"} <= set(handed.any_of)


@pytest.mark.parametrize(
    ("line", "item", "count"),
    [
        ("get me 5 oak planks", "oak_planks", 5),
        ("Alice, get me 5 oak planks", "oak_planks", 5),
        ("bring me an iron pickaxe", "iron_pickaxe", 1),
        ("make me a torch", "torch", 1),
        ("craft me 4 torches please", "torch", 4),
        ("can you bring me two apples?", "apple", 2),
        ("bring 3 sticks to me", "stick", 3),
        ("fetch me some dirt", "dirt", 8),
        ("オークの板材を5枚持ってきて", "oak_planks", 5),
        ("松明を4本作ってきて", "torch", 4),
        ("石炭を3個取ってきてください", "coal", 3),
        ("私にパンを2個持ってきて", "bread", 2),
        ("パンを持って来てくれる？", "bread", 1),
    ],
)
def test_to_bring_is_to_get_and_then_to_hand_over(line: str, item: str, count: int) -> None:
    assert asked(line) == [*goal(f"{item}:+{count}"), hand(item, count)]


@pytest.mark.parametrize(
    ("line", "handed"),
    [
        ("give me 3 oak logs", hand("oak_log", 3)),
        ("give me two logs", hand("oak_log", 2)),
        ("give me your oak logs", hand("oak_log", 3)),
        ("give me all your bread", hand("bread", 2)),
        ("give me the bread", hand("bread", 1)),
        ("hand me a bread", hand("bread", 1)),
        ("can you give me some bread?", hand("bread", 8)),
        ("give me your axe", hand("stone_axe", 1)),
        ("give Carol 2 bread", hand("bread", 2, "Carol")),
        ("give 2 bread to carol", hand("bread", 2, "Carol")),
        ("hand over 1 oak log to me", hand("oak_log", 1)),
        ("パンをちょうだい", hand("bread", 1)),
        ("パンを2個ください", hand("bread", 2)),
        ("パン2個ちょうだい", hand("bread", 2)),
        ("オークの原木を3個渡して", hand("oak_log", 3)),
        ("原木を全部渡してください", hand("oak_log", 3)),
        ("Carolにパンを2個渡して", hand("bread", 2, "Carol")),
        ("木を2個くれる？", hand("oak_log", 2)),
    ],
)
def test_handing_over(line: str, handed: tuple[str, dict[str, Any]]) -> None:
    assert asked(line) == [handed]


def test_of_several_that_fit_what_is_carried_is_handed_over() -> None:
    world = replace(WORLD, items=(ItemStack("birch_planks", 2), ItemStack("oak_planks", 7)))
    reading = read(Ask("Alice", "Steve", Things(ITEMS), world), ["give me 3 planks"])
    assert [dict(one.fields) for one in reading.requests] == [hand("oak_planks", 3)[1]]


@pytest.mark.parametrize(
    ("line", "to"),
    [
        ("give me everything", "Steve"),
        ("give me all your things, please", "Steve"),
        ("can you hand me everything you have?", "Steve"),
        ("give everything to Carol", "Carol"),
        ("持ち物を全部ちょうだい", "Steve"),
        ("Carolに全部渡して", "Carol"),
    ],
)
def test_everything_is_each_kind_that_is_carried(line: str, to: str) -> None:
    (request,) = reading_of(line).requests
    handed = of_carried(Ask("Alice", "Steve", Things(ITEMS), WORLD), request)
    assert not isinstance(handed, Unclear)
    assert [(one.command, dict(one.fields)) for one in handed] == [
        hand("oak_log", 3, to),
        hand("bread", 2, to),
        hand("stone_axe", 1, to),
    ]


def test_who_carries_nothing_says_so_and_all_but_something_is_not_guessed() -> None:
    ask = Ask("Alice", "Steve", Things(ITEMS), replace(WORLD, items=()))
    assert [told(why, "en") for why in read(ask, ["give me everything"]).unclear] == [
        "I carry nothing."
    ]
    assert reading_of("give me everything except the bread").requests == ()
