"""What a model finds worth keeping of lines that it summarises or thinks over, so that nothing more
is asked of it: lines of JSON behind a note, a field of an analysis.

    Steve wants a house at the lake.
    {"about": "Steve", "kind": "likes", "what": "cherry wood"}

What somebody said of themselves goes onto their card: where a line of theirs has all the words, as
what they said there. All else is knowledge of the bot, as a conclusion from those lines: no surer
than whoever said them, and only for those who may know them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, Protocol, TypeAlias, get_args

import structlog
from pydantic import BaseModel, ValidationError

from bots.access.origin import Person, speaker_of
from bots.access.sources import Sources
from bots.bot.knowing import Entry, Knowledge, KnowledgeType, tag
from bots.chat.message import Message
from bots.clock import Clock
from bots.errors import StoreError
from bots.knowledge.cards.cards import Cards
from bots.knowledge.cards.fact import Fact, Kind, of_person
from bots.text.printable import excerpt
from bots.text.search_words import words_of
from bridge.foreign_json import NotJson, read_json

log = structlog.get_logger()

MOST = 4  # of one summary
LONGEST = 90  # characters of each
LEAST = 3
CONFIDENCE = 0.6
KEPT = timedelta(days=180)
"""So long a conclusion holds, unless it is drawn again."""

Learnable: TypeAlias = Literal[
    "lives", "likes", "dislikes", "wishes", "promised", "correction", "place", "insight"
]
LEARNABLE: tuple[Learnable, ...] = get_args(Learnable)
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

    async def learn(
        self, bot: str, learnt: Sequence[Learnt], sources: Sources, said: Sequence[Message]
    ) -> None:
        """`said` are the lines themselves."""
        ...


class Learning:
    """Puts what bots learn onto cards and into their knowledge."""

    def __init__(
        self,
        cards_of: Callable[[str], Cards],
        knowledge_of: Callable[[str], Knowledge],
        clock: Clock,
    ) -> None:
        self._cards_of, self._knowledge_of, self._clock = cards_of, knowledge_of, clock

    async def learn(
        self, bot: str, learnt: Sequence[Learnt], sources: Sources, said: Sequence[Message]
    ) -> None:
        """Keep it; what cannot be stored is left out."""
        now = self._clock()
        try:
            for one in learnt:
                fact = _own_fact(one, said) or _fact(one, sources, now)
                if fact is not None:
                    await self._cards_of(bot).learn(fact)
                else:
                    entry = _entry(one, sources, now)
                    knowledge = self._knowledge_of(bot)
                    if entry.type == "correction":
                        await knowledge.correct(entry)
                    else:
                        await knowledge.add(entry)
        except StoreError as fault:
            log.warning("learnt.not_stored", bot=bot, why=str(fault))


def read_noted(text: str) -> Noted:
    """A model's answer: its note, and what it found worth keeping. Lines that are neither are
    left out."""
    lines = [line.strip() for line in text.strip().splitlines()]
    found = [one for line in lines if line.startswith("{") if (one := _read(line)) is not None]
    note = " ".join(line for line in lines if line and not line.startswith(("{", "```")))
    return Noted(note, tuple(found[:MOST]))


def read_learnt(rows: Iterable[object]) -> tuple[Learnt, ...]:
    """Those of these that are whole; a model may write anything."""
    return tuple(one for row in rows if (one := _checked(row)) is not None)[:MOST]


def _read(line: str) -> Learnt | None:
    try:
        return _checked(read_json(line))
    except NotJson:
        return None


def _checked(row: object) -> Learnt | None:
    try:
        one = Learnt.model_validate(row)
    except ValidationError:
        return None
    return one if len(one.what.strip()) >= LEAST else None


def _own_fact(one: Learnt, said: Sequence[Message]) -> Fact | None:
    """What somebody said themselves, in a line that has all the words."""
    words, kind = set(words_of(one.what)), _OF_CARDS.get(one.kind)
    if kind is None or not words:
        return None
    for message in reversed(said):
        sources, text = message.utterance.sources, message.text or ""
        own = {speaker_of(origin) for origin in sources.origins} == {one.about}
        if own and message.speaker == one.about and words <= set(words_of(text)):
            what = excerpt(one.what, LONGEST)
            line = excerpt(text, LONGEST)
            return Fact(of_person(one.about), kind, what, message.heard_at, sources, line)
    return None


def _fact(one: Learnt, sources: Sources, now: datetime) -> Fact | None:
    """What a model made of the words of one person alone."""
    kind = _OF_CARDS.get(one.kind)
    if kind is None or _teller(sources) != one.about or not one.about:
        return None
    return Fact(of_person(one.about), kind, excerpt(one.what, LONGEST), now, sources)


def _teller(sources: Sources) -> str:
    """The one person whose words these are; '' where they are several's."""
    match list(sources.origins):
        case [Person() as one]:
            return speaker_of(one)
    return ""


def _entry(one: Learnt, sources: Sources, now: datetime) -> Entry:
    about = tag("place" if one.kind == "place" else "player", one.about)
    return Entry(
        excerpt(one.what, LONGEST),
        sources,
        _OF_KNOWLEDGE.get(one.kind, "preference"),
        topic=one.about,
        tags=frozenset({about} if one.about.strip() else ()),
        learnt_from="concluded",
        speaker=_teller(sources),
        confidence=CONFIDENCE,
        expires_at=now + KEPT,
    )
