"""What reflection answers to users, by command and by HTTP alike."""

from __future__ import annotations

from datetime import datetime

from bots.bot.result import Facts, Result
from bots.errors import CommandError
from bots.registry.registry import CommandContext
from bots.responder.reflection.reflections import BotReflection
from bots.responder.reflection.thought import THREADS, Status, Thought, Thread, proposal_of, why_not

NO_MODEL = "I have no model to think with: there is no briefing, and rules alone answer."

_CALLED: dict[Thread, str] = {"briefing": "Briefing", "periodic": "Analysis"}
_SHOWN = ("at", "status", "summary", "plan", "goal", "decision")


class ThoughtFacts(Facts):
    thread: Thread
    at_work: bool
    """Whether it is thinking now; the rest is its newest thought."""
    failure: str | None
    """Why its last thinking failed, if it did."""
    at: datetime | None = None
    status: Status | None = None
    summary: str = ""
    plan: tuple[str, ...] = ()
    goal: str = ""
    decision: int | None = None

    @classmethod
    def of(cls, thread: Thread, reflection: BotReflection) -> ThoughtFacts:
        facts = cls(
            thread=thread, at_work=thread in reflection.at_work, failure=reflection.failure(thread)
        )
        thought = reflection.newest(thread)
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


class ThoughtsResult(Result):
    has_model: bool
    threads: tuple[ThoughtFacts, ...]
    message: str

    @classmethod
    def of(cls, reflection: BotReflection, message: str = "") -> ThoughtsResult:
        facts = tuple(ThoughtFacts.of(thread, reflection) for thread in THREADS)
        told = [one.line(reflection.newest(one.thread)) for one in facts]
        stands = "\n".join(told if reflection.has_model else [NO_MODEL])
        return cls(has_model=reflection.has_model, threads=facts, message=message or stands)

    def lines(self) -> list[str]:
        return self.message.split("\n")


async def approve(reflection: BotReflection, context: CommandContext) -> ThoughtsResult:
    """Approve the proposed plan; its goal is begun.

    Raises CommandError: no_model, no_proposal, or why the goal cannot be begun."""
    if not reflection.has_model and reflection.newest("briefing") is None:
        raise CommandError("no_model", NO_MODEL)
    approved = await reflection.approve(context)
    begun = f" I begin: {approved.goal}." if approved.goal else ""
    return ThoughtsResult.of(reflection, f"The plan is approved.{begun}")


def reanalyse(reflection: BotReflection, thread: Thread, context: CommandContext) -> ThoughtsResult:
    """Have a thread think anew. Raises CommandError no_model."""
    reflection.reanalyse(thread, (context.asked_by, context.origin))
    return ThoughtsResult.of(reflection, "I think it over again and tell you.")
