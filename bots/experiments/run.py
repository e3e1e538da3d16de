"""Plays a scenario in the world that it names."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bots.experiments.actors.actor import Actor
from bots.experiments.actors.kinds import OpeningActor, RulesActor, scripted_actor
from bots.experiments.runs.folder import PreparedRun, machine_for, recording
from bots.experiments.scenario.parts import Member
from bots.experiments.simulation.model_bots import ModelBots, needs_model
from bots.experiments.simulation.players import Players
from bots.experiments.simulation.simulation import Simulation
from bots.experiments.simulation.world import SimulatedWorld
from bots.responder.case.persona import Persona
from llm.model import ChatModel

Tell = Callable[[str], None]
"""Is told in a sentence how the preparations go."""


def play(prepared: PreparedRun, out: Path, tell: Tell = lambda line: None) -> None:
    """Raises ExperimentFailed, LogError, ScenarioError; of an embedded world also BotError."""
    if prepared.scenario.world == "embedded":
        from bots.experiments.live.embedded import play_embedded

        play_embedded(prepared, out, tell)
        return
    simulate(prepared, out, _model(tell) if needs_model(prepared.scenario) else None)


def simulate(prepared: PreparedRun, out: Path, model: ChatModel | None = None) -> None:
    """Play it in the simulated world. Without a model, bots that should ask one use rules.

    Raises ExperimentFailed, LogError or ScenarioError."""
    scenario, talk = prepared.scenario, prepared.scenario.talk
    world = SimulatedWorld(talk.hearing_range, talk.walking_blocks_per_s)
    with ModelBots(scenario, model, time.monotonic) as model_bots:
        actors = {m.name: _actor(m, prepared, world, model_bots) for m in scenario.cast}
        with recording(prepared, out) as recorder:
            players = Players(scenario, world, actors)
            run = Simulation(scenario, machine_for(scenario), players, world, recorder)
            recorder.end(run.run())


def _actor(
    member: Member, prepared: PreparedRun, world: SimulatedWorld, model_bots: ModelBots
) -> Actor:
    actor = scripted_actor(member, prepared.folder)
    if actor is None and member.mind == "model":
        actor = model_bots.actor(member, world)
    if actor is None:
        persona = Persona(member.name, member.persona, member.memory)
        actor = RulesActor(persona, partial(world.snapshot, member.name))
    if prepared.scenario.opener == member.name:
        return OpeningActor(prepared.scenario.opening_words, actor)
    return actor


def _model(tell: Tell) -> ChatModel | None:
    """The model that real bots use in talks, set up by the environment."""
    from bots.daemon.models import models_of
    from bots.settings.loading import load_settings

    model = models_of(load_settings(None, {}), None).get("haiku")
    if model is None:
        tell("no model: bots that should ask one use rules (set ANTHROPIC_API_KEY)")
    return model
