"""Everything a talk remembers between two happenings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from bots.talks.machine.events import EndReason, TalkEffect
from bots.talks.machine.limits import Spending
from bots.talks.machine.order import Choice, Order
from bots.talks.machine.participants import Company
from bots.talks.machine.policy import TalkPolicy
from bots.talks.machine.transcript import Transcript


@dataclass(slots=True)
class TalkState:
    policy: TalkPolicy
    company: Company
    order: Order
    spending: Spending
    transcript: Transcript
    now_ms: int
    floor: Floor | None = None
    ended: EndReason | None = None
    closing: EndReason | None = None
    """The cap that came near, while bots say goodbye."""
    is_paused: bool = False
    is_idle: bool = False
    """Whether it has been told that nobody is next."""
    last_voice: str = ""
    interruptions: int = 0
    """Thoughts in a row that people ended."""
    wake_ms: int | None = None
    last_line_ms: int = field(init=False)
    last_turn_ms: int = field(init=False)
    """When a line was said or a turn ended without one."""
    quiet_until_ms: int = field(init=False)
    _wishes: list[TalkEffect] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.last_line_ms = self.last_turn_ms = self.quiet_until_ms = self.now_ms

    @property
    def is_floor_open(self) -> bool:
        return self.floor is None and not self.is_paused

    def wish(self, wish: TalkEffect) -> None:
        self._wishes.append(wish)

    def taken_wishes(self) -> list[TalkEffect]:
        wishes, self._wishes = self._wishes, []
        return wishes

    def bot_said(self, speaker: str, quiet_s: float) -> None:
        """A bot's words ended now; quiet is kept after them."""
        self._said(speaker, max(self.quiet_until_ms, self.now_ms + ms(quiet_s)))

    def person_said(self, speaker: str, quiet_s: float) -> None:
        """A person's words ended now; they need not wait for what is kept after a bot's."""
        self._said(speaker, self.now_ms + ms(quiet_s))

    def _said(self, speaker: str, quiet_until_ms: int) -> None:
        self.last_voice = speaker
        self.last_line_ms = self.last_turn_ms = self.now_ms
        self.quiet_until_ms = quiet_until_ms
        self.is_idle = False


def ms(seconds: float) -> int:
    return round(seconds * 1000)


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
    """When it began to think."""
    line: int
    to: tuple[str, ...]
    said_ms: int
    answer: str
    """As it was thought, tag and all."""
    nominates: str | None


Floor: TypeAlias = Thinking | Saying
