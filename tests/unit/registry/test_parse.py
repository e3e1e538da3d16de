"""Any text is parsed or refused with a reason."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.commands.chat import ChatArgs
from bots.commands.history import HistoryArgs
from bots.errors import CommandError
from bots.registry import parse
from bots.registry.args import Args, NoArgs

ARGS = st.sampled_from([ChatArgs, HistoryArgs, NoArgs])
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
FRAGMENTS = st.lists(
    st.sampled_from(['{', '}', '"username":', '"Steve"', ',', 'NaN', '[', ' ', '\\ud800', '"']),
    max_size=12,
).map("".join)  # fmt: skip


def refusal(understand: Callable[[], object]) -> CommandError | None:
    """Why something was refused; None when it was understood. Any other error is a bug."""
    try:
        understand()
    except CommandError as error:
        return error
    return None


@given(ARGS, st.text() | FRAGMENTS)
def test_any_text_parses_or_is_refused_with_a_reason(args: type[Args], text: str) -> None:
    rest = parse.body_of("!" + text).strip()
    refused = refusal(lambda: parse.check(args, parse.fields_of(args, rest)))
    if refused is not None:
        assert refused.reason == "invalid_format"
        assert refused.message.isprintable()
        assert len(refused.message) < 200


@given(ARGS, st.dictionaries(st.sampled_from(["username", "message", "maxDistance", "x"]), JSON))
def test_any_object_fits_or_is_refused(args: type[Args], fields: dict[str, object]) -> None:
    refused = refusal(lambda: parse.check(args, fields))
    assert refused is None or refused.reason == "invalid_format"


@given(st.floats() | st.integers())
def test_only_a_finite_range_above_zero_is_taken(max_distance: float) -> None:
    fields = {"username": "Steve", "message": "hi", "maxDistance": max_distance}
    try:
        taken = parse.check(ChatArgs, fields).max_distance
    except CommandError:
        assert not 0 < max_distance < 1e308
    else:
        assert taken == pytest.approx(max_distance)
        assert 0 < taken < float("inf")


def test_the_last_word_takes_the_rest() -> None:
    fields = ChatArgs.from_words("Steve  hello   there, friend")
    assert fields == {"username": "Steve", "message": "hello   there, friend"}
