"""Text for chat is one plain visible line that nobody takes for a command."""

import subprocess
import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bots.text.sanitise import NEUTRAL, is_order, neutralise, sanitise

ANYTHING = st.text(st.characters()) | st.text(
    st.sampled_from(
        "a é\u0301§\u200c\u200dمक\u200b\ufe0f\u202e👩🌾🏽\ud83d\ude00\n\t/!木が\u3099\u3000"
    )
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hello", "hello"),
        ("一緒に木を切ろう 🦆", "一緒に木を切ろう 🦆"),
        ("§aGreen§r text", "aGreenr text"),
        ("first\nsecond\r\nthird", "first second third"),
        ("  too \t much\u3000room ", "too much room"),
        ("a  b   c", "a  b   c"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("क्\u200dष", "क्\u200dष"),
        ("ab\u200cc \u200cمی\u200c\u200cخ", "abc میخ"),
        ("nul\x00 bell\x07 del\x7f c1\x9b", "nul bell del c1"),
        ("\u202eevil\u202c \u2066x\u2069\u200f", "evil x"),
        ("zero\u200bwidth\ufeff\u2060\u00ad", "zerowidth"),
        ("hidden\U000e0041\U000e0042", "hidden"),
        ("a\u200db", "ab"),
        ("👩\u200d🌾 and 👩🏽\u200d🌾 and ❤️\u200d🔥", "👩\u200d🌾 and 👩🏽\u200d🌾 and ❤️\u200d🔥"),
        ("👩\u200d", "👩"),
        ("か\u3099んばる", "がんばる"),
        ("\ud83d\ude00 \ud83d \ude00", "😀"),
        ("§\u200b\n", ""),
    ],
)
def test_only_what_can_be_seen_and_sent_is_left(text: str, said: str) -> None:
    assert sanitise(text) == said


@given(ANYTHING)
def test_no_text_leaves_anything_hidden_or_forbidden(text: str) -> None:
    said = sanitise(text)
    assert "§" not in said
    assert said == said.strip()
    assert {c for c in said if c.isspace()} <= {" "}
    assert unicodedata.is_normalized("NFC", said)
    hidden = {c for c in said if unicodedata.category(c) in {"Cc", "Cf", "Cs"}}
    assert hidden <= {"\u200c", "\u200d"}


@given(ANYTHING)
@example("\u0300\u3099\u200d\U0001f000")  # the marks change places in NFC
@example("x\u0301\u200d\u3099\u200d\U0001f000")  # and here once the first joiner is gone
def test_a_second_time_changes_nothing(text: str) -> None:
    assert sanitise(sanitise(text)) == sanitise(text)


@given(ANYTHING)
def test_what_is_sanitised_can_be_encoded(text: str) -> None:
    assert sanitise(text).encode().decode() == sanitise(text)


@pytest.mark.parametrize("line", ["/op Steve", "!stop", " !stop", "!!!"])
def test_a_line_that_reads_as_an_order_is_marked(line: str) -> None:
    assert neutralise(line) == NEUTRAL + line


@pytest.mark.parametrize("line", ["hello!", "and/or", "！すごい", "> !stop", ""])
def test_any_other_line_stays_as_it_is(line: str) -> None:
    assert neutralise(line) == line


@given(ANYTHING)
def test_no_neutralised_line_is_an_order(text: str) -> None:
    assert not is_order(neutralise(sanitise(text)))


WITHOUT_FILES = """
import sys
from bots.text.sanitise import sanitise

def refuse(event, args):
    if event == "open":
        raise OSError(24, "Too many open files", args[0])

sys.addaudithook(refuse)
sys.stdout.buffer.write(sanitise("caf\\u00e9 \\ud83c\\udf38").encode())
"""


def test_any_text_is_sanitised_without_a_file_descriptor_left() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT_FILES], capture_output=True, timeout=60, check=False
    )
    assert (ran.stdout.decode(), ran.stderr) == ("café 🌸", b"")
