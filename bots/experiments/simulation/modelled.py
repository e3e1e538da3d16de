"""Bots of a simulated talk that think through a model, as real bots do in a talk.

The thinking is theirs (bots/talk/thinking.py): the same views, prompts, fallback by rules. Only
the senses and the history come from the simulated world. The talk waits while a model answers;
the seconds it took are the turn's seconds in the world's own time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from bots.access.origin import Level
from bots.access.sources import FACTS
from bots.chat.message import Message, Utterance
from bots.clock import utc_now
from bots.experiments.actors.actor import Asked, Heard
from bots.experiments.actors.cues import TAKES_S
from bots.experiments.scenario.parts import Member
from bots.experiments.scenario.scenario import Scenario
from bots.experiments.simulation.ground import Ground
from bots.responder.case.persona import Persona, PersonaFiles
from bots.responder.case.quoting import MAX_TOKENS
from bots.talks.live.prompt import Occasion
from bots.talks.live.shared_scene import scene_of
from bots.talks.live.stage import Thought
from bots.talks.live.thinking import Thinking
from bridge.world import BotName, WorldSnapshot
from llm.engine.budget import Budget, Caps
from llm.engine.engine import Engine
from llm.engine.memory_ledger import MemoryLedger
from llm.engine.prices import price_of
from llm.engine.tiers import TierModel
from llm.model import ChatModel

USUAL_S = 1.5  # of an answer


class ScenarioPersonas(PersonaFiles):
    """The personas a scenario wrote, in place of a daemon's files."""

    def __init__(self, cast: Sequence[Member]) -> None:
        super().__init__(Path())
        self._cast = {m.name: Persona(m.name, m.persona, m.memory) for m in cast}

    def read(self, name: str) -> Persona:
        return self._cast[name]


class Modelled:
    """The modelled bots of one run; a context manager that ends the model's work."""

    def __init__(
        self, scenario: Scenario, model: ChatModel | None, stopwatch: Callable[[], float]
    ) -> None:
        self._scenario, self._model = scenario, model
        self._scenes: dict[int, dict[str, Any]] = {}
        self._loop = asyncio.Runner()
        self._bots = frozenset(member.name for member in scenario.cast)
        self._personas = ScenarioPersonas(scenario.cast)
        self._engine = _engine(model, stopwatch)

    def __enter__(self) -> Modelled:
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.run(self._end())
        self._loop.close()

    def actor(self, member: Member, ground: Ground) -> Callable[[Asked], Thought]:
        """What speaks for a bot that thinks through the model."""

        def think(asked: Asked) -> Thought:
            occasion = Occasion(
                asked.others,
                self._scene(asked.round, ground),
                asked.topic,
                asked.why,
                asked.say_goodbye,
            )
            senses = SimulatedSenses(BotName(member.name), ground, asked.heard)
            thinking = Thinking(
                self._engine, self._personas, self._bots, asked.rng, lambda _origin: Level.TRUSTED
            )
            thought: Thought = self._loop.run(thinking.think(senses, occasion))
            return _timed(thought)

        return think

    def _scene(self, round_number: int, ground: Ground) -> dict[str, Any]:
        """As the first bot senses it; made once a round."""
        if round_number not in self._scenes:
            main = self._scenario.cast[0].name
            self._scenes[round_number] = scene_of(ground.snapshot(main))
        return self._scenes[round_number]

    async def _end(self) -> None:
        await self._engine.aclose()
        if self._model is not None:
            await self._model.aclose()


@dataclass(slots=True)
class SimulatedSenses:
    """One bot as a mind needs it."""

    name: BotName
    ground: Ground
    heard: Sequence[Heard]

    async def snapshot(self) -> WorldSnapshot:
        return self.ground.snapshot(self.name)

    def get_conversation_history(self) -> list[Message]:
        return [self._message(number, line) for number, line in enumerate(self.heard, 1)]

    def _message(self, number: int, line: Heard) -> Message:
        # When each was heard is not shown to a model: their order is.
        at = self.ground.clock.now() + timedelta(milliseconds=number)
        said = Utterance(number, line.speaker, line.text, "conversation", at, sources=FACTS)
        return Message(self.name, number, said, at)


def _engine(model: ChatModel | None, stopwatch: Callable[[], float]) -> Engine:
    """The tier of talks alone, with the budget of one day; each run begins with all of it."""
    budget = Budget(MemoryLedger(), Caps(), utc_now)
    if model is None:
        return Engine({}, {}, budget, stopwatch=stopwatch)
    tier = TierModel(model.model_id, price_of(model.model_id), USUAL_S, MAX_TOKENS)
    return Engine({"haiku": model}, {"haiku": tier}, budget, stopwatch=stopwatch)


def _timed(thought: Thought) -> Thought:
    """With the model's seconds as the turn's; rules answer as fast as the scenario lets them."""
    if thought.facts.get("source") == "rules":
        return thought
    return replace(thought, facts={**thought.facts, TAKES_S: thought.facts.get("seconds", 0.0)})


def needs_model(scenario: Scenario) -> bool:
    return any(member.mind == "model" for member in scenario.cast)
