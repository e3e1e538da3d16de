"""The metrics of a talk, as docs/experiments.md defines them.

A line that nobody heard counts as said. Shares are of all lines, persons' included. What is said
about what is judged by the words by which a line is found again.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from math import ceil, dist
from operator import attrgetter
from typing import Any

from bots.clock import MS_PER_S
from bots.experiments.log import SEEN_EVERY_MS
from bots.experiments.scenario import Task
from bots.experiments.timeline import Line, Timeline
from bots.talks.machine.events import Participant
from bots.talks.machine.participants import addressed as called_by_name
from bots.talks.machine.policy import REMEMBERED_LINES, grams
from bots.text.language import normal, tongue_of
from bots.text.language import questions as asks
from bots.text.search_words import asked_words
from bots.words import heard as words_heard

WITHIN_LINES = 3  # after a line, in which others answer it or take up its words


@dataclass(frozen=True, slots=True)
class LinesAnswered:
    """Of the lines that ask for an answer."""

    lines: int
    answered: int
    rate: float | None


def addressed(lines: Sequence[Line], roster: Sequence[Participant]) -> LinesAnswered:
    """Lines that name exactly one other participant who heard them. Answered: that one spoke within
    three lines, before the same speaker named another."""

    def is_answered(line: Line, following: Sequence[Line]) -> bool:
        named = addressee(line, roster)
        for later in following:
            if later.speaker == named:
                return True
            if later.speaker == line.speaker and addressee(later, roster) not in (None, named):
                return False
        return False

    return _answered(lines, lambda line: addressee(line, roster) in line.heard_by, is_answered)


def questions(lines: Sequence[Line], roster: Sequence[Participant]) -> LinesAnswered:
    """Lines with a question that somebody heard. Answered: within three lines, and before the same
    speaker asks anew, the one it names, or else any hearer, says more than questions."""

    def letters(*texts: str) -> int:
        return sum(one.isalnum() for text in texts for one in text)

    def is_answered(question: Line, following: Sequence[Line]) -> bool:
        named = addressee(question, roster)
        expected = {named} if named else {*question.heard_by}
        for line in following:
            if line.speaker == question.speaker and asks(line.text):
                return False
            if line.speaker in expected and letters(line.text) > letters(*asks(line.text)):
                return True
        return False

    return _answered(lines, lambda line: bool(line.heard_by and asks(line.text)), is_answered)


def _answered(
    lines: Sequence[Line],
    asks_for_one: Callable[[Line], bool],
    is_answered: Callable[[Line, Sequence[Line]], bool],
) -> LinesAnswered:
    asked = [place for place, line in enumerate(lines) if asks_for_one(line)]
    found = sum(is_answered(lines[at], lines[at + 1 :][:WITHIN_LINES]) for at in asked)
    return LinesAnswered(len(asked), found, _share(found, len(asked)))


def addressee(line: Line, roster: Sequence[Participant]) -> str | None:
    """The only other participant that the line names; None if it names none or several."""
    named = called_by_name(line.text, [who for who in roster if who.name != line.speaker])
    return named[0] if len(named) == 1 else None


@dataclass(frozen=True, slots=True)
class Answers:
    by: Mapping[str, int] = field(default_factory=dict)
    """By model, or by rules, cues, function or opening."""
    faults: Mapping[str, int] = field(default_factory=dict)


def answers_in(thoughts: Iterable[Mapping[str, Any]]) -> Answers:
    by, faults = Counter[str](), Counter[str]()
    for thought in thoughts:
        source = thought.get("source", "function")
        by[thought["model"] if source in ("model", "partial") else source] += 1
        if source in ("rules", "partial") and thought.get("why"):
            faults[thought["why"]] += 1
    return Answers(dict(by.most_common()), dict(faults.most_common()))


def counted(numbers: Mapping[str, int]) -> str:
    """As `claude-haiku-5-5 13, rules 2`."""
    return ", ".join(f"{name} {number}" for name, number in numbers.items())


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """What came of one task of one run, as its log tells."""

    task: int
    """Its number in the scenario, from 1."""
    who: str
    goal: str
    ask: str
    given_ms: int | None
    """When it was given, since the talk began; None: the talk ended before."""
    took_s: float | None
    """Seconds until its goal held; None: it was not done in time."""
    deaths: int
    said: str

    @property
    def done(self) -> bool:
        return self.took_s is not None


@dataclass(frozen=True, slots=True)
class TaskNumbers:
    """Of all tasks of a run; one that was never given is not done."""

    tasks: int
    done: int
    rate: float | None
    mean_s: float | None
    """Of those that were done; None for none."""
    deaths: int | None


def outcomes(
    tasks: Sequence[Task], written: Iterable[Mapping[str, Any]]
) -> tuple[TaskOutcome, ...]:
    """The outcome of each task, by the lines of a log."""
    known = {line["task"]: line for line in written}
    return tuple(
        TaskOutcome(**{name: known[number][name] for name in TaskOutcome.__slots__})
        if number in known
        else TaskOutcome(number, task.who, task.goal, task.ask, None, None, 0, "")
        for number, task in enumerate(tasks, 1)
    )


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
    name: str
    kind: str
    lines: int
    share: float
    characters: int
    heard: int
    missed: int
    latency_s: Spread
    repetition: float | None
    tokens: int
    cost_usd: float


@dataclass(frozen=True, slots=True)
class Metrics:
    ended: str
    seconds: float
    lines: int
    turns: int
    silent_turns: int
    persons_lines: int
    gini: float
    gini_bots: float
    latency_s: Spread
    thinking_s: Spread
    overlap: float
    thoughts_dropped: int
    answers_failed: int
    repetition: float | None
    """Mean over all lines: share of a line that one of the twelve before had, measured as for the
    cap on repetition."""
    repetition_most: float | None
    addressed: LinesAnswered
    questions: LinesAnswered
    languages: dict[str, int]
    topic_kept: float | None
    taken_up: dict[str, int]
    lead_share: float | None
    claims: Claims
    hearing_violations: int | None
    heard_share: float | None
    missed_why: dict[str, int]
    rules: dict[str, int]
    reasons: dict[str, int]
    answers: dict[str, int]
    faults: dict[str, int]
    tasks: TaskNumbers
    tokens: int
    cost_usd: float
    participants: tuple[Part, ...]
    after: dict[str, dict[str, int]]
    """Who spoke after whom: {first: {next: times}}."""

    @property
    def without_model(self) -> int:
        """Answers that a model owed."""
        return sum(self.faults.values())


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
    took_s = [one.took_s for one in tasks if one.took_s is not None]
    after: dict[str, Counter[str]] = {}
    for before, then in pairwise(lines):
        after.setdefault(before.speaker, Counter())[then.speaker] += 1
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
        thinking_s=spread(
            [(line.answered_ms - line.asked_ms) / MS_PER_S for line in lines if line.turn]
        ),
        overlap=_share(overlaps(timeline), len(lines)) or 0.0,
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
        claims=claims(lines, lambda words: next(iter(called_by_name(words, roster)), None)),
        hearing_violations=hearing_violations(lines, setting),
        heard_share=_share(heard, heard + missed.total()),
        missed_why=_counted(missed.elements()),
        rules=_counted(line.rule for line in lines if line.turn is not None),
        reasons=_counted(made.reason for _, made in timeline.decisions if made.reason),
        answers=dict(answers.by),
        faults=dict(answers.faults),
        tasks=TaskNumbers(
            tasks=len(tasks),
            done=len(took_s),
            rate=_share(len(took_s), len(tasks)),
            mean_s=mean(took_s),
            deaths=sum(one.deaths for one in tasks) if tasks else None,
        ),
        tokens=timeline.total_tokens,
        cost_usd=timeline.total_cost_usd,
        participants=parts,
        after={name: dict(next_ones) for name, next_ones in after.items()},
    )


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


def overlaps(timeline: Timeline) -> int:
    """How many lines began while somebody else's turn was under way."""
    begins, found = [turn.from_ms for turn in timeline.turns], 0
    for line in timeline.lines:
        begun = bisect_left(begins, line.at_ms)
        for turn in timeline.turns[max(0, begun - 1) : begun]:  # no other can be under way
            still = line.at_ms < turn.until_ms or (turn.dropped and line.at_ms == turn.until_ms)
            found += turn.speaker != line.speaker and still
    return found


def repetitions(texts: Sequence[str]) -> list[float]:
    """For each text, the share of it that one of the texts before has."""
    said, found = [grams(text) for text in texts], list[float]()
    for place, own in enumerate(said):
        before = frozenset[str]().union(*said[max(0, place - REMEMBERED_LINES) : place])
        found.append(_share(len(own & before), len(own)) or 0.0)
    return found


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
    if not ranked:
        return Spread(0, None, None, None, None)
    p50, p95 = (ranked[max(0, ceil(len(ranked) * share) - 1)] for share in (0.5, 0.95))
    return Spread(len(ranked), mean(ranked), p50, p95, ranked[-1])


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


ALIKE_LETTERS = 5
WALKED_BETWEEN = 6.0  # blocks: one record to the next, at a sprint


@cache
def words_of(text: str) -> frozenset[str]:
    """The words that carry meaning, by their beginnings: bridge and bridges are one."""
    return frozenset(word[:ALIKE_LETTERS] for word in asked_words(text))


def topic_kept(lines: Sequence[Line], topic: str) -> float | None:
    """The share of the lines after the first that have a word of the topic or of the first line;
    None where these have none."""
    about = words_of(topic).union(*(words_of(line.text) for line in lines[:1]))
    rest = lines[1:]
    if not about or not rest:
        return None
    return sum(not about.isdisjoint(words_of(line.text)) for line in rest) / len(rest)


def taken_up(lines: Sequence[Line]) -> dict[str, int]:
    """For each speaker, in how many lines others who heard it took up, within three lines, a word
    that this speaker brought in."""
    said, found = set[str](), Counter[str]()
    new: list[frozenset[str]] = []  # of each line, its words that no line before has
    for place, line in enumerate(lines):
        own = words_of(line.text)
        before = range(max(0, place - WITHIN_LINES), place)
        found.update(
            {
                lines[earlier].speaker
                for earlier in before
                if line.speaker in lines[earlier].heard_by and not own.isdisjoint(new[earlier])
            }
        )
        new.append(own - said)
        said |= own
    return dict(sorted(found.items()))


@dataclass(frozen=True, slots=True)
class Claims:
    """Lines such as “you told me of the bridge”. True: the speaker had heard that one say a word of
    it; where it has no word that carries meaning, had heard that one at all."""

    true: int
    false: int


def claims(lines: Sequence[Line], named: Callable[[str], str | None]) -> Claims:
    """`named` gives the participant of this name. “You” is whom the speaker heard last."""
    found = Counter[bool]()
    for place, line in enumerate(lines):
        match = words_heard.heard("talk.claims").search(normal(line.text))
        who = next(filter(None, match.groups()), "") if match else ""
        if not who:
            continue
        heard_of = [one for one in lines[:place] if line.speaker in one.heard_by]
        if words_heard.heard("talk.you").fullmatch(who):
            whose: str | None = heard_of[-1].speaker if heard_of else ""
        else:
            whose = named(who)
            if not whose or whose == line.speaker:
                continue
        told = [words_of(one.text) for one in heard_of if one.speaker == whose]
        about = words_of(line.text) - words_of(whose)
        said = frozenset[str]().union(*told)
        found[bool(told) and (not about or not about.isdisjoint(said))] += 1
    return Claims(found[True], found[False])


@dataclass(frozen=True, slots=True)
class Setting:
    topic: str
    hearing_range: float
    """Blocks."""
    stood: Sequence[Stood]


@dataclass(frozen=True, slots=True)
class Stood:
    at_ms: int
    places: Mapping[str, Sequence[Any]]
    """{name: x, y, z, dimension}."""


def hearing_violations(lines: Sequence[Line], setting: Setting) -> int | None:
    """How many (line, hearer) pairs were heard though the two stood too far apart, or in different
    dimensions, at every moment from which it was recorded while the line was said; 0 in a sound
    run, None where nothing was recorded. Who walks may be a second's walk from there."""
    if not setting.stood:
        return None
    at_ms, found = attrgetter("at_ms"), 0
    for line in lines:
        # The last record before the line, those while it was said, and the next.
        first = max(0, bisect_right(setting.stood, line.at_ms, key=at_ms) - 1)
        last = bisect_left(setting.stood, line.done_ms + SEEN_EVERY_MS, key=at_ms)
        seen = [one.places for one in setting.stood[first : max(first + 1, last)]]
        for hearer in line.heard_by:
            pairs = [(each.get(line.speaker), each.get(hearer)) for each in seen]
            known = [(mine, theirs) for mine, theirs in pairs if mine and theirs]
            walks = any(pair != known[0] for pair in known[1:])
            reach = setting.hearing_range + (2 * WALKED_BETWEEN if walks else 0)
            found += bool(known) and all(
                mine[3] != theirs[3] or dist(mine[:3], theirs[:3]) > reach for mine, theirs in known
            )
    return found
