"""Small scenarios for tests, played in a folder of the test's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bots.experiments.run import simulate
from bots.experiments.runs.folder import LOG_NAME, PreparedRun, Run, read_run
from bots.experiments.scenario.file import parse_scenario
from llm.model import ChatModel

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
    simulate(prepared_run(text, folder), folder / "run", model)
    return read_run(folder / "run")


def said(run: Run, speaker: str | None = None) -> list[str]:
    return [line.text for line in run.timeline.lines if speaker in (None, line.speaker)]


def log_lines(run: Run) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run.folder / LOG_NAME).read_text().splitlines()]
