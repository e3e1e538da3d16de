"""`!knows [name]`: tells what the bot knows of somebody, or of a place."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from bots.access.origin import Operator, speaker_of
from bots.access.sources import FACTS, Sources
from bots.bot.result import Result
from bots.errors import CommandError
from bots.knowledge.cards.card import Card, card_of
from bots.knowledge.cards.cards import Cards
from bots.knowledge.cards.fact import Fact
from bots.knowledge.cards.place import PlaceCard, place_card_of
from bots.knowledge.cards.wording import CardWords
from bots.registry.args import Args
from bots.registry.parse import quoted
from bots.registry.registry import CommandContext, commands


class KnowsArgs(Args):
    name: str = ""
    """A person or a place; you, unless given."""


class PersonResult(Result):
    between_lines: ClassVar = " "

    card: Card
    asker: str
    now: datetime

    @property
    def sources(self) -> Sources:
        """Whence all these words come."""
        return self.card.sources

    def lines(self) -> list[str]:
        return CardWords("en", self.asker, self.now).sentences(self.card)

    def as_json(self) -> dict[str, Any]:
        met = self.card.meeting
        return {
            "success": True,
            "what": "person",
            "name": self.card.name,
            "firstMet": None if met is None else met.first_at.isoformat(),
            "lastMet": None if met is None else met.last_at.isoformat(),
            "facts": [_row(one) for one in self.card.facts],
            "message": " ".join(self.lines()),
        }

    def as_shown(self) -> dict[str, Any]:
        return {"known": self.lines()}


class PlaceResult(Result):
    between_lines: ClassVar = " "

    card: PlaceCard
    now: datetime

    @property
    def sources(self) -> Sources:
        return self.card.sources

    def lines(self) -> list[str]:
        return self.card.sentences(self.now)

    def as_json(self) -> dict[str, Any]:
        place = self.card.location
        at = place.position
        return {
            "success": True,
            "what": "place",
            "name": place.name,
            "position": {"x": at.x, "y": at.y, "z": at.z},
            "dimension": place.dimension,
            "namedBy": self.card.named_by or None,
            "namedAt": None if place.named_at is None else place.named_at.isoformat(),
            "placed": self.card.placed,
            "living": [one.about.name for one in self.card.living],
            "facts": [_row(one) for one in self.card.facts],
            "message": " ".join(self.lines()),
        }

    def as_shown(self) -> dict[str, Any]:
        return {"known": self.lines()}


@commands.command("knows", KnowsArgs, example="!knows Steve")
async def knows(context: CommandContext, args: KnowsArgs) -> Result:
    """Tell what I know of you, of somebody else or of a place; only what you may know."""
    context.check_proven()
    bot, asker = context.bot, speaker_of(context.origin)
    cards = bot.services.get(Cards)
    assert cards is not None, "every session provides them"
    await cards.read_on()
    now = bot.times.clock().astimezone()
    is_operator = isinstance(context.origin, Operator)
    person = cards.person_called(args.name or ("" if is_operator else asker))
    if person is not None:
        card = card_of(cards, person, context.may_know)
        if not card.is_empty:
            return PersonResult(card=card, asker=asker, now=now)
    place = bot.locations.find(args.name, context.may_know)
    if place is not None:
        return PlaceResult(card=place_card_of(bot, cards, place, context.may_know), now=now)
    return _everybody(cards) if is_operator and not args.name else _nobody(args.name or asker)


class KnownPersons(Result):
    """Of an operator who names nobody."""

    persons: tuple[str, ...]

    @property
    def sources(self) -> Sources:
        return FACTS

    def lines(self) -> list[str]:
        return [f"I know {', '.join(self.persons) or 'nobody yet'}."]


def _everybody(cards: Cards) -> KnownPersons:
    return KnownPersons(persons=cards.persons)


def _nobody(name: str) -> Result:
    raise CommandError("unknown", f"I know nothing of {quoted(name)}.")


def _row(fact: Fact) -> dict[str, Any]:
    return {
        "kind": fact.kind,
        "words": fact.words,
        "at": fact.at.isoformat(),
        **({"said": fact.said, "by": fact.teller or None} if fact.said else {}),
        **({"count": fact.count} if fact.count else {}),
    }
