"""Answers from the catalogue: how a thing is made, found, dug and used, and what drops it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bots.catalogue.counted import thing
from bots.catalogue.entries import ItemEntry, MobEntry
from bots.catalogue.handbook import Handbook
from bots.catalogue.in_english import a
from bots.catalogue.in_words import Aspect, told
from bots.catalogue.japanese import japanese_mob
from bots.catalogue.names import Named, Names
from bots.responder.case.wording import place
from bots.responder.rules.asking import KINDS, About, Asked
from bots.responder.rules.topics.scene import Scene
from bots.text import suggest
from bots.text.numbers import blocks, in_blocks
from bots.text.plurals import plural

MOST_LEFT_OUT = 2  # words before the name of a thing that may be none of it

_ASPECTS: Mapping[About, Aspect] = {
    "making": "making",
    "finding": "finding",
    "dropping": "dropping",
    "using": "using",
    "digging": "digging",
    "eating": "eating",
    "all": "all",
    "left_by": "all",
}


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
    entry, aspect = handbook.entry(named.kind, named.name), _ASPECTS[asked.about]
    if asked.about == "finding" and isinstance(entry, ItemEntry):
        return scene.join(_found(handbook, scene, entry))
    if asked.about == "finding" and isinstance(entry, MobEntry):
        return in_sight(scene, entry.name) or _not_in_sight(scene, named)
    if asked.about == "making" and not isinstance(entry, ItemEntry):
        return scene.join([_no_recipe(scene, named), told(entry, "all", scene.language)])
    return told(entry, aspect, scene.language)


def unknown(handbook: Handbook, scene: Scene, asked: Asked) -> str:
    """That the version has nothing of this name, and what was perhaps meant."""
    near = Names(handbook).like(asked.words, KINDS[asked.about])
    like = list(dict.fromkeys(_called(scene, one) for one in near))
    words = asked.words[:40]
    hint = suggest.as_sentence(like)
    hint_ja = f"「{'」か「'.join(like)}」のことですか？" if like else ""
    return scene.say(
        f"Minecraft {handbook.version} has nothing called {words}.{hint}",
        f"Minecraft {handbook.version} に「{words}」というものはありません。{hint_ja}",
    )


def in_sight(scene: Scene, mob: str) -> str:
    """Where the nearest animal or monster of a kind is; '' where the bot sees none."""
    mobs = scene.world.mobs if scene.world else ()
    near = next((one for one in mobs if one.name == mob), None)
    if near is None or scene.world is None:
        return ""
    away, at = blocks(scene.world.position.distance_to(near.position)), place(near.position)
    return scene.say(
        f"I see {a(thing(mob, 'en'))} at {at}, {in_blocks(away)} from me.",
        f"{japanese_mob(mob)}が {at} に見えます。私から{away}ブロックです。",
    )


def _not_in_sight(scene: Scene, named: Named) -> str:
    mobs = plural(_called(scene, named))
    return scene.say(
        f"I see no {mobs} from here, and where they live I do not know.",
        f"ここから{_called(scene, named)}は見えません。どこにいるかも知りません。",
    )


def _found(handbook: Handbook, scene: Scene, entry: ItemEntry) -> Iterator[str]:
    """Where an item comes from. Of a metal that is smelted, where its ore is."""
    raw = entry.cooked_from[0] if entry.cooked_from and not entry.dug_from else ""
    ore = handbook.item(raw) if raw in handbook.items else None
    if ore is not None and ore.dug_from and ore.heights:
        yield told(ore, "digging", scene.language)
        yield told(entry, "cooking", scene.language)
    else:
        yield told(entry, "finding", scene.language)


def _no_recipe(scene: Scene, named: Named) -> str:
    name = _called(scene, named)
    return scene.say(f"I know no recipe for {plural(name)}.", f"{name}の作り方は知りません。")


def _called(scene: Scene, named: Named) -> str:
    if named.kind == "mob" and scene.language == "ja":
        return japanese_mob(named.name)
    return thing(named.name, scene.language)


def _shorter(words: str) -> Iterator[str]:
    """The words as they are, then without the first ones, then without the last."""
    parts = words.split(" ")
    yield words
    for left_out in range(1, min(MOST_LEFT_OUT, len(parts) - 1) + 1):
        yield " ".join(parts[left_out:])
    for left_out in range(1, min(MOST_LEFT_OUT, len(parts) - 1) + 1):
        yield " ".join(parts[:-left_out])
