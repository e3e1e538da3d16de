"""Filters for the messages of a history, and older names of their types.

| asked for        | means                           |
|------------------|---------------------------------|
| conversation     | what anyone said                |
| natural_language | what others said to this bot    |
| bot_response     | what this bot said              |
| small_talk       | what bots chatted unasked       |
| by_rules         | its own words chosen by rules   |
| system_info      | facts noted, not said           |
| episode             | what it did, or saw happen      |

Episodes are listed only for those who ask for them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from bots.chat.message import Kind, Message, Role
from bots.errors import InvalidArguments

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


@dataclass(frozen=True, slots=True)
class Filter:
    """Each field narrows the choice; None does not."""

    username: str | None = None
    usernames: Collection[str] | None = None
    type: str | None = None
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
