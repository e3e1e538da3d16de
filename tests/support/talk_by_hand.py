"""Drives a talk machine by hand with its own clock: give it events, look at its effects."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from bots.talks.machine.events import (
    Announce,
    Answered,
    AnswerFailed,
    Delivered,
    Ended,
    Participant,
    Say,
    SpeakerChosen,
    TalkEffect,
    TalkEvent,
    Think,
    TimePassed,
)
from bots.talks.machine.machine import GroupTalk
from bots.talks.machine.policy import TalkPolicy

T = TypeVar("T")


def bot(name: str, display_name: str = "", short_name: str = "") -> Participant:
    return Participant(name, "bot", display_name, short_name)


def person(name: str) -> Participant:
    return Participant(name, "person")


@dataclass
class TalkByHand:
    """A talk at `now_ms`; `effects` holds all effects so far, `record` all events."""

    roster: Sequence[Participant]
    policy: TalkPolicy
    now_ms: int = 0
    effects: list[TalkEffect] = field(default_factory=list)
    record: list[tuple[TalkEvent, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.talk = GroupTalk(self.roster, self.policy, self.now_ms)
        self.effects += self.talk.start(self.now_ms)

    def tell(self, event: TalkEvent, after_ms: int = 0) -> list[TalkEffect]:
        self.now_ms += after_ms
        self.record.append((event, self.now_ms))
        effects = self.talk.take(event, self.now_ms)
        self.effects += effects
        return effects

    def all(self, kind: type[T]) -> list[T]:
        return [effect for effect in self.effects if isinstance(effect, kind)]

    def last(self, kind: type[T]) -> T:
        return self.all(kind)[-1]

    @property
    def thinking(self) -> Think:
        """The effect whose answer the talk waits for."""
        thought = self.last(Think)
        assert self.talk.floor is not None
        assert self.talk.floor.turn == thought.turn
        return thought

    @property
    def speakers(self) -> list[str]:
        return [thought.speaker for thought in self.all(Think)]

    @property
    def rules(self) -> list[str]:
        """The rule of each turn; also where there was none."""
        return [decision.rule for decision in self.all(SpeakerChosen)]

    @property
    def announced(self) -> list[str]:
        return [announced.text for announced in self.all(Announce)]

    @property
    def ended(self) -> str | None:
        ends = self.all(Ended)
        assert len(ends) < 2
        assert self.talk.ended == (ends[0].why if ends else None)
        return self.talk.ended

    def answers(self, text: str, nominates: str | None = None, after_ms: int = 0) -> Say | None:
        """The bot that thinks answers; the `Say` that follows, if any."""
        effects = self.tell(Answered(self.thinking.turn, text, nominates), after_ms)
        return next((effect for effect in effects if isinstance(effect, Say)), None)

    def says(
        self,
        text: str,
        deaf: Sequence[str] = (),
        nominates: str | None = None,
        *,
        during: Sequence[TalkEvent] = (),
    ) -> Say:
        """The thinker's words are said, and heard by everybody but the deaf; some events come
        while they are being said."""
        said = self.answers(text, nominates)
        assert said is not None
        for event in during:
            self.tell(event)
        hearing = {name: "out_of_range" if name in deaf else None for name in said.to}
        self.tell(Delivered(said.line, hearing))
        return said

    def fails(self, why: str = "model_down") -> None:
        self.tell(AnswerFailed(self.thinking.turn, why))

    def waits(self) -> None:
        """Let time pass until the talk's own timer."""
        at_ms = self.talk.wakes_at_ms
        assert at_ms is not None
        assert at_ms > self.now_ms
        self.tell(TimePassed(), at_ms - self.now_ms)
