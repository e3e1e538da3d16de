"""Tells what the catalogue knows, in a person's words: a sentence or two that fit a whisper."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

from bots.catalogue.counted import any_of, few, listed, mob_name, thing
from bots.catalogue.entries import BlockEntry, Entry, ItemEntry, MobEntry, Recipe, Spoil
from bots.text.numbers import whole
from bots.words import joined, sentence

Aspect: TypeAlias = Literal[
    "all", "making", "cooking", "finding", "dropping", "using", "eating", "digging"
]
"""What is asked of a thing."""
WAYS = 2  # recipes told
SCRAP = 3  # raw materials beyond which most are old gear, melted down
HEART = 2  # half-hearts
EATEN_WHERE_PLACED = frozenset({"cake"})
_Part: TypeAlias = Callable[[ItemEntry, str, str], str]
"""A sentence about an item, which is given with its name; '' where there is nothing to say."""


def told(entry: Entry, aspect: Aspect, language: str) -> str:
    """What is known of a thing; where nothing is of the aspect asked for, what else there is."""
    if isinstance(entry, MobEntry):
        return _mob(entry, language)
    if isinstance(entry, BlockEntry):
        name = thing(entry.name, language)
        if entry.hardness is None:
            return sentence("catalogue.unbreakable", language, thing=name)
        if entry.tool is not None:
            tool = _least(entry.tool, language)
            how = sentence("catalogue.dug_with", language, thing=name, tool=tool)
        elif entry.faster_with:
            tool = thing(entry.faster_with[0], language)
            how = sentence("catalogue.dug_faster", language, thing=name, tool=tool)
        else:
            how = sentence("catalogue.dug_by_hand", language, thing=name)
        others = entry.drops if entry.drops != (entry.name,) else ()
        drops = few([thing(drop, language) for drop in others], language)
        dropped = sentence("catalogue.block_drops", language, drops=drops) if drops else ""
        return joined([how, dropped, _high(entry.heights, language)], language)
    return joined(_item(entry, aspect, language), language)


def _item(entry: ItemEntry, aspect: Aspect, language: str) -> Iterator[str]:
    name, (parts, most) = thing(entry.name, language), _PARTS[aspect]
    said = [one for part in parts if (one := part(entry, name, language))][:most]
    yield from said
    if not said:
        why = "useless" if aspect == "using" else "unknown"
        yield sentence(f"catalogue.nothing.{why}", language, thing=name)
    if aspect == "all":
        yield from (part(entry, name, language) for part in (_use, _eaten))


def _crafting(entry: ItemEntry, name: str, language: str) -> str:
    if not entry.recipes:
        return ""
    first, *others = entry.recipes[:WAYS]
    ways = _way(first, language)
    for one in others:
        way = _way(one, language)
        if one.count == first.count:
            ways += sentence("catalogue.or_way", language, way=way)
        else:
            ways += sentence("catalogue.or_way_to_more", language, n=one.count, way=way)
    return sentence("catalogue.crafting", language, n=first.count, thing=name, ways=ways)


def _way(recipe: Recipe, language: str) -> str:
    needs = listed([any_of(need.any_of, need.count, language) for need in recipe.needs], language)
    place = sentence("catalogue.at_table" if recipe.at_table else "catalogue.by_hand", language)
    return sentence("catalogue.way", language, n=recipe.count, needs=needs, place=place)


def _cooking(entry: ItemEntry, name: str, language: str) -> str:
    if not entry.cooked_from:
        return ""
    raws = entry.raws if len(entry.raws) <= SCRAP else entry.raws[:1]
    named = listed([thing(raw, language) for raw in raws], language, "or")
    return sentence("catalogue.cooking", language, thing=name, raws=named)


def _digging(entry: ItemEntry, name: str, language: str) -> str:
    if not entry.dug_from:
        return ""
    first = entry.dug_from[0]
    tool = _least(first.tool, language) if first.tool else ""
    blocks = few([thing(source.block, language) for source in entry.dug_from], language)
    if first.block == entry.name and tool:
        how = sentence("catalogue.dug_itself", language, thing=name, tool=tool)
    elif first.block == entry.name:
        how = sentence("catalogue.dug_itself_by_hand", language, thing=name)
    elif tool:
        how = sentence("catalogue.dug_from", language, thing=name, blocks=blocks, tool=tool)
    else:
        how = sentence("catalogue.dug_from_by_hand", language, thing=name, blocks=blocks)
    return joined([how, _high(entry.heights, language)], language)


def _spoils(entry: ItemEntry, name: str, language: str) -> str:
    if not entry.left_by:
        return ""
    mobs = [
        sentence(
            "catalogue.left_by",
            language,
            thing=mob_name(one.mob, language),
            amount=_amount(one, language),
        )
        for one in entry.left_by
    ]
    return sentence("catalogue.spoils", language, thing=name, mobs=few(mobs, language))


def _otherwise(entry: ItemEntry, name: str, language: str) -> str:
    if not entry.otherwise:
        return ""
    return sentence(f"catalogue.otherwise.{entry.otherwise}", language)


def _use(entry: ItemEntry, name: str, language: str) -> str:
    things = (thing(made, language) for made in entry.used_for)
    made = few([sentence("catalogue.many", language, thing=one) for one in things], language)
    return sentence("catalogue.use", language, thing=name, made=made) if made else ""


def _eaten(entry: ItemEntry, name: str, language: str) -> str:
    facts = list[str]()
    if entry.food:
        facts.append(sentence("catalogue.food", language, n=entry.food))
    if entry.fuel:
        facts.append(sentence("catalogue.fuel", language, n=whole(entry.fuel)))
    if entry.cooks_to:
        made = thing(entry.cooks_to, language)
        facts.append(sentence("catalogue.cooks_to", language, made=made))
    return joined(facts, language)


def _edible(entry: ItemEntry, name: str, language: str) -> str:
    if entry.name in EATEN_WHERE_PLACED:
        return sentence("catalogue.eaten_where_placed", language, thing=name)
    if entry.food:
        return sentence("catalogue.edible", language, thing=name, n=entry.food)
    return sentence("catalogue.not_edible", language, thing=name)


_WAYS: tuple[_Part, ...] = (_crafting, _cooking, _digging, _spoils, _otherwise)
_PARTS: Mapping[Aspect, tuple[Sequence[_Part], int]] = {
    "all": (_WAYS, 2),
    "making": (_WAYS, 1),
    "finding": ((_digging, _spoils, _otherwise, _cooking, _crafting), 2),
    "dropping": ((_spoils, _digging, _otherwise, _cooking, _crafting), 2),
    "digging": ((_digging, _spoils, _otherwise, _cooking, _crafting), 1),
    "cooking": ((_cooking, _crafting), 1),
    "using": ((_use, _eaten), 2),
    "eating": ((_edible,), 1),
}
"""The sentences that answer, the best first, and how many of them are told."""


def _mob(entry: MobEntry, language: str) -> str:
    name = mob_name(entry.name, language)
    temper = sentence(f"catalogue.temper.{entry.temper}", language)
    if entry.half_hearts is None:
        told = sentence("catalogue.mob", language, thing=name, temper=temper)
    else:
        hearts = f"{whole(entry.half_hearts / HEART):g}"
        told = sentence(
            "catalogue.mob_with_hearts", language, thing=name, temper=temper, hearts=hearts
        )
    drops = [
        sentence(
            "catalogue.drop",
            language,
            n=one.most,
            amount=_amount(one, language),
            thing=thing(one.item, language),
        )
        for one in entry.drops
    ]
    if not drops:
        return joined([told, sentence("catalogue.mob_drops_nothing", language)], language)
    left = sentence("catalogue.mob_drops", language, drops=few(drops, language))
    return joined([told, left], language)


def _high(height: str | None, language: str) -> str:
    return sentence("catalogue.high", language, height=height) if height else ""


def _amount(spoil: Spoil, language: str) -> str:
    if spoil.least == spoil.most:
        return f"{spoil.most}"
    return sentence("catalogue.amount", language, least=spoil.least, most=spoil.most)


def _least(tool: str, language: str) -> str:
    """`an iron pickaxe or better`; the least kind of all is `any pickaxe`."""
    material, _, kind = tool.rpartition("_")
    if material == "wooden":
        return sentence("catalogue.any_tool", language, tool=thing(kind, language))
    if not material:
        return sentence("catalogue.tool_kind", language, tool=thing(kind, language))
    return sentence("catalogue.least_tool", language, tool=thing(tool, language))
