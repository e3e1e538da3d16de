"""A text as the chat lines that carry it, each within the server's limit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import IntEnum

import regex

from bots.text.sanitise import NEUTRAL, is_order, neutralise

LINE_LIMIT = 256  # UTF-16 units of one chat line, `/tell name ` included, since 1.11
OLD_LINE_LIMIT = 100  # up to 1.10
SMALLEST_ROOM = len(NEUTRAL) + 2  # one character of any kind, marked

# White space stands alone, even before a combining mark: lines are cut and stripped there.
_GRAPHEME = regex.compile(r"\s|\X")
_ENDS_SENTENCE = (".", "!", "?", "…")
_ENDS_SENTENCE_UNSPACED = ("。", "！", "？", "」", "』")
_NEVER_BEGINS_LINE = frozenset(
    "、。，．・：；！？」』）】〉》〕ー～…ぁぃぅぇぉっゃゅょァィゥェォッャュョ々"
)
_NEVER_ENDS_LINE = frozenset("「『（【〈《〔")
_UNSPACED = re.compile(
    "[\u3001-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff9f\U00020000-\U0003ffff]"
)


class Border(IntEnum):
    """Where a text may be cut, the better the higher."""

    GRAPHEME = 0
    WORD = 1
    SENTENCE = 2


def line_limit(version: str | None) -> int:
    """The longest chat line in UTF-16 units of a Minecraft version such as `1.16.5`."""
    numbers = re.match(r"(\d+)\.(\d+)", version or "")
    old = numbers is not None and (int(numbers[1]), int(numbers[2])) <= (1, 10)
    return OLD_LINE_LIMIT if old else LINE_LIMIT


def room_for(to: str | None, version: str | None, command: str = "tell") -> int:
    """UTF-16 units left for the words of a whisper to this name, or of public chat."""
    header = "" if to is None else f"/{command} {to} "
    return line_limit(version) - utf16_length(header)


def split(
    text: str, room: int, best: Border = Border.SENTENCE, *, may_order: bool = False
) -> tuple[str, ...]:
    """Cut a sanitised text into lines of at most `room` UTF-16 units, none of them empty.

    Cuts at the best border near the end of each line, `best` at most. A line that reads as an
    order is neutralised; with `may_order` the first one is let through, the others never.
    Raises ValueError when not even a single character would fit.
    """
    if room < SMALLEST_ROOM:
        raise ValueError(f"no room for words in {room} units")
    lines: list[str] = []
    rest = text.strip()
    while rest:
        marked = is_order(rest) and not (may_order and not lines)
        taken = _first_line(rest, room - len(NEUTRAL) * marked, best)
        lines.append(neutralise(taken.strip()) if marked else taken.strip())
        rest = rest[len(taken) :].lstrip()
    return tuple(lines)


def _first_line(text: str, room: int, best: Border) -> str:
    """As much of the beginning as fits, up to a good border."""
    if utf16_length(text) <= room:
        return text
    fitting: list[str] = []
    left = room
    for grapheme in graphemes(text):
        left -= utf16_length(grapheme)
        if left < 0:
            break
        fitting.append(grapheme)
    if not fitting:
        # One huge heap of combining marks: cut it between code points.
        length = room
        while utf16_length(text[:length]) > room:
            length -= 1
        return text[:length]
    after = text[sum(map(len, fitting)) :][0]
    return "".join(fitting[: _best_cut([*fitting, after], best)])


def _best_cut(pieces: Sequence[str], best: Border) -> int:
    """How many pieces to keep; the last one does not fit and only shows what would follow."""
    furthest = len(pieces) - 1
    if best >= Border.SENTENCE:
        for cut in range(furthest, furthest // 2, -1):
            if _border(pieces[cut - 1], pieces[cut]) is Border.SENTENCE:
                return cut
    if best >= Border.WORD:
        for cut in range(furthest, 0, -1):
            if _border(pieces[cut - 1], pieces[cut]) >= Border.WORD:
                return cut
    return furthest


def _border(before: str, after: str) -> Border:
    spaced = after.isspace()
    if before in _ENDS_SENTENCE_UNSPACED or (spaced and before in _ENDS_SENTENCE):
        return Border.GRAPHEME if after in _NEVER_BEGINS_LINE else Border.SENTENCE
    if spaced or before.isspace():
        return Border.WORD
    unspaced = _UNSPACED.match(before) or _UNSPACED.match(after)
    if unspaced and after not in _NEVER_BEGINS_LINE and before not in _NEVER_ENDS_LINE:
        return Border.WORD
    return Border.GRAPHEME


def utf16_length(text: str) -> int:
    """Length in UTF-16 code units, which is how Minecraft counts."""
    return len(text) + sum(character > "\uffff" for character in text)


def graphemes(text: str) -> Iterator[str]:
    """The text in user-perceived characters (Unicode's extended grapheme clusters)."""
    return (found[0] for found in _GRAPHEME.finditer(text))
