"""Plays a scenario in the world that it names."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path

from bots.clock import Times
from bots.experiments.actors import Actor, OpeningActor, RulesActor, scripted_actor
from bots.experiments.paid_models import (
    Means,
    Opening,
    needs_model,
    paid_models,
    without_model,
)
from bots.experiments.runs.folder import PreparedRun, machine_for, recording, refuse_used
from bots.experiments.scenario.parts import Member
from bots.experiments.simulation.model_bots import ModelBots, opened
from bots.experiments.simulation.simulation import Simulation
from bots.experiments.simulation.world import Players, SimulatedWorld
from bots.responder.case.persona import Persona

Tell = Callable[[str], None]
"""Gets a sentence about each step of the preparations."""


def play(prepared: PreparedRun, out: Path, means: Means, tell: Tell = lambda line: None) -> None:
    """Raises ExperimentFailed, LogError, ScenarioError, SettingsError; where a model or a server
    takes part, also BotError."""
    refuse_used(out)  # before we start or pay for anything
    scenario = prepared.scenario
    if scenario.world == "embedded":
        from bots.experiments.live.embedded import play_embedded

        play_embedded(prepared, out, means, tell)
    elif needs_model(scenario):
        settings, times = means.settings(), Times.real()
        paid = paid_models(scenario, settings, times, allow_rules=means.allow_rules)
        simulate(prepared, out, paid)
    else:
        simulate(prepared, out)


def simulate(prepared: PreparedRun, out: Path, paid: Opening | None = None) -> None:
    """Play it in the simulated world. Without `paid`, bots that should ask a model use rules.

    Raises ExperimentFailed, LogError or ScenarioError, and what opening `paid` does."""
    scenario, talk = prepared.scenario, prepared.scenario.talk
    world = SimulatedWorld(talk.hearing_range, talk.walking_blocks_per_s)
    with opened(scenario, paid or nullcontext(without_model(Times.real()))) as model_bots:
        actors = {m.name: _actor(m, prepared, world, model_bots) for m in scenario.cast}
        with recording(prepared, out) as recorder:
            recorder.checked(model_bots.paid.checks)
            players = Players(scenario, world, actors)
            run = Simulation(scenario, machine_for(scenario), players, world, recorder)
            left = run.run()
            recorder.end(left, model_bots.paid.charged_usd if paid else None)


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
