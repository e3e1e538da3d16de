"""All that one decision is made from; nothing of it changes while it is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bots.access.origin import Level
from bots.access.visibility import Visibility
from bots.chat.message import Message
from bots.responder.case.events import Happening
from bots.responder.case.inbox import PendingTurn
from bots.responder.case.persona import Persona
from bots.responder.case.world_state import State
from bridge.world import BotName, WorldSnapshot
from llm.engine.decision import Toolbox


@dataclass(frozen=True, slots=True)
class Case:
    """Whoever waits, with everything the bot knows about it."""

    bot: BotName
    persona: Persona
    waiting: PendingTurn
    """For whom it is decided: their lines, and what happened on their behalf."""
    level: Level
    """What that speaker may do."""
    view: Visibility
    """What of the history the decision may be made from."""
    world: WorldSnapshot | None
    """None when the world did not answer at once."""
    state: State
    """`world` for a model, and the short names it may use for what it sees."""
    history: Sequence[Message]
    """The bot's own, oldest first; the lines that wait are in it too."""
    toolbox: Toolbox | None
    """What may be done for this speaker, by model and rules alike; None: words only."""
    events: tuple[Happening, ...] = ()
    """What happened meanwhile and asked for no decision, oldest first."""
