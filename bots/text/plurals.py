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
    first, blank, last = words.rpartition(" ")
    return f"{first}{blank}{_plural(last)}"


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


def _plural(word: str) -> str:
    if word in _UNCOUNTED or word.endswith("s"):
        return word
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("man"):
        return f"{word.removesuffix('man')}men"
    if _WITH_IES.search(word):
        return f"{word[:-1]}ies"
    return f"{word}{'es' if _WITH_ES.search(word) else 's'}"
