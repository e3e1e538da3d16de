"""Bots of a simulated talk that ask a model, just as real bots do in a talk.

`TalkThinker` finds their words, with the same prompts and the same rules to fall back on. Only the
senses and the history come from the simulated world. The talk waits while a model answers; the
seconds it took count as the turn's in the simulated time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from bots.access.origin import Level
from bots.chat.message import Message, Utterance
from bots.experiments.actors import TAKES_S, Asked, Heard
from bots.experiments.paid_models import Opening, PaidModels
from bots.experiments.scenario.parts import Member
from bots.experiments.scenario.scenario import Scenario
from bots.experiments.simulation.world import SimulatedWorld
from bots.responder.case.case import MODEL_CUT_S
from bots.responder.case.persona import Persona, PersonaFiles
from bots.talks.live.prompt import TurnContext, scene_of
from bots.talks.live.runner import Answer
from bots.talks.live.thinker import NoMemory, TalkThinker
from bots.talks.machine.events import Participant
from bridge.world import BotName, WorldSnapshot


class ScenarioPersonas(PersonaFiles):
    """The personas of a scenario, in place of a daemon's files."""

    def __init__(self, cast: Sequence[Member]) -> None:
        super().__init__(Path())
        self._cast = {m.name: Persona(m.name, m.persona, m.memory) for m in cast}

    def read(self, name: str) -> Persona:
        return self._cast[name]


@contextmanager
def opened(scenario: Scenario, opening: Opening) -> Iterator[ModelBots]:
    """The bots of one run that ask a model; it is open while the block lasts."""
    stack = AsyncExitStack()
    with asyncio.Runner() as loop:
        paid = loop.run(stack.enter_async_context(opening))
        try:
            yield ModelBots(scenario, paid, loop)
        finally:
            loop.run(stack.aclose())


class ModelBots:
    """The bots of one run that ask a model, in the loop that its connections belong to."""

    def __init__(self, scenario: Scenario, paid: PaidModels, loop: asyncio.Runner) -> None:
        self._scenario, self.paid, self._loop = scenario, paid, loop
        self._scenes: dict[int, dict[str, Any]] = {}
        self._bots = frozenset(member.name for member in scenario.cast)
        self._personas = ScenarioPersonas(scenario.cast)

    def actor(self, member: Member, world: SimulatedWorld) -> Callable[[Asked], Answer]:
        """The actor of a bot that asks the model."""

        def think(asked: Asked) -> Answer:
            context = TurnContext(
                asked.others,
                self._scene(asked.round, world),
                asked.topic,
                asked.why,
                asked.say_goodbye,
                asked.view,
                may_follow=self._scenario.policy.may_follow(member.name, self._seats(asked.others)),
            )
            senses = SimulatedSenses(BotName(member.name), world, asked.heard)
            thinker = TalkThinker(
                self.paid.engine,
                self._personas,
                self._bots,
                asked.rng,
                lambda _origin: Level.TRUSTED,
                MODEL_CUT_S,
                NoMemory(),
            )
            answer: Answer = self._loop.run(thinker.think(senses, context))
            return replace(_timed(answer), hearers=asked.near)

        return think

    def _seats(self, names: Sequence[str]) -> list[Participant]:
        return [Participant(name, "bot" if name in self._bots else "person") for name in names]

    def _scene(self, round_number: int, world: SimulatedWorld) -> dict[str, Any]:
        """The scene as the first bot senses it; made once a round."""
        if round_number not in self._scenes:
            main = self._scenario.cast[0].name
            self._scenes[round_number] = scene_of(world.snapshot(main))
        return self._scenes[round_number]


@dataclass(slots=True)
class SimulatedSenses:
    """The senses and history of one simulated bot."""

    name: BotName
    world: SimulatedWorld
    heard: Sequence[Heard]

    async def snapshot(self) -> WorldSnapshot:
        return self.world.snapshot(self.name)

    def attended_history(self) -> list[Message]:
        return self.get_conversation_history()

    def get_conversation_history(self) -> list[Message]:
        return [self._message(number, line) for number, line in enumerate(self.heard, 1)]

    def _message(self, number: int, line: Heard) -> Message:
        # A model sees the order of lines, not their times.
        at = self.world.clock.now() + timedelta(milliseconds=number)
        said = Utterance(number, line.speaker, line.text, "conversation", at, sources=line.sources)
        return Message(self.name, number, said, at)


def _timed(answer: Answer) -> Answer:
    """The answer, with the model's seconds as the turn's; rules take the scenario's time."""
    if answer.facts.get("source") == "rules":
        return answer
    return replace(answer, facts={**answer.facts, TAKES_S: answer.facts.get("seconds", 0.0)})
