"""The width of text in a terminal, where Japanese letters take two columns."""

from __future__ import annotations

import re
import shutil
import unicodedata

_WIDE = (
    "\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6"
)
_NEVER_FIRST = "、。，．・：；？！）」』】ー"  # they stay with the letter before them
_PIECES = re.compile(f" ?(?:[^ {_WIDE}]+|[{_WIDE}][{_NEVER_FIRST}]*)")


def terminal_columns() -> int:
    """How wide the terminal is; 80 where there is none."""
    return shutil.get_terminal_size().columns


def width_of(text: str) -> int:
    """The columns that a line takes."""
    return sum(_width(one) for one in text)


def padded(text: str, columns: int) -> str:
    """The text with blanks behind it up to this width."""
    return text + " " * (columns - width_of(text))


def wrapped(text: str, columns: int, first: int | None = None) -> list[str]:
    """The text in rows of this width, the first of a width of its own. It is broken at blanks and
    between letters of Japanese; a longer word, such as a link, stays whole."""
    rows, row, room = list[str](), "", first or columns
    for piece in _PIECES.findall(" ".join(text.split())):
        if row and width_of(row + piece) > room:
            rows.append(row)
            row, room = piece.lstrip(), columns
        else:
            row += piece
    return [*rows, row]


def rows_of(line: str, columns: int) -> list[str]:
    """A line in rows of this width; later rows stand below its first word."""
    if width_of(line) <= columns:
        return [line]
    blanks = " " * (len(line) - len(line.lstrip()))
    return [f"{blanks}{row}" for row in wrapped(line, columns - len(blanks))]


def rows_above(typed: str, columns: int) -> int:
    """How many rows of a terminal are above the cursor that stands behind this line."""
    rows = column = 0
    for one in typed:
        if column + _width(one) > columns:  # a wide letter does not split
            rows, column = rows + 1, 0
        column += _width(one)
    return rows + column // columns


def _width(one: str) -> int:
    if unicodedata.combining(one):
        return 0
    return 2 if unicodedata.east_asian_width(one) in "WF" else 1
