"""What a bot may send as one line, and what the server makes of it."""

from __future__ import annotations

import re

from bridge.errors import HostError, LineTooLong

LINE_LIMIT = 256  # UTF-16 units, header included
OLD_LINE_LIMIT = 100  # up to Minecraft 1.10
PLAYER_NAME = re.compile(r"\w{1,16}", re.ASCII)
ONE_TARGET = re.compile(r"[^@\s]\S{0,31}")  # no selector: `@a` would reach everyone


def whisper_line(command: str, to: str, text: str, version: str) -> str:
    """The line of a whisper. Raises LineTooLong, and HostError for what names no player."""
    if not ONE_TARGET.fullmatch(to):
        raise HostError("whisper", f"{to!r} is no player's name")
    return _fitting(f"/{command} {to} {text}", version)


def chat_line(text: str, version: str) -> str:
    """The line of public chat, a command's slash widened. Raises LineTooLong."""
    return _fitting(re.sub(r"^(\s*)/", r"\1／", text), version)


def normalized(text: str) -> str:
    """As the server passes it on: trimmed, every run of white space one space."""
    return " ".join(text.split())


def has_illegal_characters(text: str) -> bool:
    """Whether the server kicks whoever sends this. Source: minecraft.wiki/w/Chat."""
    return any(char == "§" or char < " " or char == "\x7f" for char in normalized(text))


def _fitting(line: str, version: str) -> str:
    length, limit = len(line.encode("utf-16-le")) // 2, _limit(version)
    if length > limit:
        raise LineTooLong(length, limit)
    return line


def _limit(version: str) -> int:
    major, minor, *_ = (*version.split("."), "0")
    return OLD_LINE_LIMIT if int(major) == 1 and int(minor) <= 10 else LINE_LIMIT
