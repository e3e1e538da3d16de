"""Tells what the catalogue knows, in a person's words: a sentence or two that fit a whisper."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

from bots.catalogue.entries import BlockEntry, Entry, ItemEntry, MobEntry
from bots.catalogue.in_english import English
from bots.catalogue.in_japanese import Japanese
from bots.text.language import Language

Aspect: TypeAlias = Literal[
    "all", "making", "cooking", "finding", "dropping", "using", "eating", "digging"
]
"""What is asked of a thing."""


Voice: TypeAlias = English | Japanese
"""The sentences of one language; '' where there is nothing to say."""
_Part: TypeAlias = Callable[[Voice, ItemEntry], str]


def told(entry: Entry, aspect: Aspect, language: Language) -> str:
    """What is known of a thing; where nothing is of the aspect asked for, what else there is."""
    voice = _VOICES[language]
    if isinstance(entry, MobEntry):
        return voice.mob(entry)
    if isinstance(entry, BlockEntry):
        return voice.block(entry)
    return voice.between.join(_of_item(voice, entry, aspect))


def _of_item(voice: Voice, entry: ItemEntry, aspect: Aspect) -> Iterator[str]:
    parts, most = _PARTS[aspect]
    said = _first(voice, entry, parts, most)
    yield from said or [voice.useless(entry) if aspect == "using" else voice.unknown(entry)]
    if aspect == "all":
        yield from _first(voice, entry, _USES, 2)


def _first(voice: Voice, entry: ItemEntry, parts: Sequence[_Part], most: int) -> list[str]:
    return [said for part in parts if (said := part(voice, entry))][:most]


_WAYS: tuple[_Part, ...] = (
    lambda voice, entry: voice.crafting(entry),
    lambda voice, entry: voice.cooking(entry),
    lambda voice, entry: voice.digging(entry),
    lambda voice, entry: voice.spoils(entry),
    lambda voice, entry: voice.otherwise(entry),
)
_MAKES, _COOKS, _DIGS, _LEAVES, _OTHERWISE = _WAYS
_USES: tuple[_Part, ...] = (
    lambda voice, entry: voice.use(entry),
    lambda voice, entry: voice.eaten(entry),
)
_PARTS: Mapping[Aspect, tuple[Sequence[_Part], int]] = {
    "all": (_WAYS, 2),
    "making": (_WAYS, 1),
    "finding": ((_DIGS, _LEAVES, _OTHERWISE, _COOKS, _MAKES), 2),
    "dropping": ((_LEAVES, _DIGS, _OTHERWISE, _COOKS, _MAKES), 2),
    "digging": ((_DIGS, _LEAVES, _OTHERWISE, _COOKS, _MAKES), 1),
    "cooking": ((_COOKS, _MAKES), 1),
    "using": (_USES, 2),
    "eating": ((lambda voice, entry: voice.edible(entry),), 1),
}
"""The sentences that answer, the best first, and how many of them are told."""
_VOICES: Mapping[Language, Voice] = {"en": English(), "ja": Japanese()}
