"""Plays the runs of an experiment: each once, several at a time, and on after a kill.

    planned ─▶ whole, and the same would be played ─▶ kept
            ─▶ failed ─▶ put aside in `failed/` ─┐
            ─▶ cut off ─▶ cleared away ──────────┴─▶ played ─▶ the last line of its log: whole

A log is whole with its last line, so a kill at any moment leaves whole runs, cut ones, and none.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from multiprocessing import active_children, get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import Any

from pydantic import BaseModel, ConfigDict

from bots.daemon.daemon_file import born_s, writer_runs
from bots.daemon.experiment_records import PlayedRun
from bots.errors import SettingsError
from bots.experiments import runs
from bots.experiments.identity import digest_of, parts_of
from bots.experiments.log import glance
from bots.experiments.paid_models import Means, needs_model, wanted_of
from bots.experiments.runs import LOG_NAME, PreparedRun
from bots.experiments.scenario import ExperimentFailed, LogError, ScenarioError, Tell
from bots.experiments.scenario_file import folder_names
from bots.experiments.simulation import simulate
from bots.observability.logs import log_plainly
from bots.private_files import for_owner_alone, free_name, make_private_folder, write_private
from bridge.errors import BotError
from bridge.foreign_json import read_object

AHEAD = 2  # runs for each process that wait in its queue


@dataclass(frozen=True, slots=True)
class Planned:
    """A run that is to be played, and its folder."""

    prepared: PreparedRun
    folder: Path


class Played(BaseModel):
    """A run that was played to its end, as the last line of its log tells."""

    model_config = ConfigDict(frozen=True)

    folder: Path
    status: runs.Status
    cause: str = ""
    ended: str
    said: int
    """Lines."""
    at_ms: int
    cost_usd: float
    charged_usd: float | None = None
    answers: dict[str, int]
    faults: dict[str, int]

    @classmethod
    def of(cls, folder: Path, end: Mapping[str, Any]) -> Played:
        return cls(**{**end, "folder": folder})

    @property
    def for_page(self) -> PlayedRun:
        cost_usd = self.cost_usd if self.charged_usd is None else self.charged_usd
        name = self.folder.name
        return PlayedRun(name=name, ended=self.ended, lines=self.said, cost_usd=cost_usd)


def planned_in(prepared: Sequence[PreparedRun], seeds: Sequence[int], out: Path) -> list[Planned]:
    """One seed under each condition after the other, so that a run that is broken off has all. A
    single run has the folder itself. Raises LogError where one has it already."""
    names = folder_names([each.condition for each in prepared])
    names = [each.name or name for each, name in zip(prepared, names, strict=True)]
    if len(prepared) * len(seeds) == 1:
        only, seed = prepared[0], seeds[0]
        # Where it is the scenario's own it is not given.
        return [Planned(only if seed == only.scenario.seed else only.with_seed(seed), out)]
    if (out / LOG_NAME).exists():  # beside which nobody would read those within
        raise LogError(f"{out} holds one run; name another folder")
    return [
        Planned(each.with_seed(seed), out / f"{name}{'-' if name else ''}seed-{seed}")
        for seed in seeds
        for name, each in zip(names, prepared, strict=True)
    ]


def kept_of(plan: Sequence[Planned], means: Means) -> dict[Path, Played]:
    """The runs that need not be played again. Raises LogError where a folder holds a run of
    something else than what would be played."""
    found: dict[Path, Played] = {}
    for one in plan:
        if not (one.folder / LOG_NAME).exists():
            continue
        seen = glance(one.folder / LOG_NAME)
        if seen.header is not None and (why := _differs(seen.header, one.prepared, means)):
            raise LogError(f"{one.folder} holds an experiment {why}; name another folder")
        if seen.end is not None and seen.end["status"] == "whole":
            found[one.folder] = Played.of(one.folder, seen.end)
    return found


def play_all(
    plan: Sequence[Planned], out: Path, means: Means, jobs: int, tell: Tell
) -> Iterator[Played]:
    """Play these runs, `jobs` at the same time, each in a process of its own where there are
    several; a run that failed before is put aside. Raises what `play` does."""
    for one in plan:
        clear(one.folder, out)
    if jobs == 1 or len(plan) <= 1:
        yield from (play_one(one, means, tell) for one in plan)
    else:
        yield from _play_beside(plan, means, jobs)


def play(prepared: PreparedRun, out: Path, means: Means, tell: Tell = lambda line: None) -> None:
    """Raises ExperimentFailed, LogError, ScenarioError, SettingsError; where a model or a server
    takes part, also BotError."""
    runs.refuse_used(out)  # before we start or pay for anything
    scenario = prepared.scenario
    with means.seats.talk(scenario, tell) if means.seats else nullcontext():
        if scenario.world != "simulated":
            from bots.experiments.live import play_live

            asyncio.run(play_live(prepared, out, means, tell))
        else:
            models = means.models(scenario) if needs_model(scenario) else None
            simulate(prepared, out, models, means.seats)


def play_one(one: Planned, means: Means, tell: Tell) -> Played:
    play(one.prepared, one.folder, means, tell)
    end = glance(one.folder / LOG_NAME).end
    assert end is not None  # or `play` has raised
    return Played.of(one.folder, end)


def play_apart(one: Planned, means: Means) -> Played:
    """In a process of its own, from which only errors of one argument come back whole."""
    try:
        # Several runs at the same time would tell it all at once.
        return play_one(one, means, lambda _line: None)
    except (ExperimentFailed, LogError, ScenarioError, SettingsError):
        raise
    except BotError as error:
        raise ExperimentFailed(str(error)) from None


def _play_beside(plan: Sequence[Planned], means: Means, jobs: int) -> Iterator[Played]:
    todo, under_way, others = deque(plan), set[Future[Played]](), set(active_children())
    # Not forked: what runs in threads here would be missing there.
    pool = ProcessPoolExecutor(min(jobs, len(plan)), get_context("spawn"), _begin_process)
    try:
        while todo or under_way:
            while todo and len(under_way) < jobs * AHEAD:
                under_way.add(pool.submit(play_apart, todo.popleft(), means))
            done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    except BrokenProcessPool:
        raise ExperimentFailed("a process that plays runs was ended; run it again") from None
    finally:
        for process in set(active_children()) - others:  # no run is waited for
            process.terminate()
        pool.shutdown(wait=True, cancel_futures=True)


def _begin_process() -> None:
    """Nobody reads what is played once the process that asked for it is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # told by that process
    log_plainly("warning")

    def end_with_parent() -> None:
        if (parent := parent_process()) is not None:
            parent.join()
            os._exit(1)

    Thread(target=end_with_parent, daemon=True, name="end with parent").start()


def _differs(then: dict[str, Any], prepared: PreparedRun, means: Means) -> str:
    """In what a run that was played differs from what would be played now; '' in nothing."""
    now = prepared.header
    for name in ("changed", "seed"):
        if digest_of(then.get(name)) != digest_of(now.get(name)):
            return f"with {name} {then.get(name)!r}, not {now.get(name)!r}"
    was, would = parts_of(then, ()), parts_of(now, ())
    for part in would:
        if part in ("scenario", "code", "prompt", "version") and was.get(part) != would[part]:
            return f"of another {part}"
    if needs_model(prepared.scenario):
        found = wanted_of(means.settings(prepared.scenario), rules_may_speak=means.allow_rules)
        if digest_of((then.get("models") or {}).get("wanted")) != digest_of(found):
            return "with other settings of the model"
    return ""


def clear(folder: Path, out: Path) -> None:
    """Put a run that failed aside, and clear away what was cut off. The log goes last: while it is
    there, the rest is known to be of a run. Raises LogError."""
    if not (folder / LOG_NAME).exists():
        return
    is_whole = glance(folder / LOG_NAME).end is not None
    try:
        aside = None
        if is_whole:
            make_private_folder(out / runs.FAILED_FOLDER)
            name = folder.name if folder != out else "run"
            aside = free_name(out / runs.FAILED_FOLDER / name)
            make_private_folder(aside)
        for file in (folder / name for name in runs.LEFT_BY_RUN if os.path.lexists(folder / name)):
            if aside is not None:
                file.rename(aside / file.name)
            elif file.is_dir() and not file.is_symlink():
                shutil.rmtree(file)
            else:
                file.unlink()
    except OSError as error:
        raise LogError(f"cannot clear {folder}: {error.strerror}") from error


@contextmanager
def alone_in(out: Path) -> Iterator[None]:
    """Nobody else plays into this folder while the block lasts. Raises LogError."""
    file = out / runs.PLAYING_NAME
    was_there = out.is_dir()
    try:
        make_private_folder(out)
        _claim(file)
    except OSError as error:
        raise LogError(f"cannot write into {out}: {error.strerror}") from error
    try:
        yield
    finally:
        with suppress(OSError):
            file.unlink()
            if not was_there:
                out.rmdir()  # unless something is in it


def _claim(file: Path) -> None:
    """Write our process into the file, which is there whole or not at all. Raises LogError where
    another one runs that is in it."""
    draft = file.with_name(f"{file.name}-{os.getpid()}")
    write_private(draft, json.dumps({"pid": os.getpid(), "born_s": born_s(os.getpid())}))
    try:
        while True:
            try:
                _place(draft, file)
                return
            except FileExistsError:
                with suppress(FileNotFoundError, ValueError, KeyError, TypeError):
                    there = read_object(file.read_bytes())
                    if writer_runs(int(there["pid"]), file, float(there["born_s"])):
                        raise LogError(
                            f"{file.parent} is being played into by process {there['pid']}"
                        ) from None
                file.unlink(missing_ok=True)
    finally:
        draft.unlink(missing_ok=True)


def _place(draft: Path, file: Path) -> None:
    """Raises FileExistsError."""
    try:
        os.link(draft, file)
    except FileExistsError:
        raise
    except OSError:  # a disk without links
        with open(file, "x", encoding="utf-8", opener=for_owner_alone) as out:
            out.write(draft.read_text(encoding="utf-8"))
