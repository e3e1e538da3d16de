"""Plays a scenario with real bots on the embedded server, in real time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bots.app import Daemon
from bots.clock import Times
from bots.experiments.actors import Actor, scripted_actor
from bots.experiments.live.director import Director, ScriptedPerson, stand_in_place
from bots.experiments.live.scenario_thinker import ScenarioThinker
from bots.experiments.log import LogRecorder
from bots.experiments.paid_models import Means, needs_model, paid_models
from bots.experiments.runs.folder import GROUND_NAME, PreparedRun, recording
from bots.experiments.scenario.parts import ExperimentFailed
from bots.experiments.scenario.scenario import Scenario
from bots.observability.logs import logging_to
from bots.private_files import make_private_folder, write_private
from bots.responder.case.persona import MEMORY_FILE, PERSONA_FILE, PERSONA_FOLDER
from bots.settings.loading import load_settings
from bots.settings.settings import Settings
from bots.vision.studio import terrain_of
from llm.engine.held_call import Check
from llm.engine.prices import DOLLAR

DATA_FOLDER = "data"
"""The daemon's data, inside the run's folder."""
PERSONS_WITHIN_S = 600.0  # for live persons to join
STAND_WITHIN_S = 60.0
LOOK_AGAIN_S = 0.5

Tell = Callable[[str], None]


def play_embedded(prepared: PreparedRun, out: Path, means: Means, tell: Tell) -> None:
    """Raises ExperimentFailed, LogError, ScenarioError, BotError, SettingsError."""
    scenario, actors = prepared.scenario, _actors(prepared)
    asked = asyncio.run(_ask_models(scenario, means)) if needs_model(scenario) else None
    settings = settings_of(scenario, out / DATA_FOLDER, asked)
    with recording(prepared, out) as recorder:
        recorder.checked(asked.checks if asked else ())
        _write_personas(scenario, out / DATA_FOLDER)
        with logging_to(settings.data_dir, settings.log, settings.secrets):
            left, charged_usd = asyncio.run(play_with(prepared, settings, actors, recorder, tell))
        recorder.end(left, asked.charged_usd + charged_usd if asked else None)


@dataclass(frozen=True, slots=True)
class AskedModels:
    """What asking the models before the first turn came to."""

    settings: Settings
    """The user's, who pays."""
    checks: tuple[Check, ...]
    charged_usd: float

    @property
    def llm(self) -> dict[str, Any]:
        """Settings of the run's own daemon: it pays from the user's budget what is left for it."""
        llm = self.settings.llm
        # Its world is another one, where nobody owns anything: what owners keep is not for it.
        kept = llm.reserve_owner if self.settings.permissions.owners else 0.0
        limit = llm.cost_limit_run_usd or 0.0
        return {
            **llm.model_dump(),
            "budget_dir": llm.budget_dir or self.settings.data_dir,
            "cost_limit_usd": llm.cost_limit_usd * (1 - kept),
            "cost_limit_run_usd": max(0.0, limit - self.charged_usd),
            "briefing": False,
        }


async def _ask_models(scenario: Scenario, means: Means) -> AskedModels:
    settings, allow_rules = means.settings(), means.allow_rules
    async with paid_models(scenario, settings, Times.real(), allow_rules=allow_rules) as paid:
        return AskedModels(settings, paid.checks, paid.charged_usd)


async def play_with(
    prepared: PreparedRun,
    settings: Settings,
    actors: dict[str, Actor],
    recorder: LogRecorder,
    tell: Tell,
) -> tuple[int, float]:
    """Play one run, from the start of the daemon to its end: how many of the scenario's events
    never became due, and what its models cost in US dollars."""
    scenario = prepared.scenario
    async with Daemon(settings, progress=tell) as daemon:
        if not await daemon.all_joined():
            raise ExperimentFailed("not all bots joined the world")
        async with _people(scenario, daemon) as scripted:
            await _live_persons(scenario, daemon, tell)
            director = Director(scenario, daemon, scripted, recorder)
            try:
                await _talk(scenario, daemon, director, actors)
            finally:
                await director.aclose()
            spent = daemon.responders.engine.budget.spent("run")
            return director.schedule.left, spent / DOLLAR


async def _keep_ground(daemon: Daemon, scenario: Scenario) -> None:
    """For a film of the run, around its first bot."""
    found = await terrain_of(daemon.bot(scenario.cast[0].name))
    kept = {"west": found.west, "north": found.north, "png": found.picture.base64}
    file = daemon.settings.data_dir.parent / GROUND_NAME
    await asyncio.to_thread(write_private, file, json.dumps(kept))


async def _talk(
    scenario: Scenario, daemon: Daemon, director: Director, actors: dict[str, Actor]
) -> None:
    try:
        async with asyncio.timeout(STAND_WITHIN_S):
            await stand_in_place(director, scenario)
    except TimeoutError:
        raise ExperimentFailed("not everybody reached their place") from None
    await _keep_ground(daemon, scenario)
    names = frozenset(member.name for member in scenario.cast)
    thinker = ScenarioThinker(scenario, actors, daemon.responders.talk_thinker(names), daemon.bot)
    talk = await daemon.talk(
        *scenario.beginners,
        policy=scenario.policy,
        observer=director,
        thinker=thinker,
        brakes_machines=False,
    )
    await director.direct(talk)


@asynccontextmanager
async def _people(scenario: Scenario, daemon: Daemon) -> AsyncIterator[dict[str, ScriptedPerson]]:
    """The scripted persons, who stay in the world until the block ends."""
    scripted = {
        p.name: ScriptedPerson(p.name, daemon.bridge) for p in scenario.people if not p.live
    }
    for person in scripted.values():
        await person.join(daemon.address)
    try:
        yield scripted
    finally:
        for person in scripted.values():
            await person.leave()


async def _live_persons(scenario: Scenario, daemon: Daemon, tell: Tell) -> None:
    """Wait until all live persons have joined."""
    missing = {person.name for person in scenario.people if person.live and person.present}
    if missing:
        at = daemon.address
        tell(f"waiting for {', '.join(sorted(missing))} to join {at} (Minecraft {at.version})")
    bot = daemon.bot(scenario.cast[0].name)
    try:
        async with asyncio.timeout(PERSONS_WITHIN_S):
            while missing - {player.name for player in (await bot.snapshot()).players}:
                await daemon.times.sleep(LOOK_AGAIN_S)
    except TimeoutError:
        raise ExperimentFailed(f"nobody called {', '.join(sorted(missing))} joined") from None


def settings_of(scenario: Scenario, data_dir: Path, asked: AskedModels | None) -> Settings:
    """Settings from the environment, with everything off that could disturb the talk."""
    return load_settings(
        None,
        {
            "data_dir": data_dir,
            "bots": {"names": tuple(member.name for member in scenario.cast)},
            "chat": {"hearing_range": scenario.talk.hearing_range, "pace": False},
            "talk": {"small_talk": False},
            "idle": {"enabled": False},
            "group_talk": {"by_words": False},
            "history": {"view": 10_000},
            "dashboard": {"enabled": False},
            "log": {"level": "warning", "talk": False},
            "llm": asked.llm if asked else {"briefing": False, "enabled": "off"},
        },
    )


def _actors(prepared: PreparedRun) -> dict[str, Actor]:
    """The actors that the scenario scripts; other bots find their words as they always do."""
    found = {m.name: scripted_actor(m, prepared.folder) for m in prepared.scenario.cast}
    return {name: actor for name, actor in found.items() if actor is not None}


def _write_personas(scenario: Scenario, data_dir: Path) -> None:
    for member in scenario.cast:
        home = data_dir / PERSONA_FOLDER / member.name
        make_private_folder(home)
        for name, text in ((PERSONA_FILE, member.persona), (MEMORY_FILE, member.memory)):
            if text:
                write_private(home / name, text)
