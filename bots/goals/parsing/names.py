"""Looks up item and block names of a version; suggests names for words that are none."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Protocol

from bots.goals.parsing.refusals import GoalRefused, RefusalReason, quoted
from bots.text import suggest
from bots.text.spelling import plain

SUGGESTED = 3
_SYNONYMS = {"wood": "log", "tree": "log", "leaf": "leaves", "armor": "chestplate"}
_COMMON = ("oak_", "wooden_", "stone_", "iron_", "white_", "coal_")


class Names(Protocol):
    """The names of one version of Minecraft; a Domain has them."""

    @property
    def version(self) -> str: ...
    @property
    def items(self) -> AbstractSet[str]: ...
    @property
    def blocks(self) -> AbstractSet[str]: ...
    @property
    def animals(self) -> AbstractSet[str]: ...


def item_named(word: str, names: Names) -> str:
    """The item of exactly this name. Raises GoalRefused for categories and unknown names."""
    name = plain(word)
    if name in names.items:
        return name
    if name in names.blocks:
        raise _other_kind(word, "item", names.items)
    raise _category(word, names.items) or _unknown("item", word, names.version, names.items)


def block_named(word: str, names: Names) -> str:
    """The block of exactly this name. Raises GoalRefused for categories and unknown names."""
    name = plain(word)
    if name in names.blocks:
        return name
    if name in names.items:
        raise _other_kind(word, "block", names.blocks)
    raise _category(word, names.blocks) or _unknown("block", word, names.version, names.blocks)


def near_named(word: str, names: Names) -> str:
    """The block or animal of exactly this name. Raises GoalRefused as `block_named` does."""
    name = plain(word)
    return name if name in names.animals else block_named(word, names)


def _category(word: str, names: AbstractSet[str]) -> GoalRefused | None:
    members = _members(plain(word).removeprefix("category."), names)
    if not members:
        return None
    shown = members[:SUGGESTED]
    listed = f"{', '.join(shown)}, …" if len(members) > len(shown) else ", ".join(shown)
    sentence = f"{quoted(word)} is a category of {len(members)} things. Name one: {listed}."
    return GoalRefused("category", sentence, *shown)


def _members(word: str, names: AbstractSet[str]) -> list[str]:
    """Names that end in this word, singular or plural; a category has at least two."""
    single = word.removesuffix("s")
    asked = _SYNONYMS.get(single, word)
    endings = tuple(f"_{one}" for one in (asked, f"{asked}s", asked.removesuffix("s")) if one)
    found = [name for name in names if name.endswith(endings)]
    return sorted(found, key=_commonest_first) if len(found) > 1 else []


def _commonest_first(name: str) -> tuple[int, str]:
    rank = next((n for n, start in enumerate(_COMMON) if name.startswith(start)), len(_COMMON))
    return rank, name


def _other_kind(word: str, what: str, names: AbstractSet[str]) -> GoalRefused:
    kind = "a block, not of an item" if what == "item" else "an item, not of a block"
    near = suggest.similar(plain(word), names, SUGGESTED)
    sentence = f"{quoted(word)} is the name of {kind}.{suggest.as_sentence(near)}"
    return GoalRefused(_reason(what), sentence, *near)


def _unknown(what: str, word: str, version: str, names: AbstractSet[str]) -> GoalRefused:
    near = suggest.similar(plain(word), names, SUGGESTED)
    sentence = f"Minecraft {version} has no {what} {quoted(word)}.{suggest.as_sentence(near)}"
    return GoalRefused(_reason(what), sentence, *near)


def _reason(what: str) -> RefusalReason:
    return "unknown_item" if what == "item" else "unknown_block"
