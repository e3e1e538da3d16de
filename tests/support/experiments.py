"""Small scenarios for tests, played in a folder of the test's own."""

import json
from contextlib import nullcontext
from pathlib import Path
from time import monotonic
from typing import Any

from typer.testing import CliRunner, Result

from bots.cli.main import app
from bots.clock import steady, utc_now
from bots.experiments.paid_models import PaidModels
from bots.experiments.runs import LOG_NAME, PreparedRun, Run, read_run
from bots.experiments.scenario_file import parse_scenario
from bots.experiments.simulation import simulate
from llm.engine.budget import Budget, Caps, MemoryLedger
from llm.engine.engine import Engine
from llm.engine.prices import price_of
from llm.engine.tiers import TIERS, TierModel
from llm.model import ChatModel

DEBATE = """
title = "A debate"
[talk]
opening = { by = "Alice", text = "Cake or pie?" }
thinking_s = [0, 0]
[caps]
turns = 7
repetition_lines = 0
[[cast]]
name = "Alice"
answers = "model"
[[cast]]
name = "Bob"
answers = "model"
"""
"""Six turns of a model after the opening."""

THREE = """
title = "Three"
seed = 7
[talk]
thinking_s = [1, 1]
saying_characters_per_s = 1000
[caps]
turns = 9
repetition_lines = 0
[places]
here = [8, 64, 8]
far = [60, 64, 8]
[[cast]]
name = "Alice"
at = "here"
cues = [{ say = "Bob, look at that.", again = true }]
goodbye = "Bye from Alice."
[[cast]]
name = "Bob"
at = "here"
cues = [{ say = "Carol, have you seen it too?", again = true }]
goodbye = "Bye from Bob."
[[cast]]
name = "Carol"
at = "here"
cues = [{ say = "Alice, I have seen nothing.", again = true }]
goodbye = "Bye from Carol."
"""
"""Three bots in a circle; add events, persons or keys below."""


def prepared_run(text: str, folder: Path = Path()) -> PreparedRun:
    return PreparedRun(parse_scenario(text), text, folder)


def played(folder: Path, text: str, model: ChatModel | None = None) -> Run:
    """Play a scenario in the simulated world; `folder` must be empty."""
    paid = None if model is None else nullcontext(paid_from_memory(model))
    simulate(prepared_run(text, folder), folder / "run", paid)
    return read_run(folder / "run")


def paid_from_memory(model: ChatModel) -> PaidModels:
    """A model of every tier, on a budget that ends with the test."""
    tiers = {tier: TierModel(model.model_id, price_of(model.model_id), 1.5, 400) for tier in TIERS}
    budget = Budget(MemoryLedger(), Caps(), steady(utc_now(), monotonic))
    engine = Engine(dict.fromkeys(TIERS, model), tiers, budget, stopwatch=monotonic)
    return PaidModels(engine)


def said(run: Run, speaker: str | None = None) -> list[str]:
    return [line.text for line in run.timeline.lines if speaker in (None, line.speaker)]


def log_lines(run: Run) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run.folder / LOG_NAME).read_text().splitlines()]


def experiment(*words: str | Path, typed: str | None = None) -> Result:
    """`townsfolk experiment` with these words, and what is typed into it."""
    return CliRunner().invoke(app, ["experiment", *map(str, words)], input=typed)
