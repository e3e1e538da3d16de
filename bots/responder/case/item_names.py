"""Names people use for items: Japanese ones, and words for whole groups."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_JAPANESE: dict[str, str] = {
    "oak_log": "オークの原木",
    "birch_log": "シラカバの原木",
    "spruce_log": "トウヒの原木",
    "jungle_log": "ジャングルの原木",
    "oak_planks": "オークの板材",
    "birch_planks": "シラカバの板材",
    "spruce_planks": "トウヒの板材",
    "stick": "棒",
    "crafting_table": "作業台",
    "furnace": "かまど",
    "chest": "チェスト",
    "torch": "松明",
    "dirt": "土",
    "sand": "砂",
    "gravel": "砂利",
    "stone": "石",
    "cobblestone": "丸石",
    "coal": "石炭",
    "charcoal": "木炭",
    "iron_ore": "鉄鉱石",
    "raw_iron": "鉄の原石",
    "iron_ingot": "鉄インゴット",
    "gold_ingot": "金インゴット",
    "diamond": "ダイヤモンド",
    "redstone": "レッドストーン",
    "emerald": "エメラルド",
    "wooden_pickaxe": "木のツルハシ",
    "stone_pickaxe": "石のツルハシ",
    "iron_pickaxe": "鉄のツルハシ",
    "diamond_pickaxe": "ダイヤのツルハシ",
    "wooden_axe": "木の斧",
    "stone_axe": "石の斧",
    "iron_axe": "鉄の斧",
    "wooden_sword": "木の剣",
    "stone_sword": "石の剣",
    "iron_sword": "鉄の剣",
    "diamond_sword": "ダイヤの剣",
    "bread": "パン",
    "apple": "リンゴ",
    "wheat": "小麦",
    "wheat_seeds": "小麦の種",
    "egg": "卵",
    "beef": "生の牛肉",
    "cooked_beef": "ステーキ",
    "porkchop": "生の豚肉",
    "cooked_porkchop": "焼き豚",
    "leather": "革",
    "string": "糸",
    "bone": "骨",
    "arrow": "矢",
    "bow": "弓",
    "bucket": "バケツ",
    "water_bucket": "水入りバケツ",
    "glass": "ガラス",
}
_WORDS: dict[str, str] = {
    # word: pattern of the item ids it stands for
    "food": r"bread|apple|cooked_.*|baked_potato|carrot|melon_slice|cookie|.*_stew|porkchop|beef",
    "食べ物": r"bread|apple|cooked_.*|baked_potato|carrot|melon_slice|cookie|.*_stew",
    "wood": r".*_(?:log|wood|planks)|stick",
    "木": r".*_(?:log|wood|planks)",
    "木材": r".*_(?:log|wood|planks)",
    "原木": r".*_log",
    "板材": r".*_planks",
    "tool": r".*_(?:pickaxe|axe|shovel|hoe)|shears",
    "道具": r".*_(?:pickaxe|axe|shovel|hoe)|shears",
    "weapon": r".*_(?:sword|axe)|bow|crossbow|trident",
    "武器": r".*_(?:sword|axe)|bow|crossbow|trident",
    "armor": r".*_(?:helmet|chestplate|leggings|boots)|shield",
    "armour": r".*_(?:helmet|chestplate|leggings|boots)|shield",
    "防具": r".*_(?:helmet|chestplate|leggings|boots)|shield",
    "pick": r".*_pickaxe",
    "つるはし": r".*_pickaxe",
    "ツルハシ": r".*_pickaxe",
    "剣": r".*_sword",
    "斧": r".*_axe",
    "鉄": r"(?:raw_)?iron(?:_ingot|_ore)?",
    "金": r"(?:raw_)?gold(?:_ingot|_ore)?",
    "ダイヤ": r"diamond",
    "りんご": r"apple",
    "肉": r"(?:cooked_)?(?:beef|porkchop|chicken|mutton|rabbit)",
}


def japanese_name(item: str) -> str:
    return _JAPANESE.get(item, item)


def japanese_names() -> Mapping[str, str]:
    """Japanese names by item id, for the items that have one here."""
    return _JAPANESE


def meant_by(words: str, items: Iterable[str]) -> list[str]:
    """The items that these words name: by id, part of an id, group, or Japanese name."""
    return [item for item in items if _is_called(words.strip(), item)]


def _is_called(words: str, item: str) -> bool:
    group = _WORDS.get(words) or _WORDS.get(words.removesuffix("s"))
    if group is not None and re.fullmatch(group, item):
        return True
    if words in _JAPANESE.get(item, ""):
        return True
    parts = {_singular(part) for part in item.split("_")}
    return {_singular(word) for word in re.split(r"[ _]", words)} <= parts


def _singular(word: str) -> str:
    return word.removesuffix("s")
