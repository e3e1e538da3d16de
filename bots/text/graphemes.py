"""Where a text may be cut without breaking a character as a reader sees it."""

from __future__ import annotations

from collections.abc import Iterator

import regex

# White space stands alone, even before a combining mark: lines are cut and stripped there.
_GRAPHEME = regex.compile(r"\s|\X")


def utf16_length(text: str) -> int:
    """Length in UTF-16 code units, which is how Minecraft counts."""
    return len(text) + sum(character > "\uffff" for character in text)


def graphemes(text: str) -> Iterator[str]:
    """The text in user-perceived characters (Unicode's extended grapheme clusters)."""
    return (found[0] for found in _GRAPHEME.finditer(text))
