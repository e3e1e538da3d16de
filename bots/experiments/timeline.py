"""Reads the log of a talk: its lines, turns and notices, and the transcript of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile
from operator import attrgetter, itemgetter
from typing import Literal

from bots.clock import MS_PER_S
from bots.experiments.log import Transition
from bots.talks.machine import events
from bots.talks.machine.events import Answered, Say, SpeakerChosen, Think

Outcome = Literal["under way", "said", "silent", "dropped", "failed"]


@dataclass(frozen=True, slots=True)
class Line:
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
    asked_ms: int = 0
    answered_ms: int = 0
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

    def end(self, at_ms: int, outcome: Outcome) -> None:
        self.until_ms, self.outcome = at_ms, outcome


@dataclass(slots=True)
class Timeline:
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
        return [turn for turn in self.turns if turn.outcome == outcome]


def timeline_of(transitions: Iterable[Transition]) -> Timeline:
    builder = TimelineBuilder()
    for transition in transitions:
        builder.take(transition)
    return builder.timeline


@dataclass(slots=True)
class _Asked:
    """A turn under way or over, and why it was given."""

    think: Think
    reason: str
    turn: Turn
    answered_ms: int


@dataclass(slots=True)
class TimelineBuilder:
    timeline: Timeline = field(default_factory=Timeline)
    _asked: dict[int, _Asked] = field(default_factory=dict)
    _saying: dict[int, int] = field(default_factory=dict)
    """For each line that is being said, by number: its index in the timeline."""

    def take(self, transition: Transition) -> None:
        at_ms, timeline, reason = transition.at_ms, self.timeline, ""
        for step in (transition.event, *transition.effects):
            match step:
                case events.Spoke(name, text, hearing):
                    timeline.lines.append(Line(name, text, at_ms, at_ms, hearing))
                case Answered():
                    self._answer(at_ms, step)
                case events.AnswerFailed(number, why):
                    self._break_off(number, at_ms, "failed", f"could not answer: {why}")
                case events.CancelThinking(number, why):
                    self._break_off(number, at_ms, "dropped", f"drops a thought: {why}")
                case events.Delivered(number, hearing) if number in self._saying:
                    self._deliver(number, at_ms, hearing)
                case SpeakerChosen():
                    reason = step.reason
                    timeline.decisions.append((at_ms, step))
                case Think():
                    turn = Turn(step.speaker, at_ms, at_ms)
                    timeline.turns.append(turn)
                    self._asked[step.turn] = _Asked(step, reason, turn, at_ms)
                case Say():
                    self._say(at_ms, step)
                case events.Announce(text):
                    timeline.notices.append(Notice(at_ms, text))
                case events.Ended(ended):
                    timeline.ended, timeline.ended_ms = ended, at_ms
                case _:  # other events show in what the talk announces
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
            asked.turn.end(at_ms, "silent")  # unless a `Say` follows

    def _break_off(self, number: int, at_ms: int, outcome: Outcome, why: str) -> None:
        asked = self._asked.get(number)
        if asked is not None:
            asked.turn.end(at_ms, outcome)
        speaker = asked.think.speaker if asked else f"turn {number}"
        self.timeline.notices.append(Notice(at_ms, f"{speaker} {why}"))

    def _say(self, at_ms: int, say: Say) -> None:
        self._saying[say.line] = len(self.timeline.lines)
        asked = self._asked[say.turn]
        asked.turn.end(at_ms, "said")
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
        place = self._saying.pop(number)
        line = self.timeline.lines[place]
        self.timeline.lines[place] = replace(line, done_ms=at_ms, hearing=hearing, delivered=True)
        if line.turn is not None:
            self._asked[line.turn].turn.end(at_ms, "said")


def transcript(timeline: Timeline) -> str:
    """The whole talk. The same timeline gives the same bytes."""
    return "".join(f"{text}\n" for text in _in_order(timeline.lines, timeline.notices))


def _in_order(lines: Iterable[Line], notices: Iterable[Notice]) -> list[str]:
    """As text; a notice before a line of the same time."""
    said = [(line.at_ms, 1, line_text(line)) for line in lines]
    told = [(one.at_ms, 0, f"{clock(one.at_ms)}    *  {one.text}") for one in notices]
    return [text for _, _, text in sorted([*said, *told], key=itemgetter(0, 1))]


def line_text(line: Line) -> str:
    """Time, turn (- outside any turn), speaker, words and who did not hear them."""
    missed = [f"{name}: {why}" for name, why in sorted(line.missed_by.items())]
    suffix = f"   [not heard by {', '.join(missed)}]" if missed else ""
    if not line.delivered:
        suffix = "   [the talk ended before it was known who heard it]"
    turn = "-" if line.turn is None else str(line.turn)
    return f"{clock(line.at_ms)}  {turn:>3}  {line.speaker}: {line.text}{suffix}"


def clock(at_ms: int) -> str:
    """Minutes, seconds and thousandths since the talk began."""
    minutes, ms = divmod(at_ms, 60 * MS_PER_S)
    return f"{minutes:02d}:{ms // MS_PER_S:02d}.{ms % MS_PER_S:03d}"


@dataclass(slots=True)
class Watcher:
    """Shows what is new after every transition; a line once it is known who heard it."""

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
        timeline = self._builder.timeline
        notices = timeline.notices[self._notices :]
        lines = [*takewhile(attrgetter("delivered"), timeline.lines[self._lines :])]
        self._notices += len(notices)
        self._lines += len(lines)
        for text in _in_order(lines, notices):
            self.show(text)
