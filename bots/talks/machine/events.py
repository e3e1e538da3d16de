"""What a talk is told and what it asks for: plain values, so that a talk can be run again.

`GroupTalk.take(happening, at_ms)` answers with wishes, in order. The runner carries them out
and tells the outcome as further happenings; nothing else goes in or out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

ParticipantKind = Literal["bot", "person"]
EndReason = Literal[
    "asked",  # somebody with the right to said end
    "none_left",  # fewer than two participants, or no bot
    "nobody_next",  # the order policy names nobody
    "turns",  # a cap
    "time",
    "tokens",
    "money",
    "bot_turns",
    "repetition",
    "silence",
    "goodbye",  # everybody has said goodbye
]


@dataclass(frozen=True, slots=True)
class Participant:
    name: str
    """Username; the internal_id of seed 004."""
    kind: ParticipantKind
    display_name: str = ""
    short_name: str = ""


# What a talk is told.


@dataclass(frozen=True, slots=True)
class Joined:
    who: Participant


@dataclass(frozen=True, slots=True)
class Left:
    name: str
    why: str = "left"


@dataclass(frozen=True, slots=True)
class Spoke:
    """A line somebody said of themselves: a person's, or a bot's own outside its turn."""

    name: str
    text: str
    hearing: Mapping[str, str | None] = field(default_factory=dict)
    """For every other participant: None = heard it, else why not (out_of_range, …)."""
    to: str | None = None
    """The bot it was said to, as by a whisper: addressed, whether its words name it or not."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What the speaker of a turn thought of to say, raw, tag and all; '' = says nothing."""

    turn: int
    text: str
    nominates: str | None = None
    """From structured output; None: read the tag."""
    tokens: int = 0
    cost_usd: float = 0.0


@dataclass(frozen=True, slots=True)
class AnswerFailed:
    turn: int
    why: str


@dataclass(frozen=True, slots=True)
class Delivered:
    """The outcome of a `Say`: for every other participant None, or why it was not heard."""

    line: int
    hearing: Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class BecameBusy:
    name: str


@dataclass(frozen=True, slots=True)
class BecameFree:
    name: str


@dataclass(frozen=True, slots=True)
class TimePassed:
    """The moment of a `WakeAt` has come (or passed)."""


@dataclass(frozen=True, slots=True)
class Paused:
    by: str


@dataclass(frozen=True, slots=True)
class Resumed:
    by: str


@dataclass(frozen=True, slots=True)
class EndAsked:
    by: str
    why: str = "asked"


TalkEvent: TypeAlias = (
    Joined
    | Left
    | Spoke
    | Answered
    | AnswerFailed
    | Delivered
    | BecameBusy
    | BecameFree
    | TimePassed
    | Paused
    | Resumed
    | EndAsked
)


# What a talk asks for.


@dataclass(frozen=True, slots=True)
class Think:
    """Have `speaker` think of its next words; the answer is `Answered` or `AnswerFailed`."""

    turn: int
    speaker: str
    why: str
    """The rule that chose the speaker: nominated, addressed, round, answer_due, opening, …"""
    round: int
    """A shared scene is made once a round."""
    say_goodbye: bool = False


@dataclass(frozen=True, slots=True)
class DropThought:
    """Nobody waits for this turn's words any more."""

    turn: int
    why: str


@dataclass(frozen=True, slots=True)
class Say:
    """Say and record these words to everybody of `to` who can hear; answer `Delivered`."""

    line: int
    turn: int
    speaker: str
    text: str
    to: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Announce:
    """A system line for the history of each of `to`: start, update, end."""

    text: str
    to: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SpeakerChosen:
    """Who speaks next and why, for the trace."""

    after: str
    next: str | None
    rule: str
    extracted_raw: str = ""
    normalized: str = ""
    reason: str = ""
    """tag, fuzzy, round_robin, random or none, where the words were asked."""


@dataclass(frozen=True, slots=True)
class WakeAt:
    """Tell `TimePassed` at this moment unless another wish of the kind replaces it."""

    at_ms: int


@dataclass(frozen=True, slots=True)
class Ended:
    why: EndReason


TalkEffect: TypeAlias = Think | DropThought | Say | Announce | SpeakerChosen | WakeAt | Ended
