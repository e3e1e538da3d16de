"""Where a talk takes place: the port through which a running talk thinks, speaks and records.

`bots/talk/live.py` has the stage of real bots; an experiment may bring its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from bots.access.sources import UNKNOWN, Sources
from bots.talks.machine.events import Announce, Say, TalkEffect, TalkEvent, Think


@dataclass(frozen=True, slots=True)
class Thought:
    """What a speaker thought of to say, raw, tag and all; '' = it says nothing."""

    text: str
    nominates: str | None = None
    """From structured output; None: the text's tag tells."""
    tokens: int = 0
    cost_usd: float = 0.0
    sources: Sources = UNKNOWN
    """Where the words come from."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """For logs alone: source, why, model, seconds, prompt, …"""


class Stage(Protocol):
    """Carries out what a talk wishes for. What it raises fails that one wish, not the talk."""

    async def think(self, wish: Think) -> Thought:
        """Have the speaker think. Cancelled when nobody waits for its words any more."""
        ...

    async def say(self, wish: Say) -> Mapping[str, str | None]:
        """Say and record the words; for each of `wish.to` None, or why it was not heard."""
        ...

    async def announce(self, wish: Announce) -> None:
        """Record a system line in the history of each of `wish.to`."""
        ...


class Witness(Protocol):
    """Is told everything, in order, before any of it is carried out."""

    async def moment(
        self, at_ms: int, happening: TalkEvent | None, wishes: tuple[TalkEffect, ...]
    ) -> None:
        """What the talk took in (None: its start) and what it wished for on that."""
        ...

    async def thought(self, wish: Think, thought: Thought) -> None:
        """What came of a `Think`; its `Answered` follows."""
        ...


class NoWitness:
    """Keeps nothing."""

    async def moment(
        self, at_ms: int, happening: TalkEvent | None, wishes: tuple[TalkEffect, ...]
    ) -> None:
        pass

    async def thought(self, wish: Think, thought: Thought) -> None:
        pass
