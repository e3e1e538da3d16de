"""The parts a mind is made of, as it sees them; each can be replaced alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from bots.access.origin import Level, Origin
from bots.access.sources import Sources
from bots.access.visibility import Visibility
from bots.chat.message import Message
from bots.chat.natural_message import NaturalMessage
from bots.observability.trace import Trace
from bots.responder.case.case import Case
from bots.responder.case.events import Happening
from bots.responder.case.inbox import PendingTurn
from bots.responder.case.world_state import ShortIds
from bridge.world import BotName, WorldSnapshot
from llm.engine.decision import Decision, Toolbox, Used
from llm.model import Question

LOOK_WITHIN_S = 0.5  # for a snapshot before a decision; later it is made without one
MODEL_CUT_S = 7.0  # for a model's answer; then rules decide


class Senses(Protocol):
    """What a decision needs of its bot."""

    name: BotName

    async def snapshot(self) -> WorldSnapshot: ...

    def get_conversation_history(self) -> list[Message]: ...


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked, without tools: they come from the toolbox."""

    question: Question
    sources: Sources
    """Of all that it shows, and so of any answer."""


class Prompts(Protocol):
    """Puts a case to a model."""

    async def prompt(self, case: Case) -> Prompt:
        """The question, quickly: a person waits."""
        ...

    def decided(self, case: Case, decision: Decision) -> None:
        """Learn from a decision that was made; returns at once."""
        ...


class Rules(Protocol):
    """Decides without a model."""

    async def decide(self, case: Case, why: str, used: Sequence[Used]) -> str:
        """What to say, '' = nothing, within half a second.

        `why` is why no model decides, as `Decision.why`. May act through `case.toolbox`, unless
        `used` has anything in it: then a model acted already, and this only tells of it."""
        ...

    def forget(self, speaker: str) -> None:
        """Leave what this speaker asked for to a model, which has taken it on."""
        ...

    def asks_to_stop(self, bot: str, line: NaturalMessage) -> bool:
        """Whether a line clearly asks for nothing but to stop: no model may delay that."""
        ...

    async def stop(self, bot: str, waiting: PendingTurn, toolbox: Toolbox) -> str | None:
        """Stop at once: what to say of it; None when there was nothing to stop."""
        ...


class Advice(Protocol):
    """Conclusions of longer thinking, for later decisions."""

    def about(self, bot: str, view: Visibility) -> Sequence[tuple[str, Sources]]:
        """Short paragraphs that this view may show, and where their words come from."""
        ...


class NoAdvice:
    def about(self, bot: str, view: Visibility) -> Sequence[tuple[str, Sources]]:
        return ()


class Knowledge(Protocol):
    """What a bot has learnt of its world, for the decision at hand."""

    def about(self, case: Case) -> Sequence[str]:
        """Short facts, the most useful first."""
        ...


class NoKnowledge:
    def about(self, case: Case) -> Sequence[str]:
        return ()


class Hands(Protocol):
    """What a mind can do in the world."""

    def level_of(self, origin: Origin) -> Level: ...

    def standing_of(self, name: str) -> Level:
        """What a player may do; the bots of the town are as good as their owner made them."""
        ...

    def toolbox(
        self, waiting: PendingTurn, ids: ShortIds, hearers: frozenset[str] | None
    ) -> Toolbox | None:
        """The tools for a decision on these lines; None: words only.

        `hearers` are those of the answer, as `Visibility` has them."""
        ...

    @property
    def at_work(self) -> bool:
        """Whether the bot carries something out."""
        ...

    @property
    def doing(self) -> str:
        """The command it carries out and how far it is, without words of anybody's choice."""
        ...


class NoHands:
    """For a bot that only talks."""

    at_work, doing = False, ""

    def level_of(self, origin: Origin) -> Level:
        return Level.PLAYER

    def standing_of(self, name: str) -> Level:
        return Level.PLAYER

    def toolbox(
        self, waiting: PendingTurn, ids: ShortIds, hearers: frozenset[str] | None
    ) -> Toolbox | None:
        return None


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision with what it was about: one record of the trace."""

    bot: str
    waiting: PendingTurn
    decision: Decision
    events: tuple[Happening, ...] = ()


class Recorder(Protocol):
    """Keeps decisions for those who look back."""

    def decided(self, made: Decided) -> Trace:
        """Note it in the trace, as `decision.made`; the trace's sequence is the decision's id."""
        ...
