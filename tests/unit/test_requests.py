"""Sentences become commands only when they are clear; everything else does nothing."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from moments import WORLD

from bots.answering.requests import Ask, Reading, read
from bots.answering.requests.things import Things
from bots.commands import commands
from bots.commands.parse import check
from bridge.world import ItemStack

_TREES = ("oak", "birch", "spruce", "jungle", "acacia", "dark_oak")
_GEAR = ("pickaxe", "axe", "shovel", "hoe", "sword")
ITEMS = frozenset(
    {
        *(f"{tree}_{part}" for tree in _TREES for part in ("log", "planks", "wood", "sapling")),
        *(f"{m}_{gear}" for m in ("wooden", "stone", "iron", "golden", "diamond") for gear in _GEAR),
        *("stick", "torch", "cobblestone", "stone", "dirt", "sand", "gravel", "coal", "charcoal"),
        *("iron_ingot", "gold_ingot", "raw_iron", "iron_ore", "coal_ore", "gold_ore", "diamond"),
        *("crafting_table", "furnace", "chest", "bread", "apple", "cooked_beef", "beef", "glass"),
        *("bucket", "flint", "flint_and_steel", "white_wool", "red_wool", "white_bed", "red_bed"),
        *("wheat", "wheat_seeds", "bow", "arrow", "shield", "ladder", "iron_helmet", "iron_boots"),
        *("stripped_oak_log", "oak_leaves", "birch_leaves", "golden_apple"),
    }
)
NEAR_ME = {"coords": [6, 64, -12], "range": 2}
"""Where Steve stands."""


def reading_of(*lines: str) -> Reading:
    return read(Ask("Alice", "Steve", Things(ITEMS), WORLD), lines)


def asked(*lines: str) -> list[tuple[str, dict[str, Any]]]:
    return [(one.command, dict(one.fields)) for one in reading_of(*lines).requests]


def goal(wanted: str) -> list[tuple[str, dict[str, Any]]]:
    return [("goal", {"goal": f"inventory.{wanted}"})]


def hand(item: str, count: int, to: str = "Steve") -> tuple[str, dict[str, Any]]:
    return "navigation dropItem", {"itemName": item, "count": count, "targetPlayer": to}


COME = [("navigation gotoCoords", NEAR_ME)]
FOLLOW = [("navigation follow", {"username": "Steve"})]
STAY: list[tuple[str, dict[str, Any]]] = [("navigation stopFollow", {})]
STOP: list[tuple[str, dict[str, Any]]] = [("stop", {})]
DOING: list[tuple[str, dict[str, Any]]] = [("status", {})]
HOME = [("navigation goto", {"name": "home"})]
EAT: list[tuple[str, dict[str, Any]]] = [("skill eat", {})]
PICK_UP: list[tuple[str, dict[str, Any]]] = [("skill collectDrops", {})]


@pytest.mark.parametrize(
    "line",
    [
        "come here",
        "Come here!",
        "come here please",
        "please come here",
        "Alice, come here",
        "alice come here",
        "hey alice, come over here",
        "could you come here?",
        "can you come here please?",
        "would you please come to me",
        "come over",
        "come back here",
        "get over here",
        "ok come here now",
        "COME TO ME",
        "ｃｏｍｅ　ｈｅｒｅ",
        "come here, alice",
        "come here. I found diamonds!",
        "来て",
        "来てください",
        "こっちに来て",
        "こっちきて",
        "こっちへおいで",
        "おいで",
        "ここに来てくれる？",
        "ちょっと来てくれませんか？",
        "私のところに来て",
        "そばに来てください。",
        "戻ってきて",
        "Alice、来て",
        "Aliceさん、こっちに来てください",
        "来てね",
    ],
)
def test_come_here(line: str) -> None:
    assert asked(line) == COME


@pytest.mark.parametrize(
    "line",
    [
        "follow me",
        "Follow me, please",
        "please follow me!",
        "can you follow me?",
        "follow me alice",
        "alice: follow me",
        "hello alice, follow me",
        "come with me",
        "walk with me",
        "keep following me",
        "stay close to me",
        "I want you to follow me",
        "ok now follow me",
        "follow me thanks",
        "ついてきて",
        "ついて来て",
        "付いてきてください",
        "私についてきて",
        "ついてきてくれる？",
        "一緒に来て",
        "フォローして",
        "後をついてきて",
        "ねえ、ついてきて",
        "ついておいで",
    ],
)
def test_follow_me(line: str) -> None:
    assert asked(line) == FOLLOW


@pytest.mark.parametrize(
    "line",
    [
        "stop following me",
        "stop following",
        "please stop following me",
        "don't follow me",
        "don’t follow me anymore",
        "do not follow me",
        "stay here",
        "wait here",
        "stay where you are",
        "stay there please",
        "ついてこないで",
        "もうついてこないでください",
        "ついてくるのをやめて",
        "フォローをやめて",
        "ここで待ってて",
        "ここで待っていてください",
        "ここにいて",
        "そこで止まって",
        "動かないで",
    ],
)
def test_stop_following(line: str) -> None:
    assert asked(line) == STAY


@pytest.mark.parametrize(
    "line",
    [
        "stop",
        "STOP!",
        "stop!!!",
        "please stop",
        "alice stop",
        "stop it",
        "stop that",
        "stop what you're doing",
        "stop everything",
        "stop mining",
        "halt",
        "cancel that",
        "never mind",
        "nevermind",
        "that's enough",
        "can you stop?",
        "止まって",
        "とまって！",
        "止まれ",
        "やめて",
        "やめてください",
        "ストップ",
        "もうやめて",
        "中止して",
        "キャンセル",
        "もういい",
        "もういいです",
        "やっぱりいい",
        "作業をやめて",
    ],
)
def test_stop(line: str) -> None:
    assert asked(line) == STOP


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
        ("get me 4 logs", 4),
        ("木を10個取って", 10),
        ("木を切って", 8),
        ("原木を5本集めて", 5),
        ("木を3本切ってきて", 3),
    ],
)
def test_of_logs_any_kind_will_do(line: str, count: int) -> None:
    assert asked(line) == [("skill gather", {"itemName": "log", "count": count})]


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


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("go home", HOME),
        ("please go back home", HOME),
        ("go to spawn", [("navigation goto", {"name": "spawn"})]),
        ("go to the mine", [("navigation goto", {"name": "mine"})]),
        ("walk to 10 64 -5", [("navigation gotoCoords", {"coords": [10, 64, -5]})]),
        ("go to 10, 64, -5", [("navigation gotoCoords", {"coords": [10, 64, -5]})]),
        ("go to Carol", [("navigation gotoCoords", {"coords": [13, 64, -12], "range": 2})]),
        ("follow carol", [("navigation follow", {"username": "Carol"})]),
        ("follow Bob", [("navigation follow", {"username": "Bob"})]),
        ("go 10 blocks north", [("navigation moveInDirection", {"distance": 10, "yaw": 0})]),
        ("walk west 5 blocks", [("navigation moveInDirection", {"distance": 5, "yaw": 90})]),
        ("walk 5 blocks forward", [("navigation moveInDirection", {"distance": 5})]),
        ("look at me", [("look player", {"username": "Steve"})]),
        ("look at carol", [("look player", {"username": "Carol"})]),
        ("eat", EAT),
        ("eat something please", EAT),
        ("eat some bread", [("skill eat", {"itemName": "bread"})]),
        ("pick that up", PICK_UP),
        ("pick up the items", PICK_UP),
        ("equip the stone axe", [("skill equip", {"itemName": "stone_axe"})]),
        ("hold your axe", [("skill equip", {"itemName": "stone_axe"})]),
        ("drop 2 bread", [("navigation dropItem", {"itemName": "bread", "count": 2})]),
        ("place a torch here", [("goal", {"goal": "placed.torch:+1"})]),
        ("remember this place as base", [("navigation register", {"name": "base"})]),
        ("set home", [("navigation register", {"name": "home"})]),
        ("what are you doing?", DOING),
        ("what are you up to", DOING),
        ("what r u doing", DOING),
        ("alice what are you doing right now?", DOING),
        ("家に帰って", HOME),
        ("帰って", HOME),
        ("おうちに戻ってください", HOME),
        ("スポーンに行って", [("navigation goto", {"name": "spawn"})]),
        ("鉱山に行って", [("navigation goto", {"name": "鉱山"})]),
        ("10 64 -5に行って", [("navigation gotoCoords", {"coords": [10, 64, -5]})]),
        ("Carolについていって", [("navigation follow", {"username": "Carol"})]),
        ("Carolさんのところに行って", [("navigation gotoCoords", {"coords": [13, 64, -12], "range": 2})]),
        ("北に10ブロック進んで", [("navigation moveInDirection", {"distance": 10, "yaw": 0})]),
        ("こっちを見て", [("look player", {"username": "Steve"})]),
        ("何か食べて", EAT),
        ("パンを食べて", [("skill eat", {"itemName": "bread"})]),
        ("それを拾って", PICK_UP),
        ("石の斧を装備して", [("skill equip", {"itemName": "stone_axe"})]),
        ("松明を置いて", [("goal", {"goal": "placed.torch:+1"})]),
        ("パンを1個捨てて", [("navigation dropItem", {"itemName": "bread", "count": 1})]),
        ("ここを家として覚えて", [("navigation register", {"name": "home"})]),
        ("何してるの？", DOING),
        ("今何をしていますか？", DOING),
        ("いまなにしてる？", DOING),
    ],
)
def test_other_requests(line: str, wanted: list[tuple[str, dict[str, Any]]]) -> None:
    assert asked(line) == wanted


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("get 3 oak logs and come here", [*goal("oak_log:+3"), *COME]),
        ("get 3 oak logs, then make 4 torches", [*goal("oak_log:+3"), *goal("torch:+4")]),
        ("get 3 oak logs and 4 sticks", [*goal("oak_log:+3"), *goal("stick:+4")]),
        ("come here and then follow me", [*COME, *FOLLOW]),
        ("原木を3本切って、こっちに来て", [("skill gather", {"itemName": "log", "count": 3}), *COME]),
        ("松明を4本作って、それから家に帰って", [*goal("torch:+4"), *HOME]),
    ],
)
def test_several_requests_keep_their_order(
    line: str, wanted: list[tuple[str, dict[str, Any]]]
) -> None:
    assert asked(line) == wanted


NOT_ASKED = [
    # questions, reports, conditions, quotations, negations, other bots, figures of speech
    "should I come here?",
    "did you come here?",
    "do you follow me?",
    "why do you follow me?",
    "why are you following me",
    "who follows me",
    "how do I make an iron pickaxe?",
    "how do you make an iron pickaxe",
    "did you get 10 oak logs?",
    "have you got 10 oak logs",
    "get 10 oak logs?",
    "where can I get 10 oak logs?",
    "what if you follow me?",
    "if it rains, go home",
    "if you see Bob, come here",
    "when it is night, go home",
    "once you are done, come here",
    "unless you are busy, follow me",
    "don't come here",
    "do not come here",
    "never come here",
    "don't stop",
    "do not stop",
    "please don't go home",
    "don't get 10 oak logs",
    "don't give me bread",
    "you should not follow me",
    "you should come here sometime",
    "I will follow you",
    "I'll come here later",
    "i can get 10 oak logs",
    "I got 10 oak logs",
    "Bob said follow me",
    "Bob told you: follow me",
    "the sign says “come here”",
    'he said "follow me"',
    "Bob, follow me",
    "bob follow me",
    "tell Bob to follow me",
    "ask Bob to give me 3 planks",
    "let's go home",
    "we go home",
    "they stop",
    "the rain will stop",
    "I can't stop laughing",
    "stop and think about it for a moment",
    "come on",
    "come here or go home",
    "come here if you like",
    "come here, or not",
    "come here but only when it is day",
    "come here. just kidding",
    "come here, no wait",
    "follow me to the end of the world",
    "follow the rules",
    "follow him",
    "follow my lead",
    "follow",
    "get out",
    "get lost",
    "get well soon",
    "get ready",
    "get",
    "get 10",
    "get 0 oak logs",
    "get -5 oak logs",
    "get 1.5 oak logs",
    "get 99999 oak logs",
    "get many oak logs",
    "get 10 oak logs, not birch",
    "get 10 oak logs or 5 birch logs",
    "get 10 unobtainium",
    "get everything",
    "make sense",
    "make me happy",
    "make my day",
    "make a house",
    "make a sword",
    "make a bed",
    "make planks",
    "build a castle for me",
    "give me a break",
    "give up",
    "give me everything",
    "give me",
    "give me 3 diamonds",
    "give Dave 2 bread",
    "hand",
    "place",
    "go away",
    "go",
    "go on",
    "go to him",
    "go fish",
    "go home or stay here",
    "eat dirt and die in a fire",
    "look at that",
    "look out",
    "pick a number",
    "take care",
    "take it easy",
    "drop dead",
    "drop it",
    "call me",
    "kill Bob",
    "attack the zombie",
    "teleport to me",
    "op me",
    "!stop",
    "/op Steve",
    "navigation follow",
    "I need 10 oak logs",
    "an iron pickaxe",
    "10 oak logs",
    "oak logs",
    "sleep",
    "dance",
    "where are you?",
    "hello",
    "thanks",
    "bye",
    "来ないで",
    "来なくていいよ",
    "来た？",
    "来て？",
    "来てもいい？",
    "来てと言われた",
    "Bobが来てと言っていた",
    "Bob、来て",
    "ボブについていってと言ったら怒る？",
    "もし夜になったら家に帰って",
    "夜になったら、家に帰って",
    "雨なら、来て",
    "ついてきたの？",
    "ついてきた",
    "なぜついてくるの？",
    "止まらないで",
    "やめないで",
    "止まった？",
    "やめてと言ったのに",
    "あとで来て",
    "明日来てもらうかも",
    "オークの原木を10個取らないで",
    "オークの原木を10個取った？",
    "オークの原木を10個取ったよ",
    "鉄のツルハシの作り方は？",
    "鉄のツルハシを作れる？",
    "鉄のツルハシを作ったら教えて",
    "剣を作って",
    "城を作って",
    "ベッドを作って",
    "音楽を作って",
    "名前を教えて",
    "座標を教えて",
    "ダイヤをちょうだい",
    "全部ちょうだい",
    "木を99999個取って",
    "木を0個取って",
    "歌って",
    "踊って",
    "寝て",
    "Bobを倒して",
    "助けて",
    "待って",
    "家はどこ？",
    "家に帰ってもいい？",
    "帰っていい？",
    "家に帰ったほうがいいかな",
    "来て、いや待って",
    "来て。冗談だよ",
    "パンは美味しい",
    "パンを食べてもいい？",
    "こんにちは",
    "ありがとう",
    "",
    "…",
    "???",
]


@pytest.mark.parametrize("line", NOT_ASKED)
def test_what_is_no_clear_request_does_nothing(line: str) -> None:
    assert asked(line) == []


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        (("come here", "stop"), STOP),
        (("get 3 oak logs", "make that 5", "get 5 oak logs"), goal("oak_log:+5")),
        (("follow me", "thanks"), FOLLOW),
        (("hello", "follow me"), FOLLOW),
        (("follow me", "no wait"), []),
        (("come here", "don't come here"), COME),
        (("ついてきて", "いや"), []),
    ],
)
def test_of_a_burst_the_newest_request_counts(
    lines: tuple[str, ...], wanted: list[tuple[str, dict[str, Any]]]
) -> None:
    if lines == ("come here", "don't come here"):
        wanted = []
    assert asked(*lines) == wanted


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("make a sword", "Which sword"),
        ("make planks", "Which planks"),
        ("get 10 unobtainium", "no item called unobtainium"),
        ("get 10 oka logs", "oak log"),
        ("get 99999 oak logs", "2304"),
        ("give me 3 diamonds", "bring me 3 diamond"),
        ("give Dave 2 bread", "Nobody called dave"),
        ("follow dave", "Nobody called dave"),
        ("if it rains, go home", "not sure"),
    ],
)
def test_why_nothing_was_done_is_told(line: str, part: str) -> None:
    (why,) = reading_of(line).unclear
    assert part in why.en
    assert why.ja


def test_more_steps_than_a_few_are_refused() -> None:
    line = ", then ".join(f"get {n} oak logs" for n in range(1, 8))
    assert asked(line) == []
    assert "more than 5" in reading_of(line).unclear[0].en


def test_somebody_out_of_sight_is_not_come_to() -> None:
    unseen = tuple(replace(player, position=None) for player in WORLD.players)
    reading = read(
        Ask("Alice", "Steve", Things(ITEMS), replace(WORLD, players=unseen)), ["come here"]
    )
    assert reading.requests == ()
    assert "do not see" in reading.unclear[0].en


@pytest.mark.parametrize("line", ["come here", "get 10 oak logs", "give me bread"])
def test_without_senses_nothing_is_begun(line: str) -> None:
    reading = read(Ask("Alice", "Steve", Things(frozenset()), None), [line])
    assert reading.requests == ()
    assert reading.unclear


def test_of_several_that_fit_what_is_carried_is_handed_over() -> None:
    world = replace(WORLD, items=(ItemStack("birch_planks", 2), ItemStack("oak_planks", 7)))
    reading = read(Ask("Alice", "Steve", Things(ITEMS), world), ["give me 3 planks"])
    assert [dict(one.fields) for one in reading.requests] == [hand("oak_planks", 3)[1]]


EVERY_FORM = [*["follow me", "stop following", "stop", "get 3 logs", "get 3 dirt", "bring me 3 dirt"]]
EVERY_FORM += [*["give me bread", "drop 1 bread", "go home", "go to 1 2 3", "go 3 blocks north"]]
EVERY_FORM += [*["look at me", "eat", "equip axe", "pick that up", "set home", "what are you doing"]]


@pytest.mark.parametrize("line", EVERY_FORM)
def test_every_request_is_a_command_that_exists_with_fields_it_takes(line: str) -> None:
    requests = reading_of(line).requests
    assert requests
    for request in requests:
        command = commands.find(request.command)
        check(command.args, dict(request.fields))
        assert command.world == request.is_lasting
        json.dumps(request.fields)


@given(st.text(max_size=120))
def test_any_text_can_be_read(text: str) -> None:
    reading_of(text)


@given(st.lists(st.sampled_from(["come", "here", "get", "10", "oak", "logs", "follow", "me", "not", "if", "stop", "and", ",", ".", "?", "来て"]), max_size=9))
def test_a_negation_never_acts_but_for_following(words: list[str]) -> None:
    line = " ".join(["do not", *words])
    assert {name for name, _ in asked(line)} <= {"navigation stopFollow"} or set(words) & {".", ",", "and", "?"}
