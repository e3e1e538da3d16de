"""Reads the log of a talk: its lines, turns and notices, and the transcript of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Literal

from bots.clock import MS_PER_S
from bots.experiments.log import Transition
from bots.talks.machine.events import (
    Announce,
    Answered,
    AnswerFailed,
    CancelThinking,
    Delivered,
    Ended,
    Say,
    SpeakerChosen,
    Spoke,
    TalkEffect,
    TalkEvent,
    Think,
)

Outcome = Literal["under way", "said", "silent", "dropped", "failed"]


@dataclass(frozen=True, slots=True)
class Line:
    """A line that was said."""

    speaker: str
    text: str
    at_ms: int
    """When the speaker began it."""
    done_ms: int
    """When it was delivered; the same as `at_ms` outside a turn."""
    hearing: Mapping[str, str | None]
    """For every other participant None, or why it was not heard; {} while not known."""
    turn: int | None = None
    """None: said outside any turn, as persons' lines are."""
    rule: str = ""
    """Why it was this speaker's turn."""
    asked_ms: int = 0
    """When the turn began."""
    answered_ms: int = 0
    """When the words were there."""
    reason: str = ""
    """How the line before was read: tag, fuzzy, round_robin, random or none; '' = not read."""
    delivered: bool = True
    """Whether it is known who heard it; False for lines still being said at the end."""

    @property
    def heard_by(self) -> list[str]:
        return [name for name, why in self.hearing.items() if why is None]

    @property
    def missed_by(self) -> dict[str, str]:
        return {name: why for name, why in self.hearing.items() if why is not None}


@dataclass(frozen=True, slots=True)
class Notice:
    """Something other than a line: a system line, a cancelled or failed turn."""

    at_ms: int
    what: str
    text: str


@dataclass(slots=True)
class Turn:
    """A bot's turn, from the request for words to its end."""

    speaker: str
    from_ms: int
    until_ms: int
    outcome: Outcome = "under way"

    @property
    def dropped(self) -> bool:
        return self.outcome == "dropped"


@dataclass(slots=True)
class Timeline:
    """A whole talk, in order of time."""

    lines: list[Line] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    decisions: list[tuple[int, SpeakerChosen]] = field(default_factory=list)
    tokens: dict[str, int] = field(default_factory=dict)
    cost_usd: dict[str, float] = field(default_factory=dict)
    spent: list[tuple[int, int, float]] = field(default_factory=list)
    """(milliseconds, tokens so far, US dollars so far) at each answer."""
    ended: str = ""
    """Why it ended; '' if it did not."""
    ended_ms: int = 0

    @property
    def total_tokens(self) -> int:
        return sum(self.tokens.values())

    @property
    def total_cost_usd(self) -> float:
        return sum(self.cost_usd.values())

    def turns_that(self, outcome: Outcome) -> list[Turn]:
        """The turns with this outcome."""
        return [turn for turn in self.turns if turn.outcome == outcome]


def timeline_of(transitions: Iterable[Transition]) -> Timeline:
    """The timeline of these transitions."""
    builder = TimelineBuilder()
    for transition in transitions:
        builder.take(transition)
    return builder.timeline


class TimelineBuilder:
    """Builds a timeline transition by transition."""

    def __init__(self) -> None:
        self.timeline = Timeline()
        """The timeline so far."""
        self._asked: dict[int, _Asked] = {}
        self._saying: dict[int, int] = {}
        """For each line that is being said, by number: its index in the timeline."""

    def take(self, transition: Transition) -> None:
        if transition.event is not None:
            self._take_in(transition.at_ms, transition.event)
        reason = ""
        for effect in transition.effects:
            if isinstance(effect, SpeakerChosen):
                reason = effect.reason
            self._carry_out(transition.at_ms, effect, reason)

    def _take_in(self, at_ms: int, event: TalkEvent) -> None:
        timeline = self.timeline
        match event:
            case Spoke(name, text, hearing):
                timeline.lines.append(Line(name, text, at_ms, at_ms, hearing))
            case Answered():
                self._answer(at_ms, event)
            case AnswerFailed(turn, why):
                self._end_turn(turn, at_ms, "failed")
                self._notice(at_ms, "failed", f"{self._speaker(turn)} could not answer: {why}")
            case Delivered(line, hearing):
                self._deliver(line, at_ms, hearing)
            case _:  # other events show in what the talk announces
                pass

    def _carry_out(self, at_ms: int, effect: TalkEffect, reason: str) -> None:
        timeline = self.timeline
        match effect:
            case Think():
                turn = Turn(effect.speaker, at_ms, at_ms)
                timeline.turns.append(turn)
                self._asked[effect.turn] = _Asked(effect, reason, turn, at_ms)
            case CancelThinking(number, why):
                self._end_turn(number, at_ms, "dropped")
                self._notice(at_ms, "dropped", f"{self._speaker(number)} drops a thought: {why}")
            case Say():
                self._say(at_ms, effect)
            case SpeakerChosen():
                timeline.decisions.append((at_ms, effect))
            case Announce():
                self._notice(at_ms, "announced", effect.text)
            case Ended():
                timeline.ended, timeline.ended_ms = effect.why, at_ms
            case _:
                pass

    def _answer(self, at_ms: int, answered: Answered) -> None:
        asked = self._asked.get(answered.turn)
        if asked is None:
            return
        timeline, speaker = self.timeline, asked.think.speaker
        timeline.tokens[speaker] = timeline.tokens.get(speaker, 0) + answered.tokens
        timeline.cost_usd[speaker] = timeline.cost_usd.get(speaker, 0.0) + answered.cost_usd
        timeline.spent.append((at_ms, timeline.total_tokens, timeline.total_cost_usd))
        if asked.turn.outcome == "under way":
            asked.answered_ms = at_ms
            self._end_turn(answered.turn, at_ms, "silent")  # unless a `Say` follows

    def _say(self, at_ms: int, say: Say) -> None:
        self._saying[say.line] = len(self.timeline.lines)
        self._end_turn(say.turn, at_ms, "said")
        asked = self._asked[say.turn]
        line = Line(
            speaker=say.speaker,
            text=say.text,
            at_ms=at_ms,
            done_ms=at_ms,
            hearing={},
            turn=say.turn,
            rule=asked.think.why,
            reason=asked.reason,
            asked_ms=asked.turn.from_ms,
            answered_ms=asked.answered_ms,
            delivered=False,
        )
        self.timeline.lines.append(line)

    def _deliver(self, number: int, at_ms: int, hearing: Mapping[str, str | None]) -> None:
        place = self._saying.pop(number, None)
        if place is None:
            return
        line = self.timeline.lines[place]
        self.timeline.lines[place] = replace(line, done_ms=at_ms, hearing=hearing, delivered=True)
        if line.turn is not None:
            self._end_turn(line.turn, at_ms, "said")

    def _end_turn(self, number: int, at_ms: int, outcome: Outcome) -> None:
        if (asked := self._asked.get(number)) is not None:
            asked.turn.until_ms, asked.turn.outcome = at_ms, outcome

    def _speaker(self, number: int) -> str:
        asked = self._asked.get(number)
        return asked.think.speaker if asked else f"turn {number}"

    def _notice(self, at_ms: int, what: str, text: str) -> None:
        self.timeline.notices.append(Notice(at_ms, what, text))


@dataclass(slots=True)
class _Asked:
    """A turn under way or over, and why it was given."""

    think: Think
    reason: str
    turn: Turn
    answered_ms: int


def transcript(timeline: Timeline) -> str:
    """The whole talk. The same timeline gives the same bytes."""
    lines = [(line.at_ms, 1, line_text(line)) for line in timeline.lines]
    notices = [(notice.at_ms, 0, notice_text(notice)) for notice in timeline.notices]
    in_order = sorted((*lines, *notices), key=itemgetter(0, 1))
    return "".join(f"{text}\n" for _, _, text in in_order)


def line_text(line: Line) -> str:
    """Time, turn (- outside any turn), speaker, words and who did not hear them."""
    missed = [f"{name}: {why}" for name, why in sorted(line.missed_by.items())]
    suffix = f"   [not heard by {', '.join(missed)}]" if missed else ""
    if not line.delivered:
        suffix = "   [the talk ended before it was known who heard it]"
    turn = "-" if line.turn is None else str(line.turn)
    return f"{clock(line.at_ms)}  {turn:>3}  {line.speaker}: {line.text}{suffix}"


def notice_text(notice: Notice) -> str:
    return f"{clock(notice.at_ms)}    *  {notice.text}"


def clock(at_ms: int) -> str:
    """Minutes, seconds and thousandths since the talk began."""
    minutes, ms = divmod(at_ms, 60 * MS_PER_S)
    return f"{minutes:02d}:{ms // MS_PER_S:02d}.{ms % MS_PER_S:03d}"


@dataclass(slots=True)
class Watcher:
    """Shows what is new after every transition."""

    show: Callable[[str], None]
    wait: Callable[[float], None] = lambda seconds: None
    """Called with the seconds between two transitions."""
    _builder: TimelineBuilder = field(default_factory=TimelineBuilder)
    _notices: int = 0
    _lines: int = 0
    _at_ms: int = 0

    def __call__(self, transition: Transition) -> None:
        self.wait((transition.at_ms - self._at_ms) / MS_PER_S)
        self._at_ms = transition.at_ms
        self._builder.take(transition)
        for _, text in sorted(self._new(), key=itemgetter(0)):
            self.show(text)

    def _new(self) -> Iterator[tuple[tuple[int, int], str]]:
        """(order, text) of what can be shown; a line once it is known who heard it."""
        timeline = self._builder.timeline
        for notice in timeline.notices[self._notices :]:
            yield (notice.at_ms, 0), notice_text(notice)
        self._notices = len(timeline.notices)
        while self._lines < len(timeline.lines) and timeline.lines[self._lines].delivered:
            line = timeline.lines[self._lines]
            yield (line.at_ms, 1), line_text(line)
            self._lines += 1
