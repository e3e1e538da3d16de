"""What the sentences of one topic are made of, and what things of the world are called in plain
English.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from bots.responder.case.persona import Temperament

Topic: TypeAlias = Literal[
    "rain",
    "thunder",
    "clear",
    "hour",
    "night",
    "came",
    "came_again",
    "came_after",
    "left",
    "found",
    "walked",
    "saw",
    "animals",
    "fire",
    "fellow",
    "company",
    "wished",
    "wished_here",
    "talked_of",
]
TOPICS: tuple[Topic, ...] = get_args(Topic)
_MASS = ("water", "lava", "sand", "gravel", "clay", "stone", "_ore", "cane", "obsidian", "ice")


@dataclass(frozen=True, slots=True)
class Phrases:
    """Sentences with slots: what anybody says or replies, and what one temperament does."""

    says: tuple[str, ...]
    cheerful: tuple[str, ...]
    calm: tuple[str, ...]
    curious: tuple[str, ...]
    practical: tuple[str, ...]
    replies: tuple[str, ...]
    replies_cheerful: tuple[str, ...]
    replies_calm: tuple[str, ...]
    replies_curious: tuple[str, ...]
    replies_practical: tuple[str, ...]

    def said_by(self, temperament: Temperament) -> tuple[str, ...]:
        own: tuple[str, ...] = getattr(self, temperament)
        return (*own, *self.says)

    def replied_by(self, temperament: Temperament) -> tuple[str, ...]:
        own: tuple[str, ...] = getattr(self, f"replies_{temperament}")
        return (*own, *self.replies)


def plain_name(block: str) -> str:
    """A trunk stands for its tree."""
    name = block.removeprefix("wall_").replace("_", " ")
    return f"{name.removesuffix(' log')} tree" if name.endswith(" log") else name


def one_of(block: str) -> str:
    """With its article."""
    name = plain_name(block)
    article = "some" if block.endswith(_MASS) else "an" if name[0] in "aeiou" else "a"
    return f"{article} {name}"
