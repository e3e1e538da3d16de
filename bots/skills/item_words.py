"""Turns a player's words into names of blocks and items of the server's version."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bots.catalogue.japanese import item_in_japanese
from bots.errors import CommandError
from bots.text import suggest
from bots.text.spelling import plain
from bridge.catalogue import Catalogue

SUGGESTED = 3

_CATEGORIES = {
    "log": r"(?!stripped_)\w+_log|(crimson|warped)_stem",
    "planks": r"\w+_planks",
    "leaves": r"\w+_leaves",
    "sapling": r"\w+_sapling",
    "ore": r"\w+_ore",
    "wool": r"\w+_wool",
    "flower": r"dandelion|poppy|blue_orchid|allium|azure_bluet|\w+_tulip|oxeye_daisy|cornflower"
    r"|lily_of_the_valley",
}
_KINDS_OF_GEAR = (
    *("pickaxe", "axe", "shovel", "hoe", "sword"),
    *("helmet", "chestplate", "leggings", "boots"),
)
_SPELLINGS = {"wood": "log", "tree": "log", "plank": "planks", "leaf": "leaves"}


def categories_of(name: str) -> tuple[str, ...]:
    """The categories a block belongs to, by its name."""
    return tuple(kind for kind, names in _CATEGORIES.items() if re.fullmatch(names, name))


def block_names(catalogue: Catalogue, word: str) -> tuple[str, ...]:
    """The block of this name, or those of a category. Raises CommandError unknown_block."""
    return _named(word, catalogue.blocks, "block", _CATEGORIES)


def item_names(catalogue: Catalogue, word: str) -> tuple[str, ...]:
    """The item of this name, or those of a category. Raises CommandError unknown_item."""
    gear = {kind: rf"\w+_{kind}" for kind in _KINDS_OF_GEAR}
    return _named(word, catalogue.items, "item", {**_CATEGORIES, **gear})


def item_name(catalogue: Catalogue, word: str) -> str:
    """The one item of this name. Raises CommandError unknown_item."""
    name = item_in_japanese(word) or plain(word)
    if name in catalogue.items:
        return name
    raise unknown("item", word, catalogue.items)


def unknown(what: str, word: str, names: Iterable[str]) -> CommandError:
    """The error for an unknown name, with similar names."""
    nearest = suggest.similar(plain(word), names, SUGGESTED)
    sentence = f"There is no {what} {plain(word)[:40]}.{suggest.as_sentence(nearest)}"
    return CommandError(f"unknown_{what}", sentence, nearest=nearest)


def _named(
    word: str, names: Iterable[str], what: str, categories: dict[str, str]
) -> tuple[str, ...]:
    name, known = item_in_japanese(word) or plain(word), list(names)
    if name in known:
        return (name,)
    pattern = _category(name, categories)
    found = tuple(one for one in known if pattern and re.fullmatch(pattern, one))
    if not found:
        raise unknown(what, word, [*known, *categories])
    return found


def _category(name: str, categories: dict[str, str]) -> str | None:
    spelt = (name, _SPELLINGS.get(name, ""), name.removesuffix("s"))
    meant = (*spelt, _SPELLINGS.get(spelt[2], ""))
    return next((categories[one] for one in meant if one in categories), None)
