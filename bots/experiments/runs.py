"""The folder of a run: prepare a scenario, record the run, read it back."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal

from bots.clock import utc_now
from bots.daemon.daemon_file import born_s
from bots.daemon.experiment_records import Cast, ExperimentFile, ExperimentRecord, PlayedRun
from bots.errors import SettingsError
from bots.experiments import metrics as talk_metrics
from bots.experiments.identity import digest, digest_of, git_of, parts_of, versions
from bots.experiments.log import SCHEMA, Log, LogRecorder, LogWriter, Transition, Watch, read_log
from bots.experiments.own_functions import code_of
from bots.experiments.paid_models import Means, ModelsUsed
from bots.experiments.scenario import ORDERS, CutOff, LogError, Scenario, ScenarioError
from bots.experiments.scenario_file import (
    Condition,
    label_of,
    parse_scenario,
    scenario_text,
    tables_of,
)
from bots.experiments.study import STUDY_NAME, Study, study_of
from bots.experiments.timeline import Timeline, timeline_of, transcript
from bots.private_files import make_private_folder, write_private
from bots.talks.live.prompt import system_prompt
from bots.talks.machine.events import AnswerFailed, CancelThinking, Ended, TalkEffect, Think
from bots.talks.machine.machine import GroupTalk
from bots.talks.machine.state import OwnRules, TalkSoFar
from bots.text.printable import printable
from bots.text.reading import read_bytes
from bridge.errors import BotError

SCENARIO_NAME = "scenario.toml"
GROUND_NAME = "ground.json"
"""The ground from above, of a run with real bots."""
DATA_FOLDER = "data"
"""The data of the daemon of such a run."""
LOG_NAME = "log.jsonl"
TRANSCRIPT_NAME = "transcript.txt"
JUDGED_NAME = "judged.jsonl"
"""The scores of judges, beside `study.json`."""
PLAYING_NAME = ".playing"
"""Says which process plays into a folder."""
FAILED_FOLDER = "failed"
"""Runs that failed and were played anew."""
LEFT_BY_RUN = (
    SCENARIO_NAME,
    TRANSCRIPT_NAME,
    GROUND_NAME,
    DATA_FOLDER,
    "report.html",
    "metrics.json",
    "lines.csv",
    "participants.csv",
    LOG_NAME,
)
"""What a run and its report may leave, in the order in which it is cleared away."""
Status = Literal["whole", "failed"]
NOT_PLAYED: dict[str, Any] = {"exclude": {"seed", "title", "about"}, "exclude_defaults": True}
"""Keys of a scenario that make no other talk."""
SHOWN = 3  # names of what lies in a folder


def unwatched(_transition: Transition) -> None:
    """Nobody looks on."""


@dataclass(frozen=True, slots=True)
class PreparedRun:
    """A scenario that can be played, and where it came from."""

    scenario: Scenario
    text: str
    folder: Path
    """The folder of its file, where its functions are looked for."""
    seed_given: int | None = None
    condition: Condition = field(default_factory=dict)
    """What else is not as the file says."""
    name: str = ""
    """Of its condition; '' for one that is called by what it changes."""
    study: Study | None = None
    place: int = 0
    """Of its condition among those that are played together, in the order they were given."""
    watch: Watch = unwatched

    def with_seed(self, seed: int) -> PreparedRun:
        scenario = self.scenario.model_copy(update={"seed": seed})
        return replace(self, scenario=scenario, seed_given=seed)

    def under(self, conditions: Sequence[Condition]) -> list[PreparedRun]:
        """The same under each condition. Raises ScenarioError where it cannot have one."""
        return [
            self._under(condition, place, f"--set {label_of(condition)}")
            for place, condition in enumerate(conditions)
        ]

    def studied(self, study: Study) -> list[PreparedRun]:
        """The same under each condition of the study. Raises ScenarioError."""
        return [
            replace(self._under(changes, place, f"study: {name or label_of(changes)}"), name=name)
            for place, (name, changes) in enumerate(study.all_conditions)
        ]

    def on_server(self, address: str) -> PreparedRun:
        """The same there, which is another condition. Raises ScenarioError."""
        return self._under({**self.condition, "world": address}, self.place, "--server")

    def _under(self, condition: Condition, place: int, source: str) -> PreparedRun:
        scenario = parse_scenario(self.text, source, condition)
        prepared = replace(self, scenario=scenario, condition=condition, place=place)
        return prepared if self.seed_given is None else prepared.with_seed(self.seed_given)

    @property
    def header(self) -> dict[str, Any]:
        scenario = self.scenario
        return {
            "schema": SCHEMA,
            "title": scenario.title,
            "world": scenario.world,
            "seed": scenario.seed,
            "seed_given": self.seed_given,
            **({"changed": self.condition, "place": self.place} if self.condition else {}),
            **({"condition": self.name} if self.name else {}),
            "identity": self.identity,
            "git": git_of(self.folder.resolve()),
            "participants": [asdict(who) for who in scenario.roster],
            "present": sorted(scenario.present),
            "policy": asdict(scenario.policy),
            "scenario": self.text,
        }

    @property
    def prompts(self) -> Iterator[tuple[str, str]]:
        """(name, system prompt) of each bot that asks a model."""
        cast, prompt = self.scenario.cast, self.scenario.prompt.as_asked
        for one in (member for member in cast if member.mind == "model"):
            others = [other.name for other in cast if other.present and other is not one]
            yield one.name, system_prompt(one.as_persona, others, prompt)

    @property
    def identity(self) -> dict[str, Any]:
        """What is known before the run of what it is played with; `models` of its log has the
        rest. Raises ScenarioError where the code of a function may not be run."""
        code = code_of(self.scenario, self.folder)
        prompt = self.scenario.prompt.as_asked
        return {
            "scenario": digest_of_played(self.scenario),
            "code": {one.name: digest(read_bytes(one.file)) for one in code if one.file.is_file()},
            "prompts": digest_of([prompt.template, prompt.tells_scene]),
            "versions": dict(versions()),
        }


@dataclass(frozen=True, slots=True)
class Run:
    """One run, read back."""

    folder: Path
    scenario: Scenario
    log: Log
    timeline: Timeline
    metrics: talk_metrics.Metrics
    tasks: tuple[talk_metrics.TaskOutcome, ...] = ()

    @property
    def label(self) -> str:
        return self.folder.name

    @property
    def condition(self) -> Condition:
        """What was not as its file says, besides the seed."""
        return condition_of(self.log)

    @property
    def condition_label(self) -> str:
        return str(self.log.run.get("condition") or label_of(self.condition))

    @property
    def place(self) -> int:
        """Of its condition, in the order they were given."""
        return int(self.log.run.get("place", 0))

    @property
    def checks(self) -> list[dict[str, Any]]:
        """What came of asking each model before the first turn: model, why, seconds."""
        kept = ("model", "why", "seconds")
        return [{key: line.get(key) for key in kept} for line in self.log.of_kind("check")]

    @property
    def status(self) -> Status:
        """Whether it is data; logs of schema 1 do not say, and count as whole."""
        return "failed" if self.log.lines[-1].get("status") == "failed" else "whole"

    @property
    def cause(self) -> str:
        """Why it is no data; '' for a whole run."""
        return str(self.log.lines[-1].get("cause", ""))

    @property
    def played_with(self) -> dict[str, str]:
        """Scenario, prompts, models, versions: runs that differ in any are of other conditions."""
        thoughts = self.log.of_kind("thought")
        name = "model" if self.log.run["schema"] == 1 else "model_named"
        return parts_of(self.log.run, (str(one[name]) for one in thoughts if one.get(name)))

    @property
    def as_written(self) -> str:
        """The digest of its scenario without what its condition changes."""
        return _digest_of_text(str(self.log.run["scenario"]))

    @property
    def record(self) -> str:
        return digest_of(self.log.lines[1:-1])

    @property
    def charged_usd(self) -> float | None:
        """What the budget was charged for it; None: no model was to be asked."""
        charged: float | None = self.log.lines[-1].get("charged_usd")
        return charged


def prepare(file: Path, seed: int | None = None) -> PreparedRun:
    """Read a scenario, with another seed if one is given. Raises ScenarioError."""
    text = scenario_text(file)
    study = study_of(tables := tables_of(text, str(file)), str(file))
    if study is not None and study.scenario:
        if others := sorted(tables.keys() - {"study"}):
            raise ScenarioError(f"{file}: {others[0]}: its scenario is in {study.scenario}")
        file = file.parent / study.scenario
        text = scenario_text(file)
    prepared = PreparedRun(parse_scenario(text, str(file)), text, file.parent, study=study)
    return prepared if seed is None else prepared.with_seed(seed)


@cache
def _digest_of_text(text: str) -> str:
    return digest_of_played(parse_scenario(text, "scenario"))


def digest_of_played(scenario: Scenario) -> str:
    """Of all that makes the talk."""
    return digest_of(scenario.model_dump(mode="json", **NOT_PLAYED))


def machine_for(scenario: Scenario, rules: OwnRules) -> GroupTalk:
    return GroupTalk(scenario.beginners, scenario.policy, 0, rules)


@contextmanager
def recording(
    prepared: PreparedRun, out: Path, models: ModelsUsed | None = None
) -> Iterator[LogRecorder]:
    """Record a run in a new folder, which its owner alone can read. After the block the transcript
    is written, and last of all the end of the log, with whether the run is data.

    A run that breaks off leaves a log without an end. Raises LogError."""
    try:
        refuse_used(out)
        make_private_folder(out)
        with LogWriter.create(out / LOG_NAME) as log:
            write_private(out / SCENARIO_NAME, prepared.text)
            played_by = {} if models is None else {"models": asdict(models)}
            log.write(0, "run", {**prepared.header, **played_by})
            recorder = LogRecorder(log, prepared.watch)
            yield recorder
            timeline = timeline_of(recorder.transitions)
            write_private(out / TRANSCRIPT_NAME, transcript(timeline))
            answers = talk_metrics.answers_in(recorder.thoughts)
            recorder.seal(
                {
                    "said": len(timeline.lines),
                    "turns": len(timeline.turns),
                    "tokens": timeline.total_tokens,
                    "cost_usd": timeline.total_cost_usd,
                    "answers": answers.by,
                    "faults": answers.faults,
                    **_status_of(prepared.scenario, recorder, models),
                }
            )
    except OSError as error:
        raise LogError(f"cannot write into {out}: {error.strerror}") from error


def _status_of(
    scenario: Scenario, recorder: LogRecorder, models: ModelsUsed | None
) -> dict[str, Any]:
    """Whether what was recorded is data, for the last line of its log."""
    may_speak = models is not None and bool(models.wanted["rules_may_speak"])
    missing = unanswered(
        scenario, recorder.transitions, recorder.thoughts, rules_may_speak=may_speak
    )
    failed = len(missing) > scenario.max_failed or not recorder.ended
    status: Status = "failed" if failed else "whole"
    found = {"status": status, "unanswered": len(missing)}
    cause = missing[0] if missing else "" if recorder.ended else "the talk did not end"
    return {**found, "cause": cause} if cause else found


def unanswered(
    scenario: Scenario,
    transitions: Iterable[Transition],
    thoughts: Iterable[Mapping[str, Any]],
    *,
    rules_may_speak: bool,
) -> list[str]:
    """The turns of a run, in order, that its scenario's own minds did not answer whole: somebody
    else found the words, or nobody did. As `turn 4, Bob: server`.

    A turn that was cut off counts for nothing, and so does a cue that is to fail."""
    members = {member.name: member for member in scenario.cast}
    steps = [step for one in transitions for step in (one.event, *one.effects)]
    speakers = {step.turn: step.speaker for step in steps if isinstance(step, Think)}
    dropped = {step.turn for step in steps if isinstance(step, CancelThinking)}
    failed = [step for step in steps if isinstance(step, AnswerFailed) and step.turn in speakers]
    why = {step.turn: step.why for step in failed}
    for thought in thoughts:
        mind, source = members[thought["speaker"]].mind, thought.get("source")
        if mind == "model" and source in ("rules", "partial") and not rules_may_speak:
            why[thought["turn"]] = str(thought.get("why") or source)
        elif mind == "rules" and source in ("model", "partial"):
            why[thought["turn"]] = "a model spoke in place of the rules"
    scripted = {one.name: [cue.fails for cue in one.cues] for one in members.values()}
    return [
        f"turn {turn}, {speakers[turn]}: {why[turn]}"
        for turn in sorted(why.keys() - dropped)
        if members[speakers[turn]].mind != "cues" or why[turn] not in scripted[speakers[turn]]
    ]


def refuse_used(out: Path) -> None:
    """Raises LogError for a folder that holds anything, and for what is no folder."""
    try:
        there = {one.name for one in out.iterdir()} if os.path.lexists(out) else set()
        names = sorted(there - {PLAYING_NAME, FAILED_FOLDER, STUDY_NAME, JUDGED_NAME})
    except OSError as error:
        raise LogError(f"cannot write into {out}: {error.strerror}") from error
    if LOG_NAME in names:
        raise LogError(f"{out} holds an experiment; name another folder")
    if names:
        shown = printable(", ".join(names[:SHOWN])) + (", …" if len(names) > SHOWN else "")
        raise LogError(f"{out} holds {shown}; name a new folder")


def read_run(folder: Path) -> Run:
    """Read a run. Raises CutOff for one that was broken off, LogError if the folder holds none, or
    one that was changed."""
    log = read_log(folder / LOG_NAME)
    if log.broken_seal:
        raise (CutOff if log.is_cut else LogError)(f"{log.file}: {log.broken_seal}")
    scenario, timeline = scenario_of(folder, log), timeline_of(log.transitions)
    stood = [
        talk_metrics.Stood(line["at_ms"], line["positions"]) for line in log.of_kind("positions")
    ]
    setting = talk_metrics.Setting(scenario.talk.topic, scenario.talk.hearing_range, stood)
    answers = talk_metrics.answers_in(log.of_kind("thought"))
    tasks = talk_metrics.outcomes(scenario.tasks, log.of_kind("task"))
    metrics = talk_metrics.measure(timeline, scenario.roster, answers, setting, tasks)
    return Run(folder, scenario, log, timeline, metrics, tasks)


def scenario_of(folder: Path, log: Log) -> Scenario:
    """The scenario beside the log, with the seed and under the condition of the run."""
    file = folder / SCENARIO_NAME
    scenario = parse_scenario(scenario_text(file), str(file), condition_of(log))
    given = log.run.get("seed_given")
    return scenario if given is None else scenario.model_copy(update={"seed": given})


def condition_of(log: Log) -> Condition:
    """The condition of a run; without any the log says nothing of it. Raises LogError."""
    found = log.run.get("changed", {})
    if not isinstance(found, dict):
        raise LogError(f"{log.file}:1: `changed` is no table of keys")
    return found


def runs_in(folders: Iterable[Path]) -> list[Path]:
    """The folders of runs: these, or those directly inside them. Raises LogError for none."""
    found: list[Path] = []
    for folder in folders:
        inside = sorted(log.parent for log in folder.glob(f"*/{LOG_NAME}"))
        here = [folder] if (folder / LOG_NAME).exists() else inside
        if not here:
            raise LogError(f"{folder}: holds no experiment; run one: townsfolk experiment run")
        found += here
    return found


def names_of(folders: Sequence[Path]) -> list[str]:
    """The name of each folder; with that of the one above where several are called so."""
    names = [folder.name for folder in folders]
    above = (folder.resolve().parent.name for folder in folders)
    return [
        f"{home}/{name}" if names.count(name) > 1 else name
        for home, name in zip(above, names, strict=True)
    ]


def all_runs_in(home: Path) -> list[Path]:
    """The folders of its runs, and of those that failed and were played anew. Raises LogError."""
    failed = (log.parent for log in sorted(home.glob(f"{FAILED_FOLDER}/*/{LOG_NAME}")))
    return [*runs_in([home]), *failed]


@contextmanager
def listed(
    prepared: PreparedRun, out: Path, runs: int, means: Means, complain: Callable[[str], None]
) -> Iterator[Callable[[PlayedRun], None]]:
    """The block plays it, and tells each run that was played. Where it cannot be listed, it is
    played all the same."""
    scenario, file = prepared.scenario, None
    record = ExperimentRecord(
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
    try:
        file = ExperimentFile(means.settings(scenario).data_dir, record)
    except (OSError, SettingsError) as error:
        complain(f"the page will not list it: {error}")
    why: str | None = "it failed"
    try:
        yield file.played if file is not None else lambda _run: None
        why = None
    except (BotError, KeyboardInterrupt) as error:
        why = str(error) if isinstance(error, BotError) else "interrupted"
        raise
    finally:
        if file is not None:
            file.end(utc_now(), why)


@dataclass(frozen=True, slots=True)
class Replay:
    """What replaying a run came to."""

    transcript: str
    differences: tuple[str, ...]
    """In the order found; empty: the same talk, byte for byte."""
    turns: int
    transitions: int

    @property
    def identical(self) -> bool:
        return not self.differences


def replay(folder: Path) -> Replay:
    """Replay the run in a folder without model, server or clock, and compare the results.

    A new machine, made from the scenario beside the log, takes the events of the log. Where it asks
    for anything else, the policy, the machine or the record has changed. Raises LogError if its log
    cannot be replayed."""
    log = read_log(folder / LOG_NAME)
    recorded, scenario = log.transitions, scenario_of(folder, log)
    again = _run_again(scenario, recorded)
    text = transcript(timeline_of(again))
    found = [*_policy_differences(scenario, log), *_effect_differences(recorded, again)]
    try:
        kept = read_bytes(folder / TRANSCRIPT_NAME)
    except OSError as error:
        raise LogError(f"cannot read {folder / TRANSCRIPT_NAME}: {error.strerror}") from error
    if kept != text.encode():
        pairs = zip_longest(kept.decode(errors="replace").splitlines(), text.splitlines())
        changes = (
            f"line {number} was {was!r}, is {became!r}"
            for number, (was, became) in enumerate(pairs, 1)
            if was != became
        )
        found.append(f"{TRANSCRIPT_NAME}: {next(changes, 'differs in its line ends')}")
    if log.broken_seal:
        found.append(f"{LOG_NAME}: {log.broken_seal}")
    turns = sum(isinstance(effect, Think) for one in again for effect in one.effects)
    return Replay(text, tuple(found), turns, len(again))


def _run_again(scenario: Scenario, recorded: list[Transition]) -> list[Transition]:
    """Rules say again what they said in the run: no code of anybody's is run."""
    told: tuple[TalkEffect, ...] = ()

    def next_one(talk: TalkSoFar) -> str | None:
        own = (one for one in told if isinstance(one, Think) and one.why == "own")
        return next((one.speaker for one in own if one.speaker in talk.bots), None)

    def is_over(_talk: TalkSoFar) -> bool:
        return any(isinstance(one, Ended) and one.why == "rule" for one in told)

    order, stop = scenario.talk.order not in ORDERS, scenario.talk.stop
    rules = OwnRules(next_one if order else None, is_over if stop else None)
    machine, again = machine_for(scenario, rules), list[Transition]()
    for transition in recorded:
        told = transition.effects
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
    for number, (then, now) in enumerate(zip(recorded, again, strict=True)):
        effects = (json.loads(json.dumps(one.as_json()["wishes"])) for one in (then, now))
        for was, became in zip_longest(*effects):
            if was != became:
                yield f"moment {number} at {then.at_ms} ms: it asked for {was}, now for {became}"
                return
