"""`!forget <what>`: takes back what one has told the bot; owners have it forget anything.

Who asks to be forgotten altogether, in whichever words, gets what `!forget me` does."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field

from bots.access.origin import Level
from bots.access.sources import FACTS, Sources
from bots.bot.knowing import LONGEST, Entry, Found, Wanted
from bots.bot.result import Result
from bots.commands.forget_me import ForgetMeArgs, forget_me
from bots.errors import CommandError
from bots.registry.args import Args
from bots.registry.registry import CommandContext, commands
from bots.text.excerpt import excerpt
from bots.text.pronouns import is_asker

OFFERED = 8  # entries to choose from
_NUMBER = re.compile(r"(?:number |#)?(\d{1,15})")


class ForgetArgs(Args):
    what: str = Field(min_length=1, max_length=LONGEST)
    """A number as `!knowledge` tells it, or words of one entry."""


class ForgetResult(Result):
    message: str
    forgotten: int
    """How many entries."""
    sources: Annotated[Sources, Field(exclude=True)] = FACTS
    """Of the words in the message."""

    def lines(self) -> list[str]:
        return [self.message]


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
        raise _unsure(found)
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
    """What the asker may have forgotten and has the words; the one that has them exactly alone."""
    speaker = None if context.level >= Level.OWNER else context.speaker
    wanted = Wanted(words, speaker=speaker, damped=True, may_know=context.may_know)
    found = await context.bot.knowledge.search(wanted)
    own = [one for one in found if may_forget(context, one.entry)]
    exact = [one for one in own if one.entry.insight.casefold() == words.casefold()]
    return exact[:1] or own


def _unsure(found: list[Found]) -> CommandError:
    numbers = [one.entry.id for one in found[:OFFERED]]
    several = ", ".join(map(str, numbers))
    sentence = f"Several fit: {several}. See !knowledge, then write !forget and the number."
    return CommandError("ambiguous", sentence, numbers=numbers)
