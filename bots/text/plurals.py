"""English plurals of things that can be counted: torches, wolves; sand has none."""

from __future__ import annotations

import re

_WORDS = """
air andesite armor ash bamboo basalt beef blackstone bread calcite cement charcoal clay coal
cobblestone cod concrete copper coral cream debris deepslate diorite dirt dripstone dust elytra
experience fish flesh flint food fruit glass glowstone gold granite grass gravel gunpowder honey
ice iron ivy kelp lava lazuli leather magma meal milk moss mud mutton mycelium netherite
netherrack nylium obsidian ore paper podzol powder prismarine purpur quartz redstone salmon sand
sandstone scaffolding sculk sheep snow soil squid steel stone string sugar terracotta tnt tuff
water wheat wood wool
"""
_UNCOUNTED = frozenset(_WORDS.split())
"""Words that stay as they are, whatever their number."""
_NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_IRREGULAR = {"leaf": "leaves", "wolf": "wolves", "shelf": "shelves", "bookshelf": "bookshelves"}
_WITH_ES = re.compile(r"(?:ch|sh|x|z|potato|tomato)$")
_WITH_IES = re.compile(r"[^aeiou]y$")


def plural(words: str) -> str:
    """`oak log` → `oak logs`; only the last word changes."""
    before, blank, last = words.rpartition(" ")
    if last in _UNCOUNTED or last.endswith("s"):
        return words
    if last in _IRREGULAR:
        return f"{before}{blank}{_IRREGULAR[last]}"
    if last.endswith("man"):
        return f"{words.removesuffix('man')}men"
    if _WITH_IES.search(last):
        return f"{words[:-1]}ies"
    return f"{words}{'es' if _WITH_ES.search(last) else 's'}"


def counted(count: int, words: str) -> str:
    """`1 torch`, `3 torches`, `5 sand`."""
    return f"{count} {words if count == 1 else plural(words)}"


def with_article(words: str) -> str:
    """`an apple`; plurals take no article."""
    if words.endswith("s"):
        return words
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


def in_words(number: str) -> str:
    """`three` for `3`; digits beyond ten."""
    return dict(enumerate(_NUMBERS)).get(int(number), number)
