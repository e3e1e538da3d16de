"""A talk's events (what it is told) and effects (what it asks for), as plain values.

`GroupTalk.take(event, at_ms)` returns effects, in order. The runner carries them out and reports
each outcome as another event. Nothing else goes in or out, so a talk can be replayed. For
the database and for logs of experiments both are JSON values, and events are read back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal, TypeAlias, get_args

from pydantic import TypeAdapter

ParticipantKind = Literal["bot", "person", "bot_elsewhere"]
"""A bot of another daemon is heard like a person and asked like one; its words are a bot's."""
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
    "rule",  # a stop rule of an experiment
]


@dataclass(frozen=True, slots=True)
class Participant:
    name: str
    """Username; the internal_id of seed 004."""
    kind: ParticipantKind
    display_name: str = ""
    short_name: str = ""


# Events: what a talk is told.


@dataclass(frozen=True, slots=True)
class Joined:
    who: Participant


@dataclass(frozen=True, slots=True)
class Left:
    name: str
    why: str = "left"


@dataclass(frozen=True, slots=True)
class Spoke:
    """A line outside any turn: a person's, or one a bot said for another reason."""

    name: str
    text: str
    hearing: Mapping[str, str | None] = field(default_factory=dict)
    """For every other participant None, or why it was not heard (out_of_range, …)."""
    to: str | None = None
    """The bot it was whispered to, unless it calls another; counts as addressed even if the words
    do not name it."""
    seen_to_by: tuple[str, ...] = ()
    """Bots that it asks to do something, and that see to it outside of the talk: nobody answers
    it here."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The words for a turn, unedited, with their tag; '' = the bot says nothing."""

    turn: int
    text: str
    nominates: str | None = None
    """From structured output; None: the tag decides."""
    tokens: int = 0
    cost_usd: float = 0.0
    gives_way: bool = False
    """Nothing to say, thought of for nothing: beside people that uses up no turn."""


@dataclass(frozen=True, slots=True)
class AnswerFailed:
    turn: int
    why: str


@dataclass(frozen=True, slots=True)
class Delivered:
    """A `Say` was carried out; `hearing` has None, or why not, for everybody in its `to`."""

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
    """The time of a `WakeAt` has come."""


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


# Effects: what a talk asks for.


@dataclass(frozen=True, slots=True)
class Think:
    """Ask `speaker` for its next words; reported by `Answered` or `AnswerFailed`."""

    turn: int
    speaker: str
    why: str
    """The rule that chose the speaker: nominated, addressed, round, answer_due, opening, …"""
    round: int
    """The shared scene is made once a round."""
    say_goodbye: bool = False


@dataclass(frozen=True, slots=True)
class CancelThinking:
    """Stop asking for this turn's words: they will not be said."""

    turn: int
    why: str


@dataclass(frozen=True, slots=True)
class Say:
    """Say these words to `to` and record them for everybody who hears; reported by `Delivered`."""

    line: int
    turn: int
    speaker: str
    text: str
    to: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Announce:
    """A system line for the histories of `to`: the talk began, changed or ended."""

    text: str
    to: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SpeakerChosen:
    """Who speaks next and why; for the trace alone."""

    after: str
    next: str | None
    rule: str
    extracted_raw: str = ""
    normalized: str = ""
    reason: str = ""
    """How the last words named the next speaker: tag, fuzzy, round_robin, random or none;
    '' = they were not asked."""


@dataclass(frozen=True, slots=True)
class WakeAt:
    """Report `TimePassed` at this time, unless a later `WakeAt` replaces this one."""

    at_ms: int


@dataclass(frozen=True, slots=True)
class Ended:
    why: EndReason


TalkEffect: TypeAlias = Think | CancelThinking | Say | Announce | SpeakerChosen | WakeAt | Ended


# Both as JSON values.

KIND = "is"
"""The key under which a value's kind is written."""
_NAMES: dict[type[Any], tuple[str, ...]] = {
    kind: tuple(field.name for field in fields(kind))
    for kind in (*get_args(TalkEvent), *get_args(TalkEffect))
}
"""Field names of each kind; `asdict` would copy every value, too slow for simulated talks."""
_EVENTS: dict[str, TypeAdapter[Any]] = {
    kind.__name__: TypeAdapter(kind) for kind in get_args(TalkEvent)
}


def as_json(value: TalkEvent | TalkEffect) -> dict[str, Any]:
    """The kind under `is`, and the fields as plain JSON values."""
    kind: type[Any] = type(value)
    plain = {name: getattr(value, name) for name in _NAMES[kind]}
    if isinstance(value, Joined):
        plain["who"] = asdict(value.who)
    if isinstance(value, Answered) and not value.gives_way:
        del plain["gives_way"]  # runs that were kept before do not have it
    return {KIND: kind.__name__, **plain}


def event_of(data: Mapping[str, Any]) -> TalkEvent:
    """The event that `as_json` wrote. Raises ValueError for anything else."""
    values = dict(data)
    reader = _EVENTS.get(str(values.pop(KIND, "")))
    if reader is None:
        raise ValueError(f"{data.get(KIND)!r} is no event of a talk")
    event: TalkEvent = reader.validate_python(values)
    return event
