"""`!knows [name]`: tells what the bot knows of somebody, or of a place."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from bots.access.origin import Operator
from bots.access.sources import FACTS, Sources
from bots.bot.result import Result
from bots.errors import CommandError
from bots.knowledge.cards.card import (
    Card,
    PlaceCard,
    card_as_json,
    card_of_person,
    card_of_place,
    cards_of,
    place_as_json,
)
from bots.knowledge.cards.cards import Cards
from bots.knowledge.cards.wording import CardWords
from bots.registry.args import Args
from bots.registry.parse import quoted
from bots.registry.persons import PlayerWord
from bots.registry.registry import CommandContext, commands


class KnowsArgs(Args):
    name: PlayerWord = ""
    """A person or a place; `me` is you, and so is nothing."""


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
        told = {"success": True, **card_as_json(self.card)}
        return {**told, "message": " ".join(self.lines())}

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
        told = {"success": True, **place_as_json(self.card)}
        return {**told, "message": " ".join(self.lines())}

    def as_shown(self) -> dict[str, Any]:
        return {"known": self.lines()}


@commands.command("knows", KnowsArgs, example="!knows Steve")
async def knows(context: CommandContext, args: KnowsArgs) -> Result:
    """Tell what I know of you, of somebody else or of a place; only what you may know."""
    context.check_proven()
    bot, asker = context.bot, context.speaker
    now = bot.times.clock().astimezone()
    is_operator = isinstance(context.origin, Operator)
    name = args.name or ("" if is_operator else asker)
    if (card := await card_of_person(bot, name, context.may_know)) is not None:
        return PersonResult(card=card, asker=asker, now=now)
    if (place := await card_of_place(bot, args.name, context.may_know)) is not None:
        return PlaceResult(card=place, now=now)
    return _everybody(cards_of(bot)) if is_operator and not args.name else _nobody(context, name)


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


def _nobody(context: CommandContext, name: str) -> Result:
    whom = "you yet" if name == context.speaker else quoted(name)
    raise CommandError("unknown", f"I know nothing of {whom}.")
