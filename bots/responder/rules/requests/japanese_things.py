"""Items by Japanese names: whole names, and names made of a material and a kind."""

from __future__ import annotations

from bots.responder.case.item_names import japanese_names

_MATERIALS = {
    "木": "wooden",
    "石": "stone",
    "丸石": "stone",
    "鉄": "iron",
    "金": "golden",
    "ダイヤ": "diamond",
    "ダイヤモンド": "diamond",
    "革": "leather",
    "皮": "leather",
}
_GEAR = {
    "ツルハシ": "pickaxe",
    "ピッケル": "pickaxe",
    "斧": "axe",
    "おの": "axe",
    "シャベル": "shovel",
    "スコップ": "shovel",
    "クワ": "hoe",
    "鍬": "hoe",
    "剣": "sword",
    "けん": "sword",
    "ヘルメット": "helmet",
    "兜": "helmet",
    "胸当て": "chestplate",
    "チェストプレート": "chestplate",
    "鎧": "chestplate",
    "レギンス": "leggings",
    "ズボン": "leggings",
    "ブーツ": "boots",
    "靴": "boots",
}
_TREES = {
    "オーク": "oak",
    "樫": "oak",
    "シラカバ": "birch",
    "白樺": "birch",
    "トウヒ": "spruce",
    "ジャングル": "jungle",
    "アカシア": "acacia",
    "ダークオーク": "dark_oak",
}
_PARTS = {
    "原木": "log",
    "丸太": "log",
    "木": "log",
    "木材": "planks",
    "板材": "planks",
    "板": "planks",
    "苗木": "sapling",
    "葉": "leaves",
    "葉っぱ": "leaves",
    "ドア": "door",
    "フェンス": "fence",
    "柵": "fence",
    "ボート": "boat",
    "ハーフブロック": "slab",
    "階段": "stairs",
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


def in_hiragana(text: str) -> str:
    """The text with katakana turned into hiragana."""
    return "".join(chr(ord(c) - 0x60) if "ァ" <= c <= "ヶ" else c for c in text)


def item_in_japanese(words: str) -> str | None:
    """The item, or the kind of items, of this Japanese name."""
    return _NAMES.get(in_hiragana(words.strip()))


def _all() -> dict[str, str]:
    gear = {f"{m}の{k}": f"{_MATERIALS[m]}_{_GEAR[k]}" for m in _MATERIALS for k in _GEAR}
    close = {f"{m}{k}": f"{_MATERIALS[m]}_{_GEAR[k]}" for m in _MATERIALS for k in _GEAR}
    trees = {f"{t}の{p}": f"{_TREES[t]}_{_PARTS[p]}" for t in _TREES for p in _PARTS}
    whole = {japanese: name for name, japanese in japanese_names().items()}
    every = {**trees, **close, **gear, **_GEAR, **whole, **_OTHERS}
    return {in_hiragana(japanese): name for japanese, name in every.items()}


_NAMES = _all()
