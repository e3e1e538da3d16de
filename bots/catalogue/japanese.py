"""Japanese names of items, blocks and mobs, as players say them, and what their other words name.

They stand in `bots/words/ja.toml`. Most are made of parts, as 鉄 and ツルハシ. What has no name
there goes by its English one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product

from bots.words import table


def japanese_name(item: str) -> str:
    """The name of an item or a block; the English one where it has none here."""
    return japanese_names().get(item) or _older().get(item, item)


def japanese_mob(mob: str) -> str:
    return mob_names().get(mob, mob)


def mob_names() -> Mapping[str, str]:
    """Japanese names of mobs."""
    return table("names.mob", "ja")


@cache
def japanese_names() -> Mapping[str, str]:
    """Japanese names by id, for the items and blocks that have one here."""
    return {**dict(_made_of_parts()), **table("names.item", "ja")}


@cache
def _older() -> Mapping[str, str]:
    """Names of versions before 1.13, and of kinds of which any will do."""
    kinds = (table(f"names.{kind}", "ja") for kind in ("part", "gear", "older"))
    return {name: japanese for names in kinds for name, japanese in names.items()}


def _made_of_parts() -> Iterator[tuple[str, str]]:
    for of, kind in (("material", "gear"), ("tree", "part")):
        for (one, of_it), (its, named) in product(_pairs(of), _pairs(kind)):
            yield f"{one}_{its}", f"{of_it}の{named}"
    for (colour, of), (its, named) in product(_pairs("colour"), _pairs("coloured")):
        yield f"{colour}_{its}", f"{of}色{named}"
    for ore, of in _pairs("ore"):
        yield f"{ore}_ore", f"{of}鉱石"
        yield f"deepslate_{ore}_ore", f"深層{of}鉱石"
    for metal, of in _pairs("metal"):
        yield f"{metal}_block", f"{of}ブロック"
    for stone, of in _pairs("stone"):
        for its, named in (("slab", "ハーフブロック"), ("stairs", "階段"), ("wall", "塀")):
            yield f"{stone}_{its}", f"{of}の{named}"


def _pairs(kind: str) -> list[tuple[str, str]]:
    return list(table(f"names.{kind}", "ja").items())


def in_hiragana(text: str) -> str:
    """The text with katakana turned into hiragana."""
    return "".join(chr(ord(c) - 0x60) if "ァ" <= c <= "ヶ" else c for c in text)


def item_in_japanese(words: str) -> str | None:
    """The item, or the kind of items, of this Japanese name."""
    return japanese_items().get(in_hiragana(words.strip()))


def mob_in_japanese(words: str) -> str | None:
    return japanese_mobs().get(in_hiragana(words.strip()))


@cache
def japanese_items() -> Mapping[str, str]:
    """Items by every Japanese name that is understood, in hiragana."""
    gear, part = _said("gear"), _said("part")
    made: dict[str, str] = {}
    for (of, material), (kind, its) in product(_said("material").items(), gear.items()):
        made[f"{of}{kind}"] = made[f"{of}の{kind}"] = f"{material}_{its}"
    for (of, tree), (kind, its) in product(_said("tree").items(), part.items()):
        made[f"{of}の{kind}"] = f"{tree}_{its}"
    names = {japanese: name for name, japanese in japanese_names().items()}
    named = {**made, **gear, **part, **names, **table("names.said_item", "ja")}
    return {in_hiragana(japanese): name for japanese, name in named.items()}


@cache
def japanese_mobs() -> Mapping[str, str]:
    """Mobs by every Japanese name that is understood, in hiragana."""
    return {in_hiragana(japanese): name for japanese, name in _said("mob").items()}


def _said(kind: str) -> dict[str, str]:
    """From names, and other words for the same, to ids."""
    names = {japanese: name for name, japanese in _pairs(kind)}
    others = dict(_pairs(f"said_{kind}"))
    return {**names, **others} if kind == "mob" else {**others, **names}
