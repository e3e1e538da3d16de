"""What servers, players and files say reaches a terminal as words, never as orders to it."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.fuzz import ANY_TEXT, fuzzed

from bots.text.printable import printable, printable_lines, styled_lines

DIRECTIONS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
CONTROLS = [*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0)), "\u2028", "\u2029"]


def is_order(letter: str) -> bool:
    return unicodedata.category(letter) in ("Cc", "Cf", "Zl", "Zp", "Cs") and letter not in (
        "\u200c",
        "\u200d",
    )


@pytest.mark.parametrize("letter", [*CONTROLS, *DIRECTIONS, "\ufeff", "\ud800", "\U000e0041"])
def test_what_a_terminal_would_obey_is_escaped(letter: str) -> None:
    shown = printable(f"a{letter}b")
    assert shown == f"a{json.dumps(letter)[1:-1]}b"
    assert shown.isprintable()


@given(ANY_TEXT)
@fuzzed
def test_no_order_is_left_of_any_text(text: str) -> None:
    assert not any(map(is_order, printable(text)))
    assert not any(is_order(letter) for letter in printable_lines(text) if letter not in "\n\t")
    assert printable(printable(text)) == printable(text)


@given(st.recursive(ANY_TEXT, lambda inner: st.lists(inner, max_size=3), max_leaves=5))
@fuzzed
def test_json_stays_the_same_json(value: object) -> None:
    written = json.dumps(value, ensure_ascii=False)
    assert json.loads(printable_lines(written)) == value


def test_words_of_any_language_stay_as_they_are() -> None:
    for words in ("Grüß Gott", "こんにちは\u3000世界", "👨‍👩‍👧 ❤️", "שלום", "می‌خواهم", "a\u00a0b"):
        assert printable(words) == words
    assert printable_lines("a\tb\n\nc") == "a\tb\n\nc"
    assert printable("a\tb\nc") == "a\\tb\\nc"


def test_of_all_escapes_colours_alone_stay_in_lines_of_ours() -> None:
    line = "\x1b[1;31mbad\x1b[0m\x1b]0;title\x07 \x1b[2J\x9b31m"
    assert styled_lines(line) == ("\x1b[1;31mbad\x1b[0m\\u001b]0;title\\u0007 \\u001b[2J\\u009b31m")
