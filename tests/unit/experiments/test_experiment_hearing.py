"""Real bots of an experiment are shown what all of the cast who will hear them have heard."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime

import pytest
from support.experiments import THREE, prepared_run

from bots.access.sources import FACTS
from bots.chat.message import GroupDelivery, Hearer, Message, Utterance
from bots.experiments.live import ScenarioThinker
from bots.experiments.simulation import SimulatedWorld
from bots.responder.case.case import Senses
from bots.talks.live.prompt import TurnContext
from bots.talks.live.runner import Answer
from bots.talks.live.thinker import Thinker
from bridge.world import BotName, Position, WorldSnapshot

AT = datetime(2026, 1, 1, tzinfo=UTC)
HERE, FAR = Position(8, 64, 8), Position(60, 64, 8)
CAST = ("Alice", "Bob", "Carol")


def said(number: int, speaker: str, *hearers: str) -> Utterance:
    """A line as a bot says it when all it was shown were facts."""
    aim = GroupDelivery("normal", 15, tuple(Hearer(name, 1.0, True) for name in hearers))
    return Utterance(number, speaker, f"line {number}", "conversation", AT, aim, sources=FACTS)


@dataclass
class Body:
    name: BotName
    world: SimulatedWorld
    lines: list[Utterance]

    async def snapshot(self) -> WorldSnapshot:
        return self.world.snapshot(self.name)

    def get_conversation_history(self) -> list[Message]:
        return [Message(self.name, one.id, one, AT) for one in self.lines]

    def attended_history(self) -> list[Message]:
        return self.get_conversation_history()


class Reads(Thinker):
    """Says which lines its view shows."""

    async def think(self, bot: Senses, context: TurnContext) -> Answer:
        every = [message.utterance for message in bot.get_conversation_history()]
        shown = [one.id for one in every if one.sources.is_for(context.view.hearers)]
        return Answer(str(shown))


@pytest.mark.parametrize(("carol_at", "shown"), [(FAR, [1, 2]), (HERE, [1])])
async def test_what_was_said_out_of_hearing_is_not_shown_where_that_one_hears(
    carol_at: Position, shown: list[int]
) -> None:
    world = SimulatedWorld(15.0, 4.0)
    for name in CAST:
        world.enter(name, carol_at if name == "Carol" else HERE)
    lines = [said(1, "Alice", "Bob", "Carol"), said(2, "Bob", "Alice")]
    bodies = {name: Body(BotName(name), world, lines) for name in CAST}
    bodies["Carol"] = replace(bodies["Carol"], lines=lines[:1])
    scenario = prepared_run(THREE.replace("[1, 1]", "[0, 0]")).scenario
    thinker = ScenarioThinker(scenario, {}, {"Alice": Reads()}, bodies.__getitem__)
    thought = await thinker.think(bodies["Alice"], TurnContext(("Bob", "Carol"), {}))
    near = frozenset({"Bob"} if carol_at == FAR else {"Bob", "Carol"})
    assert (thought.text, thought.hearers) == (str(shown), near)
