"""Words people use for the items that are carried: for one, or for whole groups."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bots.catalogue.japanese import japanese_names

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


def meant_by(words: str, items: Iterable[str]) -> list[str]:
    """The items that these words name: by id, part of an id, group, or Japanese name."""
    return [item for item in items if _is_called(words.strip(), item)]


def _is_called(words: str, item: str) -> bool:
    group = _WORDS.get(words) or _WORDS.get(words.removesuffix("s"))
    if group is not None and re.fullmatch(group, item):
        return True
    if words in japanese_names().get(item, ""):
        return True
    parts = {_singular(part) for part in item.split("_")}
    return {_singular(word) for word in re.split(r"[ _]", words)} <= parts


def _singular(word: str) -> str:
    return re.sub(r"(?<=ch)es$|(?<=sh)es$|(?<=x)es$|s$", "", word)
