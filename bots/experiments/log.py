"""The append-only log of one experiment: JSON lines, each with number, time and kind.

    run        first: scenario, seed, participants, order policy, what it is played with
    check      the result of asking one model before the first turn
    moment     a transition of the talk: the event it took and the effects it asked for
    thought    a bot's words for a turn: source, prompt, tokens, cost, seconds
    task       what came of a task
    positions  where everybody stands, whenever that changed
    end        last: why it ended, whether it is data, what models cost, number of lines, digest of
               all lines before

docs/experiments.md describes every field.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, get_args

from pydantic import TypeAdapter

from bots.experiments.scenario import CutOff, LogError
from bots.private_files import for_owner_alone
from bots.talks.live.runner import Answer
from bots.talks.machine.events import KIND, Ended, TalkEffect, TalkEvent, Think, as_json, event_of
from bots.text.reading import read_bytes
from bridge.foreign_json import NotJson, read_json
from llm.engine.engine import Check

SCHEMA = 2
READABLE = (1, SCHEMA)
"""Logs of schema 1 do not tell what was played with, nor whether it is data."""

CUT_OFF = "the experiment was cut off"
_EFFECTS = {kind.__name__: TypeAdapter[Any](kind) for kind in get_args(TalkEffect)}
SEEN_EVERY_MS = 1_000
"""How often positions are recorded while somebody walks."""


@dataclass(frozen=True, slots=True)
class Transition:
    """One step of the talk: the event it took (None: its start) and the effects it asked for."""

    at_ms: int
    event: TalkEvent | None
    effects: tuple[TalkEffect, ...]

    def as_json(self) -> dict[str, Any]:
        return {
            "happening": None if self.event is None else as_json(self.event),
            "wishes": [as_json(effect) for effect in self.effects],
        }


class LogWriter:
    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._digest = hashlib.sha256()
        self._lines = 0

    @classmethod
    def create(cls, file: Path) -> LogWriter:
        """Create the file. Raises LogError if it exists: no run is overwritten."""
        try:
            return cls(open(file, "xb", opener=for_owner_alone))
        except FileExistsError:
            raise LogError(f"{file.parent} holds an experiment; name another folder") from None
        except OSError as error:
            raise LogError(f"cannot write {file}: {error.strerror}") from error

    def __enter__(self) -> LogWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self._out.close()

    def write(self, at_ms: int, kind: str, facts: Mapping[str, Any]) -> None:
        text = _ENCODER.encode({"n": self._lines, "at_ms": at_ms, "kind": kind, **facts})
        line = f"{text}\n".encode()
        self._digest.update(line)
        self._out.write(line)
        self._lines += 1

    def end(self, at_ms: int, facts: Mapping[str, Any]) -> None:
        """Write the last line, with the digest of all before it."""
        seal = {"lines": self._lines, "sha256": self._digest.hexdigest()}
        self.write(at_ms, "end", {**facts, **seal})
        self._out.flush()


@dataclass(frozen=True, slots=True)
class Log:
    file: Path
    lines: tuple[dict[str, Any], ...]
    broken_seal: str = ""
    """Why the log differs from what the run wrote; '' if it does not."""

    @property
    def is_cut(self) -> bool:
        return bool(self.lines[-1]["kind"] != "end")

    @property
    def run(self) -> dict[str, Any]:
        """The first line."""
        return self.lines[0]

    def of_kind(self, kind: str) -> Iterator[dict[str, Any]]:
        return (line for line in self.lines if line["kind"] == kind)

    @property
    def transitions(self) -> list[Transition]:
        """Raises LogError for a malformed one."""
        return [transition_of(line) for line in self.of_kind("moment")]


def read_log(file: Path) -> Log:
    """Read a log. Raises LogError if it is not one, CutOff if it has not even a first line; the
    result tells of a broken seal. A last line that was cut is left out."""
    texts = _lines(file)
    lines = tuple(_parsed(file, number, text) for number, text in enumerate(texts))
    if not lines:
        raise CutOff(f"{file}: is empty: {CUT_OFF}")
    return Log(file, lines, _broken_seal(lines, texts))


class Glance(NamedTuple):
    """The first and the last line of a log; None where it was cut before."""

    header: dict[str, Any] | None
    end: dict[str, Any] | None


def glance(file: Path) -> Glance:
    """Whether a log is whole, without reading all of it. Raises LogError for one that was changed,
    and for what is none."""
    texts = _lines(file)
    if not texts:
        return Glance(None, None)
    header, last = _parsed(file, 0, texts[0]), _parsed(file, len(texts) - 1, texts[-1])
    if last["kind"] != "end":
        return Glance(header, None)
    if broken := _broken_seal([last], texts):
        raise LogError(f"{file}: {broken}")
    return Glance(header, last)


def transition_of(line: Mapping[str, Any]) -> Transition:
    """The transition in a log line. Raises LogError if it is malformed."""
    try:
        taken = line["happening"]
        return Transition(
            int(line["at_ms"]),
            None if taken is None else event_of(taken),
            tuple(_effect(effect) for effect in line["wishes"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise LogError(f"line {line.get('n')}: not a moment of a talk: {error}") from error


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def _lines(file: Path) -> list[bytes]:
    """The whole lines."""
    try:
        texts = read_bytes(file).splitlines(keepends=True)
        return [text for text in texts if text.endswith(b"\n")]
    except OSError as error:
        raise LogError(f"cannot read {file}: {error.strerror}") from error


def _parsed(file: Path, number: int, text: bytes) -> dict[str, Any]:
    try:
        line = read_json(text)
    except NotJson as error:
        raise LogError(f"{file}:{number + 1}: not JSON: {error}") from error
    if not isinstance(line, dict) or line.get("n") != number or {"at_ms", "kind"} - line.keys():
        raise LogError(f"{file}:{number + 1}: not line {number} of an experiment's log")
    if number == 0 and (line["kind"] != "run" or line.get("schema") not in READABLE):
        raise LogError(f"{file}:1: not the beginning of a log of schema {SCHEMA}")
    return line


def _broken_seal(lines: Sequence[Mapping[str, Any]], texts: Sequence[bytes]) -> str:
    last = lines[-1]
    if last["kind"] != "end":
        return f"it has no end: {CUT_OFF}"
    digest = hashlib.sha256(b"".join(texts[:-1])).hexdigest()
    sealed = (last.get("lines"), last.get("sha256")) == (len(texts) - 1, digest)
    return "" if sealed else "it was changed after the experiment: its digest does not fit"


def _effect(said: Mapping[str, Any]) -> TalkEffect:
    values = dict(said)
    effect: TalkEffect = _EFFECTS[values.pop(KIND)].validate_python(values)
    return effect


Watch = Callable[[Transition], None]
"""Is called with every transition after it was recorded."""


class LogRecorder:
    def __init__(self, log: LogWriter, watch: Watch) -> None:
        self._log, self._watch = log, watch
        self._positions: Mapping[str, Any] = {}
        self.transitions: list[Transition] = []
        self.thoughts: list[dict[str, Any]] = []
        self.ended, self._at_ms = "", 0
        self._end: Mapping[str, Any] = {}

    def transition(self, transition: Transition) -> None:
        self.transitions.append(transition)
        self._at_ms = transition.at_ms
        self._log.write(transition.at_ms, "moment", transition.as_json())
        for effect in transition.effects:
            if isinstance(effect, Ended):
                self.ended = effect.why
        self._watch(transition)

    def answer(self, at_ms: int, effect: Think, answer: Answer, took_ms: int) -> None:
        thought = {
            "turn": effect.turn,
            "speaker": effect.speaker,
            "took_ms": took_ms,
            "text": answer.text,
            "nominates": answer.nominates,
            "tokens": answer.tokens,
            "cost_usd": answer.cost_usd,
            **answer.facts,
        }
        self.thoughts.append(thought)
        self._log.write(at_ms, "thought", thought)

    def checked(self, checks: Iterable[Check]) -> None:
        """Record the results of asking the models before the first turn."""
        for check in checks:
            self._log.write(0, "check", asdict(check))

    def task(self, at_ms: int, outcome: Mapping[str, Any]) -> None:
        self._log.write(at_ms, "task", outcome)

    def positions(self, at_ms: int, positions: Mapping[str, Any]) -> None:
        """Record positions, if somebody moved."""
        if positions != self._positions:
            self._positions = dict(positions)
            self._log.write(at_ms, "positions", {"positions": self._positions})

    def end(self, events_left: int, charged_usd: float | None) -> None:
        """What the last line will say; `events_left` scenario events never became due.
        `charged_usd` is what all calls of models cost; None: none was to be asked."""
        charged = {} if charged_usd is None else {"charged_usd": charged_usd}
        self._end = {"ended": self.ended, "events_left": events_left, **charged}

    def seal(self, status: Mapping[str, Any]) -> None:
        """Write the last line: from now on the run is whole."""
        self._log.end(self._at_ms, {**self._end, **status})
