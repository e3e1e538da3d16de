"""Steve, who talks to Alice, whose rules use tools that only note it."""

import random
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, cast

from support.asking_alice import ITEMS
from support.moments import WORLD

from bots.access.origin import KnownBots, Level, Origin, Person
from bots.access.visibility import Visibility
from bots.bot.jobs import Job
from bots.catalogue.handbook import Handbook, handbook_of
from bots.chat.message import Delivery, Message, Utterance
from bots.chat.natural_message import NaturalMessage
from bots.clock import EPOCH
from bots.responder.case.case import Case
from bots.responder.case.inbox import EventReport, PendingTurn
from bots.responder.case.persona import Persona
from bots.responder.case.world_state import state_of
from bots.responder.rules.acting import ActingRules
from bots.responder.rules.dealings import UnderWay
from bots.responder.rules.reciting import Reciting
from bots.talks.live.with_people import of_building
from bridge.catalogue import Catalogue, ItemFacts, RecipeBook
from bridge.world import BotName, PlayerName, WorldSnapshot
from llm.engine.decision import ToolOutcome, Used
from llm.model import Tool, ToolCall

STEVE = Person(PlayerName("Steve"))
NOTHING = cast(Any, None)
BEGUN = ToolOutcome(
    "begun",
    result=Job(
        "a1", NOTHING, NOTHING, lambda: NOTHING, NOTHING, NOTHING, (), NOTHING, NOTHING, NOTHING
    ),
)
FOOD = {"bread": 5, "apple": 4}
"""Food points."""
NAMES = (
    *("goal", "goal_then", "navigation_follow", "navigation_gotoCoords", "navigation_dropItem"),
    *("skill_gather", "skill_light", "stop", "status"),
)


@dataclass
class FakeTools:
    """A toolbox that notes what it is used for and answers as the test says."""

    outcomes: list[ToolOutcome] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    tools: tuple[Tool, ...] = ()
    names: Collection[str] = NAMES

    def permits(self, name: str) -> bool:
        return name in self.names

    def advice(self) -> str:
        return "The settings name steve."

    async def use(self, call: ToolCall) -> ToolOutcome:
        self.calls.append(call)
        return self.outcomes.pop(0) if self.outcomes else BEGUN

    @property
    def used(self) -> list[str]:
        return [call.name for call in self.calls]


class AllTools(FakeTools):
    """Tools of somebody who may do everything."""

    def permits(self, name: str) -> bool:
        return True


@dataclass
class Steve:
    """Steve and the rules of Alice."""

    tools: FakeTools = field(default_factory=FakeTools)
    world: WorldSnapshot = WORLD
    is_busy: bool = False
    """Whether Alice is at something."""
    waited_for: set[str] = field(default_factory=set)
    """For whom the queue of goals waits."""
    days_away: int = 0
    """How long the speaker was away who has just come back."""
    now_s: float = 0.0
    """When the next line is heard."""
    history: list[Message] = field(default_factory=list)
    """What Steve and Alice said."""
    dangers: Sequence[EventReport] = ()
    """What hurt Alice."""

    def __post_init__(self) -> None:
        self.rules = ActingRules(
            random.Random(1),
            _catalogue,
            self._snapshot,
            lambda: self.is_busy,
            self,
            self,
            Reciting(_handbook, self._mark_used, KnownBots({"Alice", "Bob"})),
            of_building,
        )

    async def _mark_used(self, ids: Iterable[int]) -> None:
        pass

    def untold_days(self, person: str) -> int:
        return self.days_away

    def told(self, person: str) -> None:
        self.days_away = 0

    def wait_for(self, speaker: str) -> None:
        self.waited_for.add(speaker)

    def go_on(self, *speakers: str) -> None:
        self.waited_for.difference_update(speakers)

    async def _snapshot(self) -> WorldSnapshot:
        return self.world

    async def says(
        self,
        *lines: str,
        origin: Origin = STEVE,
        speaker: str = "Steve",
        relayed: bool = False,
    ) -> str:
        turn = PendingTurn(speaker, origin, self.now_s)
        turn.messages.extend(
            NaturalMessage(BotName("Alice"), speaker, line, 0, origin, n, relayed=relayed)
            for n, line in enumerate(lines)
        )
        for line in lines:
            self._note(speaker, line)
        said = await self.rules.decide(self.case(turn), "no_model", ())
        self._note("Alice", said)
        return said

    def _note(self, speaker: str, text: str) -> None:
        to = Delivery("Alice" if speaker != "Alice" else "Steve", 1.0, None, delivered=True)
        number, at = len(self.history) + 1, EPOCH + timedelta(seconds=self.now_s)
        said = Utterance(number, speaker, text, "conversation", at, to)
        self.history.append(Message("Alice", number, said, at))

    def asks_to_stop(self, line: str) -> bool:
        heard = NaturalMessage(BotName("Alice"), "Steve", line, 0, STEVE, 0)
        return self.rules.asks_to_stop("Alice", heard)

    @property
    def under_way(self) -> UnderWay:
        """What Alice does for Steve."""
        now = self.rules._speakers.of("Steve").under_way
        assert now is not None
        return now

    @property
    def goals(self) -> list[str]:
        """The goals that Alice was given, in their order."""
        calls = [call for call in self.tools.calls if call.name == "goal"]
        return [str((call.arguments or {})["goal"]) for call in calls]

    async def hears(self, *events: EventReport, used: tuple[Used, ...] = ()) -> str:
        turn = PendingTurn("Steve", STEVE, 0.0)
        turn.events.extend(events)
        return await self.rules.decide(self.case(turn), "no_model", used)

    def case(self, turn: PendingTurn) -> Case:
        persona = Persona("Alice", "", "")
        state, level = state_of(self.world), Level.TRUSTED
        return Case(
            BotName("Alice"),
            persona,
            turn,
            level,
            Visibility(level),
            self.world,
            state,
            self.history,
            self.tools,
            tuple(self.dangers),
        )


async def _handbook() -> Handbook:
    return handbook_of(await _catalogue(), RecipeBook("1.16.5", ()))


async def _catalogue() -> Catalogue:
    items = {name: ItemFacts(name, 64, FOOD.get(name, 0), 0, None) for name in ITEMS}
    return Catalogue("1.16.5", {}, items, {})


def ended(command: str, success: bool = True, text: str = "It is over.") -> EventReport:
    return EventReport("action_ended", text, 0.0, success, f"!{command}")
