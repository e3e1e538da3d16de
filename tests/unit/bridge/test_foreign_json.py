"""JSON of others is a plain value, or one error, whatever they send."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.fuzz import ANY_TEXT, fuzzed

from bridge.foreign_json import DEEPEST, NotJson, read_json, read_object

TEXT = ANY_TEXT  # half characters too: Node writes them as escapes
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
PLAIN = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXT, inner, max_size=5),
    max_leaves=20,
)


@given(PLAIN)
@fuzzed
def test_what_was_written_is_read(value: Any) -> None:
    written = json.dumps(value)
    assert read_json(written) == value
    assert read_json(written.encode()) == value


@given(st.binary() | st.text() | st.text('[]{}",:0123456789.eE-+ntNfI\\u'))
@fuzzed
def test_whatever_is_sent_is_a_plain_value_or_one_error(sent: str | bytes) -> None:
    try:
        value = read_json(sent)
    except NotJson:
        return
    assert json.loads(json.dumps(value, allow_nan=False)) == value


@pytest.mark.parametrize(
    "sent",
    [
        "[" * 100_000,
        b"[" * 100_000,
        '{"a":' * 50_000,
        "[" * 100_000 + "]" * 100_000,
        '{"a":' * 400 + "1" + "}" * 400,
        "NaN",
        "-Infinity",
        "1e999",
        f"{'9' * 400}.5",
        "9" * 5_000,
        *(b"\xff\xfe", b"\xef\xbb\xbf{}", '"\x00"', "", "{} {}"),
    ],
)
def test_what_would_end_a_reader_is_the_same_one_error(sent: str | bytes) -> None:
    with pytest.raises(NotJson):
        read_json(sent)


def test_depth_is_counted_in_lists_and_objects_not_in_words() -> None:
    assert read_json("[" * DEEPEST + "]" * DEEPEST)
    with pytest.raises(NotJson, match="100 deep"):
        read_json("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1))
    flat = ["[{" * 200, *({} for _ in range(300))]
    assert read_json(json.dumps(flat)) == flat


def test_what_is_too_large_is_not_even_looked_at() -> None:
    assert read_json("[1, 2]", largest=6) == [1, 2]
    with pytest.raises(NotJson, match="at most 5"):
        read_json("[1, 2]", largest=5)


def test_an_error_names_the_place() -> None:
    for sent, place in (('{"a" 1}', "character 6"), ('{\n"a" 1}', "line 2, column 5")):
        with pytest.raises(NotJson, match=place):
            read_json(sent)


def test_an_object_is_asked_for_by_name() -> None:
    assert read_object('{"a": 1.5}') == {"a": 1.5}
    assert math.isclose(read_object(b'{"a": 1.5}')["a"], 1.5)
    for other in ("[]", "null", "1", '"{}"'):
        with pytest.raises(NotJson, match="no object"):
            read_object(other)
