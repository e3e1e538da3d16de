"""Shortens input so that a message may repeat it: on one line, printable and not too long."""

from __future__ import annotations


def excerpt(text: str, longest: int) -> str:
    """At most `longest` characters of a text, with `…` where it was cut."""
    line = " ".join(text.split())
    short = line if len(line) <= longest else f"{line[: longest - 1]}…"
    return "".join(letter if letter.isprintable() else "?" for letter in short)
