"""Entries in words, for people and models, and as JSON; and what plain words say of themselves.

A claim is told as one. Of words that somebody wants remembered, this reads which kind of entry they
make and what they are about: things of the version, people, mobs in view, places of a bot.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from bots.access.origin import called, is_operator
from bots.access.sources import MayKnow, as_text
from bots.bot.bot import Bot
from bots.bot.knowing import Entry, Found, KnowledgeType, Tag, TagKind, tag
from bots.bot.looking import in_time
from bots.text.language import normal
from bots.text.numbers import ago
from bots.text.printable import excerpt
from bots.text.word_match import says
from bots.words.heard import heard
from bridge.world import WorldSnapshot

_WORD = re.compile(r"[a-z][a-z_']*")
_MOST_TOGETHER = 3  # words of one name: dark oak log
WITHIN_S = 0.5


def found_as_json(found: Found) -> dict[str, Any]:
    """An entry that was found, for machines."""
    how = {"weight": round(found.weight, 3), "references": found.references}
    return {**as_json(found.entry), **how, "depth": found.depth, "claim": found.is_claim}


def as_json(entry: Entry) -> dict[str, Any]:
    """An entry for machines."""
    return {
        "id": entry.id,
        "type": entry.type,
        "topic": entry.topic,
        "insight": entry.insight,
        "context": entry.context,
        "tags": [{"kind": one.kind, "name": one.name} for one in sorted(entry.tags)],
        "situations": sorted(entry.situations),
        "always": entry.always,
        "learntFrom": entry.learnt_from,
        "speaker": entry.speaker,
        "level": entry.level.name.lower(),
        "utterance": entry.utterance,
        "confidence": entry.confidence,
        "links": sorted(entry.links),
        "used": entry.used,
        "usedAt": _iso(entry.used_at),
        "madeAt": _iso(entry.made_at),
        "updatedAt": _iso(entry.updated_at),
        "expiresAt": _iso(entry.expires_at),
        "sources": json.loads(as_text(entry.sources)),
    }


def _iso(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def listed(found: Found, now: datetime) -> str:
    """`12: Steve told me 3 days ago: the bridge is broken`."""
    entry, when = found.entry, _when(found.entry, now)
    topic = f"{entry.topic}: " if entry.topic else ""
    words = excerpt(f"{topic}{entry.insight}", 160)
    if not entry.speaker:
        return f"{entry.id}: {words} ({when})"
    verb = "claims" if found.is_claim else "told me"
    return f"{entry.id}: {called(entry.speaker)} {verb}, {when}: “{words}”"


def row_of(found: Found, now: datetime) -> dict[str, Any]:
    """As a model is shown it. Others' words stand in quotes, beside who they are of."""
    entry = found.entry
    topic = {"about": entry.topic} if entry.topic else {}
    key = "claimed" if found.is_claim else "known"
    told = {"from": entry.speaker, "who": who(entry)} if entry.speaker else {}
    row = {key: entry.insight, **topic, **told, "when": _when(entry, now)}
    return {**row, "while": entry.context} if entry.context else row


def who(entry: Entry) -> str:
    """What whoever told it might do then."""
    return "operator" if is_operator(entry.speaker) else entry.level.name.lower()


def _when(entry: Entry, now: datetime) -> str:
    at = entry.updated_at
    return ago(at, now) if at is not None else ""


def type_of(words: str) -> KnowledgeType:
    text = normal(words)
    if heard("keep.corrects").search(text):
        return "correction"
    return "preference" if heard("keep.wishes").search(text) else "insight"


def is_about_speaker(words: str) -> bool:
    """Whether somebody speaks of themselves."""
    return heard("keep.of_speaker").search(normal(words)) is not None


def tags_in(words: str, names: Mapping[TagKind, Iterable[str]]) -> frozenset[Tag]:
    """What the words name: of items and the like by Minecraft's names, singular or plural; of
    players and places by their own."""
    spoken = frozenset(_spoken_names(normal(words)))
    found = set[Tag]()
    for kind, known in names.items():
        if kind in ("player", "place"):
            found.update(tag(kind, name) for name in known if says(words, name))
        else:
            found.update(tag(kind, name) for name in known if name in spoken)
    return frozenset(found)


def _spoken_names(text: str) -> Iterator[str]:
    """Every run of up to three words as Minecraft would write it: `oak logs` is oak_log."""
    words = _WORD.findall(text)
    for start in range(len(words)):
        for end in range(start + 1, start + 1 + _MOST_TOGETHER):
            *first, last = words[start:end]
            yield "_".join([*first, last])
            yield "_".join([*first, _singular(last)])


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("shes", "ches", "xes")):
        return word[:-2]
    return word.removesuffix("s")


async def names_around(
    bot: Bot, world: WorldSnapshot | None, persons: Iterable[str], may_know: MayKnow
) -> Mapping[TagKind, Iterable[str]]:
    """By kind; `persons` beside those in the world. Of places those that may be known."""
    catalogue = await in_time(bot.catalogue(), WITHIN_S)
    here = world.players if world else ()
    return {
        "item": catalogue.items if catalogue else (),
        "block": set(catalogue.blocks) - set(catalogue.items) if catalogue else (),
        "mob": {mob.name for mob in world.mobs} if world else (),
        "player": [*persons, *(one.name for one in here)],
        "place": [place.name for place in bot.locations.all(may_know)],
    }
