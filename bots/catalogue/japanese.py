"""Names of items, blocks and mobs in other languages, as players say them, and what Japanese words
name.

They stand in `bots/words/`. Most are made of parts, as 鉄 and ツルハシ. What has no name there goes
by its English one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from itertools import product

from bots.text.language import in_hiragana
from bots.words import found, table

_HONORIFIC = re.compile("(?:さん|ちゃん|くん)$")
_MADE = (
    *(("material", "gear"), ("tree", "part"), ("colour", "coloured")),
    *(("ore", "vein"), ("metal", "lump"), ("stone", "shape")),
)
"""Tables of first and second parts."""


def name_in(language: str, item: str) -> str:
    """The name of an item or a block; the English one where it has none there."""
    return _name(language, item.replace(" ", "_")) or item.replace("_", " ")


@cache
def _name(language: str, item: str) -> str | None:
    """The name, if need be with what stands before or behind another one: 磨かれた and 花崗岩."""
    if own := names_in(language).get(item) or _older(language).get(item):
        return own
    for before, joint in _pairs("first", language):
        rest = item.startswith(f"{before}_") and _base(language, item[len(before) + 1 :])
        if rest or (rest is None and "{}" not in joint):
            return joint.format(rest)
    for behind, joint in _pairs("last", language):
        if item.endswith(f"_{behind}") and (rest := _base(language, item[: -len(behind) - 1])):
            return joint.format(rest)
    return None


def _base(language: str, word: str) -> str | None:
    kinds = (table(f"names.{kind}", language).get(word) for kind in ("mob", "tree", "material"))
    return _name(language, word) or next(filter(None, kinds), None)


def mob_in(language: str, mob: str) -> str:
    return table("names.mob", language).get(mob) or mob.replace("_", " ")


@cache
def names_in(language: str) -> Mapping[str, str]:
    """Names by id, for the items and blocks that have one in that language."""
    own: dict[str, str] = {}
    for of, kind in _MADE:
        joint = found(f"names.joint.{kind}", language) or "{}{}"
        for (one, first), (its, second) in product(_pairs(of, language), _pairs(kind, language)):
            own[f"{one}_{its}"] = joint.format(first, second)
    own |= table("names.item", language)
    deep = found("names.joint.deep", language) or "{}"
    veins = {f"deepslate_{one}": deep.format(name) for one, name in own.items() if "_ore" in one}
    return {**veins, **own}


@cache
def _older(language: str) -> Mapping[str, str]:
    """Names of versions before 1.13, and of kinds of which any will do."""
    kinds = (table(f"names.{kind}", language) for kind in ("part", "gear", "older"))
    return {item: name for names in kinds for item, name in names.items()}


def _pairs(kind: str, language: str = "ja") -> list[tuple[str, str]]:
    return list(table(f"names.{kind}", language).items())


def item_in_japanese(words: str) -> str | None:
    """The item, or the kind of items, of this Japanese name."""
    return japanese_items().get(written_alike(words.strip()))


def mob_in_japanese(words: str) -> str | None:
    said = written_alike(words.strip())
    return japanese_mobs().get(said) or japanese_mobs().get(_HONORIFIC.sub("", said))


@cache
def japanese_items() -> Mapping[str, str]:
    """Items by every Japanese name that is understood, as `written_alike` has it."""
    gear, part = _said("gear"), _said("part")
    made: dict[str, str] = {}
    for (of, material), (kind, its) in product(_said("material").items(), gear.items()):
        made[f"{of}{kind}"] = made[f"{of}の{kind}"] = f"{material}_{its}"
    for (of, tree), (kind, its) in product(_said("tree").items(), part.items()):
        made[f"{of}の{kind}"] = f"{tree}_{its}"
    names = {japanese: name for name, japanese in names_in("ja").items()}
    named = {**made, **gear, **part, **names, **table("names.said_item", "ja")}
    in_kana = {_in_kana(japanese): name for japanese, name in named.items()}
    return {written_alike(japanese): name for japanese, name in {**in_kana, **named}.items()}


@cache
def japanese_mobs() -> Mapping[str, str]:
    """Mobs by every Japanese name that is understood, as `written_alike` has it."""
    return {written_alike(japanese): name for japanese, name in _said("mob").items()}


@cache
def english_mobs() -> frozenset[str]:
    """The English names of the same."""
    return frozenset(name.replace("_", " ") for name in japanese_mobs().values())


def written_alike(name: str) -> str:
    """In hiragana, however long its vowels are drawn: くりーぱ is a クリーパー."""
    return in_hiragana(name).replace("ー", "")


def _in_kana(name: str) -> str:
    """The name as who writes no kanji yet does."""
    return _kanji().sub(lambda found: table("names.reading", "ja")[found[0]], name)


@cache
def _kanji() -> re.Pattern[str]:
    return re.compile("|".join(sorted(table("names.reading", "ja"), key=len, reverse=True)))


def _said(kind: str) -> dict[str, str]:
    """From names, and other words for the same, to ids."""
    names = {japanese: name for name, japanese in _pairs(kind)}
    others = dict(_pairs(f"said_{kind}"))
    return {**names, **others} if kind == "mob" else {**others, **names}
