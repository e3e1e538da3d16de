"""Text of others as a terminal may show it: it would obey control and direction characters."""

from __future__ import annotations

import json
import re
from unicodedata import category


def excerpt(text: str, longest: int) -> str:
    """At most `longest` characters of a text, with `…` where it was cut."""
    line = " ".join(text.split())
    short = line if len(line) <= longest else f"{line[: longest - 1]}…"
    return "".join(letter if letter.isprintable() else "?" for letter in short)


_JOINERS = "\u200c\u200d"  # of emoji and of some scripts
_STYLE = re.compile("\x1b\\[[0-9;]*m")


def printable(text: str) -> str:
    """The text on one line, what a terminal would obey escaped as in JSON.

    So what was JSON before still is."""
    return text if text.isprintable() else "".join(map(_shown, text))


def printable_lines(text: str) -> str:
    """Text of several lines, each printable; tabs stay."""
    return "\n".join("\t".join(map(printable, line.split("\t"))) for line in text.split("\n"))


def styled_lines(text: str) -> str:
    """Such text with colours and weights of ours in it: those alone of all escapes stay."""
    words, styles = _STYLE.split(text), [*_STYLE.findall(text), ""]
    return "".join(f"{printable_lines(w)}{s}" for w, s in zip(words, styles, strict=True))


def _shown(letter: str) -> str:
    is_plain = letter.isprintable() or category(letter) == "Zs" or letter in _JOINERS
    return letter if is_plain else json.dumps(letter)[1:-1]
