"""Where a text may be cut without breaking a character as a reader sees it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import pairwise

_JOINER = "\u200d"
_VIRAMA = 9  # canonical combining class: the next consonant belongs to this one
# Attached to what stands before them, though Unicode does not call them combining marks:
# half-width voiced sound marks, Thai and Lao AM, emoji skin tones.
_ATTACHED = frozenset("\uff9e\uff9f\u0e33\u0eb3") | {chr(c) for c in range(0x1F3FB, 0x1F400)}


def utf16_length(text: str) -> int:
    """Length in UTF-16 code units, which is how Minecraft counts."""
    return len(text) + sum(character > "\uffff" for character in text)


def graphemes(text: str) -> Iterator[str]:
    """The text in user-perceived characters; rather too long than broken."""
    start = flags = 0
    for place, (before, after) in enumerate(pairwise(text), start=1):
        flags = flags + 1 if _is_flag_letter(before) else 0
        half_a_flag = flags % 2 == 1 and _is_flag_letter(after)
        if not half_a_flag and not _belong_together(before, after):
            yield text[start:place]
            start = place
    if text:
        yield text[start:]


def _belong_together(before: str, after: str) -> bool:
    if before.isspace() or (before.isascii() and after.isascii()):
        return False
    return (
        unicodedata.category(after)[0] == "M"
        or _JOINER in (before, after)
        or after in _ATTACHED
        or unicodedata.combining(before) == _VIRAMA
        or _is_one_syllable(before, after)
    )


def _is_flag_letter(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _is_one_syllable(before: str, after: str) -> bool:
    """Korean letters written one by one: leading ones bind forward, all others backward."""
    leads = "\u1100" <= before <= "\u115f"
    follows = "\u1160" <= after <= "\u11ff" or "\ud7b0" <= after <= "\ud7ff"
    return follows or (leads and ("\u1100" <= after <= "\u115f" or "\uac00" <= after <= "\ud7a3"))
