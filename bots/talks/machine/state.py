"""What a talk remembers between two events, with its lines in order and who heard each; and the
effects that the current event has so far.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from bots.talks.machine.events import EndReason, TalkEffect
from bots.talks.machine.order import Choice, SpeakerOrder
from bots.talks.machine.participants import Participants
from bots.talks.machine.policy import Spending, TalkPolicy

UNCONFIRMED = "unconfirmed"
"""Why a line counts as not surely heard: its delivery was not reported in time."""


@dataclass(frozen=True, slots=True)
class Line:
    number: int
    speaker: str
    text: str
    at_ms: int
    """When it was said, or asked to be said."""
    turn: int | None
    """None: said outside any turn."""
    hearing: Mapping[str, str | None] | None = None
    """For every other participant None, or why it was not heard; None as a whole: not known yet."""


class Transcript:
    def __init__(self) -> None:
        self.lines: list[Line] = []
        self._untold: dict[int, tuple[str, ...]] = {}

    def spoken(
        self, speaker: str, text: str, at_ms: int, hearing: Mapping[str, str | None]
    ) -> None:
        """Add a line that was said outside any turn."""
        number = len(self.lines) + 1
        self.lines.append(Line(number, speaker, text, at_ms, None, dict(hearing)))

    def to_be_said(
        self, speaker: str, text: str, at_ms: int, turn: int, to: tuple[str, ...]
    ) -> Line:
        line = Line(len(self.lines) + 1, speaker, text, at_ms, turn)
        self.lines.append(line)
        self._untold[line.number] = to
        return line

    def delivered(self, number: int, hearing: Mapping[str, str | None]) -> None:
        """Record who heard a line; only the first report counts."""
        to = self._untold.pop(number, ())
        if to:
            self._set(number, {name: hearing.get(name, UNCONFIRMED) for name in to})

    def unconfirmed(self, number: int) -> None:
        """Stop waiting for a line's delivery; a late report is still recorded."""
        self._set(number, dict.fromkeys(self._untold.get(number, ()), UNCONFIRMED))

    def missed(self, number: int) -> frozenset[str]:
        """Who is known not to have heard it."""
        hearing = self.lines[number - 1].hearing or {}
        return frozenset(name for name, why in hearing.items() if why not in (None, UNCONFIRMED))

    def _set(self, number: int, hearing: Mapping[str, str | None]) -> None:
        self.lines[number - 1] = replace(self.lines[number - 1], hearing=hearing)


@dataclass(frozen=True, slots=True)
class Thinking:
    turn: int
    choice: Choice
    since_ms: int


@dataclass(frozen=True, slots=True)
class Saying:
    turn: int
    choice: Choice
    since_ms: int
    """When the turn began."""
    line: int
    to: tuple[str, ...]
    said_ms: int
    answer: str
    """The unedited words, with their tag."""
    nominates: str | None


Floor: TypeAlias = Thinking | Saying


@dataclass(frozen=True, slots=True)
class TalkSoFar:
    """A talk between two turns, for rules of one's own. They may look at nothing else: a talk that
    is played again has to come out the same."""

    bots: tuple[str, ...]
    """Those that can speak now, in the order of the roster."""
    people: tuple[str, ...]
    lines: tuple[Line, ...]
    last: str
    """Whose turn it was last; '' before the first."""
    nominated: str | None
    """Whose turn it would be under `nominate`; None: nobody's."""
    turns: int
    """Turns given so far."""
    at_ms: int
    topic: str
    rng: random.Random
    """By the seed and the number of turns."""


@dataclass(frozen=True, slots=True)
class OwnRules:
    """Who speaks next and when a talk ends, in place of its policy or besides it."""

    order: Callable[[TalkSoFar], str | None] | None = None
    """One of `bots`; None: nobody until something happens, and bots alone end. Asked for every turn
    but goodbyes and the first: that is the opener's, else that of the first of the roster."""
    stop: Callable[[TalkSoFar], bool] | None = None
    """Whether the talk ends; asked between turns once something was said."""


NO_OWN_RULES = OwnRules()


@dataclass(slots=True)
class TalkState:
    policy: TalkPolicy
    participants: Participants
    order: SpeakerOrder
    spending: Spending
    transcript: Transcript
    now_ms: int
    rules: OwnRules = NO_OWN_RULES
    floor: Floor | None = None
    ended: EndReason | None = None
    closing: EndReason | None = None
    """The cap that is nearly reached, while bots say goodbye."""
    is_paused: bool = False
    is_idle: bool = False
    """Whether `SpeakerChosen` has already said that nobody is next."""
    last_voice: str = ""
    interruptions: int = 0
    """Turns in a row that people's lines cut off."""
    awaited: str = ""
    """The person who has been given the floor."""
    awaited_until_ms: int = 0
    wake_ms: int | None = None
    last_line_ms: int = field(init=False)
    last_turn_ms: int = field(init=False)
    """When a line was said or a turn ended without words."""
    quiet_until_ms: int = field(init=False)
    _effects: list[TalkEffect] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.last_line_ms = self.last_turn_ms = self.quiet_until_ms = self.now_ms

    @property
    def is_floor_open(self) -> bool:
        return self.floor is None and not self.is_paused

    @property
    def awaits_person(self) -> bool:
        return self.awaited in self.participants and self.now_ms < self.awaited_until_ms

    def await_person(self, name: str) -> None:
        """Give the floor to a person, for as long as the policy says; '' = to nobody."""
        self.awaited = name
        self.awaited_until_ms = self.quiet_until_ms + ms(self.policy.wait_for_person_s)

    @property
    def so_far(self) -> TalkSoFar:
        turns, present = self.spending.turns, self.participants.present
        return TalkSoFar(
            bots=self.participants.free_bots,
            people=tuple(one.name for one in present if one.kind != "bot"),
            lines=tuple(self.transcript.lines),
            last=self.order.last,
            nominated=self.order.nominee,
            turns=turns,
            at_ms=self.now_ms,
            topic=self.policy.topic,
            rng=random.Random(f"{self.policy.seed}:{turns}:own"),
        )

    def emit(self, effect: TalkEffect) -> None:
        self._effects.append(effect)

    def take_effects(self) -> list[TalkEffect]:
        effects, self._effects = self._effects, []
        return effects

    def bot_said(self, speaker: str, quiet_s: float) -> None:
        """A bot finished speaking; keep quiet for `quiet_s`."""
        self._said(speaker, max(self.quiet_until_ms, self.now_ms + ms(quiet_s)))

    def person_said(self, speaker: str, quiet_s: float) -> None:
        """A person finished speaking; `quiet_s` replaces any pause after a bot's line."""
        self._said(speaker, self.now_ms + ms(quiet_s))

    def _said(self, speaker: str, quiet_until_ms: int) -> None:
        self.last_voice = speaker
        self.last_line_ms = self.last_turn_ms = self.now_ms
        self.quiet_until_ms = quiet_until_ms
        self.is_idle = False


def ms(seconds: float) -> int:
    return round(seconds * 1000)
