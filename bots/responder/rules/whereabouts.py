"""Answers where something is: a named place, what is in chests or carried, animals and blocks in
sight. Where nothing of that helps, the bot says so, and what would.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from bots.bot.locations import Location
from bots.catalogue.counted import item, mob_name, thing
from bots.catalogue.handbook import Handbook
from bots.catalogue.names import Named, Names
from bots.knowledge.cards.card import PlaceCard
from bots.responder.case.case import SpeakerTools
from bots.responder.case.wording import item_counts, items, meant_by, place
from bots.responder.rules.lore import in_sight
from bots.responder.rules.scene import Scene, use_in_time
from bots.text.language import language_of, normal
from bots.words.heard import heard

CHESTS, SCAN, KNOWS = "chest_list", "info_scanBlocks", "knows"
KNOWN_WITHIN_S = 0.8
SEEN_WITHIN, FAR = 24, 64  # blocks


class Chest(Protocol):
    @property
    def position(self) -> object: ...

    @property
    def items(self) -> Mapping[str, int] | None: ...


@runtime_checkable
class TellsChests(Protocol):
    """The result of `!chest list`."""

    @property
    def chests(self) -> Sequence[Chest]: ...


class Block(Protocol):
    @property
    def position(self) -> object: ...

    @property
    def distance(self) -> float: ...


class Blocks(Protocol):
    @property
    def blocks(self) -> Sequence[Block]: ...


@runtime_checkable
class TellsBlocks(Protocol):
    """The result of `!info scanBlocks`."""

    @property
    def data(self) -> Blocks: ...


@runtime_checkable
class TellsPlace(Protocol):
    """The result of `!knows` with the name of a place."""

    @property
    def card(self) -> object: ...


@dataclass(frozen=True, slots=True)
class Sought:
    """Something that somebody looks for."""

    words: str
    """For it, without articles."""
    was_put: bool
    """Whether it is asked where somebody put it."""


def sought_in(line: str) -> Sought | None:
    """What a line asks the place of."""
    text = normal(line).strip(" ?!.？！。")
    for meaning in ("put", "place"):
        if found := heard(f"seek.{meaning}", language_of([text])).search(text):
            words = heard("seek.article").sub("", next(filter(None, found.groups()), "")).strip()
            if words and not heard("seek.no_thing").fullmatch(words):
                return Sought(words, meaning == "put")
    return None


async def place_called(tools: SpeakerTools, scene: Scene, sought: Sought) -> str | None:
    """Where a place of this name is."""
    home = ["home"] if heard("wish.home").fullmatch(sought.words) else []
    for name in (sought.words, f"the {sought.words}", *home):
        result = (await use_in_time(tools, KNOWS, {"name": name}, KNOWN_WITHIN_S)).result
        card = result.card if isinstance(result, TellsPlace) else None
        if isinstance(card, PlaceCard):
            return told_place(scene, card.location)
    return None


def told_place(scene: Scene, location: Location) -> str:
    at, name = place(location.position), location.name
    if scene.world is None:
        return scene.tell("world.place", name=name, at=at)
    away = scene.in_blocks(scene.world.position.distance_to(location.position))
    return scene.tell("world.place_at", name=name, at=at, away=away)


async def seen_or_held(
    tools: SpeakerTools, scene: Scene, sought: Sought, handbook: Handbook | None
) -> str | None:
    """Where such things are as far as the bot sees: with it, in chests, around."""
    told = [_carried(scene, sought)]
    names = None if handbook is None else Names(handbook)
    if names is not None and (one := names.meant(sought.words, ("item",))):
        told.append(await _in_chests(tools, scene, one))
    if names is not None and (one := names.meant(sought.words, ("mob",))):
        told.append(in_sight(scene, one.name))
    if names is not None and not any(told) and (one := names.meant(sought.words, ("block",))):
        told.append(await _block_in_sight(tools, scene, one.name))
    return scene.join(filter(None, told)) or None


async def nearest(tools: SpeakerTools, scene: Scene, words: str, handbook: Handbook) -> str | None:
    """Where the nearest of such animals, monsters or blocks is, or that none is in sight."""
    bare = heard("seek.nearest").sub("", heard("seek.article").sub("", words.strip()))
    if heard("seek.any_kind").fullmatch(bare.removesuffix("s")):
        return None
    blocks = (block for one, block in _AS_BLOCK.items() if heard(f"seek.{one}").fullmatch(bare))
    named = Names(handbook).meant(next(blocks, bare), ("mob", "block"))
    if named is None:
        return None
    if named.kind == "mob":
        seen, name = in_sight(scene, named.name), mob_name(named.name, scene.speaks)
    else:
        seen = await _block_in_sight(tools, scene, named.name, FAR)
        name = thing(named.name, scene.speaks)
    return seen or scene.tell("world.see_none", what=name)


def not_known(scene: Scene, sought: Sought) -> str:
    """That the bot does not know it, and what would help."""
    words = sought.words[:40]
    is_one = not words.endswith("s") or words.endswith("ss")
    n = 1 if is_one else 2
    return scene.tell("known.not_put" if sought.was_put else "known.no_place", what=words, n=n)


def _carried(scene: Scene, sought: Sought) -> str:
    if scene.world is None:
        return ""
    counts = item_counts(scene.world)
    found = Counter({name: counts[name] for name in meant_by(sought.words, counts)})
    if not found:
        return ""
    return scene.tell("me.have_with_me", things=items(found, scene.speaks))


async def _in_chests(tools: SpeakerTools, scene: Scene, named: Named) -> str:
    result = (await use_in_time(tools, CHESTS, {}, KNOWN_WITHIN_S)).result
    chests = result.chests if isinstance(result, TellsChests) else ()
    for chest in chests:
        if count := (chest.items or {}).get(named.name, 0):
            held = item(named.name, count, scene.speaks)
            return scene.tell("world.in_chest", at=chest.position, things=held)
    return ""


async def in_chests(tools: SpeakerTools, scene: Scene) -> str | None:
    """What the nearest chest that the bot looked into held; None: it knows of none."""
    result = (await use_in_time(tools, CHESTS, {}, KNOWN_WITHIN_S)).result
    for chest in result.chests if isinstance(result, TellsChests) else ():
        if chest.items:
            held = items(Counter(chest.items), scene.speaks)
            return scene.tell("world.in_chest", at=chest.position, things=held)
    return None


async def _block_in_sight(
    tools: SpeakerTools, scene: Scene, name: str, within: int = SEEN_WITHIN
) -> str:
    fields = {"type": name, "range": within, "maxResults": 1}
    result = (await use_in_time(tools, SCAN, fields, KNOWN_WITHIN_S)).result
    seen = result.data.blocks if isinstance(result, TellsBlocks) else ()
    if not seen:
        return ""
    away, name = scene.in_blocks(seen[0].distance), thing(name, scene.speaks)
    return scene.tell("world.block_at", thing=name, at=seen[0].position, away=away)


_AS_BLOCK = {"water": "water", "tree": "oak log"}
"""The blocks that these are made of, as people call them."""
