"""The folder of an experiment: what a run leaves behind, and where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bots.experiments.analysis.metrics import Metrics, measure
from bots.experiments.analysis.story import Story, told
from bots.experiments.log.event_log import Log, read_log
from bots.experiments.scenario.errors import LogError
from bots.experiments.scenario.file import read_scenario
from bots.experiments.scenario.scenario import Scenario

SCENARIO_NAME = "scenario.toml"
LOG_NAME = "log.jsonl"
TRANSCRIPT_NAME = "transcript.txt"


@dataclass(frozen=True, slots=True)
class Run:
    """One run, read back."""

    folder: Path
    scenario: Scenario
    log: Log
    story: Story

    @property
    def label(self) -> str:
        """How it is called among others."""
        return self.folder.name

    @property
    def metrics(self) -> Metrics:
        return measure(self.story, self.scenario.roster)


def read_run(folder: Path) -> Run:
    """Raises LogError when the folder holds no run, or one that was changed or cut off."""
    log = read_log(folder / LOG_NAME)
    if log.broken_seal:
        raise LogError(f"{log.file}: {log.broken_seal}")
    return Run(folder, scenario_of(folder, log), log, told(log.moments))


def scenario_of(folder: Path, log: Log) -> Scenario:
    """The scenario that lies beside the log, with the seed of the run."""
    scenario = read_scenario(folder / SCENARIO_NAME)
    given = log.run.get("seed_given")
    return scenario if given is None else scenario.model_copy(update={"seed": given})


def runs_in(folders: Iterable[Path]) -> list[Path]:
    """The folders that hold a run: those given, or inside them. Raises LogError for none."""
    found: list[Path] = []
    for folder in folders:
        inside = sorted(log.parent for log in folder.glob(f"*/{LOG_NAME}"))
        here = [folder] if (folder / LOG_NAME).exists() else inside
        if not here:
            raise LogError(f"{folder}: holds no experiment; run one: townsfolk experiment run")
        found += here
    return found
