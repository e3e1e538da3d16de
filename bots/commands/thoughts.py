"""`!thoughts status | approve | reanalyse | tell`: what a bot thinks beside the talk."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from pydantic import Field

from bots.access.origin import Level
from bots.bot.result import Facts, Result
from bots.errors import CommandError
from bots.registry.args import Args, NoArgs
from bots.registry.registry import CommandContext, commands
from bots.responder.reflection.of_bot import BotReflection
from bots.responder.reflection.thought import THREADS, Status, Thought, Thread
from bots.responder.reflection.wording import proposal_of, why_not

LONGEST_NOTE = 500
_CALLED: dict[Thread, str] = {"briefing": "Briefing", "periodic": "Analysis"}
NO_MODEL = "I have no model to think with: there is no briefing, and rules alone answer."


class ReanalyseArgs(Args):
    thread: Thread = "briefing"


class TellArgs(Args):
    json_only: ClassVar = frozenset({"thread"})

    text: str = Field(min_length=1, max_length=LONGEST_NOTE)
    thread: Thread = "briefing"


class ThoughtFacts(Facts):
    thread: Thread
    at_work: bool
    """Whether it is thinking now; the rest is what it thought last."""
    failure: str | None
    """Why it came to nothing, if the last time it did."""
    at: datetime | None = None
    status: Status | None = None
    summary: str = ""
    plan: tuple[str, ...] = ()
    goal: str = ""
    decision: int | None = None

    @classmethod
    def of(cls, thread: Thread, threads: BotReflection) -> ThoughtFacts:
        facts = cls(
            thread=thread, at_work=thread in threads.at_work, failure=threads.failure(thread)
        )
        thought = threads.newest(thread)
        if thought is None:
            return facts
        known = {name: getattr(thought, name) for name in _SHOWN}
        return facts.model_copy(update=known)

    def line(self, thought: Thought | None) -> str:
        if self.at_work:
            words = "I am thinking."
        elif self.failure is not None:
            words = why_not(self.failure)
        else:
            words = proposal_of(thought) if thought else "none yet."
        return f"{_CALLED[self.thread]}: {words}"


_SHOWN = ("at", "status", "summary", "plan", "goal", "decision")


class ThoughtsResult(Result):
    has_model: bool
    threads: tuple[ThoughtFacts, ...]
    message: str

    @classmethod
    def of(cls, threads: BotReflection, message: str = "") -> ThoughtsResult:
        facts = tuple(ThoughtFacts.of(thread, threads) for thread in THREADS)
        told = [one.line(threads.newest(one.thread)) for one in facts]
        stands = "\n".join(told if threads.has_model else [NO_MODEL])
        return cls(has_model=threads.has_model, threads=facts, message=message or stands)

    def lines(self) -> list[str]:
        return self.message.split("\n")


@commands.command("thoughts status", NoArgs, level=Level.TRUSTED, example="!thoughts status")
async def status(context: CommandContext, _args: NoArgs) -> ThoughtsResult:
    """Tell the plan the bot proposes, and what it thinks of those around."""
    return ThoughtsResult.of(_threads(context))


@commands.command("thoughts approve", NoArgs, level=Level.TRUSTED, example="!thoughts approve")
async def approve(context: CommandContext, _args: NoArgs) -> ThoughtsResult:
    """Approve the plan the bot proposed; it sets about its first step."""
    threads = _threads(context)
    if not threads.has_model and threads.newest("briefing") is None:
        raise CommandError("no_model", NO_MODEL)
    approved = await threads.approve(context)
    begun = f" I begin: {approved.goal}." if approved.goal else ""
    return ThoughtsResult.of(threads, f"The plan is approved.{begun}")


@commands.command(
    "thoughts reanalyse",
    ReanalyseArgs,
    aliases=("thoughts reanalyze",),
    level=Level.TRUSTED,
    example="!thoughts reanalyse briefing",
)
async def reanalyse(context: CommandContext, args: ReanalyseArgs) -> ThoughtsResult:
    """Have the bot think of another plan (briefing) or of those around again (periodic)."""
    threads = _threads(context)
    threads.reanalyse(args.thread, (context.asked_by, context.origin))
    return ThoughtsResult.of(threads, "I think it over again and tell you.")


@commands.command(
    "thoughts tell",
    TellArgs,
    level=Level.TRUSTED,
    example="!thoughts tell We need a bridge before a house",
)
async def tell(context: CommandContext, args: TellArgs) -> ThoughtsResult:
    """Tell the bot what to heed in its plan; it then thinks again."""
    threads = _threads(context)
    asker = context.asked_by, context.origin
    threads.tell(args.thread, args.text, asker, context.sources)
    return ThoughtsResult.of(threads, "I think it over with that and tell you.")


def _threads(context: CommandContext) -> BotReflection:
    if (threads := context.bot.services.get(BotReflection)) is None:
        raise CommandError("no_thoughts", "I think of nothing by myself here.")
    return threads
