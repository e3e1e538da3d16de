"""Searching the catalogue by parts of names, and what is related to an item, a block or a mob."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import islice
from typing import Literal, TypeAlias

from bots.bot.result import Facts
from bots.catalogue.entries import Entry, ItemEntry, Kind, MobEntry
from bots.catalogue.handbook import Handbook
from bots.catalogue.japanese import japanese_mob, japanese_name
from bots.catalogue.japanese_words import in_hiragana
from bots.catalogue.names import Names
from bots.text.spelling import plain

KINDS: tuple[Kind, ...] = ("item", "block", "mob")
How: TypeAlias = Literal[
    "made of", "cooked from", "makes", "cooks to", "dug from", "left by", "drops", "like it"
]


class Hit(Facts):
    kind: Kind
    name: str


class Related(Facts):
    """Something that a thing leads to, or comes from."""

    name: str
    how: How


def search(
    handbook: Handbook, names: Names, words: str, limit: int, excluded: Collection[str]
) -> tuple[Hit, ...]:
    """Everything whose name has all these words, the shortest name first; else what is spelt like
    them. A block that is an item too counts once."""
    found = dict.fromkeys(hit for hit in _hits(handbook, words) if hit.name not in excluded)
    if not found:
        like = names.like(words, KINDS, at_most=limit)
        found = dict.fromkeys(_hit(one.kind, one.name) for one in like if one.name not in excluded)
    return tuple(islice(sorted(found, key=_shortest_first), limit))


def related(
    handbook: Handbook, entry: Entry, limit: int, excluded: Collection[str]
) -> tuple[Related, ...]:
    """What a thing is made of and what is made of it, where it comes from, and its likes."""
    ways = _ways(entry)
    known: dict[str, Related] = {}
    for one in (*ways, *_likes(handbook, entry)):
        if one.name != entry.name and one.name not in excluded:
            known.setdefault(one.name, one)
    return tuple(islice(known.values(), limit))


def _hits(handbook: Handbook, words: str) -> Iterator[Hit]:
    wanted, sought = plain(words).split("_"), in_hiragana(words.strip())
    for name in handbook.items:
        if _fits(name, japanese_name(name), wanted, sought):
            yield _hit("item", name)
    for name in handbook.blocks:
        if name not in handbook.items and _fits(name, japanese_name(name), wanted, sought):
            yield _hit("block", name)
    for name in handbook.mobs:
        if _fits(name, japanese_mob(name), wanted, sought):
            yield _hit("mob", name)


def _fits(name: str, japanese: str, wanted: list[str], sought: str) -> bool:
    parts = name.split("_")
    if all(any(part.startswith(word.removesuffix("s")) for part in parts) for word in wanted):
        return True
    return japanese != name and bool(sought) and sought in in_hiragana(japanese)


def _hit(kind: Kind, name: str) -> Hit:
    return Hit(kind=kind, name=name)


def _shortest_first(hit: Hit) -> tuple[int, str, str]:
    return len(hit.name), hit.name, hit.kind


def _ways(entry: Entry) -> Iterator[Related]:
    if isinstance(entry, ItemEntry):
        yield from _ways_of_item(entry)
    elif isinstance(entry, MobEntry):
        yield from (Related(name=spoil.item, how="drops") for spoil in entry.drops)
    else:
        yield from (Related(name=item, how="drops") for item in entry.drops)


def _ways_of_item(entry: ItemEntry) -> Iterator[Related]:
    for recipe in entry.recipes:
        yield from (Related(name=need.any_of[0], how="made of") for need in recipe.needs)
    yield from (Related(name=raw, how="cooked from") for raw in entry.cooked_from)
    yield from (Related(name=source.block, how="dug from") for source in entry.dug_from)
    yield from (Related(name=spoil.mob, how="left by") for spoil in entry.left_by)
    if entry.cooks_to is not None:
        yield Related(name=entry.cooks_to, how="cooks to")
    yield from (Related(name=made, how="makes") for made in entry.used_for)


def _likes(handbook: Handbook, entry: Entry) -> Iterator[Related]:
    """Things of the same kind: other pistons, other pickaxes."""
    kind = entry.name.rpartition("_")[2]
    of_kind = re.compile(rf"(?:\w+_)?{re.escape(kind)}")
    known = handbook.mobs if isinstance(entry, MobEntry) else handbook.items
    likes = sorted(name for name in known if of_kind.fullmatch(name))
    yield from (Related(name=name, how="like it") for name in likes)
