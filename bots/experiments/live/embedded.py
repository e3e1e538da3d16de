"""Plays a scenario with real bots on the embedded server, in real time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from bots.app import Daemon
from bots.daemon.responders import PERSONA_FOLDER
from bots.experiments.actors.actor import Actor
from bots.experiments.actors.written import written_actor
from bots.experiments.live.casting import CastThinking
from bots.experiments.live.director import Director, stand_in_place
from bots.experiments.live.extras import Extra
from bots.experiments.log.recorder import LogRecorder
from bots.experiments.runs.staging import Staging, recording
from bots.experiments.scenario.errors import ExperimentFailed
from bots.experiments.scenario.scenario import Scenario
from bots.observability.logs import logging_to
from bots.responder.case.persona import MEMORY_FILE, PERSONA_FILE
from bots.settings.loading import load_settings
from bots.settings.settings import Settings

DATA_FOLDER = "data"
"""The daemon's, inside the experiment's folder."""
PERSONS_WITHIN_S = 600.0  # for live persons to join
STAND_WITHIN_S = 60.0
LOOK_AGAIN_S = 0.5

Tell = Callable[[str], None]


def play_embedded(staging: Staging, out: Path, tell: Tell) -> None:
    """Raises ExperimentFailed, LogError, ScenarioError, BotError, SettingsError."""
    settings = _settings(staging.scenario, out / DATA_FOLDER)
    actors = _actors(staging)
    with recording(staging, out) as recorder:
        _write_personas(staging.scenario, out / DATA_FOLDER)
        with logging_to(settings.data_dir, settings.log, settings.secrets):
            asyncio.run(play_with(staging, settings, actors, recorder, tell))


async def play_with(
    staging: Staging,
    settings: Settings,
    actors: dict[str, Actor],
    recorder: LogRecorder,
    tell: Tell,
) -> None:
    """One run, from the start of the daemon to its end."""
    scenario = staging.scenario
    async with Daemon(settings, progress=tell) as daemon:
        if not await daemon.all_joined():
            raise ExperimentFailed("not all bots came into the world")
        async with _people(scenario, daemon) as extras:
            await _live_persons(scenario, daemon, tell)
            director = Director(scenario, daemon, extras, recorder)
            try:
                await _talk(scenario, daemon, director, actors)
            finally:
                await director.aclose()
            recorder.events_left = director.schedule.left


async def _talk(
    scenario: Scenario, daemon: Daemon, director: Director, actors: dict[str, Actor]
) -> None:
    try:
        async with asyncio.timeout(STAND_WITHIN_S):
            await stand_in_place(director, scenario)
    except TimeoutError:
        raise ExperimentFailed("not everybody got to where the scenario wants them") from None
    names = frozenset(member.name for member in scenario.cast)
    thinking = CastThinking(scenario, actors, daemon.responders.thinking(names))
    director.talk = await daemon.talk(
        *scenario.beginners, policy=scenario.policy, witness=director, thinking=thinking
    )
    await director.talk.wait()


@asynccontextmanager
async def _people(scenario: Scenario, daemon: Daemon) -> AsyncIterator[dict[str, Extra]]:
    """The scripted persons, in the world for as long as the block lasts."""
    extras = {p.name: Extra(p.name, daemon.bridge) for p in scenario.people if not p.live}
    for extra in extras.values():
        await extra.join(daemon.address)
    try:
        yield extras
    finally:
        for extra in extras.values():
            await extra.leave()


async def _live_persons(scenario: Scenario, daemon: Daemon, tell: Tell) -> None:
    """Wait until everybody who is to join by themselves is there."""
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


def _settings(scenario: Scenario, data_dir: Path) -> Settings:
    """The user's own, as the environment has them, but nothing beside this talk goes on."""
    needs_model = any(member.mind == "model" for member in scenario.cast)
    return load_settings(
        None,
        {
            "data_dir": data_dir,
            "bots": {"names": tuple(member.name for member in scenario.cast)},
            "chat": {"hearing_range": scenario.talk.hearing_range, "pace": False},
            "talk": {"small_talk": False},
            "group_talk": {"by_words": False},
            "history": {"view": 10_000},
            "dashboard": {"enabled": False},
            "log": {"level": "warning", "talk": False},
            "llm": {"briefing": False, **({} if needs_model else {"enabled": "off"})},
        },
    )


def _actors(staging: Staging) -> dict[str, Actor]:
    """What the scenario itself wrote; the others think as real bots do."""
    found = {m.name: written_actor(m, staging.folder) for m in staging.scenario.cast}
    return {name: actor for name, actor in found.items() if actor is not None}


def _write_personas(scenario: Scenario, data_dir: Path) -> None:
    for member in scenario.cast:
        home = data_dir / PERSONA_FOLDER / member.name
        home.mkdir(parents=True, exist_ok=True)
        for name, text in ((PERSONA_FILE, member.persona), (MEMORY_FILE, member.memory)):
            if text:
                (home / name).write_text(text, encoding="utf-8")
