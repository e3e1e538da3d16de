"""What an operator may read and change of what bots know: plain values in, JSON values out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TypeVar

from pydantic import Field

from bots.access.origin import OPERATOR_NAME, Operator, is_operator
from bots.access.sources import Sources, names_of
from bots.bot.bot import Bot
from bots.bot.knowing import TYPES, Entry, Wanted
from bots.daemon.session import BotRoster
from bots.daemon.shapes import Body, Json
from bots.errors import CommandError
from bots.knowledge.cards.card import (
    add_fact,
    card_as_json,
    card_of_person,
    card_of_place,
    cards_of,
    drop_fact,
    place_as_json,
)
from bots.knowledge.cards.fact import KINDS
from bots.knowledge.wording import as_json, found_as_json
from bots.responder.forgetting import forget_person

T = TypeVar("T", bound=str)
OPERATOR = Operator("http")
MOST_DAYS = 3_650
LONGEST, LONGEST_TOPIC = 300, 60  # characters


class NewFact(Body):
    """Something for the card of a person."""

    kind: str
    """likes, dislikes, lives, called, wishes, promised, noted …"""
    words: str = Field(min_length=1, max_length=LONGEST)
    for_all: bool = Field(default=False, alias="forAll")
    """Whether everybody may be told it; else the person alone, and trusted players."""


class NewEntry(Body):
    """Something that a bot is to know."""

    words: str = Field(min_length=1, max_length=LONGEST)
    type: str = "insight"
    topic: str = Field(default="", max_length=LONGEST_TOPIC)
    confidence: float = Field(default=0.8, ge=0, le=1)
    days: int | None = Field(default=None, ge=1, le=MOST_DAYS)
    """How long it holds; None: for good."""
    for_all: bool = Field(default=False, alias="forAll")
    """Whether everybody may be told it; else trusted players alone."""


class OperatorMemory:
    """The cards and the knowledge of all bots; callers check the bots' names.

    Whatever is not there raises CommandError unknown; a kind or type that there is none of,
    invalid_format."""

    def __init__(self, roster: BotRoster) -> None:
        self._roster = roster

    async def people(self, bot: str) -> Json:
        cards = cards_of(self._bot(bot))
        await cards.read_on()
        met = {name: cards.meeting(name) for name in cards.persons}
        people = [
            {"name": n, "firstMet": one.first_at.isoformat(), "lastMet": one.last_at.isoformat()}
            for n, one in met.items()
            if one is not None
        ]
        return {"success": True, "people": people}

    async def person(self, bot: str, name: str) -> Json:
        known = self._bot(bot)
        card = await card_of_person(known, name)
        if card is None:
            raise CommandError("unknown", f"{bot} knows nobody called {name!r}.")
        return {"success": True, **card_as_json(card)}

    async def forget_person(self, bot: str, name: str) -> Json:
        known = self._bot(bot)
        await cards_of(known).read_on()
        person = cards_of(known).person_called(name)
        if person is None:
            raise CommandError("unknown", f"{bot} knows nobody called {name!r}.")
        origin = None if is_operator(person) else known.origin_of(person)
        gone = await forget_person(known, person, origin)
        return {"success": True, "facts": gone.facts, "entries": gone.entries, "notes": gone.notes}

    async def add_fact(self, bot: str, name: str, fact: NewFact) -> Json:
        kind = _one_of(KINDS, fact.kind)
        await add_fact(self._bot(bot), name, kind, fact.words, by=OPERATOR, for_all=fact.for_all)
        return await self.person(bot, name)

    async def drop_fact(self, bot: str, name: str, kind: str, words: str) -> Json:
        gone = await drop_fact(self._bot(bot), name, _one_of(KINDS, kind), words)
        return {"success": True, "gone": gone}

    async def places(self, bot: str) -> Json:
        places = self._bot(bot).locations.all()
        rows = [
            {
                "name": one.name,
                "position": {"x": one.position.x, "y": one.position.y, "z": one.position.z},
                "dimension": one.dimension,
            }
            for one in places
        ]
        return {"success": True, "places": rows}

    async def place(self, bot: str, name: str) -> Json:
        known = self._bot(bot)
        card = await card_of_place(known, name)
        if card is None:
            raise CommandError("unknown", f"{bot} knows no place called {name!r}.")
        return {"success": True, **place_as_json(card)}

    async def knowledge(
        self, bot: str, words: str, type: str | None, speaker: str | None, limit: int
    ) -> Json:
        types = TYPES if type is None else (_one_of(TYPES, type),)
        wanted = Wanted(words, types=types, speaker=speaker, limit=limit, damped=True)
        found = await self._bot(bot).knowledge.search(wanted)
        return {"success": True, "count": len(found), "entries": [*map(found_as_json, found)]}

    async def add_entry(self, bot: str, entry: NewEntry) -> Json:
        known = self._bot(bot)
        kept = await known.knowledge.add(_entry(known, entry))
        return {"success": True, "entry": as_json(kept)}

    async def correct_entry(self, bot: str, number: int, entry: NewEntry) -> Json:
        """Its words are the operator's from now on."""
        known = self._bot(bot)
        newer = replace(_entry(known, entry), id=number, made_at=known.times.clock())
        stored = await known.knowledge.update(newer)
        if stored is None:
            raise _no_entry(bot, number)
        return {"success": True, "entry": as_json(stored)}

    async def forget_entry(self, bot: str, number: int) -> Json:
        gone = await self._bot(bot).knowledge.forget([number], lambda entry: True)
        if not gone:
            raise _no_entry(bot, number)
        return {"success": True, "forgotten": len(gone)}

    def _bot(self, name: str) -> Bot:
        return self._roster.find(name).bot


def _entry(bot: Bot, entry: NewEntry) -> Entry:
    days = None if entry.days is None else timedelta(days=entry.days)
    audience = None if entry.for_all else names_of(OPERATOR)
    return Entry(
        entry.words,
        Sources.said_by(OPERATOR, bot.permissions.level_of(OPERATOR), audience),
        _one_of(TYPES, entry.type),
        entry.topic,
        speaker=OPERATOR_NAME,
        confidence=entry.confidence,
        expires_at=None if days is None else bot.times.clock() + days,
    )


def _one_of(known: Sequence[T], name: str) -> T:
    found = next((one for one in known if one == name), None)
    if found is None:
        raise CommandError("invalid_format", f"{name!r} is none of {', '.join(known)}.")
    return found


def _no_entry(bot: str, number: int) -> CommandError:
    return CommandError("unknown", f"{bot} has no entry {number}.")
