"""Reads the files of users: UTF-8 or UTF-16, with or without a mark, as editors write them.

Only regular files are read: a pipe or a device may never end.
"""

from __future__ import annotations

import codecs
import os
import stat
from errno import EINVAL
from pathlib import Path

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NAMES = {"utf-8": "UTF-8", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16"}


class NotText(ValueError):
    """The bytes are no text; says which, with line and column."""


def read_text(file: Path) -> str:
    """The text of a file, with `\\n` between its lines. Raises OSError and NotText."""
    return text_of(read_bytes(file))


def read_bytes(file: Path, most: int = -1) -> bytes:
    """What a regular file holds, or its first bytes. Raises OSError, also for what is none."""
    with open(file, "rb", opener=_without_waiting) as opened:
        if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
            raise OSError(EINVAL, "it is no regular file", str(file))
        return opened.read(most)


def _without_waiting(path: str, flags: int) -> int:
    """Opens a pipe that nobody writes to at once."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def text_of(content: bytes) -> str:
    """The text of these bytes, with `\\n` between its lines. Raises NotText."""
    encoding, start = _encoding(content)
    body = content[start:]
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        before = body[: error.start].decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        wrong = body[error.start : error.end].hex(" ")
        raise NotText(
            f"it is not {_NAMES[encoding]} text: byte {wrong} in line {line}, column {column};"
            " save it as UTF-8"
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _encoding(content: bytes) -> tuple[str, int]:
    """The encoding, and how many bytes its mark has."""
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return encoding, len(mark)
    even, odd = content[:2:2], content[1:2]
    if len(content) % 2 == 0 and (even == b"\0") != (odd == b"\0"):
        return ("utf-16-be" if even == b"\0" else "utf-16-le"), 0
    return "utf-8", 0
