"""Utterances (said once) and messages (an utterance in one bot's history, with a sequence).

Roles are points of view: derived here, never stored. So is the conversation of a message, its
circle: what is noted of one is never mixed with another.

    whispers with one other     one
    a line of a group talk      talk, said in public or not
    public chat                 public
    said to all near            near: those very listeners
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from bots.access.origin import is_operator
from bots.access.sources import UNKNOWN, Sources
from bots.clock import EPOCH
from bots.errors import InvalidArguments
from bots.text.language import Language
from bots.text.numbers import blocks, whole

Kind = Literal["conversation", "by_rules", "small_talk", "system_info", "episode"]
"""by_rules: a bot's own words that rules chose, as no model answered; people read them as any other
line, and a model does not take them for its own. small_talk: what bots say of their own accord; it
wants no answer and is in no prompt but its own. episode: what a bot did or saw happen, see
`bots/bot/episode.py`; lists show it to whoever asks for this type, and it can be recalled."""
SPOKEN: frozenset[Kind] = frozenset({"conversation", "by_rules"})
Role = Literal["assistant", "user"]
Content: TypeAlias = str | Mapping[str, Any]
Volume = Literal["whisper", "normal", "loud"]

MILLISECOND = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class Delivery:
    """The target of a whisper, and whether it arrived."""

    target: str
    distance: float | None
    """Blocks when it was said; None when the target was unseen."""
    max_distance: float | None
    """The range that was allowed; None where none applies (an answer to a whisper)."""
    delivered: bool
    """For our bots: the receipt came. For others: we sent it and the server did not refuse."""
    refused: str = ""
    """The server's words if it refused."""

    def as_json(self, text: str) -> dict[str, Any]:
        """What the speaker's own history shows; the distance floored, as `!chat` does."""
        return {
            "message": text,
            "delivered": self.delivered,
            **_why(self.refused),
            "targetUsername": self.target,
            "distance": _floored(self.distance),
            "maxDistance": None if self.max_distance is None else whole(self.max_distance),
        }

    def meant_for(self, name: str) -> bool:
        """Whether it was for this player."""
        return self.target == name


@dataclass(frozen=True, slots=True)
class Hearer:
    """One of several players whom an utterance was for."""

    name: str
    distance: float | None
    """Blocks when it was said; None when unseen."""
    delivered: bool
    """As in `Delivery`."""
    refused: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "username": self.name,
            "distance": _floored(self.distance),
            "delivered": self.delivered,
            **_why(self.refused),
        }


@dataclass(frozen=True, slots=True)
class GroupDelivery:
    """An utterance that was whispered to everyone in hearing range."""

    volume: Volume
    max_distance: float
    hearers: tuple[Hearer, ...]
    """Everyone who was in range, nearest first."""

    @property
    def delivered(self) -> bool:
        """Whether somebody got it."""
        return any(hearer.delivered for hearer in self.hearers)

    def as_json(self, text: str) -> dict[str, Any]:
        return {
            "message": text,
            "delivered": self.delivered,
            "target": "all",
            "volume": self.volume,
            "maxDistance": whole(self.max_distance),
            "hearers": [hearer.as_json() for hearer in self.hearers],
        }

    def meant_for(self, name: str) -> bool:
        return any(hearer.name == name for hearer in self.hearers)


@dataclass(frozen=True, slots=True)
class PublicDelivery:
    """An utterance in public chat, which everybody on the server hears."""

    delivered: bool
    """It was sent."""
    hearers: tuple[Hearer, ...] = ()
    """Those whose hearing can be proven: our own bots that were on the server."""
    refused: str = ""

    def as_json(self, text: str) -> dict[str, Any]:
        return {
            "message": text,
            "delivered": self.delivered,
            **_why(self.refused),
            "target": "public",
            "hearers": [hearer.as_json() for hearer in self.hearers],
        }

    def meant_for(self, name: str) -> bool:
        return any(hearer.name == name for hearer in self.hearers)


AnyDelivery: TypeAlias = Delivery | GroupDelivery | PublicDelivery


@dataclass(frozen=True, slots=True)
class Utterance:
    """One thing said or noted, stored once."""

    id: int
    speaker: str
    content: Content
    kind: Kind
    said_at: datetime
    delivery: AnyDelivery | None = None
    asked_by: str | None = None
    """The person who had the bot say it; None for the speaker's own words."""
    sources: Sources = UNKNOWN
    talk: int | None = None
    """The number of the group talk that it was said to."""

    @property
    def told(self) -> tuple[str, ...]:
        """The words; of an episode those of each language, English first; none of other notes."""
        if isinstance(self.content, str):
            return (self.content,)
        if self.kind != "episode":
            return ()
        return tuple(str(self.content.get(language, "")) for language in get_args(Language))


@dataclass(frozen=True, slots=True)
class Message:
    """An utterance in one bot's history."""

    bot: str
    sequence: int
    """Monotonic per bot, from 1, never reused."""
    utterance: Utterance
    heard_at: datetime
    role: Role = field(init=False, compare=False, repr=False)
    circle: Circle = field(init=False, compare=False, repr=False)
    """The conversation that it belongs to, for the bot in whose history it is."""
    was_said: bool = field(init=False, compare=False, repr=False)
    """Whether somebody said it, and of the bot's own words somebody heard them."""

    def __post_init__(self) -> None:
        role: Role = "assistant" if self.utterance.speaker == self.bot else "user"
        object.__setattr__(self, "role", role)
        # Worked out once: each request asks for them line by line.
        object.__setattr__(self, "circle", _circle_of(self))
        said = self.utterance
        is_words = said.kind in SPOKEN and isinstance(said.content, str)
        arrived = role == "user" or said.delivery is None or said.delivery.delivered
        object.__setattr__(self, "was_said", is_words and arrived)

    @property
    def content(self) -> Content:
        """The words; of the bot's own ones to players also whom they went to, and whether they
        arrived."""
        said = self.utterance
        aim = said.delivery if self.role == "assistant" else None
        if aim is None or not isinstance(said.content, str):
            return said.content
        if isinstance(aim, Delivery) and is_operator(aim.target):  # who is nowhere in the world
            return said.content
        return aim.as_json(said.content)

    @property
    def text(self) -> str | None:
        """The words alone, or None when the content is an object."""
        return self.utterance.content if isinstance(self.utterance.content, str) else None

    @property
    def type(self) -> Kind:
        """As history lists show it: what rules chose was said like anything else."""
        return "conversation" if self.utterance.kind in SPOKEN else self.utterance.kind

    @property
    def public(self) -> bool:
        """Whether it was said in public chat."""
        return isinstance(self.utterance.delivery, PublicDelivery)

    @property
    def speaker(self) -> str:
        return self.utterance.speaker

    @property
    def timestamp_ms(self) -> int:
        """When it was heard, milliseconds since 1970."""
        return (self.heard_at - EPOCH) // MILLISECOND

    @property
    def iso(self) -> str:
        """When it was heard, for people: UTC."""
        return self.heard_at.isoformat()

    def as_json(self) -> dict[str, Any]:
        """The message as history lists show it."""
        return {
            "sequence": self.sequence,
            "speaker": self.speaker,
            "role": self.role,
            "content": self.content,
            "type": self.type,
            "timestamp": self.timestamp_ms,
            "iso": self.iso,
            **({"public": True} if self.public else {}),
        }


CircleKind: TypeAlias = Literal["one", "talk", "near", "public"]


class Circle(NamedTuple):
    """Those among whom a bot heard or said a line."""

    kind: CircleKind
    name: str = ""
    """one: the other's name; talk: its number; near: the names of all."""

    @classmethod
    def read(cls, kind: str, name: str) -> Circle:
        """From its stored form. Raises ValueError."""
        for known in get_args(CircleKind):
            if kind == known:
                return cls(known, name)
        raise ValueError(f"{kind!r} is no kind of conversation")


PUBLIC = Circle("public")


def with_one(name: str) -> Circle:
    return Circle("one", name)


def of_talk(number: int) -> Circle:
    return Circle("talk", str(number))


def newest_lines(
    history: Sequence[Message],
    circle: Circle,
    most: int,
    of_circle: int,
    is_shown: Callable[[Message], bool],
) -> list[Message]:
    """The newest shown ones, oldest first; up to `of_circle` of this conversation for sure.

    Otherwise somebody who comes back after a while would find his own words forgotten. Asks of no
    more messages than it needs whether they are shown."""
    newest_first = reversed(history)
    newest = list(islice(filter(is_shown, newest_first), most))
    lacking = of_circle - sum(one.circle == circle for one in newest)
    older = (one for one in newest_first if one.circle == circle and is_shown(one))
    own = list(islice(older, max(0, lacking)))
    others = [one for one in newest if one.circle != circle]
    gone = {one.sequence for one in others[len(others) - len(own) :]} if own else set()
    kept = [one for one in newest if one.sequence not in gone]
    return [*kept, *own][::-1]


def _circle_of(message: Message) -> Circle:
    said = message.utterance
    if said.talk is not None:
        return of_talk(said.talk)
    match said.delivery:
        case PublicDelivery():
            return PUBLIC
        case GroupDelivery(hearers=hearers):
            names = {said.speaker, *(hearer.name for hearer in hearers)}
            return Circle("near", json.dumps(sorted(names)))
        case Delivery(target=target) if message.role == "assistant":
            return with_one(target)
    return with_one(said.speaker)


def _why(refused: str) -> dict[str, Any]:
    return {"refused": refused} if refused else {}


def _floored(distance: float | None) -> int | None:
    return None if distance is None else blocks(distance)


_MEANINGS: dict[str, tuple[Kind, Role | None]] = {
    "conversation": ("conversation", None),
    "natural_language": ("conversation", "user"),
    "bot_response": ("conversation", "assistant"),
    "small_talk": ("small_talk", None),
    "by_rules": ("by_rules", "assistant"),
    "system_info": ("system_info", None),
    "episode": ("episode", None),
}
TYPE_NAMES = tuple(_MEANINGS)
"""Types of messages as they are asked for, older names too: natural_language is what others said to
this bot, bot_response what it said, system_info facts noted, not said."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Each field narrows the choice; None does not. Episodes are for who asks for them."""

    username: str | None = None
    usernames: Collection[str] | None = None
    type: str | None = None
    """A type of today or an older name of one."""
    since: int | None = None
    """A sequence: only later messages."""
    talk: int | None = None
    """The number of a group talk: only what was said to it."""

    def choose(self, messages: Iterable[Message]) -> list[Message]:
        """The fitting messages, in the given order. Raises InvalidArguments for an unknown type."""
        kind, role = _meaning(self.type) if self.type is not None else (None, None)
        return [
            message
            for message in messages
            if (self.since is None or message.sequence > self.since)
            and (self.username is None or message.utterance.speaker == self.username)
            and (self.usernames is None or message.utterance.speaker in self.usernames)
            and (self.talk is None or message.utterance.talk == self.talk)
            and _is_of(kind, message)
            and (role is None or message.role == role)
        ]


ANY_MESSAGE = Filter()


def _is_of(kind: Kind | None, message: Message) -> bool:
    own = message.utterance.kind
    return own != "episode" if kind is None else kind in (message.type, own)


def kind_of(type_name: str) -> Kind:
    """The kind that a type name, new or old, is stored as. Raises InvalidArguments."""
    return _meaning(type_name)[0]


def _meaning(type_name: str) -> tuple[Kind, Role | None]:
    try:
        return _MEANINGS[type_name]
    except KeyError:
        known = ", ".join(TYPE_NAMES)
        message = f"unknown message type {type_name!r}: one of {known}"
        raise InvalidArguments("invalid_format", message, usage=known) from None
