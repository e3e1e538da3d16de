"""What was said in a talk, by whom, why and to whom it came: told from its moments alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from bots.experiments.log.event_log import Moment
from bots.talks.machine.events import (
    Announce,
    Answered,
    AnswerFailed,
    Delivered,
    DropThought,
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
    """Something that was said."""

    speaker: str
    text: str
    at_ms: int
    """When its saying began."""
    done_ms: int
    """When it was said; as `at_ms` for what somebody said of themselves."""
    hearing: Mapping[str, str | None]
    """For every other participant None, or why it was not heard; {} while that is not known."""
    turn: int | None = None
    """None: said of themselves, a person's line say."""
    rule: str = ""
    """Why it was this speaker's turn."""
    asked_ms: int = 0
    """When the turn began."""
    answered_ms: int = 0
    """When the words were thought of."""
    reason: str = ""
    """How the words before were read: tag, fuzzy, round_robin, random or none; '' = not asked."""
    delivered: bool = True
    """Whether it is known who heard it: not of words that were being said at the end."""

    @property
    def heard_by(self) -> list[str]:
        return [name for name, why in self.hearing.items() if why is None]

    @property
    def missed_by(self) -> dict[str, str]:
        return {name: why for name, why in self.hearing.items() if why is not None}


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that is no line: a system line, somebody joining, a failed answer."""

    at_ms: int
    what: str
    text: str


@dataclass(slots=True)
class Turn:
    """A bot's turn, from its being asked to its end."""

    speaker: str
    from_ms: int
    until_ms: int
    outcome: Outcome = "under way"

    @property
    def dropped(self) -> bool:
        return self.outcome == "dropped"


@dataclass(slots=True)
class Story:
    """A whole talk, in order of time."""

    lines: list[Line] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    decisions: list[tuple[int, SpeakerChosen]] = field(default_factory=list)
    tokens: dict[str, int] = field(default_factory=dict)
    cost_usd: dict[str, float] = field(default_factory=dict)
    spent: list[tuple[int, int, float]] = field(default_factory=list)
    """(milliseconds, tokens, US dollars) so far, at each answer."""
    ended: str = ""
    """Why; '' when it did not."""
    ended_ms: int = 0

    @property
    def total_tokens(self) -> int:
        return sum(self.tokens.values())

    @property
    def total_cost_usd(self) -> float:
        return sum(self.cost_usd.values())

    def turns_that(self, outcome: Outcome) -> list[Turn]:
        """The turns that ended so."""
        return [turn for turn in self.turns if turn.outcome == outcome]


def told(moments: Iterable[Moment]) -> Story:
    """The story of these moments."""
    teller = Teller()
    for moment in moments:
        teller.take(moment)
    return teller.story


class Teller:
    """Follows a talk from moment to moment."""

    def __init__(self) -> None:
        self.story = Story()
        """So far."""
        self._asked: dict[int, _Asked] = {}
        self._saying: dict[int, int] = {}
        """Number of a line that is being said: its place in the story."""

    def take(self, moment: Moment) -> None:
        if moment.happening is not None:
            self._take_in(moment.at_ms, moment.happening)
        reason = ""
        for wish in moment.wishes:
            if isinstance(wish, SpeakerChosen):
                reason = wish.reason
            self._carry_out(moment.at_ms, wish, reason)

    def _take_in(self, at_ms: int, happening: TalkEvent) -> None:
        story = self.story
        match happening:
            case Spoke(name, text, hearing):
                story.lines.append(Line(name, text, at_ms, at_ms, hearing))
            case Answered():
                self._answer(at_ms, happening)
            case AnswerFailed(turn, why):
                self._end_turn(turn, at_ms, "failed")
                self._notice(at_ms, "failed", f"{self._speaker(turn)} could not answer: {why}")
            case Delivered(line, hearing):
                self._deliver(line, at_ms, hearing)
            case _:  # what else happens is seen in what the talk announces
                pass

    def _carry_out(self, at_ms: int, wish: TalkEffect, reason: str) -> None:
        story = self.story
        match wish:
            case Think():
                turn = Turn(wish.speaker, at_ms, at_ms)
                story.turns.append(turn)
                self._asked[wish.turn] = _Asked(wish, reason, turn, at_ms)
            case DropThought(number, why):
                self._end_turn(number, at_ms, "dropped")
                self._notice(at_ms, "dropped", f"{self._speaker(number)} drops a thought: {why}")
            case Say():
                self._say(at_ms, wish)
            case SpeakerChosen():
                story.decisions.append((at_ms, wish))
            case Announce():
                self._notice(at_ms, "announced", wish.text)
            case Ended():
                story.ended, story.ended_ms = wish.why, at_ms
            case _:
                pass

    def _answer(self, at_ms: int, answered: Answered) -> None:
        asked = self._asked.get(answered.turn)
        if asked is None:
            return
        story, speaker = self.story, asked.think.speaker
        story.tokens[speaker] = story.tokens.get(speaker, 0) + answered.tokens
        story.cost_usd[speaker] = story.cost_usd.get(speaker, 0.0) + answered.cost_usd
        story.spent.append((at_ms, story.total_tokens, story.total_cost_usd))
        if asked.turn.outcome == "under way":
            asked.answered_ms = at_ms
            self._end_turn(answered.turn, at_ms, "silent")  # unless it is said now

    def _say(self, at_ms: int, say: Say) -> None:
        self._saying[say.line] = len(self.story.lines)
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
        self.story.lines.append(line)

    def _deliver(self, number: int, at_ms: int, hearing: Mapping[str, str | None]) -> None:
        place = self._saying.pop(number, None)
        if place is None:
            return
        line = self.story.lines[place]
        self.story.lines[place] = replace(line, done_ms=at_ms, hearing=hearing, delivered=True)
        if line.turn is not None:
            self._end_turn(line.turn, at_ms, "said")

    def _end_turn(self, number: int, at_ms: int, outcome: Outcome) -> None:
        if (asked := self._asked.get(number)) is not None:
            asked.turn.until_ms, asked.turn.outcome = at_ms, outcome

    def _speaker(self, number: int) -> str:
        asked = self._asked.get(number)
        return asked.think.speaker if asked else f"turn {number}"

    def _notice(self, at_ms: int, what: str, text: str) -> None:
        self.story.notices.append(Notice(at_ms, what, text))


@dataclass(slots=True)
class _Asked:
    """A turn that was given, and why."""

    think: Think
    reason: str
    turn: Turn
    answered_ms: int
