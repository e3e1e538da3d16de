"""The metrics of a talk, as docs/experiments.md defines them.

A line that nobody heard counts as said. Shares are of all lines, persons' included.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import pairwise
from math import ceil
from typing import Any

from bots.clock import MS_PER_S
from bots.experiments.content import (
    Claims,
    Setting,
    claims,
    hearing_violations,
    taken_up,
    topic_kept,
)
from bots.experiments.task_numbers import TaskNumbers, TaskOutcome, numbers_of
from bots.experiments.timeline import Line, Timeline, Turn
from bots.talks.machine.events import Participant
from bots.talks.machine.participants import addressed as called_by_name
from bots.talks.machine.policy import REMEMBERED_LINES, grams
from bots.text.language import questions as asks
from bots.text.language import tongue_of

WITHIN_LINES = 3  # after the line that names somebody


@dataclass(frozen=True, slots=True)
class Addressed:
    """Lines that name exactly one other participant who heard them. Answered: that one spoke within
    three lines, before the same speaker named another."""

    lines: int
    answered: int
    rate: float | None
    """None if nobody was named."""


def addressed(lines: Sequence[Line], roster: Sequence[Participant]) -> Addressed:
    asked = answered = 0
    for place, line in enumerate(lines):
        named = addressee(line, roster)
        if named is None or named not in line.heard_by:
            continue
        asked += 1
        answered += _answers(named, line.speaker, lines[place + 1 :][:WITHIN_LINES], roster)
    return Addressed(asked, answered, answered / asked if asked else None)


@dataclass(frozen=True, slots=True)
class Questions:
    """Lines with a question that somebody heard. Answered: within three lines, and before the same
    speaker asks anew, the one it names, or else any hearer, says more than questions."""

    lines: int
    answered: int
    rate: float | None
    """None if nobody asked."""


def questions(lines: Sequence[Line], roster: Sequence[Participant]) -> Questions:
    asked = [place for place, line in enumerate(lines) if line.heard_by and asks(line.text)]
    answered = sum(
        _is_answered(lines[place], lines[place + 1 :][:WITHIN_LINES], roster) for place in asked
    )
    return Questions(len(asked), answered, _share(answered, len(asked)))


def _is_answered(question: Line, following: Sequence[Line], roster: Sequence[Participant]) -> bool:
    named = addressee(question, roster)
    expected = {named} if named else {*question.heard_by}
    for line in following:
        if line.speaker == question.speaker and asks(line.text):
            return False
        if line.speaker in expected and _letters(line.text) > _letters(*asks(line.text)):
            return True
    return False


def _letters(*texts: str) -> int:
    return sum(one.isalnum() for text in texts for one in text)


def addressee(line: Line, roster: Sequence[Participant]) -> str | None:
    """The only other participant that the line names; None if it names none or several."""
    others = [who for who in roster if who.name != line.speaker]
    named = called_by_name(line.text, others)
    return named[0] if len(named) == 1 else None


def _answers(
    named: str, speaker: str, following: Sequence[Line], roster: Sequence[Participant]
) -> bool:
    for line in following:
        if line.speaker == named:
            return True
        if line.speaker == speaker and addressee(line, roster) not in (None, named):
            return False
    return False


_BY_MODEL = ("model", "partial")
_INSTEAD = ("rules", "partial")


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers of one talk, counted."""

    by: Mapping[str, int] = field(default_factory=dict)
    """By model, or by rules, cues, function or opening."""
    faults: Mapping[str, int] = field(default_factory=dict)
    """Why a model gave no answer, or only the beginning of one."""

    def __str__(self) -> str:
        return counted(self.by)


def answers_in(thoughts: Iterable[Mapping[str, Any]]) -> Answers:
    """The answers in these lines of a log."""
    by: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    for thought in thoughts:
        source = thought.get("source", "function")
        by[thought["model"] if source in _BY_MODEL else source] += 1
        if source in _INSTEAD and thought.get("why"):
            faults[thought["why"]] += 1
    return Answers(dict(by.most_common()), dict(faults.most_common()))


def counted(numbers: Mapping[str, int]) -> str:
    """As `claude-haiku-5-5 13, rules 2`."""
    return ", ".join(f"{name} {number}" for name, number in numbers.items())


@dataclass(frozen=True, slots=True)
class Spread:
    """Statistics of durations in seconds; None if there were none."""

    count: int
    mean: float | None
    p50: float | None
    p95: float | None
    most: float | None


@dataclass(frozen=True, slots=True)
class Part:
    """One participant's numbers."""

    name: str
    kind: str
    lines: int
    share: float
    """Of all lines."""
    characters: int
    heard: int
    """Lines of others that reached them."""
    missed: int
    """Lines of others, said to them, that did not."""
    latency_s: Spread
    repetition: float | None
    """Mean over their lines."""
    tokens: int
    cost_usd: float


@dataclass(frozen=True, slots=True)
class Metrics:
    """The numbers of one talk."""

    ended: str
    seconds: float
    lines: int
    turns: int
    """Lines that bots said in their turn."""
    silent_turns: int
    """Turns in which a bot said nothing."""
    persons_lines: int
    gini: float
    """Of the number of lines over all participants; 0 = equal, near 1 = only one speaks."""
    gini_bots: float
    latency_s: Spread
    """From the end of the previous line to the beginning of a bot's line in its turn."""
    thinking_s: Spread
    overlap: float
    """Share of lines that began while somebody else's turn was under way."""
    thoughts_dropped: int
    answers_failed: int
    repetition: float | None
    """Mean over all lines: share of a line that one of the twelve before had, measured as for the
    cap on repetition."""
    repetition_most: float | None
    addressed: Addressed
    questions: Questions
    languages: dict[str, int]
    """Of the lines, by their signs: {ISO code: lines}."""
    topic_kept: float | None
    """Share of the lines with a word of the topic or of the opening."""
    taken_up: dict[str, int]
    """Who leads: in how many lines others took up a word that this one brought in."""
    lead_share: float | None
    """That of the one who leads most, of all in `taken_up`."""
    claims: Claims
    """Lines that say what somebody told the speaker."""
    hearing_violations: int | None
    """Lines that somebody heard from too far away."""
    heard_share: float | None
    """Of all (line, listener) pairs."""
    missed_why: dict[str, int]
    rules: dict[str, int]
    """Why speakers were chosen."""
    reasons: dict[str, int]
    """How nominations were read."""
    answers: dict[str, int]
    """Who found the bots' words: each model, rules, cues, function, opening."""
    faults: dict[str, int]
    """Why a model gave no answer, or only the beginning of one."""
    tasks: TaskNumbers
    tokens: int
    cost_usd: float
    participants: tuple[Part, ...]
    after: dict[str, dict[str, int]]
    """Who spoke after whom: {first: {next: times}}."""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def measure(
    timeline: Timeline,
    roster: Sequence[Participant],
    answers: Answers,
    setting: Setting,
    tasks: Sequence[TaskOutcome] = (),
) -> Metrics:
    lines, again = timeline.lines, repetitions([line.text for line in timeline.lines])
    parts = tuple(_part(who, timeline, again) for who in roster)
    heard = sum(len(line.heard_by) for line in lines)
    leads = taken_up(lines)
    missed = Counter(why for line in lines for why in line.missed_by.values())
    return Metrics(
        ended=timeline.ended,
        seconds=timeline.ended_ms / MS_PER_S,
        lines=len(lines),
        turns=sum(line.turn is not None for line in lines),
        silent_turns=len(timeline.turns_that("silent")),
        persons_lines=sum(part.lines for part in parts if part.kind == "person"),
        gini=gini([part.lines for part in parts]),
        gini_bots=gini([part.lines for part in parts if part.kind == "bot"]),
        latency_s=spread(latencies(lines)),
        thinking_s=spread(thinking_times(lines)),
        overlap=_share(sum(overlaps(timeline)), len(lines)) or 0.0,
        thoughts_dropped=len(timeline.turns_that("dropped")),
        answers_failed=len(timeline.turns_that("failed")),
        repetition=mean(again),
        repetition_most=max(again, default=None),
        addressed=addressed(lines, roster),
        questions=questions(lines, roster),
        languages=_counted(tongue_of(line.text) for line in lines),
        topic_kept=topic_kept(lines, setting.topic),
        taken_up=leads,
        lead_share=_share(max(leads.values(), default=0), sum(leads.values())),
        claims=claims(lines, partial(_named, roster)),
        hearing_violations=hearing_violations(lines, setting),
        heard_share=_share(heard, heard + missed.total()),
        missed_why=dict(sorted(missed.items())),
        rules=_counted(line.rule for line in lines if line.turn is not None),
        reasons=_counted(made.reason for _, made in timeline.decisions if made.reason),
        answers=dict(answers.by),
        faults=dict(answers.faults),
        tasks=numbers_of(tasks),
        tokens=timeline.total_tokens,
        cost_usd=timeline.total_cost_usd,
        participants=parts,
        after=_after(lines),
    )


def _named(roster: Sequence[Participant], words: str) -> str | None:
    return next(iter(called_by_name(words, roster)), None)


def latencies(lines: Sequence[Line], speaker: str | None = None) -> list[float]:
    """Seconds of waiting for each line of one bot, or of all bots, in its turn."""
    waits = latencies_by_line(lines)
    return [wait_s for _, name, wait_s in waits if speaker in (None, name)]


def latencies_by_line(lines: Sequence[Line]) -> list[tuple[int, str, float]]:
    """(milliseconds of its beginning, speaker, seconds since the previous line ended) for each line
    of a bot in its turn, without the very first line."""
    return [
        (after.at_ms, after.speaker, max(0, after.at_ms - before.done_ms) / MS_PER_S)
        for before, after in pairwise(lines)
        if after.turn is not None
    ]


def thinking_times(lines: Sequence[Line]) -> list[float]:
    """Seconds of thinking behind each line of a bot in its turn."""
    return [(line.answered_ms - line.asked_ms) / MS_PER_S for line in lines if line.turn]


def overlaps(timeline: Timeline) -> list[bool]:
    """For each line, whether it began while somebody else's turn was under way."""
    begins = [turn.from_ms for turn in timeline.turns]
    return [
        _cuts_in(line, timeline.turns, bisect_left(begins, line.at_ms)) for line in timeline.lines
    ]


def _cuts_in(line: Line, turns: Sequence[Turn], begun_before: int) -> bool:
    """Turns do not overlap, so only the last one that began can be under way."""
    if not begun_before:
        return False
    turn = turns[begun_before - 1]
    still = line.at_ms < turn.until_ms or (turn.dropped and line.at_ms == turn.until_ms)
    return turn.speaker != line.speaker and still


def repetitions(texts: Sequence[str]) -> list[float]:
    """For each text, the share of it that one of the texts before has."""
    said = [grams(text) for text in texts]
    return [_again(said, place) for place in range(len(said))]


def _again(said: Sequence[frozenset[str]], place: int) -> float:
    before = frozenset[str]().union(*said[max(0, place - REMEMBERED_LINES) : place])
    return _share(len(said[place] & before), len(said[place])) or 0.0


def gini(counts: Sequence[int]) -> float:
    """The Gini coefficient of some counts, 0 to 1; 0 if all are 0."""
    total, n = sum(counts), len(counts)
    if not total:
        return 0.0
    weighted = sum((2 * rank - n - 1) * count for rank, count in enumerate(sorted(counts), 1))
    return weighted / (n * total)


def mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def spread(values: Sequence[float]) -> Spread:
    """Nearest-rank percentiles."""
    ranked = sorted(values)
    return Spread(
        len(ranked),
        mean(ranked),
        _at(ranked, 0.5),
        _at(ranked, 0.95),
        ranked[-1] if ranked else None,
    )


def _at(ranked: Sequence[float], share: float) -> float | None:
    return ranked[max(0, ceil(len(ranked) * share) - 1)] if ranked else None


def _part(who: Participant, timeline: Timeline, again: Sequence[float]) -> Part:
    own = [line for line in timeline.lines if line.speaker == who.name]
    others = [line for line in timeline.lines if who.name in line.hearing]
    heard = sum(line.hearing[who.name] is None for line in others)
    repeated = [
        share for line, share in zip(timeline.lines, again, strict=True) if line.speaker == who.name
    ]
    return Part(
        name=who.name,
        kind=who.kind,
        lines=len(own),
        share=_share(len(own), len(timeline.lines)) or 0.0,
        characters=sum(len(line.text) for line in own),
        heard=heard,
        missed=len(others) - heard,
        latency_s=spread(latencies(timeline.lines, who.name)),
        repetition=mean(repeated),
        tokens=timeline.tokens.get(who.name, 0),
        cost_usd=timeline.cost_usd.get(who.name, 0.0),
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _counted(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))


def _after(lines: Sequence[Line]) -> dict[str, dict[str, int]]:
    table: dict[str, dict[str, int]] = {}
    for before, after in pairwise(lines):
        row = table.setdefault(before.speaker, {})
        row[after.speaker] = row.get(after.speaker, 0) + 1
    return table
