"""What rules make of events, and of what was to follow a request."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from asking_alice import ITEMS
from moments import WORLD

from bots.answering.persona import PersonaFiles
from bots.answering.waiting import Waiting
from bots.deciding.acting_rules import ActingRules
from bots.deciding.case import Case
from bots.deciding.happening import Happening
from bots.deciding.state import state_of
from bots.natural_message import NaturalMessage
from bots.origin import Fellow, Level, Origin, Person
from bridge.catalogue import Catalogue, ItemFacts
from bridge.world import BotName, PlayerName, PlayerSighting, Position, WorldSnapshot
from llm.engine.decision import ToolOutcome, Used
from llm.model import Tool, ToolCall

pytestmark = pytest.mark.anyio

STEVE = Person(PlayerName("Steve"))
BEGUN = ToolOutcome('{"begun":true,"actionId":"a1"}')
NAMES = ("goal", "navigation_follow", "navigation_gotoCoords", "navigation_dropItem", "stop", "status")


@dataclass
class Hands:
    """A toolbox that notes what it is used for and answers as the test says."""

    outcomes: list[ToolOutcome] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    tools: Sequence[Tool] = tuple(Tool(name, name, {}) for name in NAMES)

    async def use(self, call: ToolCall) -> ToolOutcome:
        self.calls.append(call)
        return self.outcomes.pop(0) if self.outcomes else BEGUN

    @property
    def used(self) -> list[str]:
        return [call.name for call in self.calls]
