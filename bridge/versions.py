"""The versions of Minecraft that bots join, and how well-known plugins write a private message.

versions.json has one line for each version, the oldest first. `known` says how we know it: over
the protocol bench, over packets of vanilla (`bytes`), on a `real` server; `newer` is a release
that bots do not join. Those of `ci` are tried with every test run. The host reads the same file,
and `python -m versions.pages` (tests/) writes it into the docs.

The host tries the dialects on lines of the server. A dialect's `lines` are regular expressions
(JavaScript) of a whole line with the groups `sender`, `hearer` and `text`; `hearers` are the words
for the one who reads it, `{bot}` its own name."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self, TypeAlias, get_args

Known = Literal["bench", "bytes", "real", "newer"]

DialectName: TypeAlias = Literal["essentials", "cmi", "arrow"]

_SIGNS = re.compile(r"[\\^$.*+?()\[\]{}|/]")
_HEAD = r"(?:\W|\b{}\b|\b(?:whispers?|to|me|you)\b(?=(?:\W+(?:to|me|you))*\W*[:>\]»›)]))*"
_AFTER_A_SPEAKER = re.compile(r"\W{0,8}?(:|»|›|>) *")
_ARROW = " ?(?:-{1,2}>|→|➜|»|›) ?"
_NICKNAME = " ?[:>»›] "
"""After the brackets it tells of a speaker whose name looks so."""


@dataclass(frozen=True, slots=True)
class Version:
    name: str
    protocol: int
    """The number that clients and servers tell each other."""
    known: Known
    ci: bool = False


class Versions:
    def __init__(self, versions: Iterable[Version]) -> None:
        every = tuple(versions)
        self.joined = tuple(one for one in every if one.known != "newer")
        self.newer = tuple(one for one in every if one.known == "newer")

    @classmethod
    def read(cls, text: str) -> Self:
        return cls(Version(name, **row) for name, row in json.loads(text).items())

    @property
    def newest(self) -> Version:
        return self.joined[-1]

    def is_too_new(self, protocol: int, words: str) -> bool:
        """Of a server that tells this; a proxy may tell a range, as “1.8-26.1”."""
        told = re.findall(r"\d+(?:\.\d+)+", words)
        return protocol > self.newest.protocol and not any(one.name in told for one in self.joined)

    def __str__(self) -> str:
        return f"{self.joined[0].name} to {self.newest.name}"


VERSIONS = Versions.read(Path(__file__).with_suffix(".json").read_text())


def _within(opening: str, closing: str, neither: str) -> str:
    """`[Steve -> me] hello`, after a rank, as in [Admin] Steve; a bracket or colon that ends before
    the name is somebody else's, and so is ~Steve, a nickname."""
    rank = rf"\[[^\[\]]*\]|[^\s{neither}]*[^\s{neither}:]"
    names = rf"(?:(?:{rank}) )*(?<sender>[.*]?\w{{1,16}}){_ARROW}(?<hearer>[^\s{neither}]+)"
    return rf"{opening}{names}{closing}(?!{_NICKNAME}) ?(?<text>.*)"


_LINES = (_within(r"\[", r"\]", r"\[\]"), _within(r"\(", r"\)", r"\[\]()"))
# EssentialsX's word for whoever reads it, in its languages.
_ME = "me 私 自分 moi dir mi eu я 我 ik io mig minä én meg ja já ben tôi"


@dataclass(frozen=True, slots=True)
class Dialect:
    name: DialectName
    lines: tuple[str, ...]
    hearers: tuple[str, ...]


DIALECTS: dict[DialectName, Dialect] = {
    # EssentialsX: [Steve -> me] hello
    "essentials": Dialect("essentials", _LINES, tuple(_ME.split())),
    # CMI: [Steve -> You] hello
    "cmi": Dialect("cmi", _LINES, ("You", "you", "あなた")),
    # many others, with both names: [Steve -> Alice] hello
    "arrow": Dialect("arrow", _LINES, ("{bot}",)),
}
DIALECT_NAMES: tuple[DialectName, ...] = get_args(DialectName)


def pattern_of(line: str, speaker: str, text: str | None = None) -> str:
    """The pattern, as settings take it, that reads lines of public chat of this form, which ends
    with the text if that is known."""
    named = place_of(speaker, line)
    assert named is not None
    before, after = line[: named.start()], line[named.end() :]
    found = _AFTER_A_SPEAKER.match(after)
    between = found[0] if found else after[:1]
    if text is not None and after.endswith(text):
        between = after.removesuffix(text)
    return rf"{_literal(before)}(?P<sender>[.*]?\w+){_literal(between)}(?P<text>.*)"


def whisper_pattern_of(line: str, speaker: str, hearer: str) -> str:
    """The same of a whisper; the words begin after signs and after whoever hears it."""
    named = place_of(speaker, line)
    assert named is not None
    before, after = line[: named.start()], line[named.end() :]
    head = re.match(_HEAD.format(re.escape(hearer)), after, re.IGNORECASE)
    between = _literal(head[0]) if head else ""
    between = re.sub(rf"\b{re.escape(hearer)}\b", lambda _: r"\w+", between)
    return rf"{_literal(before)}(?P<sender>[.*]?\w+){between}(?P<text>.*)"


def place_of(name: str, line: str) -> re.Match[str] | None:
    """Where a line names a player: `Al` is not in `Alice`, and `.Steve` is another than `Steve`."""
    return re.search(rf"(?<![\w.*~]){re.escape(name)}(?!\w)", line, re.ASCII)


def _literal(words: str) -> str:
    return _SIGNS.sub(r"\\\g<0>", words)


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
                {"name": one.name, "line": line, "hearers": one.hearers}
                for one in dialects
                for line in one.lines
            ],
        }


USUAL_SHAPES = LineShapes()
"""The server's own formats and every dialect."""
