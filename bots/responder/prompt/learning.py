"""What a model finds worth keeping of lines that it summarises: lines of JSON behind the note, so
that nothing more is asked of it.

    Steve wants a house at the lake.
    {"about": "Steve", "kind": "likes", "what": "cherry wood"}

What somebody says of themselves goes onto their card. All else is knowledge of the bot, as a
conclusion from those lines: no surer than whoever said them, and only for those who may know them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol, TypeAlias

import structlog
from pydantic import BaseModel, ValidationError

from bots.access.origin import Person, speaker_of
from bots.access.sources import Sources
from bots.bot.knowing import Entry, Knowledge, KnowledgeType, tag
from bots.clock import Clock
from bots.errors import StoreError
from bots.knowledge.cards.cards import Cards
from bots.knowledge.cards.fact import Fact, Kind, of_person
from bots.text.excerpt import excerpt

log = structlog.get_logger()

MOST = 4  # of one summary
LONGEST = 90  # characters of each
LEAST = 3
CONFIDENCE = 0.6

Learnable: TypeAlias = Literal[
    "lives", "likes", "dislikes", "wishes", "promised", "correction", "place", "insight"
]
_OF_CARDS: Mapping[Learnable, Kind] = {
    "lives": "lives",
    "likes": "likes",
    "dislikes": "dislikes",
    "wishes": "wishes",
    "promised": "promised",
}
_OF_KNOWLEDGE: Mapping[Learnable, KnowledgeType] = {
    "correction": "correction",
    "place": "insight",
    "insight": "insight",
}


class Learnt(BaseModel):
    """One thing, as a model writes it."""

    about: str = ""
    kind: Learnable
    what: str


@dataclass(frozen=True, slots=True)
class Noted:
    """A model's summary."""

    note: str
    learnt: tuple[Learnt, ...]


class Learns(Protocol):
    """Keeps what was learnt from lines of these sources."""

    async def learn(self, bot: str, learnt: Sequence[Learnt], sources: Sources) -> None: ...


class Learning:
    """Puts what bots learn onto cards and into their knowledge."""

    def __init__(
        self,
        cards_of: Callable[[str], Cards],
        knowledge_of: Callable[[str], Knowledge],
        clock: Clock,
    ) -> None:
        self._cards_of, self._knowledge_of, self._clock = cards_of, knowledge_of, clock

    async def learn(self, bot: str, learnt: Sequence[Learnt], sources: Sources) -> None:
        """Keep it; what cannot be stored is left out."""
        spoke = {speaker_of(one): one for one in sources.origins if isinstance(one, Person)}
        try:
            for one in learnt:
                if one.about in spoke and one.kind in _OF_CARDS:
                    fact = _fact(one, sources, self._clock())
                    await self._cards_of(bot).learn(fact)
                else:
                    teller = next(iter(spoke)) if len(sources.origins) == len(spoke) == 1 else ""
                    await self._knowledge_of(bot).add(_entry(one, sources, teller))
        except StoreError as fault:
            log.warning("learnt.not_stored", bot=bot, why=str(fault))


def read_noted(text: str) -> Noted:
    """A model's answer: its note, and what it found worth keeping. Lines that are neither are
    left out."""
    lines = [line.strip() for line in text.strip().splitlines()]
    found = [one for line in lines if line.startswith("{") if (one := _read(line)) is not None]
    note = " ".join(line for line in lines if line and not line.startswith(("{", "```")))
    return Noted(note, tuple(found[:MOST]))


def _read(line: str) -> Learnt | None:
    try:
        one = Learnt.model_validate(json.loads(line))
    except (ValueError, ValidationError, RecursionError):
        return None
    return one if len(one.what.strip()) >= LEAST else None


def _fact(one: Learnt, sources: Sources, now: datetime) -> Fact:
    words = excerpt(one.what, LONGEST)
    return Fact(of_person(one.about), _OF_CARDS[one.kind], words, now, sources)


def _entry(one: Learnt, sources: Sources, teller: str) -> Entry:
    about = tag("place" if one.kind == "place" else "player", one.about)
    return Entry(
        excerpt(one.what, LONGEST),
        sources,
        _OF_KNOWLEDGE.get(one.kind, "preference"),
        topic=one.about,
        tags=frozenset({about} if one.about.strip() else ()),
        learnt_from="concluded",
        speaker=teller,
        confidence=CONFIDENCE,
    )
