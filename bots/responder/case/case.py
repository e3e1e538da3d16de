"""Everything one decision is made from; it does not change while the decision is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from bots.access.origin import Level
from bots.access.visibility import Visibility
from bots.chat.message import Message
from bots.responder.case.events import EventReport
from bots.responder.case.inbox import PendingTurn
from bots.responder.case.persona import Persona
from bots.responder.case.world_state import State
from bridge.world import BotName, WorldSnapshot
from llm.engine.decision import Toolbox


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
