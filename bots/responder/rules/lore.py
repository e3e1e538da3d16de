"""Answers from the catalogue: how a thing is made, found, dug and used, and what drops it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from bots.catalogue.counted import mob_name, thing
from bots.catalogue.entries import ItemEntry, Kind, MobEntry
from bots.catalogue.handbook import Handbook
from bots.catalogue.in_words import Aspect, told
from bots.catalogue.names import Named, Names
from bots.responder.case.wording import place
from bots.responder.rules.scene import Scene
from bots.text.language import Language, language_of, normal
from bots.words import saying
from bots.words.heard import Question, heard, questions

About: TypeAlias = Literal[
    "making", "finding", "dropping", "using", "digging", "eating", "all", "left_by"
]
"""What is asked of a thing: of an item what leaves it (dropping), of a mob what it leaves (left_by)
and so on."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about a thing."""

    about: About
    words: str
    """For the thing, as they were said."""
    is_plain: bool
    """Whether it can be about nothing else, so that an unknown name is worth a word."""


KINDS: Mapping[About, Sequence[Kind]] = {
    "making": ("item", "block", "mob"),
    "finding": ("item", "block", "mob"),
    "dropping": ("item", "block"),
    "using": ("item", "block"),
    "digging": ("block", "item"),
    "eating": ("item",),
    "all": ("mob", "item", "block"),
    "left_by": ("mob", "block", "item"),
}
"""What may be meant, the likeliest first."""


def asked_in(line: str) -> Asked | None:
    """The question about a thing in a line."""
    text = normal(line)
    asked = _QUESTIONS[language_of([text])]
    said = heard("ask.before").pattern
    bare = (re.sub(rf"^(?:(?:{said})[,、 ]+)+", "", one.strip()) for one in _SENTENCES.split(text))
    for part in reversed(list(bare)):
        for pattern, row in asked:
            if part and (found := pattern.search(part)):
                words = next(filter(None, found.groups()), "")
                words = heard("ask.around").sub("", words).strip()
                if words and not heard("ask.no_thing").fullmatch(words.partition(" ")[0]):
                    return Asked(row["about"], words, "may_be_else" not in row)
    return None


_QUESTIONS: Mapping[Language, Sequence[Question]] = {
    language: questions("lore", language) for language in get_args(Language)
}


_SENTENCES = re.compile(r"[.!?。！？\n]+")


MOST_LEFT_OUT = 2  # words before the name of a thing that may be none of it


def meant_by(handbook: Handbook, asked: Asked) -> Named | None:
    """The thing that is asked about; a name a little misspelt is understood where the question
    can be about nothing else."""
    names, kinds = Names(handbook), KINDS[asked.about]
    for words in _shorter(asked.words):
        if found := names.meant(words, kinds):
            return found
    return names.surely_meant(asked.words, kinds) if asked.is_plain else None


def told_of(handbook: Handbook, scene: Scene, asked: Asked, named: Named) -> str:
    """The answer: a sentence or two."""
    entry = handbook.entry(named.kind, named.name)
    aspect: Aspect = "all" if asked.about == "left_by" else asked.about
    if asked.about == "finding" and isinstance(entry, ItemEntry):
        return scene.join(_found(handbook, scene, entry))
    if asked.about == "finding" and isinstance(entry, MobEntry):
        unknown = scene.tell("world.mob_unknown", what=_called(scene, named))
        return in_sight(scene, entry.name) or unknown
    if asked.about == "making" and not isinstance(entry, ItemEntry):
        no_recipe = scene.tell("world.no_recipe", what=_called(scene, named))
        return scene.join([no_recipe, told(entry, "all", scene.speaks)])
    return told(entry, aspect, scene.speaks)


def is_known(handbook: Handbook, scene: Scene, asked: Asked, named: Named) -> bool:
    """Whether the catalogue has what is asked: it has no recipe of a golem, and no way to a
    trident."""
    entry = handbook.entry(named.kind, named.name)
    if asked.about == "using":
        return not isinstance(entry, ItemEntry) or bool(entry.used_for)
    if asked.about not in ("making", "finding", "dropping"):
        return True
    if isinstance(entry, ItemEntry):
        dug_or_left = entry.dug_from or entry.left_by or entry.otherwise
        return bool(entry.recipes or entry.cooked_from or dug_or_left)
    return asked.about == "finding" and bool(in_sight(scene, entry.name))


def unknown(handbook: Handbook, scene: Scene, asked: Asked) -> str:
    """That the version has nothing of this name, and what was perhaps meant."""
    near = Names(handbook).like(asked.words, KINDS[asked.about])
    like = list(dict.fromkeys(_called(scene, one) for one in near))
    hint = scene.say(saying("hint.meant", any=tuple(like))) if like else ""
    version, what = handbook.version, asked.words[:40]
    return scene.tell("world.no_such_thing", version=version, what=what, hint=hint)


def in_sight(scene: Scene, mob: str) -> str:
    """Where the nearest animal or monster of a kind is; '' where the bot sees none."""
    mobs = scene.world.mobs if scene.world else ()
    near = next((one for one in mobs if one.name == mob), None)
    if near is None or scene.world is None:
        return ""
    away = scene.in_blocks(scene.world.position.distance_to(near.position))
    name = mob_name(mob, scene.speaks)
    return scene.tell("world.mob_at", thing=name, at=place(near.position), away=away)


def _found(handbook: Handbook, scene: Scene, entry: ItemEntry) -> Iterator[str]:
    """Where an item comes from. Of a metal that is smelted, where its ore is."""
    raw = entry.cooked_from[0] if entry.cooked_from and not entry.dug_from else ""
    ore = handbook.item(raw) if raw in handbook.items else None
    if ore is not None and ore.dug_from and ore.heights:
        yield told(ore, "digging", scene.speaks)
        yield told(entry, "cooking", scene.speaks)
    else:
        yield told(entry, "finding", scene.speaks)


def _called(scene: Scene, named: Named) -> str:
    return (mob_name if named.kind == "mob" else thing)(named.name, scene.speaks)


def _shorter(words: str) -> Iterator[str]:
    """The words as they are, then without the first ones, then without the last."""
    parts = words.split(" ")
    yield words
    for left_out in range(1, min(MOST_LEFT_OUT, len(parts) - 1) + 1):
        yield " ".join(parts[left_out:])
    for left_out in range(1, min(MOST_LEFT_OUT, len(parts) - 1) + 1):
        yield " ".join(parts[:-left_out])
