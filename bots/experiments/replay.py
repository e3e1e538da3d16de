"""Replays a recorded talk without model, server or clock, and compares the results.

A new machine, made from the scenario beside the log, takes the events of the log. Whatever it
asks for differently is a difference: the policy, the machine or the record has changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from bots.experiments.log import Log, Transition, read_log
from bots.experiments.runs import LOG_NAME, TRANSCRIPT_NAME, machine_for, scenario_of
from bots.experiments.scenario import LogError, Scenario
from bots.experiments.timeline import timeline_of, transcript
from bots.text.reading import read_bytes


@dataclass(frozen=True, slots=True)
class Replay:
    """The result of a replay."""

    transcript: str
    differences: tuple[str, ...]
    """In the order found; empty: the same talk, byte for byte."""
    turns: int
    transitions: int

    @property
    def identical(self) -> bool:
        return not self.differences


def replay(folder: Path) -> Replay:
    """Replay the run in a folder. Raises LogError if its log cannot be replayed."""
    log = read_log(folder / LOG_NAME)
    recorded, scenario = log.transitions, scenario_of(folder, log)
    again = _run_again(scenario, recorded)
    text = transcript(timeline_of(again))
    found = (
        *_policy_differences(scenario, log),
        *_effect_differences(recorded, again),
        *_transcript_differences(folder, text),
        *_seal_differences(log),
    )
    turns = sum(
        1
        for transition in again
        for effect in transition.effects
        if type(effect).__name__ == "Think"
    )
    return Replay(text, found, turns, len(again))


def _run_again(scenario: Scenario, recorded: list[Transition]) -> list[Transition]:
    machine = machine_for(scenario)
    again: list[Transition] = []
    for transition in recorded:
        effects = (
            machine.start(transition.at_ms)
            if transition.event is None
            else machine.take(transition.event, transition.at_ms)
        )
        again.append(replace(transition, effects=tuple(effects)))
    return again


def _policy_differences(scenario: Scenario, log: Log) -> Iterator[str]:
    played, now = log.run.get("policy"), json.loads(json.dumps(asdict(scenario.policy)))
    if not isinstance(played, dict):
        raise LogError(f"{log.file}:1: holds no policy")
    for key in sorted(played.keys() | now.keys()):
        if played.get(key) != now.get(key):
            yield f"the policy changed: {key} was {played.get(key)!r}, is {now.get(key)!r}"


def _effect_differences(recorded: list[Transition], again: list[Transition]) -> Iterator[str]:
    """The first difference only, as everything after it differs too."""
    for number, (then, now) in enumerate(zip_longest(recorded, again)):
        pairs = zip_longest(_effects(then), _effects(now))
        for was, became in pairs:
            if was != became:
                yield f"moment {number} at {then.at_ms} ms: it asked for {was}, now for {became}"
                return


def _effects(transition: Transition) -> list[Any]:
    effects: list[Any] = json.loads(json.dumps(transition.as_json()["wishes"]))
    return effects


def _transcript_differences(folder: Path, text: str) -> Iterator[str]:
    file = folder / TRANSCRIPT_NAME
    try:
        kept = read_bytes(file)
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
