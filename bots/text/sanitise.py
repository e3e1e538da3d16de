"""What a text may hold before it becomes chat: no codes, no hidden characters, no orders."""

from __future__ import annotations

import codecs
import re
import unicodedata

SECTION_SIGN = "§"  # begins a colour code; servers kick whoever sends it
JOINERS = "\u200c\u200d"  # zero-width: the one keeps letters apart, the other joins
NEUTRAL = "> "
"""Put before a line that would read as an order to a server (`/`) or to a bot (`!`)."""

_UTF_16 = codecs.lookup("utf-16-le")
"""Looked up now: that opens a file, which may be impossible later."""
_ORDER_MARKS = ("/", "!")
_DROPPED = frozenset({"Cc", "Cf", "Cs"})  # control, invisible format and bidi, half surrogate pairs
_BREAKS = re.compile(r"(?<! ) *[^\S ]\s*")  # white space that is more than plain spaces
# Pictographs and what may follow them inside one emoji. Wider than Unicode's own list: what
# slips through is a joiner that joins nothing.
_EMOJI = r"[\u00a9\u00ae\u203c-\u3299\ufe0f\U0001f000-\U0001faff]"
# Scripts whose letters change by what stands beside them: Arabic and its neighbours, those of
# India, Burmese, Khmer, Mongolian.
_CURSIVE = r"[\u0600-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u18af]"
_STRAY_JOINER = re.compile(
    rf"(?!(?<={_EMOJI})\u200d(?={_EMOJI})|(?<={_CURSIVE})[{JOINERS}](?={_CURSIVE}))[{JOINERS}]"
)


def sanitise(text: str) -> str:
    """One line of plain text in NFC with nothing in it hidden or special.

    Removes the section sign (not the letter after it), control, bidi and zero-width characters
    (a joiner inside an emoji or a word that needs it stays) and halves of surrogate pairs.
    Idempotent.
    """
    folded = one_line(text)
    if folded.isascii() and folded.isprintable():
        return folded
    # Two halves of a surrogate pair as the one character they are; lone halves dropped.
    halves, _ = _UTF_16.encode(folded, "surrogatepass")
    kept = "".join(filter(_speakable, _UTF_16.decode(halves, "ignore")[0]))
    return _without_strays(unicodedata.normalize("NFC", kept)).strip()


def one_line(text: str) -> str:
    """The text without line breaks and tabs; several spaces in a row stay."""
    return _BREAKS.sub(" ", text.strip())


def neutralise(line: str) -> str:
    """The line, marked so that neither a server nor a bot takes it for an order."""
    return NEUTRAL + line if is_order(line) else line


def is_order(line: str) -> bool:
    """Whether a server or a bot would take the line for an order."""
    return line.lstrip().startswith(_ORDER_MARKS)


def _without_strays(text: str) -> str:
    """In NFC; a joiner that is gone may let marks change places before another one."""
    joined = unicodedata.normalize("NFC", _STRAY_JOINER.sub("", text))
    return joined if joined == text else _without_strays(joined)


def _speakable(character: str) -> bool:
    if character == SECTION_SIGN:
        return False
    return character in JOINERS or unicodedata.category(character) not in _DROPPED
