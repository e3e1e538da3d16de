"""How well-known plugins write a private message; the host tries them on lines of the server.

A dialect's `line` is a regular expression (JavaScript) of a whole line with the groups `sender`,
`hearer` and `text`; `hearers` are the words for the one who reads it, `{bot}` its own name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

DialectName: TypeAlias = Literal["essentials", "cmi", "arrow"]

_NAME = r"(?:\S+ )*[~*]?(?<sender>[.*]?\w{1,16})"  # after a rank: [Admin] Steve
_BRACKETS = rf"\[{_NAME} (?:->|→|➜|»|›) (?<hearer>\S+)\] ?(?<text>.*)"


@dataclass(frozen=True, slots=True)
class Dialect:
    name: DialectName
    line: str
    hearers: tuple[str, ...]


DIALECTS: dict[DialectName, Dialect] = {
    # EssentialsX, messages_en and messages_ja: [Steve -> me] hello
    "essentials": Dialect("essentials", _BRACKETS, ("me", "私", "自分")),
    # CMI: [Steve -> You] hello
    "cmi": Dialect("cmi", _BRACKETS, ("You", "you", "あなた")),
    # many others, with both names: [Steve -> Alice] hello
    "arrow": Dialect("arrow", _BRACKETS, ("{bot}",)),
}
DIALECT_NAMES: tuple[DialectName, ...] = get_args(DialectName)


@dataclass(frozen=True, slots=True)
class LineShapes:
    """Which lines count as whispers and as public chat besides the server's own formats."""

    whispers: tuple[str, ...] = ()
    """Regular expressions (JavaScript) of (sender, text) over a whole line."""
    chats: tuple[str, ...] = ()
    """The same for public chat."""
    dialects: Sequence[DialectName] = DIALECT_NAMES

    def as_host_settings(self) -> dict[str, object]:
        dialects = [DIALECTS[name] for name in self.dialects]
        return {
            "whisper_patterns": self.whispers,
            "chat_patterns": self.chats,
            "dialects": [
                {"name": one.name, "line": one.line, "hearers": one.hearers} for one in dialects
            ],
        }


USUAL_SHAPES = LineShapes()
"""The server's own formats and every dialect."""
