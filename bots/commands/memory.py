"""`!remember`, `!forget`, `!knows` and `!knowledge`: what a bot is told to keep in mind.

Who asks to be forgotten altogether, in whichever words, gets what `!forget me` does.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Annotated, Any, ClassVar

from pydantic import Field

from bots.access.origin import Level, Operator, Origin, called, is_operator, speaker_of
from bots.access.sources import FACTS, Sources, joined
from bots.bot.knowing import (
    LONGEST,
    LONGEST_TOPIC,
    TYPES,
    Entry,
    Found,
    KnowledgeType,
    Tag,
    Wanted,
    tag,
)
from bots.bot.looking import in_time
from bots.bot.result import Result
from bots.errors import CommandError, InvalidArguments, NotPermitted
from bots.knowledge.cards.card import (
    Card,
    CardWords,
    PlaceCard,
    card_as_json,
    card_of_person,
    card_of_place,
    cards_of,
    place_as_json,
)
from bots.knowledge.wording import (
    found_as_json,
    is_about_speaker,
    listed,
    names_around,
    row_of,
    tags_in,
    type_of,
)
from bots.registry.args import Args, PlayerWord, quoted
from bots.registry.registry import CommandContext, commands
from bots.responder.forgetting import Forgotten, forget_person
from bots.text.plurals import counted
from bots.text.printable import excerpt
from bots.text.pronouns import is_asker

LOOK_WITHIN_S = 0.5
MOST_DAYS = 3_650
STAYS = (
    "What was said stays in the record, as others heard it too, but I go by it no more; "
    "!recall still finds it for those who heard it."
)
OFFERED = 8  # entries to choose from
_NUMBER = re.compile(r"(?:number |#)?(\d{1,15})")
WHISPERED = 4  # entries
SHOWN = 8  # to a model
MOST = 1_000
BETWEEN = " ‖ "


class RememberArgs(Args):
    json_only: ClassVar = frozenset({"type", "topic", "days", "for_all"})

    words: str = Field(min_length=1, max_length=LONGEST)
    """What to remember, in a sentence."""
    type: KnowledgeType | None = None
    """preference, correction, insight, strategy, synergy, combo, counter or pattern."""
    topic: str = Field("", max_length=LONGEST_TOPIC)
    """What it is about, in a word or two."""
    days: int | None = Field(None, ge=1, le=MOST_DAYS, strict=True)
    """Forget it after so many days."""
    for_all: bool = False
    """Everybody may know it; else those alone who may know what you whisper to me."""


class RememberResult(Result):
    message: str
    id: int
    """Its number, by which it can be forgotten."""
    is_claim: bool
    """Whether it is told as a claim, since you are not trusted."""


@commands.command(
    "remember",
    RememberArgs,
    personal=True,
    example="!remember the bridge at the lake is broken",
)
async def remember(context: CommandContext, args: RememberArgs) -> RememberResult:
    """Remember what you tell me, as your words."""
    bot, words = context.bot, " ".join(args.words.split())
    if not words:
        raise InvalidArguments("invalid_format", "What shall I remember?")
    sources = context.sources
    if args.for_all:
        if context.level < Level.TRUSTED:
            raise NotPermitted("not_permitted", "Only trusted players have me tell everybody.")
        sources = sources.released_to(None)
    until = None if args.days is None else bot.times.clock() + timedelta(days=args.days)
    entry = Entry(
        words,
        sources,
        args.type or type_of(words),
        args.topic,
        tags=await _tags(context, words),
        speaker=context.speaker,
        utterance=await _line(context, words),
        expires_at=until,
    )
    kept = await bot.knowledge.add(entry)
    is_claim = kept.level < Level.TRUSTED
    told = "I note that you say so" if is_claim else "I will remember that"
    return RememberResult(message=f"{told} (number {kept.id}).", id=kept.id, is_claim=is_claim)


async def _line(context: CommandContext, words: str) -> int | None:
    """The line that told it. A command has no line in the history yet."""
    speaker = context.speaker
    if context.view is None:
        heard = await context.bot.add_message(speaker, words, sources=context.sources)
        return heard.sequence
    said = reversed(context.bot.get_conversation_history(username=speaker))
    return next((line.sequence for line in said if line.role == "user"), None)


async def _tags(context: CommandContext, words: str) -> frozenset[Tag]:
    bot, asker = context.bot, called(context.speaker)
    world = await in_time(bot.snapshot(), LOOK_WITHIN_S)
    own = [tag("player", asker)] if is_about_speaker(words) else []
    names = await names_around(bot, world, [asker], context.may_know)
    return tags_in(words, names) | frozenset(own)


class ForgetMeArgs(Args):
    json_only: ClassVar = frozenset({"person"})

    person: PlayerWord | None = None
    """Whom to forget; only an owner may name somebody else. An operator's name begins with @."""


class ForgetMeResult(Result):
    person: str
    facts: int
    """Of the card of this person."""
    entries: int
    """Of what this person had the bot remember."""
    notes: int
    """Of conversations with this person, or that name them."""
    thoughts: int
    """Plans and outlooks that name this person."""
    message: str


@commands.command("forget me", ForgetMeArgs, personal=True, example="!forget me")
async def forget_me(context: CommandContext, args: ForgetMeArgs) -> ForgetMeResult:
    """Forget what I know of you: your card, and my notes of our talks. Recorded lines stay."""
    context.check_proven()
    speaker, person = _whom(context, args)
    gone = await forget_person(context.bot, speaker, person)
    whom = "you" if speaker == context.speaker else called(speaker)
    message = f"I have forgotten what I knew of {whom}{_counted(gone)}. {STAYS}"
    return ForgetMeResult(
        person=speaker,
        facts=gone.facts,
        entries=gone.entries,
        notes=gone.notes,
        thoughts=gone.thoughts,
        message=message,
    )


def _whom(context: CommandContext, args: ForgetMeArgs) -> tuple[str, Origin | None]:
    """The name the person is known by, and the player. Raises CommandError: nobody,
    not_permitted."""
    if args.person is None:
        if isinstance(context.origin, Operator):
            raise CommandError("nobody", 'Say whom: !forget me {"person": "Steve"}.')
        return context.speaker, context.origin
    named = None if is_operator(args.person) else context.bot.origin_of(args.person)
    if named != context.origin and context.level < Level.OWNER:
        raise NotPermitted("not_permitted", "Only an owner may have me forget somebody else.")
    return args.person if named is None else speaker_of(named), named


def _counted(gone: Forgotten) -> str:
    counts = (
        *((gone.facts, "fact"), (gone.entries, "thing to remember")),
        *((gone.notes, "note"), (gone.thoughts, "thought")),
    )
    told = []
    for number, what in counts:
        first, _, rest = what.partition(" ")
        told += [" ".join(filter(None, [counted(number, first), rest]))] if number else []
    return f": {', '.join(told)}" if told else ""


class ForgetArgs(Args):
    what: str = Field(min_length=1, max_length=LONGEST)
    """A number as `!knowledge` tells it, or words of one entry."""


class ForgetResult(Result):
    message: str
    forgotten: int
    """How many entries."""
    sources: Annotated[Sources, Field(exclude=True)] = FACTS
    """Of the words in the message."""


@commands.command("forget", ForgetArgs, personal=True, example="!forget 12")
async def forget(context: CommandContext, args: ForgetArgs) -> Result:
    """Forget what you told me to remember; owners may have me forget anything."""
    context.check_proven()
    what = args.what.strip()
    if is_asker(what):
        return await forget_me(context, ForgetMeArgs())
    number = _NUMBER.fullmatch(what)
    found = [] if number else await _fitting(context, what)
    if len(found) > 1:
        numbers = [one.entry.id for one in found[:OFFERED]]
        several = ", ".join(map(str, numbers))
        sentence = f"Several fit: {several}. See !knowledge, then write !forget and the number."
        raise CommandError("ambiguous", sentence, numbers=numbers)
    ids = [int(number[1])] if number else [one.entry.id for one in found]
    gone = await context.bot.knowledge.forget(ids, lambda entry: may_forget(context, entry))
    if not gone:
        raise CommandError("not_found", "You told me nothing like that. See !knowledge.")
    message = f"I have forgotten: {excerpt(gone[0].insight, 160)}"
    return ForgetResult(message=message, forgotten=len(gone), sources=gone[0].sources)


def may_forget(context: CommandContext, entry: Entry) -> bool:
    """Whether the asker told it; owners may forget all they may know."""
    if context.level >= Level.OWNER:
        return context.may_know(entry.sources)
    return entry.speaker == context.speaker


async def _fitting(context: CommandContext, words: str) -> list[Found]:
    """Entries with these words that the asker may delete; only the one with exactly these words,
    if there is one."""
    speaker = None if context.level >= Level.OWNER else context.speaker
    wanted = Wanted(words, speaker=speaker, damped=True, may_know=context.may_know)
    found = await context.bot.knowledge.search(wanted)
    own = [one for one in found if may_forget(context, one.entry)]
    exact = [one for one in own if one.entry.insight.casefold() == words.casefold()]
    return exact[:1] or own


class KnowsArgs(Args):
    name: PlayerWord = ""
    """A person or a place; `me` is you, and so is nothing."""


class CardResult(Result):
    """What is known of one person or place."""

    between_lines: ClassVar = " "

    card: Card | PlaceCard
    now: datetime

    @property
    def sources(self) -> Sources:
        """The sources of all these words."""
        return self.card.sources

    def as_shown(self) -> dict[str, Any]:
        return {"known": self.lines()}


class PersonResult(CardResult):
    card: Card
    asker: str

    def lines(self) -> list[str]:
        return CardWords("en", self.asker, self.now).sentences(self.card)

    def as_json(self) -> dict[str, Any]:
        told = {"success": True, **card_as_json(self.card)}
        return {**told, "message": " ".join(self.lines())}


class PlaceResult(CardResult):
    card: PlaceCard

    def lines(self) -> list[str]:
        return self.card.sentences(self.now)

    def as_json(self) -> dict[str, Any]:
        told = {"success": True, **place_as_json(self.card)}
        return {**told, "message": " ".join(self.lines())}


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
    if is_operator and not args.name:
        return KnownPersons(persons=cards_of(bot).persons)
    whom = "you yet" if name == context.speaker else quoted(name)
    raise CommandError("unknown", f"I know nothing of {whom}.")


class KnownPersons(Result):
    """The answer to an operator who names nobody."""

    persons: tuple[str, ...]

    @property
    def sources(self) -> Sources:
        return FACTS

    def lines(self) -> list[str]:
        return [f"I know {', '.join(self.persons) or 'nobody yet'}."]


class KnowledgeArgs(Args):
    json_only: ClassVar = frozenset({"type", "speaker", "limit"})

    words: str = ""
    """What it is about; without words, all there is."""
    type: KnowledgeType | None = None
    """Only this kind of entry."""
    speaker: PlayerWord | None = None
    """Only what this one told."""
    limit: int = Field(20, ge=1, le=MOST, strict=True)
    """How many entries."""


class KnowledgeResult(Result):
    between_lines: ClassVar = BETWEEN

    found: tuple[Found, ...]
    """What trusted ones told and the bot saw first, then claims; the weightier first."""
    now: datetime

    @property
    def sources(self) -> Sources:
        """The sources of all these words."""
        return joined(one.entry.sources for one in self.found)

    def as_json(self) -> dict[str, Any]:
        entries = [found_as_json(one) for one in self.found]
        return {"success": True, "count": len(entries), "entries": entries}

    def as_shown(self) -> dict[str, Any]:
        return {"found": [row_of(one, self.now) for one in self.found[:SHOWN]]}

    def lines(self) -> list[str]:
        told = [listed(one, self.now) for one in self.found[:WHISPERED]]
        left = len(self.found) - len(told)
        more = [f"and {left} more: add a word"] if left else []
        return [line.replace(BETWEEN.strip(), "|") for line in told] + more or [NOTHING]


NOTHING = "I know nothing of that."


@commands.command("knowledge", KnowledgeArgs, example="!knowledge bridge")
async def knowledge(context: CommandContext, args: KnowledgeArgs) -> KnowledgeResult:
    """Tell what I was told to remember and found out; only what you may know."""
    context.check_proven()
    found = await context.bot.knowledge.search(
        Wanted(
            args.words,
            types=(args.type,) if args.type else TYPES,
            speaker=args.speaker,
            limit=args.limit,
            damped=True,
            may_know=context.may_know,
        )
    )
    return KnowledgeResult(found=tuple(found), now=context.bot.times.clock())
