"""The tables of a study: what a row of each holds, as types.

    runs          one row for each run: its condition, whether it is data, its numbers
    participants  one for each participant of a run
    lines         one for each line that was said
    turns         one for each turn of a bot
    decisions     one for each choice of the next speaker
    tasks         one for each task of a run

`columns.csv` of an export lists every column; it is made from the types here.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, make_dataclass
from inspect import isawaitable, signature
from operator import attrgetter
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    Protocol,
    TypeAlias,
    TypeVar,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from bots.clock import MS_PER_S
from bots.experiments.metrics import mean, repetitions
from bots.experiments.own_functions import FAULTS, OwnFunction, place_of, told
from bots.experiments.runs import Run
from bots.experiments.scenario import LogError, ScenarioError
from bots.talks.machine.events import Think

if TYPE_CHECKING:
    from pyarrow import Table

RunName: TypeAlias = Annotated[str, "its run"]
Names: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RunRow:
    run: Annotated[str, "name of its folder, with the one above where several are called so"]
    status: Annotated[str, "whole, failed or cut; only whole runs are data and have numbers"]
    cause: Annotated[str, "why it is no data"]
    excluded: Annotated[bool, "left out of the report, as declared or as a copy"] = False
    title: Annotated[str, "of the scenario"] = ""
    condition: Annotated[str, "name of its condition"] = ""
    changed: Annotated[str, "JSON: keys of the scenario that the condition changes"] = ""
    seed: Annotated[int | None, "seed"] = None
    world: Annotated[str, "simulated, embedded or HOST:PORT"] = ""
    scenario: Annotated[str, "SHA-256 of the scenario, without seed and title"] = ""
    code: Annotated[str, "SHA-256 of code of your own that takes part; empty: none"] = ""
    prompt: Annotated[str, "SHA-256 of the prompt"] = ""
    model: Annotated[str, "models that answered, as the API names them"] = ""
    model_settings: Annotated[str, "SHA-256 of what was asked of models, and where"] = ""
    version: Annotated[str, "of townsfolk and of Python"] = ""
    order: Annotated[str, "rounds, nominate or a function"] = ""
    ended: Annotated[str, "why the talk ended"] = ""
    seconds: Annotated[float | None, "its length"] = None
    lines: Annotated[int | None, "lines of all"] = None
    turns: Annotated[int | None, "lines of bots in their turn"] = None
    gini_bots: Annotated[float | None, "inequality of the bots' numbers of lines"] = None
    latency_p50_s: Annotated[float | None, "median seconds of waiting for a bot's line"] = None
    latency_p95_s: Annotated[float | None, "their 95th percentile"] = None
    overlap: Annotated[float | None, "share of lines that cut in"] = None
    repetition: Annotated[float | None, "mean part of a line that was said before"] = None
    addressed_rate: Annotated[float | None, "share of named hearers who answered"] = None
    questions_rate: Annotated[float | None, "share of questions that were answered"] = None
    heard_share: Annotated[float | None, "share of (line, listener) pairs that were heard"] = None
    thoughts_dropped: Annotated[int | None, "turns that were cut off"] = None
    answers_failed: Annotated[int | None, "turns that failed"] = None
    without_model: Annotated[int | None, "answers that a model owed"] = None
    tasks_done: Annotated[float | None, "share of the tasks that were done; none: no tasks"] = None
    tasks_s: Annotated[float | None, "mean seconds until they were"] = None
    tasks_deaths: Annotated[int | None, "deaths of bots at their tasks"] = None
    tokens: Annotated[int | None, "of all answers"] = None
    cost_usd: Annotated[float | None, "US dollars, of all answers"] = None
    charged_usd: Annotated[float | None, "US dollars, of the budget; none: no model"] = None


@dataclass(frozen=True, slots=True)
class ParticipantRow:
    run: RunName
    name: Annotated[str, "username"]
    kind: Annotated[str, "bot or person"]
    is_player: Annotated[bool, "a real player: personal data"]
    lines: Annotated[int, "lines said"]
    share: Annotated[float, "of all lines"]
    characters: Annotated[int, "of all its lines"]
    heard: Annotated[int, "lines of others that reached it"]
    missed: Annotated[int, "lines of others that did not"]
    latency_p50_s: Annotated[float | None, "median seconds of waiting for its line"]
    latency_p95_s: Annotated[float | None, "their 95th percentile"]
    repetition: Annotated[float | None, "mean part of its lines that was said before"]
    tokens: Annotated[int, "of its answers"]
    cost_usd: Annotated[float, "US dollars, of its answers"]


@dataclass(frozen=True, slots=True)
class LineRow:
    run: RunName
    line: Annotated[int, "number in the run, from 1"]
    turn: Annotated[int | None, "turn of a bot; none: said outside any"]
    speaker: Annotated[str, "username"]
    kind: Annotated[str, "of the speaker: bot or person"]
    of_player: Annotated[bool, "words of a real player: personal data"]
    at_ms: Annotated[int, "when it was begun, in milliseconds since the talk began"]
    asked_ms: Annotated[int | None, "when its turn began"]
    answered_ms: Annotated[int | None, "when the words were there"]
    done_ms: Annotated[int, "when it was delivered"]
    rule: Annotated[str, "why it was this speaker's turn"]
    reason: Annotated[str, "how the line before was read: tag, fuzzy, round_robin, random, none"]
    heard_by: Annotated[Names, "usernames"]
    missed_by: Annotated[Names, "username:reason"]
    repetition: Annotated[float, "part of it that was said before"]
    text: Annotated[str, "the words"]


@dataclass(frozen=True, slots=True)
class TurnRow:
    run: RunName
    turn: Annotated[int, "number in the run, from 1"]
    speaker: Annotated[str, "username of the bot"]
    rule: Annotated[str, "why it was its turn"]
    from_ms: Annotated[int, "when words were asked for"]
    until_ms: Annotated[int, "when it ended"]
    outcome: Annotated[str, "said, silent, dropped, failed or under way"]
    source: Annotated[str, "of the words: model, partial, rules, cues, function, human, opening"]
    model: Annotated[str, "that answered, as the API names it"]
    why: Annotated[str, "why a model gave no whole answer"]
    thinking_s: Annotated[float | None, "seconds until the words were there"]
    tokens: Annotated[int | None, "of the answer"]
    cost_usd: Annotated[float | None, "US dollars, of the answer"]
    text: Annotated[str, "the words as they were found, with their tag"]


@dataclass(frozen=True, slots=True)
class DecisionRow:
    run: RunName
    at_ms: Annotated[int, "when"]
    after: Annotated[str, "who spoke before; empty: nobody"]
    next: Annotated[str | None, "who was chosen; none: nobody"]
    rule: Annotated[str, "why"]
    reason: Annotated[str, "how the words before were read; empty: they were not"]
    nominated: Annotated[str, "the name in the words before, as written"]


@dataclass(frozen=True, slots=True)
class TaskRow:
    run: RunName
    task: Annotated[int, "number in the scenario, from 1"]
    who: Annotated[str, "username of the bot"]
    goal: Annotated[str, "what was to be so"]
    ask: Annotated[str, "the request in plain words; empty: !goal"]
    given_ms: Annotated[int | None, "when it was given; none: the talk ended before"]
    done: Annotated[bool, "whether the server showed it in time"]
    took_s: Annotated[float | None, "seconds until then"]
    deaths: Annotated[int, "of the bot meanwhile"]
    said: Annotated[str, "the bot's own words on it"]


AnyRow: TypeAlias = RunRow | ParticipantRow | LineRow | TurnRow | DecisionRow | TaskRow


@dataclass(frozen=True, slots=True)
class StudyData:
    """Lists of rows, for `pandas.DataFrame(data.lines)` or `polars.DataFrame(data.lines)`."""

    runs: list[RunRow] = field(default_factory=list)
    participants: list[ParticipantRow] = field(default_factory=list)
    lines: list[LineRow] = field(default_factory=list)
    turns: list[TurnRow] = field(default_factory=list)
    decisions: list[DecisionRow] = field(default_factory=list)
    tasks: list[TaskRow] = field(default_factory=list)

    kinds: dict[str, type[AnyRow]] = field(default_factory=lambda: dict(TABLES), repr=False)
    """Of each table the type of its rows: with columns of one's own it is a wider one."""

    def rows(self, table: str) -> Sequence[AnyRow]:
        found: Sequence[AnyRow] = getattr(self, table)
        return found

    def columns(self, table: str) -> dict[str, tuple[Any, str]]:
        """Of each column its type and its meaning."""
        return columns_of(self.kinds[table])

    def values(self, table: str) -> Iterator[tuple[object, ...]]:
        return map(attrgetter(*self.columns(table)), self.rows(table))

    def to_arrow(self, table: str) -> Table:
        """One of TABLES for Arrow, with types and meanings. Raises LogError without pyarrow."""
        try:
            import pyarrow as arrow
        except ImportError:
            raise LogError("Parquet needs pyarrow: pip install 'townsfolk[study]'") from None

        def type_of(kind: Any) -> Any:
            if get_origin(kind) is tuple:
                return arrow.list_(arrow.string())
            return getattr(arrow, OF_TYPES[_plain(kind)][1])()

        known = self.columns(table)
        schema = [
            arrow.field(name, type_of(kind), _may_be_missing(kind), {"meaning": meaning})
            for name, (kind, meaning) in known.items()
        ]
        rows = [dict(zip(known, one, strict=True)) for one in self.values(table)]
        made: Table = arrow.Table.from_pylist(rows, schema=arrow.schema(schema))
        return made


TABLES: Mapping[str, type[AnyRow]] = {
    "runs": RunRow,
    "participants": ParticipantRow,
    "lines": LineRow,
    "turns": TurnRow,
    "decisions": DecisionRow,
    "tasks": TaskRow,
}


def columns_of(kind: type[AnyRow]) -> dict[str, tuple[Any, str]]:
    """Of each column its type and its meaning."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: (get_args(hint)[0], hint.__metadata__[0]) for name, hint in hints.items()}


Row = TypeVar("Row", RunRow, TurnRow)


OF_TYPES = {
    str: ("text", "string"),
    int: ("integer", "int64"),
    float: ("number", "float64"),
    bool: ("true or false", "bool_"),
}
"""What a type is called for people, and by Arrow."""


def in_words(kind: Any) -> str:
    """A column's type for people: "integer or none"."""
    named = "list of text" if get_origin(kind) is tuple else OF_TYPES[_plain(kind)][0]
    return f"{named} or none" if _may_be_missing(kind) else named


def _plain(kind: Any) -> type:
    """Of `int | None` the int."""
    found: type = next(iter(set(get_args(kind)) - {type(None)}), kind)
    return found


def _may_be_missing(kind: Any) -> bool:
    return type(None) in get_args(kind)


def widened(kind: type[Row], own: Mapping[str, str]) -> type[Row]:
    """The same row with numbers of one's own: {column: meaning}."""
    columns = [
        (name, Annotated[float | None, meaning], field(default=None))
        for name, meaning in own.items()
    ]
    wider = make_dataclass(kind.__name__, columns, bases=(kind,), frozen=True, slots=True)
    return cast(type[Row], wider) if own else kind


def players_in(run: Run) -> frozenset[str]:
    """Names of the real players, also of such as the scenario does not name."""
    scripted = {one.name for one in run.scenario.players if not one.is_live}
    spoke = {line.speaker for line in run.timeline.lines}
    return frozenset({*run.scenario.names, *spoke} - scripted)


def participants_of(run: Run, name: str) -> Iterator[ParticipantRow]:
    players = players_in(run)
    for one in run.metrics.participants:
        own = asdict(one)
        latency_s = own.pop("latency_s")
        yield ParticipantRow(
            run=name,
            is_player=one.name in players,
            latency_p50_s=latency_s["p50"],
            latency_p95_s=latency_s["p95"],
            **own,
        )


def lines_of(run: Run, name: str) -> Iterator[LineRow]:
    players, kinds = players_in(run), {one.name: one.kind for one in run.metrics.participants}
    again = repetitions([line.text for line in run.timeline.lines])
    for number, (line, share) in enumerate(zip(run.timeline.lines, again, strict=True), 1):
        yield LineRow(
            run=name,
            line=number,
            turn=line.turn,
            speaker=line.speaker,
            kind=kinds.get(line.speaker, "person"),
            of_player=line.speaker in players,
            at_ms=line.at_ms,
            asked_ms=None if line.turn is None else line.asked_ms,
            answered_ms=None if line.turn is None else line.answered_ms,
            done_ms=line.done_ms,
            rule=line.rule,
            reason=line.reason,
            heard_by=tuple(line.heard_by),
            missed_by=tuple(f"{who}:{why}" for who, why in sorted(line.missed_by.items())),
            repetition=round(share, 4),
            text=line.text,
        )


def turns_of(run: Run, name: str) -> Iterator[TurnRow]:
    effects = (effect for step in run.log.transitions for effect in step.effects)
    asked = [effect for effect in effects if isinstance(effect, Think)]
    thoughts = {thought["turn"]: thought for thought in run.log.of_kind("thought")}
    for think, turn in zip(asked, run.timeline.turns, strict=True):
        thought = thoughts.get(think.turn, {})
        took_ms = thought.get("took_ms")
        yield TurnRow(
            run=name,
            turn=think.turn,
            speaker=turn.speaker,
            rule=think.why,
            from_ms=turn.from_ms,
            until_ms=turn.until_ms,
            outcome=turn.outcome,
            source=str(thought.get("source") or ("function" if thought else "")),
            model=str(thought.get("model_named") or thought.get("model") or ""),
            why=str(thought.get("why") or ""),
            thinking_s=None if took_ms is None else took_ms / MS_PER_S,
            tokens=thought.get("tokens"),
            cost_usd=thought.get("cost_usd"),
            text=str(thought.get("text") or ""),
        )


# --- numbers of the user's own -----------------------------------------------------------

# A function whose arguments tell how often it is asked: (run) once a talk, (run, turn) for each
# turn, of which a talk has the mean, (study) once, of all tables.

Scope = Literal["talk", "turn", "study"]


class Measure(Protocol):
    """A number of each talk, besides those of `metrics`."""

    @property
    def name(self) -> str: ...

    @property
    def meaning(self) -> str: ...

    def of(self, run: Run) -> float | None:
        """None: it has none to say. Raises LogError."""


@dataclass(frozen=True, slots=True)
class OwnMetric:
    own: OwnFunction
    function: Callable[..., Any]
    scope: Scope

    @property
    def named(self) -> str:
        return self.own.named

    @property
    def name(self) -> str:
        return self.named.rpartition(":")[2]

    @property
    def meaning(self) -> str:
        return f"your own: {self.named}"

    def of(self, run: Run) -> float | None:
        """Of a talk; of its turns their mean. Raises LogError where the function fails."""
        if self.scope == "turn":
            return mean([value for value in self.by_turn(run) if value is not None])
        return self._found([(run,)], f"of {run.folder}")[0]

    def by_turn(self, run: Run) -> list[float | None]:
        return self._found([(run, turn) for turn in turns_of(run, run.label)], f"of {run.folder}")

    def of_study(self, study: StudyData) -> float | None:
        return self._found([(study,)], "of the study")[0]

    def _found(self, calls: Sequence[tuple[Any, ...]], whose: str) -> list[float | None]:
        try:
            found = [_in_time(self.function(*each)) for each in calls]
        except FAULTS as fault:
            why = told(fault, self.function)
            raise LogError(f"metric {self.name} {whose}: {why}") from fault
        for value in found:
            if value is not None and not (isinstance(value, int | float) and math.isfinite(value)):
                place = place_of(self.function)
                raise LogError(f"metric {self.name} {whose}: {place}{value!r} is no number")
        return [None if value is None else float(value) for value in found]


def _in_time(found: Any) -> Any:
    """What was returned; of an async function once it is awaited."""
    if not isawaitable(found):
        return found

    async def awaited() -> Any:
        return await found

    # A thread of its own: a notebook has a loop that runs already.
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, awaited()).result()


def own_metrics(
    named: Iterable[str], taken: Collection[str], where: str = "--metric", folder: Path = Path()
) -> list[OwnMetric]:
    """Those that are named as `FILE.py:NAME` or as an entry point. Raises ScenarioError: no such
    function, or a name that is taken."""
    found: list[OwnMetric] = []
    for each in named:
        own, name = OwnFunction(f"{where} {each}", each, "metrics", folder), each.rpartition(":")[2]
        if name in {*taken, *columns_of(TurnRow), *(other.name for other in found)}:
            raise ScenarioError(f"{own.where}: there is a metric {name} already")
        if not name.isidentifier():
            raise ScenarioError(f"{own.where}: {name!r} cannot be the name of a column")
        function = own.load()
        found.append(OwnMetric(own, function, _scope_of(function, own.where)))
    return found


def _scope_of(function: Callable[..., Any], where: str) -> Scope:
    try:
        takes = [one for one in signature(function).parameters.values() if one.default is one.empty]
    except (TypeError, ValueError) as fault:
        raise ScenarioError(f"{where}: {fault}") from fault
    if len(takes) not in (1, 2):
        listed, ways = ", ".join(map(str, takes)), "(run), (run, turn) or (study)"
        raise ScenarioError(f"{where}: {place_of(function)}takes ({listed}); write {ways}")
    return "turn" if len(takes) == 2 else "study" if takes[0].name == "study" else "talk"


def scoped(own: Iterable[OwnMetric], *scopes: Scope) -> list[OwnMetric]:
    return [one for one in own if one.scope in scopes]
