"""What plain words say about themselves: which kind of entry they make, and what they are about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from bots.bot.knowing import KnowledgeType, Tag, TagKind, tag
from bots.text.language import normal
from bots.text.word_match import says

_WISHES = re.compile(
    r"\b(?:i|we|\w+) (?:really |always |never )?(?:likes?|loves?|hates?|prefers?|wants?|dislikes?"
    r"|needs?)\b|\bfavou?rite\b|好き|嫌い|きらい|すき|欲しい|ほしい|苦手"
)
_CORRECTS = re.compile(
    r"^(?:no|wrong|actually|in fact)\b|\b(?:that|it) (?:is|was) (?:wrong|not true)\b"
    r"|\bnot \w+ but\b|じゃなくて|ではなく|違って|間違い"
)
_OF_SPEAKER = re.compile(r"\b(?:i|me|my|mine|i'm|i've|we|us|our)\b|私|僕|俺|わたし|ぼく|うちの")
_WORD = re.compile(r"[a-z][a-z_']*")
_MOST_TOGETHER = 3  # words of one name: dark oak log


def type_of(words: str) -> KnowledgeType:
    text = normal(words)
    if _CORRECTS.search(text):
        return "correction"
    return "preference" if _WISHES.search(text) else "insight"


def is_about_speaker(words: str) -> bool:
    """Whether somebody speaks of themselves."""
    return _OF_SPEAKER.search(normal(words)) is not None


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
