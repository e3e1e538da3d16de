"""The ports of a running talk: what carries out its effects, and what observes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from bots.access.sources import UNKNOWN, Sources
from bots.chat.message import Message
from bots.talks.machine.events import Announce, Say, TalkEffect, TalkEvent, Think


@dataclass(frozen=True, slots=True)
class Answer:
    """A speaker's words for its turn, unedited, with their tag; '' = it says nothing."""

    text: str
    nominates: str | None = None
    """From structured output; None: the tag decides."""
    tokens: int = 0
    cost_usd: float = 0.0
    sources: Sources = UNKNOWN
    """Where the words come from."""
    hearers: frozenset[str] | None = None
    """Nobody else may hear the words; None: all who took part when they were thought."""
    sees_to: tuple[Message, ...] = ()
    """Lines of a person that ask the speaker to do something: it leaves the floor for them."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """For logs alone: source, why, model, seconds, prompt, …"""


class TalkIO(Protocol):
    """Carries out a talk's effects. An error it raises fails that one effect, not the talk."""

    async def think(self, effect: Think) -> Answer:
        """Get the speaker's words. Cancelled when the talk no longer waits for them."""
        ...

    async def say(self, effect: Say) -> Mapping[str, str | None]:
        """Say and record the words; for each of `effect.to` None, or why it was not heard."""
        ...

    async def announce(self, effect: Announce) -> None:
        """Record a system line in the history of each of `effect.to`."""
        ...


class Observer(Protocol):
    """Is told of everything in a talk, in order, before the effects are carried out."""

    async def on_transition(
        self, at_ms: int, event: TalkEvent | None, effects: tuple[TalkEffect, ...]
    ) -> None:
        """The talk took this event (None: its start) and asks for these effects."""
        ...

    async def on_answer(self, effect: Think, answer: Answer) -> None:
        """The speaker's words are there; the event `Answered` follows."""
        ...


class NoObserver:
    """Ignores everything."""

    async def on_transition(
        self, at_ms: int, event: TalkEvent | None, effects: tuple[TalkEffect, ...]
    ) -> None:
        pass

    async def on_answer(self, effect: Think, answer: Answer) -> None:
        pass


NO_OBSERVER = NoObserver()
