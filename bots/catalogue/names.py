"""From people's words, English or Japanese, well spelt or not, to names of the catalogue."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from bots.catalogue.entries import Kind
from bots.catalogue.handbook import Handbook
from bots.catalogue.japanese_words import (
    in_hiragana,
    japanese_items,
    japanese_mobs,
    mob_in_japanese,
)
from bots.catalogue.things import Things
from bots.errors import CommandError
from bots.text import suggest
from bots.text.language import language_of
from bots.text.spelling import plain

SUGGESTED = 3
SURELY = 0.82  # how alike a word must be for a name to be meant by it, from 0 to 1
SHORTEST = 4  # letters of a word that may be misspelt: `cat` is no `oak`

_MOBS_OTHERWISE = {
    "pigman": "zombified_piglin",
    "zombie_pigman": "zombified_piglin",
    "golem": "iron_golem",
    "snowman": "snow_golem",
    "dragon": "ender_dragon",
    "endermen": "enderman",
    "wolves": "wolf",
    "dog": "wolf",
    "hen": "chicken",
    "bunny": "rabbit",
    "wandering_merchant": "wandering_trader",
    "mushroom_cow": "mooshroom",
}
_ENDS = (("", ""), ("s", ""), ("es", ""), ("ies", "y"), ("men", "man"))
"""Ends of plurals, and of their singulars."""


@dataclass(frozen=True, slots=True)
class Named:
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
        return next((Named(kind, name) for kind, name in found if name is not None), None)

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
            return self._mob(words)
        thing = (self._items if kind == "item" else self._blocks).meant(words)
        return None if thing is None else thing.names[0]

    def _mob(self, words: str) -> str | None:
        japanese = mob_in_japanese(words)
        spellings = [japanese] if japanese else _singulars(plain(words))
        meant = (_MOBS_OTHERWISE.get(one, one) for one in spellings)
        return next((one for one in meant if one in self._known["mob"]), None)

    def _like(self, words: str, kind: Kind, at_most: int, alike: float) -> Iterator[Named]:
        known = self._known[kind]
        if language_of([words]) == "en":
            names = suggest.similar(plain(words), known, at_most, alike=alike)
        else:
            spelt = japanese_mobs() if kind == "mob" else japanese_items()
            near = suggest.similar(in_hiragana(words), spelt, at_most, alike=alike)
            names = [spelt[one] for one in near]
        return (Named(kind, name) for name in dict.fromkeys(names) if name in known)


def _bare(words: str) -> str:
    """Words without the articles and marks around them."""
    bare = words.strip(" .!?。！？、「」\"'“”").casefold()
    for article in ("a ", "an ", "the ", "some ", "any "):
        bare = bare.removeprefix(article)
    return bare.strip()


def _singulars(word: str) -> Iterator[str]:
    for plural, singular in _ENDS:
        if word.endswith(plural):
            yield word[: len(word) - len(plural)] + singular
