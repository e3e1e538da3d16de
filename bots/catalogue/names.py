"""From people's words, English or Japanese, well spelt or not, to names of the catalogue.

Also the search by parts of names, and what is related to an item, a block or a mob.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import islice
from typing import Literal, TypeAlias

from bots.bot.result import Facts
from bots.catalogue.entries import Entry, ItemEntry, Kind, MobEntry, pairs
from bots.catalogue.handbook import Handbook
from bots.catalogue.japanese import (
    item_in_japanese,
    japanese_items,
    japanese_mobs,
    mob_in,
    mob_in_japanese,
    name_in,
    written_alike,
)
from bots.errors import CommandError
from bots.text import suggest
from bots.text.language import in_hiragana, language_of
from bots.text.spelling import plain
from bridge.catalogue import Catalogue

SUGGESTED = 3
_GATHERED = {"log": "log", "wood": "log", "tree": "log", "planks": "planks", "ore": "ore"}
"""Words for groups of items any of which will do, with the category that commands accept."""
_OTHERWISE = pairs("""
cobble cobblestone|steak cooked_beef|workbench crafting_table|table crafting_table|iron iron_ingot
gold gold_ingot|iron_bar iron_ingot|wool white_wool|plank planks|wooden_plank planks
wood_plank planks|wooden_log log|wood_log log|seed wheat_seeds|pick pickaxe|leaf leaves|wood log
tree log|timber log|milk milk_bucket|meat cooked_beef
""")
_MATERIALS = {"wood": "wooden", "gold": "golden", "cobblestone": "stone", "cobble": "stone"}
_TREES = frozenset({"oak", "birch", "spruce", "jungle", "acacia", "dark_oak"})
_GEAR = frozenset(
    ("pickaxe", "axe", "shovel", "hoe", "sword", "helmet", "chestplate", "leggings", "boots")
)
SURELY = 0.82  # how alike a word must be for a name to be meant by it, from 0 to 1
SHORTEST = 4  # letters of a word that may be misspelt: `cat` is no `oak`
_MOBS_OTHERWISE = pairs("""
pigman zombified_piglin|zombie_pigman zombified_piglin|golem iron_golem|snowman snow_golem
dragon ender_dragon|endermen enderman|wolves wolf|dog wolf|hen chicken|bunny rabbit
wandering_merchant wandering_trader|mushroom_cow mooshroom
""")
_ENDS = (("", ""), ("s", ""), ("es", ""), ("ies", "y"), ("men", "man"))
"""Ends of plurals, and of their singulars."""
KINDS: tuple[Kind, ...] = ("item", "block", "mob")
How: TypeAlias = Literal[
    "made of", "cooked from", "makes", "cooks to", "dug from", "left by", "drops", "like it"
]


@dataclass(frozen=True, slots=True)
class Thing:
    """What somebody named: one item, or several any of which may be meant."""

    names: tuple[str, ...]
    """The commonest first."""
    category: str = ""
    """The category that commands accept for all of these; '' = none."""

    @property
    def is_one(self) -> bool:
        return len(self.names) == 1


class Things:
    """The items of a version."""

    def __init__(self, names: AbstractSet[str]) -> None:
        self._names = names

    def __bool__(self) -> bool:
        return bool(self._names)

    def meant(self, words: str) -> Thing | None:
        """The thing of this English or Japanese name; None when there is none."""
        for name in _spellings(item_in_japanese(words) or plain(words)):
            if name in self._names:
                return Thing((name,))
            if category := _GATHERED.get(name):
                return self._kind(category, category)
            if (kind := self._kind(name)) is not None:
                return kind
        return None

    def like(self, words: str) -> list[str]:
        """Items with similar names."""
        return suggest.similar(plain(words), self._names, SUGGESTED)

    def _kind(self, word: str, category: str = "") -> Thing | None:
        found = [n for n in self._names if n.endswith(f"_{word}") and "stripped" not in n]
        if len(found) < 2:
            return None
        return Thing(tuple(sorted(found, key=_commonest_first)), category)


def _spellings(word: str) -> Iterator[str]:
    """A word as it is, then its singular, then its synonyms."""
    singular = [word, word.removesuffix("s"), word.removesuffix("es")]
    for name in dict.fromkeys([*singular, f"{word}s"]):
        first, _, last = name.rpartition("_")
        if last in ("wood", "tree") and first in _TREES:
            yield f"{first}_log"  # few people mean the block with bark on all sides
        if last in _GEAR and first in _MATERIALS:
            yield f"{_MATERIALS[first]}_{last}"
        yield _OTHERWISE.get(name, name)
    first, _, last = word.rpartition("_")
    if first and last in ("block", "blocks"):
        yield from _spellings(first)  # stone blocks are stone; blocks of iron stand before


def _commonest_first(name: str) -> tuple[int, str]:
    common = ("oak_", "wooden_", "stone_", "iron_", "white_")
    return next((n for n, start in enumerate(common) if name.startswith(start)), len(common)), name


class Named(Facts):
    kind: Kind
    name: str


class Names:
    """The names of one version."""

    def __init__(self, handbook: Handbook) -> None:
        self._items = Things(handbook.items)
        self._blocks = Things(frozenset(handbook.blocks))
        self._known: dict[Kind, Collection[str]] = {
            "item": handbook.items,
            "block": handbook.blocks.keys(),
            "mob": handbook.mobs,
        }

    def meant(self, words: str, kinds: Sequence[Kind]) -> Named | None:
        """What the words name, of the first of these kinds that has it; of several, such as
        `sword`, the commonest."""
        bare = _bare(words)
        found = ((kind, self._of_kind(bare, kind)) for kind in kinds)
        return next((Named(kind=kind, name=name) for kind, name in found if name is not None), None)

    def surely_meant(self, words: str, kinds: Sequence[Kind]) -> Named | None:
        """The same, and a word that is a little misspelt names what it is most like."""
        found = self.meant(words, kinds)
        if found is not None or len(_bare(words)) < SHORTEST:
            return found
        return next(iter(self.like(words, kinds, at_most=1, alike=SURELY)), None)

    def like(
        self,
        words: str,
        kinds: Sequence[Kind],
        *,
        at_most: int = SUGGESTED,
        alike: float = suggest.ALIKE,
    ) -> list[Named]:
        """What the words may be meant to name."""
        bare = _bare(words)
        named = [one for kind in kinds for one in self._like(bare, kind, at_most, alike)]
        names = suggest.similar(plain(bare), [one.name for one in named], at_most)
        best = [one for name in names for one in named if one.name == name]
        return (best or named)[:at_most]

    def found(self, words: str, *kinds: Kind) -> Named:
        """The one that is named. Raises CommandError unknown_item, unknown_block, unknown_mob."""
        meant = self.meant(words, kinds)
        if meant is not None:
            return meant
        nearest = list(dict.fromkeys(one.name for one in self.like(words, kinds)))
        what = " or ".join(kinds)
        sentence = f"There is no {what} {plain(words)[:40]}.{suggest.as_sentence(nearest)}"
        raise CommandError(f"unknown_{kinds[0]}", sentence, nearest=nearest)

    def _of_kind(self, words: str, kind: Kind) -> str | None:
        if kind == "mob":
            japanese = mob_in_japanese(words)
            word = plain(words)
            singulars = [word[: len(word) - len(s)] + one for s, one in _ENDS if word.endswith(s)]
            spellings = [japanese] if japanese else singulars
            meant = (_MOBS_OTHERWISE.get(one, one) for one in spellings)
            return next((one for one in meant if one in self._known["mob"]), None)
        thing = (self._items if kind == "item" else self._blocks).meant(words)
        return None if thing is None else thing.names[0]

    def _like(self, words: str, kind: Kind, at_most: int, alike: float) -> Iterator[Named]:
        known = self._known[kind]
        if language_of([words]) == "en":
            names = suggest.similar(plain(words), known, at_most, alike=alike)
        else:
            spelt = japanese_mobs() if kind == "mob" else japanese_items()
            near = suggest.similar(written_alike(words), spelt, at_most, alike=alike)
            names = [spelt[one] for one in near]
        return (Named(kind=kind, name=name) for name in dict.fromkeys(names) if name in known)


def _bare(words: str) -> str:
    """Words without the articles and marks around them."""
    bare = words.strip(" .!?。！？、「」\"'“”").casefold()
    for article in ("a ", "an ", "the ", "some ", "any "):
        bare = bare.removeprefix(article)
    return bare.strip()


class Related(Facts):
    """Something that a thing leads to, or comes from."""

    name: str
    how: How


def search(
    handbook: Handbook, names: Names, words: str, limit: int, excluded: Collection[str]
) -> tuple[Named, ...]:
    """Everything whose name has all these words, the shortest name first; else what is spelt like
    them. A block that is an item too counts once."""
    found = dict.fromkeys(hit for hit in _hits(handbook, words) if hit.name not in excluded)
    if not found:
        like = names.like(words, KINDS, at_most=limit)
        found = dict.fromkeys(one for one in like if one.name not in excluded)
    return tuple(islice(sorted(found, key=lambda hit: (len(hit.name), hit.name, hit.kind)), limit))


def related(
    handbook: Handbook, entry: Entry, limit: int, excluded: Collection[str]
) -> tuple[Related, ...]:
    """What a thing is made of and what is made of it, where it comes from, and its likes."""
    known: dict[str, Related] = {}
    for one in (*_ways(entry), *_likes(handbook, entry)):
        if one.name != entry.name and one.name not in excluded:
            known.setdefault(one.name, one)
    return tuple(islice(known.values(), limit))


def _hits(handbook: Handbook, words: str) -> Iterator[Named]:
    wanted, sought = plain(words).split("_"), in_hiragana(words.strip())
    for name in handbook.items:
        if _fits(name, name_in("ja", name), wanted, sought):
            yield Named(kind="item", name=name)
    for name in handbook.blocks:
        if name not in handbook.items and _fits(name, name_in("ja", name), wanted, sought):
            yield Named(kind="block", name=name)
    for name in handbook.mobs:
        if _fits(name, mob_in("ja", name), wanted, sought):
            yield Named(kind="mob", name=name)


def _fits(name: str, japanese: str, wanted: list[str], sought: str) -> bool:
    parts = name.split("_")
    if all(any(part.startswith(word.removesuffix("s")) for part in parts) for word in wanted):
        return True
    return japanese != name.replace("_", " ") and bool(sought) and sought in in_hiragana(japanese)


def _ways(entry: Entry) -> Iterator[Related]:
    if isinstance(entry, ItemEntry):
        for recipe in entry.recipes:
            yield from (Related(name=need.any_of[0], how="made of") for need in recipe.needs)
        yield from (Related(name=raw, how="cooked from") for raw in entry.cooked_from)
        yield from (Related(name=source.block, how="dug from") for source in entry.dug_from)
        yield from (Related(name=spoil.mob, how="left by") for spoil in entry.left_by)
        if entry.cooks_to is not None:
            yield Related(name=entry.cooks_to, how="cooks to")
        yield from (Related(name=made, how="makes") for made in entry.used_for)
    elif isinstance(entry, MobEntry):
        yield from (Related(name=spoil.item, how="drops") for spoil in entry.drops)
    else:
        yield from (Related(name=item, how="drops") for item in entry.drops)


def _likes(handbook: Handbook, entry: Entry) -> Iterator[Related]:
    """Things of the same kind: other pistons, other pickaxes."""
    kind = entry.name.rpartition("_")[2]
    of_kind = re.compile(rf"(?:\w+_)?{re.escape(kind)}")
    known = handbook.mobs if isinstance(entry, MobEntry) else handbook.items
    likes = sorted(name for name in known if of_kind.fullmatch(name))
    yield from (Related(name=name, how="like it") for name in likes)


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
    spelt = (name, _SPELLINGS.get(name, ""), name.removesuffix("s"))
    meant = (*spelt, _SPELLINGS.get(spelt[2], ""))
    pattern = next((categories[one] for one in meant if one in categories), None)
    found = tuple(one for one in known if pattern and re.fullmatch(pattern, one))
    if not found:
        raise unknown(what, word, [*known, *categories])
    return found
