"""`!thoughts status | approve | reanalyse | tell`: what a bot thinks in the background."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from bots.access.origin import Level
from bots.access.sources import Sources, joined
from bots.errors import CommandError
from bots.registry.args import Args, NoArgs
from bots.registry.registry import CommandContext, commands
from bots.responder.reflection import reflections
from bots.responder.reflection.reflections import BotReflection, ThoughtsResult
from bots.responder.reflection.thought import THREADS, Thread

LONGEST_NOTE = 500


class ReanalyseArgs(Args):
    thread: Thread = "briefing"
    """Which thoughts: briefing or periodic."""


class TellArgs(Args):
    json_only: ClassVar = frozenset({"thread"})

    text: str = Field(min_length=1, max_length=LONGEST_NOTE)
    """What to bear in mind."""
    thread: Thread = "briefing"
    """Which thoughts it is for: briefing or periodic."""


def _thoughts(context: CommandContext) -> Sources:
    reflection = context.bot.services.get(BotReflection)
    newest = map(reflection.newest, THREADS) if reflection else ()
    return joined(thought.sources for thought in newest if thought is not None)


@commands.command(
    "thoughts status",
    NoArgs,
    level=Level.TRUSTED,
    tells=_thoughts,
    example="!thoughts status",
)
async def status(context: CommandContext, _args: NoArgs) -> ThoughtsResult:
    """Tell the plan the bot proposes, and what it thinks of those around."""
    return ThoughtsResult.of(_reflection(context))


@commands.command(
    "thoughts approve",
    NoArgs,
    level=Level.TRUSTED,
    tells=_thoughts,
    example="!thoughts approve",
)
async def approve(context: CommandContext, _args: NoArgs) -> ThoughtsResult:
    """Approve the plan the bot proposed; it sets about its first step."""
    return await reflections.approve(_reflection(context), context)


@commands.command(
    "thoughts reanalyse",
    ReanalyseArgs,
    aliases=("thoughts reanalyze",),
    level=Level.TRUSTED,
    tells=_thoughts,
    example="!thoughts reanalyse briefing",
)
async def reanalyse(context: CommandContext, args: ReanalyseArgs) -> ThoughtsResult:
    """Have the bot think of another plan (briefing) or of those around again (periodic)."""
    return reflections.reanalyse(_reflection(context), args.thread, context)


@commands.command(
    "thoughts tell",
    TellArgs,
    level=Level.TRUSTED,
    tells=_thoughts,
    example="!thoughts tell We need a bridge before a house",
)
async def tell(context: CommandContext, args: TellArgs) -> ThoughtsResult:
    """Tell the bot what to heed in its plan; it then thinks again."""
    reflection = _reflection(context)
    asker = context.asked_by, context.origin
    reflection.tell(args.thread, args.text, asker, context.sources)
    return ThoughtsResult.of(reflection, "I think it over with that and tell you.")


def _reflection(context: CommandContext) -> BotReflection:
    if (reflection := context.bot.services.get(BotReflection)) is None:
        raise CommandError("no_thoughts", "I think of nothing by myself here.")
    return reflection
