"""Small scenarios for tests, played in a folder of the test's own."""

import csv
import json
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from time import monotonic
from typing import Any

from typer.testing import CliRunner, Result

from bots.cli.main import app
from bots.clock import steady, utc_now
from bots.experiments.paid_models import PaidModels
from bots.experiments.runs import LOG_NAME, PreparedRun, Run, read_run
from bots.experiments.scenario_file import conditions_of, parse_scenario
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


def play_seeds(home: Path, text: str, seeds: Iterable[int], *settings: str) -> Path:
    """Play a scenario with each seed, under each condition that such settings make."""
    for prepared in prepared_run(text).under(conditions_of(settings)):
        place = f"{prepared.place}-" if settings else ""
        for seed in seeds:
            simulate(prepared.with_seed(seed), home / f"{place}seed-{seed}")
    return home


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


def experiment(
    *words: str | Path, typed: str | None = None, code: int = 0, said: str = ""
) -> Result:
    """`townsfolk experiment` with these words, and what is typed into it: it ends with this code,
    and has said this on stderr."""
    done = CliRunner().invoke(app, ["experiment", *map(str, words)], input=typed)
    assert done.exit_code == code, done.output
    assert said in done.stderr
    return done


def rows_in(file: Path, **wanted: str) -> list[dict[str, str]]:
    """The rows of a CSV file that have these values."""
    with file.open(newline="") as text:
        return [row for row in csv.DictReader(text) if wanted.items() <= row.items()]


def say_by(code: str, folder: Path) -> str:
    """THREE, with Alice's words by the function `say` of this code, which is put into a file."""
    (folder / "mind.py").write_text(code)
    return THREE.replace('cues = [{ say = "Bob, l', 'function = "mind.py:say"\ncues = [{ say = "L')


def package_in(folder: Path, called: str, points: str, code: str) -> None:
    """An installed package, called as NAME-VERSION, with these entry points."""
    name, _, version = called.partition("-")
    facts = folder / f"{called}.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (facts / "entry_points.txt").write_text(points)
    (folder / f"{name}.py").write_text(code)
