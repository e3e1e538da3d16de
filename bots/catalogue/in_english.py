"""The catalogue's sentences in English."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bots.catalogue.counted import any_of, few, item, listed, thing
from bots.catalogue.entries import BlockEntry, ItemEntry, MobEntry, Otherwise, Recipe, Spoil
from bots.text.numbers import whole
from bots.text.plurals import plural

WAYS = 2  # recipes told
SCRAP = 3  # raw materials beyond which most are old gear, melted down
HEART = 2  # half-hearts
EATEN_WHERE_PLACED = frozenset({"cake"})
_TEMPERS = {
    "hostile": "hostile",
    "neutral": "peaceful until provoked",
    "peaceful": "peaceful",
}

_OTHERWISE: Mapping[Otherwise, str] = {
    "shearing": "Shears take it off a sheep.",
    "milking": "An empty bucket milks a cow.",
    "laying": "Chickens lay it now and then.",
    "filling": "An empty bucket is filled at a source.",
    "fishing": "It can be fished with a rod.",
    "growing": "It grows on farmland where it was sown.",
    "honey": "It is taken from a full bee nest, with a campfire below.",
    "chests": "It lies in chests of dungeons and other old places.",
    "end": "It hangs in the ships of the End.",
}


class English:
    between = " "

    def crafting(self, entry: ItemEntry) -> str:
        if not entry.recipes:
            return ""
        first, *others = entry.recipes[:WAYS]
        verb = "takes" if first.count == 1 else "take"
        made = item(entry.name, first.count, "en")
        more = "".join(
            f"; {'or' if one.count == first.count else f'{one.count} can be had from'} {_way(one)}"
            for one in others
        )
        return f"{made} {verb} {_way(first)}{more}."

    def cooking(self, entry: ItemEntry) -> str:
        if not entry.cooked_from:
            return ""
        raws = entry.raws if len(entry.raws) <= SCRAP else entry.raws[:1]
        named = listed([_plain(raw) for raw in raws], "en", joint="or")
        return f"A furnace makes {plural(_plain(entry.name))} of {named}."

    def digging(self, entry: ItemEntry) -> str:
        if not entry.dug_from:
            return ""
        first = entry.dug_from[0]
        needs = f"with {_least(first.tool)}" if first.tool else ""
        if first.block == entry.name:
            how = f"is dug {needs or 'by hand'}"
        else:
            blocks = few([_plain(source.block) for source in entry.dug_from], "en")
            how = f"comes from {blocks}{needs and f', dug {needs}'}"
        return f"{_capital(_plain(entry.name))} {how}.{_high(entry.heights)}"

    def spoils(self, entry: ItemEntry) -> str:
        if not entry.left_by:
            return ""
        mobs = [f"{plural(_plain(spoil.mob))} ({_count(spoil)})" for spoil in entry.left_by]
        return f"{_capital(few(mobs, 'en'))} drop {plural(_plain(entry.name))}."

    def otherwise(self, entry: ItemEntry) -> str:
        return _OTHERWISE[entry.otherwise] if entry.otherwise else ""

    def use(self, entry: ItemEntry) -> str:
        made = few([plural(_plain(name)) for name in entry.used_for], "en")
        return f"From {plural(_plain(entry.name))} one makes {made}." if made else ""

    def eaten(self, entry: ItemEntry) -> str:
        facts = [
            f"It restores {entry.food} food points." if entry.food else "",
            f"As fuel, one smelts {whole(entry.fuel)} items." if entry.fuel else "",
            f"A furnace makes {_plain(entry.cooks_to)} of it." if entry.cooks_to else "",
        ]
        return " ".join(filter(None, facts))

    def edible(self, entry: ItemEntry) -> str:
        name = _plain(entry.name)
        if entry.name in EATEN_WHERE_PLACED:
            return f"Yes, put the {name} down and eat it there."
        if entry.food:
            return f"Yes, {name} restores {entry.food} of 20 food points."
        return f"No, {plural(name)} cannot be eaten."

    def useless(self, entry: ItemEntry) -> str:
        return f"Nothing is made of {plural(_plain(entry.name))}, as far as I know."

    def unknown(self, entry: ItemEntry) -> str:
        return f"I know no way to make {_plain(entry.name)}, and nothing that drops it."

    def block(self, entry: BlockEntry) -> str:
        name = _capital(_plain(entry.name))
        if entry.hardness is None:
            return f"{name} cannot be broken."
        drops = [_plain(drop) for drop in entry.drops]
        own = entry.drops == (entry.name,)
        dropped = f" It drops {few(drops, 'en')}." if drops and not own else ""
        return f"{name} {_dug_with(entry)}.{dropped}{_high(entry.heights)}"

    def mob(self, entry: MobEntry) -> str:
        name, temper = _capital(a(_plain(entry.name))), _TEMPERS[entry.temper]
        hearts = entry.half_hearts
        health = "" if hearts is None else f" and has {whole(hearts / HEART):g} hearts"
        return f"{name} is {temper}{health}. It drops {_dropped(entry.drops)}."


def _way(recipe: Recipe) -> str:
    needs = listed([any_of(need.any_of, need.count, "en") for need in recipe.needs], "en")
    return f"{needs}, {'at a crafting table' if recipe.at_table else 'by hand'}"


def _high(height: str | None) -> str:
    return f" There is most of it at height {height}." if height else ""


def _dug_with(entry: BlockEntry) -> str:
    if entry.tool is not None:
        return f"takes {_least(entry.tool)}"
    faster = f", faster with {a(entry.faster_with[0])}" if entry.faster_with else ""
    return f"can be dug by hand{faster}"


def _dropped(drops: Sequence[Spoil]) -> str:
    named = [
        f"{_count(one)} {_plain(one.item) if one.most == 1 else plural(_plain(one.item))}"
        for one in drops
    ]
    return few(named, "en") or "nothing in particular"


def _count(spoil: Spoil) -> str:
    return f"{spoil.most}" if spoil.least == spoil.most else f"{spoil.least}-{spoil.most}"


def _least(tool: str) -> str:
    """`an iron pickaxe or better`; the least kind of all is `any pickaxe`."""
    material, _, kind = tool.rpartition("_")
    if material == "wooden":
        return f"any {kind}"
    return f"{a(_plain(tool))} or better" if material else a(tool)


def _plain(name: str) -> str:
    return thing(name, "en")


def a(words: str) -> str:
    """`an apple`; plurals take no article."""
    if words.endswith("s"):
        return words
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
