"""Counts of items and names of things, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from bots.catalogue.japanese import mob_in, name_in
from bots.words import Saying, found, sentence, table

NAMED = 4  # things named in one sentence


def item(name: str, count: int, language: str) -> str:
    return sentence("count.item", language, n=count, thing=thing(name, language))


def thing(name: str, language: str) -> str:
    """An item or a block as people say it."""
    return name_in(language, name)


def mob_name(name: str, language: str) -> str:
    """An animal or a monster as one says it."""
    return mob_in(language, name)


def any_of(names: Sequence[str], count: int, language: str) -> str:
    """A count of items of which any will do: `3 planks`, `1 coal or charcoal`."""
    kinds = {name.rpartition("_")[2] for name in names}
    if len(kinds) == 1:
        return item(names[0] if len(names) == 1 else kinds.pop(), count, language)
    first, second = (thing(name, language) for name in sorted(names, key=len)[:2])
    if len(names) == 2:
        return sentence("count.either", language, n=count, thing=first, other=second)
    return sentence("count.such", language, n=count, thing=first)


def listed(words: Sequence[str], language: str, joint: Literal["and", "or"] = "and") -> str:
    """Words one after another, as the language joins them."""
    marks: Mapping[str, str] = table(f"list.{joint}", language)
    *first, last = words or [""]
    return marks["last"].join(filter(None, [marks["between"].join(first), last]))


def few(words: Sequence[str], language: str) -> str:
    """The first few of them, and how many more there are."""
    more = len(words) - NAMED
    if more <= 0:
        return listed(words, language)
    return listed([*words[:NAMED], sentence("count.more", language, n=more)], language)


def told(one: Saying, language: str) -> str:
    """A saying in a language; all of it in English where the language has no such sentence. A
    `thing` and a `mob` go by their names there, as do the things of `any`; counts of items are
    listed as people say them, and sayings in its slots are told as well."""
    if found(one.meaning, language) is None:
        language = "en"
    slots = {key: _in_words(key, slot, language) for key, slot in one.slots.items()}
    return sentence(one.meaning, language, **slots)


def _in_words(key: str, slot: object, language: str) -> object:
    match slot:
        case Saying():
            return told(slot, language)
        case tuple() if key == "any":
            return listed([thing(one, language) for one in slot], language, "or")
        case tuple():
            return listed([str(_in_words("", one, language)) for one in slot], language)
        case Mapping():
            return few([item(name, count, language) for name, count in slot.items()], language)
        case str() if key in ("thing", "mob"):
            return (thing if key == "thing" else mob_name)(slot, language)
    return slot
