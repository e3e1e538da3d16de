"""Lists an experiment in the data folder while it is played, so that the page can show it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bots.clock import utc_now
from bots.daemon.daemon_file import born_s
from bots.daemon.experiment_records import Cast, ExperimentFile, ExperimentRecord, PlayedRun
from bots.errors import SettingsError
from bots.experiments.paid_models import Means
from bots.experiments.runs.folder import PreparedRun, Run
from bridge.errors import BotError


class Entry:
    """What is told of one experiment; of one that could not be listed, nothing."""

    def __init__(self, file: ExperimentFile | None) -> None:
        self._file = file

    def played(self, run: Run) -> None:
        if self._file is not None:
            self._file.played(_played(run))

    def end(self, why: str | None) -> None:
        if self._file is not None:
            self._file.end(utc_now(), why)


@contextmanager
def listed(
    prepared: PreparedRun, out: Path, runs: int, means: Means, complain: Callable[[str], None]
) -> Iterator[Entry]:
    """The block plays it. Where it cannot be listed, it is played all the same."""
    entry = Entry(_file_of(prepared, out, runs, means, complain))
    why: str | None = "it failed"
    try:
        yield entry
        why = None
    except BotError as error:
        why = str(error)
        raise
    except KeyboardInterrupt:
        why = "interrupted"
        raise
    finally:
        entry.end(why)


def _file_of(
    prepared: PreparedRun, out: Path, runs: int, means: Means, complain: Callable[[str], None]
) -> ExperimentFile | None:
    try:
        return ExperimentFile(means.settings().data_dir, _record(prepared, out, runs))
    except (OSError, SettingsError) as error:
        complain(f"the page will not list it: {error}")
        return None


def _played(run: Run) -> PlayedRun:
    metrics = run.metrics
    cost_usd = metrics.cost_usd if run.charged_usd is None else run.charged_usd
    return PlayedRun(
        name=run.label, ended=metrics.ended or "", lines=metrics.lines, cost_usd=cost_usd
    )


def _record(prepared: PreparedRun, out: Path, runs: int) -> ExperimentRecord:
    scenario = prepared.scenario
    return ExperimentRecord(
        title=scenario.title,
        about=scenario.about,
        world=scenario.world,
        folder=out.resolve(),
        started_at=utc_now(),
        pid=os.getpid(),
        born_s=born_s(os.getpid()),
        participants=tuple(Cast(name=who.name, kind=who.kind) for who in scenario.roster),
        planned=runs,
    )
