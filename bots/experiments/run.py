"""Plays a scenario, in the world it asks for."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bots.experiments.actors.actor import Actor
from bots.experiments.actors.written import OpeningActor, RulesActor, written_actor
from bots.experiments.runs.staging import Staging, machine_for, recording
from bots.experiments.scenario.parts import Member
from bots.experiments.simulation.ground import Ground
from bots.experiments.simulation.modelled import Modelled, needs_model
from bots.experiments.simulation.players import Players
from bots.experiments.simulation.simulation import Simulation
from bots.responder.case.persona import Persona
from llm.model import ChatModel

Tell = Callable[[str], None]
"""Is told in words how the preparations go."""


def play(staging: Staging, out: Path, tell: Tell = lambda line: None) -> None:
    """Raises ExperimentFailed, LogError, ScenarioError; of an embedded world also BotError."""
    if staging.scenario.world == "embedded":
        from bots.experiments.live.embedded import play_embedded

        play_embedded(staging, out, tell)
        return
    simulate(staging, out, _model(tell) if needs_model(staging.scenario) else None)


def simulate(staging: Staging, out: Path, model: ChatModel | None = None) -> None:
    """Play it in the simulated world; without a model, bots that ask one go by rules.

    Raises ExperimentFailed, LogError or ScenarioError."""
    scenario, talk = staging.scenario, staging.scenario.talk
    ground = Ground(talk.hearing_range, talk.walking_blocks_per_s)
    with Modelled(scenario, model, time.monotonic) as modelled:
        actors = {m.name: _actor(m, staging, ground, modelled) for m in scenario.cast}
        with recording(staging, out) as recorder:
            players = Players(scenario, ground, actors)
            run = Simulation(scenario, machine_for(scenario), players, ground, recorder)
            recorder.events_left = run.run()


def _actor(member: Member, staging: Staging, ground: Ground, modelled: Modelled) -> Actor:
    actor = written_actor(member, staging.folder)
    if actor is None and member.mind == "model":
        actor = modelled.actor(member, ground)
    if actor is None:
        persona = Persona(member.name, member.persona, member.memory)
        actor = RulesActor(persona, partial(ground.snapshot, member.name))
    if staging.scenario.opener == member.name:
        return OpeningActor(staging.scenario.opening_words, actor)
    return actor


def _model(tell: Tell) -> ChatModel | None:
    """The model of real bots in talks, as the environment sets it up."""
    from bots.daemon.models import models_of
    from bots.settings.loading import load_settings

    model = models_of(load_settings(None, {}), None).get("haiku")
    if model is None:
        tell("no model: bots that should ask one go by rules (set ANTHROPIC_API_KEY)")
    return model
