"""Runs the talk again on what was recorded: no model, no server, no clock, the same words.

The machine is made anew from the scenario beside the log and takes in what the log says it took
in. Whatever it wishes for otherwise than then is a difference: the order policy, the machine or
the record has changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from bots.experiments.analysis.story import told
from bots.experiments.analysis.transcript import transcript
from bots.experiments.log.event_log import Log, Moment, read_log
from bots.experiments.runs.folder import LOG_NAME, TRANSCRIPT_NAME, scenario_of
from bots.experiments.runs.staging import machine_for
from bots.experiments.scenario.errors import LogError
from bots.experiments.scenario.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Replay:
    """What came of running a talk again."""

    transcript: str
    differences: tuple[str, ...]
    """In the order in which they were found; none = the same talk, byte for byte."""
    turns: int
    moments: int

    @property
    def identical(self) -> bool:
        return not self.differences


def replay(folder: Path) -> Replay:
    """Raises LogError when there is no log that could be run."""
    log = read_log(folder / LOG_NAME)
    recorded, scenario = log.moments, scenario_of(folder, log)
    again = _run_again(scenario, recorded)
    text = transcript(told(again))
    found = (
        *_policy_differences(scenario, log),
        *_wish_differences(recorded, again),
        *_transcript_differences(folder, text),
        *_seal_differences(log),
    )
    turns = sum(1 for moment in again for wish in moment.wishes if type(wish).__name__ == "Think")
    return Replay(text, found, turns, len(again))


def _run_again(scenario: Scenario, recorded: list[Moment]) -> list[Moment]:
    machine = machine_for(scenario)
    again: list[Moment] = []
    for moment in recorded:
        wishes = (
            machine.start(moment.at_ms)
            if moment.happening is None
            else machine.take(moment.happening, moment.at_ms)
        )
        again.append(replace(moment, wishes=tuple(wishes)))
    return again


def _policy_differences(scenario: Scenario, log: Log) -> Iterator[str]:
    played, now = log.run.get("policy"), json.loads(json.dumps(asdict(scenario.policy)))
    if not isinstance(played, dict):
        raise LogError(f"{log.file}:1: holds no policy")
    for key in sorted(played.keys() | now.keys()):
        if played.get(key) != now.get(key):
            yield f"the policy is another: {key} was {played.get(key)!r}, is {now.get(key)!r}"


def _wish_differences(recorded: list[Moment], again: list[Moment]) -> Iterator[str]:
    """The first alone: what follows from it differs as well."""
    for number, (then, now) in enumerate(zip_longest(recorded, again)):
        pairs = zip_longest(_wishes(then), _wishes(now))
        for was, became in pairs:
            if was != became:
                yield f"moment {number} at {then.at_ms} ms: it wished for {was}, now for {became}"
                return


def _wishes(moment: Moment) -> list[Any]:
    wishes: list[Any] = json.loads(json.dumps(moment.as_json()["wishes"]))
    return wishes


def _transcript_differences(folder: Path, text: str) -> Iterator[str]:
    file = folder / TRANSCRIPT_NAME
    try:
        kept = file.read_bytes()
    except OSError as error:
        raise LogError(f"cannot read {file}: {error.strerror}") from error
    if kept != text.encode():
        yield f"{TRANSCRIPT_NAME}: {_first_difference(kept.decode(errors='replace'), text)}"


def _first_difference(kept: str, text: str) -> str:
    pairs = zip_longest(kept.splitlines(), text.splitlines())
    for number, (was, became) in enumerate(pairs, 1):
        if was != became:
            return f"line {number} was {was!r}, is {became!r}"
    return "differs in its line ends"


def _seal_differences(log: Log) -> Iterator[str]:
    if log.broken_seal:
        yield f"{LOG_NAME}: {log.broken_seal}"
