"""A scenario that is about to be played, and the folder it leaves behind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from bots.experiments.analysis.story import told
from bots.experiments.analysis.transcript import transcript
from bots.experiments.log.event_log import SCHEMA, LogWriter
from bots.experiments.log.recorder import LogRecorder, Watch
from bots.experiments.runs.folder import LOG_NAME, SCENARIO_NAME, TRANSCRIPT_NAME
from bots.experiments.scenario.errors import LogError
from bots.experiments.scenario.file import parse_scenario, scenario_text
from bots.experiments.scenario.scenario import Scenario
from bots.talks.machine.machine import GroupTalk


@dataclass(frozen=True, slots=True)
class Staging:
    """A scenario and where it came from."""

    scenario: Scenario
    text: str
    """The file, as it was written."""
    folder: Path
    """Where the file lies, and what it names beside it."""
    seed_given: int | None = None
    """A seed that replaces the scenario's own."""
    watch: Watch = lambda moment: None

    def with_seed(self, seed: int) -> Staging:
        scenario = self.scenario.model_copy(update={"seed": seed})
        return replace(self, scenario=scenario, seed_given=seed)

    @property
    def header(self) -> dict[str, Any]:
        """The first line of the log."""
        scenario = self.scenario
        return {
            "schema": SCHEMA,
            "title": scenario.title,
            "world": scenario.world,
            "seed": scenario.seed,
            "seed_given": self.seed_given,
            "participants": [asdict(who) for who in scenario.roster],
            "present": sorted(scenario.present),
            "policy": asdict(scenario.policy),
            "scenario": self.text,
        }


def read_staging(file: Path, seed: int | None = None) -> Staging:
    """Raises ScenarioError."""
    text = scenario_text(file)
    staging = Staging(parse_scenario(text, str(file)), text, file.parent)
    return staging if seed is None else staging.with_seed(seed)


def machine_for(scenario: Scenario) -> GroupTalk:
    """The talk of a scenario, before its start."""
    return GroupTalk(scenario.beginners, scenario.policy, 0)


@contextmanager
def recording(staging: Staging, out: Path) -> Iterator[LogRecorder]:
    """Begins a log in a new folder; at the end of the block seals it and writes the transcript.

    A run that breaks off leaves a log without an end. Raises LogError."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        with LogWriter.create(out / LOG_NAME) as log:
            (out / SCENARIO_NAME).write_text(staging.text, encoding="utf-8")
            log.write(0, "run", staging.header)
            recorder = LogRecorder(log, staging.watch)
            yield recorder
            recorder.end()
        story = told(recorder.moments)
        (out / TRANSCRIPT_NAME).write_text(transcript(story), encoding="utf-8", newline="\n")
    except OSError as error:
        raise LogError(f"cannot write into {out}: {error.strerror}") from error
