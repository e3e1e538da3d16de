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
    """None if there were none."""


def addressed(lines: Sequence[Line], roster: Sequence[Participant]) -> LinesAnswered:
    """Lines that name exactly one other participant who heard them. Answered: that one spoke within
    three lines, before the same speaker named another."""
    asked = answered = 0
    for place, line in enumerate(lines):
        named = addressee(line, roster)
        if named is None or named not in line.heard_by:
            continue
        asked += 1
        answered += _answers(named, line.speaker, lines[place + 1 :][:WITHIN_LINES], roster)
    return LinesAnswered(asked, answered, _share(answered, asked))


def questions(lines: Sequence[Line], roster: Sequence[Participant]) -> LinesAnswered:
    """Lines with a question that somebody heard. Answered: within three lines, and before the same
    speaker asks anew, the one it names, or else any hearer, says more than questions."""
    asked = [place for place, line in enumerate(lines) if line.heard_by and asks(line.text)]
    answered = sum(
        _is_answered(lines[place], lines[place + 1 :][:WITHIN_LINES], roster) for place in asked
    )
    return LinesAnswered(len(asked), answered, _share(answered, len(asked)))


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
    """Of the bot meanwhile."""
    said: str
    """The bot's own words on it."""

    @property
    def done(self) -> bool:
        return self.took_s is not None


@dataclass(frozen=True, slots=True)
class TaskNumbers:
    """Of all tasks of a run; one that was never given is not done."""

    tasks: int
    done: int
    rate: float | None
    """None without tasks."""
    mean_s: float | None
    """Of those that were done; None for none."""
    deaths: int | None
    """None without tasks."""


def outcomes(
    tasks: Sequence[Task], written: Iterable[Mapping[str, Any]]
) -> tuple[TaskOutcome, ...]:
    """The outcome of each task, by the lines of a log."""
    known = {line["task"]: line for line in written}
    fields = TaskOutcome.__slots__
    return tuple(
        TaskOutcome(**{name: known[number][name] for name in fields})
        if number in known
        else TaskOutcome(number, task.who, task.goal, task.ask, None, None, 0, "")
        for number, task in enumerate(tasks, 1)
    )


def numbers_of(found: Sequence[TaskOutcome]) -> TaskNumbers:
    took = [one.took_s for one in found if one.took_s is not None]
    return TaskNumbers(
        tasks=len(found),
        done=len(took),
        rate=_share(len(took), len(found)),
        mean_s=mean(took),
        deaths=sum(one.deaths for one in found) if found else None,
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
    """Behind each line of a bot in its turn."""
    overlap: float
    """Share of lines that began while somebody else's turn was under way."""
    thoughts_dropped: int
    answers_failed: int
    repetition: float | None
    """Mean over all lines: share of a line that one of the twelve before had, measured as for the
    cap on repetition."""
    repetition_most: float | None
    addressed: LinesAnswered
    questions: LinesAnswered
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
        thinking_s=spread(
            [(line.answered_ms - line.asked_ms) / MS_PER_S for line in lines if line.turn]
        ),
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
        claims=claims(lines, lambda words: next(iter(called_by_name(words, roster)), None)),
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


def overlaps(timeline: Timeline) -> list[bool]:
    """For each line, whether it began while somebody else's turn was under way."""
    begins, found = [turn.from_ms for turn in timeline.turns], list[bool]()
    for line in timeline.lines:
        begun = bisect_left(begins, line.at_ms)
        if not begun:
            found.append(False)
            continue
        turn = timeline.turns[begun - 1]  # they do not overlap: no other can be under way
        still = line.at_ms < turn.until_ms or (turn.dropped and line.at_ms == turn.until_ms)
        found.append(turn.speaker != line.speaker and still)
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
        for whose in _claimed(line, lines[:place], named):
            heard_of = (one for one in lines[:place] if line.speaker in one.heard_by)
            told = [words_of(one.text) for one in heard_of if one.speaker == whose]
            about, said = words_of(line.text) - words_of(whose), frozenset[str]().union(*told)
            found[bool(told) and (not about or not about.isdisjoint(said))] += 1
    return Claims(found[True], found[False])


def _claimed(
    line: Line, before: Sequence[Line], named: Callable[[str], str | None]
) -> Iterable[str]:
    """Who is said to have told the speaker something."""
    match = words_heard.heard("talk.claims").search(normal(line.text))
    if match is None or not (who := next(filter(None, match.groups()), "")):
        return []
    if words_heard.heard("talk.you").fullmatch(who):
        others = (one.speaker for one in reversed(before) if line.speaker in one.heard_by)
        return [next(others, "")]
    one = named(who)
    return [one] if one and one != line.speaker else []


@dataclass(frozen=True, slots=True)
class Setting:
    """What the numbers of a talk need to know of its world."""

    topic: str
    hearing_range: float
    """Blocks."""
    stood: Sequence[Stood]


@dataclass(frozen=True, slots=True)
class Stood:
    """Where everybody stood from a moment on."""

    at_ms: int
    places: Mapping[str, Sequence[Any]]
    """{name: x, y, z, dimension}."""


def hearing_violations(lines: Sequence[Line], setting: Setting) -> int | None:
    """How many (line, hearer) pairs were heard though the two stood too far apart, or in different
    dimensions, at every moment from which it was recorded while the line was said; 0 in a sound
    run, None where nothing was recorded. Who walks may be a second's walk from there."""
    if not setting.stood:
        return None
    return sum(
        _was_away(line.speaker, name, _while_said(line, setting.stood), setting.hearing_range)
        for line in lines
        for name in line.heard_by
    )


def _while_said(line: Line, stood: Sequence[Stood]) -> Sequence[Stood]:
    """The last record before the line, those while it was said, and the next."""
    first = max(0, bisect_right(stood, line.at_ms, key=attrgetter("at_ms")) - 1)
    last = bisect_left(stood, line.done_ms + SEEN_EVERY_MS, key=attrgetter("at_ms"))
    return stood[first : max(first + 1, last)]


def _was_away(one: str, other: str, seen: Sequence[Stood], hearing_range: float) -> bool:
    pairs = [(each.places.get(one), each.places.get(other)) for each in seen]
    known = [(mine, theirs) for mine, theirs in pairs if mine and theirs]
    walks = any(pair != known[0] for pair in known[1:])
    reach = hearing_range + (2 * WALKED_BETWEEN if walks else 0)
    return bool(known) and all(
        mine[3] != theirs[3] or dist(mine[:3], theirs[:3]) > reach for mine, theirs in known
    )
