"""What a friend says to a line of which no more is understood than its kind: somebody is sad, tells
of a brother, makes plans, asks what nobody here knows. The kinds stand in `bots/words/`, the most
urgent first."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from bots.responder.rules.phrases import as_spelt
from bots.responder.rules.scene import Scene
from bots.text.language import in_hiragana, normal
from bots.text.spelling import nearest
from bots.words.heard import questions

_WORD = re.compile(r"[a-z]{6,}")


@dataclass(frozen=True, slots=True)
class Kind:
    """What is known of a line."""

    name: str
    answers: tuple[str, ...]
    slots: Mapping[str, str]
    """What stood in the line, for the answers."""
    means: str
    """The request that is carried out instead where the bot may; '' for none."""

    def says(self, scene: Scene) -> str:
        return scene.say_one_of(self.answers, **self.slots)


def kind_of(scene: Scene, line: str) -> Kind | None:
    """The kind of a line; None where not even that is plain."""
    said = in_hiragana(normal(line))
    if scene.speaks == "en":
        words, asks = _words("en"), " ?" if said.endswith("?") else ""
        spelt = as_spelt(line, scene.bot, "en")
        said = _WORD.sub(lambda found: nearest(found[0], words) or found[0], spelt) + asks
    for ways, row in questions("kinds", scene.speaks):
        if found := ways.search(said):
            slots = found.groupdict("")
            return Kind(row["name"], tuple(row["says"]), slots, row.get("means", ""))
    return None


@cache
def _words(language: str) -> frozenset[str]:
    """The words that kinds are known by."""
    ways = (way.pattern for way, _ in questions("kinds", language))
    return frozenset(word for way in ways for word in _WORD.findall(way))
