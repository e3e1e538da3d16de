"""Counts of items and names of things in words, English and Japanese."""

from __future__ import annotations

from collections.abc import Sequence

from bots.catalogue.japanese import japanese_name
from bots.text.language import Language
from bots.text.plurals import counted

NAMED = 4  # things named in one sentence


def item(name: str, count: int, language: Language) -> str:
    if language == "ja":
        return f"{japanese_name(name)}×{count}"
    return counted(count, thing(name, "en"))


def thing(name: str, language: Language) -> str:
    """An item or a block as one says it."""
    return japanese_name(name) if language == "ja" else name.replace("_", " ")


def any_of(names: Sequence[str], count: int, language: Language) -> str:
    """So many of some items any of which will do: `3 planks`, `1 coal or charcoal`."""
    kinds = {name.rpartition("_")[2] for name in names}
    if len(kinds) == 1:
        return item(names[0] if len(names) == 1 else kinds.pop(), count, language)
    plainest = sorted(names, key=len)
    if language == "ja":
        others = f"か{japanese_name(plainest[1])}" if len(names) == 2 else "など"
        return f"{japanese_name(plainest[0])}{others}×{count}"
    others = thing(plainest[1], "en") if len(names) == 2 else "its like"
    return f"{item(plainest[0], count, 'en')} or {others}"


def listed(words: Sequence[str], language: Language, joint: str = "") -> str:
    """Words one after another, the last two joined by `joint`, or as the language joins them."""
    if language == "ja":
        return (joint or "、").join(words)
    return f" {joint or 'and'} ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def few(words: Sequence[str], language: Language) -> str:
    """The first few of them, and how many more there are."""
    more = len(words) - NAMED
    if more <= 0:
        return listed(words, language)
    rest = f"ほか{more}種類" if language == "ja" else f"{more} more"
    return listed([*words[:NAMED], rest], language)
