"""Plays a scenario in the world that it names."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bots.access.origin import Level
from bots.chat.message import Message, Utterance
from bots.clock import Times
from bots.daemon.models import scripted_model
from bots.experiments.actors import (
    TAKES_S,
    Actor,
    Asked,
    Heard,
    RulesActor,
    opening_with,
    scripted_actor,
)
from bots.experiments.own_functions import ScenarioRules
from bots.experiments.paid_models import (
    BUSY,
    Means,
    Opening,
    PaidModels,
    as_planned,
    needs_model,
    paid_models,
    patiently,
    without_model,
)
from bots.experiments.runs import PreparedRun, machine_for, recording, refuse_used
from bots.experiments.scenario import Member, Scenario
from bots.experiments.simulation import Players, SimulatedWorld, Simulation
from bots.responder.case.persona import Persona, PersonaFiles
from bots.settings.settings import Settings
from bots.talks.live.prompt import TurnContext, scene_of
from bots.talks.live.runner import Answer
from bots.talks.live.thinker import NoMemory, TalkThinker
from bots.talks.machine.events import Participant
from bridge.world import BotName, WorldSnapshot

if TYPE_CHECKING:
    from bots.experiments.seats import Seats


class ScenarioPersonas(PersonaFiles):
    """The personas of a scenario, in place of a daemon's files."""

    def __init__(self, cast: Sequence[Member]) -> None:
        super().__init__(Path())
        self._cast = {m.name: Persona(m.name, m.persona, m.memory) for m in cast}

    def read(self, name: str) -> Persona:
        return self._cast[name]


@contextmanager
def opened(scenario: Scenario, opening: Opening | None) -> Iterator[ModelBots]:
    """The bots of one run that ask a model, which is open while the block lasts; without one they
    use rules."""
    loop = asyncio.Runner()  # which begins at its first use
    try:
        if opening is None:
            yield ModelBots(scenario, without_model(Times.real()), loop)
            return
        stack = AsyncExitStack()
        paid = loop.run(stack.enter_async_context(opening))
        try:
            yield ModelBots(scenario, paid, loop)
        finally:
            loop.run(stack.aclose())
    finally:
        loop.close()


class ModelBots:
    """The bots of one simulated run that ask a model, with the prompts and rules of a real talk.

    The talk waits while a model answers; the seconds it took count as the turn's in the simulated
    time."""

    def __init__(self, scenario: Scenario, paid: PaidModels, loop: asyncio.Runner) -> None:
        self._scenario, self.paid = scenario, paid
        self.wait: Callable[[Coroutine[Any, Any, Answer]], Answer] = loop.run
        self._scenes: dict[int, dict[str, Any]] = {}
        self._personas = ScenarioPersonas(scenario.cast)

    def actor(self, member: Member, world: SimulatedWorld) -> Actor:
        """The actor of a bot that asks the model."""
        bots = frozenset(other.name for other in self._scenario.cast)

        async def think(asked: Asked) -> Answer:
            seats = [
                Participant(name, "bot" if name in bots else "person") for name in asked.others
            ]
            context = TurnContext(
                asked.others,
                self._scene(asked.round, world),
                asked.topic,
                asked.why,
                asked.say_goodbye,
                asked.view,
                may_follow=self._scenario.policy.may_follow(member.name, seats),
            )
            senses = SimulatedSenses(BotName(member.name), world, asked.heard)
            thinker = TalkThinker(
                self.paid.engine,
                self._personas,
                bots,
                asked.rng,
                lambda _origin: Level.TRUSTED,
                self.paid.cut_s,
                NoMemory(),
                self.paid.limits,
            )
            planned = as_planned(thinker, self._scenario, self.paid.own)[member.name]
            answer = await patiently(
                lambda: planned.think(senses, context),
                lambda found: found.facts.get("source") == "rules" and found.facts["why"] in BUSY,
            )
            return replace(_timed(answer), hearers=asked.near)

        return think

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
        history, now = list[Message](), self.world.clock.now()
        for number, line in enumerate(self.heard, 1):
            # A model sees the order of lines, not their times.
            at, sources = now + timedelta(milliseconds=number), line.sources
            said = Utterance(number, line.speaker, line.text, "conversation", at, sources=sources)
            history.append(Message(self.name, number, said, at))
        return history


def _timed(answer: Answer) -> Answer:
    """The answer, with the model's seconds as the turn's; rules take the scenario's time."""
    if answer.facts.get("source") == "rules":
        return answer
    return replace(answer, facts={**answer.facts, TAKES_S: answer.facts.get("seconds", 0.0)})


Tell = Callable[[str], None]
"""Gets a sentence about each step of the preparations."""


def play(prepared: PreparedRun, out: Path, means: Means, tell: Tell = lambda line: None) -> None:
    """Raises ExperimentFailed, LogError, ScenarioError, SettingsError; where a model or a server
    takes part, also BotError."""
    refuse_used(out)  # before we start or pay for anything
    scenario = prepared.scenario
    with means.seats.talk(scenario, tell) if means.seats else nullcontext():
        if scenario.world != "simulated":
            from bots.experiments.live import play_live

            asyncio.run(play_live(prepared, out, means, tell))
        elif needs_model(scenario):
            models = _models(scenario, means.settings(scenario), means)
            simulate(prepared, out, models, means.seats)
        else:
            simulate(prepared, out, seats=means.seats)


@asynccontextmanager
async def _models(
    scenario: Scenario, settings: Settings, means: Means
) -> AsyncIterator[PaidModels]:
    times, allow_rules = Times.real(), means.allow_rules
    async with (
        scripted_model(means.fake_llm, settings) as found,
        paid_models(scenario, found, times, allow_rules=allow_rules) as paid,
    ):
        yield paid


def simulate(
    prepared: PreparedRun, out: Path, paid: Opening | None = None, seats: Seats | None = None
) -> None:
    """Play it in the simulated world. Without `paid`, bots that should ask a model use rules.

    Raises ExperimentFailed, LogError or ScenarioError, and what opening `paid` does."""
    scenario, talk = prepared.scenario, prepared.scenario.talk
    world = SimulatedWorld(talk.hearing_range, talk.walking_blocks_per_s)
    with opened(scenario, paid) as model_bots:
        actors = {m.name: _actor(m, prepared, world, model_bots, seats) for m in scenario.cast}
        machine = machine_for(scenario, ScenarioRules.of(scenario, prepared.folder).asked)
        with recording(prepared, out, model_bots.paid.used) as recorder:
            recorder.checked(model_bots.paid.checks)
            players = Players(scenario, world, actors, model_bots.wait)
            run = Simulation(scenario, machine, players, world, recorder)
            left = run.run()
            recorder.end(left, model_bots.paid.charged_usd if paid else None)


def _actor(
    member: Member,
    prepared: PreparedRun,
    world: SimulatedWorld,
    model_bots: ModelBots,
    seats: Seats | None,
) -> Actor:
    actor = scripted_actor(member, prepared.folder, seats)
    if actor is None and member.mind == "model":
        actor = model_bots.actor(member, world)
    if actor is None:
        persona = Persona(member.name, member.persona, member.memory)
        actor = RulesActor(persona, partial(world.snapshot, member.name))
    if prepared.scenario.opener == member.name:
        return opening_with(prepared.scenario.opening_words, actor)
    return actor
