"""Which experiments were played: a file for each in the data folder.

The process that plays an experiment writes its file; the daemon reads it for the page. What was
recorded and reported lies in the experiment's own folder, wherever that is."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Literal

import structlog
from pydantic import BaseModel, ConfigDict, ValidationError

from bots.daemon.daemon_file import writer_runs
from bots.daemon.data_folder import EXPERIMENTS_FOLDER, refuse_foreign
from bots.daemon.shapes import ExperimentShape, ExperimentsShape
from bots.private_files import make_private_folder, write_private

log = structlog.get_logger()

REPORT, COMPARISON = "report.html", "comparison.html"
MOST_LISTED = 200
MOST_BYTES = 32 * 2**20
"""Of a report; the largest so far have two megabytes."""
_ID = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{6}")


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class PlayedRun(_Part):
    """A run that was played to its end."""

    name: str
    ended: str
    lines: int
    cost_usd: float


class Cast(_Part):
    name: str
    kind: str
    """bot or person."""


class ExperimentRecord(_Part):
    title: str
    about: str
    world: str
    folder: Path
    """Where its runs lie; of a single run it is the run's own."""
    started_at: datetime
    ended_at: datetime | None = None
    pid: int
    born_s: float | None = None
    """When its process was started."""
    state: Literal["running", "ended", "stopped"] = "running"
    why: str | None = None
    """Why it was stopped."""
    participants: tuple[Cast, ...]
    planned: int
    """How many runs there are to be."""
    runs: tuple[PlayedRun, ...] = ()

    def page(self, run: str | None = None) -> Path | None:
        """Its report, or the one of a run; None where nothing was played that has one."""
        if run is None:
            several = self.planned > 1
            return self.folder / (COMPARISON if several else REPORT) if self.runs else None
        if run not in (played.name for played in self.runs):
            return None
        return (self.folder / run if self.planned > 1 else self.folder) / REPORT

    @classmethod
    def of(cls, text: bytes) -> ExperimentRecord:
        """From its file: itself, and a line for each change. A line that was cut changes nothing.

        Raises ValueError."""
        first, *changes = text.splitlines()
        record = cls.model_validate_json(first)
        runs = list(record.runs)
        for line in changes:
            with suppress(ValidationError):
                change = _Change.model_validate_json(line)
                runs += change.runs
                record = record.model_copy(update=change.model_dump(exclude_unset=True))
        return record.model_copy(update={"runs": tuple(runs)})


class _Change(_Part):
    runs: tuple[PlayedRun, ...] = ()
    """Those that are new."""
    state: Literal["ended", "stopped"] = "ended"
    ended_at: datetime | None = None
    why: str | None = None


class ExperimentFile:
    """The file of one experiment, which grows by a line whenever something has changed."""

    def __init__(self, data_dir: Path, record: ExperimentRecord) -> None:
        """Raises OSError where it cannot be written, SettingsError where the folder is not ours."""
        refuse_foreign(data_dir)
        make_private_folder(data_dir / EXPERIMENTS_FOLDER)
        began = record.started_at.strftime("%Y%m%d-%H%M%S")
        self._file = data_dir / EXPERIMENTS_FOLDER / f"{began}-{secrets.token_hex(3)}.json"
        write_private(self._file, record.model_dump_json())

    def played(self, run: PlayedRun) -> None:
        self._add(_Change(runs=(run,)))

    def end(self, at: datetime, why: str | None = None) -> None:
        """With `why` it was stopped."""
        self._add(_Change(state="stopped" if why else "ended", ended_at=at, why=why))

    def _add(self, change: _Change) -> None:
        line = change.model_dump_json(exclude_unset=True)
        # Without the file the experiment goes on; the page shows what was written before.
        with suppress(OSError), self._file.open("r+b") as out:
            out.seek(0, os.SEEK_END)
            out.write(f"\n{line}".encode())  # first, as the line before may have been cut


class ExperimentRecords:
    """Reads what was played, and the reports there are."""

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / EXPERIMENTS_FOLDER

    async def experiments(self) -> ExperimentsShape:
        return {"success": True, "experiments": await asyncio.to_thread(self._listed)}

    async def report(self, experiment: str, run: str | None) -> bytes | None:
        return await asyncio.to_thread(self._report, experiment, run)

    def _listed(self) -> list[ExperimentShape]:
        names = sorted((file.stem for file in self._folder.glob("*.json")), reverse=True)
        newest = ((name, self._read(name)) for name in names[:MOST_LISTED])
        return [_shape(name, record) for name, record in newest if record is not None]

    def _read(self, name: str) -> ExperimentRecord | None:
        if not _ID.fullmatch(name):
            return None
        file = self._folder / f"{name}.json"
        try:
            record = ExperimentRecord.of(file.read_bytes())
            is_gone = not writer_runs(record.pid, file, record.born_s)
            if record.state == "running" and is_gone:
                return record.model_copy(update={"state": "stopped", "why": "its process is gone"})
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            log.warning("experiment.unreadable", file=str(file), error=type(error).__name__)
            return None
        return record

    def _report(self, experiment: str, run: str | None) -> bytes | None:
        record = self._read(experiment)
        page = record.page(run) if record else None
        if record is None or page is None or not _is_report_of(record, page):
            return None
        try:
            return page.read_bytes()
        except OSError:
            return None


def _is_report_of(record: ExperimentRecord, page: Path) -> bool:
    """Whether it is there, in the experiment's own folder: a link to elsewhere is none."""
    try:
        inside = page.resolve().is_relative_to(record.folder.resolve())
        return inside and page.is_file() and page.stat().st_size <= MOST_BYTES
    except OSError:
        return False


def _shape(name: str, record: ExperimentRecord) -> ExperimentShape:
    return {
        "id": name,
        "title": record.title,
        "about": record.about,
        "world": record.world,
        "state": record.state,
        "why": record.why,
        "startedAt": record.started_at.isoformat(),
        "endedAt": record.ended_at.isoformat() if record.ended_at else None,
        "participants": [{"name": one.name, "kind": one.kind} for one in record.participants],
        "folder": str(record.folder),
        "planned": record.planned,
        "runs": [
            {
                "run": run.name,
                "ended": run.ended,
                "lines": run.lines,
                "costUsd": run.cost_usd,
                "report": _address(name, record, run.name),
            }
            for run in record.runs
        ],
        "costUsd": sum(run.cost_usd for run in record.runs),
        "report": _address(name, record, None),
    }


def _address(name: str, record: ExperimentRecord, run: str | None) -> str | None:
    """Where its report is served; None while there is none."""
    page = record.page(run)
    if page is None or not _is_report_of(record, page):
        return None
    return f"/api/experiments/{name}/" + ("report" if run is None else f"runs/{run}/report")
