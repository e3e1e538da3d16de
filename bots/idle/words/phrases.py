"""What the sentences of one topic are made of."""

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
        match temperament:
            case "cheerful":
                own = self.cheerful
            case "calm":
                own = self.calm
            case "curious":
                own = self.curious
            case "practical":
                own = self.practical
        return (*own, *self.says)

    def replied_by(self, temperament: Temperament) -> tuple[str, ...]:
        match temperament:
            case "cheerful":
                own = self.replies_cheerful
            case "calm":
                own = self.replies_calm
            case "curious":
                own = self.replies_curious
            case "practical":
                own = self.replies_practical
        return (*own, *self.replies)
