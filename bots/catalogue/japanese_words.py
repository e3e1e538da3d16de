"""Items and mobs by Japanese words: their names, other names for them, and names made of parts."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from bots.catalogue.japanese import GEAR, MATERIALS, MOBS, PARTS, TREES, japanese_names

_MORE_MATERIALS = {"丸石": "stone", "ダイヤモンド": "diamond", "皮": "leather"}
_MORE_GEAR = {
    "ピッケル": "pickaxe",
    "おの": "axe",
    "スコップ": "shovel",
    "鍬": "hoe",
    "けん": "sword",
    "兜": "helmet",
    "胸当て": "chestplate",
    "鎧": "chestplate",
    "ズボン": "leggings",
    "靴": "boots",
}
_MORE_TREES = {"樫": "oak", "白樺": "birch", "桜": "cherry"}
_MORE_PARTS = {
    "丸太": "log",
    "木": "log",
    "木材": "planks",
    "板": "planks",
    "葉っぱ": "leaves",
    "柵": "fence",
}
_OTHERS = {
    "木": "log",
    "原木": "log",
    "丸太": "log",
    "木材": "planks",
    "板材": "planks",
    "板": "planks",
    "葉": "leaves",
    "苗木": "sapling",
    "トーチ": "torch",
    "たいまつ": "torch",
    "ダイヤ": "diamond",
    "鉄": "iron_ingot",
    "金": "gold_ingot",
    "鉄インゴット": "iron_ingot",
    "金インゴット": "gold_ingot",
    "スティック": "stick",
    "木の棒": "stick",
    "コブルストーン": "cobblestone",
    "土ブロック": "dirt",
    "砂ブロック": "sand",
    "釜戸": "furnace",
    "竈": "furnace",
    "クラフトテーブル": "crafting_table",
    "作業机": "crafting_table",
    "箱": "chest",
    "林檎": "apple",
    "はしご": "ladder",
    "梯子": "ladder",
    "盾": "shield",
    "ハサミ": "shears",
    "ベッド": "bed",
    "羊毛": "white_wool",
    "種": "wheat_seeds",
    "粘土": "clay_ball",
    "火打石": "flint",
    "看板": "sign",
    "石ハーフ": "stone_slab",
    "樽": "barrel",
    "紙": "paper",
    "本": "book",
    "本棚": "bookshelf",
    "釣り竿": "fishing_rod",
    "ボート": "boat",
    "トロッコ": "minecart",
    "レール": "rail",
    "牛肉": "beef",
    "豚肉": "porkchop",
    "鶏肉": "chicken",
    "にんじん": "carrot",
    "ニンジン": "carrot",
    "じゃがいも": "potato",
    "ジャガイモ": "potato",
}


_OTHER_MOBS = {
    "牛": "cow",
    "豚": "pig",
    "羊": "sheep",
    "鶏": "chicken",
    "にわとり": "chicken",
    "馬": "horse",
    "蜘蛛": "spider",
    "狼": "wolf",
    "猫": "cat",
    "狐": "fox",
    "蜂": "bee",
    "骸骨": "skeleton",
    "スケさん": "skeleton",
    "匠": "creeper",
    "エンダマン": "enderman",
    "エンドラ": "ender_dragon",
    "ゴーレム": "iron_golem",
    "ゾンビピッグマン": "zombified_piglin",
    "ピッグマン": "zombified_piglin",
    "スノーゴーレム": "snow_golem",
    "シュルカー": "shulker",
}


def in_hiragana(text: str) -> str:
    """The text with katakana turned into hiragana."""
    return "".join(chr(ord(c) - 0x60) if "ァ" <= c <= "ヶ" else c for c in text)


def item_in_japanese(words: str) -> str | None:
    """The item, or the kind of items, of this Japanese name."""
    return _ITEMS.get(in_hiragana(words.strip()))


def mob_in_japanese(words: str) -> str | None:
    return _MOBS.get(in_hiragana(words.strip()))


def japanese_items() -> Mapping[str, str]:
    """Items by every Japanese name that is understood, in hiragana."""
    return _ITEMS


def japanese_mobs() -> Mapping[str, str]:
    return _MOBS


def _read(names: Mapping[str, str]) -> dict[str, str]:
    """From a word to a name, where both are listed the other way round."""
    return {japanese: name for name, japanese in names.items()}


def _all() -> dict[str, str]:
    materials, gear = {**_MORE_MATERIALS, **_read(MATERIALS)}, {**_MORE_GEAR, **_read(GEAR)}
    trees, parts = {**_MORE_TREES, **_read(TREES)}, {**_MORE_PARTS, **_read(PARTS)}
    made: dict[str, str] = {}
    for (of, material), (kind, its) in product(materials.items(), gear.items()):
        made[f"{of}{kind}"] = made[f"{of}の{kind}"] = f"{material}_{its}"
    for (of, tree), (part, its) in product(trees.items(), parts.items()):
        made[f"{of}の{part}"] = f"{tree}_{its}"
    named = {**made, **gear, **parts, **_read(japanese_names()), **_OTHERS}
    return {in_hiragana(japanese): name for japanese, name in named.items()}


_ITEMS = _all()
_MOBS = {in_hiragana(name): mob for name, mob in {**_read(MOBS), **_OTHER_MOBS}.items()}
