"""`!remember <words>`: what somebody tells the bot to remember, as the words of that one."""

from __future__ import annotations

from datetime import timedelta
from typing import ClassVar

from pydantic import Field

from bots.access.origin import Level, called
from bots.bot.knowing import (
    LONGEST,
    LONGEST_TOPIC,
    Entry,
    KnowledgeType,
    Tag,
    tag,
)
from bots.bot.looking import in_time
from bots.bot.result import Result
from bots.errors import InvalidArguments, NotPermitted
from bots.knowledge.wording import is_about_speaker, names_around, tags_in, type_of
from bots.registry.args import Args
from bots.registry.registry import CommandContext, commands

LOOK_WITHIN_S = 0.5
MOST_DAYS = 3_650


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

    def lines(self) -> list[str]:
        return [self.message]


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
    """The line that told it. Of a command there is none in the history yet."""
    speaker = context.speaker
    if context.view is None:
        heard = await context.bot.add_message(speaker, words, sources=context.sources)
        return heard.sequence
    said = reversed(context.bot.get_conversation_history(username=speaker))
    return next((line.sequence for line in said if line.role == "user"), None)


async def _tags(context: CommandContext, words: str) -> frozenset[Tag]:
    bot, asker = context.bot, _asker(context)
    world = await in_time(bot.snapshot(), LOOK_WITHIN_S)
    own = [tag("player", asker)] if is_about_speaker(words) else []
    names = await names_around(bot, world, [asker], context.may_know)
    return tags_in(words, names) | frozenset(own)


def _asker(context: CommandContext) -> str:
    return called(context.speaker)
