"""What one decision is made from, and the parts that make it: each can be replaced alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from bots.access.origin import Level, Origin
from bots.access.sources import Audience, Sources, joined
from bots.access.visibility import InView, Visibility
from bots.chat.message import Message
from bots.chat.natural_message import NaturalMessage
from bots.responder.asking_back import AskedFor
from bots.responder.case.inbox import EventReport, PendingTurn
from bots.responder.case.persona import Persona
from bots.responder.case.world_state import State
from bridge.world import BotName, WorldSnapshot
from llm.engine.decision import Decision, Toolbox, Used
from llm.model import Question

KNOWN = "# What you know"
"""Heads these rows in every prompt."""
LOOK_WITHIN_S = 0.5  # for a snapshot before a decision; later it is made without one
MODEL_CUT_S = 7.0  # for a model's answer; then rules decide
DEEP_CUT_S = 15.0  # the same for a question that asks to think


@dataclass(frozen=True, slots=True)
class Moment:
    """What knowledge is to matter to."""

    bot: str
    view: Visibility
    """What those may know who hear what is made of it."""
    words: str
    """What was said, or happened."""
    speaker: str = ""
    """The person who is answered; '' where there is none."""
    world: WorldSnapshot | None = None


class KnownRow(NamedTuple):
    """One fact of the store, or one card."""

    row: str
    """In one line of JSON."""
    sources: Sources
    entry: int = 0
    """Its number in the store; 0: it is a card."""
    card: str = ""
    """Of whom or of which place; '' where it is no card."""


@dataclass(frozen=True, slots=True)
class Known:
    """What one prompt shows, the most useful first."""

    rows: tuple[KnownRow, ...] = ()

    @property
    def lines(self) -> list[str]:
        """With their heading; nothing where there is nothing to know."""
        return [KNOWN, *(one.row for one in self.rows)] if self.rows else []

    @property
    def sources(self) -> Sources:
        return joined(one.sources for one in self.rows)


NOTHING_KNOWN = Known()


class SpeakerTools(Toolbox, Protocol):
    """The commands of one speaker as tools."""

    def permits(self, name: str) -> bool:
        """Whether the command of this tool name may be called, listed or not."""
        ...

    def advice(self) -> str:
        """What would let the speaker ask for more; empty where others decided that."""
        ...


@dataclass(frozen=True, slots=True)
class Case:
    """A pending turn, with everything the bot knows about it."""

    bot: BotName
    persona: Persona
    turn: PendingTurn
    """The speaker's lines and events."""
    level: Level
    """What that speaker may do."""
    view: Visibility
    """The part of the history that the decision may be made from."""
    world: WorldSnapshot | None
    """None when the world did not answer at once."""
    state: State
    """`world` in text for a model, and the short names in that text."""
    history: Sequence[Message]
    """The bot's history, oldest first, including the pending lines."""
    toolbox: SpeakerTools | None
    """The speaker's tools, for model and rules alike; None = words only."""
    events: tuple[EventReport, ...] = ()
    """Buffered events that asked for no decision, oldest first."""


class Senses(Protocol):
    """What a decision needs of its bot."""

    name: BotName

    async def snapshot(self) -> WorldSnapshot: ...

    def get_conversation_history(self) -> list[Message]: ...

    def attended_history(self) -> list[Message]: ...


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question without tools, which come from the toolbox."""

    question: Question
    view: InView
    """Where everything in it comes from, and so any answer to it."""
    known: Known = NOTHING_KNOWN
    """What it shows of the bot's knowledge."""


class Prompts(Protocol):
    """Turns a case into a question to a model."""

    async def prompt(self, case: Case) -> Prompt:
        """The question, quickly: a person waits."""
        ...

    def decided(self, case: Case, decision: Decision) -> None:
        """Learn from a decision that was made; returns at once."""
        ...

    def used(self, case: Case, prompt: Prompt) -> None:
        """A model has decided on this prompt; returns at once."""
        ...


class Rules(Protocol):
    """Decides without a model: answers, and acts."""

    async def decide(self, case: Case, why: str, used: Sequence[Used]) -> str:
        """What to say, '' = nothing, within half a second.

        `why` is why no model decides, as `Decision.why`. May act through `case.toolbox`, unless
        `used` has anything in it: then a model acted already, and this only tells of it."""
        ...

    def forget(self, speaker: str) -> None:
        """Forget what this speaker asked for: a model has taken it on."""
        ...

    async def asks_plainly(self, case: Case) -> bool:
        """Whether the lines look like a plain request, to be carried out from them alone."""
        ...

    async def asks_to_act(self, bot: str, line: NaturalMessage) -> bool:
        """Whether one line plainly asks this bot to do something, be it possible or not."""
        ...

    def asks_to_stop(self, bot: str, line: NaturalMessage) -> bool:
        """Whether a line clearly asks for nothing but to stop: no model may delay that."""
        ...

    async def stop(self, bot: str, turn: PendingTurn, toolbox: Toolbox) -> str | None:
        """Stop at once: what to say of it; None when there was nothing to stop."""
        ...


class Advice(Protocol):
    """Conclusions of reflection, for later decisions."""

    def about(self, bot: str, view: Visibility) -> Sequence[tuple[str, Sources]]:
        """Short paragraphs that this view may show, and where their words come from."""
        ...


class Knowledge(Protocol):
    """What bots know, for the moment at hand."""

    async def about(self, moment: Moment) -> Known:
        """What matters to it and its view may show, within the budget of a prompt."""
        ...

    def used(self, bot: str, known: Known, work: str) -> None:
        """Count what a model has decided with; returns at once."""
        ...

    async def aclose(self) -> None: ...


class AskerTools(SpeakerTools, Protocol):
    """The tools of one request, as what it has shown permits."""

    @property
    def asked_for(self) -> AskedFor | None:
        """The first call that the view did not permit."""
        ...

    @property
    def view(self) -> InView:
        """What was shown so far, results included."""
        ...


class BotToolbox(Protocol):
    """What a bot can do in the world, and for whom."""

    def level_of(self, origin: Origin) -> Level: ...

    def sources_of_name(self, name: str) -> Sources:
        """Where a player's name comes from."""
        ...

    def tools_for(
        self, turn: PendingTurn, state: State, view: InView, hearers: Audience
    ) -> AskerTools | None:
        """The tools for one request on this turn; None = words only.

        `hearers` are those of the answer, as in `Visibility`."""
        ...

    @property
    def at_work(self) -> bool:
        """Whether a job or an action is under way."""
        ...

    @property
    def doing(self) -> str:
        """The job under way and its progress; holds no words that a player chose."""
        ...
